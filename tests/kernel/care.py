"""``maexchen doctor`` and ``maexchen calibrate`` as installed, on boards that are well or not."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

from firmware.upkeep.calibrate.texts import GuideStep
from hw_sim.board.board import SimulatedBoard
from hw_sim.trials.diagnosis.patient import ROOM_LUX, THUMB_LUX
from hw_sim.trials.diagnosis.pupil import Pupil
from tests.kernel.machine import PYTHON
from tests.kernel.world import World

MAEXCHEN = str(PYTHON.parent / "maexchen")
POWER_UP_S = 0.6
SECOND_THOUGHTS_S = 0.5
TAP_S = 0.3

FAULTS: dict[str, Callable[[SimulatedBoard], object]] = {
    "bus stuck": lambda board: board.stick_bus(),
    "bus empty": lambda board: [
        board.unplug(part) for part in ("accelerometer", "display", "light")
    ],
    "no accelerometer": lambda board: board.unplug("accelerometer"),
    "wrong accelerometer": lambda board: board.wrong_chip("accelerometer"),
    "int1 cut": lambda board: board.cut("INT1"),
    "display strapped": lambda board: board.strap_other("display"),
    "bh1750": lambda board: board.fit_foreign("light"),
    "accelerometer and light swapped": lambda board: board.swap("accelerometer", "light"),
    "touch stuck": lambda board: board.tie("touch", 1),
    "light never changes": lambda board: board.freeze_light(ROOM_LUX),
}
"""As in ``hw_sim.trials.diagnosis.faults``, those of the board."""

ALWAYS = ("bus speed:",)
"""What the doctor finds on a kernel whatever is wrong: its bus takes no time."""


async def examined(
    fault: str | None, folder: Path, controller: object, told: Callable[[str], object]
) -> list[str]:
    """Let the doctor look, with a hand that does what he asks; return what he finds wrong."""
    found: list[str] = []

    def heard(line: str) -> None:
        told(line)
        if line.startswith("> "):
            _obey(world.board, line)
        elif line.startswith("! ") and not line[2:].startswith(ALWAYS):
            found.append(line[2:])

    world = World(folder, 3, heard)
    world.board.illuminance = lambda _t_us: ROOM_LUX
    await asyncio.sleep(POWER_UP_S)
    if fault is not None:
        FAULTS[fault](world.board)
    command = [MAEXCHEN, "doctor", "--hands", "--lang", "en"]
    machine = await world.boot(command, controller=controller)
    try:
        await machine.ended()
    finally:
        machine.cut()
        world.close()
    return found


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
    steps = {step.value[0].en: step for step in GuideStep}

    def heard(line: str) -> None:
        told(line)
        asked = re.match(r"> ([^:]+): ", line)
        if asked and asked[1] in steps:
            pupil.do(steps[asked[1]])

    world = World(folder, 3, heard)
    pupil = Pupil(world.board, asyncio.get_running_loop(), 3)
    await asyncio.sleep(POWER_UP_S)
    machine = await world.boot([MAEXCHEN, "calibrate", "--lang", "en"])
    try:
        await machine.ended()
    finally:
        machine.cut()
        world.close()
    return [*machine.printed, f"exit status {machine.status}"]
