"""Jobs on the simulated I2C bus take their time on the loop of a simulated evening."""

import asyncio

import pytest
from smbus2 import i2c_msg
from steckbrett.board.bus import SimulatedSMBus

BYTE_US = 22.5  # nine bits at 400 kHz
FRAME_US = 6.3  # START, STOP and tBUF


class Listener:
    """A part that takes all bytes."""

    def write(self, data, t_us):
        pass

    def stop(self):
        pass


@pytest.fixture
def looped(loop):
    """A bus whose clock is the loop's."""
    made = SimulatedSMBus({0x40: Listener()}, lambda: round(loop.time() * 1e6))
    made.bit_ns = 2_500
    return made


async def test_execute_takes_its_bus_time_on_the_loop(looped, loop):
    seen = []

    def job():
        for _ in range(10):
            looped.i2c_rdwr(i2c_msg.write(0x40, [0] * 9))
        seen.append(loop.time())
        return "done"

    loop.call_later(0.001, lambda: seen.append("another handheld"))
    assert await looped.execute(job) == "done"
    assert seen == [0.0, "another handheld"]
    assert loop.time() == pytest.approx(0.002313, abs=2e-6)


async def test_jobs_of_two_tasks_share_the_wire(looped, loop):
    ends = []

    async def one():
        await looped.execute(lambda: looped.i2c_rdwr(i2c_msg.write(0x40, [0] * 99)))
        ends.append(loop.time())

    await asyncio.gather(one(), one())
    assert ends[1] == pytest.approx(2 * ends[0], abs=2e-6)


async def test_what_a_job_raises_comes_after_its_time(looped, loop):
    with pytest.raises(OSError, match=r"\[Errno 121\]"):
        await looped.execute(lambda: looped.i2c_rdwr(i2c_msg.write(0x41, [0])))
    assert loop.time() == pytest.approx((BYTE_US + FRAME_US) * 1e-6, abs=1e-6)


async def test_after_job_is_called_when_the_time_has_passed(looped, loop):
    called = []
    looped.after_job = lambda: called.append(round(loop.time() * 1e6))
    await looped.execute(lambda: looped.i2c_rdwr(i2c_msg.write(0x40, [0] * 99)))
    await looped.execute(lambda: None)
    looped.i2c_rdwr(i2c_msg.write(0x40, [0]))
    assert called == [2256, 2256, 2256]
