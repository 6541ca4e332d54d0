"""The piezo: tones at their times on the pin, whatever the GPIO library does with PWM."""

import asyncio
import math
from itertools import pairwise

import pytest

from drivers.piezo import DUTY_PERCENT, HIGHEST_HZ, LOUDEST, Piezo, Tone
from drivers.pins import PIEZO
from hw_sim.board import library
from hw_sim.clock import run

PROFILES = ("rpi-gpio", "rpi-lgpio", "no-edges")
THREE = (Tone(880, 100_000), Tone(0, 50_000), Tone(440, 200_000))


def heard(profile, work):
    """Run a coroutine function with a piezo; return what its pin did, as (ms, Hz, percent)."""

    async def main():
        loop = asyncio.get_running_loop()
        gpio = library(profile, loop)
        piezo = Piezo(gpio, PIEZO, loop)
        await work(piezo, gpio)
        assert {wave.pin for wave in gpio.pulses.trace} <= {PIEZO}
        assert gpio.pins.offences.lines() == []
        return [
            (round(wave.t_us / 1000), wave.frequency_hz, wave.duty_percent)
            for wave in gpio.pulses.trace
        ]

    return run(main())


SOUNDS = {
    "tones and rests come at their times": (
        [(1000, "play", THREE)],
        [(1000, 880, 50), (1100, 0, 0), (1150, 440, 50), (1350, 0, 0)],
    ),
    "after a stop the next tone has its own frequency": (
        [(0, "play", (Tone(880, 100_000),)), (50, "stop"), (100, "play", (Tone(660, 100_000),))],
        [(0, 880, 50), (50, 0, 0), (100, 660, 50), (200, 0, 0)],
    ),
    "a new sound takes the place of the old one": (
        [(0, "play", THREE), (50, "play", (Tone(1000, 30_000),), 1)],
        [(0, 880, 50), (50, 880, 3), (50, 1000, 3), (80, 0, 0)],
    ),
    "silence while something sounds ends it": (
        [(0, "play", THREE), (50, "play", THREE, 0)],
        [(0, 880, 50), (50, 0, 0)],
    ),
}
"""Calls with their times in ms, and what the pin does."""


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", SOUNDS)
def test_what_is_played_is_on_the_pin_at_its_time(profile, name):
    calls, expected = SOUNDS[name]

    async def work(piezo, gpio):
        loop = asyncio.get_running_loop()
        for at_ms, method, *arguments in calls:
            loop.call_at(at_ms / 1000, getattr(piezo, method), *arguments)
        await asyncio.sleep(2.0)

    assert heard(profile, work) == expected


@pytest.mark.parametrize("volume", range(LOUDEST + 1))
def test_the_volume_is_the_duty_and_zero_does_not_even_claim_the_pin(volume):
    async def work(piezo, gpio):
        piezo.play(THREE[:1], volume)
        claimed = gpio.output_level(PIEZO) is not None
        assert claimed == (volume > 0)
        await asyncio.sleep(0.2)

    expected = [(0, 880, DUTY_PERCENT[volume]), (100, 0, 0)] if volume else []
    assert heard("rpi-gpio", work) == expected


def test_each_volume_is_ten_decibels_louder_than_the_one_before():
    loudness_db = [20 * math.log10(math.sin(math.pi * duty / 100)) for duty in DUTY_PERCENT[1:]]
    steps = [louder - quieter for quieter, louder in pairwise(loudness_db)]
    assert steps == pytest.approx([10, 10], abs=0.5)


@pytest.mark.parametrize("profile", PROFILES)
def test_closing_gives_the_pin_back_and_it_can_be_claimed_anew(profile):
    async def work(piezo, gpio):
        piezo.play(THREE)
        await asyncio.sleep(0.05)
        piezo.close()
        assert gpio.output_level(PIEZO) is None
        piezo.close()
        piezo.play(THREE[:1])
        await asyncio.sleep(0.2)

    assert heard(profile, work) == [(0, 880, 50), (50, 0, 0), (50, 880, 50), (150, 0, 0)]


@pytest.mark.parametrize(
    ("tones", "volume"),
    [(THREE, LOUDEST + 1), (THREE, -1), ((Tone(HIGHEST_HZ + 1, 1),), 1), ((Tone(5, 1),), 1)],
)
def test_what_cannot_be_played_is_refused(tones, volume):
    async def work(piezo, gpio):
        with pytest.raises(ValueError, match="not"):
            piezo.play(tones, volume)

    assert heard("rpi-gpio", work) == []
