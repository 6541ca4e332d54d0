"""A page that can open no socket plays by events and posts, with the same messages."""

import asyncio
import json

import msgspec
from aiohttp import WSMsgType
from yarl import URL

from hw_sim.live.web import incoming, session_routes
from hw_sim.live.web.http_connections import MOST_POSTS
from hw_sim.live.web.outgoing import AnyOutgoing
from tests.support.pages import (
    EventsPage,
    closing,
    connected,
    hello,
    serving,
    told,
    welcome,
)


async def test_a_page_without_a_socket_gets_the_same_and_can_do_the_same(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        pages = [
            await connected(server, session, hello("seat", seat), events=bool(seat))
            for seat in (0, 1)
        ]
        kinds = [set(), set()]
        for seat, page in enumerate(pages):
            assert (await welcome(page))["seat"] == seat
            while not kinds[seat] >= {"panel", "says", "state", "asked"}:
                message = await page.receive()
                if message.type is WSMsgType.BINARY:
                    assert (len(message.data), message.data[1]) == (1027, seat)
                    kinds[seat].add("panel")
                else:
                    assert msgspec.json.decode(message.data, type=AnyOutgoing) is not None
                    kinds[seat].add(json.loads(message.data)["is"])
        await pages[1].send_str(
            '{"do": "alive"}\n{"do": "lift", "seat": 1, "on": true}\n{"do": "alive"}'
        )
        await told(pages[1], "alive")
        while not (await told(pages[0], "state"))["seats"].get("1", {}).get("lid"):
            pass


async def test_posts_of_others_and_too_long_ones_are_refused(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        page = await EventsPage.open(server, session)
        ours, theirs = {"Origin": server.address}, {"Origin": "http://evil.example"}
        for query, headers, body, status in (
            (page.name, theirs, "{}", 403),
            (page.name, {}, "{}", 403),
            ("A" * 22, ours, "{}", 404),
            (page.name, ours, "x" * (incoming.MOST_BYTES + 1), 413),
            (page.name, ours, "\n" * MOST_POSTS, 429),
        ):
            async with session.post(f"/post?line={query}", data=body, headers=headers) as answer:
                assert answer.status == status
        async with session.get("/events", headers=theirs) as answer:
            assert answer.status == 403


async def test_a_post_in_pieces_is_one_post(tmp_path):
    async with serving(tmp_path) as (server, session):
        page = await EventsPage.open(server, session)

        async def pieces():
            for piece in (b'{"do":"alive', b'"}'):
                yield piece
                await session.get("/")  # by then the server has read it

        await page.send_json(hello())
        await page.send_str(pieces())
        await told(page, "alive")


async def test_who_vanishes_in_the_middle_of_a_post_leaves_no_trace(tmp_path, caplog):
    async with serving(tmp_path) as (server, session):
        page = await EventsPage.open(server, session)
        await page.send_json(hello())
        head = f"Host: {URL(server.address).authority}\r\nOrigin: {server.address}\r\n"
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", URL(server.address).port)
            writer.write(
                f"POST /post?line={page.name} HTTP/1.1\r\n{head}Content-Length: 9\r\n\r\n".encode()
            )
            await session.get("/")
            writer.transport.abort()
        await page.send_str('{"do":"alive"}')
        await told(page, "alive")
    assert caplog.records == []


async def test_a_page_that_vanishes_without_a_word_lets_go(tmp_path, monkeypatch):
    monkeypatch.setattr(session_routes, "SILENT_S", 0.3)
    async with serving(tmp_path, people=2) as (server, session):
        watching = await connected(server, session, hello())
        page = await connected(server, session, hello("seat", 1), events=True)
        await page.send_json({"do": "lift", "seat": 1, "on": True})
        while 1 not in (await told(watching, "state")).get("here", []):
            pass
        while 1 in (await told(watching, "state")).get("here", [1]):
            pass
        assert (await closing(page))[0] == incoming.LATER
