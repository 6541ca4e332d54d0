"""An open throw, and a player's plan for its dice before it is carried out (T-2, T-3).

The dial changes a draft die by die; the next throw, or stopping, carries it out. A draft has a
state for every die of the last throw, in the order of the match.
"""

from typing import NamedTuple, cast

from firmware.display.screens import DieState
from firmware.table.seat.parts import SeatParts
from game import (
    AnyMatch,
    AnyStep,
    OpenMatch,
    Phase,
    hides_dice,
    illegality,
    keeps_dice,
    legal_actions,
)
from game.actions import Keep, Roll
from game.dice import Dice
from game.events import Kept, Lifted, Rolled, Stopped, Threw

Draft = tuple[DieState, ...]
"""One state for each die of the last throw; empty where none can be set aside."""

_SIX = 6


class Thrown(NamedTuple):
    """An open throw of seat ``seat``.

    ``dice`` are those of the throw, ``aside`` those set aside before. It was the ``number``-th of
    the round (from 1), of at most ``limit``; ``for_the_lead``: it only decides who leads.
    """

    seat: int
    dice: Dice
    aside: Dice
    number: int
    limit: int
    for_the_lead: bool


def new_draft(match: AnyMatch) -> Draft:
    """Return the draft that changes nothing; empty where no dice can be set aside."""
    if not keeps_dice(match) or match.phase is not Phase.THROWN:
        return ()
    return (DieState.IN_PLAY,) * len(match.dice or ())


def changed(match: AnyMatch, draft: Draft, place: int) -> Draft:
    """Return the draft with die ``place`` (from 0) in its next state: in play, aside, turned.

    States that no legal ``Keep`` has for this die are skipped. The draft as a whole may be illegal
    (``can_throw``): a legal one may be reached only through others.
    """
    assert match.dice is not None, "dice have been thrown"
    states = [DieState.IN_PLAY]
    keeps = [action for action in legal_actions(match) if isinstance(action, Keep)]
    if any(match.dice[place] in keep.aside for keep in keeps):
        states.append(DieState.ASIDE)
    if match.dice[place] == _SIX and any(keep.turned for keep in keeps):
        states.append(DieState.TURNED)
    following = states[(states.index(draft[place]) + 1) % len(states)]
    return (*draft[:place], following, *draft[place + 1 :])


def keep_of(match: AnyMatch, draft: Draft) -> Keep | None:
    """Return the ``Keep`` of a draft, high to low; None where it leaves all dice in play."""
    if not keeps_dice(match) or match.dice is None:
        return None
    aside = sorted(
        (die for die, state in zip(match.dice, draft) if state is DieState.ASIDE), reverse=True
    )
    turned = draft.count(DieState.TURNED)
    return Keep(tuple(aside), turned) if aside or turned else None


def can_throw(match: AnyMatch, draft: Draft) -> bool:
    """Return whether the seat that is to act may throw now, with the dice the draft sets aside."""
    keep = keep_of(match, draft)
    return illegality(match, Roll() if keep is None else keep) is None


def drafted(dice: Dice, keep: Keep) -> Draft:
    """Return the draft of ``dice`` that sets aside and turns the dice of ``keep``."""
    aside, turned = list(keep.aside), keep.turned
    states: list[DieState] = []
    for die in dice:
        if die in aside:
            aside.remove(die)
            states.append(DieState.ASIDE)
        elif die == _SIX and turned:
            turned -= 1
            states.append(DieState.TURNED)
        else:
            states.append(DieState.IN_PLAY)
    return tuple(states)


class OpenThrow:
    """The last open throw of the table, and what this handheld's player does with their own.

    Args:
        seat: the seat of this handheld, with its copy of the match.
    """

    def __init__(self, seat: SeatParts) -> None:
        self.last: Thrown | None = None
        """The last open throw, until its player is done with it."""
        self.lifted = False
        """Whether the cup over my own throw is lifted now."""
        self.fresh = False
        """Whether my own throw has not been lifted yet, and may not have been sent."""
        self.draft: Draft = ()
        self._seat = seat.seat
        if hides_dice(seat.match):
            return
        for before, step in seat.log.steps():
            self.apply(before, step)
        self.lifted, self.fresh = False, self.mine is not None
        if self.fresh and not seat.cup.is_here:
            self.put_away()

    @property
    def mine(self) -> Thrown | None:
        """My own throw, while it lies under my cup."""
        return self.last if self.last is not None and self.last.seat == self._seat else None

    @property
    def can_be_shown(self) -> bool:
        """Whether my own throw lies under my cup, and the cup is closed."""
        return self.mine is not None and not self.lifted

    def lift(self) -> None:
        """Lift the cup over my throw."""
        self.lifted, self.fresh = True, False

    def cover(self) -> None:
        """Close the cup over it again."""
        self.lifted = False

    def put_away(self) -> None:
        """Forget the throw: its player is done with it."""
        self.last = None
        self.lifted = self.fresh = False

    def change(self, match: AnyMatch, place: int) -> None:
        """Give die ``place`` (from 0) of the draft its next state."""
        self.draft = changed(match, self.draft, place)

    def apply(self, before: AnyMatch, step: AnyStep) -> None:
        """Follow a step of the match; ``before``: the match that it moved on."""
        for event in step.events:
            match event:
                case Threw(seat, dice, number):
                    self._lay_open(before, seat, dice, number)
                    self.lifted, self.fresh = False, seat == self._seat
                case Lifted(seat, dice):
                    self._lay_open(before, seat, dice, cast(OpenMatch, before).throws)
                    self.lifted, self.fresh = seat == self._seat, False
                case Kept() | Stopped() | Rolled():
                    self.put_away()
                case _:
                    pass
        if step.match.outcome is not None:
            self.put_away()
        self.draft = new_draft(step.match) if step.match.to_act == self._seat else ()

    def _lay_open(self, before: AnyMatch, seat: int, dice: Dice, number: int) -> None:
        match, for_the_lead = cast(OpenMatch, before), before.phase is Phase.ROLL_OFF
        self.last = Thrown(seat, dice, match.aside, number, match.limit, for_the_lead)
