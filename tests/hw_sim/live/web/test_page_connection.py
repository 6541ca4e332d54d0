"""Pings and pongs of a page: they count, the others have their turn, and nobody waits for ever."""

import asyncio
import os
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession, WSMsgType, web

from hw_sim.live.web import http_connections, incoming
from hw_sim.live.web.http_connections import SocketConnection
from tests.support.pages import closing, serving, still_plays, welcomed

BESIDES = 20
"""The number of pings that a page may send."""


@asynccontextmanager
async def lined(**options):
    """A line of the server, and the page at its other end, which answers nothing by itself."""
    made, done = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def serve(request):
        socket = web.WebSocketResponse(autoping=False, autoclose=False, compress=False, **options)
        await socket.prepare(request)
        made.set_result(SocketConnection(socket, request.transport))
        await done.wait()
        return socket

    app = web.Application()
    app.router.add_get("/", serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        async with (
            ClientSession() as session,
            session.ws_connect(
                f"http://127.0.0.1:{runner.addresses[0][1]}", autoping=False
            ) as page,
        ):
            yield await made, page
            page._response.close()
    finally:
        done.set()
        await runner.cleanup()


@pytest.mark.parametrize("kind", [WSMsgType.PING, WSMsgType.PONG])
async def test_too_many_pings_or_pongs_end_the_connection(tmp_path, kind):
    async with serving(tmp_path) as (server, session):
        page = await welcomed(server, session)
        for _ in range(incoming.BURST // http_connections.CONTROL + 30):
            await page.send_frame(b"", kind)
        assert (await closing(page))[0] == incoming.TOO_MANY
        await still_plays(server, session)


async def test_others_have_their_turn_between_frames_that_lie_in_memory():
    async with lined() as (line, page):
        for _ in range(BESIDES):
            await page.ping()
        await page.send_str("text")
        for _ in range(BESIDES):  # the loop reads what has come
            await asyncio.sleep(0)
        turns = 0

        async def count():
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        counting = asyncio.create_task(count())
        assert await line.receive() == "text"
        counting.cancel()
        assert turns >= BESIDES


async def test_nothing_more_is_read_of_a_page_that_sends_too_much():
    async with lined() as (line, page):
        for _ in range(incoming.BURST):
            await page.ping(os.urandom(125))
        with pytest.raises(incoming.RefusalError):
            await line.receive()
        assert not line.transport.is_reading()


async def test_a_page_that_takes_no_pong_is_gone(monkeypatch):
    monkeypatch.setattr(http_connections, "SLOW_S", 0.1)
    async with lined(writer_limit=1) as (line, page):
        page._response.connection.transport.pause_reading()
        filling = asyncio.create_task(line.send(bytes(16 * 1024 * 1024)))
        await page.ping()
        async with asyncio.timeout(30):
            assert await line.receive() is None
        filling.cancel()
