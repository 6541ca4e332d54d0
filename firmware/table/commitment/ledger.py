"""What the public log proves about dice, and what is told beside an action for that.

Beside a throw the log tells the tenure, once before its first throw, and the number of the
throw; beside dice that are laid open, also the opening that proves them. Every handheld keeps this
ledger of what each seat has committed to and checks what is opened against it. A throw beside which
nothing is told was committed to by nothing: its dice are *unchecked*, which the display says.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from firmware.table.commitment.charges import Charge
from firmware.table.commitment.tenure import NOBODY, THROWS, Tenure
from firmware.table.commitment.verify import verify
from firmware.table.protocol.contents import Contents
from game import AnyMatch, hides_dice
from game.actions import Action, Leave, Lift, Roll, ShowMaexchen, ShowTower
from game.dice import Dice
from game.status import AWAY

_MAEXCHEN: Dice = (2, 1)


class ProofNote(NamedTuple):
    """What is told beside an action: a new tenure, which throw, and its opening; None for none."""

    throw: int
    tenure: Tenure | None = None
    opening: bytes | None = None


class Cheated(Exception):  # noqa: N818 - what is found, not what failed
    """The log shows that the handheld of ``seat`` does what an honest one cannot."""

    def __init__(self, seat: int, charge: Charge) -> None:
        super().__init__(f"seat {seat} is caught: {charge.name}")
        self.seat = seat
        self.charge = charge


class Committed(NamedTuple):
    """A throw that its roller is bound to; ``before`` is the match as it stood before it."""

    seat: int
    tenure: Tenure
    throw: int
    before: AnyMatch


Testify = Callable[[int, Tenure], Charge | None]
"""Asked about every tenure of another seat that the log tells of: what is wrong with it?"""


@dataclass(frozen=True)
class Ledger:
    """Who is bound to what.

    Attributes:
        match: the digest of the match's header.
        tenures: by seat, the tenure it throws in, and how many throws are used up in it: those it
            made, or all `THROWS` once it is over (see ``after``).
        thrown: by seat, its newest throw; None where that was bound to nothing.
        newest: the newest throw of all; None where that was bound to nothing.
        checked: whether the dice that were laid open last are proven; None before any were.
    """

    match: bytes
    tenures: dict[int, tuple[Tenure, int]] = field(default_factory=dict)
    thrown: dict[int, Committed | None] = field(default_factory=dict)
    newest: Committed | None = None
    checked: bool | None = None

    def after(
        self,
        match: AnyMatch,
        action: Action,
        note: ProofNote | None,
        testify: Testify | None = None,
        *,
        trusted: bool = False,
    ) -> "Ledger":
        """The ledger after an action.

        A roller foresees all throws of its tenure, so it must not have another one to choose from:
        a tenure is thrown in until it is over, and not after. It is over with its eighth throw,
        with a shown tower (whose opening is public), when somebody else is to act, and when
        somebody leaves, who may be its witness. A new epoch begins new tenures.

        Args:
            match: as it stood before.
            action: as it is told in public.
            note: what is told beside it.
            testify: what this handheld knows as a witness itself.
            trusted: whether it was entered here and needs no check.

        Raises:
            Cheated: what is told cannot be; nothing has changed.
        """
        seat = match.to_act
        if seat is None:
            return self
        ledger = self._over(stays=None if isinstance(action, Leave) else seat)
        match action:
            case Roll(dice, tower):
                bound = ledger._bound(seat, match, note, testify, trusted=trusted)
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
                # A tower shows its dice as well: which it is, the proof tells.
                return ledger._opened(seat, ledger.newest, note, _MAEXCHEN, None, trusted=trusted)
            case _:
                return ledger

    def is_over(self, seat: int) -> bool:
        """Whether no more throws may be made in the tenure of ``seat``; True if it has none."""
        return seat not in self.tenures or self.tenures[seat][1] >= THROWS

    def _over(self, stays: int | None) -> "Ledger":
        """With the tenures of all seats over, but that of ``stays``."""
        if all(seat == stays or self.is_over(seat) for seat in self.tenures):
            return self
        ended = {
            seat: (tenure, made if seat == stays else THROWS)
            for seat, (tenure, made) in self.tenures.items()
        }
        return replace(self, tenures=ended)

    def problem(self, contents: Contents) -> Charge | None:
        """What is wrong with the covered dice in a cup, by the newest throw; None if nothing."""
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
        testify: Testify | None,
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
            if not trusted and not _can_witness(tenure.witness, seat, match):
                raise Cheated(seat, Charge.ROOT)
            charge = None if trusted or testify is None else testify(seat, tenure)
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
                bound.before,
                dice,
                tower=lies,
            )
            for lies in ((False, True) if tower is None else (tower,))
        ]
        return None if None in charges else charges[0]


def _can_witness(witness: int, seat: int, match: AnyMatch) -> bool:
    return witness == NOBODY or (witness < len(match.players) and witness != seat)


def _is_watched(bound: Committed) -> bool:
    """Whether somebody contributed to a throw who can contradict; one who is away cannot."""
    witness = bound.tenure.witness
    return witness not in (NOBODY, bound.seat) and bound.before.status[witness] not in AWAY
