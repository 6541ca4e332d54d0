"""What goes over the wire: who gets which panel, and what becomes of whoever does not behave."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest
from aiohttp import ClientSession, WSMsgType, WSServerHandshakeError, web

from game import rule_set
from hw_sim.live.web import protocol
from hw_sim.live.web.keeper import Keeper
from hw_sim.live.web.server import TableServer
from hw_sim.live.world.commands import Lift, encode
from hw_sim.live.world.setup import WorldSetup
from hw_sim.panel.dice_reader import shows_pips
from hw_sim.table.setup import TableSetup

PANEL_BYTES = 2 + 1 + 1024


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
    runner = web.AppRunner(server.app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with ClientSession(address) as session:
            server.address = address
            yield server, session
    finally:
        await runner.cleanup()


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


async def test_a_page_gets_its_own_panel_and_the_table_of_people_none(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        sockets = {
            "table": await connected(server, session, hello()),
            "seat 0": await connected(server, session, hello("seat", 0)),
            "seat 1": await connected(server, session, hello("seat", 1)),
        }
        tokens = {name: (await welcome(socket))["token"] for name, socket in sockets.items()}
        assert tokens["table"] is None
        assert tokens["seat 0"] != tokens["seat 1"]
        server.room.pace.speed = 20.0
        got = {name: set() for name in sockets}
        spoken = {name: set() for name in sockets}

        async def listen(name, socket):
            async for message in socket:
                if message.type is WSMsgType.BINARY:
                    assert len(message.data) == PANEL_BYTES
                    got[name].add(message.data[1])
                elif message.type is WSMsgType.TEXT:
                    told = json.loads(message.data)
                    if told["is"] == "says":
                        spoken[name].add(told["seat"])
                    assert told["is"] != "bench"

        listening = [asyncio.create_task(listen(*pair)) for pair in sockets.items()]
        await asyncio.sleep(1.0)
        for task in listening:
            task.cancel()
        assert got == spoken == {"table": set(), "seat 0": {0}, "seat 1": {1}}


async def test_hidden_dice_of_bots_reach_no_browser(tmp_path):
    """All bytes that a page gets of a match of bots: no panel, and no dice that nobody saw."""

    async with serving(tmp_path, people=0) as (server, session):
        socket = await connected(server, session, hello("bench"))
        assert (await welcome(socket))["rights"] is False
        server.room.pace.speed = 50.0
        looks, texts = 0, []
        world = server.room.world
        watched = world.table.seats

        def looking():
            return sum(
                shows_pips(seat.board.display.memory) and seat.board.display.is_lit
                for seat in watched
            )

        loop = asyncio.get_running_loop()
        ends_s = loop.time() + 4.0
        while loop.time() < ends_s:
            looks += looking()
            try:
                async with asyncio.timeout(0.05):
                    message = await socket.receive()
            except TimeoutError:
                continue
            assert message.type is WSMsgType.TEXT
            texts.append(json.loads(message.data))
        assert looks > 0, "nobody looked under his cup; then this shows nothing"
        bench = [text for text in texts if text["is"] == "bench"]
        assert bench
        assert all(text["seats"] == {} for text in bench)
        assert not [text for text in texts if text["is"] == "says"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", protocol.MALFORMED),
        ("[]", protocol.MALFORMED),
        ('{"do": "format the disk"}', protocol.MALFORMED),
        ('{"do": "lift", "seat": 0, "on": 1}', protocol.MALFORMED),
        ('{"do": "lift", "seat": 0, "on": true, "more": 1}', protocol.MALFORMED),
        ('{"do": "tilt", "seat": 0, "roll": NaN, "pitch": 0}', protocol.MALFORMED),
        ('{"do": "drag", "seat": 0, "at": []}', protocol.MALFORMED),
        ('{"do": "drag", "seat": 0, "at": [[2, 0, 0], [1, 0, 0]]}', protocol.MALFORMED),
        ("[" * 4000, protocol.MALFORMED),
        ('{"do": "lift", "seat": 1, "on": true}', protocol.WRONG_SEAT),
        ('{"do": "touch", "seat": 2, "on": true}', protocol.WRONG_SEAT),
        (json.dumps(hello()), protocol.MALFORMED),
    ],
)
async def test_who_does_not_behave_is_shown_out_and_the_table_goes_on(tmp_path, message, code):
    async with serving(tmp_path) as (server, session):
        socket = await welcomed(server, session)
        await socket.send_str(message)
        told, reason = await closing(socket)
        assert (told, bool(reason)) == (code, True)
        await still_plays(server, session)


async def test_a_message_that_is_too_long_ends_the_connection(tmp_path):
    async with serving(tmp_path) as (server, session):
        socket = await welcomed(server, session)
        await socket.send_str("x" * (protocol.MOST_BYTES + 1))
        assert (await closing(socket))[0] == 1009
        await still_plays(server, session)


async def test_too_many_messages_end_the_connection(tmp_path):
    async with serving(tmp_path) as (server, session):
        socket = await welcomed(server, session)
        for _ in range(2000):
            await socket.send_str('{"do": "key", "seat": 0, "key": "left", "on": true}')
        assert (await closing(socket))[0] == protocol.TOO_MANY
        await still_plays(server, session)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1:1"])
async def test_pages_of_other_origins_are_refused(tmp_path, origin):
    async with serving(tmp_path) as (server, session):
        with pytest.raises(WSServerHandshakeError) as refused:
            await session.ws_connect("/socket", headers={"Origin": origin})
        assert refused.value.status == 403
        async with session.get("/", headers={"Host": "evil.example"}) as answer:
            assert answer.status == 403
        async with session.get("/") as answer:
            assert answer.status == 200
        await still_plays(server, session)


async def test_a_seat_is_one_browsers_until_he_leaves_it(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        mine = await connected(server, session, hello("seat", 1))
        token = (await welcome(mine))["token"]
        other = await connected(server, session, hello("seat", 1))
        assert (await closing(other))[0] == protocol.TAKEN
        other = await connected(server, session, hello("seat", 1, "A" * 43))
        assert (await closing(other))[0] == protocol.TAKEN
        again = await connected(server, session, hello("seat", 1, token))
        assert (await welcome(again))["seat"] == 1
        bots = await connected(server, session, hello("seat", 2))
        assert (await closing(bots))[0] == protocol.WRONG_SEAT
        await mine.send_json({"do": "leave", "seat": 1})
        await asyncio.sleep(0.1)
        other = await connected(server, session, hello("seat", 1))
        assert (await welcome(other))["token"] not in (None, token)
    assert token_is_nowhere(tmp_path)


def token_is_nowhere(folder):
    """What is kept of a token is a digest."""
    kept = json.loads((folder / "claims.json").read_text())
    return all(len(digest) == 64 for digest in kept.values())


async def test_only_who_plays_alone_may_stop_the_table(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        socket = await connected(server, session, hello("seat", 0))
        await welcome(socket)
        await socket.send_json({"do": "pause", "on": True})
        await told(socket, "refused")
        assert not server.room.pace.paused
        async with session.get("/export/session.jsonl") as answer:
            assert answer.status == 403


async def test_the_bench_breaks_things_goes_back_in_time_and_gives_files(tmp_path):
    async with serving(tmp_path) as (server, session):
        socket = await connected(server, session, hello("bench"))
        token = (await welcome(socket))["token"]
        room = server.room

        async def ask(do, **values):
            await socket.send_json({"do": do, **values})

        async def state(**wanted):
            while not wanted.items() <= (news := await told(socket, "state")).items():
                pass
            return news

        for command in (("lux", 100.0), ("noise", 0.1), ("errors", 1.0)):
            await ask(command[0], value=command[1])
        await ask("fault", seat=1, name="display", on=True)
        while "display" not in (await state())["seats"].get("1", {}).get("faults", ()):
            pass
        bench = await told(socket, "bench")
        assert bench["seats"]["0"]["bus"]
        await ask("pause", on=True)
        await state(paused=True)
        now_us = room.world.now_us
        await ask("step", ms=500)
        await ask("seek", s=0.2)
        await state(past=True)
        assert room.bench.past.now_us == 200_000
        await ask("drop", seat=0)  # what was cannot be changed
        await ask("live")
        await state(past=False)
        assert room.world.now_us >= now_us + 500_000
        kinds = [encode(stimulus.command)[1] for stimulus in room.world.session.stimuli]
        assert kinds == ["lux", "noise", "errors", "fault"]
        for what, start in (
            ("bus.vcd", b"$timescale"),
            ("panel.png", b"\x89PNG"),
            ("panel.gif", b"GIF89a"),
            ("session.jsonl", b'{"format"'),
        ):
            async with session.get(f"/export/{what}?seat=0&token={token}") as answer:
                assert (await answer.read()).startswith(start)
        for wrong in ("bus.vcd?seat=9", "bus.vcd?seat=x", "other?seat=0"):
            async with session.get(f"/export/{wrong}&token={token}") as answer:
                assert answer.status == 404


def test_nothing_that_is_made_up_is_taken_for_a_message():
    rng = Random(7)
    known = ['{"do": "lift", "seat": 0, "on": true}', json.dumps(hello()), '{"do": "live"}']
    for _ in range(3000):
        text = list(rng.choice(known))
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = chr(rng.randrange(32, 127))
        with suppress(protocol.ProtocolError):
            assert isinstance(
                protocol.parse("".join(text)), Lift | protocol.Hello | protocol.GoLive
            )
