"""Pieces of motion: what an accelerometer in a hand feels, each a pure function of time.

All vectors are proper acceleration in m/s², gravity included, in the axes of the handheld: x to the
right, y to the far edge, z up out of the display. Lying flat and still is (0, 0, +9.81).

A piece covers ``start_us <= t_us < end_us``, begins in the pose before it and leaves the handheld
at rest in the pose ``after``. A jolt is short and is added to whatever goes on.
"""

import math
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

from hw_sim.hand.recordings.recordings import Vector

G_MPS2 = 9.80665
"""Standard gravity in m/s² (BIPM, SI brochure)."""

FLAT: Vector = (0.0, 0.0, G_MPS2)
"""Lying flat, display up."""

SECOND_US = 1_000_000


def us(seconds: float) -> int:
    """Seconds as whole microseconds."""
    return round(seconds * SECOND_US)


def leaning(roll_deg: float, pitch_deg: float) -> Vector:
    """Acceleration at rest in a pose.

    ``roll_deg`` grows when the right edge goes down, ``pitch_deg`` when the far edge goes down; the
    display looks up, not down. Both at once may not come to more than upright on an edge.

    Raises:
        ValueError: there is no such pose.

    """
    x = -math.sin(math.radians(roll_deg))
    y = -math.sin(math.radians(pitch_deg))
    rest = 1 - x * x - y * y
    if rest < 0 or abs(roll_deg) > 90 or abs(pitch_deg) > 90:
        raise ValueError(
            f"no pose has a roll of {roll_deg:g}° and a pitch of {pitch_deg:g}°; lean it less"
        )
    return (G_MPS2 * x, G_MPS2 * y, G_MPS2 * math.sqrt(rest))


class Piece(Protocol):
    """What a hand does for a while."""

    @property
    def start_us(self) -> int: ...

    @property
    def end_us(self) -> int: ...

    @property
    def after(self) -> Vector: ...

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the piece."""
        ...


def smooth(share: float) -> float:
    """Start and end evenly between 0 and 1; ``share`` beyond them is cut."""
    if share <= 0.0:
        return 0.0
    if share >= 1.0:
        return 1.0
    return share * share * (3.0 - 2.0 * share)


class Turn:
    """The hand turns from one pose into another, evenly, keeping its place."""

    __slots__ = ("_aside", "_before", "_per_us", "after", "end_us", "start_us")

    def __init__(self, start_us: int, end_us: int, before: Vector, after: Vector) -> None:
        self.start_us = start_us
        self.end_us = end_us
        self.after = after
        self._before = before
        self._per_us = 1.0 / max(1, end_us - start_us)
        self._aside = _way_around(before, after)

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs; before and after the turn that of the poses."""
        share = smooth((t_us - self.start_us) * self._per_us)
        if share == 1.0:
            return self.after
        kept = 1.0 - share
        bow = 4.0 * kept * share
        (bx, by, bz), (ax, ay, az), (sx, sy, sz) = self._before, self.after, self._aside
        x = kept * bx + share * ax + bow * sx
        y = kept * by + share * ay + bow * sy
        z = kept * bz + share * az + bow * sz
        scale = G_MPS2 / math.sqrt(x * x + y * y + z * z)
        return (x * scale, y * scale, z * scale)


def _way_around(before: Vector, after: Vector) -> Vector:
    """Give a detour for a turn of nearly half a circle, whose direct way leads through nothing."""
    if sum(b * a for b, a in zip(before, after)) > -0.8 * G_MPS2 * G_MPS2:
        return (0.0, 0.0, 0.0)
    if abs(before[0]) < abs(before[1]):
        return (G_MPS2, 0.0, 0.0)
    return (0.0, G_MPS2, 0.0)


class Partial(NamedTuple):
    """One sine of an oscillation: amplitude in m/s² along x, y, z, frequency and phase."""

    amplitude: Vector
    rate_hz: float
    phase_rad: float


class Oscillation:
    """A sum of sines around a pose, faded in and out: walking, running, a ride."""

    __slots__ = ("_fade_us", "_partials", "after", "end_us", "start_us")

    def __init__(
        self,
        start_us: int,
        end_us: int,
        pose: Vector,
        partials: tuple[Partial, ...],
        fade_s: float = 0.4,
    ) -> None:
        self.start_us = start_us
        self.end_us = end_us
        self.after = pose
        self._partials = tuple(
            (*partial.amplitude, 2e-6 * math.pi * partial.rate_hz, partial.phase_rad)
            for partial in partials
        )
        self._fade_us = max(1.0, min(fade_s * 1e6, (end_us - start_us) / 2))

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the oscillation."""
        gone_us = t_us - self.start_us
        share = smooth(min(gone_us, self.end_us - t_us) / self._fade_us)
        sin = math.sin
        x = y = z = 0.0
        for along_x, along_y, along_z, per_us, phase in self._partials:
            sine = sin(per_us * gone_us + phase)
            x += along_x * sine
            y += along_y * sine
            z += along_z * sine
        px, py, pz = self.after
        return (px + share * x, py + share * y, pz + share * z)


def gait(rng: Random, pose: Vector, step_hz: float, bounce_g: float) -> tuple[Partial, ...]:
    """Draw how a walk or a run feels in the hand: steps along gravity, the arm at half their rate.

    ``bounce_g`` is the amplitude of the first harmonic; the higher ones make the heel strikes.
    """
    bounce = bounce_g * G_MPS2
    strike = rng.uniform(0.0, math.tau)
    up = tuple(part / G_MPS2 for part in pose)
    partials: list[Partial] = []
    for count, share in ((1, 1.0), (2, 0.45), (3, 0.25), (4, 0.12)):
        height = bounce * share * rng.uniform(0.8, 1.2)
        lift = (up[0] * height, up[1] * height, up[2] * height)
        partials.append(Partial(lift, step_hz * count, strike * count))
    for share, rate_hz in ((0.35, step_hz / 2), (0.3, step_hz), (0.12, step_hz * 1.07)):
        side = bounce * share
        swing = (rng.uniform(-side, side), rng.uniform(-side, side), rng.uniform(-side, side))
        partials.append(Partial(swing, rate_hz, rng.uniform(0.0, math.tau)))
    return tuple(partials)


def road(rng: Random, roughness: float) -> tuple[Partial, ...]:
    """Draw how a car feels: the body on its springs, the wheels, the engine.

    ``roughness`` 1 is a good road, about 0.15 g in all.
    """
    partials: list[Partial] = []
    for low_hz, high_hz, height_g in ((1.0, 2.5, 0.03), (5.0, 13.0, 0.02), (20.0, 30.0, 0.015)):
        for _ in range(4):
            height = roughness * height_g * G_MPS2
            partials.append(
                Partial(
                    (rng.uniform(-height, height) / 2, rng.uniform(-height, height) / 2, height),
                    rng.uniform(low_hz, high_hz),
                    rng.uniform(0.0, math.tau),
                )
            )
    return tuple(partials)


class Fall:
    """Let go, free fall, one impact and a small bounce; then it lies where it fell.

    ``impact`` is the peak of the first impact in m/s²; it rings at ``RING_HZ`` and dies away within
    some ``DECAY_S``, so that even a sensor that looks every 10 ms feels it. While falling the
    sensor feels only the ``spin`` of a turning handheld, in m/s².
    """

    RELEASE_S = 0.03
    RING_HZ = 22.0
    DECAY_S = 0.035
    BOUNCE_S = 0.09
    BOUNCE_SHARE = 0.35
    LIE_S = 0.35

    __slots__ = ("_before", "_fall_s", "_impact", "_spin", "after", "end_us", "start_us")

    def __init__(
        self,
        start_us: int,
        fall_s: float,
        before: Vector,
        after: Vector,
        impact: Vector,
        spin: Vector,
    ) -> None:
        self.start_us = start_us
        self.after = after
        self._before = before
        self._fall_s = fall_s
        self._impact = impact
        self._spin = spin
        whole_s = self.RELEASE_S + fall_s + self.BOUNCE_S + self.LIE_S
        self.end_us = start_us + us(whole_s)

    @property
    def impact_us(self) -> int:
        """When it hits the ground, in µs."""
        return self.start_us + us(self.RELEASE_S + self._fall_s)

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the fall."""
        gone_s = (t_us - self.start_us) * 1e-6
        spin, before, after, impact = self._spin, self._before, self.after, self._impact
        if gone_s < self.RELEASE_S:
            held = 1.0 - smooth(gone_s / self.RELEASE_S)
            return _mix(before, held, spin, 1.0 - held)
        lies_s = gone_s - self.RELEASE_S - self._fall_s
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
