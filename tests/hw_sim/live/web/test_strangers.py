"""Pages without rights, with lost rights, or too many: the table goes on for all others."""

import asyncio
import gc
import json
import ssl
from contextlib import suppress

import pytest
from aiohttp import (
    ClientConnectionError,
    ClientSession,
    TCPConnector,
    WSMsgType,
    WSServerHandshakeError,
)
from aiohttp.web import WebSocketResponse
from yarl import URL

from hw_sim.live.web import http_connections, incoming
from hw_sim.live.web.certificates import Authority
from hw_sim.live.web.connection_limit import BACKLOG, MOST_WITHOUT_A_SEAT
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.page_server import PageServer
from hw_sim.live.web.served_table import MOST_PAGES, MOST_WATCHERS, open_table
from hw_sim.live.world.world_runner import USUAL_SPEED
from tests.support.pages import (
    bearer,
    closing,
    connected,
    hello,
    serving,
    setup,
    still_plays,
    told,
    welcome,
    welcomed,
)


async def test_a_message_that_is_too_long_ends_the_connection(tmp_path):
    async with serving(tmp_path) as (server, session):
        socket = await welcomed(server, session)
        await socket.send_str("x" * (incoming.MOST_BYTES + 1))
        assert (await closing(socket))[0] == 1009
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
        assert (await closing(other))[0] == incoming.TAKEN
        other = await connected(server, session, hello("seat", 1, "A" * 43))
        assert (await closing(other))[0] == incoming.TAKEN
        again = await connected(server, session, hello("seat", 1, token))
        assert (await welcome(again))["seat"] == 1
        bots = await connected(server, session, hello("seat", 2))
        assert (await closing(bots))[0] == incoming.WRONG_SEAT
        await mine.send_json({"do": "leave", "seat": 1})
        await asyncio.sleep(0.1)
        other = await connected(server, session, hello("seat", 1))
        assert (await welcome(other))["token"] not in (None, token)
    assert token_is_nowhere(tmp_path)


def token_is_nowhere(folder):
    """The table keeps only a digest of a token."""
    kept = json.loads((folder / "claims.json").read_text())["digests"]
    return all(len(digest) == 64 for digest in kept.values())


async def quiet(socket, seconds=0.6):
    """All that a page is sent for a while: the kinds of its messages."""
    kinds = set()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                message = await socket.receive()
                panel = message.type is WSMsgType.BINARY
                kinds.add("panel" if panel else json.loads(message.data)["is"])
    return kinds


async def test_a_seat_that_was_left_is_left_by_all_its_pages(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        first = await connected(server, session, hello("seat", 1))
        token = (await welcome(first))["token"]
        pages = [first, await connected(server, session, hello("seat", 1, token))]
        await welcome(pages[1])
        await first.send_json({"do": "leave", "seat": 1})
        for page in pages:
            assert (await told(page, "welcome"))["entitled"] == []
            await told(page, "left")
        newcomer = await connected(server, session, hello("seat", 1))
        await welcome(newcomer)
        server.table.match.runner.speed = 20.0
        for page in pages:
            assert await quiet(page) <= {"state", "heard", "tones"}
        assert "panel" in await quiet(newcomer)
        await pages[1].send_json({"do": "lift", "seat": 1, "on": True})
        assert (await closing(pages[1]))[0] == incoming.WRONG_SEAT
        world = server.table.match.world
        assert world.table.seats[1].hand.openness(world.now_us) == 0.0


async def test_who_played_alone_and_left_may_do_nothing_more_to_the_table(tmp_path):
    async with serving(tmp_path) as (server, session):
        pages = [await connected(server, session, hello("bench")) for _ in range(1)]
        token = (await welcome(pages[0]))["token"]
        pages.append(await connected(server, session, hello("table", 0, token)))
        await pages[1].send_json({"do": "pause", "on": True})
        await pages[1].send_json({"do": "leave", "seat": 0})
        await told(pages[0], "left")
        newcomer = await connected(server, session, hello())
        assert (await welcome(newcomer))["rights"] is True
        for ask in ({"do": "speed", "x": 9.0}, {"do": "errors", "value": 50.0}):
            await pages[0].send_json(ask)
            assert (await told(pages[0], "refused"))["why"] == "rights"
        runner = server.table.match.runner
        assert (runner.paused, runner.speed) == (False, USUAL_SPEED)
        async with session.get("/export/session.jsonl", headers=bearer(token)) as answer:
            assert answer.status == 403


async def test_strangers_fill_neither_the_room_nor_a_seat(tmp_path):
    """Those who only watch are so many at most; who has a seat always comes in."""
    async with serving(tmp_path, people=2) as (server, session):
        mine = [await connected(server, session, hello("seat", 1))]
        token = (await welcome(mine[0]))["token"]
        watching = [await connected(server, session, hello()) for _ in range(MOST_WATCHERS)]
        for page in watching:
            await welcome(page)
        assert (await closing(await connected(server, session, hello())))[0] == incoming.LATER
        for _ in range(MOST_PAGES):
            mine.append(await connected(server, session, hello("seat", 1, token)))
            assert (await welcome(mine[-1]))["seat"] == 1
        assert len(server.table.clients) == MOST_WATCHERS + MOST_PAGES


async def test_a_crowd_of_silent_connections_drives_out_nobody_but_itself(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        mine = await connected(server, session, hello("seat", 1))
        await welcome(mine)
        _, port = server.address.rsplit(":", 1)
        crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(300)]
        other = await connected(server, session, hello("seat", 0))
        assert (await welcome(other))["seat"] == 0
        gone = [reader for reader, _ in crowd if reader.at_eof() or reader.exception()]
        assert len(gone) >= 300 - MOST_WITHOUT_A_SEAT - BACKLOG
        await mine.send_json({"do": "lift", "seat": 1, "on": True})
        await told(mine, "state")
        for _, writer in crowd:
            writer.transport.abort()


async def test_a_crowd_that_wants_no_key_leaves_the_encrypted_door_open(tmp_path, caplog):
    async with serving(tmp_path, people=2) as (server, _):
        (tmp_path / "keys").mkdir()
        authority = Authority(tmp_path / "keys")
        port = await server.start(0, authority.context("127.0.0.1"))
        crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(300)]
        for _, writer in crowd[-20:]:
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
        trusting = ssl.create_default_context(cadata=ssl.DER_cert_to_PEM_cert(authority.der))
        server.address = f"https://127.0.0.1:{port}"
        async with ClientSession(server.address, connector=TCPConnector(ssl=trusting)) as session:
            page = await connected(server, session, hello("seat", 1))
            assert (await welcome(page))["seat"] == 1
            async with session.get("/") as answer:
                assert answer.status == 200
            gone = [reader for reader, _ in crowd if reader.at_eof() or reader.exception()]
            assert len(gone) >= 300 - MOST_WITHOUT_A_SEAT - BACKLOG
        for _, writer in crowd:
            writer.transport.abort()
    assert caplog.records == []


async def test_a_full_disk_costs_nobody_his_seat(tmp_path):
    draft = tmp_path / "claims.new"
    async with serving(tmp_path, people=2) as (server, session):
        mine = await connected(server, session, hello("seat", 1))
        token = (await welcome(mine))["token"]
        draft.symlink_to("/dev/full")
        refused = await closing(await connected(server, session, hello("seat", 0)))
        assert refused == (
            incoming.LATER,
            "the table cannot keep that now: No space left on device",
        )
        draft.symlink_to("/dev/full")
        await mine.send_json({"do": "leave", "seat": 1})
        assert (await closing(mine))[0] == incoming.LATER
        assert not draft.exists()
        again = await connected(server, session, hello("seat", 1, token))
        assert (await welcome(again))["seat"] == 1
        first = await connected(server, session, hello("seat", 0))
        assert (await welcome(first))["token"]


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/judged", {}),
        ("/train", {}),
        ("/static/seat.js", {}),
        ("/card.svg", {}),
        ("/nowhere", {}),
        ("/", {"Host": "evil.example"}),
        ("/events", {}),
        ("/post", {}),
    ],
)
async def test_no_answer_lets_a_page_tell_others_where_it_was(tmp_path, path, headers):
    async with serving(tmp_path) as (_, session), session.get(path, headers=headers) as answer:
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none';")


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/socket", {"Origin": "http://[::1"}, 403),
        ("/static/" + 7000 * "x", {}, 404),
        ("/static/../server.py", {}, 404),
        ("/export/x?seat=" + 4000 * "9", {}, 403),
        ("/", {"Host": "[::1"}, 403),
    ],
)
async def test_nothing_odd_in_a_request_is_a_defect(tmp_path, caplog, path, headers, status):
    async with (
        serving(tmp_path) as (_, session),
        session.get(URL(path, encoded=True), headers=headers) as answer,
    ):
        assert answer.status == status
    assert caplog.records == []


@pytest.mark.parametrize("path", ["/socket", "/events", "/"])
async def test_who_is_gone_before_he_is_answered_leaves_no_trace(tmp_path, caplog, path):
    server = PageServer(open_table(MatchStore(tmp_path, setup(), any_seed=False)), "127.0.0.1")
    gone = []

    async def cut(request, _answer):
        gone.append(request.path)
        request.transport.abort()

    server.app.on_response_prepare.append(cut)
    address = f"http://127.0.0.1:{await server.start(0)}"
    async with ClientSession(address) as session:
        ask = session.ws_connect if path == "/socket" else session.get
        with pytest.raises(ClientConnectionError):
            await ask(path, headers={"Origin": address})
    await server.close()
    assert gone[0] == path
    assert caplog.records == []


async def test_nothing_is_kept_of_who_was_shown_out(tmp_path):
    def kept():
        gc.collect()
        return sum(isinstance(each, WebSocketResponse) for each in gc.get_objects())

    before = kept()
    async with serving(tmp_path, people=2) as (server, session):
        for _ in range(20):
            page = await connected(server, session, hello("seat", 2))
            assert (await closing(page))[0] == incoming.WRONG_SEAT
        await still_plays(server, session)
        while server.table.clients:
            await session.get("/")
        assert kept() - before <= 1, "the last may be on its way out yet"


async def test_who_is_silent_is_pinged_and_gone_if_he_does_not_answer(tmp_path, monkeypatch):
    async with serving(tmp_path, people=2) as (server, session):
        monkeypatch.setattr(http_connections, "PINGED_S", 0.1)
        headers = {"Origin": server.address}
        async with session.ws_connect("/socket", headers=headers, autoping=False) as deaf:
            await deaf.send_json(hello("seat", 0))
            kinds = [WSMsgType.TEXT]
            while kinds[-1] not in (WSMsgType.CLOSE, WSMsgType.CLOSED):
                kinds.append((await deaf.receive()).type)
            assert kinds.count(WSMsgType.PING) == 1
        monkeypatch.undo()
        page = await connected(server, session, hello("seat", 0, None) | {"view": "table"})
        await page.ping()
        await page.pong()
        await page.send_json({"do": "alive"})
        await told(page, "alive")
