"""A simulated board behind the drivers, on the running loop."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from drivers.light_sensor import LightKind
from firmware.runtime.board import Board, assemble
from hw_sim.board import SimulatedBoard


@contextmanager
def assembled(
    seed: int | str, light: LightKind = "veml7700", profile: str = "rpi-lgpio"
) -> Iterator[tuple[SimulatedBoard, Board]]:
    """A board and its drivers; ``light``: which sensor, ``profile``: which library of pins."""
    loop = asyncio.get_running_loop()
    board = SimulatedBoard(seed, loop, profile, light)
    parts = assemble(board.bus, board.bus.execute, board.gpio, loop, light)
    try:
        yield board, parts
    finally:
        parts.motion_pin.close()
        board.close()
