"""The accelerometer's motion: at the full rate, or only watching for any."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from typing import Final

from drivers.adxl345 import WATERMARK, Interrupt
from drivers.bus import Priority
from firmware.input.gestures.samples import AccelBatch
from firmware.runtime.board import Board
from firmware.runtime.sensors import BATCH_WAIT_S, motion_batches
from firmware.runtime.wake import Wake

MOVED_AGAIN_S: Final = 5.0
"""Continued motion is reported again after this long, if the part only watches for waking."""

UNREADY_S: Final = 0.09
"""Pause after a batch that was not due, so that a stuck line does not drain for ever. Its samples
are fewer than those that the line waits for."""


class MotionSense:
    """Serves the accelerometer.

    Args:
        board: the parts.
        wake: says whether motion matters, and is woken by it.
        feed: is called with each batch that is not empty.
        reset: is called as the full rate begins, to drop what was sensed before.
    """

    def __init__(
        self,
        board: Board,
        wake: Wake,
        feed: Callable[[AccelBatch], None],
        reset: Callable[[], None],
    ) -> None:
        self._board = board
        self._wake = wake
        self._feed = feed
        self._reset = reset

    async def serve(self, well: Callable[[], None]) -> None:
        """Set the part up, call ``well``, and follow motion until cancelled.

        Raises:
            PartError: the part does not answer.
        """
        board = self._board
        await board.bus.run(board.accelerometer.begin, Priority.MOTION)
        well()
        due = partial(board.motion_pin.wait, BATCH_WAIT_S)
        while True:
            if not self._wake.sensing.on:
                await self._watch()
                continue
            batches = motion_batches(board.bus, board.accelerometer, due)
            async with aclosing(batches):
                async for batch in batches:
                    if batch.xyz:
                        self._feed(batch)
                    if len(batch.xyz) < WATERMARK:
                        await asyncio.sleep(UNREADY_S)
                    if not self._wake.sensing.on:
                        break

    async def _watch(self) -> None:
        """Let the part sleep until motion is wanted, or something moves it."""
        bus, accelerometer, sensing = self._board.bus, self._board.accelerometer, self._wake.sensing
        await bus.run(accelerometer.watch_for_motion, Priority.MOTION)
        await self._moved_or_wanted()
        if not sensing.on:
            if Interrupt.ACTIVITY in await bus.run(accelerometer.interrupt_source, Priority.MOTION):
                self._wake.wake()
            await sensing.turned_on(MOVED_AGAIN_S)
        if sensing.on:
            await bus.run(accelerometer.wake, Priority.MOTION)
            self._reset()

    async def _moved_or_wanted(self) -> None:
        """Return when INT1 is high, or motion is wanted."""
        waits = [
            asyncio.ensure_future(self._board.motion_pin.wait()),
            asyncio.ensure_future(self._wake.sensing.turned_on()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
