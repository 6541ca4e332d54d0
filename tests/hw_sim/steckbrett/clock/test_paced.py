"""The paced loop: what the loop around it notices of it."""

import asyncio

from hw_sim.steckbrett.clock.paced import PacedLoop


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
