"""How a bot decides, as exact chances: its own code is run once for every way its draws can fall.

The source of chance that it is given splits where the bot compares a draw, or draws one of many.
What comes of it is a ``game.strategy.Strategy``, for which the rules can tell what it is worth.
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
"""So many whole numbers an exponential draw is told apart by; no dial is longer."""


class _Fork:
    """Chance that goes one way after the other: ``ways`` are taken first, then each first one."""

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
        """The middle: only moods are drawn so, and what they change is not asked here."""
        return (low + high) / 2

    def following(self) -> list[int] | None:
        """The ways to go next time, None once all have been gone."""
        for depth in range(len(self.weights) - 1, -1, -1):
            for way in range(self.ways[depth] + 1, len(self.weights[depth])):
                if self.weights[depth][way] > 0:
                    return [*self.ways[:depth], way]
        return None


class _Draw:
    """A number from 0 up to 1 of which no more is settled than was asked."""

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
    """Return the chance of everything that ``bot`` may decide; they add up to 1."""
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
    """What a seat of a bluff game with this knowledge has before it, its dial's choices too."""
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
    """Return how ``bot`` plays a bluff game, for those who reckon with chances."""
    remembered: dict[Known, dict[SeatAction, float]] = {}

    def strategy(known: Known) -> dict[SeatAction, float]:
        if known not in remembered:
            decided = chances(bot, sight_of(known))
            assert not any(isinstance(choice, Keep) for choice in decided), "a bluff game"
            remembered[known] = cast(dict[SeatAction, float], decided)
        return remembered[known]

    return strategy
