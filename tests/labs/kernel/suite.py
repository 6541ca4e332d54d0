"""The drivers' tests for a real board, in a kernel."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

from hw_sim.air.bluetooth import BluetoothAir
from tests.labs.kernel.machine import PYTHON, ROOT, Machine
from tests.labs.kernel.world import World

PYTEST = (
    str(PYTHON), "-m", "pytest", "-q", "--tb=short", "--color=no", "-p", "no:cacheprovider",
    "-o", "faulthandler_timeout=400", "-o", "faulthandler_exit_on_timeout=true",
)  # fmt: skip
_COUNT = re.compile(r"(\d+) (passed|failed|skipped|error)")


async def board_suite(folder: Path, told: Callable[[str], object]) -> dict[str, int]:
    """Run ``pytest --pi -m pi``, with a board that lies on a table."""
    world = World(folder, 4, told)
    world.board.acceleration = lambda _t_us: (0.0, 0.0, 9.80665)
    world.board.illuminance = lambda _t_us: 150.0
    await asyncio.sleep(0.6)
    air = BluetoothAir(4, asyncio.get_running_loop())
    machine = await world.boot(
        ("sh", "-c", _in_root(*PYTEST, "--pi", "-m", "pi")), controller=air.transport(0).source
    )
    try:
        await machine.ended()
    finally:
        machine.cut()
        world.close()
    return _counted(machine)


def _in_root(*command: str) -> str:
    return f"cd {ROOT} && HYPOTHESIS_STORAGE_DIRECTORY=/tmp/h {' '.join(command)} tests/drivers"


def _counted(machine: Machine) -> dict[str, int]:
    """Read pytest's last line; a run that was cut short counts as one failure more."""
    found = dict.fromkeys(("passed", "failed", "skipped", "error"), 0)
    for count, what in _COUNT.findall(machine.printed[-1] if machine.printed else ""):
        found[what] += int(count)
    found["failed"] += found.pop("error") or int(machine.status not in (0, 1))
    return found
