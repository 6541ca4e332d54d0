"""Gestures done against gestures recognised, with confidence intervals of the counts."""

from collections.abc import Callable
from math import exp, lgamma, log
from typing import NamedTuple

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """Bounds of a rate or share that hold with 95 % confidence."""

    low: float
    high: float


class EventTally(NamedTuple):
    """The counts of one kind of gesture: done, recognised, and those that nobody did."""

    done: int = 0
    recognised: int = 0
    false: int = 0

    @property
    def missed(self) -> int:
        """How many have no gesture recognised, or more than one."""
        return self.done - self.recognised

    def __add__(self, other: object) -> "EventTally":
        """Put two together."""
        if not isinstance(other, EventTally):
            return NotImplemented
        return EventTally(*(one + two for one, two in zip(tuple(self), tuple(other))))


def matched(done: list[tuple[int, int]], found: list[int], late_us: int) -> EventTally:
    """Match times of gestures (µs) to what was done (from, until: µs, not overlapping).

    A gesture falls to the first that has begun and ended ``late_us`` ago at most. A gesture that
    falls to nothing is false, and so is each beyond the first; with two, nothing is recognised.
    """
    fallen = [0] * len(done)
    false = 0
    for t_us in found:
        index = next(
            (
                n
                for n, (start_us, end_us) in enumerate(done)
                if start_us <= t_us <= end_us + late_us
            ),
            None,
        )
        if index is None:
            false += 1
        else:
            fallen[index] += 1
    false += sum(count - 1 for count in fallen if count > 1)
    return EventTally(len(done), fallen.count(1), false)


def share_interval(hits: int, trials: int) -> Interval:
    """Return the 95 % interval of a share, ``hits`` of ``trials`` (Clopper and Pearson 1934)."""
    tail = (1 - CONFIDENCE) / 2
    low = high = 0.0
    if hits > 0:
        low = _where(lambda share: _at_most(hits - 1, _binomial(trials, share)) < 1 - tail, 0, 1)
    high = 1.0
    if hits < trials:
        high = _where(lambda share: _at_most(hits, _binomial(trials, share)) < tail, 0, 1)
    return Interval(low, high)


def count_interval(count: int) -> Interval:
    """Return the 95 % interval of the mean of a Poisson count, ``count`` seen (Garwood 1936)."""
    tail = (1 - CONFIDENCE) / 2
    most = 2.0 * count + 20
    low = 0.0
    if count > 0:
        low = _where(lambda mean: _at_most(count - 1, _poisson(mean)) < 1 - tail, 0, most)
    return Interval(low, _where(lambda mean: _at_most(count, _poisson(mean)) < tail, 0, most))


def _binomial(trials: int, share: float) -> Callable[[int], float]:
    def chance(hits: int) -> float:
        ways = lgamma(trials + 1) - lgamma(hits + 1) - lgamma(trials - hits + 1)
        return exp(ways + hits * log(share) + (trials - hits) * log(1 - share))

    return chance


def _poisson(mean: float) -> Callable[[int], float]:
    return lambda count: exp(count * log(mean) - mean - lgamma(count + 1))


def _at_most(most: int, chance: Callable[[int], float]) -> float:
    return sum(chance(count) for count in range(most + 1))


def _where(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Find the least value between the two from which on it ``holds``, by halving."""
    for _ in range(60):
        middle = (low + high) / 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def rounded(interval: Interval | None) -> list[float] | None:
    """Return low and high to four digits after the point; None for None."""
    return None if interval is None else [round(bound, 4) for bound in interval]
