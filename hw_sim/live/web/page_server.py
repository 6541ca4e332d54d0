"""The web server of a table: its pages, its sockets, its files."""

import asyncio
from importlib import resources
from mimetypes import guess_type
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET
from ssl import SSLContext
from typing import Any

import msgspec
from aiohttp import web

from firmware.display.text.language import Language, preferred
from hw_sim.live.web.access import Rights, add_security_headers, guard, rights_of
from hw_sim.live.web.coach_report import advice, card_of, coach_report, record_of
from hw_sim.live.web.connection_limit import BACKLOG, ConnectionLimit
from hw_sim.live.web.hall import Hall
from hw_sim.live.web.incoming import MOST_BYTES
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.live.web.page_session import close_all, serve_events, serve_socket, take_post
from hw_sim.live.web.page_texts import texts_script
from hw_sim.live.web.party_routes import PartyRoutes, games_json

STATIC = Path(str(resources.files("hw_sim.live.web") / "static"))
MOST_UNREAD_BYTES = 4096
"""The most bytes of a page that wait at the system, and are handled at once."""
SILENT_S = 10.0
"""A connection without a complete request for this time is closed."""


class PageServer:
    """Serves one table. To be made on the loop that serves it.

    Args:
        hall: where its pages come in.
        host: the address it listens at; decides which names it answers to.
        pages: what it answers besides at a party, else None.
    """

    def __init__(self, hall: Hall, host: str, pages: PartyRoutes | None = None) -> None:
        self.hall = hall
        self._host = host
        self.app = web.Application(middlewares=[guard(host)], client_max_size=MOST_BYTES)
        self.app.on_response_prepare.append(add_security_headers)
        self.app.router.add_get("/", _file("table.html"))
        if pages is None:
            self.app.router.add_get("/seat/{seat:[0-7]}", _file("seat.html"))
        else:
            for name in ("join", "trust"):
                self.app.router.add_get(f"/{name}", _file(f"{name}.html"))
            self.app.router.add_get("/phone", _file("seat.html"))
            pages.add_to(self.app.router)
        self.app.router.add_get("/bench", _file("bench.html"))
        self.app.router.add_get("/socket", self._socket)
        self.app.router.add_get("/events", self._events)
        self.app.router.add_post("/post", self._post)
        self.app.router.add_get("/export/{what}", self._export)
        self.app.router.add_get("/judged", _file("judged.html"))
        self.app.router.add_get("/judged.json", self._judged)
        self.app.router.add_get("/hint", self._hint)
        self.app.router.add_get("/games", self._games)
        self.app.router.add_get("/card.svg", self._card)
        for path in STATIC.iterdir():
            self.app.router.add_get(f"/static/{path.name}", _file(path.name))
        self.app.router.add_get("/static/texts.js", _answer("texts.js", texts_script()))
        self.app.on_shutdown.append(self._stop)
        self._runner = web.AppRunner(
            self.app,
            access_log=None,
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
        doors = ConnectionLimit(self._runner.server, self.hall.worth, tls)
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(doors, self._host, port, backlog=BACKLOG)
        for each in listening.sockets:  # those who come inherit it
            each.setsockopt(SOL_SOCKET, SO_RCVBUF, MOST_UNREAD_BYTES)
        self._listening.append(listening)
        found: int = listening.sockets[0].getsockname()[1]
        return found

    async def close(self) -> None:
        """Show everybody out, and put the table away."""
        for listening in self._listening:
            listening.close()
        await self._runner.cleanup()
        self.hall.close()

    async def _stop(self, _app: web.Application) -> None:
        if self.hall.room is not None:
            self.hall.room.pace.close()
        await close_all(self.hall)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        return await serve_socket(self.hall, request)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        return await serve_events(self.hall, request)

    async def _post(self, request: web.Request) -> web.Response:
        return await take_post(self.hall, request)

    async def _judged(self, request: web.Request) -> web.StreamResponse:
        world = self._room(request)[0].world
        if not world.is_over:
            raise web.HTTPNotFound(text="The match is not over: come back when it is.\n")
        told = await asyncio.to_thread(coach_report, record_of(world), _language(request))
        return web.Response(body=msgspec.json.encode(told), content_type="application/json")

    async def _hint(self, request: web.Request) -> web.StreamResponse:
        room, rights = self._room(request)
        if rights.seat is None:
            raise web.HTTPForbidden(text="Only who plays here alone may ask.\n")
        record, language = record_of(room.world), _language(request)
        return web.Response(text=await asyncio.to_thread(advice, record, rights.seat, language))

    async def _games(self, request: web.Request) -> web.Response:
        return web.json_response({"games": games_json(_language(request))})

    async def _card(self, request: web.Request) -> web.StreamResponse:
        """Answer with the card of a match, which the whole table may read once it is over."""
        room = self.hall.room
        if room is None or not room.world.is_over:
            raise web.HTTPNotFound(text="The match is not over: come back when it is.\n")
        told = await asyncio.to_thread(card_of, room.world, _language(request))
        return web.Response(text=told, content_type="image/svg+xml")

    def _room(self, request: web.Request) -> tuple[LiveMatch, Rights]:
        """Return the match and the rights of a lone player, or of anybody at an open table.

        Their seat's token is in a header (RFC 6750, 2.1): addresses are kept and passed on.

        Raises:
            HTTPForbidden: the request has no such rights.
        """
        hall, token = self.hall, request.headers.get("Authorization", "").removeprefix("Bearer ")
        rights = None
        if hall.room is not None:
            setup = hall.keeper.setup
            seat = 0 if setup.people == 1 and hall.keeper.claims.holds(0, token) else None
            rights = rights_of("bench", "en", seat, setup, open_table=hall.open_table)
        if hall.room is None or rights is None or not rights.bench:
            raise web.HTTPForbidden(text="Only who plays here alone may have this.\n")
        return hall.room, rights

    async def _export(self, request: web.Request) -> web.StreamResponse:
        room, rights = self._room(request)
        what, asked = request.match_info["what"], request.query.get("seat", "0")
        headers = {"Content-Disposition": f'attachment; filename="{what}"'}
        session = room.world.session
        if what == "session.jsonl" and session is not None:
            room.world.mark()
            file = session.path.open("rb")
            return web.Response(body=file, content_type="application/jsonl", headers=headers)
        seats = [each for each in rights.entitled if str(each) == asked]
        found = room.bench.export(what, seats[0]) if seats else None
        if found is None:
            raise web.HTTPNotFound(text="There is nothing of that name for you.\n")
        return web.Response(body=found[1], content_type=found[0], headers=headers)


def _language(request: web.Request) -> Language:
    return preferred(request.query.get("language"))


def _file(name: str) -> Any:
    """Answers with a file of `STATIC`, from memory: a sendfile that is cut leaves a traceback."""
    return _answer(name, (STATIC / name).read_bytes())


def _answer(name: str, body: bytes) -> Any:
    kind = guess_type(name)[0] or "application/octet-stream"
    charset = "utf-8" if kind.startswith("text/") else None

    async def file(_request: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind, charset=charset)

    return file
