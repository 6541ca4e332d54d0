"""The doctor, the calibration and the tests of the drivers, in a kernel."""

import asyncio
import re
from pathlib import Path

from firmware.display.text.language import ENGLISH, book, key_of, say
from firmware.upkeep.calibrate import GuideStep
from firmware.upkeep.doctor.patient import Request
from hw_sim.air import InfraredAir
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.board import SimulatedBoard
from hw_sim.trials.diagnosis import ROOM_LUX, Pupil, SimulatedHost, SimulatedPatient
from hw_sim.trials.faults import CATALOGUE
from tests.labs.kernel.world import POWER_UP_S, PYTHON, ROOT, Told, World

MAEXCHEN = str(PYTHON.parent / "maexchen")
FAULTS = (
    "bus stuck", "bus empty", "no accelerometer", "wrong accelerometer", "int1 cut",
    "display strapped", "bh1750", "accelerometer and light swapped", "touch stuck",
    "light never changes",
)  # fmt: skip
"""Faults of a board alone, by their names in the catalogue."""
TIMING = re.compile(r"bus speed: |motion: [1-9]\d* samples a second ")
"""What the doctor may find on a kernel whatever is wrong: its bus takes no time, and a busy machine
loses samples."""
PYTEST = (
    f"cd {ROOT} && HYPOTHESIS_STORAGE_DIRECTORY=/tmp/h {PYTHON} -m pytest -q --tb=short --color=no"
    " -p no:cacheprovider -o faulthandler_timeout=400 -o faulthandler_exit_on_timeout=true"
    " --pi -m pi tests/drivers"
)


def words_of(fault: str) -> str:
    """The words by which the doctor tells a fault, as a pattern: numbers in it may be any."""
    text = book(ENGLISH).texts[key_of(CATALOGUE[fault].diagnosis, "what")]
    return ".+".join(map(re.escape, re.split(r"\{[^}]*\}", text)))


def patient_of(board: SimulatedBoard) -> SimulatedPatient:
    """Return a patient of whom there is a board alone, in a lit room."""
    board.illuminance = lambda _t_us: ROOM_LUX
    air = InfraredAir(0, asyncio.get_running_loop())
    return SimulatedPatient(board, SimulatedHost(board), air)


async def doctor(folder: Path, log: Told, told: Told) -> bool:
    """The doctor as installed, with hands: a board that is well, and faults."""
    well = not (found := await examined(None, folder, told))
    log(f"well: {'; '.join(found) or '-'}")
    for fault in FAULTS:
        found = await examined(fault, folder, told)
        log(f"{fault}: {'; '.join(found) or '-'}")
        well &= any(re.search(words_of(fault), line) for line in found)
    return well


async def examined(fault: str | None, folder: Path, told: Told) -> list[str]:
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
    air = BluetoothAir(3, asyncio.get_running_loop(), profile="pi")
    command = [MAEXCHEN, "doctor", "--hands", "--lang", "en"]
    await world.run(command, air.transport(0).source)
    return found


async def calibrate(folder: Path, log: Told, told: Told) -> bool:
    """The calibration as installed, with a hand that does what it reads."""
    steps = {say(f"GuideStep.{step.name}.title", "en"): step for step in GuideStep}

    def heard(line: str) -> None:
        told(line)
        asked = re.match(r"> ([^:]+): ", line)
        if asked and asked[1] in steps:
            pupil.do(steps[asked[1]])

    world = World(folder, 3, heard)
    pupil = Pupil(world.board, asyncio.get_running_loop(), 3)
    await asyncio.sleep(POWER_UP_S)
    status = await world.run([MAEXCHEN, "calibrate", "--lang", "en"])
    for line in (*world.printed, f"exit status {status}"):
        log(line)
    return status == 0


async def board(folder: Path, log: Told, told: Told) -> bool:
    """The tests that a builder runs on a Pi: pytest --pi -m pi tests/drivers."""
    world = World(folder, 4, told)
    world.board.acceleration = lambda _t_us: (0.0, 0.0, 9.80665)
    world.board.illuminance = lambda _t_us: 150.0
    await asyncio.sleep(POWER_UP_S)
    air = BluetoothAir(4, asyncio.get_running_loop())
    status = await world.run(("sh", "-c", PYTEST), air.transport(0).source)
    counted = re.match(r"(\d+) passed", world.printed[-1] if world.printed else "")
    passed = int(counted[1]) if counted and status == 0 else 0
    log(f"{passed} passed, 0 failed" if passed else "not all passed")
    return passed > 0
