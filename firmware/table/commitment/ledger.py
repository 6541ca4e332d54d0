"""The proofs of dice in the public log, and the ledger that checks them.

Each throw has a note in the log: the tenure, once before its first throw, and the number of the
throw. Open dice also have the opening that proves them. Every handheld keeps this ledger of the
commitments of each seat, and checks openings against it. A throw without a note has no commitment:
its dice are *unchecked*, and the display shows it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from firmware.table.commitment.fair_dice import (
    NOBODY,
    THROWS,
    Charge,
    DiceCommitment,
    ProofNote,
    verify,
)
from firmware.table.protocol.messages import Contents
from game import AnyMatch, dice_to_roll, hides_dice
from game.actions import Action, Leave, Lift, Roll, ShowMaexchen, ShowTower
from game.dice import Dice
from game.status import AWAY

_MAEXCHEN: Dice = (2, 1)


class Cheated(Exception):  # noqa: N818 - what is found, not what failed
    """The log proves that the handheld of ``seat`` cheats."""

    def __init__(self, seat: int, charge: Charge) -> None:
        super().__init__(f"seat {seat} is caught: {charge.name}")
        self.seat = seat
        self.charge = charge


class Committed(NamedTuple):
    """A throw that its roller has committed to; ``before`` is the match before it."""

    seat: int
    tenure: DiceCommitment
    throw: int
    before: AnyMatch


CheckCommitment = Callable[[int, DiceCommitment], Charge | None]
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
    tenures: dict[int, tuple[DiceCommitment, int]] = field(default_factory=dict)
    thrown: dict[int, Committed | None] = field(default_factory=dict)
    newest: Committed | None = None
    checked: bool | None = None

    def after(
        self,
        match: AnyMatch,
        action: Action,
        note: ProofNote | None,
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
        return seat not in self.tenures or self.tenures[seat][1] >= THROWS

    def _over(self, stays: int | None) -> "Ledger":
        """Return the ledger with all tenures over, except that of ``stays``."""
        if all(seat == stays or self.is_over(seat) for seat in self.tenures):
            return self
        ended = {
            seat: (tenure, made if seat == stays else THROWS)
            for seat, (tenure, made) in self.tenures.items()
        }
        return replace(self, tenures=ended)

    def problem(self, contents: Contents) -> Charge | None:
        """Return the charge against the covered dice in a cup, by the newest throw; else None."""
        bound = self.newest
        if bound is None or not contents.dice:
            return None
        note = ProofNote(contents.throw, None, contents.opening)
        return self._wrong(bound, note, contents.dice, contents.tower)

    def _bound(
        self,
        seat: int,
        match: AnyMatch,
        note: ProofNote | None,
        check: CheckCommitment | None,
        *,
        trusted: bool,
    ) -> Committed | None:
        if note is None:
            return None
        tenure, made = self.tenures.get(seat, (None, 0))
        if note.tenure is not None:
            if tenure is not None and note.tenure.order <= tenure.order and not trusted:
                raise Cheated(seat, Charge.ROOT)
            follows = tenure is None or note.tenure.epoch > tenure.epoch or self.is_over(seat)
            if not (follows or trusted):
                raise Cheated(seat, Charge.ORDER)
            tenure, made = note.tenure, 0
            if not trusted and not _can_contribute(tenure.contributor, seat, match):
                raise Cheated(seat, Charge.ROOT)
            charge = None if trusted or check is None else check(seat, tenure)
            if charge is not None:
                raise Cheated(seat, charge)
        if tenure is None and trusted:
            return None
        if tenure is None or not (trusted or made + 1 == note.throw <= THROWS):
            raise Cheated(seat, Charge.ORDER)
        return Committed(seat, tenure, note.throw, match)

    def _opened(
        self,
        seat: int,
        bound: Committed | None,
        note: ProofNote | None,
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
        self, bound: Committed, note: ProofNote | None, dice: Dice, tower: bool | None
    ) -> Charge | None:
        if note is None or note.opening is None or note.throw != bound.throw:
            return Charge.PROOF
        tenure = bound.tenure
        charges = [
            verify(
                tenure.root,
                tenure.contribution,
                bound.throw,
                tenure.place(self.match, bound.seat),
                note.opening,
                dice_to_roll(bound.before),
                bound.before.rules.tower_one_in,
                dice,
                tower=lies,
            )
            for lies in ((False, True) if tower is None else (tower,))
        ]
        return None if None in charges else charges[0]


def _can_contribute(contributor: int, seat: int, match: AnyMatch) -> bool:
    return contributor == NOBODY or (contributor < len(match.players) and contributor != seat)


def _is_watched(bound: Committed) -> bool:
    """Return whether a throw has a contributor that is still in the match to contradict."""
    contributor = bound.tenure.contributor
    return contributor not in (NOBODY, bound.seat) and bound.before.status[contributor] not in AWAY
