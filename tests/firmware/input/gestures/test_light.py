"""The cup by its light: lifted, closed, too dark. Readings as the VEML7700 gives them."""

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


LAMPS = {
    f"a lamp of {times} times the leak": [
        ([300] * 20 + [6] * 40, "Covered"),  # a thumb that lets through 2 %
        (([6 * times] * 60 + [6] * 60) * 20, ""),
        ([300] * 2, "Uncovered"),
    ]
    for times in (3, 8, 12)
}
SAID = LAMPS | {
    "dark at waking": [([0], "Covered")],
    "open from the start": [([200] * 20, "")],
    "a lift takes two conversions": [([1] * 3, "Covered"), ([40], ""), ([60], "Uncovered")],
    "a flash": [([1, 1], "Covered"), ([300, 1] * 5, "")],
    "one lift": [([1], "Covered"), ([300] * 40, "Uncovered")],
    "a tenth of a second of darkness": [
        ([1, *[300] * 12], "Covered Uncovered"),
        ([2, 1, 1], ""),  # 25 ms before the first of them to the third: 85 ms
        ([1], "Covered"),
    ],
    "a shorter shadow": [([1, 300, 300], "Covered Uncovered"), ([1, 1, 300] * 5, "")],
    "a quarter of the light": [([100] * 10, ""), ([30] * 3, ""), ([15] * 5, "Covered")],
    "a lamp that was switched off": [
        ([400] * 20 + [8] * 40, "Covered"),
        ([1] * 20, ""),
        ([50, 50], "Uncovered"),
    ],
    "a thumb that leaks more": [
        (([100] * 30 + [12] * 40) * 4, "Covered" + 3 * " Uncovered Covered"),
        ([70, 70], "Uncovered"),  # 14 times twelve would never come
    ],
    "a gentle lift": [([300] * 10 + [2] * 10, "Covered"), (range(2, 132, 5), "Uncovered")],
    "a lift through darkness": [([0], "Covered"), ([3, 5, 6, 20, 60, *[90] * 30], "Uncovered")],
    "a leak that leaves no contrast": [
        ([20, 20, *[4] * 5, *[11] * 400], "Covered"),
        ([40] * 2 + [22] * 60, "Uncovered TooDark"),
    ],
    "light of five minutes ago": [
        ([400] * 10 + [1] * 5, "Covered"),
        ([26] * 3, ""),
        ([1] * 10_000, ""),
        ([26, 26], "Uncovered"),
    ],
    "a lamp and light of long ago": [([100] * 20 + [2] * 10_000, "Covered"), ([20] * 60, "")],
    "a room that was bright for one closing": [
        ([3] * 20, "Covered"),
        ([15_000] * 20, "Uncovered"),
        ([300] * 40, "Covered"),
        ([3] * 20, ""),
        ([150] * 4, "Uncovered"),
    ],
}
"""Readings in counts, and what each of them says."""


@pytest.mark.parametrize("told", SAID.values(), ids=SAID)
def test_what_light_says(sensor, told):
    for counts, said in told:
        assert " ".join(kind.__name__ for kind in kinds(sensor.see(*counts))) == said


def test_the_same_conversion_read_twice_is_one(sensor):
    sensor.see(1, 1, 1)
    assert (sensor.see(40), sensor.see(40, 40, fresh=False)) == ([], [])
    assert sensor.watch.lift_suspected
    assert kinds(sensor.see(40)) == [Uncovered]
    assert not sensor.watch.lift_suspected


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


def test_too_dark_below_one_lux(sensor):
    below = int(1 / LX_PER_COUNT)
    said = sensor.see(*[below] * 20)
    assert said == [TooDark(said[0].t_us, True)]
    assert said[0].t_us >= 300_000  # not while the light may still be rising
    assert kinds(sensor.see(*[2 * below] * 20)) == [TooDark]


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
