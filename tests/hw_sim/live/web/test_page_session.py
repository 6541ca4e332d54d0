"""Messages over the wire: which page gets which panel, and what happens to a bad page."""

import asyncio
import json
from contextlib import suppress
from random import Random

import pytest
from aiohttp import WSMsgType

from firmware.input.gestures.light import LX_PER_COUNT
from hw_sim.live.web import incoming, page_session
from hw_sim.live.web.live_match import LIVED_US
from hw_sim.live.world.commands import LiftCup, encode
from hw_sim.live.world.session import load
from hw_sim.panel.dice_reader import shows_pips
from tests.support.pages import (
    PATIENCE_S,
    bearer,
    closing,
    connected,
    hello,
    serving,
    still_plays,
    told,
    welcome,
    welcomed,
)

PANEL_BYTES = 2 + 1 + 1024
ENOUGH_LOOKS = 20
"""So many times are bots found with their dice on their panels before a test says what it saw."""


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
        server.table.match.runner.speed = 20.0
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
        own = {"table": set(), "seat 0": {0}, "seat 1": {1}}
        async with asyncio.timeout(PATIENCE_S):
            while not got == spoken == own:
                await asyncio.sleep(0.05)
                assert all(got[name] | spoken[name] <= own[name] for name in own)
        await asyncio.sleep(0.5)  # what others must not see would come as often as what they must
        for task in listening:
            task.cancel()
        assert got == spoken == own


async def test_hidden_dice_of_bots_reach_no_browser(tmp_path):
    """All bytes that a page gets of a match of bots: no panel, and no dice that nobody saw."""

    async with serving(tmp_path, people=0) as (server, session):
        socket = await connected(server, session, hello("bench"))
        assert (await welcome(socket))["rights"] is False
        server.table.match.runner.speed = 50.0
        looks, texts = 0, []
        world = server.table.match.world
        watched = world.table.seats

        def looking():
            return sum(
                shows_pips(seat.board.display.memory) and seat.board.display.is_lit
                for seat in watched
            )

        loop = asyncio.get_running_loop()
        ends_s = loop.time() + PATIENCE_S
        while looks < ENOUGH_LOOKS:
            assert loop.time() < ends_s, "nobody looked under his cup; then this shows nothing"
            looks += looking()
            try:
                async with asyncio.timeout(0.05):
                    message = await socket.receive()
            except TimeoutError:
                continue
            assert message.type is WSMsgType.TEXT
            texts.append(json.loads(message.data))
        bench = [text for text in texts if text["is"] == "bench"]
        assert bench
        assert all(text["seats"] == {} for text in bench)
        assert not [text for text in texts if text["is"] == "says"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", incoming.MALFORMED),
        ("[]", incoming.MALFORMED),
        ('{"do": "format the disk"}', incoming.MALFORMED),
        ('{"do": "lift", "seat": 0, "on": 1}', incoming.MALFORMED),
        ('{"do": "lift", "seat": 0, "on": true, "more": 1}', incoming.MALFORMED),
        ('{"do": "tilt", "seat": 0, "roll": NaN, "pitch": 0}', incoming.MALFORMED),
        ('{"do": "drag", "seat": 0, "at": []}', incoming.MALFORMED),
        ('{"do": "drag", "seat": 0, "at": [[2, 0, 0], [1, 0, 0]]}', incoming.MALFORMED),
        ("[" * 4000, incoming.MALFORMED),
        ('{"do": "tilt", "seat": 0, "pitch": 0, "roll": 1' + "0" * 4000 + "}", incoming.MALFORMED),
        ('{"do": "fault", "seat": 7, "name": "link", "on": true}', incoming.WRONG_SEAT),
        ('{"do": "lift", "seat": 1, "on": true}', incoming.WRONG_SEAT),
        ('{"do": "touch", "seat": 2, "on": true}', incoming.WRONG_SEAT),
        (json.dumps(hello()), incoming.MALFORMED),
    ],
)
async def test_who_does_not_behave_is_shown_out_and_the_table_goes_on(tmp_path, message, code):
    async with serving(tmp_path) as (server, session):
        socket = await welcomed(server, session)
        await socket.send_str(message)
        told, reason = await closing(socket)
        assert (told, bool(reason)) == (code, True)
        await still_plays(server, session)


async def test_a_page_that_is_too_slow_to_say_hello_may_come_again(tmp_path, monkeypatch):
    monkeypatch.setattr(page_session, "HELLO_S", 0.01)
    async with serving(tmp_path) as (server, session):
        silent = await session.ws_connect("/socket", headers={"Origin": server.address})
        assert (await closing(silent))[0] == incoming.LATER


async def test_the_bench_breaks_things_goes_back_in_time_and_gives_files(tmp_path):
    async with serving(tmp_path) as (server, session):
        socket = await connected(server, session, hello("bench"))
        token = (await welcome(socket))["token"]
        room = server.table.match

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
        while not (await told(socket, "bench"))["seats"]["0"]["bus"]:
            pass
        await ask("pause", on=True)
        await state(paused=True)
        now_us = room.world.now_us
        await ask("step", ms=500)
        await ask("seek", s=0.2)
        await state(past=True)
        assert room.travel.past.now_us == 200_000
        points = (await told(socket, "bench"))["seats"]["0"]["points"]
        assert [point[0] for point in points][:2] == [0.04, 0.08], "what went before is plotted"
        recognizer = room.travel.past.table.seats[0].recognizer
        assert points[-1][7] == round(recognizer.light.lift_threshold_counts * LX_PER_COUNT, 2)
        assert 0 < points[-1][8] <= points[-1][7]
        await ask("step", ms=100)
        while (await told(socket, "bench"))["t"] != 0.3:
            pass
        assert room.travel.past.now_us == 300_000
        await ask("drop", seat=0)  # what was cannot be changed
        await ask("live")
        await state(past=False)
        assert room.world.now_us >= now_us + 500_000
        while not (await told(socket, "bench"))["seats"]["0"]["bus"]:
            pass
        async with session.get("/export/bus.vcd?seat=0", headers=bearer(token)) as answer:
            assert "\n#" in (await answer.text()).partition("$enddefinitions")[2]
        kinds = [encode(each.command)[1] for each in load(room.world.session.path).stimuli()]
        assert kinds == ["lux", "noise", "errors", "fault"]
        for what, start in (
            ("bus.vcd", b"$timescale"),
            ("panel.png", b"\x89PNG"),
            ("panel.gif", b"GIF89a"),
            ("session.jsonl", b'{"format"'),
        ):
            async with session.get(f"/export/{what}?seat=0", headers=bearer(token)) as answer:
                assert (await answer.read()).startswith(start)
        for wrong in ("panel.png?seat=2", "bus.vcd?seat=9", "bus.vcd?seat=x", "other?seat=0"):
            async with session.get(f"/export/{wrong}", headers=bearer(token)) as answer:
                assert answer.status == 404


def test_nothing_that_is_made_up_is_taken_for_a_message():
    rng = Random(7)
    known = ['{"do": "lift", "seat": 0, "on": true}', json.dumps(hello()), '{"do": "live"}']
    for _ in range(3000):
        text = list(rng.choice(known))
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = chr(rng.randrange(32, 127))
        with suppress(incoming.ProtocolError):
            assert isinstance(
                incoming.parse("".join(text)), LiftCup | incoming.Hello | incoming.GoLive
            )


async def test_a_table_in_which_something_failed_is_set_up_anew_from_its_journals(tmp_path, caplog):
    async with serving(tmp_path, people=0) as (server, session):
        page, room = await welcomed(server, session), server.table.match
        room.runner.speed = 50.0
        failed = room.world
        while failed.now_us < LIVED_US:
            await told(page, "state")
        failed.loop.inside(lambda: failed.loop.call_soon(divmod, 1, 0))
        await told(page, "again")
        assert (room.world is failed, room.world.trouble, room._store.setup.boot) == (
            False,
            None,
            1,
        )
        assert room.world.table.seats[0].log.index == failed.table.seats[0].log.index > 0
        (line,) = caplog.messages
        assert line.startswith("the table is set up anew: ")


async def test_who_plays_alone_chooses_another_match_while_the_first_one_waits(tmp_path):
    async with serving(tmp_path) as (server, session):
        page = await connected(server, session, hello())
        await welcome(page)
        news = await told(page, "lobby")
        first, store = news["plan"], server.table.store
        assert (news["alone"], news["playing"], news["places"][0]["name"]) == (True, True, "Ana")
        watching = await connected(server, session, hello())
        await welcome(watching)
        other = {"game": "sevens", "options": {"rounds": 1}, "bots": ["shark"]}
        for message in ({"do": "choose", "plan": other}, {"do": "begin"}):
            await watching.send_json(message)
            assert (await told(watching, "refused"))["why"] == "rights"
        await page.send_json({"do": "choose", "plan": other})
        assert (await told(page, "lobby"))["plan"] == other
        await page.send_json({"do": "begin", "name": " Eva  L."})
        for each, seat in ((page, 0), (watching, None)):
            news = await welcome(each)
            assert (news["names"], news["seat"]) == (["Eva L.", "Ana"], seat)
            assert news["title"] == "Sevens"
        assert store.number == 1
        for plan, name, why in (
            ({**other, "game": "poker"}, "", "plan"),
            ({**first, "bots": ["honest"] * 8}, "", "many"),
            (first, "Eva\u200b", "hidden"),
        ):
            await page.send_json({"do": "choose", "plan": plan})
            if why != "plan":
                await page.send_json({"do": "begin", "name": name})
            assert (await told(page, "refused"))["why"] == why
        for _ in range(2):  # the second time it is played already
            await page.send_json({"do": "begin", "name": "Ana"})
            assert (await welcome(page))["names"] == ["Ana", "Ben", "Cem"]
            assert (store.number, store.setup.boot) == (0, 1)
        assert store.setup.table.seed == 4
        await told(page, "state")
