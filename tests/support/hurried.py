"""Programs of this project, unchanged, on a hurried clock: ``-m tests.support.hurried SPEED …``."""

import asyncio
import sys

from hw_sim.cli.main import main
from hw_sim.clock import HurriedLoop


class Hurry(asyncio.DefaultEventLoopPolicy):
    """Makes loops that run ``speed`` times as fast as real time."""

    def __init__(self, speed):
        super().__init__()
        self._speed = speed

    def new_event_loop(self):
        return HurriedLoop(self._speed)


if __name__ == "__main__":
    asyncio.set_event_loop_policy(Hurry(float(sys.argv[1])))
    sys.exit(main(sys.argv[2:]))
