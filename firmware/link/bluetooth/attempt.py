"""One attempt to connect, from its command to a connection or its end."""

import asyncio
from typing import Any


class Attempt:
    """A connection that is being made, and its outcome."""

    def __init__(self, target: Any) -> None:
        self.target = target
        self.crossed = False
        self._new_outcome()

    def settle(self, outcome: Any) -> None:
        """Set the outcome: a connection, or why there is none (str). The first one counts."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def cross(self) -> None:
        """Settle with None, because the peer has connected to this device (``crossed``)."""
        self.crossed = True
        self.settle(None)

    def taken(self) -> Any:
        """Return the outcome so far, None if there is none, and begin to wait for another."""
        outcome = self.outcome.result() if self.outcome.done() else None
        self._new_outcome()
        return outcome

    def _new_outcome(self) -> None:
        self.outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
