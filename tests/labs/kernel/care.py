"""``maexchen doctor`` and ``maexchen calibrate`` as installed, on boards that are well or not."""

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from firmware.display.text.language import say
from firmware.upkeep.calibrate import GuideStep
from hw_sim.board import SimulatedBoard
from hw_sim.trials.diagnosis import ROOM_LUX, THUMB_LUX, Pupil
from tests.labs.kernel.machine import PYTHON
from tests.labs.kernel.world import World

MAEXCHEN = str(PYTHON.parent / "maexchen")
POWER_UP_S = 0.6
SECOND_THOUGHTS_S = 0.5
TAP_S = 0.3


class Fault(NamedTuple):
    """What is done to a board, and words of what the doctor has to find."""

    do: Callable[[SimulatedBoard], object]
    words: str


FAULTS: Final[Mapping[str, Fault]] = {
    "bus stuck": Fault(lambda board: board.stick(), "SDA and SCL are held"),
    "bus empty": Fault(
        lambda board: [board.unplug(part) for part in ("accelerometer", "display", "light")],
        "not one part answers",
    ),
    "no accelerometer": Fault(lambda board: board.unplug("accelerometer"), "no answer at 0x53"),
    "wrong accelerometer": Fault(
        lambda board: board.wrong_chip("accelerometer"), "another chip answers at 0x53"
    ),
    "int1 cut": Fault(lambda board: board.cut("accelerometer.int1"), "INT1 does not move"),
    "display strapped": Fault(lambda board: board.strap("display"), "0x3D instead of 0x3C"),
    "bh1750": Fault(lambda board: board.replace("light", "bh1750"), "a BH1750 at 0x23"),
    "accelerometer and light swapped": Fault(
        lambda board: board.swap("accelerometer", "light"), "0x53 and 0x10 are swapped"
    ),
    "touch stuck": Fault(lambda board: board.tie("touch.q", 1), "a touch without a finger"),
    "light never changes": Fault(
        lambda board: board.freeze("light", illuminance=lambda _t_us: ROOM_LUX), "even covered"
    ),
}
"""As in ``hw_sim.trials.diagnosis``, those of the board."""

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
        FAULTS[fault].do(world.board)
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
    steps = {say(f"GuideStep.{step.name}.title", "en"): step for step in GuideStep}

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
