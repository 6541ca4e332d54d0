"""How many may be connected at once, and who has to go when there are too many."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator

from aiohttp import web

MOST_WITHOUT_A_SEAT = 128
"""So many connections without a seat at the table are kept; those with one are not counted."""
NO_PAGE, A_PAGE, A_SEAT = range(3)
BACKLOG = 100
"""So many are let in at once before others are looked at."""


class Doors:
    """Makes the protocols of a server's connections, and keeps the server from being filled.

    When there are too many, the oldest goes of those from the address that has most, those that are
    no pages first; but nobody ever goes whose page has a seat. So a stranger drives out himself.

    Args:
        server: makes a protocol for each connection, and knows all that are open, oldest first.
        worth: what a connection is: `NO_PAGE`, `A_PAGE` or `A_SEAT`.
    """

    def __init__(self, server: web.Server, worth: Callable[[asyncio.BaseTransport], int]) -> None:
        self._server = server
        self._worth = worth

    def __call__(self) -> asyncio.BaseProtocol:
        """A protocol for one more connection."""
        others = list(self._others())
        for _ in range(len(others) - MOST_WITHOUT_A_SEAT + 1):
            (crowd, _), *_ = Counter(address for address, _, _ in others).most_common(1)
            oldest = min((each for each in others if each[0] == crowd), key=lambda each: each[1])
            others.remove(oldest)
            oldest[2].abort()
        return self._server()

    def _others(self) -> Iterator[tuple[str, int, asyncio.Transport]]:
        """Address, worth and transport of all without a seat, oldest first."""
        for connection in self._server.connections:
            transport = connection.transport
            if transport is None or transport.is_closing():
                continue
            address = str((transport.get_extra_info("peername") or [""])[0])
            if (worth := self._worth(transport)) < A_SEAT:
                yield address, worth, transport
