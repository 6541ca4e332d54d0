"""When nobody looks: dimmer, then dark, and awake again in time; never with dice."""

import asyncio

import pytest

from firmware.display import screens
from firmware.display.screens import concerns_player, shows_dice
from firmware.display.text.labels import Alert, Text
from firmware.input.gestures import Covered, Pose, Tap, TooDark
from firmware.runtime.panel import DARK_CONTRAST, DIM_CONTRAST
from firmware.runtime.sleep import DIM_US, OFF_US, TURNED_DEG, Brightness, Idle
from firmware.table.seat.cup_custody import Position
from tests.firmware.runtime.test_runtime import on_a_board
from tests.support.rigs import Rig, alone, join, offer, switched_on

S = 1_000_000
NAP_S = 62.0
"""After this long without anything a handheld sleeps."""
DIAL = screens.DialStrip(None, Text.NEUTRAL, None, 0, 1)


# ---- the decision --------------------------------------------------------------------------------


def test_it_dims_then_goes_dark_and_says_when():
    idle = Idle(5 * S)
    assert idle.brightness(5 * S) is Brightness.FULL
    assert idle.next_timer_us(5 * S) == 5 * S + DIM_US
    assert idle.brightness(5 * S + DIM_US - 1) is Brightness.FULL
    assert idle.brightness(5 * S + DIM_US) is Brightness.DIM
    assert idle.next_timer_us(5 * S + DIM_US) == 5 * S + OFF_US
    assert idle.brightness(5 * S + OFF_US) is Brightness.OFF
    assert idle.next_timer_us(5 * S + OFF_US) is None
    idle.wake(70 * S)
    assert idle.brightness(70 * S) is Brightness.FULL


def lying(t_us, roll_deg=0.0, pitch_deg=0.0, still=True):
    return Pose(t_us, roll_deg, pitch_deg, still)


@pytest.mark.parametrize(
    ("gesture", "stirs"),
    [
        (lying(0, TURNED_DEG - 1, 1 - TURNED_DEG), False),
        (TooDark(0, too_dark=True), False),
        (lying(0, TURNED_DEG), True),
        (lying(0, 0.0, -TURNED_DEG), True),
        (lying(0, still=False), True),
        (Tap(0), True),
    ],
)
def test_what_a_player_does_stirs_and_how_it_lies_does_not(gesture, stirs):
    idle = Idle(0)
    idle.add_gesture(lying(0), 0)
    idle.add_gesture(gesture, DIM_US)
    assert (idle.brightness(DIM_US) is Brightness.FULL) == stirs


def test_a_handheld_that_is_turned_slowly_is_in_a_hand():
    idle = Idle(0)
    for second in range(100):
        idle.add_gesture(lying(second * S, second * 1.0), second * S)
        assert idle.brightness(second * S) is Brightness.FULL


@pytest.mark.parametrize(
    ("screen", "does"),
    [
        (screens.ClosedPage(next(iter(screens.CupKind)), DIAL), True),
        (screens.WaitingPage("Ben"), False),
        (screens.WaitingPage("Ben", dial=DIAL), True),
        (screens.OnItsWayPage("Ben", 65, screens.Delivery.OFFERED), False),
        (screens.OnItsWayPage("Ben", 65, screens.Delivery.SILENT), True),
        (screens.OnItsWayPage("Ben", 65, screens.Delivery.GONE), True),
        (screens.ThrowOpenPage("maxen", "Ben", (1, 2, 3), (), (), 1, 3), False),
        (screens.ThrowOpenPage("maxen", None, (1, 2, 3), (), (), 1, 3), True),
        (screens.StandingsPage(()), False),
        (screens.MatchOverPage(None, "", ()), True),
        (screens.AlertPage(Alert.DISPLAY), True),
        (screens.QuestionPage(Text.TITLE), True),
    ],
)
def test_what_a_screen_says_concerns_its_player_or_only_others(screen, does):
    assert concerns_player(screen) is does


# ---- on the board --------------------------------------------------------------------------------


async def lit(rig, limit_s):
    """Wait for the display to be on with the picture that is wanted; return how long that took."""
    began_us = rig.runtime.now_us
    while not rig.on_glass:
        assert rig.runtime.now_us - began_us < limit_s * S, "it stays dark"
        await asyncio.sleep(0.001)
    return (rig.runtime.now_us - began_us) / S


@pytest.mark.whole
@on_a_board()
async def test_who_is_to_act_always_sees_it_and_is_called(rig):
    assert rig.core.position is Position.MINE
    for _ in range(8):
        await asyncio.sleep(45.0)
        assert rig.board.display.is_lit
        assert rig.runtime.sensing
    await asyncio.sleep(30.0)
    assert rig.board.display.contrast == DIM_CONTRAST
    await rig.shake()
    assert rig.core.match.rolls == 1


@on_a_board(seat=1)
async def test_it_dims_goes_dark_and_hardly_uses_the_bus(rig):
    await asyncio.sleep(15.0)
    assert rig.board.display.contrast == DARK_CONTRAST
    await asyncio.sleep(10.0)
    assert rig.board.display.is_lit
    assert rig.board.display.contrast == DIM_CONTRAST
    await asyncio.sleep(38.0)
    assert not rig.board.display.is_lit
    assert rig.runtime.asleep
    before = rig.board.bus.transactions
    await asyncio.sleep(60.0)
    assert rig.board.bus.transactions - before <= 105, "light every 0.6 s, and nothing else"


@on_a_board(seat=1)
async def test_a_touch_wakes_it_and_does_nothing_else(rig):
    before = rig.core.screen
    await asyncio.sleep(NAP_S)
    gestures, shown = len(rig.gestures), len(rig.shown)
    rig.touch(True)
    assert await lit(rig, 1.0) < 0.35
    await asyncio.sleep(1.5)
    rig.touch(False)
    await asyncio.sleep(0.5)
    assert rig.core.screen == before
    assert len(rig.shown) == shown
    assert all(isinstance(each, Pose | Covered) for each in rig.gestures[gestures:])
    await rig.touched_for(0.25)
    assert isinstance(rig.core.screen, screens.StandingsPage), "the next does what it says"


@pytest.mark.whole
@pytest.mark.parametrize("light", ["veml7700", "bh1750"])
@on_a_board(seat=1)
async def test_light_wakes_it_and_shows_no_dice(rig, light):
    await asyncio.sleep(NAP_S)
    assert not rig.board.display.is_lit
    shown = len(rig.shown)
    rig.watch.lifting(rig.runtime.now_us)
    rig.hand.lift(rig.runtime.now_us)
    assert await lit(rig, 3.0) < 1.5
    await asyncio.sleep(3.0)
    assert not any(shows_dice(screen) for screen in rig.shown[shown:]), "it only wakes"


@pytest.mark.whole
def test_an_offer_wakes_it_at_once(tmp_path):
    async def scenario(rig):
        giver = Rig(tmp_path, seat=0)
        async with switched_on(giver):
            await asyncio.sleep(NAP_S)
            assert rig.runtime.asleep
            join(giver, rig)
            await giver.tilt_and_back(35.0, 0.0, 1.5)
            took = []

            async def watch():
                while rig.core.position is not Position.OFFERED:
                    await asyncio.sleep(0.001)
                took.append(await lit(rig, 1.0))

            watching = asyncio.ensure_future(watch())
            await offer(giver, before_tap=lambda: None)
            await asyncio.sleep(1.0)
            assert took[0] < 0.1
            assert rig.runtime.sensing
            await watching

    alone(tmp_path, scenario, seat=1)


@pytest.mark.whole
@on_a_board()
async def test_a_part_that_fails_meanwhile_is_shown(rig):
    await asyncio.sleep(NAP_S)
    rig.board.unplug("light")
    await asyncio.sleep(2.0)
    assert rig.core.screen == screens.AlertPage(Alert.LIGHT_SENSOR)
    assert rig.on_glass


@pytest.mark.parametrize("wire", ["accelerometer.int1", "touch.q"])
@on_a_board(seat=1)
async def test_with_a_wire_cut_it_is_woken_another_way(rig, wire):
    rig.board.cut(wire)
    await asyncio.sleep(NAP_S)
    assert rig.runtime.asleep
    if wire == "touch.q":
        rig.hand.tilt(rig.runtime.now_us, 35.0, 0.0)
    else:
        rig.touch(True)
    await lit(rig, 1.0)
