"""Guards of the core against accidents; failing parts."""

from dataclasses import replace

import pytest

from firmware import effects as effects_
from firmware.display import screens
from firmware.display.text.labels import Alert
from firmware.input import gestures as hand
from firmware.table.seat.cup_custody import Position
from game import actions as do
from tests.support import core_table as cores
from tests.support.net import MS, S


@pytest.fixture
def table():
    """Ana's cup is empty, and she opens."""
    return cores.CoreTable(3, dice={0: [(6, 3), (5, 4)]})


@pytest.fixture
def thrown(table):
    table.do(0, hand.Shaken(0, 500 * MS))
    return table


@pytest.fixture
def offered(thrown):
    """Ben has just been offered Ana's cup."""
    thrown.choose(0, do.Announce(65))
    assert thrown[1].position is Position.OFFERED
    assert not thrown[1].handheld.view().offer_armed
    return thrown


# ---- the offer -----------------------------------------------------------------------------------


def test_an_offer_that_came_under_a_finger_waits_until_the_pad_was_free(thrown):
    thrown.press(1)
    thrown.choose(0, do.Announce(65))
    thrown.wait(5 * S)
    assert not thrown[1].handheld.view().offer_armed
    thrown.do(1, hand.Held(thrown.now_us))
    assert not thrown[1].handheld.view().offer_armed
    thrown.release(1)
    assert thrown[1].handheld.view().offer_armed
    assert thrown[1].position is Position.OFFERED


def test_before_it_is_armed_neither_light_nor_pad_answers(offered):
    offered.rest(1)
    offered.pose(1, 60.0)
    assert offered[1].dial.entry.choice == do.Believe()
    offered.do(1, hand.Pressed(0), hand.Tap(0), hand.Uncovered(0))
    assert not offered[1].handheld.view().offer_armed
    offered.wait(3 * S)
    assert offered[1].position is Position.OFFERED


# ---- the doubt -----------------------------------------------------------------------------------


def test_a_bar_fills_while_a_doubt_can_be_covered_again_and_a_shorter_lift_is_told_of(offered):
    offered.wait(S)
    asked = offered[1].screen
    offered.do(1, hand.Uncovered(0))
    seen = [offered[1].screen]
    for _ in range(4):
        offered.wait(125 * MS)
        seen.append(offered[1].screen)
    assert seen == [replace(asked, doubt=share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    offered.do(1, hand.Covered(0))
    assert offered[1].screen == replace(asked, too_short=True)
    offered.do(1, hand.Covered(0))
    offered.wait(20 * S)
    assert offered[1].screen.too_short, "until another lift"
    offered.do(1, hand.Uncovered(0))
    assert offered[1].screen == replace(asked, doubt=0.0)
    offered.wait(850 * MS)
    assert isinstance(offered[1].screen, screens.RevealPage)
    assert not offered[1].handheld.view().doubt_fell_short


def test_an_answer_by_the_pad_ends_a_doubt_under_way(offered):
    offered.wait(S)
    offered.tilt_to(1, offered[1].dial.index_of(do.Believe()))
    offered.do(1, hand.Uncovered(0))
    offered.tap(1)
    offered.wait(5 * S)
    assert offered[1].actions[-1] == do.Believe()


def test_a_light_sensor_that_fails_takes_the_doubt_back(offered):
    offered.wait(S)
    offered.do(1, hand.Uncovered(0), effects_.PartFailed(effects_.Part.LIGHT))
    offered.wait(5 * S)
    assert offered[1].position is Position.OFFERED
    assert offered[1].screen == screens.AlertPage(Alert.LIGHT_SENSOR)
    offered.do(1, effects_.PartWell(effects_.Part.LIGHT))
    assert isinstance(offered[1].screen, screens.OfferPage)


# ---- the announcement ----------------------------------------------------------------------------


def announce(table, value=65):
    table.tilt_to(0, table[0].dial.index_of(do.Announce(value)))
    table.tap(0)


def test_a_tilt_takes_it_back(thrown):
    announce(thrown)
    thrown.pose(0, 0.0)
    thrown.pose(0, 19.0)
    assert isinstance(thrown[0].screen, screens.AnnouncingPage)
    thrown.pose(0, 20.0)
    assert isinstance(thrown[0].screen, screens.ClosedPage)
    assert thrown[0].dial.entry.choice is None
    thrown.wait(5 * S)
    assert thrown[0].actions == (do.Roll((6, 3)),)


def test_the_tilt_it_was_chosen_with_does_not_take_it_back(thrown):
    thrown.tilt_to(0, thrown[0].dial.index_of(do.Announce(65)))
    thrown.pose(0, 25.0)
    thrown[0].dial.index = thrown[0].dial.index_of(do.Announce(65))
    thrown.tap(0)
    assert isinstance(thrown[0].screen, screens.AnnouncingPage)
    for _ in range(3):
        thrown.pose(0, 25.0)
    assert isinstance(thrown[0].screen, screens.AnnouncingPage)
    thrown.pose(0, 0.0)
    thrown.pose(0, 25.0)
    assert isinstance(thrown[0].screen, screens.ClosedPage)


@pytest.mark.parametrize("disturbed", ["moving", "touched"])
def test_a_tilt_in_motion_or_under_a_finger_does_not_count(thrown, disturbed):
    announce(thrown)
    thrown.pose(0, 0.0)
    if disturbed == "touched":
        thrown.press(0)
    thrown.pose(0, 60.0, still=disturbed == "touched")
    thrown.wait(S)
    assert thrown[0].actions[-1] == do.Announce(65)


# ---- the look ------------------------------------------------------------------------------------


def test_a_look_ends_after_4_s_until_the_cup_was_covered(thrown):
    thrown.do(0, hand.Uncovered(0))
    thrown.wait(3_999 * MS)
    assert isinstance(thrown[0].screen, screens.LookPage)
    thrown.wait(MS)
    assert isinstance(thrown[0].screen, screens.ClosedPage)
    thrown.wait(30 * S)
    assert isinstance(thrown[0].screen, screens.ClosedPage)
    thrown.do(0, hand.Covered(0), hand.Uncovered(0))
    assert isinstance(thrown[0].screen, screens.LookPage)


@pytest.mark.parametrize("part", list(effects_.Part))
def test_a_part_that_fails_ends_the_look(thrown, part):
    thrown.do(0, hand.Uncovered(0), effects_.PartFailed(part))
    assert isinstance(thrown[0].screen, screens.AlertPage)
    thrown.do(0, effects_.PartWell(part))
    assert isinstance(thrown[0].screen, screens.ClosedPage), "darkness may have gone unnoticed"


def test_a_shake_ends_the_look(thrown):
    thrown.do(0, hand.Uncovered(0), hand.Shaking(0, 100 * MS))
    assert isinstance(thrown[0].screen, screens.ShakingPage)
    thrown.do(0, hand.ShakeEnded(0, uncovered=False))
    assert isinstance(thrown[0].screen, screens.ClosedPage)


# ---- the throw -----------------------------------------------------------------------------------


def test_a_repeat_asks_for_0_8_s_and_shows_how_far_it_is(thrown):
    shown = []
    for vigorous_us in (100 * MS, 200 * MS, 500 * MS, 799 * MS):
        thrown.do(0, hand.Shaking(0, vigorous_us))
        shown.append((thrown[0].screen.progress, thrown[0].screen.again))
    assert shown == [(0.0, True), (0.25, True), (0.5, True), (0.75, True)]
    thrown.do(0, hand.Shaken(0, 799 * MS))
    assert thrown[0].screen == screens.AlertPage(Alert.SHAKE_LONGER)
    assert len(thrown[0].actions) == 1
    thrown.do(0, hand.Shaken(0, 800 * MS))
    assert thrown[0].actions == (do.Roll((6, 3)), do.Roll((5, 4)))


def test_a_shake_that_came_to_nothing_throws_nothing(table):
    table.do(0, hand.Shaking(0, 100 * MS), hand.ShakeEnded(0, uncovered=False))
    assert isinstance(table[0].screen, screens.ClosedPage)
    table.do(0, hand.ShakeEnded(0, uncovered=True))
    assert table[0].screen == screens.AlertPage(Alert.COVER_CUP)
    assert table[0].actions == ()


# ---- the hold ------------------------------------------------------------------------------------


def test_a_hold_let_go_early_does_nothing(table):
    table.tilt_to(0, table[0].dial.index_of(do.Roll()))
    table.press(0)
    table.wait(790 * MS)
    table.release(0)
    table.wait(5 * S)
    assert table[0].actions == ()
    assert table[0].screen.dial.progress is None
    assert table[0].dial.entry.choice == do.Roll(), "and the highlight stays"


def test_a_hold_that_began_before_the_dial_opened_finds_the_neutral_entry(offered):
    offered.wait(S)
    offered.tilt_to(1, offered[1].dial.index_of(do.Believe()))
    offered.tap(1)
    assert offered[1].position is Position.MINE
    offered.do(1, hand.Pressed(0))
    offered.do(1, hand.Held(0))
    assert offered[1].actions[-1] == do.Believe()


def test_a_shake_of_which_nothing_more_is_heard_is_over(table):
    table.do(0, hand.Shaking(0, 100 * MS))
    table.wait(900 * MS)
    assert table[0].screen == screens.ShakingPage()
    table.wait(200 * MS)
    assert isinstance(table[0].screen, screens.ClosedPage)
    assert table[0].actions == ()


def test_a_screen_is_shown_once_and_dice_leave_the_panel_before_all_else():
    shell, listen = effects_.Shell(), effects_.ListenAt(None)
    waits, looks = screens.WaitingPage("Ana"), screens.LookPage((6, 3), 63)
    assert shell.screen is None
    assert shell.show(waits, [listen]) == [listen, effects_.Show(waits, 0)]
    assert shell.show(screens.WaitingPage("Ana"), [listen]) == [listen]
    assert shell.show(looks) == [effects_.Show(looks, 0)]
    other = screens.LookPage((4, 2), 42)
    assert shell.show(other) == [effects_.Show(other, 0)]
    assert shell.show(waits, [listen]) == [effects_.Blank(1), listen, effects_.Show(waits, 1)]
    assert shell.screen == waits


def test_parts_that_fail_are_told_one_after_the_other():
    alerts = effects_.PartAlerts()
    assert not alerts
    assert alerts.screen is None
    alerts.report(effects_.PartFailed(effects_.Part.LIGHT))
    alerts.report(effects_.PartFailed(effects_.Part.ACCELEROMETER, "LIS3DH"))
    assert alerts.screen == screens.AlertPage(Alert.LIGHT_SENSOR)
    assert effects_.Part.ACCELEROMETER in alerts
    for part in (effects_.Part.LIGHT, effects_.Part.LIGHT):
        alerts.report(effects_.PartWell(part))
    assert list(alerts) == [effects_.Part.ACCELEROMETER]
    assert alerts.screen == screens.AlertPage(Alert.WRONG_PART, "LIS3DH")
