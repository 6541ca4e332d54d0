"""The same scenario on the simulator and on a kernel: what was said, sent and seen on the pins."""

import asyncio
import re
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from steckbrett.board.bus import Transfer
from steckbrett.parts.adxl345_signal import Acceleration

from drivers.pins import ACCELEROMETER_INT1, TOUCH
from firmware.runtime.board import assemble
from hw_sim.board import SimulatedBoard
from hw_sim.clock import run
from hw_sim.trials.faults import CATALOGUE, do
from tests.labs.kernel import scenario
from tests.labs.kernel.world import LOST_SAMPLES, PYTHON, World

POWER_UP_S = 0.6
SEED = 7
FAULTS = tuple(
    CATALOGUE[name].board
    for name in (
        *("no accelerometer", "no display", "no light sensor", "accelerometer strapped"),
        *("display strapped", "wrong accelerometer", "wrong light sensor"),
        *("accelerometer and light swapped", "display and light swapped", "bh1750", "bus stuck"),
        *("transfer with an error", "transfer too late", "transfer without answer"),
    )
)
"""The faults to compare, each put into a sound board."""
FLAT = (0.0, 0.0, 9.80665)
TURNED = (7.8, 0.0, 5.9)
"""What the accelerometer feels before and after "turn", in m/s²."""
_TIME = re.compile(r" at \d+ µs")


class Course(NamedTuple):
    """How a scenario went: its lines, the messages on the bus, edges of pins, broken sheets."""

    said: list[str]
    traffic: list[str]
    edges: list[tuple[int, int]]
    violations: list[str]

    def differences(self, other: "Course") -> list[str]:
        """Return what differs, as lines of a diff."""
        return [
            line
            for mine, theirs in zip(self, other)
            for line in unified_diff([*map(str, mine)], [*map(str, theirs)], n=0, lineterm="")
            if not line.startswith(("---", "+++", "@@"))
        ]


def simulated(fault: str | None) -> Course:
    """The scenario on the simulator, in virtual time."""
    return run(_simulated(fault))


async def _simulated(fault: str | None) -> Course:
    loop = asyncio.get_running_loop()
    board = SimulatedBoard(SEED, loop, "rpi-lgpio")
    await asyncio.sleep(POWER_UP_S)
    said: list[str] = []
    edges: list[tuple[int, int]] = []
    board.gpio.pins.on_change.append(lambda pin, level: edges.append((pin, level)))
    prepared(board, fault)

    async def please(wish: str) -> None:
        if wish == "hold":
            board.gpio.claimed_elsewhere.add(scenario.HELD_PIN)
            return
        granted(board, wish)
        await asyncio.sleep(scenario.CALM_S)

    parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
    traffic = board.bus.trace = []
    try:
        await (scenario.healthy if fault is None else scenario.faulty)(parts, said.append, please)
    finally:
        parts.motion_pin.close()
        board.close()
    return course(said, traffic, edges, board)


async def on_kernel(fault: str | None, folder: Path, told: Callable[[str], object]) -> Course:
    """The scenario in a kernel that is booted for it."""
    said: list[str] = []

    def heard(line: str) -> None:
        told(line)
        if line.startswith("please "):
            granted(world.board, line.removeprefix("please "))
        elif line != "pins are driven":
            said.append(line)

    world = World(folder, SEED, heard)
    await asyncio.sleep(POWER_UP_S)
    prepared(world.board, fault)
    traffic = world.board.bus.trace = []
    world.edges.clear()
    name = "healthy" if fault is None else "faulty"
    await world.run([str(PYTHON), "-m", "tests.labs.kernel.scenario", name])
    return course(said, traffic, world.edges, world.board)


def prepared(board: SimulatedBoard, fault: str | None) -> None:
    """Lay a board down, and do to it what a fault says."""
    board.acceleration = lambda _t_us: FLAT
    board.illuminance = lambda _t_us: 120.0
    if fault is not None:
        do(board, fault)


def granted(board: SimulatedBoard, wish: str) -> None:
    """Do to a board what the scenario asks for."""
    if wish == "turn":
        board.acceleration = turned_at(board.now_us())
    else:
        board.touch(wish == "press")


def turned_at(turned_us: int) -> Acceleration:
    """Return the acceleration, in m/s², of a board that lies flat until ``turned_us``.

    On a busy machine the board takes its samples late, for instants before it was turned.
    """
    return lambda t_us: FLAT if t_us < turned_us else TURNED


def course(
    said: list[str], traffic: list[Transfer], edges: list[tuple[int, int]], board: SimulatedBoard
) -> Course:
    """Keep of a scenario what does not hang on its times."""
    messages = [
        f"0x{one.address:02X} {f'reads {len(one.data)}' if one.read else one.data.hex(' ')}"
        + (f" fails with {one.failed}" if one.failed else "")
        for one in traffic
    ]
    watched = [edge for edge in edges if edge[0] in (ACCELEROMETER_INT1, TOUCH)]
    violations = [_TIME.sub("", line) for line in board.violations if LOST_SAMPLES not in line]
    return Course(said, messages, watched, violations)
