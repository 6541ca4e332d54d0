"""The doctor, the calibration and the tests of the drivers, in a kernel."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

from firmware.display.text.language import ENGLISH, book, key_of, say
from firmware.upkeep.calibrate import GuideStep
from firmware.upkeep.doctor.patient import Request
from hw_sim.air import InfraredAir
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.board import SimulatedBoard
from hw_sim.trials.diagnosis import ROOM_LUX, Pupil, SimulatedHost, SimulatedPatient
from hw_sim.trials.faults import CATALOGUE
from tests.labs.kernel.world import PYTHON, ROOT, World

MAEXCHEN = str(PYTHON.parent / "maexchen")
POWER_UP_S = 0.6


FAULTS = (
    "bus stuck", "bus empty", "no accelerometer", "wrong accelerometer", "int1 cut",
    "display strapped", "bh1750", "accelerometer and light swapped", "touch stuck",
    "light never changes",
)  # fmt: skip
"""Faults of a board alone, by their names in the catalogue."""


def words_of(fault: str) -> str:
    """The words by which the doctor tells a fault, as a pattern: numbers in it may be any."""
    text = book(ENGLISH).texts[key_of(CATALOGUE[fault].diagnosis, "what")]
    return ".+".join(map(re.escape, re.split(r"\{[^}]*\}", text)))


TIMING = re.compile(r"bus speed: |motion: [1-9]\d* samples a second ")
"""What the doctor may find on a kernel whatever is wrong: its bus takes no time, and a busy machine
loses samples."""


async def examined(
    fault: str | None, folder: Path, controller: object, told: Callable[[str], object]
) -> list[str]:
    """Let the doctor look, with a hand that does what he asks; return what he finds wrong."""
    requests = {f"> {say(request, 'en')}": request for request in Request}
    found: list[str] = []

    def heard(line: str) -> None:
        told(line)
        if line in requests:
            patient.obey(requests[line])
        elif line.startswith("! ") and not TIMING.match(line[2:]):
            found.append(line[2:])

    world = World(folder, 3, heard)
    patient = patient_of(world.board)
    await asyncio.sleep(POWER_UP_S)
    if fault is not None:
        CATALOGUE[fault](patient)
    await world.run([MAEXCHEN, "doctor", "--hands", "--lang", "en"], controller)
    return found


def patient_of(board: SimulatedBoard) -> SimulatedPatient:
    """Return a patient of whom there is a board alone, in a lit room."""
    board.illuminance = lambda _t_us: ROOM_LUX
    air = InfraredAir(0, asyncio.get_running_loop())
    return SimulatedPatient(board, SimulatedHost(board), air)


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


async def board_suite(folder: Path, told: Callable[[str], object]) -> int:
    """Run ``pytest --pi -m pi``, with a board that lies on a table.

    Returns how many tests passed; 0 if any did not.
    """
    world = World(folder, 4, told)
    world.board.acceleration = lambda _t_us: (0.0, 0.0, 9.80665)
    world.board.illuminance = lambda _t_us: 150.0
    await asyncio.sleep(0.6)
    air = BluetoothAir(4, asyncio.get_running_loop())
    command = ("sh", "-c", _in_root(*PYTEST, "--pi", "-m", "pi"))
    machine = await world.run(command, air.transport(0).source)
    counted = re.match(r"(\d+) passed", machine.printed[-1] if machine.printed else "")
    return int(counted[1]) if counted and not machine.status else 0


def _in_root(*command: str) -> str:
    return f"cd {ROOT} && HYPOTHESIS_STORAGE_DIRECTORY=/tmp/h {' '.join(command)} tests/drivers"
