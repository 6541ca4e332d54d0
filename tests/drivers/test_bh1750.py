"""The second light sensor: its driver against the register model."""

import asyncio

import pytest

from drivers.bh1750 import SETTLE_US, Bh1750
from drivers.errors import PartFault


async def begun(powered, lux):
    bench = await powered()
    bench.board.replace("light", "bh1750")
    bench.board.illuminance = lambda _t_us: lux
    driver = Bh1750(bench.adapter)
    await bench.do(driver.begin)
    return bench, driver


@pytest.mark.parametrize("mode", ["fast", "slow"])
@pytest.mark.parametrize("lux", [0.0, 5.0, 300.0, 9000.0])
async def test_it_tells_the_light_in_the_unit_of_the_first_choice(powered, lux, mode):
    bench, driver = await begun(powered, lux)
    await bench.do(getattr(driver, mode))
    await asyncio.sleep(SETTLE_US / 1e6)
    counts = await bench.do(driver.read)
    await bench.do(driver.shut_down)
    kept = await bench.do(driver.read)
    assert bench.board.violations == []
    assert kept == counts
    # The sheet allows 0.96 to 1.44 counts per lux, at a typical 1.2.
    assert Bh1750.lux(counts) == pytest.approx(lux, rel=0.21, abs=1.0)


async def test_a_read_before_the_first_result_is_a_violation_of_the_model(powered):
    bench, driver = await begun(powered, 50.0)
    await bench.do(driver.fast)
    await bench.do(driver.read)
    (line,) = bench.board.violations
    assert "before the first result" in line


async def test_a_sensor_that_is_not_there_is_named(powered):
    bench = await powered()
    error = await bench.failing(Bh1750(bench.adapter).begin)
    assert error.fault is PartFault.NO_ANSWER
    assert "BH1750 light sensor at 0x23: no answer" in str(error)
