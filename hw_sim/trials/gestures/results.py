"""The results of trials of gestures, with intervals: of recordings by label, of scenes by name."""

from collections.abc import Iterable
from statistics import median
from typing import Any, Final, NamedTuple

from hw_sim.trials.gestures.intervals import (
    EventTally,
    Interval,
    count_interval,
    rounded,
    share_interval,
)

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
