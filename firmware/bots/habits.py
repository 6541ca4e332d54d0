"""How the others at a table lie and doubt: a few ways to play, weighed by how well they fit.

Each action is weighed by what each way would have done in its place. The input is public alone:
what a player announced over what, what was lifted, and what was doubted or believed.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp, log
from typing import NamedTuple

from game.bluff.values import PLACE
from game.strategy.bluff import NOTHING, Round, lowest_over
from game.strategy.signal import CHANCES, PLACES, TOP, Signal

ODD = 0.03
"""The chance of an action that is against the player's way: any announcement, any answer."""
KEPT = 2048
"""The number of stages, the last ones asked for, that are kept."""
UNLIKELY = 0.005
"""Ways less likely than this are left out of expectations."""


class Liar(NamedTuple):
    """A way to announce.

    Attributes:
        book: the share of announcements as in the solved game; for the rest, 0 to 1 each:
        truth: how often dice that may be announced are announced as they are.
        lie: how often other dice are lied about, if rolling again is the alternative.
        low: the share of lies, and of blind announcements, that goes to the lowest possible value,
            the same share of the rest to the next, and so on.
    """

    book: float
    truth: float = 1.0
    lie: float = 1.0
    low: float = 0.5


class Doubter(NamedTuple):
    """A way to answer: ``book`` as in ``Liar``; else a doubt, with chance ``most`` at most.

    ``heed`` is the weight of the announced value's chance. At 0 every value is doubted alike; at 2
    only unlikely ones are.
    """

    book: float
    most: float = 1.0
    heed: float = 2.0


LIARS: Mapping[Liar, float] = {
    Liar(1.0): 0.4,
    Liar(0.8, 0.85, 0.5): 0.1,
    Liar(0.4, 0.85, 0.5): 0.1,
    Liar(0.0, 1.0, 0.0): 0.1,
    Liar(0.0, 0.85, 0.25): 0.1,
    Liar(0.0, 0.85, 0.85): 0.1,
    Liar(0.0, 0.0, 0.9, 0.3): 0.1,
}
"""The possible ways, each with its likelihood for an unknown player."""
DOUBTERS: Mapping[Doubter, float] = {
    Doubter(1.0): 0.4,
    Doubter(0.8, 0.8): 0.1,
    Doubter(0.4, 0.8): 0.1,
    Doubter(0.0, 0.9): 0.08,
    Doubter(0.0, 0.75): 0.08,
    Doubter(0.0, 0.55): 0.08,
    Doubter(0.0, 0.5, 0.0): 0.08,
    Doubter(0.0, 1.0, 0.0): 0.04,
    Doubter(0.0, 0.0): 0.04,
}
_BELOW = tuple(sum(CHANCES[:place]) for place in range(PLACES + 1))


class AnnouncingChances(NamedTuple):
    """The chances of each place to be announced, by whether the dice are so."""

    truths: Sequence[float]
    lies: Sequence[float]


class Stage:
    """A roll that its player may look at, and its answer, in each way to play."""

    def __init__(self, solved: Round, player: int, stands: int, roll: int) -> None:
        self.turn = solved.turn(player, stands)
        played = self.turn.rolls[roll - 1]
        assert isinstance(played, Signal), "a roll that may be looked at is a signal"
        self.book, self.lowest = played, lowest_over(solved.rules, stands)
        self.outside = self.turn.outside[roll - 1]
        exact = solved.rules.understating == "lie"
        self.told = tuple(self._told(way, exact) for way in LIARS)
        """By way, in the order of ``LIARS``."""
        self.doubts = tuple(self._doubts(way) for way in DOUBTERS)
        """By way, and by place."""

    def _told(self, way: Liar, exact: bool) -> AnnouncingChances:
        book, low = self.book, self.lowest
        lying = sum(CHANCES[p] * book.lied[p] for p in range(PLACES))
        told = [0.0] * PLACES
        for chance, names in zip(CHANCES, book.truths):
            for place, share in names:
                told[place] += chance * share
        odd, even = _BELOW[PLACES] * ODD / (PLACES - low), 1 - ODD
        truths, lies, rest = [0.0] * PLACES, [0.0] * PLACES, 1.0
        for place in range(low, PLACES):
            blind = rest * way.low if place < PLACES - 1 else rest
            rest -= blind
            above = CHANCES[place] if exact else 1 - _BELOW[place]
            free = 1 - _BELOW[low]
            others = (1 - way.truth) * blind
            true = way.truth * CHANCES[place] + others * above
            false = others * (free - above) + way.lie * _BELOW[low] * blind
            true = way.book * told[place] + (1 - way.book) * true
            false = way.book * lying * book.lies[place] + (1 - way.book) * false
            truths[place] = even * true + odd * above
            lies[place] = even * false + odd * (1 - above)
        return AnnouncingChances(truths, lies)

    def _doubts(self, way: Doubter) -> tuple[float, ...]:
        found = []
        for place, book in enumerate(self.book.doubts):
            other = way.most * _BELOW[place] ** way.heed
            found.append(ODD / 2 + (1 - ODD) * (way.book * book + (1 - way.book) * other))
        return tuple(found)


@lru_cache(KEPT)
def _stage(solved: Round, player: int, stands: int, roll: int) -> Stage:
    return Stage(solved, player, stands, roll)


def stage(solved: Round, player: int, stands: int, roll: int) -> Stage:
    """Return a stage, made anew if ``KEPT`` others were asked for since the last time."""
    return _stage(solved, solved.prices.alike(player), stands, roll)


def prepare_stages(solved: Round) -> None:
    """Make all stages of first rolls now."""
    for player in range(solved.prices.rollers):
        for stands in (*range(TOP), NOTHING):
            stage(solved, player, stands, 1)


def place_of(value: int | None) -> int:
    """Return the place of a value that stands; ``NOTHING`` for None."""
    return NOTHING if value is None else PLACE[value]


class Habits:
    """The likelihood of each way for one player."""

    def __init__(self) -> None:
        self._liar = [log(chance) for chance in LIARS.values()]
        self._doubter = [log(chance) for chance in DOUBTERS.values()]
        self.liar, self.doubter = tuple(LIARS.values()), tuple(DOUBTERS.values())

    def announced(self, seen: Stage, place: int, lied: bool | None) -> None:
        """Learn from an announcement; ``lied`` is None if nobody has looked."""
        for way, told in enumerate(seen.told):
            true, false = told.truths[place], told.lies[place]
            chance = true + false if lied is None else false if lied else true
            self._liar[way] += log(max(chance, 1e-9))
        self.liar = _even(self._liar)

    def rolled_again(self, seen: Stage) -> None:
        """Learn from a roll that was followed by another instead of an announcement."""
        for way, told in enumerate(seen.told):
            self._liar[way] += log(max(1 - sum(told.truths) - sum(told.lies), ODD))
        self.liar = _even(self._liar)

    def answered(self, seen: Stage, place: int, doubted: bool) -> None:
        """Learn from an answer."""
        for way, doubts in enumerate(seen.doubts):
            self._doubter[way] += log(doubts[place] if doubted else 1 - doubts[place])
        self.doubter = _even(self._doubter)

    def told(self, at: Stage) -> AnnouncingChances:
        """Return the announcements expected of the player."""
        ways = [(w, told) for w, told in zip(self.liar, at.told) if w > UNLIKELY]
        return AnnouncingChances(
            [sum([w * told.truths[p] for w, told in ways]) for p in range(PLACES)],
            [sum([w * told.lies[p] for w, told in ways]) for p in range(PLACES)],
        )

    def doubts(self, at: Stage) -> list[float]:
        """Return the expected chance of a doubt, by place."""
        ways = [(w, doubts) for w, doubts in zip(self.doubter, at.doubts) if w > UNLIKELY]
        return [sum([w * doubts[p] for w, doubts in ways]) for p in range(PLACES)]


def _even(logs: list[float]) -> tuple[float, ...]:
    most = max(logs)
    weights = [exp(each - most) for each in logs]
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)
