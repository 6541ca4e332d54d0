"""A person who holds one handheld: its sensors' signals, planned ahead and computed on demand.

Each method plans something from ``start_us`` on and returns when it ends, in µs. Motion is one
thing after the other: a piece that would begin before the one planned last has ended begins at its
end. Light, touch and jolts go on beside it.

Numbers without a source are chosen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Self

from hw_sim.hand.recordings import Vector
from hw_sim.hand.signals import (
    FLAT,
    G_MPS2,
    Fall,
    Jolt,
    MotionPlan,
    Oscillation,
    Partial,
    Turn,
    gait,
    leaning,
    road,
    us,
)
from hw_sim.hand.signals.light import GLOW_LUX, LEAK_SHARE, CoveredSensor, Glow, LightScene
from hw_sim.hand.signals.shakes import MadeUpShake, RecordedShake, ShakeLibrary, ShakeStyle

UPRIGHT_DEG = 89.9
"""Nobody tilts a handheld further than upright on its edge."""


class Press(NamedTuple):
    """A finger on the touch pad from ``down_us`` to ``up_us``."""

    down_us: int
    up_us: int


@dataclass(frozen=True, slots=True)
class Person:
    """How somebody moves; every value differs from person to person.

    ``roll_deg`` and ``pitch_deg`` are the pose in which the handheld is held, ``tremor_mps2`` the
    unrest of the hand on each axis (r.m.s.), ``leak_share`` what comes in under the thumb and
    ``open_share`` how far the sensor is free of shadow when lifted.
    """

    shake_hz: float
    shake_g: float
    settle_s: float
    lift_s: float
    cover_s: float
    tilt_s: float
    tap_s: float
    tap_g: float
    tremor_mps2: float
    roll_deg: float
    pitch_deg: float
    leak_share: float
    open_share: float

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw a person."""
        low, high = LEAK_SHARE
        return cls(
            shake_hz=rng.uniform(2.8, 6.2),
            shake_g=rng.uniform(2.2, 5.0),
            settle_s=rng.uniform(0.10, 0.30),
            lift_s=rng.uniform(0.10, 0.22),
            cover_s=rng.uniform(0.08, 0.20),
            tilt_s=rng.uniform(0.25, 0.50),
            tap_s=rng.uniform(0.22, 0.34),
            tap_g=rng.uniform(0.03, 0.12),
            tremor_mps2=rng.uniform(0.02, 0.10),
            roll_deg=rng.uniform(-5.0, 5.0),
            pitch_deg=rng.uniform(-30.0, -5.0),
            leak_share=low * (high / low) ** rng.uniform(0.0, 1.0),
            open_share=rng.uniform(0.7, 1.0),
        )


class Hand:
    """One person's hand around one handheld: held still, the sensor covered, no finger on the pad.

    ``scene`` is the light of the room. ``shakes`` are recorded shakes to use for every `shake`;
    None makes shakes up. ``glow`` is the panel's own light (`hw_sim.hand.signals.light.Glow`),
    of which ``glow_lux`` reaches the sensor when the whole panel is lit; None is a dark panel.

    For the simulated parts: ``acceleration(t_us)`` is the proper acceleration in m/s², gravity
    included, x right, y to the far edge, z up; ``illuminance(t_us)`` is lux at the light sensor.
    Both are pure functions of time, given the plan. Touches are what `tap` and `hold` return.
    """

    def __init__(
        self,
        rng: Random,
        scene: LightScene,
        *,
        person: Person | None = None,
        shakes: ShakeLibrary | None = None,
        glow: Glow | None = None,
        glow_lux: float = GLOW_LUX,
    ) -> None:
        self.person = person if person is not None else Person.drawn(rng)
        self.sensor = CoveredSensor(
            scene, leak_share=self.person.leak_share, glow=glow, glow_lux=glow_lux
        )
        self._rng = rng
        self._shakes = shakes
        self._neutral_deg = (self.person.roll_deg, self.person.pitch_deg)
        self.motion = MotionPlan(rng, leaning(*self._neutral_deg), self.person.tremor_mps2)
        self.acceleration: Callable[[int], Vector] = self.motion.acceleration
        self.illuminance: Callable[[int], float] = self.sensor.illuminance

    def openness(self, t_us: int) -> float:
        """How far the light sensor is uncovered at a time in µs: 0 covered, 1 open."""
        return self.sensor.openness(t_us)

    @property
    def free_us(self) -> int:
        """When the motion planned so far has ended, in µs."""
        return self.motion.free_us

    def forget(self, before_us: int) -> None:
        """Forget motion and light that ended before a time in µs, which nobody asks for again."""
        self.motion.forget(before_us)
        self.sensor.forget(before_us)

    # Motion, one thing after the other

    def rest(self, start_us: int, duration_s: float) -> int:
        """Hold still; other motion waits until the end."""
        return self.motion.wait_until(self._begin(start_us) + us(duration_s))

    def shake(self, start_us: int, duration_s: float = 1.4, vigour: float = 1.0) -> int:
        """Shake for about ``duration_s`` (a recorded shake: whole takes), then come to rest.

        ``vigour`` scales this person's usual strength of a made-up shake. Returns the end of the
        swinging out.

        Raises:
            ValueError: the duration is not above 0.

        """
        if duration_s <= 0:
            raise ValueError(f"a shake of {duration_s:g} s is none; give more than 0")
        rng, person = self._rng, self.person
        start_us = self._begin(start_us)
        before, after = self.motion.pose, self._held_again()
        if self._shakes is not None:
            takes = self._shakes.draw(rng, duration_s)
            return self.motion.add(RecordedShake(start_us, takes, before, after))
        style = ShakeStyle.drawn(
            rng,
            rate_hz=person.shake_hz * rng.uniform(0.92, 1.08),
            peak_g=person.shake_g * vigour * rng.uniform(0.85, 1.15),
            settle_s=person.settle_s * rng.uniform(0.8, 1.2),
        )
        shaking = leaning(rng.uniform(-40.0, 40.0), rng.uniform(-40.0, 40.0))
        return self.motion.add(MadeUpShake(start_us, duration_s, style, before, shaking, after))

    def tilt(
        self, start_us: int, roll_deg: float, pitch_deg: float, over_s: float | None = None
    ) -> int:
        """Tilt away from the held pose: roll right edge down, pitch far edge down. It stays so.

        ``over_s`` None: as fast as this person does. A wrist gives way: roll and pose together end
        at upright. If both angles together exceed it, the pitch is less.
        """
        roll, pitch = self._neutral_deg[0] + roll_deg, self._neutral_deg[1] + pitch_deg
        roll = min(max(roll, -UPRIGHT_DEG), UPRIGHT_DEG)
        most_deg = max(0.0, UPRIGHT_DEG - abs(roll))
        pitch = min(max(pitch, -most_deg), most_deg)
        return self._turn(start_us, leaning(roll, pitch), over_s)

    def level(self, start_us: int, over_s: float | None = None) -> int:
        """Tilt back to the held pose."""
        return self._turn(start_us, leaning(*self._neutral_deg), over_s)

    def put_down(self, start_us: int) -> int:
        """Lay it on the table, display up, with a small bump; no tremor from then on."""
        end_us = self._turn(start_us, FLAT, self._rng.uniform(0.4, 0.8), lies=True)
        self._jolt(end_us, self._rng.uniform(0.2, 1.0), FLAT, ring_hz=30.0, decay_s=0.02)
        return end_us

    def take_up(self, start_us: int) -> int:
        """Take it into the hand again, as it is usually held."""
        return self._turn(start_us, self._held_again(), self._rng.uniform(0.4, 0.7))

    def drop(self, start_us: int, fall_s: float | None = None) -> int:
        """Let it fall for ``fall_s`` (None: 0.25 to 0.45 s, from 0.3 to 1 m); there it lies."""
        rng = self._rng
        start_us = self._begin(start_us)
        if fall_s is None:
            fall_s = rng.uniform(0.25, 0.45)
        slope = leaning(rng.uniform(-15.0, 15.0), rng.uniform(-15.0, 15.0))
        lies = slope if rng.randrange(2) else (slope[0], slope[1], -slope[2])
        hit_g = rng.uniform(6.0, 14.0)
        impact = (
            lies[0] * hit_g + rng.uniform(-25.0, 25.0),
            lies[1] * hit_g + rng.uniform(-25.0, 25.0),
            lies[2] * hit_g,
        )
        spin = (rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8))
        return self.motion.add(
            Fall(start_us, fall_s, self.motion.pose, lies, impact, spin), lies=True
        )

    def walk(
        self, start_us: int, duration_s: float, step_hz: float = 1.9, bounce_g: float = 0.25
    ) -> int:
        """Walk with it in the hand. Running is 2.5 to 3 steps a second with 0.8 g and more."""
        steps = gait(self._rng, self.motion.pose, step_hz, bounce_g)
        return self._sway(start_us, duration_s, steps)

    def ride(self, start_us: int, duration_s: float, roughness: float = 1.0) -> int:
        """Sit in a car with it; ``roughness`` 1 is a good road."""
        return self._sway(start_us, duration_s, road(self._rng, roughness))

    # Beside the motion

    def knock(self, start_us: int, peak_g: float | None = None) -> int:
        """Knock against it or the table it lies on; ``peak_g`` None is 0.4 to 2.5 g."""
        rng = self._rng
        if peak_g is None:
            peak_g = rng.uniform(0.4, 2.5)
        towards = (rng.uniform(-4.0, 4.0), rng.uniform(-4.0, 4.0), G_MPS2)
        return self._jolt(
            start_us, peak_g, towards, ring_hz=rng.uniform(20, 45), decay_s=rng.uniform(0.01, 0.03)
        )

    def lift(self, start_us: int, over_s: float | None = None) -> int:
        """Uncover the light sensor within ``over_s`` (None: as fast as this person does)."""
        return self._uncover(
            start_us,
            self._usual(self.person.lift_s) if over_s is None else over_s,
            self.person.open_share,
        )

    def cover(self, start_us: int, over_s: float | None = None) -> int:
        """Cover the light sensor within ``over_s`` (None: as fast as this person does)."""
        return self._uncover(
            start_us, self._usual(self.person.cover_s) if over_s is None else over_s, 0.0
        )

    def tap(self, start_us: int) -> Press:
        """Touch the pad and let go: 0.18 to 0.4 s, for a pad that dozes needs up to 0.22 s."""
        lasts_s = min(0.4, max(0.18, self.person.tap_s * self._rng.uniform(0.8, 1.2)))
        return self.hold(start_us, lasts_s)

    def hold(self, start_us: int, duration_s: float) -> Press:
        """Touch the pad for ``duration_s``."""
        strength_g = self.person.tap_g * self._rng.uniform(0.7, 1.3)
        self._jolt(start_us, strength_g, (0.0, 0.0, -G_MPS2), ring_hz=25.0, decay_s=0.015)
        return Press(start_us, start_us + us(duration_s))

    def _begin(self, start_us: int) -> int:
        return max(start_us, self.motion.free_us)

    def _held_again(self) -> Vector:
        """Take a pose near the person's usual one as the new neutral."""
        self._neutral_deg = (
            self.person.roll_deg + self._rng.uniform(-3.0, 3.0),
            self.person.pitch_deg + self._rng.uniform(-4.0, 4.0),
        )
        return leaning(*self._neutral_deg)

    def _turn(
        self, start_us: int, after: Vector, over_s: float | None, *, lies: bool = False
    ) -> int:
        start_us = self._begin(start_us)
        if over_s is None:
            over_s = self._usual(self.person.tilt_s)
        turn = Turn(start_us, start_us + us(over_s), self.motion.pose, after)
        return self.motion.add(turn, lies=lies)

    def _sway(self, start_us: int, duration_s: float, partials: tuple[Partial, ...]) -> int:
        start_us = self._begin(start_us)
        end_us = start_us + us(duration_s)
        return self.motion.add(Oscillation(start_us, end_us, self.motion.pose, partials))

    def _uncover(self, start_us: int, over_s: float, openness: float) -> int:
        end_us = start_us + us(over_s)
        self.sensor.move(start_us, end_us, openness)
        towards = (0.0, self._rng.uniform(-4.0, 4.0), G_MPS2)
        self._jolt(start_us, self._rng.uniform(0.02, 0.08), towards, ring_hz=4.0, decay_s=0.06)
        return end_us

    def _usual(self, lasts_s: float) -> float:
        """Vary a time of this person as it varies from one time to the next."""
        return lasts_s * self._rng.uniform(0.85, 1.15)

    def _jolt(
        self, start_us: int, peak_g: float, towards: Vector, *, ring_hz: float, decay_s: float
    ) -> int:
        """Add a jolt of ``peak_g`` in a direction given by a vector of about 1 g."""
        x, y, z = towards
        peak = (x * peak_g, y * peak_g, z * peak_g)
        return self.motion.add_jolt(Jolt(start_us, peak, ring_hz, decay_s))
