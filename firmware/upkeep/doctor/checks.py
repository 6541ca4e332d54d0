"""Everything the doctor examines."""

from enum import Enum

Check = Enum(
    "Check",
    """
    SYSTEM PACKAGES PERMISSIONS SECRETS POWER BUS BUS_SPEED ACCELEROMETER MOTION INTERRUPT DISPLAY
    LIGHT COVER PINS TOUCH TAP PIEZO BLUETOOTH INFRARED
    """,
)
"""A thing that the doctor examines."""
