"""Background tasks, kept until they end, so that their failures come to light."""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any


class Tasks:
    """The tasks of one owner. A task that fails without being cancelled ends the loop's run."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Start ``work``; after ``cancel``, start nothing and return None."""
        if self._closed:
            work.close()
            return None
        task = asyncio.ensure_future(work)
        self._tasks.append(task)
        task.add_done_callback(self._done)
        return task

    def cancel(self) -> None:
        """Cancel all tasks, and start no more."""
        self._closed = True
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()

    def _done(self, task: asyncio.Task[None]) -> None:
        if task in self._tasks:
            self._tasks.remove(task)
        if not task.cancelled():
            task.result()


async def whole(command: Awaitable[Any]) -> Any:
    """Await a command to the controller to its end, even if the waiting task is cancelled.

    bumble would take the answer to a cancelled command for that of the next one. Raises the
    command's exceptions.
    """
    task = asyncio.ensure_future(command)
    task.add_done_callback(_retrieve)
    await asyncio.wait((task,))
    return task.result()


def _retrieve(task: asyncio.Task[Any]) -> None:
    """Retrieve a failure that nobody waits for."""
    if not task.cancelled():
        task.exception()
