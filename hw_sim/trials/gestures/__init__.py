"""Recorded and made-up gestures through parts, drivers and recognizer, with intervals.

Results are worked out in parallel.

May import: board, hand, clock; firmware.input.gestures, runtime, upkeep.recording; drivers.
Begin with ``recorded``.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from math import exp, lgamma, log
from multiprocessing import get_context
from os import cpu_count
from statistics import median
from typing import Any, Final, NamedTuple, TypeVar

J = TypeVar("J")
R = TypeVar("R")


def each_done(
    work: Callable[[J], R], jobs: Iterable[J], processes: int | None = None
) -> Iterator[R]:
    """Do every job; yield the results in order. Jobs are read while others are done.

    ``processes``: how many share the work; None takes one for each core, 1 stays in this one. The
    results do not depend on it.
    """
    workers = processes if processes is not None else cpu_count() or 1
    if workers == 1:
        yield from map(work, jobs)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for waiting in [pool.submit(work, job) for job in jobs]:
                yield waiting.result()
        finally:
            pool.shutdown(cancel_futures=True)


CONFIDENCE = 0.95
"""The chance that an interval holds the true share; chosen."""


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


KINDS: Final = ("lift", "shake", "tap", "flick")


class TrialResult(NamedTuple):
    """The result of all takes of a scene, or of all recordings of a label.

    ``tallies``: by kind of gesture; a kind that nothing could tell is left out. ``other_rolls``:
    rolls in recordings of which nobody knows when they were shaken. ``lift_ms``: for each lift of a
    scene, from the first movement of the thumb until it is recognised. ``violations``: what the
    parts complained of.
    """

    hours: float
    tallies: dict[str, EventTally]
    other_rolls: int = 0
    lift_ms: tuple[float, ...] = ()
    violations: tuple[str, ...] = ()

    def __add__(self, other: object) -> "TrialResult":
        """Put two together."""
        if not isinstance(other, TrialResult):
            return NotImplemented
        one, two, none = self.tallies, other.tallies, EventTally()
        return TrialResult(
            self.hours + other.hours,
            {
                kind: one.get(kind, none) + two.get(kind, none)
                for kind in KINDS
                if kind in one or kind in two
            },
            self.other_rolls + other.other_rolls,
            self.lift_ms + other.lift_ms,
            self.violations + other.violations,
        )

    def false_per_hour(self, kind: str) -> Interval | None:
        """Return the 95 % interval of false gestures of a kind per hour; None without an hour."""
        return self._per_hour(self.tallies[kind].false)

    def missed_per_hour(self, kind: str) -> Interval | None:
        """Return the 95 % interval of missed gestures of a kind per hour; None without an hour."""
        return self._per_hour(self.tallies[kind].missed)

    def recognised_share(self, kind: str) -> Interval | None:
        """Return the 95 % interval of the share that is recognised; None where nobody did any."""
        tally = self.tallies[kind]
        return share_interval(tally.recognised, tally.done) if tally.done else None

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values for JSON; rates and shares are pairs: low, high (95 %)."""
        told: dict[str, Any] = {
            "hours": round(self.hours, 5),
            "other_rolls": self.other_rolls,
            "violations": list(self.violations),
        }
        if self.lift_ms:
            told["lift_ms"] = {"median": median(self.lift_ms), "most": max(self.lift_ms)}
        for kind, tally in self.tallies.items():
            told[kind] = {
                **tally._asdict(),
                "false_per_hour_95": rounded(self.false_per_hour(kind)),
                "missed_per_hour_95": rounded(self.missed_per_hour(kind)),
                "recognised_share_95": rounded(self.recognised_share(kind)),
            }
        return told

    def _per_hour(self, seen: int) -> Interval | None:
        if not self.hours:
            return None
        count = count_interval(seen)
        return Interval(count.low / self.hours, count.high / self.hours)


NOTHING: Final = TrialResult(0.0, {})


def summed(results: Iterable[tuple[str, TrialResult]]) -> dict[str, TrialResult]:
    """Put all results of each name together."""
    found: dict[str, TrialResult] = {}
    for name, result in results:
        found[name] = found.get(name, NOTHING) + result
    return found


def table(results: dict[str, TrialResult]) -> str:
    """Return the results as lines of text: shares and rates with their 95 % intervals."""
    lines = [
        f"{'':24}{'hours':>6}  {'gesture':8}{'done':>6}{'seen':>6}{'recognised (95 %)':>20}"
        f"{'false':>7}{'per hour (95 %)':>17}{'missed per hour':>17}"
    ]
    whole = sum(results.values(), NOTHING)
    for name, result in results.items():
        lines += _rows(name, result)
    if len(results) > 1:
        lines += _rows("all of them", whole)
    if whole.lift_ms:
        late_ms = sorted(whole.lift_ms)
        lines.append(
            f"lifts are told {median(late_ms):.0f} ms after the thumb begins to move, "
            f"95 % of them within {late_ms[int(0.95 * len(late_ms))]:.0f} ms"
        )
    return "\n".join(lines + [f"violation: {line}" for line in whole.violations])


def _rows(name: str, result: TrialResult) -> list[str]:
    rows = [f"{name:24}{f'{result.hours:.2f}':>6}  other rolls: {result.other_rolls}"]
    if not result.other_rolls:
        rows.clear()
    for kind, tally in result.tallies.items():
        if kind in ("tap", "flick") and not tally.done and not tally.false:
            continue
        share = result.recognised_share(kind)
        share_text = "-" if share is None else f"{share.low:.1%} to {share.high:.1%}"
        false, missed = _rate(result.false_per_hour(kind)), _rate(result.missed_per_hour(kind))
        rows.append(
            f"{'' if rows else name:24}{'' if rows else f'{result.hours:.2f}':>6}  {kind:8}"
            f"{tally.done:6}{tally.recognised:6}{share_text:>20}{tally.false:7}"
            f"{false:>17}{missed if tally.done else '-':>17}"
        )
    return rows


def _rate(rate: Interval | None) -> str:
    return "-" if rate is None else f"{rate.low:.2f} to {rate.high:.2f}"
