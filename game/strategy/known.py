"""What a player knows when he decides, beyond what the table knows."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from game.actions import Action, Announce, Roll, Say, SeatAction
from game.bluff.state import Match
from game.dice import Dice
from game.status import ROLL_AGAIN


class Known(NamedTuple):
    """What the seat that is to act knows.

    ``match`` is its view of the match. ``own`` are dice it has seen and that still lie under the
    cup, its own last roll, wherever the cup is; None for none; ``tower``: they are one (R-HF-8).
    ``stood`` is the value that stood when the dice were rolled last, None for nothing. Of dice that
    have been handed on unrolled it is what was announced of them before, None if nobody has been
    able to see them.
    """

    match: Match
    own: Dice | None = None
    tower: bool = False
    stood: int | None = None


Strategy = Callable[[Known], Mapping[SeatAction, float]]
"""How a seat plays: the chances of its next actions, which add up to 1; often of one alone."""


def stood_after(before: Match, action: Action, stood: int | None) -> int | None:
    """Return ``Known.stood`` after an action, from what it and the match were before."""
    if isinstance(action, Roll) and before.phase is not ROLL_AGAIN:
        return before.announced
    if isinstance(action, Announce | Say) and not before.rolls:
        return handed_on(before, stood)
    return stood


def handed_on(believed: Match, stood: int | None) -> int | None:
    """Return ``Known.stood`` of dice that are handed on unrolled after they have been believed."""
    rolls = believed.announcer_rolls
    may_be_seen = 0 < rolls <= believed.rules.looks if rolls else stood is not None
    return believed.announced if may_be_seen else None
