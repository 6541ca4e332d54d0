"""The knowledge of a player at a decision, beyond that of the table."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from game.actions import Action, Announce, Roll, Say, SeatAction
from game.bluff.state import Match
from game.dice import Dice
from game.status import ROLL_AGAIN


class Known(NamedTuple):
    """The knowledge of the seat that is to act.

    ``match`` is its view of the match. ``own`` are the dice of its last roll if it has seen them
    and they still lie under the cup, wherever the cup is; else None. ``tower``: they are one
    (R-HF-8). ``stood`` is the value that stood when the dice were rolled last, None for nothing.
    For dice handed on unrolled it is their announcement before that, None if nobody can have seen
    them.
    """

    match: Match
    own: Dice | None = None
    tower: bool = False
    stood: int | None = None


Strategy = Callable[[Known], Mapping[SeatAction, float]]
"""A way to play: the chances of the seat's next actions, which add up to 1; often of one alone."""


def stood_after(before: Match, action: Action, stood: int | None) -> int | None:
    """Return ``Known.stood`` after an action, from what it and the match were before."""
    if isinstance(action, Roll) and before.phase is not ROLL_AGAIN:
        return before.announced
    if isinstance(action, Announce | Say) and not before.rolls:
        return handed_on(before, stood)
    return stood


def handed_on(believed: Match, stood: int | None) -> int | None:
    """Return ``Known.stood`` for dice that are handed on unrolled after they were believed."""
    rolls = believed.announcer_rolls
    may_be_seen = 0 < rolls <= believed.rules.looks if rolls else stood is not None
    return believed.announced if may_be_seen else None
