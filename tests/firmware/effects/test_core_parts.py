"""The common parts of every core: one picture at a time, failing parts, the earliest timer."""

from firmware.display.screens import AlertPage, LookPage, WaitingPage
from firmware.display.text.alerts import Alert
from firmware.effects.core import earliest
from firmware.effects.effects import Blank, ListenAt, Show
from firmware.effects.part_alerts import PartAlerts
from firmware.effects.reports import Part, PartFailed, PartWell
from firmware.effects.shown_screen import ShownScreen


def test_a_screen_is_shown_once_and_dice_leave_the_panel_before_all_else():
    shown, listen = ShownScreen(), ListenAt(None)
    waits, looks = WaitingPage("Ana"), LookPage((6, 3), 63)
    assert shown.screen is None
    assert shown.to(waits, [listen]) == [listen, Show(waits, 0)]
    assert shown.to(WaitingPage("Ana"), [listen]) == [listen]
    assert shown.to(looks) == [Show(looks, 0)]
    assert shown.to(LookPage((4, 2), 42)) == [Show(LookPage((4, 2), 42), 0)]
    assert shown.to(waits, [listen]) == [Blank(1), listen, Show(waits, 1)]
    assert shown.screen == waits


def test_parts_that_fail_are_told_one_after_the_other():
    alerts, other = PartAlerts(), PartAlerts()
    assert not alerts
    assert alerts.screen is None
    alerts.report(PartFailed(Part.LIGHT))
    alerts.report(PartFailed(Part.ACCELEROMETER, "LIS3DH"))
    assert alerts.screen == AlertPage(Alert.LIGHT_SENSOR)
    assert Part.ACCELEROMETER in alerts
    other.report(PartFailed(Part.PANEL))
    other.add(alerts)
    assert list(other) == [Part.PANEL, Part.LIGHT, Part.ACCELEROMETER]
    for part in (Part.LIGHT, Part.LIGHT, Part.PANEL):
        other.report(PartWell(part))
    assert other.screen == AlertPage(Alert.WRONG_PART, "LIS3DH")


def test_the_earliest_of_some_times():
    assert earliest([None, 5, 3]) == 3
    assert earliest([None, None]) is None
