"""The cup by its light: lifted, closed, too dark. Readings as the VEML7700 gives them."""

from random import Random

import pytest

from firmware.input.gestures import Covered, Light, TooDark, Uncovered
from firmware.input.gestures.light import LX_PER_COUNT, LightWatch

STEP_US = 30_000


class Sensor:
    """Feeds readings 30 ms apart and collects what is said about them."""

    def __init__(self):
        self.watch = LightWatch()
        self.t_us = 0

    def see(self, *counts, fresh=True):
        said = []
        for value in counts:
            self.t_us += STEP_US
            said += self.watch.feed(Light(self.t_us, value, fresh))
        return said


@pytest.fixture
def sensor():
    return Sensor()


def kinds(gestures):
    return [type(gesture) for gesture in gestures]


def test_dark_at_waking_is_covered_at_once(sensor):
    assert sensor.watch.covered is None
    assert kinds(sensor.see(0)) == [Covered]
    assert sensor.watch.covered is True


def test_open_from_the_start_is_no_lift(sensor):
    assert sensor.see(*[200] * 20) == []
    assert sensor.watch.covered is False


def test_a_lift_takes_two_fresh_conversions_and_no_more(sensor):
    sensor.see(1, 1, 1)
    assert sensor.see(40) == []
    assert sensor.watch.lift_suspected
    assert kinds(sensor.see(60)) == [Uncovered]
    assert not sensor.watch.lift_suspected
    assert sensor.watch.covered is False


def test_the_same_conversion_read_twice_is_one(sensor):
    sensor.see(1, 1, 1)
    assert (sensor.see(40), sensor.see(40, 40, fresh=False)) == ([], [])
    assert sensor.watch.lift_suspected
    assert kinds(sensor.see(40)) == [Uncovered]


def test_a_flash_is_no_lift(sensor):
    sensor.see(1, 1)
    for _ in range(5):
        assert sensor.see(300, 1) == []
    assert sensor.watch.covered is True


def test_one_lift_is_said_once(sensor):
    sensor.see(1)
    assert kinds(sensor.see(*[300] * 40)) == [Uncovered]


def test_closed_after_a_tenth_of_a_second_of_darkness(sensor):
    sensor.see(1, 300, 300, *[300] * 10)
    assert sensor.see(2, 1, 1) == []  # 25 ms before the first of them to the third: 85 ms
    assert kinds(sensor.see(1)) == [Covered]
    assert sensor.watch.covered is True


def test_a_shadow_of_less_than_a_tenth_of_a_second_closes_nothing(sensor):
    sensor.see(1, 300, 300)
    for _ in range(5):
        assert sensor.see(1, 1, 300) == []
    assert sensor.watch.covered is False


def test_after_an_open_start_a_quarter_of_the_light_is_covered(sensor):
    sensor.see(*[100] * 10)
    assert (sensor.see(*[30] * 3), kinds(sensor.see(*[15] * 5))) == ([], [Covered])


def test_between_the_thresholds_nothing_changes(sensor):
    sensor.see(2, *[200] * 20)
    between = round(0.7 * sensor.watch.lift_threshold_counts)
    assert sensor.see(*[between] * 10) == []
    sensor.see(*[2] * 5)
    between = round(0.7 * sensor.watch.lift_threshold_counts)
    assert sensor.see(*[between] * 3) == []
    assert sensor.watch.covered is True


@pytest.mark.parametrize(
    ("dark", "bright", "least"),
    [
        (0, 0, 4.0),  # max(0.5 lx, 4 counts) above darkness
        (10, 0, 30.0),  # three times darkness
        (2, 402, 42.0),  # 14 times darkness, one count more
        (0, 25, 10.0),  # 0.4 of the light
        (19, 200, 76.0),  # the light is ten times darkness: five times, but 0.4 of it is less
    ],
)
def test_the_threshold_follows_the_levels(sensor, dark, bright, least):
    if bright:
        sensor.see(*[bright] * 2)
        sensor.see(*[dark] * 40)
    else:
        sensor.see(*[min(4, dark)] * 2, *[dark] * 600)
    assert sensor.watch.lift_threshold_counts == pytest.approx(least, rel=0.06)


def test_the_contrast_of_before_counts_until_a_closing_has_settled(sensor):
    sensor.watch = LightWatch(dark=3.0, bright=40.0)  # 10 times
    sensor.see(*[400] * 100, *[3] * 5)
    assert sensor.watch.lift_threshold_counts == pytest.approx(5 * 4, rel=0.02)
    sensor.see(*[3] * 30)
    assert sensor.watch.lift_threshold_counts == pytest.approx(14 * 4, rel=0.02)


def test_closed_is_less_than_lifted(sensor):
    sensor.see(*[402] * 2, *[2] * 40)
    watch = sensor.watch
    assert watch.close_threshold_counts == pytest.approx(0.5 * 62, rel=0.02)  # 15 % of the way
    assert watch.close_threshold_counts < watch.lift_threshold_counts


@pytest.mark.parametrize("times", [3, 8, 12])
def test_a_lamp_that_is_switched_on_lifts_nothing(sensor, times):
    sensor.see(*[300] * 20, *[6] * 40)  # a thumb that lets through 2 %
    for _ in range(20):
        assert sensor.see(*[6 * times] * 60, *[6] * 60) == []
    assert sensor.watch.covered is True
    assert kinds(sensor.see(*[300] * 2)) == [Uncovered]


def test_a_lamp_that_was_switched_off_hides_no_lift(sensor):
    sensor.see(*[400] * 20, *[8] * 40)
    assert (sensor.see(*[1] * 20), kinds(sensor.see(50, 50))) == ([], [Uncovered])


def test_a_thumb_that_leaks_more_is_learnt(sensor):
    for _ in range(4):
        sensor.see(*[100] * 30, *[12] * 40)
    assert kinds(sensor.see(70, 70)) == [Uncovered]  # 14 times twelve would never come


def test_a_gentle_lift_is_not_taken_for_darkness(sensor):
    sensor.see(*[300] * 10, *[2] * 10)
    said = sensor.see(*range(2, 302, 5))  # two seconds
    assert kinds(said) == [Uncovered]
    assert said[0].t_us < sensor.t_us - 1_000_000


@pytest.mark.parametrize("seed", range(6))
def test_flicker_and_candles_lift_nothing(sensor, seed):
    rng = Random(seed)
    sensor.see(*[150] * 10)
    said = []
    for _ in range(400):  # a thumb that lets through 3 % of a flickering light
        said += sensor.see(round(150 * 0.03 * rng.uniform(0.7, 1.3)))
    assert kinds(said) == [Covered]
    said = []
    for _ in range(400):
        said += sensor.see(round(150 * rng.uniform(0.7, 1.3)))
    assert kinds(said) == [Uncovered]


def test_too_dark_below_one_lux(sensor):
    below = int(1 / LX_PER_COUNT)
    said = sensor.see(*[below] * 20)
    assert said == [TooDark(said[0].t_us, True)]
    assert said[0].t_us >= 300_000  # not while the light may still be rising
    assert kinds(sensor.see(*[2 * below] * 20)) == [TooDark]


def test_too_dark_where_covering_makes_no_difference(sensor):
    sensor.see(20, 20)  # open, as far as is known
    sensor.see(*[4] * 5)
    sensor.see(*[11] * 400)  # light that leaks in slowly: no contrast is left
    said = sensor.see(*[40] * 2, *[22] * 60)
    assert kinds(said) == [Uncovered, TooDark]
    assert said[-1].too_dark


def test_a_lift_through_darkness_does_not_call_the_room_dark(sensor):
    sensor.see(0)
    assert kinds(sensor.see(3, 5, 6, 20, 60, *[90] * 30)) == [Uncovered]


def test_light_of_long_ago_does_not_hide_a_lift(sensor):
    sensor.see(*[400] * 10, *[1] * 5)
    assert sensor.see(*[26] * 3) == []
    sensor.see(*[1] * 10_000)  # five minutes
    assert kinds(sensor.see(26, 26)) == [Uncovered]


def test_a_lamp_lifts_nothing_when_the_light_was_long_ago(sensor):
    sensor.see(*[100] * 20, *[2] * 10_000)
    assert sensor.see(*[20] * 60) == []


def test_covered_throughout_knows_since_when_and_until_when(sensor):
    sensor.see(*[200] * 5)
    assert not sensor.watch.covered_throughout(0, sensor.t_us)
    sensor.see(*[0] * 4)
    since_us = 6 * STEP_US - 25_000
    assert sensor.watch.covered_throughout(since_us, sensor.t_us)
    assert not sensor.watch.covered_throughout(since_us - 1, sensor.t_us)
    sensor.see(200, 200)
    assert sensor.watch.covered_throughout(since_us, sensor.t_us - 1)
    assert not sensor.watch.covered_throughout(since_us, sensor.t_us + 1)


def test_after_sleep_the_cup_is_unknown_but_the_leak_is_not(sensor):
    sensor.see(*[200] * 10, *[10] * 20)
    sensor.watch.reset()
    assert sensor.watch.covered is None
    assert kinds(sensor.see(10)) == [Covered]


@pytest.mark.parametrize("lux", [1_000, 2_000, 8_000])
@pytest.mark.parametrize("leak_share", [0.001, 0.005, 0.02])
@pytest.mark.parametrize("room_lux", [5, 20, 50])
def test_in_a_room_that_became_bright_a_covered_cup_stays_covered(
    sensor, room_lux, leak_share, lux
):
    before, after = round(room_lux / LX_PER_COUNT), round(lux / LX_PER_COUNT)
    for _ in range(2):
        sensor.see(*[round(leak_share * before)] * 20)
        sensor.see(*[before] * 20)
    sensor.see(*[round(leak_share * before)] * 20)
    sensor.see(*[after] * 20)
    assert kinds(sensor.see(*[round(leak_share * after)] * 40)) == [Covered]
    assert kinds(sensor.see(*[after] * 2)) == [Uncovered], "and the next lift is seen"


def test_a_room_that_was_bright_for_one_closing_hides_no_lift_once_it_is_dim(sensor):
    sensor.see(*[3] * 20)
    sensor.see(*[15_000] * 20)
    sensor.see(*[300] * 40)
    sensor.see(*[3] * 20)
    assert kinds(sensor.see(*[150] * 4)) == [Uncovered]
