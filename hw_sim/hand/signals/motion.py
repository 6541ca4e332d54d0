"""Pieces of motion: what an accelerometer in a hand feels, each a pure function of time.

All vectors are proper acceleration in m/s², gravity included, in the axes of the handheld: x to the
right, y to the far edge, z up out of the display. Lying flat and still is (0, 0, +9.81).

A piece covers ``start_us <= t_us < end_us``, begins in the pose before it and leaves the handheld
at rest in the pose ``after``. A jolt is short and is added to whatever goes on.
"""

import math
from random import Random
from typing import NamedTuple, Protocol

from hw_sim.hand.recordings.recordings import Vector

G_MPS2 = 9.80665
"""Standard gravity in m/s² (BIPM, SI brochure)."""

FLAT: Vector = (0.0, 0.0, G_MPS2)
"""Lying flat, display up."""

SECOND_US = 1_000_000


def us(seconds: float) -> int:
    """Seconds as µs, rounded."""
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
    """A hand's motion until ``end_us``; ``after`` is the acceleration at rest then, m/s²."""

    @property
    def start_us(self) -> int: ...

    @property
    def end_us(self) -> int: ...

    @property
    def after(self) -> Vector: ...

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the piece."""


def smooth(share: float) -> float:
    """Ease in and out: 0 up to a ``share`` of 0, 1 from 1 on, 3s² − 2s³ between."""
    if share <= 0.0:
        return 0.0
    if share >= 1.0:
        return 1.0
    return share * share * (3.0 - 2.0 * share)


class Turn:
    """The hand turns from one pose into another, evenly, keeping its place."""

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
