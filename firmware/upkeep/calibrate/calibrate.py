"""A calibration on a board: samples into the guide, its steps onto the display."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from typing import Final

from drivers.bus import Priority
from drivers.time import now_us
from firmware.display.text.language import ENGLISH, Language, say
from firmware.input.gestures.calibration import Calibration, CalibrationError
from firmware.runtime.board import Board
from firmware.runtime.sensors import begin_light, drained, light_readings
from firmware.upkeep.calibrate.guide import Guide
from firmware.upkeep.calibrate.picture import panel_picture

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
