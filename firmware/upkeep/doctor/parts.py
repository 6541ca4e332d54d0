"""Identity of the parts: chip ids, and tests that tell look-alikes apart.

An SSD1306 cannot be read over I2C (Rev 1.1, serial interfaces write only): it answers a status byte
at most. An SH1106 gives back its memory. The doctor therefore writes and reads three bytes: the
same bytes identify an SH1106. The display is off meanwhile, and its next start clears its memory.

An ADXL343 looks like an ADXL345, and works like one.
"""

from collections.abc import Callable
from typing import Final

from drivers.bus import BusioAdapter, I2CBus, Priority
from drivers.light_sensor import LightKind
from drivers.pins import (
    ACCELEROMETER_ADDRESS,
    LIGHT_ADDRESS,
    LIGHT_ADDRESS_BH1750,
    PANEL_ADDRESS,
)
from drivers.veml7700 import is_veml7700
from firmware.upkeep.doctor.bus import Census
from firmware.upkeep.doctor.checks import Check
from firmware.upkeep.doctor.diagnoses import Diagnosis
from firmware.upkeep.doctor.findings import Finding, fine, wrong

_ADXL345_DEVID, _ADXL345_ID = 0x00, 0xE5
_VEML7700_CODE = 0x07
_ACCELEROMETER_OTHER, _PANEL_OTHER = 0x1D, 0x3D
_BH1750_OTHER = 0x5C
_PATTERN: Final = b"\xa5\x3c\x96"
_FIRST_CELL: Final = b"\x00\xae\xb0\x02\x10"
"""Display off, page 0, column 2: both chips know these commands."""

Roles: Final = {
    ACCELEROMETER_ADDRESS: Check.ACCELEROMETER,
    PANEL_ADDRESS: Check.DISPLAY,
    LIGHT_ADDRESS: Check.LIGHT,
}


def fitted_light(census: Census) -> LightKind:
    """Return the present light sensor: the usual one, unless only the other answers."""
    others = {LIGHT_ADDRESS_BH1750, _BH1750_OTHER} & census.present
    return "bh1750" if others and LIGHT_ADDRESS not in census.present else "veml7700"


async def judge_parts(bus: I2CBus, census: Census, light: LightKind | None = None) -> list[Finding]:
    """Name every part, or the part in its place; ``light`` is the sensor that should be fitted."""
    look_at_light = _bh1750 if light == "bh1750" else _light
    looks = {
        Check.ACCELEROMETER: _accelerometer,
        Check.DISPLAY: _display,
        Check.LIGHT: look_at_light,
    }
    swapped = await bus.run(lambda: _swapped(bus.adapter, census), Priority.MOTION)
    if swapped is not None:
        first, second = (Roles[address] for address in swapped)
        one, other = (f"0x{address:02X}" for address in swapped)
        finding = wrong(first, Diagnosis.PARTS_SWAPPED, one=one, other=other)
        rest = [role for role in Roles.values() if role not in (first, second)]
        return [finding, *[await _judge(bus, census, looks[role]) for role in rest]]
    return [await _judge(bus, census, looks[role]) for role in Roles.values()]


async def _judge(
    bus: I2CBus, census: Census, look: Callable[[BusioAdapter, Census], Finding]
) -> Finding:
    return await bus.run(lambda: look(bus.adapter, census), Priority.MOTION)


def _accelerometer(adapter: BusioAdapter, census: Census) -> Finding:
    if ACCELEROMETER_ADDRESS in census.present:
        found = _byte(adapter, ACCELEROMETER_ADDRESS)
        if found == _ADXL345_ID:
            return fine(Check.ACCELEROMETER, "ADXL345")
        return wrong(Check.ACCELEROMETER, Diagnosis.WRONG_ACCELEROMETER, found=found)
    if (
        _ACCELEROMETER_OTHER in census.present
        and _byte(adapter, _ACCELEROMETER_OTHER) == _ADXL345_ID
    ):
        return wrong(Check.ACCELEROMETER, Diagnosis.ACCELEROMETER_STRAPPED)
    return wrong(Check.ACCELEROMETER, Diagnosis.NO_ACCELEROMETER)


def _display(adapter: BusioAdapter, census: Census) -> Finding:
    if PANEL_ADDRESS in census.present:
        if _gives_memory_back(adapter):
            return wrong(Check.DISPLAY, Diagnosis.SH1106_DISPLAY)
        return fine(Check.DISPLAY, "SSD1306")
    if _PANEL_OTHER in census.present:
        return wrong(Check.DISPLAY, Diagnosis.DISPLAY_STRAPPED)
    return wrong(Check.DISPLAY, Diagnosis.NO_DISPLAY)


def _light(adapter: BusioAdapter, census: Census) -> Finding:
    if LIGHT_ADDRESS in census.present:
        found = _word(adapter, LIGHT_ADDRESS)
        if is_veml7700(found):
            return fine(Check.LIGHT, "VEML7700")
        return wrong(Check.LIGHT, Diagnosis.WRONG_LIGHT_SENSOR, found=found)
    for address in (LIGHT_ADDRESS_BH1750, _BH1750_OTHER):
        if address in census.present:
            return wrong(Check.LIGHT, Diagnosis.BH1750_LIGHT_SENSOR, address=address)
    return wrong(Check.LIGHT, Diagnosis.NO_LIGHT_SENSOR)


def _bh1750(adapter: BusioAdapter, census: Census) -> Finding:
    """Accept any answer: the settings name a BH1750, which has no id."""
    if LIGHT_ADDRESS_BH1750 in census.present:
        return fine(Check.LIGHT, "BH1750")
    if _BH1750_OTHER in census.present:
        return wrong(Check.LIGHT, Diagnosis.BH1750_STRAPPED)
    if LIGHT_ADDRESS in census.present and is_veml7700(_word(adapter, LIGHT_ADDRESS)):
        return wrong(Check.LIGHT, Diagnosis.VEML7700_LIGHT_SENSOR)
    return wrong(Check.LIGHT, Diagnosis.NO_BH1750)


def _swapped(adapter: BusioAdapter, census: Census) -> tuple[int, int] | None:
    """Find two addresses with swapped parts; asked only after a wrong id."""
    here = census.present
    accelerometer_is_wrong = (
        ACCELEROMETER_ADDRESS in here and _byte(adapter, ACCELEROMETER_ADDRESS) != _ADXL345_ID
    )
    light_is_wrong = LIGHT_ADDRESS in here and not is_veml7700(_word(adapter, LIGHT_ADDRESS))
    if accelerometer_is_wrong and light_is_wrong:
        if _byte(adapter, LIGHT_ADDRESS) == _ADXL345_ID:
            return ACCELEROMETER_ADDRESS, LIGHT_ADDRESS
    elif PANEL_ADDRESS in here:
        if accelerometer_is_wrong and _byte(adapter, PANEL_ADDRESS) == _ADXL345_ID:
            return ACCELEROMETER_ADDRESS, PANEL_ADDRESS
        if light_is_wrong and is_veml7700(_word(adapter, PANEL_ADDRESS)):
            return PANEL_ADDRESS, LIGHT_ADDRESS
    return None


def _byte(adapter: BusioAdapter, address: int) -> int:
    try:
        return adapter.read_register(address, _ADXL345_DEVID, 1)[0]
    except OSError:
        return -1


def _word(adapter: BusioAdapter, address: int) -> int:
    try:
        return int.from_bytes(adapter.read_register(address, _VEML7700_CODE, 2), "little")
    except OSError:
        return 0


def _gives_memory_back(adapter: BusioAdapter) -> bool:
    try:
        adapter.write(PANEL_ADDRESS, _FIRST_CELL)
        adapter.write(PANEL_ADDRESS, b"\x40" + _PATTERN)
        adapter.write(PANEL_ADDRESS, _FIRST_CELL)
        found = adapter.read_register(PANEL_ADDRESS, 0x40, len(_PATTERN) + 1)
    except OSError:
        return False
    return found[1:] == _PATTERN
