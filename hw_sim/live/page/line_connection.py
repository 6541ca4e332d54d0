"""The line between a page and the table that runs beside it, in the same browser."""

import asyncio
from collections.abc import Callable

from hw_sim.live.web.page_connection import PageConnection

HERE = ("page", 0)
"""The address of both ends of a line."""
GONE = 1006
"""The code of a line that ended without a goodbye (RFC 6455, 7.4.1)."""


class LineConnection(PageConnection):
    """A line to a page. Its messages are those of a socket.

    Args:
        post: gets each message to the page: JSON, or the bytes of a panel.
        ended: gets the code and the reason once the table has ended the line.
    """

    def __init__(
        self, post: Callable[[str | bytes], None], ended: Callable[[int, str], None]
    ) -> None:
        super().__init__(asyncio.BaseTransport({"peername": HERE, "sockname": HERE}))
        self._post = post
        self._ended = ended
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()

    def take(self, text: str | None) -> None:
        """Take a message of the page; None when the page is gone."""
        self._texts.put_nowait(text)

    async def send(self, message: str | bytes) -> None:
        """Post a message."""
        self._post(message)

    async def receive(self) -> str | None:
        """The next message of the page."""
        text = await self._texts.get()
        if text is not None:
            self._count()
        return text

    async def close(self, code: int, reason: str) -> None:
        """End the line with a code and a reason."""
        self._ended(code, reason)
        self.take(None)

    def cut(self) -> None:
        """End the line."""
        self._ended(GONE, "")
        self.take(None)
