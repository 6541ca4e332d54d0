"""A bot's decision as exact chances: its own code runs once for every outcome of its draws.

The bot gets a source of chance that splits at each comparison of a draw, and at each draw of one of
many. The result is a ``game.strategy.Strategy``, and the rules can tell its worth.
"""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Any, TypeVar, cast

from firmware.bots.bot import Bot
from firmware.bots.personality import Sight
from firmware.input.controls.announcements import plain
from firmware.input.controls.choice import Choice
from game import Phase, legal_actions
from game.actions import Keep, SeatAction
from game.strategy import Known, Strategy

_T = TypeVar("_T")
_STEPS = 24
"""The number of whole numbers that an exponential draw can give; no dial is longer."""


class _Fork:
    """A source of chance that takes each outcome in turn: ``ways`` first, then each first one."""

    def __init__(self, ways: list[int]) -> None:
        self.ways = ways
        self.weights: list[list[float]] = []
        self.chance = 1.0

    def split(self, weights: Sequence[float]) -> int:
        depth = len(self.weights)
        if depth == len(self.ways):
            self.ways.append(next(way for way, weight in enumerate(weights) if weight > 0))
        self.weights.append(list(weights))
        self.chance *= weights[self.ways[depth]]
        return self.ways[depth]

    def random(self) -> "_Draw":
        return _Draw(self)

    def choice(self, of: Sequence[_T]) -> _T:
        return of[self.split([1 / len(of)] * len(of))]

    def choices(self, of: Sequence[_T], weights: Sequence[float]) -> list[_T]:
        return [of[self.split([weight / sum(weights) for weight in weights])]]

    def expovariate(self, rate: float) -> int:
        least = [exp(-rate * step) for step in range(_STEPS)]
        return self.split([a - b for a, b in zip(least, [*least[1:], 0.0])])

    def uniform(self, low: float, high: float) -> float:
        """Return the middle: only moods are drawn so, and their effect is not asked here."""
        return (low + high) / 2

    def following(self) -> list[int] | None:
        """Return the ways to go next time, None once all have been gone."""
        for depth in range(len(self.weights) - 1, -1, -1):
            for way in range(self.ways[depth] + 1, len(self.weights[depth])):
                if self.weights[depth][way] > 0:
                    return [*self.ways[:depth], way]
        return None


class _Draw:
    """A number from 0 up to 1, drawn only as exactly as its comparisons need."""

    def __init__(self, fork: _Fork) -> None:
        self._fork, self._low, self._high = fork, 0.0, 1.0

    def __lt__(self, bound: float) -> bool:
        low, high = self._low, self._high
        cut = min(max(bound, low), high)
        below = self._fork.split([(cut - low) / (high - low), (high - cut) / (high - low)]) == 0
        self._low, self._high = (low, cut) if below else (cut, high)
        return below

    def __ge__(self, bound: float) -> bool:
        return not self < bound


def chances(bot: Bot, sight: Sight) -> dict[Choice, float]:
    """Return the chance of every possible decision of ``bot``; they add up to 1."""
    found: dict[Choice, float] = {}
    for choice, chance in _all(bot, sight):
        found[choice] = found.get(choice, 0.0) + chance
    return found


def _all(bot: Bot, sight: Sight) -> Iterator[tuple[Choice, float]]:
    ways: list[int] | None = []
    while ways is not None:
        fork = _Fork(ways)
        choice = bot.decide(sight, cast(Any, fork))
        yield choice, fork.chance
        ways = fork.following()


def sight_of(known: Known) -> Sight:
    """Return the sight of a bluff game's seat with this knowledge, with its dial's choices."""
    match = known.match
    here = match.phase is Phase.THROWN
    options = tuple(action for action in legal_actions(match) if action == plain(action))
    return Sight(
        match.replace(dice=None, tower=False),
        options,
        known.own if here else None,
        known.tower and here,
        None if here else known.own,
        known.stood,
    )


def strategy_of(bot: Bot) -> Strategy:
    """Return the play of ``bot`` in a bluff game as chances of actions."""
    remembered: dict[Known, dict[SeatAction, float]] = {}

    def strategy(known: Known) -> dict[SeatAction, float]:
        if known not in remembered:
            decided = chances(bot, sight_of(known))
            assert not any(isinstance(choice, Keep) for choice in decided), "a bluff game"
            remembered[known] = cast(dict[SeatAction, float], decided)
        return remembered[known]

    return strategy
