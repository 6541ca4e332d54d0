"""A person's hand in front of a browser, and what it makes the handheld feel.

It drags a picture, or moves a phone.

A browser sends the positions of the pointer. Their second derivative would be noise; instead the
handheld hangs on the pointer by a spring, whose force is its acceleration.

A hand that draws a picture to and fro on a small screen swings 4 cm at 1.5 to 4 Hz, which no cup
would throw at. A drag that turns round as fast as that is a shake: the handheld swings wider than
its picture, and the spring is soft, so that a slow shake is felt nearly as a fast one. Any other
drag moves the handheld as far as its picture.

Numbers without a source are chosen.
"""

import asyncio
import math
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from drivers import now_us
from hw_sim.hand.control import HandheldInHand
from hw_sim.hand.control.keyboard_hand import CALM_US, TOUCH_US, Key, KeyboardHand
from hw_sim.hand.recordings import Vector
from hw_sim.hand.signals import us

KEYS = {"shake": Key.SHAKE, "left": Key.LEFT, "right": Key.RIGHT, "tap": Key.TAP, "hold": Key.HOLD}
"""Keys by the names that a browser uses."""
TURN_S = 0.12
LIES_US = us(1.2)
"""The time that a dropped handheld lies before it is taken up."""


class BrowserHand:
    """A handheld in the hands of a person; `play` runs beside it.

    Args:
        held: the handheld.
        rng: decides the person's motion for an action that is only a key.
    """

    def __init__(self, held: HandheldInHand, rng: Random) -> None:
        self._held = held
        self._hand = held.hand
        self._keys = KeyboardHand(held, rng)
        self._loop = asyncio.get_running_loop()
        self._target: tuple[float, float] = (0.0, 0.0)
        self._turning: asyncio.TimerHandle | None = None
        self._rising: asyncio.TimerHandle | None = None
        self._pressing: asyncio.TimerHandle | None = None
        self._releasing: asyncio.TimerHandle | None = None
        self._touch_until_us = 0

    async def play(self) -> None:
        """Do what keys ask for, one thing after the other, until cancelled."""
        try:
            await self._keys.play()
        finally:
            for timer in (self._turning, self._rising, self._pressing, self._releasing):
                if timer is not None:
                    timer.cancel()

    def press(self, key: str, down: bool) -> None:
        """Do what a key of `KEYS` does, which went down or came up again.

        Raises:
            KeyError: there is no such key.
        """
        (self._keys.hold if down else self._keys.release)(KEYS[key])

    def turn(self, entries: int) -> None:
        """Tilt until the dial has moved by a number of entries, right or (negative) left."""
        self._keys.turn(Key.RIGHT if entries > 0 else Key.LEFT, abs(entries))

    def lift(self, lifted: bool) -> None:
        """Press the lid (True), or let it go: even a short press is a whole lift (`Lid`)."""
        lid = self._keys.lid
        (lid.lift if lifted else lid.let_go)()

    def cover(self) -> None:
        """Cover the cup at once."""
        self._keys.lid.cover()

    def make_way(self, until_us: int) -> None:
        """Make ready to be moved about by the person until a time in µs.

        A cup that waits falls closed, and none is lifted before a shake has come to rest.
        """
        self._keys.lid.make_way()
        self._keys.lid.follow_shake(until_us)

    def touch(self, down: bool) -> None:
        """Put a finger on the pad once the hand is calm, or take it off, after 0.3 s or later.

        A pad that dozes may not notice a touch as short as people's clicks are.
        """
        if down and self._releasing is not None:
            self._releasing.cancel()
            self._releasing = None
        elif down:
            at_us = max(self._now_us, self._hand.free_us + CALM_US, self._keys.lid.make_way())
            self._touch_until_us = at_us + TOUCH_US
            self._pressing = self._loop.call_at(at_us / 1e6, self._put_finger)
        else:
            at_us = max(self._now_us, self._touch_until_us)
            self._releasing = self._loop.call_at(at_us / 1e6, self._take_finger)

    def _put_finger(self) -> None:
        self._hand.hold(self._now_us, 0.2)
        self._held.touch(True)

    def _take_finger(self) -> None:
        self._releasing = None
        self._held.touch(False)

    def tilt(self, roll_deg: float, pitch_deg: float) -> None:
        """Tilt it away from the held pose, in degrees: right edge down, far edge down."""
        self._target = (roll_deg, pitch_deg)
        if self._turning is None:
            self._turn()

    def drop(self) -> None:
        """Let it fall, now, if it is in the hand; 1.2 s after it lies it is taken up again."""
        if self._rising is not None:
            return
        lies_us = self._hand.drop(self._now_us)
        self._rising = self._loop.call_at((lies_us + LIES_US) / 1e6, self._take_up)

    def _take_up(self) -> None:
        self._rising = None
        self._hand.take_up(self._now_us)

    def _turn(self) -> None:
        roll_deg, pitch_deg = self._target
        if roll_deg or pitch_deg:
            end_us = self._hand.tilt(self._now_us, roll_deg, pitch_deg, TURN_S)
        else:
            end_us = self._hand.level(self._now_us, TURN_S)
        self._turning = self._loop.call_at(end_us / 1e6, self._turned, self._target)

    def _turned(self, reached: tuple[float, float]) -> None:
        self._turning = None
        if reached != self._target:
            self._turn()

    @property
    def _now_us(self) -> int:
        return now_us(self._loop)


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


SPRING_HZ = 3.0
"""Natural frequency of the spring between pointer and handheld …"""
DAMPING = 1.0
"""… and its damping, as a ratio to the critical one."""
MOST_MPS2 = 78.0
"""Nothing stronger than 8 g is felt of a drag."""
SHAKE_GAIN = 10.0
"""A handheld that is shaken swings so many times as far as its picture."""
TURN_M = 0.01
"""A pointer that comes back this far has turned round."""
TURNS = 2
"""A drag is a shake from this turn on, if each comes at most `SWING_US` after the one before."""
SWING_US = 420_000
STEP_US = 1_000
KEPT_STEPS = 1_000
"""A second of motion is kept: sensors ask for times a batch ago."""
RINGS_US = 250_000
"""The time after the last sample of a shake for which the spring still pulls hard."""
SETTLED_US = 700_000
"""The time after the last sample until the spring has come to rest."""

_STIFFNESS = (math.tau * SPRING_HZ) ** 2
_DRAG = 2 * DAMPING * math.tau * SPRING_HZ


class DragMotion:
    """The acceleration of a handheld whose picture is dragged about, in its own plane.

    Samples are virtual µs and metres, x to the right and y to the far edge.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[int, float, float]] = deque(maxlen=512)
        self._felt: deque[tuple[float, float]] = deque(maxlen=KEPT_STEPS)
        self._until_us = 0
        self._q = self._v = self._pointed = (0.0, 0.0)
        self._turns = (_Turns(0.0), _Turns(0.0))

    def begin(self, t_us: int, x_m: float, y_m: float) -> None:
        """Take hold of it at a place in m, at rest."""
        self._felt.clear()
        self._samples.clear()
        self._until_us = t_us
        self._q, self._v = (x_m, y_m), (0.0, 0.0)
        self._pointed = (x_m, y_m)
        self._turns = (_Turns(x_m), _Turns(y_m))
        self._samples.append((t_us, x_m, y_m))

    def follow(self, t_us: int, x_m: float, y_m: float) -> None:
        """Move the pointer to a place in m at a time, 1 µs after the last one's at least."""
        if not self.active(t_us):
            self.begin(t_us, x_m, y_m)
            return
        last_us, x, y = self._samples[-1]
        turns = [each.is_shake(t_us, at_m) for each, at_m in zip(self._turns, (x_m, y_m))]
        gain = SHAKE_GAIN if any(turns) else 1.0
        was_x, was_y = self._pointed
        self._pointed = (x_m, y_m)
        t_us = max(t_us, last_us + 1)
        self._samples.append((t_us, x + gain * (x_m - was_x), y + gain * (y_m - was_y)))

    def active(self, t_us: int) -> bool:
        """Whether the spring pulls at a time: not before the first sample, nor once settled."""
        return bool(self._samples) and t_us < self._samples[-1][0] + SETTLED_US

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a virtual time, gravity not included."""
        if not self._samples or t_us <= self._samples[0][0] - STEP_US:
            return (0.0, 0.0, 0.0)
        while self._until_us <= t_us and self.active(self._until_us):
            self._step()
        back = (self._until_us - t_us - 1) // STEP_US
        if back < 0 or back >= len(self._felt):
            return (0.0, 0.0, 0.0)
        x, y = self._felt[-1 - back]
        return (x, y, 0.0)

    def _step(self) -> None:
        px, py = self._pointer(self._until_us)
        (qx, qy), (vx, vy) = self._q, self._v
        ax = _bounded(_STIFFNESS * (px - qx) - _DRAG * vx)
        ay = _bounded(_STIFFNESS * (py - qy) - _DRAG * vy)
        step_s = STEP_US / 1e6
        vx, vy = vx + ax * step_s, vy + ay * step_s
        self._q, self._v = (qx + vx * step_s, qy + vy * step_s), (vx, vy)
        self._felt.append((ax, ay))
        self._until_us += STEP_US

    def _pointer(self, t_us: int) -> tuple[float, float]:
        samples = self._samples
        while len(samples) > 1 and samples[1][0] <= t_us:
            samples.popleft()
        t0_us, x, y = samples[0]
        if len(samples) == 1 or t_us <= t0_us:
            return x, y
        t1_us, x1, y1 = samples[1]
        share = (t_us - t0_us) / (t1_us - t0_us)
        return x + (x1 - x) * share, y + (y1 - y) * share


class _Turns:
    """Tells by the places of a pointer along one axis, in m, whether it goes to and fro fast."""

    def __init__(self, at_m: float) -> None:
        self._way = 0
        self._farthest_m = at_m
        self._count = 0
        self._turned_us = -SWING_US

    def is_shake(self, t_us: int, at_m: float) -> bool:
        """Return whether the pointer, which is there at a time in µs, has turned round enough."""
        off_m = at_m - self._farthest_m
        if self._way * off_m > 0:
            self._farthest_m = at_m
        elif abs(off_m) > TURN_M:
            if self._way:
                soon = t_us - self._turned_us <= SWING_US
                self._count = self._count + 1 if soon else 1
                self._turned_us = t_us
            self._way, self._farthest_m = (1 if off_m > 0 else -1), at_m
        return self._count >= TURNS and t_us - self._turned_us <= SWING_US


def _bounded(mps2: float) -> float:
    return max(-MOST_MPS2, min(MOST_MPS2, mps2))


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


_NOISE_STEPS = 509


class Feeling:
    """The acceleration at one accelerometer: hand, drag, phone and noise together.

    Args:
        hand: the acceleration by the hand that holds it: m/s² at a time in µs.
        noise: seeds the noise.

    While a phone sends samples, they replace the hand. ``noise_mps2`` is r.m.s. on each axis.
    """

    def __init__(self, hand: Callable[[int], Vector], noise: Random) -> None:
        self.drag = DragMotion()
        self.phone = PhoneMotion()
        self.noise_mps2 = 0.0
        self._hand = hand
        self._noise = [
            (noise.gauss(0, 1), noise.gauss(0, 1), noise.gauss(0, 1)) for _ in range(_NOISE_STEPS)
        ]

    def felt(self, t_us: int) -> Vector:
        """Proper acceleration in m/s² at a virtual time in µs, gravity included: x, y, z."""
        x, y, z = self.phone.at(t_us) or self._hand(t_us)
        dx, dy, dz = self.drag.at(t_us)
        noise = self.noise_mps2
        if noise:
            nx, ny, nz = self._noise[t_us // 1000 % _NOISE_STEPS]
            return (x + dx + noise * nx, y + dy + noise * ny, z + dz + noise * nz)
        return (x + dx, y + dy, z + dz)
