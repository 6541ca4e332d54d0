"""Samples of a browser in virtual time: positions of a dragged picture, or a phone's motion."""

from collections.abc import Sequence
from typing import Any

LATE_US = 15_000
"""Samples take effect this long after their arrival; late ones move all later ones back."""


class Pacer:
    """Gives samples of a browser their virtual time: evenly, and never in the past.

    ``delay_us``: virtual time from the arrival of the first sample until it takes effect.
    """

    def __init__(self, delay_us: int = LATE_US) -> None:
        self._delay_us = delay_us
        self._base: tuple[float, int] | None = None
        self._last_ms = 0.0

    def times(self, t_ms: list[float], now_us: int, speed: float) -> list[int]:
        """Virtual µs for samples that were taken at browser times and have just come.

        Args:
            t_ms: when they were taken, on the browser's clock, growing; at least one.
            now_us: the virtual time now.
            speed: virtual seconds a real second.
        """
        if self._base is None or not self._last_ms <= t_ms[0] <= self._last_ms + 250.0:
            self._base = (t_ms[0], now_us + self._delay_us)
        self._last_ms = t_ms[-1]
        times = [self._at(one, speed) for one in t_ms]
        late_us = now_us - times[0]
        ahead_us = times[-1] - now_us - round(150_000 * max(1.0, speed))
        if late_us > 0 or ahead_us > 0:
            shift_us = late_us + self._delay_us if late_us > 0 else -ahead_us
            self._base = (self._base[0], self._base[1] + shift_us)
            times = [time_us + shift_us for time_us in times]
        return times

    def _at(self, t_ms: float, speed: float) -> int:
        assert self._base is not None, "a base was chosen"
        return self._base[1] + round((t_ms - self._base[0]) * 1000 * speed)


def drag_samples(
    pacer: Pacer, rows: Sequence[tuple[float, float, float]], now_us: int, speed: float
) -> tuple[tuple[int, float, float], ...]:
    """Convert a picture's positions from (ms of the browser, mm, mm) to (virtual µs, m, m).

    If virtual time goes ``speed`` times as fast as life, the same way in the same real time would
    be felt speed² times weaker. The positions are therefore scaled by speed².
    """
    return _samples(pacer, rows, now_us, speed, speed * speed / 1000.0)


def phone_samples(
    pacer: Pacer, rows: Sequence[tuple[float, float, float, float]], now_us: int, speed: float
) -> tuple[tuple[int, float, float, float], ...]:
    """Convert a phone's samples (ms of the browser, m/s² along x, y, z) to virtual µs."""
    return _samples(pacer, rows, now_us, speed, 1.0)


def _samples(
    pacer: Pacer, rows: Sequence[tuple[float, ...]], now_us: int, speed: float, scale: float
) -> tuple[Any, ...]:
    times = pacer.times([row[0] for row in rows], now_us, speed)
    return tuple(
        (t_us, *(round(each * scale, 6) for each in row[1:])) for t_us, row in zip(times, rows)
    )
