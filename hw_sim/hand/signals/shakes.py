"""Shakes of the cup: made up from what shakes are made of, or cut out of recordings.

A made-up shake swings along one axis at 3 to 6 Hz. Twice that rate comes in from the side, because
a hand swings around its wrist or elbow and feels the pull outward at both ends; three times the
rate makes the turning points sharp. Pace and strength wander, the hand turns meanwhile, and it
swings out a little before it rests.

Numbers without a source are chosen.
"""

import math
from bisect import bisect_right
from pathlib import Path
from random import Random
from typing import NamedTuple

from firmware.upkeep.recording import MISSED_SHAKE, SHAKE, RecordingError
from hw_sim.hand.recordings import Clip, Vector, load_events, load_index, load_recording
from hw_sim.hand.signals import G_MPS2, Turn, smooth, us

SHORTEST_TAKE_US = 700_000
"""Takes below this hold too little of a shake to be one, in µs."""


class RecordedShake:
    """Recorded takes one after the other, blended over 60 ms into each other and the rest around.

    ``before`` and ``after`` are the poses in m/s²; ``shaken_us`` is when the last take begins to
    fade, ``end_us`` when it is gone.
    """

    BLEND_US = 60_000

    def __init__(
        self, start_us: int, takes: tuple[Clip, ...], before: Vector, after: Vector
    ) -> None:
        self.start_us = start_us
        self.after = after
        self._before = before
        self._takes = takes
        self._starts: list[int] = []
        at_us = start_us
        for take in takes:
            self._starts.append(at_us)
            at_us += take.duration_us - self.BLEND_US
        self.shaken_us = at_us
        self.end_us = at_us + self.BLEND_US

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the shake."""
        index = bisect_right(self._starts, t_us) - 1
        ours = self._felt(index, t_us)
        since_us = t_us - self._starts[index]
        if since_us < self.BLEND_US:
            theirs = self._before if index == 0 else self._felt(index - 1, t_us)
            return _blend(theirs, ours, since_us / self.BLEND_US)
        if t_us > self.shaken_us:
            return _blend(ours, self.after, (t_us - self.shaken_us) / self.BLEND_US)
        return ours

    def _felt(self, index: int, t_us: int) -> Vector:
        take = self._takes[index]
        return take.acceleration(t_us - self._starts[index] + take.start_us)


class ShakeLibrary:
    """Takes of real shakes from a folder of recordings, kept by the recording they come from.

    A take is an event labelled ``shake``, or a clip of a recording labelled ``shake``, of 0.7 s or
    more, from recordings whose sensor did not cut the shake off.

    Raises:
        RecordingError: the folder is no folder of recordings, or holds no such take.

    """

    def __init__(self, folder: str | Path) -> None:
        events = load_events(folder)
        sources: list[tuple[Clip, ...]] = []
        for entry in load_index(folder):
            if not entry.use.startswith(MISSED_SHAKE):
                continue
            shaken = [event for event in events.get(entry.file, ()) if event.label == SHAKE]
            if entry.label != SHAKE and not shaken:
                continue
            clips = load_recording(folder, entry).clips
            takes: list[Clip] = []
            for clip in clips:
                if shaken:
                    cuts = (clip.cut(event.start_us, event.end_us) for event in shaken)
                    takes.extend(cut for cut in cuts if cut is not None)
                else:
                    takes.append(clip)
            long = tuple(take for take in takes if take.duration_us >= SHORTEST_TAKE_US)
            if long:
                sources.append(long)
        if not sources:
            raise RecordingError(
                f"{folder}: holds no shake of {SHORTEST_TAKE_US / 1e6:g} s or more; it needs events"
                f" or recordings labelled {SHAKE!r} whose use begins with {MISSED_SHAKE!r}"
            )
        self.sources = tuple(sources)

    def draw(self, rng: Random, duration_s: float) -> tuple[Clip, ...]:
        """Draw takes of one recording that last ``duration_s`` or more in all; at least one."""
        source = self.sources[rng.randrange(len(self.sources))]
        drawn: list[Clip] = []
        lasting_us = 0
        while not drawn or lasting_us < us(duration_s):
            take = source[rng.randrange(len(source))]
            drawn.append(take)
            lasting_us += take.duration_us - RecordedShake.BLEND_US
        return tuple(drawn)


def _blend(one: Vector, other: Vector, share: float) -> Vector:
    (ax, ay, az), (bx, by, bz) = one, other
    return (ax + share * (bx - ax), ay + share * (by - ay), az + share * (bz - az))


class ShakeStyle(NamedTuple):
    """How one shake goes.

    ``rate_hz`` swings per second; ``peak_g`` of the swing along ``axis`` (unit vector), ``side``
    and ``out`` the shares of it along ``side_axis`` and ``out_axis`` at once and twice the rate;
    ``ramp_s`` to get going and to stop; ``settle_s`` the swinging out after that. ``phases``, in
    radians: of pace, strength, side, out and the swing itself.
    """

    rate_hz: float
    peak_g: float
    axis: Vector
    side_axis: Vector
    out_axis: Vector
    side: float
    out: float
    ramp_s: float
    settle_s: float
    phases: tuple[float, ...]

    @classmethod
    def drawn(cls, rng: Random, rate_hz: float, peak_g: float, settle_s: float) -> "ShakeStyle":
        """Draw a style of this pace and strength, all else by chance."""
        axis = _direction(rng)
        side_axis = _across(axis, _direction(rng))
        return cls(
            rate_hz=rate_hz,
            peak_g=peak_g,
            axis=axis,
            side_axis=side_axis,
            out_axis=_cross(axis, side_axis),
            side=rng.uniform(0.1, 0.4),
            out=rng.uniform(0.1, 0.4),
            ramp_s=rng.uniform(0.08, 0.2),
            settle_s=settle_s,
            phases=tuple(rng.uniform(0, math.tau) for _ in range(5)),
        )


class MadeUpShake:
    """A made-up shake of ``duration_s``, then the settling; the hand turns into ``shaking``."""

    PACE_HZ, PACE_RAD = 0.9, 0.35
    """The pace wanders at this rate and leads or lags by this angle."""
    STRENGTH_HZ, STRENGTH_SHARE = 1.3, 0.22
    """The strength wanders at this rate by this share."""
    SHARPNESS = 0.22
    """Share of three times the rate, in phase so that it sharpens the turning points."""
    SETTLE_G, SETTLE_HZ = 0.2, 4.0

    def __init__(
        self,
        start_us: int,
        duration_s: float,
        style: ShakeStyle,
        before: Vector,
        shaking: Vector,
        after: Vector,
    ) -> None:
        self.start_us = start_us
        self.shaken_us = start_us + us(duration_s)
        self.end_us = self.shaken_us + us(style.settle_s)
        self.after = after
        self._duration_s = duration_s
        self._style = style
        self._ramp = 1.0 / min(style.ramp_s, duration_s / 2)
        self._pace = math.tau * style.rate_hz
        turning_us = us(duration_s / 2)
        self._into = (
            Turn(start_us, start_us + turning_us, before, shaking),
            Turn(self.shaken_us - turning_us, self.end_us, shaking, after),
        )
        full = G_MPS2 * style.peak_g / (1.0 + self.SHARPNESS)
        self._main = _times(style.axis, full)
        self._sideways = _times(style.side_axis, full * style.side)
        self._outward = _times(style.out_axis, full * style.out)
        self._settle = _times(style.axis, G_MPS2 * self.SETTLE_G)

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the shake."""
        sin = math.sin
        since_s = (t_us - self.start_us) * 1e-6
        left_s = self._duration_s - since_s
        first, second = self._into
        px, py, pz = (first if t_us < second.start_us else second).at(t_us)
        if left_s <= 0:
            share = 1.0 + left_s / self._style.settle_s
            share *= share * sin(math.tau * self.SETTLE_HZ * left_s)
            x, y, z = self._settle
            return (px + share * x, py + share * y, pz + share * z)
        lead, strong, beside, outside, began = self._style.phases
        wander = self.PACE_RAD * sin(math.tau * self.PACE_HZ * since_s + lead)
        angle = self._pace * since_s + wander + began
        force = smooth(min(since_s, left_s) * self._ramp)
        force *= 1.0 + self.STRENGTH_SHARE * sin(math.tau * self.STRENGTH_HZ * since_s + strong)
        along = force * (sin(angle) - self.SHARPNESS * sin(3.0 * angle))
        across = force * sin(angle + beside)
        out = force * sin(2.0 * angle + outside)
        (ax, ay, az), (bx, by, bz) = self._main, self._sideways
        cx, cy, cz = self._outward
        return (
            px + along * ax + across * bx + out * cx,
            py + along * ay + across * by + out * cy,
            pz + along * az + across * bz + out * cz,
        )


class HeldShake:
    """A shake that goes on for as long as it is kept up: a piece of motion whose end can move.

    ``body`` is shaken until ``stop_us`` and then fades into rest.
    """

    FADE_US = 200_000

    def __init__(self, body: MadeUpShake, stop_us: int) -> None:
        self.start_us = body.start_us
        self.after = body.after
        self.stop_us = stop_us
        """When it begins to fade, in µs; may be moved on until it has come."""
        self._body = body

    @property
    def end_us(self) -> int:
        """When it has come to rest, in µs."""
        return self.stop_us + self.FADE_US

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the shake."""
        x, y, z = self._body.at(t_us)
        share = smooth((t_us - self.stop_us) / self.FADE_US)
        ax, ay, az = self.after
        return (x + share * (ax - x), y + share * (ay - y), z + share * (az - z))


def _times(vector: Vector, factor: float) -> Vector:
    x, y, z = vector
    return (x * factor, y * factor, z * factor)


def _unit(vector: Vector) -> Vector:
    return _times(vector, 1.0 / math.hypot(*vector))


def _cross(one: Vector, other: Vector) -> Vector:
    (ax, ay, az), (bx, by, bz) = one, other
    return (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)


def _across(axis: Vector, other: Vector) -> Vector:
    """Give the part of ``other`` at a right angle to ``axis``, as a unit vector."""
    square = _cross(axis, other)
    if math.hypot(*square) < 1e-3:
        square = _cross(axis, (axis[1], axis[2], axis[0] + 1.0))
    return _unit(square)


def _direction(rng: Random) -> Vector:
    """Draw a direction, all equally likely."""
    z = rng.uniform(-1.0, 1.0)
    angle = rng.uniform(0.0, math.tau)
    flat = math.sqrt(1.0 - z * z)
    return (flat * math.cos(angle), flat * math.sin(angle), z)
