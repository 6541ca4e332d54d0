"""Access: which requests are let in, and what a page may see and do."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Middleware

from firmware.display.text.language import Language
from hw_sim.live.web import incoming
from hw_sim.live.web.open_seats import OpenSeats
from hw_sim.live.world.setup import WorldSetup

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True)
class Rights:
    """The rights of a page.

    Attributes:
        view: what it shows.
        language: of what it is sent.
        seat: the seat it plays, None if it only watches.
        entitled: seats whose panels it may see.
        bench: whether it may pause the table, break things and so on.
    """

    view: incoming.View
    language: Language
    seat: int | None
    entitled: frozenset[int]
    bench: bool


def rights_of(
    view: incoming.View,
    language: Language,
    seat: int | None,
    setup: WorldSetup,
    *,
    open_table: bool,
) -> Rights:
    """The rights of a page that plays a seat, or (None) none.

    ``open_table``: every page sees every panel and may do everything.
    """
    everything = frozenset(range(setup.table.players))
    entitled = frozenset(() if seat is None else (seat,))
    alone = setup.people == 1 and seat is not None
    return Rights(view, language, seat, everything if open_table else entitled, open_table or alone)


def admit(
    hello: incoming.Hello, setup: WorldSetup, claims: OpenSeats, *, open_table: bool
) -> tuple[Rights, str | None]:
    """Give a page its rights, and the token of its seat if it has just taken it.

    Raises:
        protocol.RefusalError: it wants a seat that it cannot have.
        OSError: the claim on the seat cannot be written.
    """
    people, seat = setup.people, hello.seat
    if hello.view != "seat" and people == 1:
        seat = 0
    if hello.view == "seat" and (seat is None or seat >= people):
        raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody plays there but a bot")
    token = None
    if seat is not None and (seat >= people or (hello.view == "table" and people > 1)):
        seat = None
    if seat is not None and not claims.holds(seat, hello.token):
        if seat in claims.free():
            token = claims.take(seat) if hello.sit else None
            seat = seat if hello.sit else None
        elif hello.view == "seat":
            raise incoming.RefusalError(incoming.TAKEN, "somebody sits there")
        else:
            seat = None
    return rights_of(hello.view, hello.language, seat, setup, open_table=open_table), token


def guard(host: str) -> Middleware:
    """Answer to names of the table that listens at ``host`` only."""

    @web.middleware
    async def guarded(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not _is_ours(request.host, host):
            raise web.HTTPForbidden(text="This table does not answer to that name.\n")
        return await handler(request)

    return guarded


async def add_security_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Tell a browser with every answer to load nothing of others, and to tell nobody of it."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


def is_local(transport: asyncio.BaseTransport) -> bool:
    """Whether a connection comes from the machine that the table is on."""
    peer, here = (transport.get_extra_info(name) for name in ("peername", "sockname"))
    return bool(peer) and bool(here) and (peer[0] == here[0] or _is_loopback(peer[0]))


def is_same_origin(request: web.Request) -> bool:
    """Whether a request comes from a page of this very table."""
    try:
        origin = urlsplit(request.headers.get("Origin", ""))
    except ValueError:
        return False
    return origin.scheme in ("http", "https") and origin.netloc == request.host


def _is_ours(asked: str, host: str) -> bool:
    """Whether the name that a browser asked for is one that no stranger could have made up."""
    try:
        name = urlsplit(f"//{asked}").hostname or ""
    except ValueError:
        return False
    if name in ("localhost", host, socket.gethostname().lower()):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or not _is_loopback(host)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
