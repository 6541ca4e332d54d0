"""The record in which a family of games says what it can do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from game.actions import Roll, SeatAction
from game.events import EventTuples
from game.reasons import Check


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The games and the functions of one family; ``game.engines`` describes those of its names.

    ``games`` are its rule sets with their default options. ``position`` is the type of a draft,
    ``match`` that of a match. ``seat_actions`` returns all actions of a seat that a match of so
    many players can have.
    """

    games: tuple[Any, ...]
    position: type
    match: type
    start: Callable[[Any, tuple[str, ...], int], Any]
    """Takes rules, names by seat and the first seat; returns the position of a new match."""
    seat_actions: Callable[[int], tuple[SeatAction, ...]]
    legal_actions: Callable[[Any], tuple[SeatAction, ...]]
    checks: Mapping[type, Check]
    """By action: the check that returns why it is not possible now, or None if it is."""
    moves: Mapping[type, Callable[[Any, Any, Any], EventTuples]]
    """By action: its move. It writes on a draft for the seat to act and returns the events."""
    view: Callable[[Any, int | None], Any]
    hides_dice: bool
    covers_next: Callable[[Any], bool]
    dice_to_roll: Callable[[Any], int]
    rolls: Callable[[Any], tuple[tuple[Roll, Fraction], ...]]
    laid_open: Callable[[Any, Any], Any]
