"""A connection to a page, whatever carries it."""

import asyncio
from abc import ABC, abstractmethod
from time import monotonic

from hw_sim.live.web.incoming import BURST, MESSAGES_PER_S, TOO_MANY, Allowance, RefusalError

NO_PAGE, A_PAGE, A_SEAT = range(3)
"""The worth of a connection at a table."""
SLOW_S = 10.0
"""A page that does not read a message for this time is disconnected."""


class PageConnection(ABC):
    """A connection to a page. ``transport`` is what carries it."""

    def __init__(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._allowance = Allowance(MESSAGES_PER_S, BURST, monotonic())

    @abstractmethod
    async def send(self, message: str | bytes) -> None:
        """Send a message: JSON, or the bytes of a panel.

        Raises:
            ConnectionError, RuntimeError: the page is gone.
        """

    @abstractmethod
    async def receive(self) -> str | None:
        """The next text; empty for one that is none or too long; None when the page is gone.

        Raises:
            RefusalError: the page sends too much.
        """

    @abstractmethod
    async def close(self, code: int, reason: str) -> None:
        """Say goodbye to a page that is still read."""

    async def show_out(self, code: int, reason: str) -> None:
        """Say goodbye to a page that nobody reads any more."""
        await self.close(code, reason)

    def cut(self) -> None:
        """Cut the connection."""
        if isinstance(self.transport, asyncio.Transport):
            self.transport.abort()

    def _count(self, worth: int = 1) -> None:
        """Count a frame as a number of messages.

        Raises:
            RefusalError: that was too much.
        """
        if not self._allowance.take(monotonic(), worth):
            raise RefusalError(TOO_MANY, "too many messages")
