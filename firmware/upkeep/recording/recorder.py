"""The recorder: motion, light and touches of one board, on one clock."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from drivers.adxl345 import COUNTS_PER_G
from drivers.bus import Priority
from drivers.time import now_us
from drivers.ttp223 import STABLE_S, TouchPad
from firmware.input.gestures.samples import SAMPLE_PERIOD_US, AccelBatch
from firmware.runtime.board import Board
from firmware.runtime.sensors import begin_light, drained, light_readings
from firmware.upkeep.recording import files
from firmware.upkeep.recording.cues import Cue, CuedGesture, asked_within, lines_for
from firmware.upkeep.recording.files import SHAKE, RecordingError, beside

G_MPS2: Final = 9.80665
LOST_US: Final = 600_000
"""Gap left at lost samples, so that a new clip begins."""


@dataclass
class Take:
    """Samples: motion in µs and counts of 1/256 g, light in µs and lux, touches in µs and down.

    The clock began at ``began_us`` of the loop's, and jumps by `LOST_US` where samples were lost.
    ``clips``: the number of losses, plus one. ``asked``: the requested gestures, on the same clock.
    """

    motion: list[tuple[int, int, int, int]] = field(default_factory=list)
    light: list[tuple[int, float]] = field(default_factory=list)
    touches: list[tuple[int, bool]] = field(default_factory=list)
    asked: list[CuedGesture] = field(default_factory=list)
    clips: int = 1
    began_us: int = 0

    @property
    def _shift_us(self) -> int:
        """How much later the loop's clock is than this one, at the end of the take."""
        return (self.clips - 1) * LOST_US - self.began_us

    def add_motion(self, batch: AccelBatch) -> None:
        """Add a batch, timed by the loop; times of samples always grow, by 1 µs at least."""
        if batch.overrun:
            self.clips += 1
        first_us = batch.t_last_us + self._shift_us - (len(batch.xyz) - 1) * batch.period_us
        for number, (x, y, z) in enumerate(batch.xyz):
            t_us = first_us + number * batch.period_us
            if self.motion:
                t_us = max(t_us, self.motion[-1][0] + 1)
            self.motion.append((t_us, x, y, z))

    def add_light(self, t_us: int, lux: float) -> None:
        """Add a conversion in lux; ``t_us``: when it was read, on the loop's clock."""
        self.light.append((t_us + self._shift_us, lux))

    def add_touch(self, t_us: int, down: bool) -> None:
        """Add a change of the pad; ``t_us``: on the loop's clock."""
        self.touches.append((t_us + self._shift_us, down))

    def ask(self, asked: CuedGesture) -> None:
        """Add a cue, its times in µs since the beginning."""
        lost_us = (self.clips - 1) * LOST_US
        self.asked.append(
            asked._replace(start_us=asked.start_us + lost_us, end_us=asked.end_us + lost_us)
        )


async def record(
    board: Board,
    take: Take,
    seconds: float,
    cue: Cue | None = None,
    say: Callable[[str], None] = lambda _key: None,
) -> None:
    """Add motion, light and touches to a take for some seconds; it keeps them when cancelled.

    ``cue`` is a gesture that is requested again and again, through ``say``, which takes a
    text's key.

    Raises:
        PartError: a part does not do its work.
    """
    loop = asyncio.get_running_loop()
    await board.bus.run(board.accelerometer.begin, Priority.MOTION)
    await begin_light(board.bus, board.light)
    lines = deque(() if cue is None else lines_for(cue, seconds))
    asked = deque(() if cue is None else asked_within(cue, seconds))
    async with aclosing(light_readings(board.bus, board.light)) as readings:
        first = await anext(readings)
        await board.bus.run(board.accelerometer.drain, Priority.MOTION)
        take.began_us = first.t_us
        pad = TouchPad(board.gpio, board.touch_pin, take.add_touch, loop)
        try:
            async for reading in readings:
                passed_us = now_us(loop) - take.began_us
                if passed_us >= seconds * 1e6:
                    break
                if lines and lines[0].at_us <= passed_us:
                    say(lines.popleft().key)
                if asked and asked[0].start_us <= passed_us:
                    take.ask(asked.popleft())
                take.add_light(reading.t_us, board.light.lux(reading.counts))
                take.add_motion(await drained(board.bus, board.accelerometer))
        finally:
            pad.close()
    await board.bus.run(board.light.shut_down, Priority.LIGHT)
    await board.bus.run(board.accelerometer.watch_for_motion, Priority.MOTION)


def keep(take: Take, folder: Path, name: str, label: str) -> Path:
    """Write a take into a folder of recordings; return the path of its motion file.

    Time 0 is the first sample of motion; light and touches before it are left out.

    Raises:
        RecordingError: the folder cannot be written.
    """
    start_us = take.motion[0][0] if take.motion else 0
    scale = G_MPS2 / COUNTS_PER_G

    def seconds(t_us: int, places: int = 6) -> str:
        return f"{(t_us - start_us) / 1e6:.{places}f}"

    motion = [
        (seconds(t_us), *(f"{value * scale:.3f}" for value in xyz)) for t_us, *xyz in take.motion
    ]
    light = [(seconds(t_us), f"{lux:.2f}") for t_us, lux in take.light if t_us >= start_us]
    touches = [(seconds(t_us), str(int(down))) for t_us, down in take.touches if t_us >= start_us]
    file = files.motion_file(name)
    light_file, touch_file = beside(file)
    use = files.MISSED_SHAKE if SHAKE in label else files.FALSE_ROLL
    listed = [
        (file, label, f"{1e6 / SAMPLE_PERIOD_US:g}", use, take.clips),
        (light_file, f"lux_{label}", f"{_rate_hz(take.light):.0f}", "light", 1),
        (touch_file, f"touch_{label}", f"{1 / STABLE_S:.0f}", "touch", 1),
    ]
    asked = [(file, seconds(start, 3), seconds(end, 3), what) for start, end, what in take.asked]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.write_signal(folder / file, files.MOTION_COLUMNS, motion)
        files.write_signal(folder / light_file, files.LIGHT_COLUMNS, light)
        files.write_signal(folder / touch_file, files.TOUCH_COLUMNS, touches)
        files.append_rows(folder / files.INDEX, files.INDEX_COLUMNS, listed)
        if asked:
            files.append_rows(folder / files.EVENTS, files.EVENT_COLUMNS, asked)
    except OSError as error:
        raise RecordingError(
            f"recordings {folder}: {error.strerror or error}: name a folder that can be written"
        ) from None
    return folder / file


def _rate_hz(light: Sequence[tuple[int, float]]) -> float:
    lasted_us = light[-1][0] - light[0][0] if light else 0
    return 1e6 * (len(light) - 1) / lasted_us if lasted_us else 0.0
