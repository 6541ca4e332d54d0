"""Recordings of sensors: motion, light and touches on one clock; cues, recorder, files.

A folder of recordings holds

- ``index.csv``: one line a file, ``file,label,rate_hz,use,clips``. ``rate_hz`` is the nominal rate;
  ``use`` says what the recording can be held against (``missed-shake…``, ``false-roll…``, ``rhythm
  only (clipped)``). Other columns are ignored, and ``clips`` may be missing.
- ``events.csv``: ``file,start_s,end_s,label``, what was done between two times of a recording.
- one gzip CSV for each motion, ``NAME.csv.gz``: ``t_s,ax_mps2,ay_mps2,az_mps2``, the proper
  acceleration with gravity included (at rest 9.8 m/s²), not calibrated. Time starts at 0 and only
  grows. More than 0.5 s without a sample ends a clip; what follows has nothing to do with it.
- beside it, on the same clock, the light in ``NAME_light.csv.gz`` (``t_s,lux``) and the debounced
  pad in ``NAME_touch.csv.gz`` (``t_s,down``, 1 or 0).

Numbers without a source are chosen.
"""

import asyncio
import csv
import gzip
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from drivers import now_us
from drivers.adxl345 import COUNTS_PER_G
from drivers.bus import Priority
from drivers.light_sensor import LUX_PER_COUNT
from drivers.ttp223 import STABLE_S, TouchPad
from firmware.display.text.language import key_of
from firmware.input.gestures import SAMPLE_PERIOD_US, AccelBatch
from firmware.journal import write_file
from firmware.runtime.board import Board, begin_light, drained, light_readings


class Cue(Enum):
    """A gesture that is requested again and again."""

    SHAKE = "shake"
    LIFT = "lift"
    TAP = "tap"


class Beat(NamedTuple):
    """The times of a round of ``round_us``: the second text comes ``then_us`` after the first.

    ``then_us`` is None if there is no second text.
    """

    then_us: int | None
    round_us: int


LEAD_IN_US: Final = 3_000_000
"""The first cue comes this long after the start."""
BEFORE_NEXT_US: Final = 1_500_000
"""An event ends this long before the next round: a person reacts late."""

BEATS: Final[Mapping[Cue, Beat]] = {
    Cue.SHAKE: Beat(2_000_000, 7_000_000),
    Cue.LIFT: Beat(2_500_000, 7_000_000),
    Cue.TAP: Beat(None, 4_000_000),
}


class CueLine(NamedTuple):
    """A text to show at ``at_us`` after the start of a recording, by its key."""

    at_us: int
    key: str


class CuedGesture(NamedTuple):
    """A requested gesture between two times in µs after the start of a recording."""

    start_us: int
    end_us: int
    label: str


def asked_within(cue: Cue, seconds: float) -> tuple[CuedGesture, ...]:
    """Return the rounds that fit wholly into a recording, as events of it."""
    beat = BEATS[cue]
    starts = range(LEAD_IN_US, round(seconds * 1e6) - beat.round_us + 1, beat.round_us)
    return tuple(
        CuedGesture(start_us, start_us + beat.round_us - BEFORE_NEXT_US, cue.value)
        for start_us in starts
    )


def lines_for(cue: Cue, seconds: float) -> tuple[CueLine, ...]:
    """Return the texts of those rounds, by time."""
    beat = BEATS[cue]
    lines: list[CueLine] = []
    for asked in asked_within(cue, seconds):
        lines.append(CueLine(asked.start_us, key_of(cue, "do")))
        if beat.then_us is not None:
            lines.append(CueLine(asked.start_us + beat.then_us, key_of(cue, "then")))
    return tuple(lines)


INDEX: Final = "index.csv"
INDEX_COLUMNS: Final = "file,label,rate_hz,use,clips"
EVENTS: Final = "events.csv"
EVENT_COLUMNS: Final = "file,start_s,end_s,label"
MOTION_COLUMNS: Final = "t_s,ax_mps2,ay_mps2,az_mps2"
LIGHT_COLUMNS: Final = "t_s,lux"
TOUCH_COLUMNS: Final = "t_s,down"
CLIP_GAP_US: Final = 500_000
"""A longer time without a sample starts a new clip."""
SHAKE, LIFT, TAP = "shake", "lift", "tap"
"""Labels of shaking, lifting and tapping in recordings and events."""
MISSED_SHAKE, FALSE_ROLL, RHYTHM_ONLY = "missed-shake", "false-roll", "rhythm only"
"""Uses of a recording; the last one is cut off at the range of its sensor, so only its rhythm is
true."""


class RecordingError(ValueError):
    """A folder of recordings cannot be read or written: one line with place and remedy."""


def motion_file(name: str) -> str:
    """Return the motion file of a recording."""
    return f"{name}.csv.gz"


def beside(motion: str) -> tuple[str, str]:
    """Return the files of light and pad that belong to a motion's file."""
    stem = motion.removesuffix(".csv.gz")
    return f"{stem}_light.csv.gz", f"{stem}_touch.csv.gz"


def write_signal(path: Path, columns: str, rows: Iterable[tuple[str, ...]]) -> None:
    """Write one signal as a gzip CSV; the same rows give the same bytes. Raises OSError."""
    text = "".join(f"{line}\n" for line in (columns, *map(",".join, rows)))
    write_file(path, gzip.compress(text.encode(), mtime=0))


def append_rows(path: Path, columns: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Add lines to an index or to events; a new file begins with the columns. Raises OSError."""
    fresh = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        if fresh:
            file.write(f"{columns}\n")
        csv.writer(file, lineterminator="\n").writerows(rows)


G_MPS2: Final = 9.80665
"""Standard gravity, m/s² for 1 g."""
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
        first_us = batch.first_us + self._shift_us
        for number, (x, y, z) in enumerate(batch.xyz):
            t_us = first_us + number * SAMPLE_PERIOD_US
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
        start_us, end_us, label = asked
        self.asked.append(CuedGesture(start_us + lost_us, end_us + lost_us, label))


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
                take.add_light(reading.t_us, reading.counts * LUX_PER_COUNT)
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
    file = motion_file(name)
    light_file, touch_file = beside(file)
    use = MISSED_SHAKE if SHAKE in label else FALSE_ROLL
    listed = [
        (file, label, f"{1e6 / SAMPLE_PERIOD_US:g}", use, take.clips),
        (light_file, f"lux_{label}", f"{_rate_hz(take.light):.0f}", "light", 1),
        (touch_file, f"touch_{label}", f"{1 / STABLE_S:.0f}", "touch", 1),
    ]
    asked = [(file, seconds(start, 3), seconds(end, 3), what) for start, end, what in take.asked]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_signal(folder / file, MOTION_COLUMNS, motion)
        write_signal(folder / light_file, LIGHT_COLUMNS, light)
        write_signal(folder / touch_file, TOUCH_COLUMNS, touches)
        append_rows(folder / INDEX, INDEX_COLUMNS, listed)
        if asked:
            append_rows(folder / EVENTS, EVENT_COLUMNS, asked)
    except OSError as error:
        raise RecordingError(
            f"recordings {folder}: {error.strerror or error}: name a folder that can be written"
        ) from None
    return folder / file


def _rate_hz(light: Sequence[tuple[int, float]]) -> float:
    lasted_us = light[-1][0] - light[0][0] if light else 0
    return 1e6 * (len(light) - 1) / lasted_us if lasted_us else 0.0
