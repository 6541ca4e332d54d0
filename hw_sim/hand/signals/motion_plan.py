"""A hand's future motion as one signal: pieces of motion, jolts on top, tremor in between.

Once planned it is a pure function of time: a sensor may ask for any instant in any order. It costs
least while nothing moves, since the stretch of rest around the last question is remembered.
"""

import math
from bisect import bisect_right, insort
from random import Random

from hw_sim.hand.recordings.recordings import Vector
from hw_sim.hand.signals.impacts import Jolt
from hw_sim.hand.signals.motion import Piece

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
