"""The room of a party: one code, faces, reactions, and a big screen that shows verdicts first."""

import asyncio
import json
from contextlib import asynccontextmanager
from contextlib import closing as closed
from itertools import pairwise
from random import Random

import pytest
from aiohttp import ClientSession, TCPConnector, WSMsgType

from firmware.display.text.language import LANGUAGES, book
from game import RULES, apply, new_match
from game.actions import Announce, Believe, Doubt, Lift, Roll, Say, Words
from game.events import Announced, Believed, Doubted, Revealed, Rolled
from game.explore import playout
from game.record import Record
from hw_sim.live.web import incoming
from hw_sim.live.web.evening_card import MatchResult, card_lines
from hw_sim.live.web.faces import CHARACTERS, is_face, names_of_characters
from hw_sim.live.web.guarding import address_of
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.party_answers import TRIES_A_MINUTE, TRIES_OF_ALL, Tries
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.scene import BEATS_S, LAG_S, LiftScene, drum_s
from hw_sim.live.web.scoreboard import scoreboard_of
from hw_sim.live.web.stored_party import CODE_LETTERS, PartyPlace, StoredParty, confessed
from hw_sim.live.web.testimony import Lies, lies_of
from hw_sim.live.web.voices import Voices, lines_of
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table.story import Story
from tests.support.pages import (
    closing,
    connected,
    guest,
    hello,
    host,
    partying,
    seated,
    serving,
    sit,
    told,
    welcome,
)

NAMES = ("Ana", "Ben", "Cem")


async def lobby(page, wanted=lambda news: True):
    while not wanted(news := await told(page, "lobby")):
        pass
    return news


def screen(server):
    """The hello of the big screen that the party's program opens."""
    return host(server) | {"view": "screen"}


async def test_one_code_seats_everybody_and_is_the_hosts_to_show(tmp_path):
    async with partying(tmp_path) as (server, session):
        shown = await connected(server, session, screen(server))
        door = (await lobby(shown))["door"]
        assert len(door["code"]) == 4
        assert {*door["code"]} <= {*CODE_LETTERS}
        assert door["link"] == f"{server.address}/{door['code']}".upper()
        async with session.get(f"/{door['code'].lower()}") as answer:
            assert answer.status == 200
            assert "join.js" in await answer.text()
        for name in NAMES:
            assert (await sit(server, session, door["code"], name))[0] == 200
        assert server.table.seats.guests == [0, 1, 2]
        assert (await lobby(await connected(server, session, hello())))["door"] is None


async def test_guessing_the_code_is_met_with_silence(tmp_path):
    async with partying(tmp_path) as (server, session):
        code = server.table.seats.stored.code
        wrong = "ZZZZ" if code != "ZZZZ" else "AAAA"
        own = {"Origin": server.address}

        async def tried(invitation):
            async with session.post("/invited", json={"invitation": invitation}, headers=own) as it:
                return it.status

        assert {await tried(code) for _ in range(2 * TRIES_A_MINUTE)} == {200}, "no guess, no limit"
        assert [await tried(wrong) for _ in range(TRIES_A_MINUTE)] == [200] * TRIES_A_MINUTE
        assert (await tried(wrong), await tried(code)) == (429, 429)
        assert (await sit(server, session, "A" * 16, "Ada"))[0] == 409, "long ones are no guesses"


async def posted_from(address, server, path, body):
    """The status of an answer to a post from an address of this machine."""
    own, at = {"Origin": server.address}, TCPConnector(local_addr=(address, 0))
    async with (
        ClientSession(server.address, connector=at) as session,
        session.post(path, json=body, headers=own) as answer,
    ):
        return answer.status


async def test_wrong_codes_of_one_address_close_the_door_for_no_other(tmp_path):
    async with partying(tmp_path) as (server, _):
        code = server.table.seats.stored.code
        wrong = "ZZZZ" if code != "ZZZZ" else "AAAA"
        addresses = [f"127.0.0.{2 + at}" for at in range(TRIES_OF_ALL // TRIES_A_MINUTE)]
        for address in addresses:
            tried = {
                await posted_from(address, server, "/invited", {"invitation": wrong})
                for _ in range(TRIES_A_MINUTE)
            }
            assert tried == {200}
            right = {"invitation": code, "name": f"guest {address[-1]}"}
            assert await posted_from(address, server, "/sit", right) == 429
            if address != addresses[-1]:
                assert await posted_from("127.0.0.99", server, "/sit", right) == 200
        assert await posted_from("127.0.0.99", server, "/sit", right) == 429, "of all together"


def test_tries_come_back_with_time_and_those_of_a_network_are_one_addresss():
    clock = [0.0]
    tries = Tries(2, 3, lambda: clock[0])
    asked = [tries.take("a", is_wrong=True) for _ in range(3)]
    assert (asked, tries.take("b", is_wrong=False)) == ([True, True, False], True)
    assert (tries.take("b", is_wrong=True), tries.take("c", is_wrong=False)) == (True, False)
    clock[0] += 30
    assert tries.take("a", is_wrong=True)

    class Request:
        def __init__(self, remote):
            self.remote = remote

    known = [address_of(Request(each)) for each in ("10.0.0.1", "::ffff:10.0.0.1", None)]
    assert known == ["10.0.0.1", "10.0.0.1", ""]
    assert address_of(Request("fd00::1")) == address_of(Request("fd00::2:1"))
    assert address_of(Request("fd00::1")) != address_of(Request("fd00:0:0:1::1"))


async def test_the_first_guest_is_host_until_they_leave(tmp_path):
    async with partying(tmp_path) as (server, session):
        secrets = [await seated(server, session, name, i) for i, name in enumerate(NAMES)]
        pages = [await connected(server, session, guest(each)) for each in secrets]
        plan = {"game": "sevens", "options": {}, "bots": []}
        await pages[1].send_json({"do": "choose", "plan": plan})
        assert (await told(pages[1], "refused"))["why"] == "rights"
        await pages[0].send_json({"do": "choose", "plan": plan})
        await lobby(pages[2], lambda news: news["plan"] == plan)
        await pages[0].send_json({"do": "leave", "seat": None})
        news = await lobby(pages[1], lambda news: news["first"] == 1)
        assert news["host"]
        late = await seated(server, session, "Dea", 0)
        assert not (await lobby(await connected(server, session, guest(late))))["host"]
        await pages[1].send_json({"do": "begin"})
        assert (await welcome(pages[2]))["names"] == ["Dea", "Ben", "Cem"]


async def test_the_next_guest_begins_while_the_first_is_away(tmp_path):
    async with partying(tmp_path) as (server, session):
        secrets = [await seated(server, session, name, i) for i, name in enumerate(NAMES)]
        pages = [await connected(server, session, guest(each)) for each in secrets]
        await lobby(pages[1], lambda news: news["first"] == 0 and not news["host"])
        await pages[0].send_json({"do": "hidden", "on": True})
        await lobby(pages[1], lambda news: news["first"] == 1 and news["host"])
        await pages[0].send_json({"do": "hidden", "on": False})
        await lobby(pages[1], lambda news: news["first"] == 0 and not news["host"])
        await pages[0].close()
        await lobby(pages[1], lambda news: news["first"] == 1 and news["host"])
        await pages[1].send_json({"do": "begin"})
        await welcome(pages[1])


async def test_anybody_sets_the_volume_and_the_host_the_language(tmp_path):
    async with partying(tmp_path) as (server, session):
        pages = [
            await connected(server, session, guest(await seated(server, session, name, i)))
            for i, name in enumerate(NAMES[:2])
        ]
        await pages[1].send_json({"do": "room", "volume": 0.25})
        assert (await lobby(pages[0], lambda news: news["room"]["volume"] == 0.25))["room"]
        await pages[1].send_json({"do": "room", "language": "fr"})
        assert (await told(pages[1], "refused"))["why"] == "rights"
        await pages[0].send_json({"do": "room", "language": "fr", "silent": True})
        room = (await lobby(pages[1], lambda news: news["room"]["language"]))["room"]
        assert room == {"language": "fr", "volume": 0.25, "silent": True}
    assert PartySeats(tmp_path / "evening.json").stored.room.language == "fr"


async def test_reactions_reach_the_screen_alone_and_are_bounded(tmp_path):
    async with partying(tmp_path) as (server, session):
        shown = await connected(server, session, screen(server))
        phone = await connected(server, session, guest(await seated(server, session, "Ada")))
        other = await connected(server, session, guest(await seated(server, session, "Bo", 1)))
        await lobby(phone)
        for _ in range(20):
            await phone.send_json({"do": "react", "as": "liar"})
        await phone.send_json({"do": "alive"})
        await told(phone, "alive")
        await shown.send_json({"do": "alive"})
        heard = []
        while "alive" not in heard:
            heard.append(json.loads((await shown.receive()).data)["is"])
        assert 3 <= heard.count("reaction") <= 4
        await other.send_json({"do": "alive"})
        kinds = []
        while "alive" not in kinds:
            kinds.append(json.loads((await other.receive()).data)["is"])
        assert "reaction" not in kinds


@pytest.mark.parametrize(
    ("face", "good"),
    [
        *[(each, True) for each in ("", "fox", "🦊", "👩‍🚀", "👍🏽", "❤️", "👨‍👩‍👧‍👦")],
        *[
            (each, False)
            for each in ("foxes", "A", "7", "🦊🦊", "<b>", "é", "👩‍", "🦊\u202e", "zitter")
        ],
        ("👨‍👩‍👧‍👦‍👦", False),
    ],
)  # fmt: skip
def test_a_face_is_a_drawn_one_or_one_emoji(tmp_path, face, good):
    assert is_face(face) is good
    seats = PartySeats(tmp_path / "evening.json")
    if good:
        seats.sit(seats.stored.code, "Ada", face)
        assert seats.places()[0].face == face
    else:
        with pytest.raises(SeatingError, match="face"):
            seats.sit(seats.stored.code, "Ada", face)


def test_a_drawn_face_is_somebodys_and_nobody_is_called_like_a_bot(tmp_path):
    seats = PartySeats(tmp_path / "evening.json")
    seats.sit(seats.stored.code, "Ada", "fox")
    for name, face, why in (("Bo", "fox", "face"), ("oma blitz", "owl", "double")):
        with pytest.raises(SeatingError, match=why):
            seats.sit(seats.stored.code, name, face)
    seats.sit(seats.stored.code, "Bo", "🦊")
    seats.sit(seats.stored.code, "Cem", "🦊")
    kinds = ("cheeky", "cheeky", "learner")
    assert names_of_characters(kinds, NAMES) == (CHARACTERS["cheeky"], "Ben", "Cem")


def test_bots_make_room_for_guests(tmp_path):
    seats = PartySeats(tmp_path / "evening.json")
    left = []
    for number in range(8):
        seats.sit(seats.stored.code, f"guest {number}")
        left.append((len(seats.plan.bots), seats.hindrance))
    assert left == [(2, "")] * 6 + [(1, ""), (0, "")]


def played(*actions, game="class"):
    match = new_match(RULES[game], NAMES, 0)
    before, events = match, []
    for action in actions:
        before = match
        match, events = apply(match, action)
    return before, list(events)


_CAUGHT = (Roll((6, 2)), Announce(63), Doubt(), Lift((6, 2)))


def test_the_drum_rolls_longer_the_more_is_at_stake():
    lengths = []
    for rounds in (1, 2, 3, 4):
        before, events = played(*_CAUGHT * rounds)
        lengths.append(drum_s(events, before))
    assert lengths == sorted(lengths)
    assert len({*lengths}) == 4
    before, events = played(*_CAUGHT[:3])
    assert drum_s(events, before) == 0.0
    before, events = played(*_CAUGHT, game="physicist")
    assert drum_s(events, before) == lengths[0]


async def test_a_scene_ends_with_the_screens_and_no_later_than_a_slow_one(monkeypatch):
    loop, told_of, count = asyncio.get_running_loop(), [], 2
    scene = LiftScene(lambda: count, lambda: told_of.append(scene.holds))
    due = []

    def call_later(after_s, end):
        due.append((after_s, end))
        return loop.call_at(loop.time() + 3600, end)

    monkeypatch.setattr(loop, "call_later", call_later)
    scene.begin(0.9, 2.8)
    scene.shown()
    assert scene.hushes, "one screen has not shown it yet"
    scene.shown()
    assert (scene.hushes, scene.holds) == (False, True), "phones know, bots wait"
    scene.shown()
    assert due[-1][0] == 2.8
    due[-1][1]()
    assert (scene.holds, told_of) == (False, [True, True, False])
    scene.begin(1.8)
    after_s, end = due[-1]
    assert after_s == 1.8 + BEATS_S + LAG_S
    end()
    assert (scene.hushes, scene.holds) == (False, False)
    count = 1
    scene.begin(1.8)
    held = len(due)
    scene.wait_for_late()
    scene.wait_for_late()
    assert [after_s for after_s, _ in due[held:]] == [1.8 + BEATS_S + LAG_S], "longer once"
    scene.shown()
    assert not scene.hushes, "the one screen was opened again"
    count = 0
    scene.begin(0.9)
    scene.rest(2.0)
    assert not scene.holds, "there is no screen to wait for"


def test_covered_dice_are_in_nothing_that_the_screen_is_told():
    for one, other in (((6, 2), (3, 1)), ((2, 1), (6, 6))):
        shown = []
        for dice in (one, other):
            match = new_match(RULES["class"], NAMES, 0)
            for action in (Roll(dice), Announce(63)):
                match = apply(match, action).match
            shown.append(scoreboard_of(match))
        assert shown[0] == shown[1]


@asynccontextmanager
async def lifting(folder):
    """A party of one person and bots in the middle of a lift, its phone, its screen, its lift."""
    async with partying(folder) as (server, session):
        phone = await connected(server, session, guest(await seated(server, session, "Ada")))
        shown = await connected(server, session, screen(server))
        plan = {"game": "class", "options": {}, "bots": ["cheeky", "random"]}
        await shown.send_json({"do": "choose", "plan": plan})
        await shown.send_json({"do": "begin"})
        await welcome(phone)
        match = server.table.match
        table = match.world.setup.table  # bots play her handheld, too
        (bots := folder / "bots").mkdir()
        match.play(World(WorldSetup(table, 0, ("cheeky", "random", "cheeky")), bots))
        match.runner.speed = 20.0
        assert (await told(phone, "eyes"))["up"]
        while (lift := await told(shown, "happened"))["drum_s"] == 0.0:
            pass
        yield server, session, phone, shown, lift


async def test_no_phone_is_told_a_verdict_before_the_screen_has_shown_it(tmp_path):
    async with lifting(tmp_path) as (server, _, phone, shown, lift):
        assert "Revealed" in [each["kind"] for each in lift["events"]]
        held_us = server.table.match.world.now_us
        await phone.send_json({"do": "react", "as": "laugh"})
        await phone.send_json({"do": "alive"})
        assert (await any_news(phone))["is"] == "alive", "a phone is told nothing else"
        assert server.table.match.world.now_us == held_us, "time stands still"
        await shown.send_json({"do": "alive"})
        while (news := await any_news(shown))["is"] != "alive":
            assert news["is"] != "reaction", "the room is silent"
        await shown.send_json({"do": "shown"})
        assert await any_news(phone) == {"is": "eyes", "up": False}
        assert (await told(phone, "verdict"))["moment"]["dice"]


@pytest.mark.parametrize("leaves_first", [True, False])
def test_nobody_confesses_for_a_guest_of_the_same_name_who_has_left(tmp_path, leaves_first):
    seats = PartySeats(tmp_path / "evening.json")
    for name in NAMES[:2]:
        seats.sit(seats.stored.code, name)
    seats.seat_people(0, "")
    told = over(Roll((3, 1)), Announce(63), Doubt(), Lift((3, 1)), people=2)
    if leaves_first:
        seats.free(0)
        seats.sit(seats.stored.places[3].invitation, NAMES[0])
    seats.count(0, told)
    if not leaves_first:
        assert seats.lies_at(0)
        seats.free(0)
        seats.sit(seats.stored.places[3].invitation, NAMES[0])
    assert seats.lies_at(3) is None


async def test_nobody_is_a_big_screen_without_its_link(tmp_path):
    async with partying(tmp_path) as (server, session):
        secret = await seated(server, session, "Ada")
        for asked in (hello("screen"), guest(secret) | {"view": "screen"}):
            other = await connected(server, session, asked | {"host": "A" * 43})
            assert (await closing(other))[0] == incoming.WRONG_SEAT
        phone = await connected(server, session, guest(secret))
        assert not (await lobby(phone))["screen"]
        shown = await connected(server, session, screen(server))
        await lobby(phone, lambda news: news["screen"])
        await shown.close()
    async with serving(tmp_path / "table", people=2) as (server, session):
        assert (await closing(await connected(server, session, hello("screen"))))[0] == (
            incoming.WRONG_SEAT
        )
        token = (await welcome(await connected(server, session, hello("seat", 0))))["token"]
        await welcome(await connected(server, session, hello("screen", None, token)))


async def test_a_screen_shows_a_verdict_once_and_a_stranger_shows_none(tmp_path):
    async with lifting(tmp_path) as (server, session, _, shown, _):
        other = await connected(server, session, screen(server))
        await told(other, "happened")
        stranger = await connected(server, session, hello())
        for page in (stranger, shown, shown, shown):
            await page.send_json({"do": "shown"})
            await page.send_json({"do": "alive"})
            await told(page, "alive")
        assert server.table.match.scene.hushes, "the other screen has not shown it"
        await other.send_json({"do": "shown"})
        await other.send_json({"do": "alive"})
        await told(other, "alive")
        assert not server.table.match.scene.hushes


async def test_a_stranger_neither_hides_nor_shakes(tmp_path):
    async with partying(tmp_path) as (server, session):
        stranger = await connected(server, session, hello())
        await lobby(stranger)
        for what in ("hidden", "shaken", "alive"):
            await stranger.send_json({"do": what} | ({"on": True} if what != "alive" else {}))
        await told(stranger, "alive")
        (page,) = server.table.clients
        assert (page.is_hidden, page.shaken_until_s) == (False, 0.0)


async def test_a_screen_that_comes_in_the_middle_of_a_lift_shows_it_whole(tmp_path):
    async with lifting(tmp_path) as (server, session, phone, shown, lift):
        late = await connected(server, session, screen(server))
        assert (await told(late, "state"))["standing"]["phase"] == "doubted"
        again = await told(late, "happened")
        assert (again["events"], again["drum_s"]) == (lift["events"], lift["drum_s"])
        await shown.send_json({"do": "shown"})
        await shown.send_json({"do": "alive"})
        await told(shown, "alive")
        assert server.table.match.scene.hushes, "the late screen has not shown it yet"
        await late.send_json({"do": "shown"})
        assert not (await told(phone, "eyes"))["up"]


async def test_no_phone_is_told_the_tally_before_the_screen_has_shown_the_end(tmp_path):
    async with partying(tmp_path) as (server, session):
        phone = await connected(server, session, guest(await seated(server, session, "Ada")))
        shown = await connected(server, session, screen(server))
        plan = {"game": "physicist", "options": {}, "bots": ["random"]}
        await shown.send_json({"do": "choose", "plan": plan})
        await shown.send_json({"do": "begin"})
        await welcome(phone)
        match = server.table.match
        setup = WorldSetup(match.world.setup.table, 0, ("random", "cheeky"))  # bots play hers, too
        before_us = before_its_last_lift_us(setup, tmp_path / "rehearsal")
        match.runner.paused = True
        match.play(played_until(before_us, setup, tmp_path / "match"))
        await told(shown, "again")
        match.runner.do(lambda: play_to_its_end(match.world))  # faster than the screen
        last = await told(shown, "happened")
        assert [each["kind"] for each in last["events"]][-1] == "MatchEnded"
        assert last["drum_s"] > 0
        await shown.send_json({"do": "room", "volume": 0.5})
        assert (await lobby(phone, lambda news: news["room"]["volume"] == 0.5))["playing"]
        assert server.table.seats.stored.counted < server.table.store.number
        await shown.send_json({"do": "shown"})
        await lobby(phone, lambda news: not news["playing"])
        assert server.table.seats.stored.counted == server.table.store.number


def play_to_its_end(world):
    while not world.is_over:
        assert world.advance(world.now_us + 50_000)


def played_until(at_us, setup, folder):
    folder.mkdir()
    world = World(setup, folder)
    assert world.advance(at_us)
    return world


def before_its_last_lift_us(setup, folder):
    """The virtual time of a moment when the last cup of a match is not lifted yet."""
    with closed(played_until(0, setup, folder)) as world:
        story = Story(world.table, "en")
        while not world.is_over:
            at_us, lifted = world.now_us, len(story.moments)
            assert world.advance(at_us + 50_000)
            story.update()
            if len(story.moments) > lifted:
                before_us = at_us
    return before_us


async def any_news(page):
    """The next message of any kind."""
    message = await page.receive()
    return json.loads(message.data) if message.type is WSMsgType.TEXT else {"is": "panel"}


def test_every_voice_has_the_same_lines_in_every_language():
    shapes = [
        {
            kind: {each: len(lines) for each, lines in groups.items()}
            for kind, groups in all_.items()
        }
        for all_ in map(lines_of, LANGUAGES)
    ]
    assert shapes == shapes[:1] * len(LANGUAGES)
    assert shapes[0].keys() == CHARACTERS.keys()
    for language in LANGUAGES:
        for kind, groups in lines_of(language).items():
            lines = [line for group in groups.values() for line in group]
            assert len({*lines}) == len(lines) >= 50, (language, kind)
            assert max(map(len, lines)) <= 46


def said(kind, count, *, lied, language="en"):
    voices = Voices((None, kind), Random(5), {})
    events = [Announced(1, 63, 0)]
    return [voices.lines(events, {1: lied}, language, 0.0)[0].text for _ in range(count)]


def test_nobody_says_the_same_line_twice_in_a_row():
    for kind in CHARACTERS:
        for lied in (False, True):
            lines = said(kind, 400, lied=lied)
            assert all(one != other for one, other in pairwise(lines)), kind


@pytest.mark.parametrize(("kind", "word", "of_truths", "of_lies"), [
    ("cheeky", "weetie", 0.25, 0.75), ("honest", "hem", 0.0, 0.9), ("random", "lub", 0.25, 0.67),
    ("expert", "oughly", 0.0, 0.6), ("shark", "weetie", 0.0, 0.0),
])  # fmt: skip
def test_a_tell_can_be_learned(kind, word, of_truths, of_lies):
    for lied, share in ((False, of_truths), (True, of_lies)):
        lines = [line for line in said(kind, 1000, lied=lied) if "Hrm" not in line]
        assert abs(sum(word in line for line in lines) / len(lines) - share) < 0.06, lied


def test_the_next_match_of_an_evening_repeats_no_line():
    decks, lines = {}, lines_of("en")["trusting"]["say"]
    evening = []
    for match in range(len(lines)):
        voices = Voices((None, "trusting"), Random(match), decks)
        evening += voices.lines([Announced(1, 63, 0)], {}, "en", 0.0)
    assert {line.text for line in evening} == {*lines}


def test_a_trembling_count_thinks_longer_about_a_lie():
    voices = Voices((None, "trusting", "cheeky"), Random(1), {})
    truth, lie = ([voices.think_s(1, lied=lied) for _ in range(50)] for lied in (False, True))
    assert max(truth) <= min(lie)
    assert voices.think_s(0, lied=True) == 0.0
    assert voices.think_s(2, lied=True) <= 0.8


def test_bots_heckle_people_alone_and_seldom():
    voices = Voices((None, "cheeky", "shark"), Random(1), {})
    heckled = [len(voices.lines([Rolled(0, 1)], {}, "de", t)) for t in range(0, 60, 2)]
    assert sum(heckled) == 5
    assert voices.lines([Rolled(1, 1)], {}, "de", 100.0) == []
    assert voices.lines([Announced(0, 63, 1)], {}, "de", 100.0) == []
    won = voices.lines([Revealed(1, (3, 1), 63, 0, True), Rolled(0, 1)], {}, "en", 200.0)
    assert len(won) == 1
    assert Voices((None, None), Random(1), {}).lines([Rolled(0, 1)], {}, "xx", 0.0) == []
    assert Voices((None, "tin"), Random(1), {}).lines([Announced(1, 63, 0)], {}, "en", 0.0) == []


def over(*actions, people=3, losers=("Ana",)):
    record = Record(RULES["class"], NAMES, 0, actions)
    return MatchResult(record, NAMES[:people], losers, NAMES[1:])


def test_a_card_says_only_what_is_true_and_teases_no_loser():
    lines = card_lines(over(*_CAUGHT * 4, losers=()), ())
    assert [(each.name, each.key) for each in lines] == [("Ben", "sharp"), ("Ana", "caught")]
    assert lines[0].places == {"A": "Ben", "n": 4}
    assert lines[1].places == {"A": "Ana", "n": 4}
    assert [each.name for each in card_lines(over(*_CAUGHT * 4), ())] == ["Ben"]
    after = card_lines(over(*_CAUGHT * 4, losers=()), ("Ben",))
    assert [each.name for each in after] == ["Ana", "Ben"], "nobody is first twice in a row"


def test_every_line_of_a_card_has_its_texts_and_places():
    sharp = over(*_CAUGHT * 4, losers=())
    seen = set()
    results = [sharp]
    for name, rules in RULES.items():
        for seed in range(40):
            actions = playout(rules, NAMES, Random(seed))[0]
            results.append(
                MatchResult(Record(RULES[name], NAMES, 0, tuple(actions)), NAMES, (), ())
            )
    for result in results:
        for each in card_lines(result, ()):
            seen.add(each.key)
            for key in (each.key, f"{each.key}_more"):
                assert book("en").texts[f"screen.card_{key}"].format(**each.places)
    assert len(seen) >= 8, seen


def test_lies_are_counted_where_the_dice_are_known_and_not_else():
    caught = over(*_CAUGHT).record
    assert lies_of(caught) == {"Ana": Lies(1, 1)}
    believed = over(Roll((3, 1)), Announce(41), Believe(), Roll((6, 5)), Announce(65)).record
    assert lies_of(believed) == {"Ana": Lies(1, 0, hidden=1), "Ben": Lies(0, 0)}
    assert lies_of(over(Roll(), Announce(41)).record) == {}
    lifted = over(Roll(), *_CAUGHT[1:]).record
    assert lies_of(lifted) == {"Ana": Lies(1, 1)}, "all have seen these dice"
    raised = over(*_CAUGHT[:2], Believe(), Announce(64), Believe(), Roll(), Announce(65)).record
    one = Lies(1, 0, hidden=1)
    assert lies_of(raised) == {"Ana": one, "Ben": one}, "nobody knows of Cem"
    late = over(*_CAUGHT[:2], Believe(), Announce(64), Doubt(), Lift((6, 2))).record
    assert lies_of(late) == {"Ana": Lies(1, 0), "Ben": Lies(1, 1)}, "all have seen Ana's dice"
    both = over(*_CAUGHT, Roll(), Announce(41)).record
    assert lies_of(both)["Ana"] == Lies(1, 1, unsure=1)


def test_words_that_name_no_value_can_be_lies():
    said = (Roll((3, 1)), Announce(41), Believe(), Say(Words.ONE_MORE))
    record = Record(RULES["holy-family"], NAMES, 0, said)
    assert lies_of(record) == dict.fromkeys(("Ana", "Ben"), Lies(1, 0, hidden=1))


async def test_a_guest_confesses_or_refuses_once(tmp_path):
    async with partying(tmp_path) as (server, session):
        seats = server.table.seats
        pages = [
            await connected(server, session, guest(await seated(server, session, name, i)))
            for i, name in enumerate(NAMES)
        ]
        actions = (Roll((3, 1)), Announce(41), Believe(), Roll((3, 2)), Announce(65), Believe())
        result = over(*actions)
        seats.count(0, result)
        seats.count(0, result)
        server.table.lobby.plan()
        news = await lobby(pages[0], lambda news: news["lies"])
        assert news["lies"] == {"told": 1, "caught": 0, "hidden": 1, "of": None}
        assert (await lobby(pages[2]))["lies"] is None, "nothing to confess"
        assert news["tally"][1] == {"name": "Ben", "played": 1, "lost": 0, "crowns": 1}
        for tells in (True, False):
            await pages[0].send_json({"do": "confess", "tells": tells})
        await pages[1].send_json({"do": "confess", "tells": False})
        card = (await lobby(pages[2], lambda news: news["card"]["refused"]))["card"]
        assert (card["refused"], card["matches"]) == (["Ben"], 1)
        assert card["lines"] == [
            {"name": "Ana", "key": "lie", "places": {"A": "Ana", "n": 1, "c": 0}}
        ]
        assert not (await lobby(pages[1], lambda news: news["lies"] is None))["lies"]
    assert PartySeats(tmp_path / "evening.json").stored.lies == {}


async def test_only_who_has_a_lie_that_nobody_saw_is_asked(tmp_path):
    async with partying(tmp_path) as (server, session):
        secrets = [await seated(server, session, name, i) for i, name in enumerate(NAMES)]
        honest = (Roll((6, 5)), Announce(64), Believe(), Roll((6, 5)), Announce(65), Believe())
        server.table.seats.count(0, over(*_CAUGHT, *honest))
        assert {name: each.told for name, each in server.table.seats.stored.lies.items()} == {
            "Ana": 1, "Ben": 0,
        }  # fmt: skip
        for secret in secrets:
            page = await connected(server, session, guest(secret))
            assert (await lobby(page))["lies"] is None


@pytest.mark.parametrize(
    ("told", "unsure", "said"),
    [
        *[(0, 0, "truth"), (1, 0, "lie"), (2, 0, "lies")],
        *[(0, 1, "word"), (1, 2, "confession"), (3, 4, "confessions")],
    ],
)
def test_a_card_counts_lies_only_where_all_dice_are_known(told, unsure, said):
    stored = StoredParty("A" * 43, [PartyPlace("")] * 8)
    (line,) = confessed(stored, "Ana", Lies(told, 0, unsure), tells=True).card.lines
    assert line.key == said
    for key in (said, f"{said}_more"):
        assert book("en").texts[f"screen.card_{key}"].format(**line.places)


def test_a_shark_smiles_before_it_doubts_two_times_of_three():
    voices = Voices((None, "shark", "cheeky"), Random(3), {})
    smiled = [seat for _ in range(900) for seat in voices.smiles([Rolled(0, 1), Doubted(1)])]
    assert {*smiled} == {1}
    assert 550 < len(smiled) < 650
    assert [voices.smiles([each]) for each in (Doubted(0), Doubted(2), Believed(1))] == [[], [], []]
