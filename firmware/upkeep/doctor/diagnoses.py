"""Everything the doctor looks at, and everything that can be found wrong."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from firmware.display.text.words import Words


class Check(Enum):
    """What is looked at."""

    SYSTEM = auto()
    PACKAGES = auto()
    PERMISSIONS = auto()
    POWER = auto()
    BUS = auto()
    BUS_SPEED = auto()
    ACCELEROMETER = auto()
    MOTION = auto()
    INTERRUPT = auto()
    DISPLAY = auto()
    LIGHT = auto()
    COVER = auto()
    PINS = auto()
    TOUCH = auto()
    TAP = auto()
    PIEZO = auto()
    BLUETOOTH = auto()
    INFRARED = auto()


Names: Final[Mapping[Check, Words]] = {
    Check.SYSTEM: Words("System", "system"),
    Check.PACKAGES: Words("Pakete", "packages"),
    Check.PERMISSIONS: Words("Rechte", "permissions"),
    Check.POWER: Words("Spannung", "supply"),
    Check.BUS: Words("I2C-Bus", "I2C bus"),
    Check.BUS_SPEED: Words("Bustakt", "bus speed"),
    Check.ACCELEROMETER: Words("Bewegungssensor", "accelerometer"),
    Check.MOTION: Words("Bewegung", "motion"),
    Check.INTERRUPT: Words("INT1-Leitung", "INT1 wire"),
    Check.DISPLAY: Words("Anzeige", "display"),
    Check.LIGHT: Words("Lichtsensor", "light sensor"),
    Check.COVER: Words("Abdecken", "covering"),
    Check.PINS: Words("GPIO-Pins", "GPIO pins"),
    Check.TOUCH: Words("Tastfeld", "touch pad"),
    Check.TAP: Words("Antippen", "tapping"),
    Check.PIEZO: Words("Piezo", "piezo"),
    Check.BLUETOOTH: Words("Bluetooth", "Bluetooth"),
    Check.INFRARED: Words("Infrarot", "infrared"),
}


class Diagnosis(Enum):
    """What can be wrong."""

    NOT_64_BIT = auto()
    OLD_KERNEL = auto()
    OLD_PYTHON = auto()
    PACKAGE_MISSING = auto()
    PACKAGE_VERSION = auto()
    TWO_GPIO_PACKAGES = auto()
    NO_GPIO_PACKAGE = auto()
    GPIO_PACKAGE_FOR_PI_5 = auto()
    NOT_IN_GROUP = auto()
    UNDER_VOLTAGE = auto()
    NO_BUS = auto()
    BUS_REFUSED = auto()
    BUS_STUCK = auto()
    SDA_STUCK = auto()
    SCL_STUCK = auto()
    BUS_EMPTY = auto()
    BUS_UNRELIABLE = auto()
    BUS_SLOW = auto()
    BUS_FAST = auto()
    NO_ACCELEROMETER = auto()
    ACCELEROMETER_STRAPPED = auto()
    WRONG_ACCELEROMETER = auto()
    PARTS_SWAPPED = auto()
    NO_SAMPLES = auto()
    NO_GRAVITY = auto()
    INTERRUPT_SILENT = auto()
    INTERRUPT_STUCK = auto()
    NO_DISPLAY = auto()
    DISPLAY_STRAPPED = auto()
    SH1106_DISPLAY = auto()
    NO_LIGHT_SENSOR = auto()
    WRONG_LIGHT_SENSOR = auto()
    BH1750_LIGHT_SENSOR = auto()
    BH1750_STRAPPED = auto()
    VEML7700_LIGHT_SENSOR = auto()
    NO_BH1750 = auto()
    TOO_DARK = auto()
    LIGHT_NEVER_CHANGES = auto()
    COVER_LEAKS = auto()
    COVER_LOOSE = auto()
    PINS_REFUSED = auto()
    PINS_BUSY = auto()
    EDGES_FAIL = auto()
    TOUCH_STUCK = auto()
    TOUCH_UNSTEADY = auto()
    TOUCH_SILENT = auto()
    NO_ADAPTER = auto()
    ADAPTER_OWNED = auto()
    ADAPTER_REFUSED = auto()
    ADAPTER_BLOCKED = auto()
    INFRARED_FAILS = auto()
    INFRARED_UNHEARD = auto()
    INFRARED_LOSSY = auto()
    INFRARED_NOISE = auto()
    INFRARED_JITTER = auto()
