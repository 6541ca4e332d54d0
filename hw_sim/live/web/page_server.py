"""The web server of a table: its pages, its sockets, its files."""

import asyncio
from functools import partial
from importlib import resources
from mimetypes import guess_type
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET
from ssl import SSLContext
from typing import Any

from aiohttp import web

from hw_sim.live.web.answers import RECORDS, NoAnswerError, work_for
from hw_sim.live.web.connection_limit import BACKLOG, ConnectionLimit
from hw_sim.live.web.guarding import add_security_headers, guard
from hw_sim.live.web.incoming import MOST_BYTES
from hw_sim.live.web.page_session import PageSessions
from hw_sim.live.web.page_texts import texts_script
from hw_sim.live.web.party_routes import PartyRoutes
from hw_sim.live.web.served_table import ServedTable, worth_of
from hw_sim.live.web.session_routes import SessionRoutes

STATIC = Path(str(resources.files("hw_sim.live.web") / "static"))
MOST_UNREAD_BYTES = 4096
"""The most bytes of a page that wait at the system, and are handled at once."""
CODE = " *[A-Za-z0-9]{1,8} *"
"""The path of a party's code, as people type it; its page tells that a code is wrong."""
SILENT_S = 10.0
"""A connection without a complete request for this time is closed."""


class PageServer:
    """Serves one table. To be made on the loop that serves it.

    Args:
        table: the table; it is closed with the server.
        host: the address it listens at; decides which names it answers to.
        party: what it answers besides at a party, else None.
    """

    def __init__(self, table: ServedTable, host: str, party: PartyRoutes | None = None) -> None:
        self.table = table
        self._sessions = PageSessions(table)
        self._routes = SessionRoutes(self._sessions)
        self._host = host
        worth = partial(worth_of, table.clients)
        self._worth = worth if party is None else party.worth_beside(worth)
        typed = web.normalize_path_middleware(
            append_slash=False, remove_slash=True, merge_slashes=False
        )
        self.app = web.Application(middlewares=[guard(host), typed], client_max_size=MOST_BYTES)
        self.app.on_response_prepare.append(add_security_headers)
        self.app.router.add_get("/", _file("table.html"))
        if party is None:
            self.app.router.add_get("/seat/{seat:[0-7]}", _file("seat.html"))
        else:
            for name in ("join", "trust"):
                self.app.router.add_get(f"/{name}", _file(f"{name}.html"))
            self.app.router.add_get("/phone", _file("seat.html"))
            party.add_to(self.app.router)
            self.app.on_shutdown.append(party.close)
            self.app.router.add_get(f"/{{code:{CODE}}}", _file("join.html"))
        for name in ("bench", "screen"):
            self.app.router.add_get(f"/{name}", _file(f"{name}.html"))
        self._routes.add_to(self.app.router)
        self.app.router.add_get("/judged", _file("judged.html"))
        for page in ("evening", "train"):
            self.app.router.add_get(f"/{page}", _file(f"{page}.html"))
        asks = (
            "evening.json",
            "matches.json",
            "judged.json",
            "hint",
            "games",
            "card.svg",
            "train.json",
        )
        for asked in ("export/{what}", "train.csv", "evening.zip", "match.jsonl", *asks):
            self.app.router.add_get(f"/{asked}", self._answer)
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
        limit = ConnectionLimit(self._runner.server, self._worth, tls)
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(limit, self._host, port, backlog=BACKLOG)
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
        self.table.close()

    async def _stop(self, _app: web.Application) -> None:
        if self.table.match is not None:
            self.table.match.runner.close()
        await self._sessions.close()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        """Answer with what `work_for` works out, beside the match that is played.

        A seat's token is in a header (RFC 6750, 2.1): addresses are kept and passed on.
        """
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        path = request.path.removeprefix("/")
        try:
            rights = self.table.rights_of_token(token)
            folder = self.table.store.folder
            hides_lies = self.table.seats.hides_lies or (path in RECORDS and not rights.bench)
            work = work_for(
                self.table.match, folder, rights, path, request.query, hides_lies=hides_lies
            )
            answer = await asyncio.to_thread(work)
        except NoAnswerError as error:
            return web.Response(status=error.status, text=str(error))
        headers = {}
        if (what := request.match_info.get("what")) is not None:
            headers["Content-Disposition"] = f'attachment; filename="{what}"'
        return web.Response(body=answer.body, content_type=answer.kind, headers=headers)


def _file(name: str) -> Any:
    """Answers with a file of `STATIC`, from memory: a sendfile that is cut leaves a traceback."""
    return _answer(name, (STATIC / name).read_bytes())


def _answer(name: str, body: bytes) -> Any:
    kind = guess_type(name)[0] or "application/octet-stream"
    charset = "utf-8" if kind.startswith("text/") else None

    async def file(_request: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind, charset=charset)

    return file
