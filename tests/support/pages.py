"""A table that is served, and pages that behave or do not."""

import asyncio
import json
from contextlib import asynccontextmanager

from aiohttp import ClientSession, WSMsgType

from game import rule_set
from hw_sim.live.web.keeper import Keeper
from hw_sim.live.web.server import TableServer
from hw_sim.live.world.setup import WorldSetup
from hw_sim.table.setup import TableSetup


def setup(people=1, players=3, seed=4, game="class"):
    table = TableSetup(rule_set(game, {}), players, seed, scene="day")
    kinds = ("honest", "cautious", "cheeky", "random", "honest", "cheeky", "random", "honest")
    return WorldSetup(table, people, kinds[: players - people])


@asynccontextmanager
async def serving(folder, *, open_table=False, **wanted):
    """A server on a free port, and a client to it."""
    server = TableServer(
        Keeper(folder, setup(**wanted), any_seed=False), "127.0.0.1", open_table=open_table
    )
    address = f"http://127.0.0.1:{await server.start(0)}"
    try:
        async with ClientSession(address) as session:
            server.address = address
            yield server, session
    finally:
        await server.close()


def hello(view="table", seat=None, token=None):
    return {"do": "hello", "view": view, "seat": seat, "token": token, "language": "en"}


async def connected(server, session, first):
    """A page that has said hello."""
    socket = await session.ws_connect("/socket", headers={"Origin": server.address})
    await socket.send_json(first)
    return socket


async def told(socket, what):
    """The next object of a kind that the page is sent."""
    async with asyncio.timeout(5):
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
    async with asyncio.timeout(5):
        while True:
            message = await socket.receive()
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return socket.close_code, message.extra


async def still_plays(server, session):
    """A table is well if a page that looks at it is sent how it looks."""
    socket = await welcomed(server, session)
    await told(socket, "state")
    await socket.close()
