"""One seat's part in fair dice: its roots, its contributions, and the roots it has seen.

All are derived from one secret of the match, which is on the disk before the match begins. A
tenure's seed follows from its epoch, hop and attempt, a contribution from the tenure and its root.
A handheld that loses its power therefore throws the same dice and sends the same bytes afterwards.

At the beginning of a match or an epoch, and when a tenure is used up, no giver contributes. The
holder then sends its root to the seat before it (FRESH), and gets a contribution (SHARE). That seat
remembers the root, and contributes to no other root of the same tenure. Dice thrown before the
contribution has come are *unchecked*: the roller's handheld could have chosen the root.
"""

from dataclasses import replace

from firmware.table.commitment.fair_dice import (
    NOBODY,
    NONE_YET,
    THROWS,
    Charge,
    CommitmentKey,
    CommitmentPlace,
    CommitterState,
    DiceCommitment,
    DiceSource,
    ProofNote,
    keyed,
    opening_of,
    root_of,
    source_of,
)
from firmware.table.commitment.ledger import Ledger
from firmware.table.protocol.layout import CONTRIBUTION_BYTES, NO_CONTRIBUTION, NO_SECRET
from firmware.table.protocol.messages import Fresh, Share
from firmware.table.protocol.retry import Retry
from game import AnyMatch, covers_next

FRESH_AGAIN_US = 1_000_000
"""A FRESH that nobody answers is sent again after this long."""


class Committer:
    """Fair dice at one seat.

    Args:
        seat: this handheld's seat.
        match: the digest of the match's header.
        kept: the state in the journal.
    """

    def __init__(self, seat: int, match: bytes, kept: CommitterState) -> None:
        self.seat = seat
        self.kept = kept
        """The state that must be on the disk before any frame that follows from it is sent."""
        self._retry = Retry(FRESH_AGAIN_US, FRESH_AGAIN_US)
        self._match = match
        self._source = DiceSource(b"")

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
        contributor = NOBODY if contribution == NO_CONTRIBUTION else giver
        self._begin((epoch, hop, 0), contributor, contribution)

    def prepare(self, epoch: int, hop: int, ledger: Ledger, now_us: int) -> bool:
        """With the cup here, begin a tenure if none is left to throw in.

        Return whether a new one was begun. Its root must be sent to the seat before this one.
        """
        old_epoch, old_hop, attempt = self.kept.current
        begun = old_epoch == epoch and (old_hop, attempt) != NONE_YET
        if begun and self._made(ledger) < THROWS:
            return False
        if begun:
            hop, attempt = old_hop, attempt + 1
        else:
            attempt = 1
        self._begin((epoch, hop, attempt), NOBODY, NO_CONTRIBUTION)
        self._retry = self._retry.at(now_us)
        return True

    def ask(self, now_us: int) -> Fresh | None:
        """Return the FRESH for the seat before this one, if it is due."""
        if not self._retry.due(now_us):
            return None
        self._retry = self._retry.sent(now_us)
        _, hop, attempt = self.kept.current
        return Fresh(hop, attempt, self._root(self.kept.current))

    def receive_share(self, sender: int, epoch: int, share: Share, ledger: Ledger) -> bool:
        """Take a contribution. Return whether it is for the tenure that lacks one."""
        wanted = self.kept.current == (epoch, share.hop, share.attempt)
        if self.due_us is None or not wanted or self._made(ledger):
            return False
        self._retry = self._retry.answered()
        self.kept = replace(self.kept, contributor=sender, contribution=share.contribution)
        return True

    def begin_throw(self, match: AnyMatch, ledger: Ledger) -> ProofNote:
        """Prepare ``draw`` for the next throw; return the note for the log."""
        made = self._made(ledger)
        key = self.kept.current
        tenure = self._tenure()
        self._retry = self._retry.answered()
        throw = made + 1
        opening = opening_of(self._seed(key), throw)
        place = tenure.place(self._match, self.seat)
        self._source = source_of(opening, tenure.contribution, throw, place)
        return ProofNote(throw, None if made else tenure, None if covers_next(match) else opening)

    def draw(self, number: int) -> bytes:
        """Return random bytes for the throw that has begun."""
        return self._source(number)

    def proof(self, tenure: DiceCommitment, throw: int) -> bytes:
        """Return the opening of a throw that was made here."""
        return opening_of(self._seed(tenure.order), throw)

    # As a contributor

    def remember_root(self, taker: int, epoch: int, hop: int, root: bytes) -> None:
        """Store the root of ``taker`` in a hop, so that ``check_commitment`` recognises it."""
        self._remember(taker, (epoch, hop, 0), root)

    def contribute(
        self, seat: int, epoch: int, fresh: Fresh, ledger: Ledger, *, first: bool
    ) -> Share | Charge | None:
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
        at, root = self._seen.get(seat, ((0, 0, 0), fresh.root))
        if key == at and root != fresh.root:
            return Charge.ROOT
        if key != at and not (fresh.attempt and key > at and (follows or first)):
            return None
        if key != at:
            self._remember(seat, key, fresh.root)
        return Share(fresh.hop, fresh.attempt, self._contribution(seat, key, fresh.root))

    def check_commitment(self, seat: int, tenure: DiceCommitment, epoch: int) -> Charge | None:
        """Return the charge against another seat's tenure, as far as this seat knows; else None.

        A valid tenure is the newest to which this seat contributed, or a newer one: a seat that
        got the cup with a contribution throws in no older tenure. ``epoch``: the current one.
        """
        if seat == self.seat:
            return None
        order, root = self._seen.get(seat, ((0, 0, 0), b""))
        if tenure.contributor != self.seat:
            return Charge.ROOT if order[0] == epoch and tenure.order < order else None
        agreed = self._contribution(seat, tenure.order, tenure.root)
        same = (order, root) == (tenure.order, tenure.root)
        return None if same and tenure.contribution == agreed else Charge.ROOT

    @property
    def _seen(self) -> dict[int, tuple[CommitmentKey, bytes]]:
        return {seat: (key, root) for seat, key, root in self.kept.seen}

    def _remember(self, seat: int, key: CommitmentKey, root: bytes) -> None:
        seen = {**self._seen, seat: (key, root)}
        kept = tuple((there, *what) for there, what in sorted(seen.items()))
        self.kept = replace(self.kept, seen=kept)

    # Derivations

    def _begin(self, key: CommitmentKey, contributor: int, contribution: bytes) -> None:
        self._retry = self._retry.answered()
        self.kept = replace(
            self.kept, current=key, contributor=contributor, contribution=contribution
        )

    def _tenure(self) -> DiceCommitment:
        kept = self.kept
        return DiceCommitment(
            *kept.current, kept.contributor, self._root(kept.current), kept.contribution
        )

    def _made(self, ledger: Ledger) -> int:
        """Return how many throws are used up in the current tenure."""
        tenure, made = ledger.tenures.get(self.seat, (None, 0))
        return made if tenure is not None and tenure.order == self.kept.current else 0

    def _seed(self, key: CommitmentKey) -> bytes:
        return keyed(
            self.kept.secret, b"seed", CommitmentPlace(self._match, self.seat, *key).pack()
        )

    def _root(self, key: CommitmentKey) -> bytes:
        return root_of(self._seed(key), CommitmentPlace(self._match, self.seat, *key))

    def _contribution(self, seat: int, key: CommitmentKey, root: bytes) -> bytes:
        if root == NO_SECRET:
            return NO_CONTRIBUTION
        place = CommitmentPlace(self._match, seat, *key).pack()
        return keyed(self.kept.secret, b"share", place, root)[:CONTRIBUTION_BYTES]
