"""The pages of a league and of a table that is watched, over real sockets."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession, web

from firmware.audience.league import League
from firmware.audience.pages import league_page, player_page
from firmware.audience.rating import results
from firmware.audience.store import LeagueMatch, LeagueStore
from firmware.audience.watching import Watching
from firmware.audience.web import MOST_READERS, LeaguePages, WatchPages
from tests.support.feeds import TAG, of_seat, played, watched

TOLD = of_seat(played("class", (0, 2))[1], 0)
(RESULT,) = (m for m in played("class", (0, 2))[1] if m.topic.endswith("/result/0"))


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


def test_a_league_shows_a_table_and_a_page_for_each_player_and_match(tmp_path):
    async def main():
        store = LeagueStore(tmp_path / "league.sqlite")
        league = League(store, lambda: "2030-01-02")
        async with serving(LeaguePages(league).app) as session:
            assert "Nothing yet." in await text(session, "/")
            league.take(RESULT)
            table = await text(session, "/")
            assert all(f'<a href="player/{name}">{name}</a>' in table for name in ("Ana", "Ben"))
            assert "Liga" in await text(session, "/?game=class", **{"Accept-Language": "de-DE"})
            assert "2030-01-02" in await text(session, "/player/Ana")
            assert "Ana throws." in await text(session, "/match/1")
            assert (await text(session, "/export.csv")).startswith("match,at,game,player")
            assert "table" in await text(session, "/style.css")
            for path in ("/player/Nobody", "/match/9", "/match/x", "/?game=chess"):
                await text(session, path, 404)
        store.close()

    asyncio.run(main())


def test_names_are_no_markup_and_no_path():
    evil = ("<script>", "../x?y", "Ana & Ben")
    matches = [
        LeagueMatch(1, "2030", "class", evil, (1, 2, 2)),
        LeagueMatch(2, "2030", "maxen", evil, None),
    ]
    matches.append(LeagueMatch(3, "2030", "class", evil, (2, 1, 1), disputed=True))
    for told in (
        league_page(results(matches), matches, "class", "en"),
        player_page(evil[0], results(matches), "de"),
    ):
        assert "<script>" not in told
        assert "..%2Fx%3Fy" in told
    assert "disputed" in league_page([], matches, None, "en")
    assert "nobody lost" in league_page([], matches, None, "en")


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
    monkeypatch.setattr("firmware.audience.watching.MOST_LINES", most)
    watching = watched(TOLD)
    whole, count = watching.since(0)
    assert len(whole) == len(watching.lines) == most
    assert count > most
    assert watching.since(count) == ([], count)
