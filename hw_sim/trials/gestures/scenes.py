"""Scenes: made-up people and rooms, each taken on a simulated board; and as recordings in a folder.

Each take is kept as ``maexchen record`` keeps it on the Pi. The folder goes through
``maexchen-sim gestures`` like one from a real handheld: motion, light and touches beside it, and in
``events.csv`` what was done.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from firmware.runtime.board import Board, assemble
from firmware.upkeep.recording import LIFT, SHAKE, TAP, CuedGesture, Take, keep, record
from hw_sim.board import SimulatedBoard
from hw_sim.clock import run
from hw_sim.hand.signals.hand import Hand, Press
from hw_sim.hand.signals.light import CANDLE_FLICKER, MAINS_FLICKER, LightScene

S: Final = 1_000_000
"""One second in µs, by definition."""
TAKE_S: Final = 300
"""Usual length of one take: one person, one room; at most that; chosen."""
FIRST_LOOK: Final = (S, 3 * S)
"""The times of the first lift and of the cover after it, in µs; chosen."""
UNHEARD_US: Final = 2 * S
"""A take goes on for this time after the last action in it; chosen."""
DOZES_AFTER_US: Final = 11_500_000
"""A pad that was touched this shortly before is awake (TTP223, data sheet: 12 s)."""
SEEN_WHEN_DOZING_US: Final = 220_000
"""The shortest touch that a dozing pad is sure to see (TTP223, data sheet: response in low-power
mode)."""


@dataclass
class Plan:
    """A person's actions in a take: intervals in µs by kind, and touches of the pad.

    A ``flick`` is a touch so short that the pad, which dozes, may not see it.
    """

    lift: list[tuple[int, int]] = field(default_factory=list)
    shake: list[tuple[int, int]] = field(default_factory=list)
    tap: list[tuple[int, int]] = field(default_factory=list)
    flick: list[tuple[int, int]] = field(default_factory=list)
    presses: list[Press] = field(default_factory=list)

    def touch(self, press: Press) -> int:
        """Add a touch as a tap or, if it is too short, a flick; returns its end in µs."""
        self.presses.append(press)
        awake = bool(self.tap) and press.down_us - self.tap[-1][1] < DOZES_AFTER_US
        if awake or press.up_us - press.down_us >= SEEN_WHEN_DOZING_US:
            self.tap.append(press)
        else:
            self.flick.append(press)
        return press.up_us


Acting = Callable[[Hand, Random, int, Plan], int]
"""Plans the next thing from a time in µs on; returns when it has ended."""


class Scene(NamedTuple):
    """A room and what is done in it.

    ``counts_lifts``: whether it is bright enough to lift; else lifts count neither as recognised
    nor as missed.
    """

    room: Callable[[Random], LightScene]
    acting: Acting
    counts_lifts: bool = True


def planned(scene: Scene, hand: Hand, rng: Random, plan: Plan, take_s: int) -> int:
    """Plan a take of about ``take_s``; returns when all of it is over, in µs.

    It begins with one look, for in play the room is known.
    """
    hand.lift(FIRST_LOOK[0])
    t_us = hand.cover(FIRST_LOOK[1]) + 2 * S
    while t_us < (take_s - 15) * S:
        t_us = scene.acting(hand, rng, t_us, plan)
    return max(take_s * S, t_us + UNHEARD_US)


# ---- what people do ------------------------------------------------------------------------------


def _lifting(hand: Hand, rng: Random, t_us: int, plan: Plan) -> int:
    start_us = t_us + _between(rng, 2.0, 6.0)
    hand.lift(start_us)
    end_us = hand.cover(start_us + _between(rng, 1.0, 4.0))
    plan.lift.append((start_us, end_us))
    return end_us


def _lifting_slowly(hand: Hand, rng: Random, t_us: int, plan: Plan) -> int:
    start_us = t_us + _between(rng, 2.0, 6.0)
    opened_us = hand.lift(start_us, rng.uniform(0.4, 1.0))
    end_us = hand.cover(opened_us + _between(rng, 0.5, 3.0))
    plan.lift.append((start_us, end_us))
    return end_us


def _shaking(hand: Hand, rng: Random, t_us: int, plan: Plan) -> int:
    start_us = t_us + _between(rng, 1.0, 4.0)
    end_us = hand.shake(start_us, rng.uniform(0.8, 2.4), vigour=rng.uniform(0.85, 1.15))
    plan.shake.append((start_us, end_us))
    if rng.randrange(3) == 0:
        end_us = hand.level(hand.tilt(end_us + 2 * S, rng.uniform(-40, 40), 0.0) + S)
    return end_us + 2 * S


def _tapping(hand: Hand, rng: Random, t_us: int, plan: Plan) -> int:
    """Tap on a pad that is awake, or has gone to doze; short taps too."""
    t_us = plan.touch(hand.tap(t_us + _between(rng, 1.0, 16.0)))
    for _ in range(rng.randrange(4)):
        start_us = t_us + _between(rng, 0.5, 3.0)
        t_us = plan.touch(hand.hold(start_us, rng.uniform(0.08, 0.42)))
    if rng.randrange(3) == 0:
        t_us = hand.level(hand.tilt(t_us + S, rng.uniform(-35, 35), 0.0) + S)
    return t_us


def _playing(hand: Hand, rng: Random, t_us: int, plan: Plan) -> int:
    """Shake, look, tilt, tap: a turn."""
    start_us = t_us + _between(rng, 1.0, 3.0)
    length_s = rng.uniform(1.0, 2.2)
    end_us = hand.shake(start_us, length_s, vigour=rng.uniform(0.9, 1.1))
    plan.shake.append((start_us, end_us))
    t_us = _lifting(hand, rng, end_us + 2 * S, plan)
    t_us = hand.level(hand.tilt(t_us + S, rng.uniform(-35, 35), 0.0) + S)
    return plan.touch(hand.tap(t_us + 2 * S)) + S


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


def _going(longest_s: float, step_hz: tuple[float, float], bounce_g: tuple[float, float]) -> Acting:
    def acting(hand: Hand, rng: Random, t_us: int, _plan: Plan) -> int:
        lasts_s = rng.uniform(8.0, longest_s)
        end_us = hand.walk(t_us, lasts_s, rng.uniform(*step_hz), rng.uniform(*bounce_g))
        return end_us + _between(rng, 1.0, 4.0)

    return acting


def _lifting_on_the_bus(hand: Hand, rng: Random, t_us: int, plan: Plan) -> int:
    end_us = _lifting(hand, rng, t_us, plan)
    hand.ride(t_us, (end_us - t_us) / S, rng.uniform(0.7, 2.5))
    return end_us


def _knocking(hand: Hand, rng: Random, t_us: int, _plan: Plan) -> int:
    for _ in range(rng.randrange(1, 6)):
        hand.knock(t_us)
        t_us += _between(rng, 0.12, 0.4)
    return t_us + _between(rng, 0.7, 2.0)


def _dropping(hand: Hand, rng: Random, t_us: int, _plan: Plan) -> int:
    t_us = hand.drop(t_us + _between(rng, 1.0, 3.0)) + _between(rng, 1.0, 3.0)
    return hand.take_up(t_us)


def _tilting(hand: Hand, rng: Random, t_us: int, _plan: Plan) -> int:
    t_us = hand.tilt(t_us, rng.uniform(-50, 50), rng.uniform(-30, 30)) + _between(rng, 0.3, 1.0)
    return hand.level(t_us) + _between(rng, 0.3, 1.5)


# ---- rooms ---------------------------------------------------------------------------------------


def _lit(least_lux: float, most_lux: float, **flicker: float) -> Callable[[Random], LightScene]:
    return lambda rng: LightScene(rng, rng.uniform(least_lux, most_lux), **flicker)


_Seconds = tuple[float, float]


def _changes(rng: Random, waits_s: _Seconds, stays_s: _Seconds) -> Iterator[tuple[int, bool]]:
    """Yield when the light of a room changes, in µs, and whether it is then as usual again."""
    t_us = 10 * S
    while t_us < TAKE_S * S:
        t_us += _between(rng, *waits_s)
        yield t_us, False
        t_us += _between(rng, *stays_s)
        yield t_us, True


def _torch(rng: Random) -> LightScene:
    """Somebody's torch passes over the table now and then, ten times as bright as the room."""
    lux = rng.uniform(8.0, 20.0)
    scene = LightScene(rng, lux, candle_flicker=0.05)
    for t_us, usual in _changes(rng, (8.0, 25.0), (0.3, 2.0)):
        scene.jump(t_us, lux if usual else lux * rng.uniform(4.0, 10.0), 0.2)
    return scene


def _switched(rng: Random) -> LightScene:
    """The lamp is switched on and off: three to eight times as bright, and back."""
    lux = rng.uniform(8.0, 30.0)
    scene = LightScene(rng, lux, mains_flicker=0.1)
    for t_us, usual in _changes(rng, (15.0, 40.0), (15.0, 40.0)):
        scene.jump(t_us, lux if usual else lux * rng.uniform(3.0, 8.0))
    return scene


def _dimmed(rng: Random) -> LightScene:
    """The light is dimmed and turned up again, at once or within seconds."""
    lux = rng.uniform(30.0, 200.0)
    scene = LightScene(rng, lux, mains_flicker=0.1)
    for t_us, usual in _changes(rng, (15.0, 60.0), (15.0, 60.0)):
        level_lux = lux if usual else lux / rng.uniform(2.0, 8.0)
        scene.jump(t_us, level_lux, rng.choice((0.05, 1.0, 5.0)))
    return scene


def _bus(rng: Random) -> LightScene:
    """Shade and sun through the windows, every few seconds."""
    scene = LightScene(rng, 200.0)
    t_us = 5 * S
    while t_us < TAKE_S * S:
        t_us += _between(rng, 1.0, 8.0)
        scene.jump(t_us, rng.uniform(60.0, 1200.0), rng.uniform(0.1, 1.0))
    return scene


_CANDLE: Final = _lit(5.0, 20.0, candle_flicker=CANDLE_FLICKER)

SCENES: Final[dict[str, Scene]] = {
    "lifting, daylight": Scene(LightScene.day, _lifting),
    "lifting, dim": Scene(_lit(4.0, 10.0), _lifting),
    "lifting, flickering": Scene(_lit(10.0, 60.0, mains_flicker=MAINS_FLICKER), _lifting),
    "lifting, candle": Scene(_CANDLE, _lifting),
    "lifting, torch": Scene(_torch, _lifting),
    "lifting, lamp switched": Scene(_switched, _lifting),
    "lifting, lamp dimmed": Scene(_dimmed, _lifting),
    "lifting, slowly": Scene(LightScene.pub, _lifting_slowly),
    "lifting, bus ride": Scene(_bus, _lifting_on_the_bus),
    "lifting, dark room": Scene(LightScene.dark, _lifting, counts_lifts=False),
    "covered, torch": Scene(_torch, _sitting),
    "covered, lamp switched": Scene(_switched, _sitting),
    "covered, candle": Scene(_CANDLE, _sitting),
    "putting down": Scene(LightScene.pub, _putting_down),
    "knocking": Scene(LightScene.pub, _knocking),
    "tilting": Scene(LightScene.pub, _tilting),
    "dropping": Scene(LightScene.pub, _dropping),
    "walking": Scene(LightScene.day, _going(20.0, (1.6, 2.2), (0.12, 0.4))),
    "running": Scene(LightScene.day, _going(15.0, (2.4, 3.0), (0.5, 0.9))),
    "bus ride": Scene(_bus, _riding),
    "shaking": Scene(LightScene.pub, _shaking),
    "tapping": Scene(LightScene.pub, _tapping),
    "play, pub": Scene(LightScene.pub, _playing),
}
"""By name. A run is one with the handheld held in front; swung at the arm's end it can pass for a
shake."""


def _between(rng: Random, low_s: float, high_s: float) -> int:
    return round(rng.uniform(low_s, high_s) * S)


class Staged(NamedTuple):
    """A take that can be sensed.

    Attributes:
        plan: what is done when.
        end_us: when all of it is over.
        parts: the drivers of the board.
        violations: what the parts complained of so far.
    """

    plan: Plan
    end_us: int
    parts: Board
    violations: list[str]


@contextmanager
def staged(scene: Scene, seed: str, take_s: int) -> Iterator[Staged]:
    """Stage a take of about ``take_s`` on the running loop; ``seed`` decides all of it."""
    loop = asyncio.get_running_loop()
    rng = Random(f"scene {seed}")
    plan = Plan()
    hand = Hand(rng, scene.room(rng))
    end_us = planned(scene, hand, rng, plan, take_s)
    board = SimulatedBoard(seed, loop)
    board.acceleration, board.illuminance = hand.acceleration, hand.illuminance
    for press in plan.presses:
        loop.call_at(press.down_us / 1e6, board.touch, True)
        loop.call_at(press.up_us / 1e6, board.touch, False)
    parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
    try:
        yield Staged(plan, end_us, parts, board.violations)
    finally:
        parts.motion_pin.close()
        board.close()


def film(
    folder: str | Path,
    takes: int = 1,
    seed: int | str = 0,
    names: tuple[str, ...] = (),
    take_s: int = TAKE_S,
) -> list[Path]:
    """Record ``takes`` takes of ``take_s`` of every scene (or of those named) into a folder.

    Returns the files of the motion. A scene too dark to lift has no lifts among its events.

    Raises:
        KeyError: there is no such scene.
        RecordingError: the folder cannot be written.
    """
    files = []
    for name in names or tuple(SCENES):
        label = name.replace(",", "").replace(" ", "_")
        for number in range(takes):
            filming = _filmed(SCENES[name], f"{seed} {name} {number}", take_s)
            take = run(filming, limit_s=2 * take_s + 60)
            files.append(keep(take, Path(folder), f"{label}_{number:03d}", label))
    return files


async def _filmed(scene: Scene, seed: str, take_s: int) -> Take:
    take = Take()
    with staged(scene, seed, take_s) as (plan, end_us, parts, _):
        await record(parts, take, end_us / S)
    done = {SHAKE: plan.shake, TAP: plan.tap + plan.flick}
    if scene.counts_lifts:
        done[LIFT] = [FIRST_LOOK, *plan.lift]
    take.asked = sorted(
        CuedGesture(start_us - take.began_us, stop_us - take.began_us, kind)
        for kind, times in done.items()
        for start_us, stop_us in times
    )
    return take
