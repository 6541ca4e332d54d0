"""The parts of this handheld that do not answer as they should, and their alerts."""

from collections.abc import Iterator

from firmware.display.screens import AlertPage
from firmware.display.text.alerts import Alert
from firmware.effects.reports import Part, PartFailed, PartWell

_MISSING: dict[Part, Alert] = {
    Part.ACCELEROMETER: Alert.ACCELEROMETER,
    Part.PANEL: Alert.DISPLAY,
    Part.LIGHT: Alert.LIGHT_SENSOR,
}


class PartAlerts:
    """The failed parts, in the order in which they failed; false while all answer."""

    def __init__(self) -> None:
        self._alerts: dict[Part, AlertPage] = {}

    def __iter__(self) -> Iterator[Part]:
        return iter(self._alerts)

    def __len__(self) -> int:
        return len(self._alerts)

    @property
    def screen(self) -> AlertPage | None:
        """The alert of the part that failed first; None while all answer."""
        return next(iter(self._alerts.values()), None)

    def report(self, report: PartFailed | PartWell) -> None:
        """Remember that a part failed, or forget it when it answers again."""
        match report:
            case PartFailed(part, str(wrong)):
                self._alerts[part] = AlertPage(Alert.WRONG_PART, wrong)
            case PartFailed(part):
                self._alerts[part] = AlertPage(_MISSING[part])
            case PartWell(part):
                self._alerts.pop(part, None)
