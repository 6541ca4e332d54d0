"""What is said of a part that does not answer."""

from firmware.display.text.alerts import Alert
from firmware.effects.reports import Part

MISSING: dict[Part, Alert] = {
    Part.ACCELEROMETER: Alert.ACCELEROMETER,
    Part.PANEL: Alert.DISPLAY,
    Part.LIGHT: Alert.LIGHT_SENSOR,
}
"""What is said of a part that does not answer."""
