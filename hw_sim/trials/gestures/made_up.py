"""Scenes that no recording covers: lifting in bad light, and what must not be a lift or a throw.

Everything is made up (`hw_sim.hand.signals.hand`, `hw_sim.hand.signals.light`), goes through the
registers of simulated parts, the drivers and the recognizer, and is counted by scene:

- A *lift*, *shake* or *tap* is recognised when exactly one gesture of its kind falls to it: a lift
  from its start until the cup is covered again, a shake until 1.5 s after its end, a tap until
  0.5 s after. Others of these gestures are false.
- A *flick* is a tap too short for a pad that dozes: below 0.22 s, 11.5 s or more after the touch
  before. The recognizer cannot see a touch that the pad misses, so flicks are counted apart.
- In the dark nobody can lift: there a lift counts neither as recognised nor as missed.

Made-up scenes prove nothing about real hands; they show what the recognizer does if light and hands
are like that.
"""

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Final

from drivers.bus import Priority
from drivers.time import now_us
from drivers.ttp223 import TouchPad
from firmware.input.gestures.gesture import Input, Lifted, Shaken, Tap, Touch
from firmware.input.gestures.recognizer import Recognizer
from firmware.runtime.board import (
    BATCH_WAIT_S,
    Board,
    begin_light,
    light_readings,
    motion_batches,
    pause_s,
)
from hw_sim.board.board import TOUCH_BCM
from hw_sim.clock.virtual import run
from hw_sim.trials.gestures.recorded import ROLL_WITHIN_US, TAP_WITHIN_US
from hw_sim.trials.gestures.results import (
    EventTally,
    TrialResult,
    each_done,
    matched,
    summed,
)
from hw_sim.trials.gestures.scenes import SCENES, TAKE_S, Plan, S, Scene, staged

SETTLED_US: Final = 5 * S
"""Gestures before this belong to the first look."""


def run_scenes(
    takes: int = 12,
    seed: int | str = 0,
    processes: int | None = None,
    names: tuple[str, ...] = (),
    take_s: int = TAKE_S,
) -> dict[str, TrialResult]:
    """Play ``takes`` takes of ``take_s`` of every scene (or of those named) and sum them up.

    ``processes``: see `each_done`.

    Raises:
        KeyError: there is no such scene.
    """
    chosen = names or tuple(SCENES)
    jobs = [(name, f"{seed} {name} {take}", take_s) for name in chosen for take in range(takes)]
    return summed(each_done(_played, jobs, processes))


def _played(job: tuple[str, str, int]) -> tuple[str, TrialResult]:
    name, seed, take_s = job
    return name, run(_play(SCENES[name], seed, take_s))


async def _play(scene: Scene, seed: str, take_s: int) -> TrialResult:
    with staged(scene, seed, take_s) as (plan, end_us, parts, violations):
        found = await _listen(parts, end_us)
    flicked, tapped = _parted(found["tap"], plan)
    tallies = {
        "lift": matched(plan.lift, found["lift"], 0),
        "shake": matched(plan.shake, found["shake"], ROLL_WITHIN_US),
        "tap": matched(plan.tap, tapped, TAP_WITHIN_US),
        "flick": matched(plan.flick, flicked, TAP_WITHIN_US),
    }
    if not scene.counts_lifts:
        tallies["lift"] = EventTally(false=tallies["lift"].false)
    late_ms = tuple(
        (t_us - start_us) / 1000
        for start_us, stop_us in plan.lift
        for t_us in found["lift"]
        if start_us <= t_us <= stop_us and scene.counts_lifts
    )
    return TrialResult(end_us / 3600e6, tallies, 0, late_ms, tuple(violations))


def _parted(taps: list[int], plan: Plan) -> tuple[list[int], list[int]]:
    """Tell the taps that fall to a flick from the others."""
    flicked = [
        t_us
        for t_us in taps
        if any(start_us <= t_us <= end_us + TAP_WITHIN_US for start_us, end_us in plan.flick)
    ]
    return flicked, [t_us for t_us in taps if t_us not in flicked]


async def _listen(parts: Board, end_us: int) -> dict[str, list[int]]:
    """Run the sensors of a board into a recognizer; returns the times of gestures by kind."""
    loop = asyncio.get_running_loop()
    recognizer = Recognizer()
    found: dict[str, list[int]] = {"lift": [], "shake": [], "tap": []}
    kinds = {Lifted: found["lift"], Shaken: found["shake"], Tap: found["tap"]}

    def feed(reading: Input) -> None:
        for gesture in recognizer.feed(reading, now_us(loop)):
            if gesture.t_us >= SETTLED_US and type(gesture) in kinds:
                kinds[type(gesture)].append(gesture.t_us)

    async def pace() -> bool:
        await asyncio.sleep(pause_s(suspected=recognizer.light.lift_suspected))
        return True

    async def watch_light() -> None:
        await begin_light(parts.bus, parts.light)
        async for reading in light_readings(parts.bus, parts.light, pace):
            feed(reading)

    pad = TouchPad(parts.gpio, TOUCH_BCM, lambda t_us, down: feed(Touch(t_us, down)), loop)
    eyes = asyncio.ensure_future(watch_light())
    try:
        await parts.bus.run(parts.accelerometer.begin, Priority.MOTION)
        due = partial(parts.motion_pin.wait, BATCH_WAIT_S)
        async with aclosing(motion_batches(parts.bus, parts.accelerometer, due)) as batches:
            async for batch in batches:
                feed(batch)
                if now_us(loop) >= end_us:
                    break
    finally:
        eyes.cancel()
        await asyncio.gather(eyes, return_exceptions=True)
        pad.close()
    return found
