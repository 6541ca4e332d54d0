"""One seat's part in fair dice, and the ledger that checks the proofs of all.

Each throw has a note in the log: the tenure, once before its first throw, and the number of the
throw. Open dice also have the opening that proves them. Every handheld keeps this ledger of the
commitments of each seat, and checks openings against it. A throw without a note has no commitment:
its dice are *unchecked*, and the display shows it.

A seat's own roots and contributions are derived from one secret of the match, which is on the disk
before the match begins. A tenure's seed follows from its epoch, hop and attempt, a contribution
from the tenure and its root. A handheld that loses its power therefore throws the same dice and
sends the same bytes afterwards.

At the beginning of a match or an epoch, and when a tenure is used up, no giver contributes. The
holder then sends its root to the seat before it (FRESH), and gets a contribution (SHARE). That seat
remembers the root, and contributes to no other root of the same tenure. Dice thrown before the
contribution has come are *unchecked*: the roller's handheld could have chosen the root.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from firmware.table.commitment import fair_dice as fair
from firmware.table.protocol import CONTRIBUTION_BYTES, NO_CONTRIBUTION, NO_SECRET, Retry
from firmware.table.protocol.messages import Contents, Fresh, Share
from game import AnyMatch, covers_next, hides_dice
from game.actions import Action, Leave, Lift, Roll, ShowMaexchen, ShowTower
from game.dice import Dice
from game.status import AWAY

_MAEXCHEN: Dice = (2, 1)


class Cheated(Exception):  # noqa: N818 - what is found, not what failed
    """The log proves that the handheld of ``seat`` cheats."""

    def __init__(self, seat: int, charge: fair.Charge) -> None:
        super().__init__(f"seat {seat} is caught: {charge.name}")
        self.seat = seat
        self.charge = charge


class Committed(NamedTuple):
    """A throw that its roller has committed to; ``before`` is the match before it."""

    seat: int
    tenure: fair.DiceCommitment
    throw: int
    before: AnyMatch


CheckCommitment = Callable[[int, fair.DiceCommitment], fair.Charge | None]
"""Returns the charge against a tenure of another seat in the log; None for none."""


@dataclass(frozen=True)
class Ledger:
    """The commitments of all seats.

    Attributes:
        match: the digest of the match's header.
        tenures: by seat, its tenure, and how many throws are used up in it: those it made, or all
            `THROWS` once it is over (see ``after``).
        thrown: by seat, its newest throw; None if that had no commitment.
        newest: the newest throw of all; None if that had no commitment.
        checked: whether the newest open dice are proven; None before any lie open.
    """

    match: bytes
    tenures: dict[int, tuple[fair.DiceCommitment, int]] = field(default_factory=dict)
    thrown: dict[int, Committed | None] = field(default_factory=dict)
    newest: Committed | None = None
    checked: bool | None = None

    def after(
        self,
        match: AnyMatch,
        action: Action,
        note: fair.ProofNote | None,
        check: CheckCommitment | None = None,
        *,
        trusted: bool = False,
    ) -> "Ledger":
        """Return the ledger after an action.

        A roller foresees all throws of its tenure, so it must have no other tenure to choose from.
        It throws in one tenure until that is over, and never afterwards. A tenure is over with its
        eighth throw, with a shown tower (whose opening is public), when another seat is to act, and
        when a seat leaves, which may be its contributor. A new epoch begins new tenures.

        Args:
            match: the match before the action.
            action: in its public form.
            note: beside the action in the log.
            check: returns a charge against a tenure, by this handheld's own knowledge.
            trusted: the action was entered here and needs no check.

        Raises:
            Cheated: the note is impossible; nothing has changed.
        """
        seat = match.to_act
        if seat is None:
            return self
        ledger = self._over(stays=None if isinstance(action, Leave) else seat)
        match action:
            case Roll(dice, tower):
                bound = ledger._bound(seat, match, note, check, trusted=trusted)
                after = replace(ledger, thrown={**ledger.thrown, seat: bound}, newest=bound)
                if bound is not None:
                    tenures = {**ledger.tenures, seat: (bound.tenure, bound.throw)}
                    after = replace(after, tenures=tenures)
                if dice is None:
                    return after
                return after._opened(seat, bound, note, dice, tower, trusted=trusted)
            case Lift(dice, tower) if dice is not None:
                bound = ledger.newest if hides_dice(match) else ledger.thrown.get(seat)
                return ledger._opened(seat, bound, note, dice, tower, trusted=trusted)
            case ShowTower(dice) if dice is not None:
                shown = ledger._opened(seat, ledger.newest, note, dice, tower=True, trusted=trusted)
                return shown._over(stays=None)
            case ShowMaexchen():
                # A tower shows its dice as well; the proof distinguishes the two.
                return ledger._opened(seat, ledger.newest, note, _MAEXCHEN, None, trusted=trusted)
            case _:
                return ledger

    def is_over(self, seat: int) -> bool:
        """Return whether the tenure of ``seat`` allows no more throws; True if it has none."""
        return seat not in self.tenures or self.tenures[seat][1] >= fair.THROWS

    def _over(self, stays: int | None) -> "Ledger":
        """Return the ledger with all tenures over, except that of ``stays``."""
        if all(seat == stays or self.is_over(seat) for seat in self.tenures):
            return self
        ended = {
            seat: (tenure, made if seat == stays else fair.THROWS)
            for seat, (tenure, made) in self.tenures.items()
        }
        return replace(self, tenures=ended)

    def problem(self, contents: Contents) -> fair.Charge | None:
        """Return the charge against the covered dice in a cup, by the newest throw; else None."""
        bound = self.newest
        if bound is None or not contents.dice:
            return None
        note = fair.ProofNote(contents.throw, None, contents.opening)
        return self._wrong(bound, note, contents.dice, contents.tower)

    def _bound(
        self,
        seat: int,
        match: AnyMatch,
        note: fair.ProofNote | None,
        check: CheckCommitment | None,
        *,
        trusted: bool,
    ) -> Committed | None:
        if note is None:
            return None
        tenure, made = self.tenures.get(seat, (None, 0))
        if note.tenure is not None:
            if tenure is not None and note.tenure.order <= tenure.order and not trusted:
                raise Cheated(seat, fair.Charge.ROOT)
            follows = tenure is None or note.tenure.epoch > tenure.epoch or self.is_over(seat)
            if not (follows or trusted):
                raise Cheated(seat, fair.Charge.ORDER)
            tenure, made = note.tenure, 0
            if not trusted and not _can_contribute(tenure.contributor, seat, match):
                raise Cheated(seat, fair.Charge.ROOT)
            charge = None if trusted or check is None else check(seat, tenure)
            if charge is not None:
                raise Cheated(seat, charge)
        if tenure is None and trusted:
            return None
        if tenure is None or not (trusted or made + 1 == note.throw <= fair.THROWS):
            raise Cheated(seat, fair.Charge.ORDER)
        return Committed(seat, tenure, note.throw, match)

    def _opened(
        self,
        seat: int,
        bound: Committed | None,
        note: fair.ProofNote | None,
        dice: Dice,
        tower: bool | None,
        *,
        trusted: bool,
    ) -> "Ledger":
        if bound is None:
            return replace(self, checked=False)
        charge = None if trusted else self._wrong(bound, note, dice, tower)
        if charge is not None:
            raise Cheated(seat, charge)
        return replace(self, checked=_is_watched(bound))

    def _wrong(
        self, bound: Committed, note: fair.ProofNote | None, dice: Dice, tower: bool | None
    ) -> fair.Charge | None:
        if note is None or note.opening is None or note.throw != bound.throw:
            return fair.Charge.PROOF
        fell = bound.tenure.opened(bound.before, self.match, bound.seat, bound.throw, note.opening)
        if isinstance(fell, fair.Charge):
            return fell
        return None if fell.dice == dice and tower in (None, fell.tower) else fair.Charge.DICE


def _can_contribute(contributor: int, seat: int, match: AnyMatch) -> bool:
    return contributor == fair.NOBODY or (contributor < len(match.players) and contributor != seat)


def _is_watched(bound: Committed) -> bool:
    """Return whether a throw has a contributor that is still in the match to contradict."""
    contributor = bound.tenure.contributor
    return (
        contributor not in (fair.NOBODY, bound.seat)
        and bound.before.status[contributor] not in AWAY
    )


FRESH_AGAIN_US = 1_000_000
"""A FRESH that nobody answers is sent again after this long; chosen."""


class Committer:
    """Fair dice at one seat.

    Args:
        seat: this handheld's seat.
        match: the digest of the match's header.
        kept: the state in the journal.
    """

    def __init__(self, seat: int, match: bytes, kept: fair.CommitterState) -> None:
        self.seat = seat
        self.kept = kept
        """The state that must be on the disk before any frame that follows from it is sent."""
        self._retry = Retry(FRESH_AGAIN_US, FRESH_AGAIN_US)
        self._match = match
        self._source = fair.DiceSource(b"")

    def root(self, epoch: int, hop: int) -> bytes:
        """Return this seat's root for its answer to a hop, 16 bytes."""
        return self._root((epoch, hop, 0))

    def contribution(self, epoch: int, taker: int, hop: int, root: bytes) -> bytes:
        """Return this seat's contribution for a taker with this root, 8 bytes."""
        return self._contribution(taker, (epoch, hop, 0), root)

    @property
    def due_us(self) -> int | None:
        """When to call ``ask``; None while no contribution is missing."""
        return self._retry.due_us

    # The own tenure

    def cup_taken(self, epoch: int, hop: int, giver: int, contribution: bytes) -> None:
        """Begin a tenure, as the cup is here."""
        contributor = fair.NOBODY if contribution == NO_CONTRIBUTION else giver
        self._begin((epoch, hop, 0), contributor, contribution)

    def prepare(self, epoch: int, hop: int, ledger: Ledger, now_us: int) -> None:
        """With the cup here, begin a tenure if none is left to throw in.

        The root of a new one must be sent to the seat before this one.
        """
        old_epoch, old_hop, attempt = self.kept.current
        begun = old_epoch == epoch and (old_hop, attempt) != fair.NONE_YET
        if begun and self._made(ledger) < fair.THROWS:
            return
        if begun:
            hop, attempt = old_hop, attempt + 1
        else:
            attempt = 1
        self._begin((epoch, hop, attempt), fair.NOBODY, NO_CONTRIBUTION)
        self._retry = self._retry.at(now_us)

    def ask(self, now_us: int) -> Fresh | None:
        """Return the FRESH for the seat before this one, if it is due."""
        if not self._retry.due(now_us):
            return None
        self._retry = self._retry.sent(now_us)
        _, hop, attempt = self.kept.current
        return Fresh(hop, attempt, self._root(self.kept.current))

    def receive_share(self, sender: int, epoch: int, share: Share, ledger: Ledger) -> None:
        """Take a contribution, if it is for the tenure that lacks one."""
        wanted = self.kept.current == (epoch, share.hop, share.attempt)
        if self.due_us is None or not wanted or self._made(ledger):
            return
        self._retry = self._retry.answered()
        self.kept = replace(self.kept, contributor=sender, contribution=share.contribution)

    def begin_throw(self, match: AnyMatch, ledger: Ledger) -> fair.ProofNote:
        """Prepare ``draw`` for the next throw; return the note for the log."""
        made = self._made(ledger)
        key = self.kept.current
        tenure = self._tenure()
        self._retry = self._retry.answered()
        throw = made + 1
        opening = fair.opening_of(self._seed(key), throw)
        place = tenure.place(self._match, self.seat)
        self._source = fair.source_of(opening, tenure.contribution, throw, place)
        return fair.ProofNote(
            throw, None if made else tenure, None if covers_next(match) else opening
        )

    def draw(self, number: int) -> bytes:
        """Return random bytes for the throw that has begun."""
        return self._source(number)

    def proof(self, tenure: fair.DiceCommitment, throw: int) -> bytes:
        """Return the opening of a throw that was made here."""
        return fair.opening_of(self._seed(tenure.order), throw)

    # As a contributor

    def remember_root(self, taker: int, epoch: int, hop: int, root: bytes) -> None:
        """Store the root of ``taker`` in a hop, so that ``check_commitment`` recognises it."""
        self._remember(taker, (epoch, hop, 0), root)

    def contribute(
        self, seat: int, epoch: int, fresh: Fresh, ledger: Ledger, *, first: bool
    ) -> Share | fair.Charge | None:
        """Contribute to another seat's tenure, once the one before is known to be over.

        Otherwise the seat could ask for several tenures and throw in the one with the best dice.
        ``first``: nobody can have thrown before. Return a charge if the seat sent another root
        before; None if there is nothing to contribute to.
        """
        key = (epoch, fresh.hop, fresh.attempt)
        tenure, _ = ledger.tenures.get(seat, (None, 0))
        begun = None if tenure is None else tenure.order
        first = first and key[1:] == (0, 1)
        follows = begun == (epoch, fresh.hop, fresh.attempt - 1) and ledger.is_over(seat)
        at, root = self._seen.get(seat, (None, b""))
        if key == at and root != fresh.root:
            return fair.Charge.ROOT
        if key != at:
            is_newer = at is None or key > at
            if not (fresh.attempt and is_newer and (follows or first)):
                return None
            self._remember(seat, key, fresh.root)
        return Share(fresh.hop, fresh.attempt, self._contribution(seat, key, fresh.root))

    def check_commitment(
        self, seat: int, tenure: fair.DiceCommitment, epoch: int
    ) -> fair.Charge | None:
        """Return the charge against another seat's tenure, as far as this seat knows; else None.

        A valid tenure is the newest to which this seat contributed, or a newer one: a seat that
        got the cup with a contribution throws in no older tenure. ``epoch``: the current one.
        """
        if seat == self.seat:
            return None
        order, root = self._seen.get(seat, ((0, 0, 0), b""))
        if tenure.contributor != self.seat:
            return fair.Charge.ROOT if order[0] == epoch and tenure.order < order else None
        agreed = self._contribution(seat, tenure.order, tenure.root)
        same = (order, root) == (tenure.order, tenure.root)
        return None if same and tenure.contribution == agreed else fair.Charge.ROOT

    @property
    def _seen(self) -> dict[int, tuple[fair.CommitmentKey, bytes]]:
        return {seat: (key, root) for seat, key, root in self.kept.seen}

    def _remember(self, seat: int, key: fair.CommitmentKey, root: bytes) -> None:
        seen = {**self._seen, seat: (key, root)}
        kept = tuple((there, *what) for there, what in sorted(seen.items()))
        self.kept = replace(self.kept, seen=kept)

    # Derivations

    def _begin(self, key: fair.CommitmentKey, contributor: int, contribution: bytes) -> None:
        self._retry = self._retry.answered()
        self.kept = replace(
            self.kept, current=key, contributor=contributor, contribution=contribution
        )

    def _tenure(self) -> fair.DiceCommitment:
        kept = self.kept
        return fair.DiceCommitment(
            *kept.current, kept.contributor, self._root(kept.current), kept.contribution
        )

    def _made(self, ledger: Ledger) -> int:
        """Return how many throws are used up in the current tenure."""
        tenure, made = ledger.tenures.get(self.seat, (None, 0))
        return made if tenure is not None and tenure.order == self.kept.current else 0

    def _seed(self, key: fair.CommitmentKey) -> bytes:
        return fair.keyed(
            self.kept.secret, b"seed", fair.CommitmentPlace(self._match, self.seat, *key).pack()
        )

    def _root(self, key: fair.CommitmentKey) -> bytes:
        return fair.root_of(self._seed(key), fair.CommitmentPlace(self._match, self.seat, *key))

    def _contribution(self, seat: int, key: fair.CommitmentKey, root: bytes) -> bytes:
        if root == NO_SECRET:
            return NO_CONTRIBUTION
        place = fair.CommitmentPlace(self._match, seat, *key).pack()
        return fair.keyed(self.kept.secret, b"share", place, root)[:CONTRIBUTION_BYTES]
