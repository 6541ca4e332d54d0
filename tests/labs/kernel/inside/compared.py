"""The scenario of the comparison in the kernel, on the board that the firmware opens there."""

import asyncio
import sys

from firmware.runtime.board import open_board
from tests.labs.kernel import scenario

CALM_S = 0.6
"""Time for what was asked for to be done."""


def say(line: str) -> None:
    print(line, flush=True)


async def please(wish: str) -> None:
    if wish == "hold":
        import lgpio  # makes a pipe where it is imported: not before the pins are open

        lgpio.gpio_claim_input(lgpio.gpiochip_open(0), scenario.HELD_PIN)
        return
    say(f"please {wish}")
    await asyncio.sleep(CALM_S)


async def main() -> None:
    async with open_board() as board:
        await getattr(scenario, sys.argv[1])(board, say, please)


asyncio.run(main())
