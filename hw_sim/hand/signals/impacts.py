"""Falls and jolts as accelerations over time."""

import math
from dataclasses import dataclass
from typing import ClassVar

from hw_sim.hand.recordings.recordings import Vector
from hw_sim.hand.signals.motion import smooth, us


@dataclass(frozen=True)
class Fall:
    """Let go, free fall, one impact and a small bounce; then it lies where it fell.

    ``impact`` is the peak of the first impact in m/s²; it rings at ``RING_HZ`` and dies away within
    some ``DECAY_S``, so that even a sensor that looks every 10 ms feels it. While falling the
    sensor feels only the ``spin`` of a turning handheld, in m/s².
    """

    start_us: int
    fall_s: float
    before: Vector
    after: Vector
    impact: Vector
    spin: Vector

    RELEASE_S: ClassVar = 0.03
    RING_HZ: ClassVar = 22.0
    DECAY_S: ClassVar = 0.035
    BOUNCE_S: ClassVar = 0.09
    BOUNCE_SHARE: ClassVar = 0.35
    LIE_S: ClassVar = 0.35

    @property
    def end_us(self) -> int:
        """When it lies still, in µs."""
        return self.start_us + us(self.RELEASE_S + self.fall_s + self.BOUNCE_S + self.LIE_S)

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the fall."""
        gone_s = (t_us - self.start_us) * 1e-6
        spin, before, after, impact = self.spin, self.before, self.after, self.impact
        if gone_s < self.RELEASE_S:
            held = 1.0 - smooth(gone_s / self.RELEASE_S)
            return _mix(before, held, spin, 1.0 - held)
        lies_s = gone_s - self.RELEASE_S - self.fall_s
        if lies_s < 0:
            return spin
        ring = self._ring(lies_s)
        lands_s = lies_s - self.BOUNCE_S
        if lands_s < 0:
            carried = 0.3 * smooth(lies_s / self.BOUNCE_S)
        else:
            ring += self.BOUNCE_SHARE * self._ring(lands_s)
            carried = 0.3 + 0.7 * smooth(lands_s / 0.05)
        return _mix(after, carried, impact, ring)

    def _ring(self, since_s: float) -> float:
        wave = math.cos(2 * math.pi * self.RING_HZ * since_s)
        return wave * math.exp(-since_s / self.DECAY_S)


def _mix(one: Vector, share: float, other: Vector, other_share: float) -> Vector:
    (ax, ay, az), (bx, by, bz) = one, other
    return (
        ax * share + bx * other_share,
        ay * share + by * other_share,
        az * share + bz * other_share,
    )


@dataclass(frozen=True, slots=True)
class Jolt:
    """A knock or a nudge: a sine of ``ring_hz`` that dies away within ``decay_s``.

    ``peak`` is its strongest acceleration in m/s², reached a quarter of a period after the start or
    a little earlier.
    """

    start_us: int
    peak: Vector
    ring_hz: float
    decay_s: float

    LONGEST_US = 1_000_000
    """No jolt is felt any longer than this, in µs."""

    @property
    def end_us(self) -> int:
        """When less than 1 % is left, in µs."""
        return self.start_us + min(self.LONGEST_US, us(5 * self.decay_s))

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² to be added at a time in µs within the jolt."""
        since_s = (t_us - self.start_us) * 1e-6
        pace = 2 * math.pi * self.ring_hz
        highest_s = math.atan(pace * self.decay_s) / pace
        highest = math.sin(pace * highest_s) * math.exp(-highest_s / self.decay_s)
        share = math.sin(pace * since_s) * math.exp(-since_s / self.decay_s) / highest
        x, y, z = self.peak
        return (x * share, y * share, z * share)
