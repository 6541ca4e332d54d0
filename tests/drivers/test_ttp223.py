"""The touch pad: debounced on the loop's clock, whatever the GPIO library does with edges."""

import asyncio
import threading

import pytest

from drivers.gpio import PinWatch
from drivers.pins import TOUCH
from drivers.ttp223 import DEAD_S, STABLE_S, TouchPad
from hw_sim.board import library

PROFILES = ("rpi-gpio", "rpi-lgpio", "no-edges")
POLL_US = 10_000


class Pad:
    """A pad that is watched, on a pin that the test drives."""

    def __init__(self, profile):
        self.loop = asyncio.get_running_loop()
        self.gpio = library(profile, self.loop)
        self.gpio.pins.drive(TOUCH, 0)
        self.changes = []
        self.pad = TouchPad(
            self.gpio, TOUCH, lambda t_us, down: self.changes.append((t_us, down)), self.loop
        )
        self.slack_us = POLL_US if profile == "no-edges" else 0

    def at(self, t_s, level):
        self.loop.call_at(t_s, self.gpio.pins.drive, TOUCH, level)

    def saw(self, *expected):
        assert [down for _, down in self.changes] == [down for _, down in expected]
        for (t_us, _), (t_s, _) in zip(self.changes, expected):
            assert t_s * 1e6 <= t_us <= t_s * 1e6 + self.slack_us


def glitches(length_s):
    """Return touches of which the first and the last are too short."""
    ends = ((1.0, 1.0 + length_s), (2.0, 2.5), (3.0, 3.0 + length_s))
    return [each for down_s, up_s in ends for each in ((down_s, 1), (up_s, 0))]


TOUCHES = {
    "a tap has the times of its edges": ([(1.0, 1), (1.3, 0)], [(1.0, True), (1.3, False)]),
    "the first half second is ignored": ([(0.1, 1), (0.4, 0)], []),
    "a finger that is there when it ends counts from then": (
        [(0.3, 1), (1.0, 0)],
        [(DEAD_S, True), (1.0, False)],
    ),
    **{
        f"what lasts {length_s:g} s is none": (glitches(length_s), [(2.0, True), (2.5, False)])
        for length_s in (0.000_05, 0.001, 0.012, STABLE_S - 0.001)
    },
}
"""Levels of the pin with their times in s, and what is reported."""


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", TOUCHES)
async def test_a_touch_is_reported_with_its_times(profile, name):
    pad = Pad(profile)
    levels, seen = TOUCHES[name]
    for t_s, level in levels:
        pad.at(t_s, level)
    await asyncio.sleep(4)
    pad.saw(*seen)


@pytest.mark.parametrize("profile", PROFILES)
async def test_bounces_are_one_change_at_the_time_of_the_first_edge(profile):
    pad = Pad(profile)
    for bounce in range(4):
        pad.at(1.0 + bounce * 0.004, 1)
        pad.at(1.002 + bounce * 0.004, 0)
    pad.at(1.016, 1)
    await asyncio.sleep(1.5)
    assert [down for _, down in pad.changes] == [True]
    # Polling may see the first of these bounces or a later one.
    late_us = 16_000 if profile == "no-edges" else 0
    assert 1_000_000 <= pad.changes[0][0] <= 1_000_000 + late_us + pad.slack_us


@pytest.mark.parametrize("profile", ["rpi-gpio", "rpi-lgpio"])
async def test_the_stable_time_begins_anew_with_every_edge(profile):
    pad = Pad(profile)
    # High at 20 ms after the first edge, but never for 20 ms.
    for t_s, level in ((1.0, 1), (1.015, 0), (1.018, 1), (1.03, 0)):
        pad.at(t_s, level)
    await asyncio.sleep(2)
    pad.saw()


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_change_is_reported_once_it_is_stable(profile):
    pad = Pad(profile)
    pad.at(1.0, 1)
    await asyncio.sleep(1.0 + STABLE_S - 0.001)
    assert pad.changes == []
    assert pad.pad.down is False
    await asyncio.sleep(0.002 + pad.slack_us / 1e6)
    assert pad.pad.down is True
    pad.saw((1.0, True))


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_closed_pad_reports_nothing_and_gives_its_pin_back(profile):
    pad = Pad(profile)
    pad.at(1.0, 1)
    await asyncio.sleep(1.01)
    pad.pad.close()
    pad.pad.close()
    await asyncio.sleep(1)
    pad.saw()
    with pytest.raises(RuntimeError, match="setup"):
        pad.gpio.input(TOUCH)


async def test_an_edge_that_was_on_its_way_when_the_watch_closed_is_dropped():
    loop = asyncio.get_running_loop()
    gpio = library("rpi-lgpio", loop)
    gpio.pins.drive(TOUCH, 0)
    seen = []
    watch = PinWatch(gpio, TOUCH, lambda t_us, level: seen.append(level), loop)
    gpio.pins.drive(TOUCH, 1)
    # The library calls back, which puts the edge on the loop; closing comes first.
    await asyncio.sleep(0)
    watch.close()
    await asyncio.sleep(1)
    assert seen == []


def test_callbacks_from_another_thread_are_handled_on_the_loop():
    async def main():
        loop = asyncio.get_running_loop()
        gpio = library("rpi-lgpio", loop)
        gpio.pins.drive(TOUCH, 0)
        happened = asyncio.Event()
        threads = []

        def on_edge(t_us, level):
            threads.append((threading.current_thread(), level))
            happened.set()

        watch = PinWatch(gpio, TOUCH, on_edge, loop)
        thread = threading.Thread(target=watch._from_any_thread, args=(TOUCH,))
        thread.start()
        await asyncio.wait_for(happened.wait(), timeout=180)
        thread.join()
        watch.close()
        return threads

    assert asyncio.run(main()) == [(threading.main_thread(), False)]
