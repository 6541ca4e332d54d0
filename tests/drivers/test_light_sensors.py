"""The drivers of the light sensors against the register models."""

import asyncio

import pytest

from drivers import bh1750, veml7700
from drivers.bh1750 import Bh1750
from drivers.errors import PartFault
from drivers.light_sensor import LUX_PER_COUNT
from drivers.veml7700 import FRESH_US, SETTLE_US, Veml7700


async def begun(powered, seed=1):
    bench = await powered(seed)
    driver = Veml7700(bench.adapter)
    await bench.do(driver.begin)
    return bench, driver


async def measuring(powered, lux, seed=1):
    """A sensor in fast mode, in this light, whose first value has come."""
    bench, driver = await begun(powered, seed)
    bench.board.illuminance = lambda t_us: lux
    await settled(bench, driver.fast)
    return bench, driver


async def settled(bench, mode, settle_us=SETTLE_US):
    await bench.do(mode)
    await asyncio.sleep(settle_us / 1e6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("lux", [0.0, 5.0, 50.0, 900.0])
async def test_fast_mode_tells_the_light_once_settled(powered, lux, seed):
    bench, driver = await measuring(powered, lux, seed)
    counts = await bench.do(driver.read)
    assert bench.board.violations == []
    # Whole counts, the part's clock, noise and non-linearity.
    assert counts * LUX_PER_COUNT == pytest.approx(lux, rel=0.35, abs=3 * LUX_PER_COUNT)


@pytest.mark.parametrize("seed", range(6))
async def test_two_readings_a_fresh_time_apart_are_two_conversions(powered, seed):
    bench, driver = await measuring(powered, 100.0, seed)
    bench.board.illuminance = lambda t_us: 400.0
    # What was under way when the light changed is mixed; the one after is not.
    await asyncio.sleep(2 * FRESH_US / 1e6)
    assert await bench.do(driver.read) * LUX_PER_COUNT == pytest.approx(400, rel=0.35)


async def test_slow_mode_counts_in_the_same_unit(powered):
    bench, driver = await measuring(powered, 200.0)
    fast = await bench.do(driver.read)
    await settled(bench, driver.slow, veml7700.SLOW_SETTLE_US + veml7700.SLOW_PERIOD_US)
    slow = await bench.do(driver.read)
    await settled(bench, driver.fast)
    again = await bench.do(driver.read)
    assert bench.board.violations == []
    assert slow == pytest.approx(fast, rel=0.1)
    assert again == pytest.approx(fast, rel=0.1)


async def test_the_last_conversion_stays_readable_in_shut_down(powered):
    bench, driver = await measuring(powered, 100.0)
    before = await bench.do(driver.read)
    await bench.do(driver.shut_down)
    await bench.do(driver.shut_down)
    bench.board.illuminance = lambda t_us: 900.0
    await asyncio.sleep(1)
    after = await bench.do(driver.read)
    assert bench.board.violations == []
    assert after * LUX_PER_COUNT == pytest.approx(100, rel=0.35)
    assert after == pytest.approx(before, rel=0.1)


async def test_every_job_is_short(powered):
    bench, driver = await begun(powered)
    times_us = []
    for job in (driver.begin, driver.fast, driver.slow, driver.read, driver.shut_down):
        await bench.do(job)
        times_us.append(bench.board.bus.elapsed_us)
    assert max(times_us) < 1_000


@pytest.mark.parametrize(
    ("change", "driver", "fault", "told"),
    [
        (
            lambda board: board.wrong_chip("light"), Veml7700, PartFault.WRONG_PART,
            "answers, but is not a VEML7700 (id 0xC482, expected 0x__81)",
        ),
        (
            lambda board: board.replace("light", "bh1750"), Veml7700, PartFault.NO_ANSWER,
            "something answers at 0x23: check that the settings name the light sensor",
        ),
        (lambda board: None, Bh1750, PartFault.NO_ANSWER, "BH1750 light sensor at 0x23: no answer"),
    ],
)  # fmt: skip
async def test_what_is_wrong_with_a_sensor_is_told(powered, change, driver, fault, told):
    bench = await powered()
    change(bench.board)
    error = await bench.failing(driver(bench.adapter).begin)
    assert error.fault is fault
    assert told in str(error)


@pytest.mark.parametrize("identity", [0xC481, 0xD481])
async def test_the_high_byte_of_its_id_is_that_of_its_package(powered, identity):
    bench = await powered()
    bench.board.parts["light"].identity = identity
    await bench.do(Veml7700(bench.adapter).begin)


async def test_a_part_that_lost_its_power_is_no_darkness(powered):
    bench, driver = await begun(powered)
    bench.board.illuminance = lambda t_us: 100.0
    await bench.do(driver.fast)
    bench.board.unplug("light")
    assert "no answer" in str(await bench.failing(driver.read))
    bench.board.replug("light")
    await asyncio.sleep(SETTLE_US / 1e6)
    error = await bench.failing(driver.read)
    assert error.fault is PartFault.LOST_SETUP
    assert "has lost its set-up" in str(error)
    await bench.do(driver.begin)
    await settled(bench, driver.fast)
    assert await bench.do(driver.read) * LUX_PER_COUNT == pytest.approx(100, rel=0.35)


async def begun_bh1750(powered, lux):
    bench = await powered()
    bench.board.replace("light", "bh1750")
    bench.board.illuminance = lambda _t_us: lux
    driver = Bh1750(bench.adapter)
    await bench.do(driver.begin)
    return bench, driver


@pytest.mark.parametrize("mode", ["fast", "slow"])
@pytest.mark.parametrize("lux", [0.0, 5.0, 300.0, 9000.0])
async def test_it_tells_the_light_in_the_unit_of_the_first_choice(powered, lux, mode):
    bench, driver = await begun_bh1750(powered, lux)
    await bench.do(getattr(driver, mode))
    await asyncio.sleep(bh1750.SETTLE_US / 1e6)
    counts = await bench.do(driver.read)
    await bench.do(driver.shut_down)
    kept = await bench.do(driver.read)
    assert bench.board.violations == []
    assert kept == counts
    # The sheet allows 0.96 to 1.44 counts per lux, at a typical 1.2.
    assert counts * LUX_PER_COUNT == pytest.approx(lux, rel=0.21, abs=1.0)
