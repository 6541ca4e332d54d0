"""The accelerometer: its driver against the register model, and waiting for its line."""

import asyncio

import pytest

from drivers.adxl345 import COUNTS_PER_G, MOST_LEVELS_PER_DRAIN, WATERMARK, Accelerometer, Interrupt
from drivers.errors import PartFault
from drivers.gpio import InterruptPin
from drivers.pins import ACCELEROMETER_INT1
from hw_sim.board import library

G = 9.80665
FLAT = (0.0, 0.0, G)

OFFSET_COUNTS = 0.3 * COUNTS_PER_G
"""Zero-g limits and the slope over the supply, generously."""
SENSITIVITY = 282 / 256
"""The sheet's upper limit."""


def close_to(count, g):
    expected = g * COUNTS_PER_G
    return abs(count - expected) <= abs(expected) * (SENSITIVITY - 1) + OFFSET_COUNTS


async def begun(powered, **options):
    bench = await powered()
    driver = Accelerometer(bench.adapter, **options)
    await bench.do(driver.begin)
    line = InterruptPin(bench.board.gpio, ACCELEROMETER_INT1, asyncio.get_running_loop())
    return bench, driver, line


async def test_batches_come_at_the_watermark_100_times_10_in_10_seconds(powered):
    bench, driver, line = await begun(powered)
    start_s, sizes, longest_us = asyncio.get_running_loop().time(), [], 0
    while asyncio.get_running_loop().time() < start_s + 10:
        assert await line.wait(timeout_s=0.2)
        samples = await bench.do(driver.drain)
        assert not samples.overrun
        assert samples.left == 0
        sizes.append(len(samples.xyz))
        longest_us = max(longest_us, bench.board.bus.elapsed_us)
    assert bench.board.violations == []
    assert set(sizes) <= {WATERMARK, WATERMARK + 1}
    # The part's own clock is a little off.
    assert sum(sizes) == pytest.approx(1000, rel=0.06)
    assert longest_us <= 2_500


@pytest.mark.parametrize("g", [(0.0, 0.0, 1.0), (2.0, -3.0, 0.0), (-1.0, 7.5, -15.0)])
async def test_counts_are_256_per_g_with_the_right_signs(powered, g):
    bench, driver, line = await begun(powered)
    bench.board.acceleration = lambda t_us: tuple(axis * G for axis in g)
    await asyncio.sleep(0.05)
    await bench.do(driver.drain)
    await line.wait()
    samples = await bench.do(driver.drain)
    assert bench.board.violations == []
    for sample in samples.xyz:
        assert all(close_to(count, axis) for count, axis in zip(sample, g)), sample


async def test_a_full_fifo_is_told_and_emptied_in_short_jobs(powered):
    bench, driver, _ = await begun(powered)
    await asyncio.sleep(1)
    drains, jobs_us = [], []
    while not drains or drains[-1].left:
        drains.append(await bench.do(driver.drain))
        jobs_us.append(bench.board.bus.elapsed_us)
    await asyncio.sleep(0.1)
    after = await bench.do(driver.drain)
    assert drains[0].overrun
    assert len(drains[0].xyz) == MOST_LEVELS_PER_DRAIN
    assert sum(len(each.xyz) for each in drains) >= 32
    assert max(jobs_us) <= 2_500
    assert not after.overrun


async def test_watching_sleeps_until_it_is_tilted_and_wakes_to_full_rate(powered):
    bench, driver, line = await begun(powered)
    # Already standing on its edge: ac-coupled, so gravity itself is no motion.
    bench.board.acceleration = lambda t_us: (G, 0.0, 0.0)
    await bench.do(driver.watch_for_motion)
    assert await line.wait(timeout_s=30) is False
    assert await bench.do(driver.drain) == ((), False, 0)
    bench.board.acceleration = lambda t_us: (0.8 * G, 0.6 * G, 0.0)
    assert await line.wait(timeout_s=1) is True
    assert Interrupt.ACTIVITY in await bench.do(driver.interrupt_source)
    assert await line.wait(timeout_s=0) is False
    await bench.do(driver.wake)
    assert await line.wait(timeout_s=0.2)
    samples = await bench.do(driver.drain)
    assert bench.board.violations == []
    assert len(samples.xyz) in (WATERMARK, WATERMARK + 1)


async def test_waking_clears_the_motion_that_woke_it(powered):
    bench, driver, line = await begun(powered)
    await bench.do(driver.watch_for_motion)
    await asyncio.sleep(0.5)
    bench.board.acceleration = lambda t_us: (0.8 * G, 0.0, 0.6 * G)
    assert await line.wait(timeout_s=1)
    await bench.do(driver.wake)
    assert await line.wait(timeout_s=0) is False
    assert Interrupt.ACTIVITY not in await bench.do(driver.interrupt_source)


@pytest.mark.parametrize(
    ("asked", "fall_s", "fell"), [(True, 0.15, False), (True, 0.25, True), (False, 0.25, False)]
)
async def test_free_fall_of_180_ms_raises_int1_where_it_is_asked_for(powered, asked, fall_s, fell):
    bench, driver, line = await begun(powered, free_fall=asked)
    start_us = bench.board.now_us() + 200_000
    end_us = start_us + round(fall_s * 1e6)
    bench.board.acceleration = lambda t_us: (0.0, 0.0, 0.0) if start_us <= t_us < end_us else FLAT
    source = Interrupt(0)
    while bench.board.now_us() < end_us + 100_000:
        await line.wait(timeout_s=0.01)
        await bench.do(driver.drain)
        source |= await bench.do(driver.interrupt_source)
    assert bench.board.violations == []
    assert (Interrupt.FREE_FALL in source) is fell


async def test_everything_is_set_up_in_standby(powered):
    power_ctl, int_enable, measure = 0x2D, 0x2E, 0x08

    bench, driver, _ = await begun(powered)
    trace = bench.board.bus.trace = []
    for job in (driver.watch_for_motion, driver.wake, driver.begin):
        await bench.do(job)
    measuring = True
    for register, *values in [each.data for each in trace if not each.read and len(each.data) > 1]:
        if register == power_ctl:
            measuring = values == [measure]
        else:
            # The Adafruit class switches interrupts off while it measures already.
            assert not measuring or (register, values) == (int_enable, [0])
    assert measuring


def strap_high(board):
    board.unplug("accelerometer")
    board.bus.attach(0x1D, board.accelerometer)


@pytest.mark.parametrize(
    ("broken", "fault", "told"),
    [
        (
            strap_high,
            PartFault.NO_ANSWER,
            "but something answers at 0x1D: check that SDO is tied to GND",
        ),
        (
            lambda board: board.wrong_chip("accelerometer"),
            PartFault.WRONG_PART,
            "answers, but is not an ADXL345 (id 0xE6, expected 0xE5)",
        ),
    ],
)
async def test_what_is_wrong_with_the_accelerometer_is_told(powered, broken, fault, told):
    bench = await powered()
    broken(bench.board)
    error = await bench.failing(Accelerometer(bench.adapter).begin)
    assert error.fault is fault
    assert told in str(error)


async def test_a_part_that_lost_its_power_is_found_out_and_set_up_again(powered):
    bench, driver, line = await begun(powered)
    bench.board.unplug("accelerometer")
    bench.board.replug("accelerometer")
    assert not await line.wait(timeout_s=1)
    error = await bench.failing(driver.drain)
    assert error.fault is PartFault.LOST_SETUP
    assert "has lost its set-up" in str(error)
    await bench.do(driver.begin)
    assert await line.wait(timeout_s=0.2)
    assert len((await bench.do(driver.drain)).xyz) >= WATERMARK


PROFILES = ("rpi-gpio", "rpi-lgpio", "no-edges")
POLL_S = 0.01


def made(profile):
    loop = asyncio.get_running_loop()
    gpio = library(profile, loop)
    gpio.pins.drive(ACCELEROMETER_INT1, 0)
    return loop, gpio, InterruptPin(gpio, ACCELEROMETER_INT1, loop)


WAITS = {
    "the line rises": ([(0.5, 1)], 10.0, True, 0.5),
    "the line is high already": ([(0.0, 1)], 1.0, True, 0.0),
    "nothing happens": ([(5.0, 1)], 0.25, False, 0.25),
    "up and down within one moment, so that there is nothing to read": (
        [(0.5, 1), (0.5, 0)], 1.0, False, 1.0,
    ),
}  # fmt: skip
"""Levels with their times, the longest wait, what it tells, and when."""


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", WAITS)
async def test_a_wait_ends_as_the_line_rises_or_its_time_runs_out(profile, name):
    loop, gpio, line = made(profile)
    levels, most_s, rose, ended_s = WAITS[name]
    for t_s, level in levels:
        loop.call_at(t_s, gpio.pins.drive, ACCELEROMETER_INT1, level)
    assert await line.wait(timeout_s=most_s) is rose
    assert ended_s <= loop.time() <= ended_s + (POLL_S if profile == "no-edges" and rose else 0.0)


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_line_that_rose_while_nobody_waited_is_not_missed(profile):
    loop, gpio, line = made(profile)
    loop.call_at(0.5, gpio.pins.drive, ACCELEROMETER_INT1, 1)
    assert await line.wait(timeout_s=0.25) is False
    await asyncio.sleep(1)
    assert await line.wait(timeout_s=0) is True


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
