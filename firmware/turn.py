"""What can be done now: the entries of the dial for every position a handheld can be in.

The entries come from ``game.legal_actions``, so the dial lists every legal action and no other. One
exception keeps a secret: after a look "show Mäxchen" is always there, whatever lies in the cup, for
everybody can see the length of a dial. Trying it without a Mäxchen does nothing.
"""

from enum import Enum, auto
from typing import NamedTuple

from firmware.dial import Choice, Entry, Go, Scores
from game import Match, Phase, legal_actions
from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    Lift,
    Look,
    OwnUp,
    Roll,
    ShowMaexchen,
)

REPEAT_SHAKE_US = 800_000
"""A repeated throw asks for this much vigour; a first one for what makes a shake at all."""


class Position(Enum):
    """Where this handheld stands on the cup's way."""

    WATCHING = auto()
    """The cup is elsewhere."""
    OFFERED = auto()
    """The cup is offered to this seat, which owes an answer."""
    TAKING = auto()
    """The answer is given, and the cup is on its way here."""
    MINE = auto()
    """The cup is here, and this seat acts."""
    TO_PASS = auto()
    """The cup is here, but another seat acts next."""
    PASSING = auto()
    """The cup is on its way to another seat."""
    OVER = auto()
    """The match has ended."""
    STOPPED = auto()
    """The handheld cannot go on: the journal or the record is at fault."""


class Offering(NamedTuple):
    """What the dial offers: what a tap does, and what a hold does, nearest first."""

    tapped: tuple[Choice, ...] = ()
    held: tuple[Choice, ...] = ()

    def entries(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """The two sides of the dial: (held, tapped). The scores are the outermost on the left."""
        held = tuple(Entry(choice, holds=True) for choice in self.held)
        tapped = tuple(Entry(choice) for choice in self.tapped)
        return (*held, Entry(Scores())), tapped


TAPPED = (Announce, Believe)
"""The actions that a tap does; the others cannot be taken back and want a hold."""


def offering(position: Position, match: Match) -> Offering:
    """What this seat can do now.

    Args:
        position: where the handheld stands.
        match: its own copy of the match; its dice may be unknown.
    """
    if position is Position.TO_PASS:
        return Offering(tapped=(Go(),))
    if position not in (Position.MINE, Position.OFFERED):
        return Offering()
    actions = legal_actions(match)
    tapped = tuple(action for action in actions if isinstance(action, TAPPED))
    held: list[Action] = [action for action in actions if not isinstance(action, TAPPED)]
    if may_look_again(match):
        held.append(Look())
    if may_try_to_show(match) and ShowMaexchen() not in held:
        held.append(ShowMaexchen())
    held.sort(key=_place)
    return Offering(tapped, tuple(held))


def may_look(match: Match) -> bool:
    """Whether the holder may see his dice now, for the first time or again (R-CLASS-4)."""
    return may_look_again(match) or Look() in legal_actions(match)


def may_look_again(match: Match) -> bool:
    """Whether the holder has looked at the roll in the cup; looking again is no new action."""
    return match.phase is Phase.THROWN and match.seen


def may_try_to_show(match: Match) -> bool:
    """Whether "show Mäxchen" stands on the dial: after a look, whatever was seen (R-CLASS-6)."""
    return may_look_again(match)


_HELD: tuple[type[Action], ...] = (Roll, Look, ShowMaexchen, OwnUp, Doubt, GiveIn, Lift, EndMatch)
"""What a hold does, nearest to the neutral entry first. The order must not depend on the dice."""


def _place(action: Action) -> int:
    return _HELD.index(type(action))
