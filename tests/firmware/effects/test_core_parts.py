"""The common parts of every core: one picture at a time, failing parts, the earliest timer."""

from firmware.display.screens import AlertPage, LookPage, WaitingPage
from firmware.display.text.labels import Alert
from firmware.effects import (
    Blank,
    KeepChoice,
    ListenAt,
    Part,
    PartAlerts,
    PartFailed,
    PartWell,
    Shell,
    Show,
    earliest,
)
from firmware.journal import VOLUME_KEY, Put


def test_a_screen_is_shown_once_and_dice_leave_the_panel_before_all_else():
    shell, listen = Shell(), ListenAt(None)
    waits, looks = WaitingPage("Ana"), LookPage((6, 3), 63)
    assert shell.screen is None
    assert shell.show(waits, [listen]) == [listen, Show(waits, 0)]
    assert shell.show(WaitingPage("Ana"), [listen]) == [listen]
    assert shell.show(looks) == [Show(looks, 0)]
    assert shell.show(LookPage((4, 2), 42)) == [Show(LookPage((4, 2), 42), 0)]
    assert shell.show(waits, [listen]) == [Blank(1), listen, Show(waits, 1)]
    assert shell.screen == waits


def test_a_new_volume_is_kept_once():
    shell, page = Shell(2), WaitingPage("Ana")
    assert shell.show(page) == [Show(page, 0)]
    shell.raise_volume()
    assert shell.show(page) == [KeepChoice(Put(VOLUME_KEY, b"\3"))]
    assert shell.show(page) == []
    shell.raise_volume()
    assert shell.volume == 0, "silence follows the loudest"


def test_parts_that_fail_are_told_one_after_the_other():
    alerts = PartAlerts()
    assert not alerts
    assert alerts.screen is None
    alerts.report(PartFailed(Part.LIGHT))
    alerts.report(PartFailed(Part.ACCELEROMETER, "LIS3DH"))
    assert alerts.screen == AlertPage(Alert.LIGHT_SENSOR)
    assert Part.ACCELEROMETER in alerts
    for part in (Part.LIGHT, Part.LIGHT):
        alerts.report(PartWell(part))
    assert list(alerts) == [Part.ACCELEROMETER]
    assert alerts.screen == AlertPage(Alert.WRONG_PART, "LIS3DH")


def test_the_earliest_of_some_times():
    assert earliest([None, 5, 3]) == 3
    assert earliest([None, None]) is None
