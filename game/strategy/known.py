"""What a player knows when he decides, beyond what the table knows."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from game.actions import SeatAction
from game.bluff.state import Match
from game.dice import Dice


class Known(NamedTuple):
    """What the seat that is to act knows.

    ``match`` is its view of the match. ``own`` are dice it has seen and that still lie under the
    cup, its own last roll, wherever the cup is; None for none; ``tower``: they are one (R-HF-8).
    ``stood`` is the value that stood when the dice were rolled last, None for nothing and for dice
    that have been handed on unrolled since; it bounds what could be told without a lie.
    """

    match: Match
    own: Dice | None = None
    tower: bool = False
    stood: int | None = None


Strategy = Callable[[Known], Mapping[SeatAction, float]]
"""How a seat plays: the chances of its next actions, which add up to 1; often of one alone."""
