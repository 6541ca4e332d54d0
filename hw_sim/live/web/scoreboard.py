"""The standing of a match as pages get it: all of it is public."""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from game import AnyMatch, hides_dice, view
from game.actions import Say
from game.coaster.values import CUP, Kind, chicago_points, kind
from game.dice import Dice, high_to_low
from game.sevens.values import SEVEN, score
from game.status import Phase, Status, Unit

_Worth: TypeAlias = tuple[int, str]
_STANDS = {Status.SWIMS: "swims", Status.OUT: "out", Status.SAFE: "safe", Status.LEFT: "left"}


class Score(msgspec.Struct, frozen=True):
    """A player's standing: matches left, or their count of another unit.

    ``status``: "swims", "out", "safe" or "left" where it is one of these, else "".
    """

    count: int
    unit: Unit
    status: str


class Bid(msgspec.Struct, frozen=True):
    """The last announcement: its seat, its value, and its words if it was said in words."""

    value: int
    words: str
    by: int


class ThrowOnTable(msgspec.Struct, frozen=True):
    """Open dice of a seat: those set aside, those of the last throw, and what they are worth.

    ``dice`` are empty while a throw is due, and while they are covered. ``worth`` is a sum, points,
    or the highest die of a Max, and None where dice are missing or covered; ``kind`` is that of a
    throw of ``maxen``, else empty.
    """

    seat: int
    aside: Dice
    dice: Dice
    worth: int | None
    kind: str = ""


class DiceOnTable(msgspec.Struct, frozen=True):
    """The open dice: the throw of the seat to act, and the finished ones of the round in order.

    ``number`` of at most ``limit`` throws; ``pile``: coasters not dealt yet.
    """

    throw: ThrowOnTable | None
    number: int
    limit: int
    pile: int
    done: tuple[ThrowOnTable, ...]


class Scoreboard(msgspec.Struct, frozen=True):
    """The state of the match: standings by seat, announcement, next to act; None for nobody.

    ``phase``: the decision that is due. ``open``: the dice of a game without a cup, else None.
    """

    scores: tuple[Score, ...]
    bid: Bid | None
    turn: int | None
    phase: Phase
    open: DiceOnTable | None = None


def scoreboard_of(match: AnyMatch) -> Scoreboard:
    """How a match stands, as everybody at the table may know it."""
    bid = None
    if hides_dice(match) and match.announced is not None and match.announcer is not None:
        spoken = str(match.said.words) if isinstance(match.said, Say) else ""
        bid = Bid(match.announced, spoken, match.announcer)
    scores = tuple(_score(match, seat) for seat in range(len(match.players)))
    table = None if hides_dice(match) else _open_table(view(match, None))
    return Scoreboard(scores, bid, match.to_act, match.phase, table)


def ladder_of(match: AnyMatch) -> list[int]:
    """All values of a game that is played by announcing them, low to high; else none."""
    return list(match.rules.ladder) if hides_dice(match) else []


def _score(match: AnyMatch, seat: int) -> Score:
    status = _STANDS.get(match.status[seat], "")
    return Score(match.score[seat], match.rules.unit, status)


def _open_table(match: Any) -> DiceOnTable:
    """Return what lies open in a match without a cup that goes round."""
    throw, worth = None, _WORTHS.get(match.rules.game, _sum)
    if match.phase is Phase.ROLL_OFF:  # only the sum counts
        worth = _sum
    if match.to_act is not None and (match.dice or match.aside):
        throw = _throw(match.to_act, match.aside, match.dice or (), worth)
    done = [
        _throw(seat, (), match.shown(seat) or (), worth)
        for seat in match.order
        if match.hands[seat] is not None
    ]
    return DiceOnTable(throw, match.throws, match.limit, match.pile, tuple(done))


def _throw(seat: int, aside: Dice, dice: Dice, worth: Callable[[Dice], _Worth]) -> ThrowOnTable:
    whole = high_to_low(aside + dice)
    return ThrowOnTable(
        seat, aside, dice, *(worth(whole) if dice and len(whole) >= CUP else (None, ""))
    )


def _sum(dice: Dice) -> _Worth:
    return sum(dice), ""


def _maxen(dice: Dice) -> _Worth:
    found = kind(dice)
    return (max(dice) if found is Kind.MAX else int("".join(map(str, dice)))), found


def _chicago(dice: Dice) -> _Worth:
    return chicago_points(dice), ""


def _sevens(dice: Dice) -> _Worth:
    return score(dice, seven_dice=len(dice) == SEVEN), ""


_WORTHS = {"maxen": _maxen, "chicago": _chicago, "sevens": _sevens}
"""By game: the worth of a throw, and its kind (M-1, C-1, S-1, S-3)."""
