"""A board with power on it, for the drivers to talk to."""

import asyncio
from typing import NamedTuple

import pytest

from drivers.bus import I2CBus, Priority
from drivers.errors import PartError
from hw_sim.board import SimulatedBoard

POWER_UP_S = 0.6
"""The touch pad has found its baseline by then."""


class Bench(NamedTuple):
    board: SimulatedBoard
    bus: I2CBus

    @property
    def adapter(self):
        return self.bus.adapter

    async def do(self, job, *arguments):
        """Run a driver's method as a job of the bus."""
        return await self.bus.run(lambda: job(*arguments), Priority.MOTION)

    async def failing(self, job, *arguments):
        """Run a driver's method that must fail; return its error."""
        with pytest.raises(PartError) as caught:
            await self.do(job, *arguments)
        return caught.value


@pytest.fixture
def powered():
    """Give a coroutine function that makes a `Bench` on the running loop."""

    async def make(seed=1, profile="rpi-gpio"):
        board = SimulatedBoard(seed, asyncio.get_running_loop(), profile)
        await asyncio.sleep(POWER_UP_S)
        return Bench(board, I2CBus(board.bus, board.bus.execute))

    return make
