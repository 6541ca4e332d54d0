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
from concurrent.futures import ProcessPoolExecutor
from contextlib import aclosing
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from statistics import median
from typing import Any, Final, NamedTuple

from drivers.bus import Priority
from drivers.time import now_us
from drivers.ttp223 import TouchPad
from firmware.input.gestures.gesture import Lifted, Shaken, Tap
from firmware.input.gestures.recognizer import Recognizer
from firmware.input.gestures.samples import Input, Touch
from firmware.runtime.board import Board
from firmware.runtime.light import pause_s
from firmware.runtime.sensors import BATCH_WAIT_S, begin_light, light_readings, motion_batches
from hw_sim.board.netlist import TOUCH_BCM
from hw_sim.steckbrett.clock.virtual import run
from hw_sim.trials.gestures.intervals import (
    EventTally,
    Interval,
    count_interval,
    matched,
    rounded,
    share_interval,
)
from hw_sim.trials.gestures.recorded import ROLL_WITHIN_US, TAP_WITHIN_US
from hw_sim.trials.gestures.scenes import SCENES, TAKE_S, Plan, S, Scene
from hw_sim.trials.gestures.stage import staged

SETTLED_US: Final = 5 * S
"""Gestures before this belong to the first look."""
KINDS: Final = ("lift", "shake", "tap", "flick")


class SceneResult(NamedTuple):
    """All takes of a scene: hours, and by kind of gesture what came of it.

    ``lift_ms``: for each lift, from the first movement of the thumb until it is recognised.
    ``violations``: what the parts complained of.
    """

    hours: float = 0.0
    tallies: dict[str, EventTally] = dict.fromkeys(KINDS, EventTally())
    lift_ms: tuple[float, ...] = ()
    violations: tuple[str, ...] = ()

    def __add__(self, other: object) -> "SceneResult":
        """Put two together."""
        if not isinstance(other, SceneResult):
            return NotImplemented
        return SceneResult(
            self.hours + other.hours,
            {kind: self.tallies[kind] + other.tallies[kind] for kind in KINDS},
            self.lift_ms + other.lift_ms,
            self.violations + other.violations,
        )

    def false_per_hour(self, kind: str) -> Interval:
        """Return the 95 % interval of false gestures of a kind per hour."""
        count = count_interval(self.tallies[kind].false)
        return Interval(count.low / self.hours, count.high / self.hours)

    def missed_per_hour(self, kind: str) -> Interval:
        """Return the 95 % interval of missed gestures of a kind per hour."""
        tally = self.tallies[kind]
        count = count_interval(tally.done - tally.recognised)
        return Interval(count.low / self.hours, count.high / self.hours)

    def recognised_share(self, kind: str) -> Interval | None:
        """Return the 95 % interval of the share that is recognised; None where nobody did any."""
        tally = self.tallies[kind]
        return share_interval(tally.recognised, tally.done) if tally.done else None

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values for JSON; rates and shares are pairs: low, high (95 %)."""
        told: dict[str, Any] = {"hours": round(self.hours, 3), "violations": list(self.violations)}
        if self.lift_ms:
            told["lift_ms"] = {"median": median(self.lift_ms), "most": max(self.lift_ms)}
        for kind, tally in self.tallies.items():
            told[kind] = {
                **tally._asdict(),
                "false_per_hour_95": rounded(self.false_per_hour(kind)),
                "missed_per_hour_95": rounded(self.missed_per_hour(kind)),
                "recognised_share_95": rounded(self.recognised_share(kind)),
            }
        return told


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
    for (name, _, _), result in zip(jobs, played):
        results[name] = results[name] + result if name in results else result
    return results


def table(results: dict[str, SceneResult]) -> str:
    """Return the results as lines of text: shares and rates with their 95 % intervals."""
    lines = [
        f"{'scene':24}{'hours':>6}  {'gesture':8}{'done':>6}{'seen':>6}{'recognised (95 %)':>20}"
        f"{'false':>7}{'per hour (95 %)':>17}{'missed per hour':>17}"
    ]
    whole = SceneResult()
    for name, result in results.items():
        lines += _rows(name, result)
        whole += result
    if len(results) > 1:
        lines += _rows("all of them", whole)
    if whole.lift_ms:
        late_ms = sorted(whole.lift_ms)
        lines.append(
            f"lifts are told {median(late_ms):.0f} ms after the thumb begins to move, "
            f"95 % of them within {late_ms[int(0.95 * len(late_ms))]:.0f} ms"
        )
    return "\n".join(lines + [f"violation: {line}" for line in whole.violations])


def _rows(name: str, result: SceneResult) -> list[str]:
    rows = []
    for kind, tally in result.tallies.items():
        if kind in ("tap", "flick") and not tally.done and not tally.false:
            continue
        false, missed = result.false_per_hour(kind), result.missed_per_hour(kind)
        share = result.recognised_share(kind)
        share_text = "-" if share is None else f"{share.low:.1%} to {share.high:.1%}"
        missed_text = f"{missed.low:.2f} to {missed.high:.2f}" if tally.done else "-"
        rows.append(
            f"{name:24}{f'{result.hours:.1f}' if name else '':>6}  {kind:8}{tally.done:6}"
            f"{tally.recognised:6}{share_text:>20}{tally.false:7}"
            f"{f'{false.low:.2f} to {false.high:.2f}':>17}{missed_text:>17}"
        )
        name = ""
    return rows


def _played(job: tuple[str, str, int]) -> SceneResult:
    name, seed, take_s = job
    return run(_play(SCENES[name], seed, take_s))


async def _play(scene: Scene, seed: str, take_s: int) -> SceneResult:
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
    return SceneResult(end_us / 3600e6, tallies, late_ms, tuple(violations))


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
        await asyncio.sleep(pause_s(suspected=recognizer.lift_suspected))
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
