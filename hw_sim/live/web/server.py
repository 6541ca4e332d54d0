"""The web server of a table: its pages, its sockets, its files."""

from importlib import resources
from pathlib import Path
from typing import Any

from aiohttp import web

from hw_sim.live.web.access import guard
from hw_sim.live.web.keeper import Keeper
from hw_sim.live.web.room import Room
from hw_sim.live.web.socket import close_all, serve_socket

STATIC = Path(str(resources.files("hw_sim.live.web") / "static"))


class TableServer:
    """Serves one table. To be made on the loop that serves it; ``app`` is what is to be run.

    Args:
        keeper: what is played, and where it is kept.
        host: the address it listens at; decides which names it answers to.
        open_table: every page sees every panel and may do everything: for those who build.
    """

    def __init__(self, keeper: Keeper, host: str, *, open_table: bool = False) -> None:
        self.room = Room(keeper, open_table=open_table)
        self.app = web.Application(middlewares=[guard(host)])
        self.app.router.add_get("/", _page("table.html"))
        self.app.router.add_get("/seat/{seat:[0-7]}", _page("seat.html"))
        self.app.router.add_get("/bench", _page("bench.html"))
        self.app.router.add_get("/socket", self._socket)
        self.app.router.add_get("/export/{what}", self._export)
        self.app.router.add_static("/static", STATIC)
        self.app.on_shutdown.append(self._stop)

    async def _stop(self, _app: web.Application) -> None:
        self.room.pace.close()
        await close_all(self.room)
        self.room.close()

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        return await serve_socket(self.room, request)

    async def _export(self, request: web.Request) -> web.Response:
        room, token = self.room, request.query.get("token", "")
        alone = room.keeper.setup.people == 1 and room.keeper.claims.holds(0, token)
        if not (room.open_table or alone):
            raise web.HTTPForbidden(text="Only who plays here alone may have this.\n")
        what, seat = request.match_info["what"], request.query.get("seat", "0")
        found = room.bench.export(what, int(seat) if seat.isdecimal() else -1)
        if found is None:
            raise web.HTTPNotFound(text="There is nothing of that name.\n")
        headers = {"Content-Disposition": f'attachment; filename="{what}"'}
        return web.Response(body=found[1], content_type=found[0], headers=headers)


def _page(name: str) -> Any:
    async def page(_request: web.Request) -> web.StreamResponse:
        return web.FileResponse(STATIC / name)

    return page
