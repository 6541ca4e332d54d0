"""Which requests a server lets in, and what it tells browsers with each answer."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Middleware

from hw_sim.live.web.access import is_loopback

POST_S = 10.0
"""The time within which a post arrives whole."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "media-src blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


def address_of(request: web.Request) -> str:
    """Return where a request comes from: its address, or the network of one of IPv6 (/64)."""
    try:
        address = ipaddress.ip_address(request.remote or "")
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        mapped, here = address.ipv4_mapped, ipaddress.IPv6Network((int(address), 64), strict=False)
        return str(mapped or here)
    return str(address)


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


def check_origin(request: web.Request) -> None:
    """Check that a request comes from a page of this very table.

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
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or not is_loopback(host)
