"""Everything the doctor examines, by its name in both languages."""

from enum import Enum

from firmware.display.text.words import Words


class Check(Enum):
    """A thing that the doctor examines; the value is its name for a person."""

    SYSTEM = Words("System", "system")
    PACKAGES = Words("Pakete", "packages")
    PERMISSIONS = Words("Rechte", "permissions")
    SECRETS = Words("Geheimnisse", "secrets")
    POWER = Words("Spannung", "supply")
    BUS = Words("I2C-Bus", "I2C bus")
    BUS_SPEED = Words("Bustakt", "bus speed")
    ACCELEROMETER = Words("Bewegungssensor", "accelerometer")
    MOTION = Words("Bewegung", "motion")
    INTERRUPT = Words("INT1-Leitung", "INT1 wire")
    DISPLAY = Words("Anzeige", "display")
    LIGHT = Words("Lichtsensor", "light sensor")
    COVER = Words("Abdecken", "covering")
    PINS = Words("GPIO-Pins", "GPIO pins")
    TOUCH = Words("Tastfeld", "touch pad")
    TAP = Words("Antippen", "tapping")
    PIEZO = Words("Piezo", "piezo")
    BLUETOOTH = Words("Bluetooth", "Bluetooth")
    INFRARED = Words("Infrarot", "infrared")
