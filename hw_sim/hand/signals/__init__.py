"""Motion, light and touch as pure functions of time, and a hand that plans them.

All vectors are proper acceleration in m/s², gravity included, in the axes of the handheld: x to the
right, y to the far edge, z up out of the display. Lying flat and still is (0, 0, +9.81).

A piece covers ``start_us <= t_us < end_us``, begins in the pose before it and leaves the handheld
at rest in the pose ``after``. A jolt is short and is added to whatever goes on.

A `MotionPlan` adds falls, jolts and a tremor in between. Once planned it is a pure function of
time: a sensor may ask for any instant in any order. It costs least while nothing moves, since the
stretch of rest around the last question is remembered.

Numbers without a source are chosen.

May import: recordings, firmware.upkeep.recording. Then read ``hand``.
"""

import math
from bisect import bisect_right, insort
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple, Protocol

from hw_sim.hand.recordings import Vector

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


TREMOR_HZ = (8.0, 12.0)
"""Physiological tremor of a hand, in Hz."""
SWAY_HZ = (0.4, 2.0)
"""Slow unrest of an arm that holds something, in Hz."""

_STEPS = 512
_STEP_US = 5_000
_LOOP_S = _STEPS * _STEP_US / 1e6
_NEVER_US = 1 << 62
_STILL: tuple[Vector, ...] = ((0.0, 0.0, 0.0),) * _STEPS


class MotionPlan:
    """Pieces one after the other, beginning at rest in ``pose`` (m/s²) with a tremor.

    ``tremor_mps2`` is the unrest on each axis (r.m.s.) while a hand holds it; while it lies there
    is none. A moment that a sensor has felt already should not be planned anew.
    """

    def __init__(self, rng: Random, pose: Vector, tremor_mps2: float) -> None:
        self._first = pose
        self._tremor = _tremor_table(rng, tremor_mps2)
        self._pieces: list[Piece] = []
        self._lies: list[bool] = []
        self._jolts: list[Jolt] = []
        self._free_us = 0
        self._rest = pose
        self._unrest = self._tremor
        self._rest_from_us = self._rest_until_us = 0

    @property
    def free_us(self) -> int:
        """When all pieces planned so far have ended, in µs."""
        return self._free_us

    @property
    def pose(self) -> Vector:
        """The acceleration at rest after all pieces planned so far, in m/s²."""
        return self._pieces[-1].after if self._pieces else self._first

    def add(self, piece: Piece, *, lies: bool = False) -> int:
        """Plan a piece after all others, ``lies`` if nobody holds it afterwards; returns its end.

        Raises:
            ValueError: it would begin before `free_us`.

        """
        if piece.start_us < self._free_us:
            raise ValueError(
                f"motion is planned until {self._free_us} µs; begin no earlier than that"
            )
        self._pieces.append(piece)
        self._lies.append(lies)
        return self.wait_until(piece.end_us)

    def wait_until(self, t_us: int) -> int:
        """Begin no other piece before ``t_us``; returns when the next one may begin."""
        self._free_us = max(self._free_us, t_us)
        self._forget_rest()
        return self._free_us

    def add_jolt(self, jolt: Jolt) -> int:
        """Add a jolt to whatever goes on at its time; returns its end."""
        insort(self._jolts, jolt, key=_start)
        self._forget_rest()
        return jolt.end_us

    def forget(self, before_us: int) -> None:
        """Forget all that ended before a time in µs but the last of it, in whose pose it rests."""
        ended = bisect_right(self._pieces, before_us, key=lambda piece: piece.end_us) - 1
        if ended > 0:
            del self._pieces[:ended], self._lies[:ended]
        del self._jolts[: bisect_right(self._jolts, before_us - Jolt.LONGEST_US, key=_start)]

    def acceleration(self, t_us: int) -> Vector:
        """Proper acceleration in m/s² at a time in µs, gravity included."""
        if self._rest_from_us <= t_us < self._rest_until_us:
            x, y, z = self._rest
            dx, dy, dz = self._unrest[t_us // _STEP_US % _STEPS]
            return (x + dx, y + dy, z + dz)
        index = bisect_right(self._pieces, t_us, key=_start) - 1
        next_jolt = bisect_right(self._jolts, t_us, key=_start)
        jolts = self._felt(t_us, next_jolt)
        if index >= 0 and t_us < self._pieces[index].end_us:
            x, y, z = self._pieces[index].at(t_us)
        else:
            rest = self._pieces[index].after if index >= 0 else self._first
            unrest = _STILL if index >= 0 and self._lies[index] else self._tremor
            if not jolts:
                self._rest, self._unrest = rest, unrest
                self._rest_from_us = t_us
                self._rest_until_us = self._next_start(index + 1, next_jolt)
            x, y, z = _sum(rest, unrest[t_us // _STEP_US % _STEPS])
        for jolt in jolts:
            x, y, z = _sum((x, y, z), jolt.at(t_us))
        return (x, y, z)

    def _felt(self, t_us: int, next_jolt: int) -> list[Jolt]:
        """Jolts that have begun and not died away."""
        felt: list[Jolt] = []
        for index in range(next_jolt - 1, -1, -1):
            jolt = self._jolts[index]
            if t_us - jolt.start_us > Jolt.LONGEST_US:
                break
            if t_us < jolt.end_us:
                felt.append(jolt)
        return felt

    def _next_start(self, next_piece: int, next_jolt: int) -> int:
        until_us = _NEVER_US
        if next_piece < len(self._pieces):
            until_us = self._pieces[next_piece].start_us
        if next_jolt < len(self._jolts):
            until_us = min(until_us, self._jolts[next_jolt].start_us)
        return until_us

    def _forget_rest(self) -> None:
        self._rest_from_us = self._rest_until_us = 0


def _start(planned: Piece | Jolt) -> int:
    return planned.start_us


def _sum(one: Vector, other: Vector) -> Vector:
    (ax, ay, az), (bx, by, bz) = one, other
    return (ax + bx, ay + by, az + bz)


def _tremor_table(rng: Random, tremor_mps2: float) -> tuple[Vector, ...]:
    """One round of unrest with ``tremor_mps2`` on each axis: whole waves, so that it closes."""
    axes: list[list[float]] = []
    for _ in range(3):
        waves = [
            (round(_LOOP_S * rng.uniform(*band)), rng.uniform(0.0, math.tau), height)
            for band, height in ((TREMOR_HZ, 1.0), (TREMOR_HZ, 0.8), (SWAY_HZ, 0.7), (SWAY_HZ, 0.5))
        ]
        raw = [
            sum(h * math.sin(math.tau * n * step / _STEPS + phase) for n, phase, h in waves)
            for step in range(_STEPS)
        ]
        scale = tremor_mps2 / math.sqrt(sum(value * value for value in raw) / _STEPS)
        axes.append([value * scale for value in raw])
    return tuple(zip(*axes))
