"""A table that is served, and pages that behave or do not."""

import asyncio
import json
from base64 import b64decode
from contextlib import asynccontextmanager
from itertools import count

from aiohttp import ClientSession, WSMessage, WSMsgType

from game import rule_set
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.page_server import PageServer
from hw_sim.live.web.party_routes import PartyRoutes
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.party_table import open_party
from hw_sim.live.web.served_table import open_table
from hw_sim.live.world.setup import WorldSetup
from hw_sim.table.setup import TableSetup

PATIENCE_S = 60
"""The longest time that a server may take on a busy machine."""


def setup(people=1, players=3, seed=4, game="class"):
    table = TableSetup(rule_set(game, {}), players, seed, scene="day")
    kinds = ("honest", "trusting", "cheeky", "random", "honest", "cheeky", "random", "honest")
    return WorldSetup(table, people, kinds[: players - people])


@asynccontextmanager
async def serving(folder, *, all_panels=False, **wanted):
    """A server on a free port, and a client to it."""
    store = MatchStore(folder, setup(**wanted), any_seed=False)
    table = open_table(store, all_panels=all_panels)
    server = PageServer(table, "127.0.0.1")
    address = f"http://127.0.0.1:{await server.start(0)}"
    try:
        async with ClientSession(address) as session:
            server.address = address
            yield server, session
    finally:
        await server.close()


@asynccontextmanager
async def partying(folder, authority=None, *, built=None, change=lambda relay: None):
    """A party on a free port, and a client to it. ``change`` gets its relay."""
    store = MatchStore(folder, None, any_seed=True)
    seeds = count(1)
    seats = PartySeats(folder / "evening.json")
    template = TableSetup(seats.plan.rules)
    table, relay = await open_party(
        store,
        seats,
        template,
        owns=built is not None,
        draw=lambda drawn: drawn.with_any_seed(seeds.__next__),
    )
    change(relay)
    routes = PartyRoutes(seats, table.lobby, authority, relay, built)
    server = PageServer(table, "127.0.0.1", routes)
    server.address = f"http://127.0.0.1:{await server.start(0)}"
    table.lobby.address = f"{server.address}/"
    try:
        async with ClientSession(server.address) as session:
            yield server, session
    finally:
        await server.close()


async def seated(server, session, name, place=0):
    """The secret of a guest who uses the invitation of a place."""
    invitation = server.table.seats.stored.code
    status, told = await sit(server, session, invitation, name)
    assert status == 200, told
    return told["secret"]


async def sit(server, session, invitation, name):
    wanted = {"invitation": invitation, "name": name}
    headers = {"Origin": server.address}
    async with session.post("/sit", json=wanted, headers=headers) as answer:
        return answer.status, await answer.json()


def guest(secret):
    """The hello of a guest's phone."""
    return hello("seat", None, secret)


def host(server):
    """The hello of the host's page."""
    return hello() | {"host": server.table.seats.stored.host}


def hello(view="table", seat=None, token=None):
    return {"do": "hello", "view": view, "seat": seat, "token": token, "language": "en"}


def bearer(token):
    """The header of a request that is for who has a seat alone."""
    return {"Authorization": f"Bearer {token}"}


class EventsPage:
    """A page that opened no socket; it is used like one. Made by `open`."""

    close_code = None

    @classmethod
    async def open(cls, server, session, **tls):
        page = cls()
        page._session, page._headers, page._tls = session, {"Origin": server.address}, tls
        page._events = await session.get("/events", headers=page._headers, timeout=None, **tls)
        assert page._events.status == 200
        page.name = json.loads((await page.receive()).data)["name"]
        return page

    async def send_str(self, text):
        answer = await self._session.post(
            "/post", params={"line": self.name}, data=text, headers=self._headers, **self._tls
        )
        if answer.status != 204:
            raise ConnectionError(f"a post is answered with {answer.status}")

    async def send_json(self, what):
        await self.send_str(json.dumps(what))

    async def receive(self):
        kind, data = b"", b""
        while (line := await self._events.content.readline()) not in (b"\n", b""):
            name, _, value = line.strip().partition(b": ")
            kind, data = (value, data) if name == b"event" else (kind, value)
        if kind == b"panel":
            return WSMessage(WSMsgType.BINARY, b64decode(data), None)
        told = json.loads(data) if data else {"is": "closed", "code": 1006, "reason": ""}
        if told["is"] == "closed":
            self.close_code = told["code"]
            return WSMessage(WSMsgType.CLOSE, told["code"], told["reason"])
        return WSMessage(WSMsgType.TEXT, data.decode(), None)

    async def close(self):
        self._events.close()


async def connected(server, session, first, *, events=False, **tls):
    """A page that has said hello."""
    if events:
        socket = await EventsPage.open(server, session, **tls)
    else:
        socket = await session.ws_connect("/socket", headers={"Origin": server.address}, **tls)
    await socket.send_json(first)
    return socket


async def told(socket, what):
    """The next object of a kind that the page is sent."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            message = await socket.receive()
            assert message.type in (WSMsgType.TEXT, WSMsgType.BINARY), message
            if message.type is WSMsgType.TEXT and json.loads(message.data)["is"] == what:
                return json.loads(message.data)


async def welcome(socket):
    return await told(socket, "welcome")


async def welcomed(server, session):
    """A page at the table, with its hello answered."""
    socket = await connected(server, session, hello())
    await welcome(socket)
    return socket


async def closing(socket):
    """The code and reason with which the server closes the connection."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            message = await socket.receive()
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return socket.close_code, message.extra


async def still_plays(server, session):
    """A table is well if a page that looks at it is sent how it looks."""
    socket = await welcomed(server, session)
    await told(socket, "state")
    await socket.close()
