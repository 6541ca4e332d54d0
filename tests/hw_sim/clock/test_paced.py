"""The paced loop: what the loop around it notices of it."""

import asyncio
from time import perf_counter

import pytest

from hw_sim.clock import PacedLoop, run


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
