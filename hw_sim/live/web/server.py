"""The web server of a table: pages, sockets, and what each of them may see and do."""

import asyncio
import ipaddress
import socket as sockets
from importlib import resources
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web

from firmware.display.text.games import GAME_NAMES
from firmware.display.text.rulebook import GAME_TEXTS
from firmware.display.text.words import LANGUAGES, words
from hw_sim.hand.control.pointer import Pacer
from hw_sim.live.web import protocol
from hw_sim.live.web.bench.bench import Bench
from hw_sim.live.web.client import Client
from hw_sim.live.web.keeper import Keeper
from hw_sim.live.web.protocol import Allowance, ProtocolError, Said
from hw_sim.live.world.outside import outside
from hw_sim.live.world.pace import Pace
from hw_sim.live.world.world import World
from hw_sim.table.story import Story

MOST_CLIENTS = 40
FRAME_S = 0.022
"""Least real time between two looks at what is to be sent."""
SLEEPS_AFTER_S = 4.0
"""So long after the last page was closed the table stands still."""
HELLO_S = 10.0
HYSTERESIS_DEG = 3
WRONG_SEAT, TAKEN, TOO_MANY, MALFORMED = 4403, 4409, 4429, 4400
STATIC = Path(str(resources.files("hw_sim.live.web") / "static"))
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class TableServer:
    """Serves one table.

    Args:
        keeper: what is played, and where it is kept.
        host: the address it listens at; decides which names it answers to.
        open_table: every page sees every panel and may do everything: for those who build.
    """

    def __init__(self, keeper: Keeper, host: str, *, open_table: bool = False) -> None:
        self.app = web.Application(middlewares=[_guarded])
        self.app[_SERVER] = self
        self.app.router.add_get("/", _page("table.html"))
        self.app.router.add_get("/seat/{seat:[0-7]}", _page("seat.html"))
        self.app.router.add_get("/bench", _page("bench.html"))
        self.app.router.add_get("/socket", self._socket)
        self.app.router.add_get("/export/{what}", self._export)
        self.app.router.add_static("/static", STATIC)
        self.app.on_startup.append(self._start)
        self.app.on_shutdown.append(self._stop)
        self.host = host
        self._keeper = keeper
        self._open = open_table
        self._clients: list[Client] = []
        self._sleeping: asyncio.TimerHandle | None = None
        self._framed_s = 0.0
        self._frame_timer: asyncio.TimerHandle | None = None
        self._poses: dict[int, tuple[int, int]] = {}
        self._closing: list[web.WebSocketResponse] = []

    @property
    def world(self) -> World:
        """The world that is played in now."""
        return self.pace.world

    async def _start(self, _app: web.Application) -> None:
        self.pace = Pace(self._keeper.world(), self._went_on)
        self.bench = Bench(self.pace)
        self._sit_down()

    async def _stop(self, _app: web.Application) -> None:
        self.pace.close()
        if self._frame_timer is not None:
            self._frame_timer.cancel()
        if self._sleeping is not None:
            self._sleeping.cancel()
        for socket in list(self._closing):
            await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the table is put away")
        self.bench.close()
        self._keeper.keep(self.pace.world.close())

    def _sit_down(self) -> None:
        world = self.world
        self._stories = {each: Story(world.table, each) for each in LANGUAGES}
        self._poses.clear()
        self.bench.follow(world)

    # ---- sockets -----------------------------------------------------------------------------

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if not _same_origin(request):
            raise web.HTTPForbidden(text="This table talks to its own pages only.\n")
        if len(self._clients) >= MOST_CLIENTS:
            raise web.HTTPServiceUnavailable(text="The room is full.\n")
        socket = web.WebSocketResponse(
            max_msg_size=protocol.MOST_BYTES, heartbeat=20.0, compress=False
        )
        await socket.prepare(request)
        client = Client(socket)
        self._clients.append(client)
        self._closing.append(socket)
        sending = asyncio.create_task(client.send())
        try:
            await self._listen(client, socket)
        finally:
            sending.cancel()
            self._clients.remove(client)
            self._closing.remove(socket)
            self._let_go(client)
            if not self._clients:
                loop = asyncio.get_running_loop()
                self._sleeping = loop.call_later(SLEEPS_AFTER_S, self._sleep)
        return socket

    async def _listen(self, client: Client, socket: web.WebSocketResponse) -> None:
        allowance = Allowance(monotonic())
        pacers = {"drag": Pacer(), "felt": Pacer()}
        try:
            async with asyncio.timeout(HELLO_S):
                text = await client.next_text()
            while text is not None:
                if not allowance.take(monotonic()):
                    await _bye(socket, TOO_MANY, "too many messages")
                    return
                refusal = self._take_in(client, protocol.parse(text), pacers)
                if refusal is not None:
                    await _bye(socket, *refusal)
                    return
                text = await client.next_text()
        except ProtocolError as error:
            await _bye(socket, MALFORMED, str(error))
        except TimeoutError:
            await _bye(socket, MALFORMED, "no hello")

    def _take_in(
        self, client: Client, said: Said, pacers: dict[str, Pacer]
    ) -> tuple[int, str] | None:
        """Do what a page asks for; returns why its connection ends, None if it does not."""
        values = said.values
        if said.do == "hello":
            return self._welcome(client, said)
        if not client.welcome:
            return MALFORMED, "no hello"
        if said.do in protocol.OF_A_SEAT:
            if values["seat"] != client.seat:
                return WRONG_SEAT, "this is not your seat"
            self._move(client, said, pacers)
        elif said.do in protocol.OF_THE_BENCH:
            if not client.rights:
                client.tell({"is": "refused", "why": "rights"})
            else:
                self.pace.do(lambda: self.bench.order(said))
        elif said.do == "again" and client.seat is not None:
            self.pace.do(self._play_again)
        return None

    def _move(self, client: Client, said: Said, pacers: dict[str, Pacer]) -> None:
        seat, values = said.values["seat"], said.values
        if said.do == "leave":
            self._keeper.claims.leave(seat)
            client.seat, client.entitled = None, frozenset()
            client.tell({"is": "left"})
            return

        def do() -> None:
            if self.bench.past is not None:
                return
            world = self.world
            if said.do in ("drag", "felt"):
                speed = self.pace.speed
                rows = values["at"]
                times = pacers[said.do].times([row[0] for row in rows], world.now_us, speed)
                scale = speed * speed / 1000.0 if said.do == "drag" else 1.0
                samples = tuple(
                    (t_us, *(round(each * scale, 6) for each in row[1:]))
                    for t_us, row in zip(times, rows)
                )
                world.do(seat, said.do, samples)
            else:
                world.do(seat, said.do, *(values[key] for key in values if key != "seat"))

        self.pace.do(do)

    def _welcome(self, client: Client, said: Said) -> tuple[int, str] | None:
        if client.welcome:
            return MALFORMED, "hello again"
        people, claims = self._keeper.setup.people, self._keeper.claims
        seat, token = said.values["seat"], said.values["token"]
        client.view, client.language = said.values["view"], said.values["language"]
        if client.view != "seat" and people == 1:
            seat = 0
        if client.view == "seat" and (seat is None or seat >= people):
            return WRONG_SEAT, "nobody plays there but a bot"
        if seat is not None and client.view == "table" and people > 1:
            seat = None
        given = None
        if seat is not None and seat < people:
            if claims.holds(seat, token):
                client.seat = seat
            elif seat in claims.free():
                given = claims.take(seat)
                client.seat = seat
            elif client.view == "seat":
                return TAKEN, "somebody sits there"
        if self._open:
            client.entitled = frozenset(range(self._keeper.setup.table.players))
        elif client.seat is not None:
            client.entitled = frozenset((client.seat,))
        client.rights = self._open or (people == 1 and client.seat is not None)
        client.welcome = True
        if self._sleeping is not None:
            self._sleeping.cancel()
            self._sleeping = None
        client.tell(self._told(client, given))
        self.pace.do(lambda: None)
        self.pace.wake()
        return None

    def _told(self, client: Client, token: str | None) -> dict[str, Any]:
        setup = self._keeper.setup
        game = setup.table.rules.game
        told = GAME_TEXTS[game]
        return {
            "is": "welcome",
            "seat": client.seat,
            "token": token,
            "rights": client.rights,
            "entitled": sorted(client.entitled),
            "names": list(setup.table.names),
            "people": setup.people,
            "bots": list(setup.bots),
            "title": {each: words(GAME_NAMES[game].value, each) for each in LANGUAGES},
            "rules": {
                each: [words(one, each) for one in (told.sentence, *(r.words for r in told.rules))]
                for each in LANGUAGES
            },
            "panels": setup.table.language,
            "free": self._keeper.claims.free(),
        }

    def _let_go(self, client: Client) -> None:
        """A hand whose page is gone lets go of lid and pad, unless another page has them."""
        seat = client.seat
        if seat is None or any(other.seat == seat for other in self._clients):
            return
        for what in ("touch", "lift"):
            self.pace.do(lambda what=what: self.world.do(seat, what, False))  # type: ignore[misc]

    # ---- what goes out -----------------------------------------------------------------------

    def _went_on(self) -> None:
        loop = asyncio.get_running_loop()
        if self._frame_timer is None and self._clients:
            after_s = max(0.0, self._framed_s + FRAME_S - loop.time())
            self._frame_timer = loop.call_later(after_s, self._frame)

    def _frame(self) -> None:
        """Look at the world, and send every page what is new to it."""
        self._frame_timer = None
        self._framed_s = asyncio.get_running_loop().time()
        world = self.bench.past or self.world
        seats = {seat: self._outside(world, seat) for seat in range(world.setup.table.players)}
        wanted = {seat for client in self._clients for seat in client.entitled}
        panels = {seat: _panel(world, seat) for seat in wanted}
        live = self.bench.past is None
        if live:
            for story in self._stories.values():
                story.listen()
        known = {
            "over": world.is_over,
            "speed": self.pace.speed,
            "paused": self.pace.paused,
            "past": not live,
            "trouble": world.trouble,
            "claimed": [
                seat not in self._keeper.claims.free() for seat in range(self._keeper.setup.people)
            ],
        }
        for client in self._clients:
            if not client.welcome or client.full:
                continue
            for seat in sorted(client.entitled):
                client.panel(seat, panels[seat])
                client.says(seat, world.shown.get(seat, ""))
            client.table(known, seats)
            client.heard(self._stories["de" if client.language == "de" else "en"].lines)
        self.bench.frame([client for client in self._clients if client.view == "bench"], world)

    def _outside(self, world: World, seat: int) -> dict[str, Any]:
        state = outside(world, seat)
        if "roll" in state:
            last = self._poses.get(seat)
            pose = (state["roll"], state["pitch"])
            moved = last is None or max(abs(a - b) for a, b in zip(last, pose)) > HYSTERESIS_DEG
            if moved or last is None:
                last = self._poses[seat] = pose
            state["roll"], state["pitch"] = last
        return state

    # ---- the match ---------------------------------------------------------------------------

    def _play_again(self) -> None:
        if not self.world.is_over:
            return
        self.bench.leave_past()
        self._keeper.keep(self.world.close())
        self.pace.world = self._keeper.next()
        self._sit_down()
        for client in self._clients:
            client.forget()
            client.tell({"is": "again"})

    def _sleep(self) -> None:
        self._sleeping = None
        if not self._clients:
            self.pace.asleep = True

    async def _export(self, request: web.Request) -> web.Response:
        token = request.query.get("token", "")
        held = self._keeper.setup.people == 1 and self._keeper.claims.holds(0, token)
        if not (self._open or held):
            raise web.HTTPForbidden(text="Only who plays here alone may have this.\n")
        return self.bench.export(request.match_info["what"], request.query.get("seat", "0"))


_SERVER = web.AppKey("server", TableServer)


def _panel(world: World, seat: int) -> bytes:
    """Contrast (0 is dark) and memory of a panel."""
    display = world.table.seats[seat].board.display
    if not display.is_lit or not world.is_on(seat):
        return bytes(1 + 1024)
    return bytes((max(1, display.contrast),)) + display.memory


def _page(name: str) -> Any:
    async def page(_request: web.Request) -> web.StreamResponse:
        return web.FileResponse(STATIC / name)

    return page


async def _bye(socket: web.WebSocketResponse, code: int, why: str) -> None:
    await socket.close(code=code, message=why.encode()[:120])


@web.middleware
async def _guarded(request: web.Request, handler: Any) -> web.StreamResponse:
    """Answer to the table's own names only, and let pages load nothing from elsewhere."""
    if not _known_host(request):
        raise web.HTTPForbidden(text="This table does not answer to that name.\n")
    response: web.StreamResponse = await handler(request)
    if not response.prepared:
        response.headers["Content-Security-Policy"] = _POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-cache"
    return response


def _known_host(request: web.Request) -> bool:
    """Whether the name in the address is one that no stranger could have made up."""
    try:
        name = urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return False
    if name in ("localhost", request.app[_SERVER].host, sockets.gethostname().lower()):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or not _is_loopback(request.app[_SERVER].host)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _same_origin(request: web.Request) -> bool:
    origin = urlsplit(request.headers.get("Origin", ""))
    return origin.scheme in ("http", "https") and origin.netloc == request.host
