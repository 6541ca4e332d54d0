"""Scenes as a folder of recordings: each take as ``maexchen record`` keeps it on the Pi.

The folder goes through ``maexchen-sim gestures`` like one from a real handheld: motion, light and
touches beside it, and in ``events.csv`` what was done.
"""

import asyncio
from pathlib import Path
from random import Random

from firmware.cli.record import Taken, keep, record
from firmware.runtime.board import assemble
from firmware.upkeep.recording.cues import CuedGesture
from hw_sim.board.board import SimulatedBoard
from hw_sim.clock.virtual import run
from hw_sim.hand.signals.hand import Hand
from hw_sim.trials.gestures.scenes import FIRST_LOOK, SCENES, TAKE_S, Plan, S, planned


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
        CommandError: the folder cannot be written, or holds such a take already.
    """
    files = []
    for name in names or tuple(SCENES):
        label = name.replace(",", "").replace(" ", "_")
        for take in range(takes):
            taken = run(_filmed(name, f"{seed} {name} {take}", take_s), limit_s=2 * take_s + 60)
            files.append(keep(taken, Path(folder), f"{label}_{take:03d}", label))
    return files


async def _filmed(name: str, seed: str, take_s: int) -> Taken:
    loop = asyncio.get_running_loop()
    scene = SCENES[name]
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
    taken = Taken()
    try:
        await record(parts, taken, end_us / S)
    finally:
        parts.motion_pin.close()
        board.close()
    done = {"shake": plan.shake, "tap": plan.tap + plan.flick}
    if scene.counts_lifts:
        done["lift"] = [FIRST_LOOK, *plan.lift]
    taken.asked = sorted(
        CuedGesture(start_us - taken.began_us, stop_us - taken.began_us, kind)
        for kind, times in done.items()
        for start_us, stop_us in times
    )
    return taken
