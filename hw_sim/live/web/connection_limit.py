"""A limit of connections: how many there may be at once, and which one is closed beyond it."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from ssl import SSLContext

from aiohttp import web

from hw_sim.live.web.page_connection import A_SEAT

MOST_WITHOUT_A_SEAT = 128
"""The most connections without a seat at the table; those with one are not counted."""
BACKLOG = 100
"""The most connections that are accepted at once before others are served."""
HANDSHAKE_S = 10.0
"""A connection whose TLS handshake takes longer than this is closed."""


class ConnectionLimit:
    """Makes the protocols of a server's connections, and keeps the server from being filled.

    When there are too many, the oldest goes of those from the address that has most, those that are
    no pages first. A page with a seat is never closed. A stranger who opens many connections closes
    only their own.

    Args:
        server: makes a protocol for each connection, and knows all that are open, oldest first.
        worth: the worth of a connection: `NO_PAGE`, `A_PAGE` or `A_SEAT`.
        tls: encrypts the connections; None for none.
    """

    def __init__(
        self,
        server: web.Server,
        worth: Callable[[asyncio.BaseTransport], int],
        tls: SSLContext | None = None,
    ) -> None:
        self._server = server
        self._worth = worth
        self._tls = tls
        self._agreeing: dict[asyncio.Transport, asyncio.Task[None]] = {}
        """Those that have no key yet: the server does not know them."""

    def __call__(self) -> asyncio.BaseProtocol:
        """A protocol for one more connection."""
        others = list(self._others())
        for _ in range(len(others) - MOST_WITHOUT_A_SEAT + 1):
            (crowd, _), *_ = Counter(address for address, _, _ in others).most_common(1)
            oldest = min((each for each in others if each[0] == crowd), key=lambda each: each[1])
            others.remove(oldest)
            oldest[2].abort()
        return self._server() if self._tls is None else _Handshake(self._agree)

    def _others(self) -> Iterator[tuple[str, int, asyncio.Transport]]:
        """Address, worth and transport of all without a seat, oldest first."""
        connected = (connection.transport for connection in self._server.connections)
        for transport in (*connected, *self._agreeing):
            if transport is None or transport.is_closing():
                continue
            address = str((transport.get_extra_info("peername") or [""])[0])
            if (worth := self._worth(transport)) < A_SEAT:
                yield address, worth, transport

    def _agree(self, transport: asyncio.Transport, handshake: "_Handshake") -> None:
        agreeing = asyncio.ensure_future(self._let_in(transport, handshake))
        self._agreeing[transport] = agreeing
        agreeing.add_done_callback(lambda _: self._agreeing.pop(transport))

    async def _let_in(self, transport: asyncio.Transport, handshake: "_Handshake") -> None:
        """Agree on a key, and hand the connection over to the server."""
        assert self._tls is not None, "it is wanted"
        loop = asyncio.get_running_loop()
        try:
            encrypted = await loop.start_tls(
                transport, handshake, self._tls, server_side=True, ssl_handshake_timeout=HANDSHAKE_S
            )
        except OSError:  # TLS was not what came, or it is gone
            return
        if encrypted is not None and not handshake.is_lost:
            protocol = self._server()
            encrypted.set_protocol(protocol)
            protocol.connection_made(encrypted)
            protocol.data_received(handshake.early)


class _Handshake(asyncio.Protocol):
    """A connection until there is a key, and what comes with the last step of that."""

    def __init__(self, agree: Callable[[asyncio.Transport, "_Handshake"], None]) -> None:
        self._agree = agree
        self.early = b""
        self.is_lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.pause_reading()
        self._agree(transport, self)

    def data_received(self, data: bytes) -> None:
        self.early += data

    def connection_lost(self, _: Exception | None) -> None:
        self.is_lost = True
