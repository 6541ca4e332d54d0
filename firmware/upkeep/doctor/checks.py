"""Everything the doctor examines."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

Check = Enum(
    "Check",
    """
    SYSTEM PACKAGES PERMISSIONS SECRETS POWER BUS BUS_SPEED ACCELEROMETER MOTION INTERRUPT DISPLAY
    PICTURE LIGHT COVER PINS TOUCH TAP PIEZO BLUETOOTH INFRARED
    """,
)
"""A thing that the doctor examines."""

PARTS: Final[Mapping[str, frozenset[Check]]] = {
    "system": frozenset(
        {Check.SYSTEM, Check.PACKAGES, Check.PERMISSIONS, Check.SECRETS, Check.POWER,
         Check.BLUETOOTH}
    ),
    "accelerometer": frozenset({Check.BUS, Check.ACCELEROMETER, Check.MOTION, Check.INTERRUPT}),
    "display": frozenset({Check.BUS, Check.BUS_SPEED, Check.DISPLAY, Check.PICTURE}),
    "light": frozenset({Check.BUS, Check.LIGHT, Check.COVER}),
    "touch": frozenset({Check.PINS, Check.TOUCH, Check.TAP}),
    "piezo": frozenset({Check.PINS, Check.PIEZO}),
    "infrared": frozenset({Check.INFRARED}),
}  # fmt: skip
"""The parts that can be examined alone, each with what is examined then."""
EVERYTHING: Final = frozenset(Check)
