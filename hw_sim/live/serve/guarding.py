"""Which connections and requests a server lets in: so many at once, to its names, of its pages.

All numbers are chosen.
"""

import asyncio
import ipaddress
import logging
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from ssl import SSLContext
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Middleware

MOST_CONNECTIONS: Final = 128
"""The most connections at once, those of pages at the broker among them."""
BACKLOG: Final = 100
"""The most connections that are accepted at once before others are served."""
HANDSHAKE_S: Final = 10.0
"""A connection whose TLS handshake takes longer than this is closed."""
POST_S: Final = 10.0
"""The time within which a post arrives whole."""
log = logging.getLogger(__name__)
"""The log of a server: what strangers send that is no HTTP is no defect, and not in it."""
log.addFilter(
    lambda record: not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))
)


def make_room(others: Iterable[tuple[str, bool, asyncio.WriteTransport]], most: int) -> None:
    """Cut connections until there is room for one more among ``most``.

    The oldest goes of those from the address that has most, those that are no pages first. A
    stranger who opens many connections closes only their own.

    Args:
        others: address, whether it is a page's, and transport of each, oldest first.
        most: so many are open at once.
    """
    left = list(others)
    for _ in range(len(left) - most + 1):
        (crowd, _), *_ = Counter(address for address, _, _ in left).most_common(1)
        oldest = min((each for each in left if each[0] == crowd), key=lambda each: each[1])
        left.remove(oldest)
        oldest[2].abort()


class ConnectionLimit:
    """Makes the protocols of a server's connections, and keeps the server from being filled.

    Args:
        server: makes a protocol for each connection, and knows all that are open, oldest first.
        is_page: whether a page is in touch over a connection.
        tls: encrypts the connections; None for none.
    """

    def __init__(
        self,
        server: web.Server,
        is_page: Callable[[asyncio.BaseTransport], bool],
        tls: SSLContext | None = None,
    ) -> None:
        self._server = server
        self._is_page = is_page
        self._tls = tls
        self._agreeing: dict[asyncio.Transport, asyncio.Task[None]] = {}
        """Those that have no key yet: the server does not know them."""

    def __call__(self) -> asyncio.BaseProtocol:
        """A protocol for one more connection."""
        make_room(self._others(), MOST_CONNECTIONS)
        return self._server() if self._tls is None else _Handshake(self._agree)

    def _others(self) -> Iterator[tuple[str, bool, asyncio.Transport]]:
        """All that are open, as `make_room` takes them."""
        connected = (connection.transport for connection in self._server.connections)
        for transport in (*connected, *self._agreeing):
            if transport is None or transport.is_closing():
                continue
            address = str((transport.get_extra_info("peername") or [""])[0])
            yield address, self._is_page(transport), transport

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


def address_of(request: web.Request) -> str:
    """Return where a request comes from: its address, or the network of one of IPv6 (/64)."""
    address = _ip(request.remote or "")
    if isinstance(address, ipaddress.IPv6Address):
        mapped, here = address.ipv4_mapped, ipaddress.IPv6Network((int(address), 64), strict=False)
        return str(mapped or here)
    return str(address or "")


def is_local(transport: asyncio.BaseTransport) -> bool:
    """Whether a connection comes from the machine that the server is on."""
    peer, here = (transport.get_extra_info(name) for name in ("peername", "sockname"))
    return bool(peer) and bool(here) and (peer[0] == here[0] or _is_loopback(peer[0]))


def guard(host: str) -> Middleware:
    """Answer to names of the server that listens at ``host`` only."""

    @web.middleware
    async def guarded(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not _is_ours(request.host, host):
            raise web.HTTPForbidden(text="This table does not answer to that name.\n")
        return await handler(request)

    return guarded


def check_origin(request: web.Request) -> None:
    """Check that a request comes from a page of this very server.

    Raises:
        HTTPForbidden: it does not.
    """
    try:
        origin = urlsplit(request.headers.get("Origin", ""))
    except ValueError:
        origin = urlsplit("")
    if origin.scheme not in ("http", "https") or origin.netloc != request.host:
        raise web.HTTPForbidden(text="This table talks to its own pages only.\n")


async def read_body(request: web.Request) -> bytes:
    """Return the body of a request.

    Raises:
        HTTPBadRequest: the announced body did not come, or not within `POST_S`.
        HTTPRequestEntityTooLarge: it is longer than the application takes.
    """
    try:
        async with asyncio.timeout(POST_S):
            return await request.read()
    except (ConnectionError, RuntimeError, TimeoutError, web.RequestPayloadError):  # it is gone
        raise web.HTTPBadRequest(text="That did not come whole.\n") from None


def _is_ours(requested: str, host: str) -> bool:
    """Whether the name that a browser asked for is one that no stranger could have made up."""
    try:
        name = urlsplit(f"//{requested}").hostname or ""
    except ValueError:
        return False
    own = socket.gethostname().partition(".")[0].lower()
    if name in ("localhost", host, socket.gethostname().lower(), own, f"{own}.local"):
        return True
    address = _ip(name)
    return address is not None and (address.is_loopback or not _is_loopback(host))


def _is_loopback(host: str) -> bool:
    """Return whether a name or an address means the machine itself."""
    address = _ip(host)
    return host == "localhost" if address is None else address.is_loopback


def _ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that a text is; None for another text."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
