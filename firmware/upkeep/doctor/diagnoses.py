"""Every fault that the doctor can find; ``diagnoses.toml`` has the words.

Faults of the Bluetooth adapter stand in its own module, because its opener reports them, too.
"""

import tomllib
from enum import Enum, auto
from pathlib import Path
from typing import Final

from firmware.display.text.words import Words
from firmware.link.bluetooth.adapter import AdapterTrouble

_TEXTS: Final = tomllib.loads(
    Path(__file__).with_name("diagnoses.toml").read_text(encoding="utf-8")
)


class Diagnosis(Enum):
    """A fault.

    Attributes:
        what: the fault, with places in braces that the finding fills.
        do: the remedy.
    """

    def __init__(self, _number: int) -> None:
        of_adapter = self.name.removeprefix("ADAPTER_")
        if of_adapter != self.name:
            self.what, self.do = AdapterTrouble[of_adapter].what, AdapterTrouble[of_adapter].do
            return
        texts = _TEXTS[self.name]
        self.what = Words(**texts["what"])
        self.do = Words(**texts["do"])

    NO_PI = auto()
    NOT_64_BIT = auto()
    OLD_KERNEL = auto()
    OLD_PYTHON = auto()
    PACKAGE_MISSING = auto()
    PACKAGE_VERSION = auto()
    TWO_GPIO_PACKAGES = auto()
    NO_GPIO_PACKAGE = auto()
    GPIO_PACKAGE_FOR_PI_5 = auto()
    NOT_IN_GROUP = auto()
    SECRETS_OPEN = auto()
    UNDER_VOLTAGE = auto()
    NO_BUS = auto()
    BUS_REFUSED = auto()
    BUS_STUCK = auto()
    SDA_STUCK = auto()
    SCL_STUCK = auto()
    BUS_EMPTY = auto()
    BUS_UNRELIABLE = auto()
    BUS_SLOW = auto()
    BUS_FOLLOWS_CORE = auto()
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
    PINS_UNLOADED = auto()
    PINS_REFUSED = auto()
    PINS_BUSY = auto()
    EDGES_FAIL = auto()
    TOUCH_STUCK = auto()
    TOUCH_UNSTEADY = auto()
    TOUCH_SILENT = auto()
    ADAPTER_MISSING = auto()
    ADAPTER_OWNED = auto()
    ADAPTER_REFUSED = auto()
    ADAPTER_BLOCKED = auto()
    ADAPTER_FAILING = auto()
    INFRARED_FAILS = auto()
    INFRARED_UNHEARD = auto()
    INFRARED_KERNEL = auto()
    INFRARED_LOSSY = auto()
    INFRARED_NOISE = auto()
    INFRARED_JITTER = auto()
