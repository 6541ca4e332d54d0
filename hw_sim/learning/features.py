"""A seat's knowledge as a vector of numbers from 0 to 1, of one length for a game.

Seats are counted clockwise from the observing seat. The vector holds the present standing; earlier
announcements are in ``Episode.knows`` alone.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from game import (
    BluffRules,
    CoasterMatch,
    CoasterRules,
    Match,
    OpenMatch,
    Phase,
    SevensRules,
    Status,
    view,
)
from game.bluff.values import PLACE, RANKING, value_of
from game.dice import FACES, Dice
from hw_sim.learning.episode import Episode

_PHASES, _STATUS = tuple(Phase), tuple(Status)
_FULL = 20.0
"""Counts of penalties and coasters are shown as shares of it."""
_DICE = 7.0
"""No cup holds more dice."""


def features(episode: Episode, seat: int) -> list[float]:
    """Return the knowledge of ``seat`` about the present standing."""
    seats = [(seat + place) % episode.players for place in range(episode.players)]
    match = view(episode.arena.match, seat)
    return [
        *_one(_PHASES, match.phase),
        *_one(seats, match.to_act),
        *(each for at in seats for each in _one(_STATUS, match.status[at])),
        *_FEATURES[match.rules.family](episode, match, seats),
    ]


def _bluff(episode: Episode, match: Match, seats: list[int]) -> Iterator[float]:
    own, tower = episode.arena.own[seats[0]] or (None, False)
    yield from _one(seats, match.announcer)
    yield from _value(match.announced)
    yield from _value(episode.arena.stood)
    yield from _value(value_of(own) if own else None)
    yield from (float(tower), float(match.seen), float(match.direction > 0))
    for rolls in (match.rolls, match.announcer_rolls):
        yield min(rolls / match.rules.rolls, 1.0)
    yield from (min(match.tally[at] / _FULL, 1.0) for at in seats)


def _open(_: Episode, match: OpenMatch, seats: list[int]) -> Iterator[float]:
    yield from _one(seats, match.leader)
    yield from (min(match.limit, 4) / 4, min(match.throws, 4) / 4)
    yield from _faces(match.dice)
    yield from (min(match.coasters[at] / _FULL, 1.0) for at in seats)
    for at in seats:
        yield from _faces(match.shown(at))
        yield float(match.hands[at] is not None)


def _coaster(episode: Episode, match: CoasterMatch, seats: list[int]) -> Iterator[float]:
    yield from _open(episode, match, seats)
    yield from _faces(match.aside)
    yield from (float(match.stage > 1), (match.half - 1) / 2, min(match.pile / _FULL, 1.0))


_FEATURES: Mapping[str, Callable[[Episode, Any, list[int]], Iterator[float]]] = {
    BluffRules.family: _bluff,
    CoasterRules.family: _coaster,
    SevensRules.family: _open,
}
"""By family: the features of its matches."""


def _one(of: "tuple[object, ...] | list[int]", which: object) -> list[float]:
    return [float(each == which) for each in of]


def _value(value: int | None) -> list[float]:
    shown = [0.0] * len(RANKING)
    if value is not None:
        shown[PLACE[value]] = 1.0
    return shown


def _faces(dice: Dice | None) -> list[float]:
    return [(dice or ()).count(face) / _DICE for face in FACES]
