"""A calibration: what is peculiar to a handheld and its player, measured step by step on a board.

The guide is pure: timed samples of motion and light go in; the current step, its progress, and a
complaint about an impossible measurement come out. A step is repeated after a complaint. After
`MOST_COMPLAINTS` in one step, or `PATIENCE_US` without an event, the guide gives up, and nothing is
stored.

Numbers without a source are chosen.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import asdict
from enum import Enum
from functools import partial
from math import atan2 as arc
from math import degrees, hypot, log, sqrt
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from drivers import now_us
from drivers.bus import Priority
from drivers.light_sensor import LUX_PER_COUNT
from drivers.panel import pack
from firmware.display.oled import font
from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.canvas import FULL, Align, Canvas, wrapped
from firmware.display.text.language import ENGLISH, Language, key_of, say
from firmware.input.gestures import (
    MOST_COUNTS,
    MOST_GAIN,
    MOST_OFFSET_COUNTS,
    UNCALIBRATED,
    AccelBatch,
    Calibration,
    CalibrationError,
    Counts,
    Covered,
    Light,
    Uncovered,
)
from firmware.input.gestures.light import (
    LEAST_CONTRAST,
    LEAST_LEAK_LUX,
    LEAST_OPEN_COUNTS,
    LX_PER_COUNT,
    MOST_LEAK_SHARE,
    LightWatch,
)
from firmware.input.gestures.shake import COUNTS_PER_G, LEAST_MEAN, ShakeDetector, ShakeStage
from firmware.journal import write_file
from firmware.runtime.board import Board, begin_light, drained, light_readings

GuideStep = Enum("GuideStep", "PUT_DOWN UNCOVER COVER LIFT SHAKE TILT DONE GIVEN_UP")
"""The instruction of each step: a title for the panel, and a sentence."""

Complaint = Enum(
    "Complaint",
    "UPSIDE_DOWN NOT_LEVEL NO_GRAVITY TOO_DARK NO_CONTRAST TOO_WEAK TILTED_LEFT NOTHING",
)
"""Impossible measurements; ``NOTHING`` happened for so long that the guide gave up."""


def summary(calibration: Calibration, language: Language) -> list[str]:
    """Return the results, a line each."""
    off_mg = max(map(abs, calibration.offset_counts)) * 1000 / COUNTS_PER_G
    lines = [say("calibration.LEVEL", language, off=off_mg)]
    dark, bright = calibration.dark_counts, calibration.open_counts
    if dark is not None and bright is not None:
        lift = LightWatch(dark, bright).lift_threshold_counts
        dark_lux, bright_lux, lift_lux = (LX_PER_COUNT * each for each in (dark, bright, lift))
        lines.append(
            say("calibration.LIGHT", language, dark=dark_lux, bright=bright_lux, lift=lift_lux)
        )
        if bright >= MOST_COUNTS:
            lines.append(say("calibration.SATURATED", language))
        elif dark > max(MOST_LEAK_SHARE * bright, LEAST_LEAK_LUX / LX_PER_COUNT):
            lines.append(say("calibration.LOOSE", language, share=dark / bright))
    lines.append(say("calibration.SHAKE", language, gain=calibration.shake_gain))
    return lines


NAME: Final = "calibration.json"


def beside(journal: Path) -> Path:
    """Return the path of a handheld's calibration, beside its journal."""
    return journal.with_name(NAME)


def load(path: Path) -> Calibration:
    """Read a calibration; a missing file gives `UNCALIBRATED`.

    Raises:
        CalibrationError: the file is invalid or unreadable.
    """
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        x, y, z = (int(value) for value in data["offset_counts"])
        return Calibration(
            (x, y, z),
            float(data["shake_gain"]),
            _number(data["dark_counts"]),
            _number(data["open_counts"]),
        )
    except FileNotFoundError:
        return UNCALIBRATED
    except OSError as error:
        raise CalibrationError(f"calibration {path}: {error.strerror}: check the path") from None
    except CalibrationError as error:
        raise CalibrationError(f"calibration {path}: {error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CalibrationError(
            f"calibration {path}: makes no sense: remove it and run maexchen calibrate"
        ) from None


def save(calibration: Calibration, path: Path) -> None:
    """Write a calibration, whole or not at all.

    Raises:
        CalibrationError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(asdict(calibration), indent=1) + "\n")
    except OSError as error:
        raise CalibrationError(
            f"calibration {path}: {error.strerror}: name a file that can be written"
        ) from None


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


MOST_COMPLAINTS: Final = 3
"""Tries of one step, after which the guide gives up."""
PATIENCE_US: Final = 45_000_000
STILL_SAMPLES: Final = 150
STILL_DEVIATION: Final = 0.02 * COUNTS_PER_G
"""Largest rms deviation of a handheld that lies on a table."""
LIGHT_READINGS: Final = 40
"""Fresh conversions of an open or a covered sensor: 1.3 s."""
STEADY_SHARE: Final = 0.25
"""Largest spread of those of the open sensor, flicker included."""
LIFTS: Final = 3
"""Times that the guide asks for a lift …"""
SHAKES: Final = 3
"""… and times that it asks for a shake."""
COMFORTABLE_MEAN: Final = 1.15 * LEAST_MEAN
"""A player's median shake is raised to this, in counts."""
TILT_DEG: Final = 20.0
TILT_SAMPLES: Final = 30


class Goal(NamedTuple):
    """The bound of a level: at least, or at most. None for no bound."""

    least: float | None = None
    most: float | None = None


class Guide:
    """Leads through the steps. Times are µs on the handheld's clock.

    ``step`` is the current step, ``progress`` its share done (0 to 1), ``complaint`` the fault of
    the last try or None. ``calibration`` exists once the step is DONE.
    """

    def __init__(self, now_us: int) -> None:
        self.step = GuideStep.PUT_DOWN
        self.progress = 0.0
        self.complaint: Complaint | None = None
        self.level = 0.0
        """The level of the step: light in counts, motion as distance from 1 g in g, tilt in °."""
        self.calibration: Calibration | None = None
        self._since_us = now_us
        self.complaints = 0
        """Complaints in this step so far."""
        self._offset: Counts = (0, 0, 0)
        self._samples: list[Counts] = []
        self._light: list[int] = []
        self._open = self._dark = 0.0
        self._lifts = 0
        self._watch = LightWatch()
        self._detector = ShakeDetector(MOST_GAIN)
        self._shaken: list[float] = []
        self._tilts: list[float] = []

    @property
    def over(self) -> bool:
        """Whether the guide has ended, well or not."""
        return self.step in (GuideStep.DONE, GuideStep.GIVEN_UP)

    @property
    def goal(self) -> Goal | None:
        """The goal of ``level`` in this step; None at the end."""
        match self.step:
            case GuideStep.PUT_DOWN:
                return Goal(most=STILL_DEVIATION * 3 / COUNTS_PER_G)
            case GuideStep.UNCOVER:
                return Goal(least=LEAST_OPEN_COUNTS)
            case GuideStep.COVER:
                return Goal(most=self._open / LEAST_CONTRAST)
            case GuideStep.LIFT:
                return Goal(least=self._watch.lift_threshold_counts)
            case GuideStep.SHAKE:
                return Goal(least=LEAST_MEAN / COUNTS_PER_G)
            case GuideStep.TILT:
                return Goal(least=TILT_DEG)
            case GuideStep.DONE | GuideStep.GIVEN_UP:
                return None

    def _level_of(self, batch: AccelBatch) -> float:
        if self.step is GuideStep.TILT:
            return self._roll_deg(batch.xyz[-1])
        return max(abs(hypot(*sample) / COUNTS_PER_G - 1.0) for sample in batch.xyz)

    def _roll_deg(self, sample: Counts) -> float:
        x, y, z = (value - offset for value, offset in zip(sample, self._offset))
        return degrees(arc(-x, hypot(y, z)))

    def add_motion(self, batch: AccelBatch) -> None:
        """Measure motion, if the step needs it; an empty batch changes nothing."""
        if not batch.xyz:
            return
        by_step: dict[GuideStep, Callable[[AccelBatch], None]] = {
            GuideStep.PUT_DOWN: self._lie,
            GuideStep.SHAKE: self._shake,
            GuideStep.TILT: self._tilt,
        }
        if self.step in by_step:
            self.level = self._level_of(batch)
            by_step[self.step](batch)
        self._wait(batch.t_last_us)

    def add_light(self, light: Light) -> None:
        """Measure light, if the step needs it; a reading that is not fresh changes nothing."""
        if not light.fresh:
            return
        by_step: dict[GuideStep, Callable[[Light], None]] = {
            GuideStep.UNCOVER: self._uncovered,
            GuideStep.COVER: self._covered,
            GuideStep.LIFT: self._lift,
        }
        if self.step in by_step:
            self.level = light.counts
            by_step[self.step](light)

    # ---- the steps ---------------------------------------------------------------------------

    def _lie(self, batch: AccelBatch) -> None:
        self._samples = (self._samples + list(batch.xyz))[-STILL_SAMPLES:]
        count = len(self._samples)
        means = [sum(axis) / count for axis in zip(*self._samples)]
        spread = sum(
            (value - mean) ** 2 for axis, mean in zip(zip(*self._samples), means) for value in axis
        )
        if sqrt(spread / count) > STILL_DEVIATION:
            self._samples = self._samples[-len(batch.xyz) :]
            count = len(self._samples)
        self.progress = count / STILL_SAMPLES
        if count < STILL_SAMPLES:
            return
        x, y, z = means
        if z < -0.5 * COUNTS_PER_G:
            self._complain(Complaint.UPSIDE_DOWN, batch.t_last_us)
        elif not 0.7 < hypot(x, y, z) / COUNTS_PER_G < 1.3:
            self._complain(Complaint.NO_GRAVITY, batch.t_last_us)
        elif max(abs(x), abs(y), abs(z - COUNTS_PER_G)) > MOST_OFFSET_COUNTS:
            self._complain(Complaint.NOT_LEVEL, batch.t_last_us)
        else:
            self._offset = (round(x), round(y), round(z) - COUNTS_PER_G)
            self._go_on(GuideStep.UNCOVER, batch.t_last_us)

    def _uncovered(self, light: Light) -> None:
        self._light = [*self._light, light.counts][-LIGHT_READINGS:]
        middle = median(self._light)
        unsteady = max(self._light) - min(self._light) > max(8, 2 * STEADY_SHARE * middle)
        if unsteady:
            self._light = self._light[-LIGHT_READINGS // 2 :]
        self.progress = len(self._light) / LIGHT_READINGS
        if len(self._light) < LIGHT_READINGS or unsteady:
            return
        if middle < LEAST_OPEN_COUNTS:
            self._complain(Complaint.TOO_DARK, light.t_us)
        else:
            self._open = float(middle)
            self._go_on(GuideStep.COVER, light.t_us)

    def _covered(self, light: Light) -> None:
        if light.counts < STEADY_SHARE * self._open or self._light:
            self._light.append(light.counts)
        elif light.t_us - self._since_us > PATIENCE_US // 3:
            self._complain(Complaint.NO_CONTRAST, light.t_us)
            return
        self.progress = len(self._light) / LIGHT_READINGS
        if len(self._light) < LIGHT_READINGS:
            return
        settled = self._light[LIGHT_READINGS // 2 :]
        if max(settled) * LEAST_CONTRAST > self._open:
            self._complain(Complaint.NO_CONTRAST, light.t_us)
            return
        self._dark = float(median(settled))
        self._watch = LightWatch(self._dark, self._open)
        self._go_on(GuideStep.LIFT, light.t_us)

    def _lift(self, light: Light) -> None:
        for gesture in self._watch.feed(light):
            if isinstance(gesture, Uncovered):
                self._lifts += 1
            elif isinstance(gesture, Covered) and self._lifts >= LIFTS:
                self._go_on(GuideStep.SHAKE, light.t_us)
                return
        self.progress = self._lifts / LIFTS

    def _shake(self, batch: AccelBatch) -> None:
        for motion in self._detector.feed(batch.first_us, batch.xyz):
            if motion.stage in (ShakeStage.THROWN, ShakeStage.NOTHING) and motion.sure:
                self._shaken.append(self._detector.last_mean)
        self.progress = min(1.0, len(self._shaken) / SHAKES)
        if len(self._shaken) < SHAKES:
            return
        strength = median(self._shaken)
        if strength * MOST_GAIN < LEAST_MEAN:
            self._complain(Complaint.TOO_WEAK, batch.t_last_us)
            return
        gain = min(MOST_GAIN, max(1.0, COMFORTABLE_MEAN / strength))
        self.calibration = Calibration(self._offset, round(gain, 3), self._dark, self._open)
        self._go_on(GuideStep.TILT, batch.t_last_us)

    def _tilt(self, batch: AccelBatch) -> None:
        for sample in batch.xyz:
            roll_deg = self._roll_deg(sample)
            tilted = abs(roll_deg) > TILT_DEG and hypot(*sample) < 1.2 * COUNTS_PER_G
            self._tilts = [*self._tilts, roll_deg] if tilted else []
        self.progress = min(1.0, len(self._tilts) / TILT_SAMPLES)
        if len(self._tilts) < TILT_SAMPLES:
            return
        if median(self._tilts) < 0:
            self._complain(Complaint.TILTED_LEFT, batch.t_last_us)
        else:
            self._go_on(GuideStep.DONE, batch.t_last_us)

    # ---- from step to step -------------------------------------------------------------------

    def _go_on(self, step: GuideStep, now_us: int) -> None:
        self.step = step
        self.complaints = 0
        self.complaint = None
        self._begin_anew(now_us)

    def _complain(self, complaint: Complaint, now_us: int) -> None:
        self.complaint = complaint
        self.complaints += 1
        if self.complaints >= MOST_COMPLAINTS:
            self.step = GuideStep.GIVEN_UP
            self.calibration = None
        self._begin_anew(now_us)

    def _begin_anew(self, now_us: int) -> None:
        self.progress = 0.0
        self._since_us = now_us
        self._samples.clear()
        self._light.clear()
        self._lifts = 0
        self._shaken.clear()
        self._detector = ShakeDetector(MOST_GAIN)
        self._tilts = []

    def _wait(self, now_us: int) -> None:
        if not self.over and now_us - self._since_us > PATIENCE_US:
            self._complain(Complaint.NOTHING, now_us)


_BLOCKS: Final = " ▁▂▃▄▅▆▇█"
PLOT_COLUMNS: Final = 48
"""Letters of a plot in a line of the terminal."""
LIGHT_STEPS: Final = (GuideStep.UNCOVER, GuideStep.COVER, GuideStep.LIFT)
HIGHEST: Final = {GuideStep.PUT_DOWN: 0.25, GuideStep.SHAKE: 4.0, GuideStep.TILT: 60.0}
"""Top of the plot in g, g and °."""
DARKEST_LUX, BRIGHTEST_LUX = 0.1, 5000.0
_TITLE_BASELINE, _BODY_BASELINE, _LINE = 14, 28, 10
_BAR_TOP, _BAR_HEIGHT = 55, 8


def panel_picture(
    step: GuideStep, complaint: Complaint | None, progress: float, language: Language
) -> Bitmap:
    """Draw a step for the panel: 128×64 pixels."""
    canvas = Canvas()
    title = say(key_of(step, "title"), language)
    canvas.text(title, _TITLE_BASELINE, (font.HEADING, font.SMALL), align=Align.CENTRE)
    body = key_of(step, "body") if complaint is None else key_of(complaint)
    lines = wrapped(say(body, language), font.SMALL, FULL)
    for number, line in enumerate(lines[:3]):
        canvas.text(line, _BODY_BASELINE + number * _LINE, (font.SMALL,))
    if progress > 0:
        canvas.frame(0, _BAR_TOP, 128, _BAR_HEIGHT)
        canvas.bar(1, _BAR_TOP + 1, round(126 * min(1.0, progress)), _BAR_HEIGHT - 2)
    return canvas.image


def plot(heights: Sequence[float]) -> str:
    """Return the newest heights, each 0 to 1, as a line of block characters."""
    most = len(_BLOCKS) - 1
    shown = (min(1.0, max(0.0, height)) for height in heights[-PLOT_COLUMNS:])
    return "".join(_BLOCKS[round(most * height)] for height in shown)


def height(step: GuideStep, level: float) -> float:
    """Scale a level, as `level_of` returns it, to 0 to 1; light by its logarithm.

    A scale stays the same during a step, so that a plot does not jump at a higher level.
    """
    if step in LIGHT_STEPS:
        return log(max(level, DARKEST_LUX) / DARKEST_LUX) / log(BRIGHTEST_LUX / DARKEST_LUX)
    return level / HIGHEST.get(step, 1.0)


def level_of(guide: Guide, value: float) -> float:
    """Return a guide's level or bound in its display unit: lx, g or °."""
    return value * LUX_PER_COUNT if guide.step in LIGHT_STEPS else value


def terminal_line(guide: Guide, heights: Sequence[float]) -> str:
    """Return the level and its goal as one line of at most 80 columns, to be overwritten."""
    step, goal = guide.step, guide.goal
    unit = " lx" if step in LIGHT_STEPS else "°" if step is GuideStep.TILT else " g"
    must = ""
    if goal is not None and goal.least is not None:
        must = f"≥ {level_of(guide, goal.least):.3g}{unit}"
    elif goal is not None and goal.most is not None:
        must = f"≤ {level_of(guide, goal.most):.3g}{unit}"
    now = f"{level_of(guide, guide.level):.2f}{unit}"
    drawn = f"{plot(heights):{PLOT_COLUMNS}}"
    return f"  {drawn} {now:>10} {must:10} {min(1.0, guide.progress):4.0%}"


MOST_FELT_US: Final = 90_000
"""Longest span of samples that fits into one drain of the accelerometer."""


async def calibrate(board: Board, language: Language, tell: Callable[[Guide], None]) -> Calibration:
    """Lead through a calibration and return it; ``tell`` gets the guide about ten times a second.

    Raises:
        PartError: a part does not do its work.
        CalibrationError: the guide gave up without a result.
    """
    bus = board.bus
    guide = Guide(now_us(asyncio.get_running_loop()))
    await bus.run(board.panel.begin, Priority.PICTURE)
    await bus.run(board.panel.light_up, Priority.PICTURE)
    await bus.run(board.accelerometer.begin, Priority.MOTION)
    await begin_light(bus, board.light)
    per_batch = max(1, MOST_FELT_US // board.light.fresh_us)
    async with aclosing(light_readings(bus, board.light)) as readings:
        while not guide.over:
            for _ in range(per_batch):
                guide.add_light(await anext(readings))
            guide.add_motion(await drained(bus, board.accelerometer))
            tell(guide)
            await _show(board, guide, language)
    await bus.run(board.light.shut_down, Priority.LIGHT)
    await bus.run(board.panel.blank, Priority.BLANK)
    if guide.calibration is None:
        reason = say(guide.complaint, ENGLISH) if guide.complaint is not None else ""
        raise CalibrationError(f"calibration given up, nothing was changed: {reason} Try it again")
    return guide.calibration


async def _show(board: Board, guide: Guide, language: Language) -> None:
    drawn = panel_picture(guide.step, guide.complaint, guide.progress, language)
    for window in board.panel.changes(pack(drawn.columns)):
        await board.bus.run(partial(board.panel.write, window), Priority.PICTURE)
