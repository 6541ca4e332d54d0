"""Waiting for the accelerometer's line."""

import asyncio

import pytest

from drivers.interrupt import InterruptPin
from drivers.pins import ACCELEROMETER_INT1
from hw_sim.board import library

PROFILES = ("rpi-gpio", "rpi-lgpio", "no-edges")
POLL_S = 0.01


def made(profile, level=0):
    loop = asyncio.get_running_loop()
    gpio = library(profile, loop)
    gpio.pins.drive(ACCELEROMETER_INT1, level)
    return loop, gpio, InterruptPin(gpio, ACCELEROMETER_INT1, loop)


@pytest.mark.parametrize("profile", PROFILES)
async def test_it_returns_when_the_line_rises(profile):
    loop, gpio, line = made(profile)
    loop.call_at(0.5, gpio.pins.drive, ACCELEROMETER_INT1, 1)
    assert await line.wait(timeout_s=10) is True
    assert line.polling is (profile == "no-edges")
    assert 0.5 <= loop.time() <= 0.5 + (POLL_S if line.polling else 0.0)


@pytest.mark.parametrize("profile", PROFILES)
async def test_it_returns_at_once_while_the_line_is_high(profile):
    loop, _gpio, line = made(profile, level=1)
    assert [await line.wait(), await line.wait(timeout_s=1)] == [True, True]
    assert loop.time() == 0.0


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_line_that_rose_while_nobody_waited_is_not_missed(profile):
    loop, gpio, line = made(profile)
    loop.call_at(0.5, gpio.pins.drive, ACCELEROMETER_INT1, 1)
    await asyncio.sleep(1)
    assert await line.wait(timeout_s=0) is True


@pytest.mark.parametrize("profile", PROFILES)
async def test_it_gives_up_after_the_time_out_and_can_wait_again(profile):
    loop, gpio, line = made(profile)
    first = await line.wait(timeout_s=0.25)
    ended_s = loop.time()
    loop.call_at(0.5, gpio.pins.drive, ACCELEROMETER_INT1, 1)
    assert (first, await line.wait(timeout_s=1)) == (False, True)
    assert ended_s == 0.25


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_falling_edge_is_not_waited_for(profile):
    loop, gpio, line = made(profile)
    # Up and down again within one moment: there is nothing to read out any more.
    loop.call_at(0.5, gpio.pins.drive, ACCELEROMETER_INT1, 1)
    loop.call_at(0.5, gpio.pins.drive, ACCELEROMETER_INT1, 0)
    assert await line.wait(timeout_s=1) is False


async def test_a_line_that_rises_as_the_time_runs_out_is_answered_once():
    loop, gpio, line = made("rpi-lgpio")
    loop.call_at(0.5, gpio.pins.drive, ACCELEROMETER_INT1, 1)
    await line.wait(timeout_s=0.5)
    assert await line.wait(timeout_s=0) is True


async def test_a_cancelled_wait_leaves_the_line_free():
    _, _, line = made("rpi-gpio")
    waiting = asyncio.ensure_future(line.wait())
    await asyncio.sleep(0.1)
    with pytest.raises(RuntimeError, match="has a waiter already"):
        await line.wait()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert await line.wait(timeout_s=0.1) is False


@pytest.mark.parametrize("profile", PROFILES)
async def test_closing_ends_the_wait(profile):
    loop, _, line = made(profile)
    loop.call_at(0.5, line.close)
    assert await line.wait() is False
