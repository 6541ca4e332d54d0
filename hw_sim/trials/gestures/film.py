"""Scenes as a folder of recordings: each take as ``maexchen record`` keeps it on the Pi.

The folder goes through ``maexchen-sim gestures`` like one from a real handheld: motion, light and
touches beside it, and in ``events.csv`` what was done.
"""

from pathlib import Path

from firmware.upkeep.recording.recorder import LIFT, SHAKE, TAP, CuedGesture, Take, keep, record
from hw_sim.clock.virtual import run
from hw_sim.trials.gestures.scenes import FIRST_LOOK, SCENES, TAKE_S, S, Scene, staged


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
