"""Acceleration of a handheld that a phone's accelerometer measures."""

from bisect import bisect_right

from hw_sim.hand.recordings.recordings import Vector

KEPT_SAMPLES = 1_000
"""Sensors ask for times a batch ago, so this many samples are kept."""
STALE_US = 300_000
"""A phone that has sent nothing for this time no longer counts."""


class PhoneMotion:
    """A phone's motion: samples of proper acceleration in m/s², gravity included."""

    def __init__(self) -> None:
        self._t_us: list[int] = []
        self._xyz: list[Vector] = []

    def add(self, t_us: int, xyz: Vector) -> None:
        """Add a sample in m/s²; one that is not newer than the last is left out."""
        if self._t_us and t_us <= self._t_us[-1]:
            return
        if len(self._t_us) >= KEPT_SAMPLES:
            del self._t_us[: KEPT_SAMPLES // 2], self._xyz[: KEPT_SAMPLES // 2]
        self._t_us.append(t_us)
        self._xyz.append(xyz)

    def at(self, t_us: int) -> Vector | None:
        """Acceleration in m/s² at a virtual time; None where no phone sent samples."""
        times = self._t_us
        index = bisect_right(times, t_us)
        if index == 0 or t_us > times[index - 1] + STALE_US:
            return None
        before = self._xyz[index - 1]
        if index == len(times) or times[index] > times[index - 1] + STALE_US:
            return before
        share = (t_us - times[index - 1]) / (times[index] - times[index - 1])
        x, y, z = (one + (other - one) * share for one, other in zip(before, self._xyz[index]))
        return (x, y, z)
