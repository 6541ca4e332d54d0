"""The virtual and the paced loop: time, order, threads, dead ends and lost exceptions."""

import asyncio
import random
import threading
import time
from time import perf_counter

import pytest
from steckbrett.clock import DeadlockError

from hw_sim.clock import (
    LivelockError,
    PacedLoop,
    ThreadRefusedError,
    TimeLimitError,
    UnhandledError,
    VirtualLoop,
    run,
)


def test_the_task_that_runs_it_is_left_meanwhile_and_entered_again():
    """CPython 3.14 has one current task a thread, and refuses to enter a second one."""
    seen = []

    async def outer():
        paced, around, mine = PacedLoop(), asyncio.get_running_loop(), asyncio.current_task()

        def look(what):
            seen.append((what, asyncio.current_task(around)))

        async def ticking():
            try:
                while True:
                    look("advanced")
                    await asyncio.sleep(0.1)
            finally:
                look("cancelled")

        paced.inside(lambda: look("inside"))
        task = paced.inside(lambda: paced.create_task(ticking()))
        paced.advance(150_000)
        paced.end()
        assert asyncio.current_task() is mine
        await asyncio.sleep(0)
        return task.cancelled()

    assert asyncio.run(outer())
    told = ["inside", "advanced", "advanced", "cancelled"]
    assert seen == [(what, None) for what in told]


def work():
    """Keep the machine busy for 2 ms."""
    end_s = perf_counter() + 0.002
    while perf_counter() < end_s:
        pass


@pytest.mark.parametrize(("play", "reached"), [(run, True), (asyncio.run, False)])
def test_a_budget_is_used_up_on_the_clock_of_the_loop_around_it(play, reached):
    """In virtual time a world gets as far as it is told to, however busy the machine is."""

    async def main():
        paced = PacedLoop()
        for each in (10, 20):
            paced.call_at_us(each, work)
        got_there = paced.advance(30, budget_s=0.001)
        paced.end()
        return got_there

    assert play(main()) is reached


def virtual() -> VirtualLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


async def test_deadlines_that_are_meant_to_be_equal_are_equal(loop):
    """0.1 + 0.2 is not 0.3 in floating point; on the microsecond grid it is."""
    order: list[str] = []
    loop.call_later(0.1, lambda: loop.call_later(0.2, order.append, "second"))
    loop.call_at(0.3, order.append, "first")
    loop.call_at_us(300_000, order.append, "also first")
    await asyncio.sleep(1)
    assert order == ["first", "also first", "second"]


@pytest.mark.parametrize("seed", range(5))
async def test_timers_run_by_deadline_then_by_asking_whatever_is_cancelled(loop, seed):
    chance = random.Random(seed)
    ran: list[tuple[int, int]] = []
    expected: list[tuple[int, int]] = []
    timers = []
    for number in range(2000):
        when_us = chance.randrange(50)
        timer = loop.call_at_us(when_us, lambda key: ran.append((loop.now_us, key)), number)
        timers.append((when_us, number, timer))
    for when_us, number, timer in timers:
        if chance.randrange(4):
            timer.cancel()
            timer.cancel()
        else:
            expected.append((when_us, number))
    await asyncio.sleep(1)
    assert ran == sorted(expected)
    assert len(ran) > 300


async def test_timers_cancelled_by_their_neighbour_at_the_same_instant_do_not_run(loop):
    ran: list[str] = []
    loop.call_at_us(10, lambda: victim.cancel())
    victim = loop.call_at_us(10, ran.append, "victim")
    loop.call_at_us(10, ran.append, "other")
    await asyncio.sleep(1)
    assert ran == ["other"]


async def test_what_is_past_runs_now_and_time_never_runs_back(loop):
    await asyncio.sleep(5)
    seen: list[int] = []
    loop.call_at(1.0, lambda: seen.append(loop.now_us))
    loop.call_later(-3, lambda: seen.append(loop.now_us))
    await asyncio.sleep(0.001)
    assert seen == [5_000_000, 5_000_000]


async def test_executors_are_refused():
    with pytest.raises(ThreadRefusedError, match=r"time was given to an executor.*inline"):
        asyncio.get_running_loop().run_in_executor(None, time.time)
    with pytest.raises(ThreadRefusedError):
        await asyncio.to_thread(time.time)


async def test_calls_from_another_thread_are_refused(loop):
    refused: list[Exception] = []

    def elsewhere() -> None:
        try:
            loop.call_soon_threadsafe(refused.append)
        except ThreadRefusedError as problem:
            refused.append(problem)

    thread = threading.Thread(target=elsewhere, name="intruder")
    thread.start()
    thread.join()
    called: list[int] = []
    loop.call_soon_threadsafe(called.append, 1)
    await asyncio.sleep(0)
    assert called == [1]
    (problem,) = refused
    assert "intruder" in str(problem)


def test_a_deadlock_is_an_error_that_names_who_waits():
    async def never():
        await asyncio.get_running_loop().create_future()

    async def main():
        await asyncio.sleep(2)
        await asyncio.gather(never())

    with pytest.raises(DeadlockError, match=r"at 2 s of virtual time; 2 unfinished: .*never"):
        run(main())


@pytest.mark.whole
def test_a_livelock_is_an_error_that_names_who_is_busy():
    async def spinning():
        while True:
            await asyncio.sleep(0)

    async def main():
        await asyncio.sleep(2)
        await spinning()

    with pytest.raises(LivelockError, match=r"still at 2 s of virtual time: .* next is .*main"):
        run(main())

    async def rescheduling():
        def again() -> None:
            virtual().call_later(0, again)

        again()
        await asyncio.sleep(1)

    with pytest.raises(LivelockError, match=r"still at 0 s .* next is .*again"):
        run(rescheduling())


async def test_waiting_for_a_rounding_error_ends(loop):
    """0.1 + 0.2 > 0.3 by less than a microsecond: the wait for the rest must not be none."""
    await asyncio.sleep(0.3)
    turns = 0
    while (left_s := 0.1 + 0.2 - loop.time()) > 0:
        await asyncio.sleep(left_s)
        turns += 1
    reached = asyncio.Event()
    loop.call_at(loop.time() + 1e-9, reached.set)
    before_us = loop.now_us
    await reached.wait()
    assert (loop.now_us, turns) == (before_us + 1, 1)


def test_a_run_beyond_its_limit_is_an_error():
    async def main():
        while True:
            await asyncio.sleep(1)

    with pytest.raises(TimeLimitError, match="still running after 600 virtual seconds"):
        run(main(), limit_s=600)


def test_a_failing_callback_fails_the_run_at_once():
    async def main():
        virtual().call_later(3, {}.__getitem__, "missing")
        await asyncio.sleep(60)

    with pytest.raises(UnhandledError, match=r"KeyError.* at 3 s of virtual time") as caught:
        run(main())
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_failing_task_that_nobody_awaits_fails_the_run():
    async def failing():
        raise ValueError("lost")

    async def main(keep: list[asyncio.Task[None]]):
        keep.append(asyncio.create_task(failing()))
        await asyncio.sleep(1)

    with pytest.raises(UnhandledError, match="lost"):
        run(main([]))


def test_leftover_tasks_are_cancelled_and_may_clean_up_in_virtual_time():
    ended: list[str] = []

    async def worker(name: str):
        try:
            await asyncio.sleep(1e9)
        finally:
            await asyncio.sleep(0.5)
            ended.append(name)

    async def main(keep: list[asyncio.Task[None]]):
        keep += [asyncio.create_task(worker(name)) for name in "abc"]
        await asyncio.sleep(1)
        return "done"

    assert run(main([])) == "done"
    assert ended == ["a", "b", "c"]


async def untidy():
    try:
        await asyncio.sleep(1e9)
    finally:
        raise ValueError("cannot clean up")


def test_a_leftover_task_that_fails_while_it_is_cancelled_fails_the_run():
    async def main(keep: list[asyncio.Task[None]]):
        keep.append(asyncio.create_task(untidy()))
        await asyncio.sleep(1)

    with pytest.raises(UnhandledError, match="cannot clean up"):
        run(main([]))


def test_what_main_raises_comes_first_and_notes_what_else_went_wrong():
    async def main(keep: list[asyncio.Task[None]]):
        keep.append(asyncio.create_task(untidy()))
        await asyncio.sleep(1)
        raise LookupError("main failed")

    with pytest.raises(LookupError, match="main failed") as caught:
        run(main([]))
    assert "cannot clean up" in caught.value.__notes__[0]
