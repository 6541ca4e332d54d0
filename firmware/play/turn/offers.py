"""The possible actions: the entries of the dial for every position of a handheld.

The entries come from ``game.legal_actions``, so the dial lists every legal action and no other. One
exception keeps a secret, because everybody can see the length of a dial. After a look "show
Mäxchen", or "show tower", is always there, whatever the dice. Trying it in vain does nothing. Dice
are set aside one by one (``firmware.play.turn.draft``), so their entries stand for every ``Keep``.
"""

from firmware.input.controls.announcements import plain
from firmware.input.controls.choice import Choice, Die, Go, ShowThrow
from firmware.play.turn.offering import TAPPED, Offering
from firmware.table.seat.position import Position
from game import AnyMatch, Phase, hides_dice, legal_actions
from game.actions import (
    Doubt,
    EndMatch,
    GiveIn,
    Keep,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    SeatAction,
    ShowMaexchen,
    ShowTower,
    Stop,
)

REPEAT_SHAKE_US = 800_000
"""Vigorous µs that a repeated throw needs; a first one needs only what makes a shake."""


def offering(position: Position, match: AnyMatch, *, shows: bool = False) -> Offering:
    """Return the possible actions of this seat, on the first dial.

    Announcements have no flourish or direction here; ``variants`` returns the additions.

    Args:
        position: the place of the handheld on the cup's way.
        match: its own copy of the match; its dice may be unknown.
        shows: an open throw of this seat lies under its cup.
    """
    show = (ShowThrow(),) if shows else ()
    if position is Position.TO_PASS:
        return Offering((Go(),), show)
    if position not in (Position.MINE, Position.OFFERED):
        return Offering()
    tapped: list[Choice] = []
    held: list[Choice] = list(show)
    for action in legal_actions(match):
        if isinstance(action, TAPPED):
            if action == plain(action):
                tapped.append(action)
        elif not isinstance(action, Keep):
            held.append(action)
    tapped.sort(key=lambda choice: isinstance(choice, Refuse))
    tapped += _dice_of(match)
    if tapped and isinstance(tapped[-1], Die) and Roll() not in held:
        held.append(Roll())
    if may_look_again(match):
        held.append(Look())
        held += [shown for shown in showable(match) if shown not in held]
    held.sort(key=_place)
    return Offering(tuple(tapped), tuple(held))


def may_look(match: AnyMatch) -> bool:
    """Return whether the holder may see the dice now, for the first time or again (R-CLASS-4)."""
    return may_look_again(match) or Look() in legal_actions(match)


def may_look_again(match: AnyMatch) -> bool:
    """Return whether the holder has looked at the roll: a second look is no new action."""
    return hides_dice(match) and match.phase is Phase.THROWN and match.seen


def showable(match: AnyMatch) -> tuple[SeatAction, ...]:
    """Return the show actions on the dial after a look, whatever the dice (R-CLASS-6, R-HF-8)."""
    if not hides_dice(match) or not may_look_again(match):
        return ()
    maexchen = (ShowMaexchen(),) if match.rules.customs.meiern else ()
    return (*maexchen, *((ShowTower(),) if match.rules.tower_one_in else ()))


def _dice_of(match: AnyMatch) -> tuple[Die, ...]:
    """Return a dial entry for every die that the draft can set aside or turn."""
    if not any(isinstance(action, Keep) for action in legal_actions(match)):
        return ()
    return tuple(Die(place) for place in range(len(match.dice or ())))


_HELD: tuple[type[Choice], ...] = (
    Roll, ShowThrow, Look, ShowMaexchen, ShowTower, OwnUp, Doubt, GiveIn, Lift, Stop, EndMatch,
)  # fmt: skip
"""Actions of a hold, nearest to the neutral entry first. The order must not depend on the dice."""


def _place(choice: Choice) -> int:
    return _HELD.index(type(choice))
