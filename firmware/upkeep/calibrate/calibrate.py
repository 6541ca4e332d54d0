"""A calibration on a board: samples into the guide, its steps onto the panel and the terminal."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from functools import partial
from math import log
from typing import Final

from drivers.bus import Priority
from drivers.light_sensor import LUX_PER_COUNT
from drivers.time import now_us
from firmware.display.oled import font
from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.canvas import FULL, Align, Canvas, wrapped
from firmware.display.text.language import ENGLISH, Language, key_of, say
from firmware.input.gestures import Calibration, CalibrationError
from firmware.runtime.board import Board, begin_light, drained, light_readings
from firmware.upkeep.calibrate.guide import Complaint, Guide, GuideStep

_BLOCKS: Final = " ▁▂▃▄▅▆▇█"
PLOT_COLUMNS: Final = 48
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
    for window in board.panel.changes(board.panel.pack(drawn.columns)):
        await board.bus.run(partial(board.panel.write, window), Priority.PICTURE)
