"""What a builder runs, in a kernel: the doctor, the calibration, and the tests of the drivers."""

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from firmware.display.text.language import say
from firmware.upkeep.calibrate import GuideStep
from hw_sim.air import InfraredAir
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.board import SimulatedBoard
from hw_sim.trials import diagnosis
from hw_sim.trials.diagnosis import ROOM_LUX, THUMB_LUX, Pupil, SimulatedHost, SimulatedPatient
from tests.labs.kernel.world import PYTHON, ROOT, Machine, World

MAEXCHEN = str(PYTHON.parent / "maexchen")
POWER_UP_S = 0.6
SECOND_THOUGHTS_S = 0.5
TAP_S = 0.3


FAULTS: Final[Mapping[str, str]] = {
    "bus stuck": "SDA and SCL are held",
    "bus empty": "not one part answers",
    "no accelerometer": "no answer at 0x53",
    "wrong accelerometer": "another chip answers at 0x53",
    "int1 cut": "INT1 does not move",
    "display strapped": "0x3D instead of 0x3C",
    "bh1750": "a BH1750 at 0x23",
    "accelerometer and light swapped": "0x53 and 0x10 are swapped",
    "touch stuck": "a touch without a finger",
    "light never changes": "even covered",
}
"""By the names of `diagnosis.FAULTS`, those of the board: words of what the doctor has to find."""

TIMING = re.compile(r"bus speed: |motion: [1-9]\d* samples a second ")
"""What the doctor may find on a kernel whatever is wrong: its bus takes no time, and a busy machine
loses samples."""


async def examined(
    fault: str | None, folder: Path, controller: object, told: Callable[[str], object]
) -> list[str]:
    """Let the doctor look, with a hand that does what he asks; return what he finds wrong."""
    found: list[str] = []

    def heard(line: str) -> None:
        told(line)
        if line.startswith("> "):
            _obey(world.board, line)
        elif line.startswith("! ") and not TIMING.match(line[2:]):
            found.append(line[2:])

    world = World(folder, 3, heard)
    world.board.illuminance = lambda _t_us: ROOM_LUX
    await asyncio.sleep(POWER_UP_S)
    if fault is not None:
        inject(fault, world.board)
    command = [MAEXCHEN, "doctor", "--hands", "--lang", "en"]
    await world.run(command, controller)
    return found


def inject(fault: str, board: SimulatedBoard) -> None:
    """Do to a board what a fault of `FAULTS` says."""
    air = InfraredAir(0, asyncio.get_running_loop())
    diagnosis.FAULTS[fault](SimulatedPatient(board, SimulatedHost(board), air))


def _obey(board: SimulatedBoard, line: str) -> None:
    """Do what the doctor asks for, after a moment."""
    loop = asyncio.get_running_loop()

    def light(lux: float) -> None:
        board.illuminance = lambda _t_us: lux

    if "Uncover" in line:
        loop.call_later(SECOND_THOUGHTS_S, light, ROOM_LUX)
    elif "Cover" in line:
        loop.call_later(SECOND_THOUGHTS_S, light, THUMB_LUX)
    elif "Tap" in line:
        loop.call_later(SECOND_THOUGHTS_S, board.touch, True)
        loop.call_later(SECOND_THOUGHTS_S + TAP_S, board.touch, False)


async def calibrated(folder: Path, told: Callable[[str], object]) -> list[str]:
    """Calibrate with a pupil that does what it reads; return what is printed in the end."""
    steps = {say(f"GuideStep.{step.name}.title", "en"): step for step in GuideStep}

    def heard(line: str) -> None:
        told(line)
        asked = re.match(r"> ([^:]+): ", line)
        if asked and asked[1] in steps:
            pupil.do(steps[asked[1]])

    world = World(folder, 3, heard)
    pupil = Pupil(world.board, asyncio.get_running_loop(), 3)
    await asyncio.sleep(POWER_UP_S)
    machine = await world.run([MAEXCHEN, "calibrate", "--lang", "en"])
    return [*machine.printed, f"exit status {machine.status}"]


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
    command = ("sh", "-c", _in_root(*PYTEST, "--pi", "-m", "pi"))
    return _counted(await world.run(command, air.transport(0).source))


def _in_root(*command: str) -> str:
    return f"cd {ROOT} && HYPOTHESIS_STORAGE_DIRECTORY=/tmp/h {' '.join(command)} tests/drivers"


def _counted(machine: Machine) -> dict[str, int]:
    """Read pytest's last line; a run that was cut short counts as one failure more."""
    found = dict.fromkeys(("passed", "failed", "skipped", "error"), 0)
    for count, what in _COUNT.findall(machine.printed[-1] if machine.printed else ""):
        found[what] += int(count)
    found["failed"] += found.pop("error") or int(machine.status not in (0, 1))
    return found
