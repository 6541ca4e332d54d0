"""How many may be connected at once, and who has to go when there are too many."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator

from aiohttp import web

MOST_WITHOUT_A_SEAT = 128
"""So many connections without a seat at the table are kept; those with one are not counted."""
BACKLOG = 100
"""So many are let in at once before others are looked at."""


class Doors:
    """Makes the protocols of a server's connections, and keeps the server from being filled.

    When there are too many, the oldest goes of those from the address that has most, but nobody
    ever goes whose page has a seat. So a stranger drives out himself.

    Args:
        server: makes a protocol for each connection, and knows all that are open, oldest first.
        is_seated: whether a connection is that of a page with a seat.
    """

    def __init__(
        self, server: web.Server, is_seated: Callable[[asyncio.BaseTransport], bool]
    ) -> None:
        self._server = server
        self._is_seated = is_seated

    def __call__(self) -> asyncio.BaseProtocol:
        """A protocol for one more connection."""
        others = list(self._others())
        for _ in range(len(others) - MOST_WITHOUT_A_SEAT + 1):
            (crowd, _), *_ = Counter(address for address, _ in others).most_common(1)
            oldest = next(each for each in others if each[0] == crowd)
            others.remove(oldest)
            oldest[1].abort()
        return self._server()

    def _others(self) -> Iterator[tuple[str, asyncio.Transport]]:
        """Addresses and transports of all without a seat, oldest first."""
        for connection in self._server.connections:
            transport = connection.transport
            if transport is None or transport.is_closing():
                continue
            if not self._is_seated(transport):
                yield str((transport.get_extra_info("peername") or [""])[0]), transport
