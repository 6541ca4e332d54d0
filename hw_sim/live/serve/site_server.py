"""The web server of the built site: its files, the door of an evening, and the broker behind it.

All numbers are chosen.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET
from ssl import SSLContext
from time import monotonic_ns
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import msgspec
from aiohttp import web

from firmware.display.text.language import preferred, say
from firmware.table.protocol import Budget
from hw_sim.live.serve.broker_proxy import PATH, BrokerProxy
from hw_sim.live.serve.certificates import Authority
from hw_sim.live.serve.guarding import (
    BACKLOG,
    ConnectionLimit,
    address_of,
    check_origin,
    guard,
    is_local,
    log,
    read_body,
)
from hw_sim.live.site.build import FOR_HOSTS, type_of

CERTIFICATE: Final = "application/x-x509-ca-cert"
"""The media type for which a phone offers to install a certificate."""
TRIES_A_MINUTE, TRIES_OF_ALL = 20, 100
"""The most wrong codes in a minute: from one address, and from everybody together."""
MOST_ADDRESSES: Final = 1024
"""The addresses whose tries are counted; those that were heard of last."""
CODE: Final = "[A-Za-z -]{1,12}"
"""The path of a code, as people type it: with blanks or hyphens between its letters, or beside."""
MOST_BODY_BYTES: Final = 4096
"""The most bytes of a request's body."""
MOST_UNREAD_BYTES: Final = 4096
"""The most bytes of a page that wait at the system, and are handled at once."""
CHUNK_BYTES: Final = 1 << 16
"""The bytes of a file that are read at once, and lie in memory while nobody takes them."""
SILENT_S: Final = 10.0
"""A connection without a complete request for this time is closed."""
_HOST: Final = re.compile(r"[\w.-]+(:\d+)?")
Headers = dict[str, dict[str, str]]


class Tries:
    """Counts wrong tries: a bucket for each address, and a larger one for all.

    An address that tries too often is not answered; others are.

    Args:
        per_minute: the tries of one address.
        of_all: those of all addresses together.
        now_us: returns a time in µs that never runs back.
    """

    def __init__(
        self,
        per_minute: int,
        of_all: int,
        now_us: Callable[[], int] = lambda: monotonic_ns() // 1_000,
    ) -> None:
        self._per_minute, self._now_us = per_minute, now_us
        self._all = Budget(of_all, of_all / 60, now_us())
        self._each: dict[str, Budget] = {}

    def take(self, address: str, *, is_wrong: bool) -> bool:
        """Return whether an address may try now; count it if the try is wrong."""
        now, most = self._now_us(), self._per_minute
        each = self._each.pop(address, None) or Budget(most, most / 60, now)
        self._each[address] = each
        if len(self._each) > MOST_ADDRESSES:
            del self._each[next(iter(self._each))]
        if not each.take(now):
            return False
        may_try = self._all.take(now)
        if not is_wrong:
            each.take(now, -1)
            self._all.take(now, -1 if may_try else 0)
        return may_try


class Door(msgspec.Struct, frozen=True):
    """The way into an evening: the code that people type, and the link that it stands for."""

    code: str
    link: str


class Sites(msgspec.Struct, frozen=True):
    """The addresses of this very site that others reach, the best first, each with a slash behind.

    ``secure``: those over TLS. ``broker_path``: that of its broker at each of them, such as
    ``/mqtt``; empty if it has none. Pages read it as ``party.json``.
    """

    sites: tuple[str, ...] = ()
    secure: tuple[str, ...] = ()
    broker_path: str = ""


def site_headers(text: str) -> Headers:
    """Return what a ``_headers`` file tells: headers by path, ``/*`` for all paths."""
    found: Headers = {}
    path = ""
    for line in text.splitlines():
        if line.startswith("/"):
            path = line.strip()
        elif (parts := line.strip().partition(": "))[1]:
            found.setdefault(path, {})[parts[0]] = parts[2]
    return found


class SiteServer:
    """Serves a built site. To be made on the loop that serves it.

    Args:
        site: the folder, as `hw_sim.live.site.build` makes it.
        host: the address it listens at; decides which names it answers to.
        proxy: leads to a broker; None for none.
        authority: whose certificate phones may be given to trust; None if there is none.
        opened: is told of each new door of an evening.

    Raises:
        OSError: the folder cannot be read, or is no site.
    """

    def __init__(
        self,
        site: Path,
        host: str,
        proxy: BrokerProxy | None = None,
        authority: Authority | None = None,
        opened: Callable[[Door], None] = lambda _: None,
    ) -> None:
        self.sites = Sites()
        self._host, self._proxy, self._authority, self._opened = host, proxy, authority, opened
        self._door: Door | None = None
        self._tries = Tries(TRIES_A_MINUTE, TRIES_OF_ALL)
        self._headers = site_headers((site / "_headers").read_text("utf-8"))
        typed = web.normalize_path_middleware(
            append_slash=False, remove_slash=True, merge_slashes=False
        )
        app = web.Application(middlewares=[guard(host), typed], client_max_size=MOST_BODY_BYTES)
        app.on_response_prepare.append(self._add_headers)
        for path in sorted(site.rglob("*")):  # these and no others, whatever is asked for
            if path.is_file() and not path.is_symlink() and path.name not in FOR_HOSTS:
                name = path.relative_to(site).as_posix()
                app.router.add_get(f"/{name}", _file(path))
        app.router.add_get("/", _file(site / "index.html"))
        if proxy is not None:
            app.router.add_get(PATH, proxy.answer)
            app.router.add_get("/party.json", self._tell_sites)
            app.router.add_post("/door", self._take_door)
            app.router.add_get(f"/{{code:{CODE}}}", self._enter)
            app.on_shutdown.append(proxy.close)
        if authority is not None:
            app.router.add_get("/trust.crt", self._trust)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=log,
            shutdown_timeout=1.0,
            keepalive_timeout=SILENT_S,
            lingering_time=1.0,
        )
        self._listening: list[asyncio.Server] = []

    async def start(self, port: int, tls: SSLContext | None = None) -> int:
        """Listen at a port, 0 for any that is free; returns which it is. With ``tls`` over TLS.

        It may listen at several.

        Raises:
            OSError: that is not possible.
        """
        if self._runner.server is None:
            await self._runner.setup()
        assert self._runner.server is not None, "it is set up"
        limit = ConnectionLimit(self._runner.server, self._is_page, tls)
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(limit, self._host, port, backlog=BACKLOG)
        for each in listening.sockets:  # those who come inherit it
            each.setsockopt(SOL_SOCKET, SO_RCVBUF, MOST_UNREAD_BYTES)
        self._listening.append(listening)
        found: int = listening.sockets[0].getsockname()[1]
        return found

    def tell(self, sites: Sequence[str], secure: Sequence[str]) -> None:
        """Tell pages at which addresses others reach this site; see `Sites`."""
        path = "" if self._proxy is None else self._proxy.path
        self.sites = Sites(tuple(sites), tuple(secure), path)

    async def close(self) -> None:
        """Show everybody out."""
        for listening in self._listening:
            listening.close()
        await self._runner.cleanup()

    def _is_page(self, transport: asyncio.BaseTransport) -> bool:
        return self._proxy is not None and transport in self._proxy.transports

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        """Send the headers of the site. Its workers may speak to the broker of this very address.

        ``'self'`` means that broker, too, but not in Safari before 16.
        """
        wanted = {"Cache-Control": "no-cache"} | self._headers.get("/*", {})
        policy = wanted.get("Content-Security-Policy", "")
        if self._proxy is not None and _HOST.fullmatch(request.host):
            own = f"connect-src 'self' ws://{request.host} wss://{request.host}"
            wanted["Content-Security-Policy"] = policy.replace("connect-src 'self'", own)
        for name, value in (wanted | self._headers.get(request.path, {})).items():
            response.headers.setdefault(name, value)

    async def _tell_sites(self, _request: web.Request) -> web.Response:
        return web.Response(body=msgspec.json.encode(self.sites), content_type="application/json")

    async def _take_door(self, request: web.Request) -> web.Response:
        """Take the door of the evening that a page of this machine hosts: 204."""
        check_origin(request)
        if request.transport is None or not is_local(request.transport):
            raise web.HTTPForbidden(text="The door is the host's to open.\n")
        try:
            door = msgspec.json.decode(await read_body(request), type=Door)
        except msgspec.DecodeError:
            raise web.HTTPBadRequest(text="This is no door.\n") from None
        if not re.fullmatch("[A-Z]{1,8}", door.code) or "#" not in door.link:
            raise web.HTTPBadRequest(text="This is no door.\n")
        if door != self._door:
            self._door = door
            self._opened(door)
        return web.Response(status=204)

    async def _enter(self, request: web.Request) -> web.Response:
        """Lead who types the code to the evening, at the address that this phone has reached."""
        code = re.sub("[ -]", "", request.match_info["code"]).upper()
        is_right = self._door is not None and code == self._door.code
        if not self._tries.take(address_of(request), is_wrong=not is_right):
            raise web.HTTPTooManyRequests(**_said("door_often", request))
        if self._door is None or not is_right:
            raise web.HTTPNotFound(**_said("door_wrong", request, code=code))
        raise web.HTTPFound(f"/join.html#{_at_host(self._door.link, request)}")

    async def _trust(self, _request: web.Request) -> web.Response:
        assert self._authority is not None, "this route is there with one alone"
        return web.Response(body=self._authority.der, content_type=CERTIFICATE)


def _at_host(link: str, request: web.Request) -> str:
    """The part of a link behind the #, with this server's broker at the address asked for.

    That broker has the host of the link itself. Brokers elsewhere keep their addresses.
    """
    address = urlsplit(link)
    kind = "wss" if request.secure else "ws"
    parts = []
    for name, value in parse_qsl(address.fragment):
        broker = urlsplit(value if name == "broker" else "")
        is_here = (broker.hostname, broker.path) == (address.hostname, PATH)
        here = broker._replace(scheme=kind, netloc=request.host)
        parts.append((name, here.geturl() if is_here else value))
    return urlencode(parts, quote_via=quote, safe=":/")


_PAGE: Final = (
    '<!doctype html><meta name="viewport" content="width=device-width"><title>Mäxchen</title>'
    '<link rel="stylesheet" href="static/style.css"><link rel="stylesheet" href="static/party.css">'
    '<body class="party-page"><header><h1>Mäxchen</h1></header><main><p id="notice">'
)


def _said(name: str, request: web.Request, **parts: str) -> dict[str, Any]:
    """The text of a page with one line, in the language of the browser that asks; and its type."""
    language = preferred(request.headers.get("Accept-Language"))
    text = _PAGE + escape(say(f"page.{name}", language, **parts))
    return {"text": text, "content_type": "text/html"}


def _file(path: Path) -> Callable[[web.Request], Awaitable[web.FileResponse]]:
    """Answers with a file, or that it is the one that is known (RFC 9110, 13.1.2)."""
    kind = type_of(path.name)
    if kind.startswith("text/"):
        kind += "; charset=utf-8"

    async def file(_request: web.Request) -> web.FileResponse:
        return web.FileResponse(path, CHUNK_BYTES, headers={"Content-Type": kind})

    return file
