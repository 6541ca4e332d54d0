"""``maexchen watch``: what it tells of a table, its page, and a broker of its own."""

import asyncio
import json
import tracemalloc
from contextlib import asynccontextmanager
from functools import cache
from random import Random

import msgspec
import pytest
from aiohttp import ClientSession, web

from firmware.audience import Watching
from firmware.audience.web import MOST_READERS, WATCH_SCRIPT, WatchPages
from firmware.cli.links import tell_watched
from firmware.cli.run import main
from firmware.device.feed import EntryBlock, MatchNotice
from firmware.link.broker import BrokerAddress, Message, topics
from firmware.table.protocol.sealing import KEY_BYTES, tag_of_table
from tests.firmware.device.test_feed import feed_of
from tests.support import core_table as cores

KEY = bytes(range(KEY_BYTES))
TAG = tag_of_table(KEY)
SIZE = 3


@cache
def played(game, publishers=(0,), seed=3, key=KEY):
    """The messages of a short match, as they came, seat by seat."""
    table, told = cores.CoreTable(SIZE, game=game, seed=seed, key=key, **cores.SHORT[game]), []
    feeds = {seat: feed_of(table, seat, told.append) for seat in publishers}
    chance = Random(seed)

    def update():
        for seat, feed in feeds.items():
            feed.update(table[seat].own_seat.log.index)

    def pick(legal):
        update()
        return chance.choice(legal)

    table.walk(Random(seed), pick=pick)
    table.wait(60 * cores.S)
    update()
    return table, tuple(told)


def kept(told):
    """Return the messages that a broker has kept for latecomers."""
    return list({message.topic: message for message in told}.values())


def watched(told, language="en"):
    watching = Watching(TAG, language)
    for message in told:
        watching.take(message)
    return watching


def of_seat(told, seat):
    return [message for message in told if f"/public/{seat}/" in message.topic]


def altered(message, **changes):
    kind = EntryBlock if "/entries/" in message.topic else MatchNotice
    part = msgspec.structs.replace(kind.decode(message.payload), **changes)
    return message._replace(payload=part.encode())


CLASS = played("class", (0, 2))
LIES = {
    "header": ({"header": "{}"}, "its header is none"),
    "foreign header": ({"header": "x" * 9}, "its header is none"),
    "digest": ({"digest": "00" * 8}, "digest"),
}


@pytest.mark.whole
@pytest.mark.parametrize("game", ["class", "chicago", "sevens"])
def test_every_match_is_told_to_its_end_and_holds(game):
    table, told = CLASS if game == "class" else played(game)
    watching = watched(told)
    assert watching.match.outcome == table[1].match.outcome is not None
    assert watching.lines[0].startswith("Game ")
    assert (
        watching.lines[-1] == f"Checked: all {table[1].handheld.own_seat.log.index} entries hold."
    )
    assert len(watching.lines) > 5


def test_who_comes_late_is_told_the_same_whatever_comes_first():
    told = of_seat(CLASS[1], 0)
    whole = watched(told).lines
    late = kept(told)
    assert watched(late).lines == whole
    assert watched(late[::-1]).lines == whole
    assert watched([*late, *late]).lines == whole
    shuffled = Random(1).sample(late, len(late))
    assert watched(shuffled).lines == whole


def test_a_seat_that_lies_is_named_and_another_is_followed():
    told = CLASS[1]
    whole = watched(of_seat(told, 2)).lines
    lying = [altered(m, digest="00" * 8) if m in of_seat(told, 0) else m for m in told]
    watching = watched(lying)
    assert watching.match == watched(told).match
    lies = [line for line in watching.lines if line.startswith("What seat 0 tells does not hold")]
    assert len(lies) == 1
    assert [line for line in watching.lines if line not in lies] == whole


@pytest.mark.parametrize(("changes", "why"), LIES.values(), ids=LIES)
def test_what_does_not_hold_is_said_in_a_line(changes, why):
    late = kept(of_seat(CLASS[1], 0))
    told = [altered(m, **changes) if m.topic.endswith("match") else m for m in late]
    watching = watched(told)
    (line,) = [each for each in watching.lines if "does not hold" in each]
    assert why in line
    assert "\n" not in line


def test_entries_of_somebody_else_are_refused():
    late = kept(of_seat(CLASS[1], 0))
    first = next(m for m in late if m.topic.endswith("entries/0"))
    block = EntryBlock.decode(first.payload)
    for entries in ("ff" + block.entries[2:], block.entries[2:] + "02", block.entries[:-2]):
        told = [altered(m, entries=entries) if m is first else m for m in late]
        assert "What seat 0 tells does not hold" in " ".join(watched(told).lines)


def test_two_seats_that_tell_different_stories_are_named():
    other = played("class", (2,), seed=5)[1]
    watching = watched([*of_seat(CLASS[1], 0), *other])
    differ = [line for line in watching.lines if line.startswith("Seats 0 and 2 tell different")]
    assert len(differ) == 1
    assert watching.lines.count("Ana has signed both: only a cheat does.") == 1


def test_what_is_no_message_of_a_feed_is_ignored_or_told_once():
    watching = Watching(TAG, "de")
    for topic in ("16/match", "x/match", "0/other", "0", ""):
        assert watching.take(Message(f"maexchen/1/{TAG}/public/{topic}", b"{}")) == []
    rubbish = Message(topics.public_match(TAG, 0), b"\xff" * 99)
    assert len(watching.take(rubbish)) == 1
    assert watching.take(rubbish) == []
    assert watching.take(rubbish._replace(payload=b"")) == []
    far = EntryBlock(match=1, epoch=16, first=0xFFE0, count=0, digest="00" * 8, entries="")
    assert watching.take(Message(topics.public_entries(TAG, 0, 0), far.encode())) == []
    assert (watching.match, watching.standings) == (None, "")


def test_who_tells_without_end_fills_no_memory():
    watching, told = Watching(TAG, "en"), []
    tracemalloc.start()
    try:
        for number in range(30):
            digits = "ab" * 100_000
            block = EntryBlock(
                match=1, epoch=16, first=32 * number, count=0, digest="00" * 8, entries=digits
            )
            message = Message(topics.public_entries(TAG, 0, number), block.encode())
            told += watching.take(message)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 4_000_000
    assert told == []


def test_lies_that_were_told_are_remembered_within_bounds(monkeypatch):
    monkeypatch.setattr("firmware.audience.MOST_LINES", 3)
    watching, topic = Watching(TAG, "en"), topics.public_match(TAG, 0)
    first, *others = (Message(topic, b'{"%d": 1}' % number) for number in range(9))
    assert len(watching.take(first)) == 1
    assert watching.take(first) == []
    for other in others:
        assert len(watching.take(other)) == 1
    assert len(watching.take(first)) == 1


def test_what_the_table_takes_back_is_told_and_what_follows_instead():
    told = of_seat(CLASS[1], 0)
    early, late = told[: len(told) // 3], told[len(told) // 3 :]
    voted = [altered(each, epoch=17) for each in (*kept(early), *late)]
    watching = watched([*told[: 2 * len(told) // 3], *voted])
    whole = watched(told).lines
    (at,) = (n for n, line in enumerate(watching.lines) if line.startswith("The table takes "))
    assert watching.lines[:at] == whole[:at]
    assert watching.lines[-1] == whole[-1]
    again = watching.lines[at + 1 :]
    assert whole[-len(again) :] == again
    assert watched([*voted, *told]).lines == whole, "what is of an epoch before is of before"


TOLD = of_seat(CLASS[1], 0)


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


WRONG = {
    "tag": (("watch", "mqtt://127.0.0.1", "abc"), "has 32 hexadecimal digits"),
    "url": (("watch", "http://x", TAG), "write mqtts://"),
    "in clear": (("watch", "mqtt://192.0.2.1", TAG), "mqtts://"),
    "in vain": (("watch", "mqtt://127.0.0.1", TAG, "--host", "::1"), "nothing without --port"),
    "secure": (("watch", "mqtts://127.0.0.1", TAG, "--insecure"), "does nothing with mqtts://"),
}


@pytest.mark.parametrize(("arguments", "why"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_is_told_in_one_line(capsys, arguments, why):
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert why in told


def test_the_account_at_a_broker_is_in_no_line(capsys):
    tell_watched("mqtts://ana:secret@broker.example:8883", TAG)
    told = capsys.readouterr().err
    assert told == (
        f"maexchen: anybody may watch: maexchen watch mqtts://broker.example:8883 {TAG}\n"
    )
    address = BrokerAddress.of("mqtts://ana:secret@broker.example")
    assert address.url == "mqtts://broker.example:8883"
