"""The page of a table that is watched, over real sockets."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession, web

from firmware.audience import Watching
from firmware.audience.web import MOST_READERS, WATCH_SCRIPT, WatchPages
from tests.support.feeds import TAG, of_seat, played, watched

TOLD = of_seat(played("class", (0, 2))[1], 0)


@asynccontextmanager
async def serving(app):
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        ((host, port),) = runner.addresses
        async with ClientSession(f"http://{host}:{port}") as session:
            yield session
    finally:
        await runner.cleanup()


async def text(session, path, status=200, **headers):
    async with session.get(path, headers=headers) as answer:
        assert answer.status == status, path
        if status == 200:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        return await answer.text()


def test_names_are_no_markup():
    assert "innerHTML" not in WATCH_SCRIPT
    assert "textContent" in WATCH_SCRIPT


async def next_event(response):
    line = await response.content.readuntil(b"\n\n")
    return json.loads(line.decode().removeprefix("data: "))


def test_who_opens_the_page_of_a_table_is_told_all_and_then_what_is_new():
    async def main():
        watching = Watching(TAG, "en")
        pages = WatchPages(watching, "en")
        half = len(TOLD) // 2
        for message in TOLD[:half]:
            watching.take(message)
        async with serving(pages.app) as session:
            assert 'src="watch.js"' in await text(session, "/")
            assert "EventSource" in await text(session, "/watch.js")
            assert "#standings" in await text(session, "/style.css")
            async with session.get("/watch/events") as answer:
                before = await next_event(answer)
                assert before["lines"] == watching.lines
                for message in TOLD[half:]:
                    watching.take(message)
                pages.tell()
                after = await next_event(answer)
        assert before["lines"] + after["lines"] == watched(TOLD).lines
        assert after["standings"] == watching.standings

    asyncio.run(main())


def test_so_many_pages_and_no_more_follow_a_table():
    async def main():
        pages = WatchPages(Watching(TAG, "en"), "en")
        pages._readers.update(asyncio.Event() for _ in range(MOST_READERS))
        async with serving(pages.app) as session:
            await text(session, "/watch/events", 503)

    asyncio.run(main())


@pytest.mark.parametrize("most", [5, 1])
def test_old_lines_are_forgotten_and_nothing_is_told_twice(monkeypatch, most):
    monkeypatch.setattr("firmware.audience.MOST_LINES", most)
    watching = watched(TOLD)
    whole, count = watching.since(0)
    assert len(whole) == len(watching.lines) == most
    assert count > most
    assert watching.since(count) == ([], count)
