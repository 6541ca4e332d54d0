"""The touch pad by its times: tap, hold, grip (tap < 0.5 s, hold from 0.8 s)."""

import pytest

from firmware.input.gestures import Held, Pressed, Released, Tap
from firmware.input.gestures.recognizer import TouchWatch


@pytest.fixture
def touch():
    return TouchWatch()


@pytest.mark.parametrize(
    ("lasts_us", "ends"),
    [
        (60_000, [Tap(60_000)]),
        (499_999, [Tap(499_999)]),
        (500_000, [Released(500_000)]),
        (799_999, [Released(799_999)]),
        (800_000, [Held(800_000), Released(800_000)]),
        (5_500_000, [Held(800_000), Released(5_500_000)]),
    ],
)
def test_the_time_decides(touch, lasts_us, ends):
    assert touch.press(0, in_motion=False) == [Pressed(0)]
    assert touch.release(lasts_us) == ends


def test_a_hold_comes_while_the_finger_is_down(touch):
    touch.press(1_000, in_motion=False)
    assert (touch.next_timer_us, touch.tick(800_999)) == (801_000, [])
    assert touch.tick(801_000) == [Held(801_000)]
    assert touch.next_timer_us is None
    assert touch.tick(900_000) == []
    assert touch.release(950_000) == [Released(950_000)]


def test_a_late_tick_reports_the_hold_when_it_was_due(touch):
    touch.press(0, in_motion=False)
    assert touch.tick(2_000_000) == [Held(800_000)]


@pytest.mark.parametrize("lasts_us", [100_000, 600_000, 900_000, 6_000_000])
def test_a_touch_that_begins_in_motion_is_void(touch, lasts_us):
    assert touch.press(0, in_motion=True) == []
    assert touch.next_timer_us is None
    assert touch.tick(850_000) == []
    assert touch.release(lasts_us) == [Released(lasts_us)]


def test_a_touch_made_void_ends_in_nothing(touch):
    touch.press(0, in_motion=False)
    touch.void()
    assert touch.next_timer_us is None
    assert touch.release(100_000) == [Released(100_000)]
    assert touch.press(200_000, in_motion=False) == [Pressed(200_000)]
    assert touch.release(300_000) == [Tap(300_000)]


def test_an_end_without_a_beginning_is_nothing(touch):
    assert touch.release(10_000) == []
    touch.press(20_000, in_motion=False)
    touch.reset()
    assert touch.next_timer_us is None
    assert touch.release(30_000) == []


def test_a_finger_that_is_down_already_is_not_pressed_again(touch):
    touch.press(0, in_motion=False)
    assert touch.press(300_000, in_motion=False) == []
    assert touch.release(600_000) == [Released(600_000)]
