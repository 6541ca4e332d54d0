"""The owner of the bus: order, voiding, cancelling, errors; and the adapter's lock."""

import asyncio
import threading

import pytest

from drivers.bus import BusioAdapter, I2CBus, Priority, Superseded, received, thread_execute

JOB_S = 0.002


class Wire:
    """An ``i2c_rdwr`` that keeps what was written and answers reads with counting bytes."""

    def __init__(self):
        self.transfers = []

    def i2c_rdwr(self, *messages):
        self.transfers.append(
            [(m.addr, "read", len(m)) if m.flags else (m.addr, received(m)) for m in messages]
        )
        for message in messages:
            if message.flags:
                for at in range(len(message)):
                    message.buf[at] = at + 1


async def inline(job):
    """Run at once, and let the bus be busy for 2 ms."""
    result = job()
    await asyncio.sleep(JOB_S)
    return result


def owned(run=inline):
    return I2CBus(Wire(), lambda job: asyncio.ensure_future(run(job)))


async def settled(*tasks):
    return await asyncio.gather(*tasks, return_exceptions=True)


async def test_waiting_jobs_run_by_priority_and_in_order_within_one():
    bus, log = owned(), []
    asked = [
        ("first", Priority.PICTURE),
        ("picture 1", Priority.PICTURE),
        ("motion 1", Priority.MOTION),
        ("picture 2", Priority.PICTURE),
        ("light", Priority.LIGHT),
        ("motion 2", Priority.MOTION),
        ("blank", Priority.BLANK),
    ]
    await asyncio.gather(
        *(bus.run(lambda name=name: log.append(name), priority) for name, priority in asked)
    )
    ended = asyncio.get_running_loop().time()
    assert log == ["first", "blank", "light", "motion 1", "motion 2", "picture 1", "picture 2"]
    assert ended == pytest.approx(len(log) * JOB_S)


async def test_pictures_of_an_older_generation_are_void_and_do_not_touch_the_bus():
    bus, log = owned(), []
    slices = [
        asyncio.ensure_future(
            bus.run(lambda at=at: log.append(f"old {at}"), Priority.PICTURE, generation=1)
        )
        for at in range(3)
    ]
    await asyncio.sleep(JOB_S / 2)
    for generation in (2, 1):  # it never moves back
        bus.void_pictures(generation)
    new = bus.run(lambda: log.append("new"), Priority.PICTURE, generation=2)
    blank = bus.run(lambda: log.append("blank"), Priority.BLANK)
    running, *voided, new, blank = await settled(*slices, new, blank)
    assert log == ["old 0", "blank", "new"]
    assert (running, new, blank) == (None, None, None)
    assert [type(each) for each in voided] == [Superseded, Superseded]


async def test_a_picture_asked_for_but_not_begun_is_void_at_once():
    bus, log = owned(), []
    picture = asyncio.ensure_future(
        bus.run(lambda: log.append("dice"), Priority.PICTURE, generation=1)
    )
    # It has its turn, but not run yet.
    await asyncio.sleep(0)
    bus.void_pictures(2)
    (outcome,) = await settled(picture)
    assert log == []
    assert isinstance(outcome, Superseded)


async def test_an_error_reaches_its_caller_and_the_next_job_runs():
    bus = owned()

    def broken():
        raise OSError(121, "Remote I/O error")

    error, following = await settled(
        bus.run(broken, Priority.LIGHT), bus.run(lambda: "next", Priority.LIGHT)
    )
    assert isinstance(error, OSError)
    assert following == "next"


async def test_a_cancelled_waiter_never_runs():
    bus, log = owned(), []
    jobs = [
        asyncio.ensure_future(bus.run(lambda n=n: log.append(n), Priority.MOTION))
        for n in (1, 2, 3)
    ]
    await asyncio.sleep(JOB_S / 2)
    jobs[1].cancel()
    await settled(*jobs)
    assert log == [1, 3]


@pytest.mark.parametrize("fails", [False, True])
async def test_a_cancelled_running_job_is_finished_before_the_next_starts(fails):
    loop, starts = asyncio.get_running_loop(), []

    async def slow(job):
        starts.append(loop.time())
        await asyncio.sleep(JOB_S)
        return job()

    def job():
        if fails:
            raise OSError(121, "nobody waits for this one")

    bus = owned(slow)
    first = asyncio.ensure_future(bus.run(job, Priority.MOTION))
    second = asyncio.ensure_future(bus.run(lambda: None, Priority.MOTION))
    await asyncio.sleep(JOB_S / 2)
    first.cancel()
    await settled(first, second)
    assert (first.cancelled(), starts) == (True, [0.0, JOB_S])


async def test_a_bus_whose_execute_is_cancelled_cancels_its_caller():
    bus = owned()
    waiting = asyncio.ensure_future(bus.run(lambda: None, Priority.MOTION))
    await asyncio.sleep(0)
    bus._running.cancel()
    await settled(waiting)
    assert waiting.cancelled() is True


def test_thread_execute_runs_every_job_in_one_thread_off_the_loop():
    async def main():
        with thread_execute("bus") as execute:
            bus = I2CBus(Wire(), execute)
            return await asyncio.gather(
                *(bus.run(threading.current_thread, Priority.MOTION) for _ in range(20))
            )

    threads = asyncio.run(main())
    assert len(set(threads)) == 1
    assert threads[0] is not threading.main_thread()
    assert threads[0].name.startswith("bus")
    assert not threads[0].is_alive()


def test_the_lock_refuses_instead_of_letting_bus_device_spin():
    adapter = BusioAdapter(Wire())
    assert adapter.try_lock() is True
    with pytest.raises(RuntimeError, match="locked twice"):
        adapter.try_lock()
    adapter.unlock()
    with pytest.raises(RuntimeError, match="unlocked twice"):
        adapter.unlock()
    assert adapter.try_lock() is True


def test_the_adapter_honours_start_and_end():
    wire = Wire()
    adapter = BusioAdapter(wire)
    adapter.writeto(0x53, bytearray(b"\x01\x02\x03\x04"), start=1, end=3)
    buffer = bytearray(5)
    adapter.readfrom_into(0x53, buffer, start=2, end=4)
    assert buffer == b"\x00\x00\x01\x02\x00"
    target = bytearray(4)
    adapter.writeto_then_readfrom(
        0x53, b"\x09\x08\x07", target, out_start=1, out_end=2, in_start=1, in_end=3
    )
    assert target == b"\x00\x01\x02\x00"
    adapter.writeto_then_readfrom(0x10, b"\x04", target)
    assert target == b"\x01\x02\x03\x04"
    assert wire.transfers == [
        [(0x53, b"\x02\x03")],
        [(0x53, "read", 2)],
        [(0x53, b"\x08"), (0x53, "read", 2)],
        [(0x10, b"\x04"), (0x10, "read", 4)],
    ]
