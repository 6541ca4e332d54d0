"""One attempt to connect, from its command to a connection or its end."""

import asyncio
from typing import Any


class Attempt:
    """A connection that is being made, and what became of it."""

    def __init__(self, target: Any) -> None:
        self.target = target
        self.crossed = False
        self._new_outcome()

    def settle(self, outcome: Any) -> None:
        """``outcome``: the connection, or the reason why there is none."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def cross(self) -> None:
        """Tell that the peer has connected to us."""
        self.crossed = True
        self.settle(None)

    def taken(self) -> Any:
        """Take what is known by now, None if nothing is, and make room for the next."""
        known = self.outcome.result() if self.outcome.done() else None
        self._new_outcome()
        return known

    def _new_outcome(self) -> None:
        self.outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


def hear_nothing(_address: str, _data: bytes) -> None:
    """Nobody wants to know."""


def retrieve(task: asyncio.Task[Any]) -> None:
    """Take note of a failure even where nobody waits any more."""
    if not task.cancelled():
        task.exception()
