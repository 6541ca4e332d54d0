"""asyncio: tasks, time-outs, a thread of the executor, a queue."""

import asyncio
import time


def slow(seconds):
    time.sleep(seconds)
    return f"slow {seconds}"


async def ticks(name, seconds, times):
    for number in range(times):
        await asyncio.sleep(seconds)
        print(f"{asyncio.get_running_loop().time() - start:.2f} {name} {number}")


async def main():
    work = asyncio.Queue()

    async def consume():
        while True:
            print("got", await work.get())
            work.task_done()

    consumer = asyncio.create_task(consume())
    async with asyncio.TaskGroup() as group:
        group.create_task(ticks("a", 0.3, 3))
        group.create_task(ticks("b", 0.5, 2))
        found = [group.create_task(asyncio.to_thread(slow, each)) for each in (0.7, 0.1)]
    for one in found:
        await work.put(one.result())
    await work.join()
    consumer.cancel()
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 2.0)
    except TimeoutError:
        print(f"{asyncio.get_running_loop().time() - start:.2f} nobody came")


start = time.monotonic()
asyncio.run(main())
