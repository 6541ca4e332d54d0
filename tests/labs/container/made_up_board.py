"""``maexchen`` as it is installed, on simulated electronics and an empty air: there is no board."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from drivers.light_sensor import LightKind
from firmware.cli import run
from firmware.runtime.board import Board, assemble
from hw_sim.air import InfraredAir
from hw_sim.board import SimulatedBoard


@asynccontextmanager
async def open_board(light: LightKind = "veml7700") -> AsyncIterator[Board]:
    """In place of ``firmware.runtime.board.open_board``."""
    loop = asyncio.get_running_loop()
    board = SimulatedBoard("container", loop)
    yield assemble(board.bus, board.bus.execute, board.gpio, loop, light)


def open_media(settings: object) -> object:
    """In place of ``firmware.cli.links.open_media``."""
    return None, InfraredAir(1, asyncio.get_running_loop()).port(1)


run.open_board = open_board
run.open_media = open_media  # type: ignore[assignment]
sys.exit(run.main())
