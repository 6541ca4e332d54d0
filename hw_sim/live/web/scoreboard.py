"""The standing of a match as pages get it: all of it is public."""

from typing import Literal

import msgspec

from game import AnyMatch, Match, SevensMatch
from game.actions import Say
from game.bluff.values import RANKING
from game.status import Status

Unit = Literal["match", "drink", "point", "coaster", "round"]
_UNITS: dict[str, Unit] = {"matches": "match", "drinks": "drink", "points": "point"}
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


class Scoreboard(msgspec.Struct, frozen=True):
    """The state of the match: standings by seat, announcement, next to act; None for nobody."""

    scores: tuple[Score, ...]
    bid: Bid | None
    turn: int | None


def scoreboard_of(match: AnyMatch) -> Scoreboard:
    """How a match stands, as everybody at the table may know it."""
    bid = None
    if isinstance(match, Match) and match.announced is not None and match.announcer is not None:
        spoken = str(match.said.words) if isinstance(match.said, Say) else ""
        bid = Bid(match.announced, spoken, match.announcer)
    scores = tuple(_score(match, seat) for seat in range(len(match.players)))
    return Scoreboard(scores, bid, match.to_act)


def ladder_of(match: AnyMatch) -> list[int]:
    """All values of a game that is played by announcing them, low to high; else none."""
    return list(RANKING) if isinstance(match, Match) else []


def _score(match: AnyMatch, seat: int) -> Score:
    status = _STANDS.get(match.status[seat], "")
    if isinstance(match, SevensMatch):
        return Score(match.coasters[seat], "round", status)
    if not isinstance(match, Match):
        return Score(match.coasters[seat], "coaster", status)
    unit = _UNITS[match.rules.stakes]
    return Score(match.matches[seat] if unit == "match" else match.tally[seat], unit, status)
