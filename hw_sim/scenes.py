"""Scenes that no recording covers: lifting in bad light, and what must not be a lift or a throw.

Everything is made up (`hw_sim.hand`, `hw_sim.light`), goes through the registers of simulated
parts, the drivers and the recognizer, and is counted by scene:

- A *lift*, *shake* or *tap* is recognised when exactly one gesture of its kind falls to it: a lift
  from its start until the cup is covered again, a shake until 1.5 s after its end, a tap until
  0.5 s after. Others of these gestures are false.
- In the dark nobody can lift: there a lift counts neither as recognised nor as missed.

What is made up proves nothing about real hands; it says what the recognizer does if light and
hands are like that.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from os import cpu_count
from random import Random
from typing import Any, Final, NamedTuple

from drivers.bus import Priority
from drivers.ttp223 import TouchPad
from drivers.veml7700 import FRESH_US, SETTLE_US
from firmware.board import Board, assemble
from firmware.gestures import Lifted, Shaken, Tap
from firmware.inputs import AccelBatch, Light, Touch
from firmware.recognizer import Recognizer
from firmware.runtime import LIGHT_PERIOD_S, LIGHT_SOON_S
from hw_sim.board import TOUCH_BCM, SimulatedBoard
from hw_sim.clock import now_us, run
from hw_sim.gesture_trial import Interval, count_interval, share_interval
from hw_sim.hand import Hand, Press
from hw_sim.light import CANDLE_FLICKER, MAINS_FLICKER, LightScene

S: Final = 1_000_000
TAKE_S: Final = 300
"""Usual length of one take: one person, one room; at most that."""
BATCH_S: Final = 0.1
ROLL_WITHIN_US: Final = 1_500_000
TAP_WITHIN_US: Final = 500_000
KINDS: Final = ("lift", "shake", "tap")


@dataclass
class Plan:
    """What a person does in a take: intervals in µs by kind, and touches of the pad."""

    lift: list[tuple[int, int]] = field(default_factory=list)
    shake: list[tuple[int, int]] = field(default_factory=list)
    tap: list[tuple[int, int]] = field(default_factory=list)
    presses: list[Press] = field(default_factory=list)


Acting = Callable[[Hand, Random, int, Plan], int]
"""Plans the next thing from a time in µs on; tells when it has ended."""


class Scene(NamedTuple):
    """A room and what is done in it. ``counts_lifts``: whether it is bright enough to lift."""

    room: Callable[[Random], LightScene]
    acting: Acting
    counts_lifts: bool = True


class Tally(NamedTuple):
    """What came of one kind of gesture: done, recognised, and those that nobody did."""

    done: int = 0
    recognised: int = 0
    false: int = 0

    def __add__(self, other: object) -> "Tally":
        """Put two together."""
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(*(one + two for one, two in zip(tuple(self), tuple(other))))


class SceneResult(NamedTuple):
    """All takes of a scene: hours, and by kind of gesture what came of it."""

    hours: float
    tallies: dict[str, Tally]
    violations: tuple[str, ...] = ()

    def false_per_hour(self, kind: str) -> Interval:
        """Return the 95 % interval of false gestures of a kind per hour."""
        count = count_interval(self.tallies[kind].false)
        return Interval(count.low / self.hours, count.high / self.hours)

    def missed_per_hour(self, kind: str) -> Interval:
        """Return the 95 % interval of missed gestures of a kind per hour."""
        tally = self.tallies[kind]
        count = count_interval(tally.done - tally.recognised)
        return Interval(count.low / self.hours, count.high / self.hours)

    def as_json(self) -> dict[str, Any]:
        """Give it as plain values; rates and shares are pairs: low, high (95 %)."""
        told: dict[str, Any] = {"hours": round(self.hours, 3), "violations": list(self.violations)}
        for kind, tally in self.tallies.items():
            told[kind] = {
                **tally._asdict(),
                "false_per_hour_95": [round(bound, 3) for bound in self.false_per_hour(kind)],
                "missed_per_hour_95": [round(bound, 3) for bound in self.missed_per_hour(kind)],
                "recognised_share_95": [
                    round(bound, 4) for bound in share_interval(tally.recognised, tally.done)
                ]
                if tally.done
                else None,
            }
        return told


# ---- what people do ------------------------------------------------------------------------------


def _lifting(hand: Hand, rng: Random, t_us: int, plan: Plan) -> int:
    start_us = t_us + _between(rng, 2.0, 6.0)
    hand.lift(start_us)
    end_us = hand.cover(start_us + _between(rng, 1.0, 4.0))
    plan.lift.append((start_us, end_us))
    return end_us


def _playing(hand: Hand, rng: Random, t_us: int, plan: Plan) -> int:
    """Shake, look, tilt, tap: a turn."""
    start_us = t_us + _between(rng, 1.0, 3.0)
    length_s = rng.uniform(1.0, 2.2)
    end_us = hand.shake(start_us, length_s, vigour=rng.uniform(0.9, 1.1))
    plan.shake.append((start_us, end_us))
    t_us = _lifting(hand, rng, end_us + 2 * S, plan)
    t_us = hand.level(hand.tilt(t_us + S, rng.uniform(-35, 35), 0.0) + S)
    press = hand.tap(t_us + 2 * S)
    plan.presses.append(press)
    plan.tap.append(press)
    return press.up_us + S


def _sitting(_hand: Hand, rng: Random, t_us: int, _plan: Plan) -> int:
    return t_us + _between(rng, 5.0, 10.0)


def _putting_down(hand: Hand, rng: Random, t_us: int, _plan: Plan) -> int:
    t_us = hand.put_down(t_us + _between(rng, 1.0, 3.0)) + _between(rng, 1.0, 3.0)
    if rng.randrange(3) == 0:
        hand.knock(t_us)
    return hand.take_up(t_us + S)


def _riding(hand: Hand, rng: Random, t_us: int, _plan: Plan) -> int:
    end_us = hand.ride(t_us, rng.uniform(10.0, 20.0), rng.uniform(0.7, 2.5))
    for _ in range(rng.randrange(3)):
        hand.knock(rng.randrange(t_us, end_us), rng.uniform(0.2, 0.9))
    return end_us


def _walking(hand: Hand, rng: Random, t_us: int, _plan: Plan) -> int:
    return hand.walk(
        t_us, rng.uniform(8.0, 20.0), rng.uniform(1.6, 2.2), rng.uniform(0.12, 0.4)
    ) + _between(rng, 1.0, 4.0)


# ---- rooms ---------------------------------------------------------------------------------------


def _dim(rng: Random) -> LightScene:
    return LightScene(rng, rng.uniform(4.0, 10.0))


def _flickering(rng: Random) -> LightScene:
    return LightScene(rng, rng.uniform(10.0, 60.0), mains_flicker=MAINS_FLICKER)


def _candle(rng: Random) -> LightScene:
    return LightScene(rng, rng.uniform(5.0, 20.0), candle_flicker=CANDLE_FLICKER)


def _torch(rng: Random) -> LightScene:
    """Somebody's torch passes over the table now and then, ten times as bright as the room."""
    room_lux = rng.uniform(8.0, 20.0)
    scene = LightScene(rng, room_lux, candle_flicker=0.05)
    t_us = 10 * S
    while t_us < TAKE_S * S:
        t_us += _between(rng, 8.0, 25.0)
        scene.jump(t_us, room_lux * rng.uniform(4.0, 10.0), 0.2)
        t_us += _between(rng, 0.3, 2.0)
        scene.jump(t_us, room_lux, 0.2)
    return scene


def _jumping(rng: Random) -> LightScene:
    """The lamp is switched on and off: three to eight times as bright, and back."""
    dark_lux = rng.uniform(8.0, 30.0)
    scene = LightScene(rng, dark_lux, mains_flicker=0.1)
    t_us = 10 * S
    while t_us < TAKE_S * S:
        t_us += _between(rng, 15.0, 40.0)
        scene.jump(t_us, dark_lux * rng.uniform(3.0, 8.0))
        t_us += _between(rng, 15.0, 40.0)
        scene.jump(t_us, dark_lux)
    return scene


def _bus(rng: Random) -> LightScene:
    """Shade and sun through the windows, every few seconds."""
    scene = LightScene(rng, 200.0)
    t_us = 5 * S
    while t_us < TAKE_S * S:
        t_us += _between(rng, 1.0, 8.0)
        scene.jump(t_us, rng.uniform(60.0, 1200.0), rng.uniform(0.1, 1.0))
    return scene


SCENES: Final[dict[str, Scene]] = {
    "lifting, daylight": Scene(LightScene.day, _lifting),
    "lifting, dim": Scene(_dim, _lifting),
    "lifting, flickering": Scene(_flickering, _lifting),
    "lifting, candle": Scene(_candle, _lifting),
    "lifting, torch": Scene(_torch, _lifting),
    "lifting, lamp switched": Scene(_jumping, _lifting),
    "lifting, dark room": Scene(LightScene.dark, _lifting, counts_lifts=False),
    "covered, torch": Scene(_torch, _sitting),
    "covered, lamp switched": Scene(_jumping, _sitting),
    "covered, candle": Scene(_candle, _sitting),
    "putting down": Scene(LightScene.pub, _putting_down),
    "walking": Scene(LightScene.day, _walking),
    "bus ride": Scene(_bus, _riding),
    "play, pub": Scene(LightScene.pub, _playing),
}
"""By name."""


def run_scenes(
    takes: int = 12,
    seed: int | str = 0,
    processes: int | None = None,
    names: tuple[str, ...] = (),
    take_s: int = TAKE_S,
) -> dict[str, SceneResult]:
    """Play ``takes`` takes of ``take_s`` of every scene (or of those named) and sum them up.

    ``processes``: how many share the work; None takes one for each core. The result does not
    depend on it.

    Raises:
        KeyError: there is no such scene.
    """
    chosen = names or tuple(SCENES)
    jobs = [(name, f"{seed} {name} {take}", take_s) for name in chosen for take in range(takes)]
    workers = processes if processes is not None else cpu_count() or 1
    if workers == 1:
        played = [_played(job) for job in jobs]
    else:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            played = list(pool.map(_played, jobs))
    results: dict[str, SceneResult] = {}
    for (name, _, _), (tallies, violations) in zip(jobs, played):
        known = results.get(name, SceneResult(0.0, {kind: Tally() for kind in KINDS}))
        results[name] = SceneResult(
            known.hours + take_s / 3600,
            {kind: known.tallies[kind] + tallies[kind] for kind in KINDS},
            known.violations + violations,
        )
    return results


def table(results: dict[str, SceneResult]) -> str:
    """Give the results as lines of text: false and missed per hour with their 95 % intervals."""
    lines = [
        f"{'scene':24}{'hours':>6}  {'gesture':8}{'done':>6}{'seen':>6}{'false':>6}"
        f"{'false per hour (95 %)':>24}{'missed per hour (95 %)':>25}"
    ]
    for name, result in results.items():
        for kind, tally in result.tallies.items():
            if kind == "tap" and not tally.done and not tally.false:
                continue
            false, missed = result.false_per_hour(kind), result.missed_per_hour(kind)
            missed_text = f"{missed.low:.2f} to {missed.high:.2f}" if tally.done else "-"
            lines.append(
                f"{name:24}{result.hours:6.1f}  {kind:8}{tally.done:6}{tally.recognised:6}"
                f"{tally.false:6}{f'{false.low:.2f} to {false.high:.2f}':>24}{missed_text:>25}"
            )
            name = ""
        lines += [f"violation: {line}" for line in result.violations]
    return "\n".join(lines)


def _played(job: tuple[str, str, int]) -> tuple[dict[str, Tally], tuple[str, ...]]:
    name, seed, take_s = job
    return run(_play(SCENES[name], seed, take_s))


async def _play(scene: Scene, seed: str, take_s: int) -> tuple[dict[str, Tally], tuple[str, ...]]:
    loop = asyncio.get_running_loop()
    rng = Random(f"scene {seed}")
    plan = Plan()
    hand = Hand(rng, scene.room(rng))
    end_us = take_s * S
    # The room is known from one look at the beginning, as in play.
    hand.lift(S)
    t_us = hand.cover(3 * S) + 2 * S
    while t_us < end_us - 15 * S:
        t_us = scene.acting(hand, rng, t_us, plan)
    board = SimulatedBoard(seed, loop)
    board.acceleration, board.illuminance = hand.acceleration, hand.illuminance
    for press in plan.presses:
        loop.call_at(press.down_us / 1e6, board.touch, True)
        loop.call_at(press.up_us / 1e6, board.touch, False)
    found = await _listen(board, assemble(board.bus, board.bus.execute, board.gpio, loop), end_us)
    tallies = {
        "lift": _tally(plan.lift, found["lift"], 0),
        "shake": _tally(plan.shake, found["shake"], ROLL_WITHIN_US),
        "tap": _tally(plan.tap, found["tap"], TAP_WITHIN_US),
    }
    if not scene.counts_lifts:
        tallies["lift"] = Tally(false=tallies["lift"].false)
    return tallies, tuple(board.violations)


async def _listen(board: SimulatedBoard, parts: Board, end_us: int) -> dict[str, list[int]]:
    """Run the sensors of a board into the recognizer; returns the times of gestures by kind."""
    loop = asyncio.get_running_loop()
    recognizer = Recognizer()
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}

    def feed(reading: AccelBatch | Light | Touch) -> None:
        for gesture in recognizer.feed(reading, now_us(loop)):
            if gesture.t_us < 5 * S:
                continue
            if isinstance(gesture, Lifted):
                found["lift"].append(gesture.t_us)
            elif isinstance(gesture, Shaken):
                found["shake"].append(gesture.t_us)
            elif isinstance(gesture, Tap):
                found["tap"].append(gesture.t_us)

    async def see() -> None:
        await parts.bus.run(parts.light.begin, Priority.LIGHT)
        await parts.bus.run(parts.light.fast, Priority.LIGHT)
        await asyncio.sleep(SETTLE_US / 1e6)
        last, fresh_us = -1, 0
        while True:
            counts = await parts.bus.run(parts.light.read, Priority.LIGHT)
            t_us = now_us(loop)
            fresh = counts != last or t_us - fresh_us >= FRESH_US
            if fresh:
                last, fresh_us = counts, t_us
            feed(Light(t_us, counts, fresh))
            await asyncio.sleep(LIGHT_SOON_S if recognizer.lift_suspected else LIGHT_PERIOD_S)

    pad = TouchPad(parts.gpio, TOUCH_BCM, lambda t_us, down: feed(Touch(t_us, down)), loop)
    eyes = asyncio.ensure_future(see())
    try:
        await parts.bus.run(parts.accelerometer.begin, Priority.MOTION)
        while now_us(loop) < end_us:
            await parts.motion_pin.wait(5 * BATCH_S)
            drained = await parts.bus.run(parts.accelerometer.drain, Priority.MOTION)
            feed(AccelBatch(now_us(loop), drained.xyz, overrun=drained.overrun))
    finally:
        eyes.cancel()
        await asyncio.gather(eyes, return_exceptions=True)
        pad.close()
        parts.motion_pin.close()
        board.close()
    return found


def _tally(done: list[tuple[int, int]], found: list[int], late_us: int) -> Tally:
    """Match gestures to what was done; what falls to nothing, or second to something, is false."""
    fallen = [0] * len(done)
    false = 0
    for t_us in found:
        index = next(
            (
                n
                for n, (start_us, end_us) in enumerate(done)
                if start_us <= t_us <= end_us + late_us
            ),
            None,
        )
        if index is None:
            false += 1
        else:
            fallen[index] += 1
    false += sum(count - 1 for count in fallen if count > 1)
    return Tally(len(done), fallen.count(1), false)


def _between(rng: Random, low_s: float, high_s: float) -> int:
    return round(rng.uniform(low_s, high_s) * S)
