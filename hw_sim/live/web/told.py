"""The standing of a match as pages get it: all of it is public.

Each is a JSON object; those with an ``is`` are messages of their own.
"""

import msgspec

from game import AnyMatch, hides_dice
from game.actions import Announce
from game.bluff.values import RANKING
from game.status import Status, Unit
from hw_sim.panel.asked import Asked
from hw_sim.table.story import Moment

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


class Standing(msgspec.Struct, frozen=True):
    """The state of the match: standings by seat, announcement, next to act; None for nobody."""

    scores: tuple[Score, ...]
    bid: Bid | None
    turn: int | None


class AskedOf(msgspec.Struct, frozen=True, tag_field="is", tag="asked"):
    """The prompt on a seat's display; only its player's page gets it."""

    seat: int
    asked: Asked


class Verdict(msgspec.Struct, frozen=True, tag_field="is", tag="verdict"):
    """A moment of this instant for which everybody looks up."""

    moment: Moment


class Tones(msgspec.Struct, frozen=True, tag_field="is", tag="tones"):
    """The tones of a seat's piezo: (virtual ms, Hz, duty in percent) in turn, silence with 0."""

    seat: int
    waves: tuple[tuple[float, float, float], ...]


def standing_of(match: AnyMatch) -> Standing:
    """How a match stands, as everybody at the table may know it."""
    bid = None
    if hides_dice(match) and match.announced is not None and match.announcer is not None:
        said = match.said
        spoken = "" if said is None or isinstance(said, Announce) else str(said.words)
        bid = Bid(match.announced, spoken, match.announcer)
    scores = tuple(_score(match, seat) for seat in range(len(match.players)))
    return Standing(scores, bid, match.to_act)


def ladder_of(match: AnyMatch) -> list[int]:
    """All values of a game that is played by announcing them, low to high; else none."""
    return list(RANKING) if hides_dice(match) else []


def _score(match: AnyMatch, seat: int) -> Score:
    status = _STANDS.get(match.status[seat], "")
    return Score(match.score[seat], match.rules.unit, status)
