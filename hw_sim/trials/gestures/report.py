"""The results of a trial of recorded gestures, with intervals."""

from typing import Any, NamedTuple

from hw_sim.trials.gestures.intervals import (
    EventTally,
    Interval,
    count_interval,
    rounded,
    share_interval,
)


class LabelResult(NamedTuple):
    """The result of all recordings of one label; lifts and taps are None if none were possible."""

    minutes: float = 0.0
    events: int = 0
    recognised: int = 0
    false_rolls: int = 0
    other_rolls: int = 0
    lifts: EventTally | None = None
    taps: EventTally | None = None

    @property
    def missed(self) -> int:
        """How many events have no roll, or more than one."""
        return self.events - self.recognised

    @property
    def recognised_share(self) -> Interval | None:
        """Share of events recognised, exact by Clopper and Pearson; None without events."""
        return share_interval(self.recognised, self.events) if self.events else None

    @property
    def false_rolls_per_hour(self) -> Interval | None:
        """False rolls per hour, exact for a Poisson count; None where no time was played."""
        if not self.minutes:
            return None
        count = count_interval(self.false_rolls)
        hours = self.minutes / 60
        return Interval(count.low / hours, count.high / hours)

    def __add__(self, other: object) -> "LabelResult":
        """Put the results of two recordings together."""
        if not isinstance(other, LabelResult):
            return NotImplemented
        return LabelResult(
            self.minutes + other.minutes,
            self.events + other.events,
            self.recognised + other.recognised,
            self.false_rolls + other.false_rolls,
            self.other_rolls + other.other_rolls,
            _both(self.lifts, other.lifts),
            _both(self.taps, other.taps),
        )


class TrialReport(NamedTuple):
    """Results by label, in alphabetic order, and what the strict parts complained of."""

    labels: dict[str, LabelResult]
    violations: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain values for JSON; rates and shares are pairs: low, high."""
        return {
            "labels": {
                label: {
                    "minutes": round(result.minutes, 3),
                    "events": result.events,
                    "recognised": result.recognised,
                    "missed": result.missed,
                    "false_rolls": result.false_rolls,
                    "other_rolls": result.other_rolls,
                    "recognised_share_95": rounded(result.recognised_share),
                    "false_rolls_per_hour_95": rounded(result.false_rolls_per_hour),
                    "lift": _told(result.lifts),
                    "tap": _told(result.taps),
                }
                for label, result in self.labels.items()
            },
            "violations": list(self.violations),
        }

    def table(self) -> str:
        """Return the report as lines of text."""
        lines = [
            f"{'label':24}{'minutes':>9}{'events':>8}{'recognised':>12}{'missed':>8}"
            f"{'false rolls':>13}{'per hour (95 %)':>19}{'other rolls':>13}"
        ]
        for label, result in self.labels.items():
            rate = result.false_rolls_per_hour
            per_hour = f"{rate.low:.2f} to {rate.high:.2f}" if rate else "-"
            lines.append(
                f"{label:24}{result.minutes:9.1f}{result.events:8}{result.recognised:12}"
                f"{result.missed:8}{result.false_rolls:13}{per_hour:>19}{result.other_rolls:13}"
            )
            if (share := result.recognised_share) is not None:
                lines.append(
                    f"{'':24}recognised {result.recognised / result.events:.1%} "
                    f"(95 %: {share.low:.1%} to {share.high:.1%})"
                )
            for kind, tally in (("lifts", result.lifts), ("taps", result.taps)):
                if tally is not None:
                    lines.append(
                        f"{'':24}{kind}: {tally.done} done, {tally.recognised} recognised, "
                        f"{tally.false} false"
                    )
        lines += [f"violation: {line}" for line in self.violations]
        return "\n".join(lines)


def _both(one: EventTally | None, other: EventTally | None) -> EventTally | None:
    if one is None or other is None:
        return one if other is None else other
    return one + other


def _told(tally: EventTally | None) -> dict[str, Any] | None:
    if tally is None:
        return None
    share = share_interval(tally.recognised, tally.done) if tally.done else None
    return {**tally._asdict(), "recognised_share_95": rounded(share)}
