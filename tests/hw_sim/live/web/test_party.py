"""A party: invitations, a lobby, one match after the other, and what is kept of all that."""

import json
from base64 import b64encode
from random import Random
from typing import get_args

from aiohttp import WSMsgType
from msgspec import inspect
from yarl import URL

from hw_sim.live.web import incoming
from hw_sim.live.web.incoming import AnyIncoming
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.party_seats import MatchPlan, PartySeats
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table.setup import TableSetup
from tests.support.pages import (
    closing,
    connected,
    guest,
    hello,
    host,
    partying,
    seated,
    sit,
    told,
    welcome,
)


async def lobby(page, wanted=lambda news: True):
    """The next news of how the party stands that is as wanted."""
    while not wanted(news := await told(page, "lobby")):
        pass
    return news


async def invited(server, session, invitation):
    """Whether an invitation is still good, as its page asks before a name is typed."""
    own = {"Origin": server.address}
    async with session.post("/invited", json={"invitation": invitation}, headers=own) as answer:
        assert answer.status == 200
        return (await answer.json())["invited"]


async def test_guests_are_seated_by_invitations_and_the_host_begins(tmp_path):
    async with partying(tmp_path) as (server, session):
        hosting = await connected(server, session, host(server))
        news = await lobby(hosting)
        assert (news["host"], news["hindrance"], len(news["places"])) == (True, "nobody", 8)
        assert all(each["link"].startswith(f"{server.address}/join#") for each in news["places"])
        assert all(each["code"].startswith("data:image/svg+xml") for each in news["places"])
        secrets = [
            await seated(server, session, name, place) for place, name in enumerate(("Ada", "Bo"))
        ]
        phones = [
            await connected(server, session, guest(secret), events=secret is secrets[1])
            for secret in secrets
        ]
        news = await lobby(phones[1], lambda news: news["places"][1]["here"])
        assert (news["host"], news["place"], news["hindrance"]) == (False, 1, "")
        assert [each["name"] for each in news["places"]][:3] == ["Ada", "Bo", None]
        assert not [each for each in news["places"] if each["link"] or each["code"]]
        plan = {"game": "sevens", "options": {"rounds": 1}, "bots": ["cheeky"]}
        await hosting.send_json({"do": "choose", "plan": plan})
        await hosting.send_json({"do": "begin"})
        for seat, page in enumerate(phones):
            news = await welcome(page)
            assert (news["names"], news["people"]) == (["Ada", "Bo", "Oma Blitz"], 2)
            assert (news["seat"], news["entitled"], news["phones"]) == (seat, [seat], True)
        assert (await welcome(hosting))["entitled"] == []
        await phones[1].send_json({"do": "lift", "seat": 1, "on": True})
        while not (await told(hosting, "state"))["seats"].get("1", {}).get("lid"):
            pass
        await phones[1].send_json({"do": "lift", "seat": 0, "on": True})
        assert (await closing(phones[1]))[0] == incoming.WRONG_SEAT


async def test_an_invitation_is_good_once_and_for_a_name_that_can_be_told_apart(tmp_path):
    async with partying(tmp_path) as (server, session):
        places = server.table.seats.stored.places
        first, second = places[0].invitation, places[1].invitation
        assert [await invited(server, session, each) for each in (first, first, "é")] == [
            True,
            True,
            False,
        ]
        assert (await sit(server, session, first, " Ada  L. "))[0] == 200
        assert [await invited(server, session, each) for each in (first, second, "")] == [
            False,
            True,
            False,
        ]
        for invitation, name, why in (
            (first, "Bo", "used"),
            ("", "Bo", "used"),
            (second, "ADA L.", "double"),
            (second, " ", "name"),
            (second, "Ada\u200b", "hidden"),
            (second, "A" * 17, "long"),
        ):
            assert await sit(server, session, invitation, name) == (409, {"why": why})
        wrong = {"Origin": "http://evil.example"}
        for address in ("/sit", "/invited"):
            async with session.post(address, json={}, headers=wrong) as answer:
                assert answer.status == 403
            async with session.post(
                address, data="[", headers={"Origin": server.address}
            ) as answer:
                assert answer.status == 400
        assert "Ada L." in (kept := (tmp_path / "evening.json").read_text())
        assert first not in kept
        stranger = await connected(server, session, guest("A" * 43))
        assert (await closing(stranger))[0] == incoming.WRONG_SEAT


async def test_a_name_is_the_same_however_its_letters_are_written(tmp_path):
    async with partying(tmp_path) as (server, session):
        invitations = [each.invitation for each in server.table.seats.stored.places]
        assert (await sit(server, session, invitations[0], "Rene\u0301"))[0] == 200
        assert server.table.seats.stored.places[0].guest.name == "Ren\u00e9"
        for name in ("Ren\u00e9", "REN\u00c9", "RENE\u0301", "\uff32en\u00e9"):
            assert await sit(server, session, invitations[1], name) == (409, {"why": "double"})
        assert (await sit(server, session, invitations[1], "Rene"))[0] == 200


async def test_a_stranger_at_the_bench_is_told_nothing_of_it(tmp_path):
    async with partying(tmp_path) as (server, session):
        await seated(server, session, "Ada")
        hosting = await connected(server, session, host(server))
        await hosting.send_json({"do": "begin"})
        await welcome(hosting)
        stranger = await connected(server, session, hello("bench"))
        await told(stranger, "state")
        world = server.table.match.world
        until_us = world.now_us + 1_000_000
        while world.now_us < until_us:
            await session.get("/")
        await stranger.send_json({"do": "alive"})
        kinds = []
        while "alive" not in kinds:
            message = await stranger.receive()
            assert message.type is WSMsgType.TEXT
            kinds.append(json.loads(message.data)["is"])
    assert "bench" not in kinds


async def test_only_the_host_chooses_begins_and_frees_places(tmp_path):
    async with partying(tmp_path) as (server, session):
        first = await connected(server, session, guest(await seated(server, session, "Host", 1)))
        assert (await lobby(first))["host"]
        secret = await seated(server, session, "Ada")
        phone = await connected(server, session, guest(secret))
        watching = await connected(server, session, hello() | {"host": "A" * 43})
        plan = {"game": "maxen", "options": {}, "bots": []}
        for page in (phone, watching):
            for ask in (
                {"do": "choose", "plan": plan},
                {"do": "begin"},
                {"do": "free", "place": 0},
                {"do": "again"},
            ):
                await page.send_json(ask)
                assert (await told(page, "refused"))["why"] == "rights"
        hosting = await connected(server, session, host(server))
        for wrong, why in (
            ({**plan, "game": "poker"}, "plan"),
            ({**plan, "options": {"rounds": 1}}, "plan"),
        ):
            await hosting.send_json({"do": "choose", "plan": wrong})
            assert (await told(hosting, "refused"))["why"] == why
        await hosting.send_json({"do": "choose", "plan": plan})
        await hosting.send_json({"do": "free", "place": 1})
        wanted = await lobby(hosting, lambda news: news["plan"] == plan and news["first"] == 0)
        assert wanted["hindrance"] == "few"
        await hosting.send_json({"do": "begin"})
        assert (await told(hosting, "refused"))["why"] == "few"
        await hosting.send_json({"do": "choose", "plan": {**plan, "bots": [*KINDS]}})
        news = await lobby(hosting, lambda news: news["plan"]["bots"])
        assert (len(news["plan"]["bots"]), news["hindrance"]) == (7, ""), "a bot sits on no lap"
        await hosting.send_json({"do": "free", "place": 0})
        await told(phone, "left")
        assert (await lobby(hosting, lambda news: news["places"][0]["link"]))["places"][0][
            "name"
        ] is None
        again = await connected(server, session, guest(secret))
        assert (await closing(again))[0] == incoming.WRONG_SEAT


def made(kind, chance):
    """A value of a type as msgspec knows it, within its bounds."""
    match kind:
        case inspect.UnionType(types):
            return made(chance.choice(types), chance)
        case inspect.StructType(_, fields, tag_field=tag_field, tag=tag):
            told = {
                each.encode_name: made(each.type, chance)
                for each in fields
                if each.required or chance.random() < 0.5
            }
            return told | ({} if tag_field is None else {tag_field: tag})
        case inspect.LiteralType(values):
            return chance.choice(values)
        case inspect.BoolType():
            return chance.random() < 0.5
        case inspect.IntType() | inspect.FloatType():
            low, high = kind.ge or 0, 8 if kind.le is None else kind.le
            return chance.choice((low, high))
        case inspect.StrType(pattern=pattern):
            return chance.choice("ab") * 43 if pattern else chance.choice(("fr", "class", "0"))
        case inspect.BytesType(min_length=length):
            return b64encode(bytes(length or 0)).decode()
        case inspect.ListType() | inspect.VarTupleType():
            return [made(kind.item_type, chance) for _ in range(kind.min_length or 0)]
        case inspect.TupleType(items):
            return [made(each, chance) for each in items]
        case inspect.DictType():
            return {}
        case inspect.NoneType():
            return None
    raise AssertionError(f"{kind}: build one")


async def test_no_message_that_there_is_lets_a_guest_or_a_stranger_be_host(tmp_path):
    chance, kinds = Random(1), [inspect.type_info(each) for each in get_args(AnyIncoming)]
    async with partying(tmp_path) as (server, session):
        seats = server.table.seats
        ada = await connected(server, session, guest(await seated(server, session, "Ada")))
        await lobby(ada)
        await seated(server, session, "Bo", 1)
        before = seats.stored
        for first in (guest, lambda _: hello(), lambda _: hello("bench")):
            for kind in kinds:
                await ada.send_json({"do": "alive"})
                await told(ada, "alive")
                secret = seats.sit(seats.stored.code, "Eve")
                page = await connected(server, session, first(secret))
                for _ in range(4):
                    await page.send_json(made(kind, chance))
                await page.send_json({"do": "alive"})
                async for message in page:
                    if message.type is WSMsgType.TEXT and json.loads(message.data)["is"] == "alive":
                        break
                await page.close()
                if seats.place_of(secret) is not None:
                    seats.free(seats.place_of(secret))
                now = seats.stored
                assert (now.plan, now.seatings, now.places[:2]) == (
                    before.plan,
                    before.seatings,
                    before.places[:2],
                ), kind.cls.__name__
                assert (server.table.match, seats.guests) == (None, [0, 1]), kind.cls.__name__
    assert len(kinds) > 20


async def begun(server, session, names=("Ada", "Bo"), **plan):
    """Seats guests, begins a match, and returns the host's page and those of the guests."""
    secrets = [await seated(server, session, name, i) for i, name in enumerate(names)]
    phones = [await connected(server, session, guest(secret)) for secret in secrets]
    hosting = await connected(server, session, host(server))
    await hosting.send_json({"do": "choose", "plan": plan})
    await hosting.send_json({"do": "begin"})
    for page in phones:
        await welcome(page)
    return hosting, phones, secrets


async def test_a_seat_that_is_given_up_is_another_guests_and_who_comes_late_watches(tmp_path):
    async with partying(tmp_path) as (server, session):
        plan = {"game": "class", "options": {}, "bots": ["honest"]}
        hosting, phones, _ = await begun(server, session, **plan)
        late = await connected(server, session, guest(await seated(server, session, "Cleo", 2)))
        assert (await welcome(late))["seat"] is None
        assert (await lobby(late))["places"][2] == {
            **{"name": "Cleo", "here": True, "plays": False, "link": None, "code": None},
            **{"own": False, "handheld": False, "face": ""},
        }
        await late.send_json({"do": "leave", "seat": None})
        await told(late, "left")
        await phones[1].send_json({"do": "lift", "seat": 1, "on": True})
        await phones[1].send_json({"do": "leave", "seat": 1})
        await told(phones[1], "left")
        while (await told(hosting, "state")).get("claimed") != [True, False]:
            pass
        heir = await connected(server, session, guest(await seated(server, session, "Dora", 1)))
        assert (await welcome(heir))["seat"] == 1
        await told(heir, "asked")


async def test_a_phone_that_is_killed_or_away_for_minutes_comes_back_to_where_it_was(tmp_path):
    async with partying(tmp_path) as (server, session):
        plan = {"game": "sevens", "options": {}, "bots": []}
        hosting, (first, _), (secret, _) = await begun(server, session, **plan)
        second = await connected(server, session, guest(secret), events=True)  # another tab
        assert (await welcome(second))["seat"] == 0
        await first.send_json({"do": "lift", "seat": 0, "on": True})
        while (await told(second, "state"))["seats"].get("0", {}).get("lid", 0.0) < 0.5:
            pass
        await second.close()
        await first.send_json({"do": "alive"})
        await told(first, "alive")
        world = server.table.match.world
        assert world.table.seats[0].hand.openness(world.now_us) > 0.5
        first._response.connection.transport.abort()
        news = {"here": [0]}
        while 0 in news.get("here", [0]):
            news = await told(hosting, "state")
        while news["seats"].get("0", {}).get("lid", 1.0) > 0.1:
            news = await told(hosting, "state")
        log = world.table.seats[0].log.index
        world.advance(world.now_us + 120_000_000)
        again = await connected(server, session, guest(secret))
        assert (await welcome(again))["seat"] == 0
        assert (await told(again, "asked"))["seat"] == 0
        assert (await lobby(again))["playing"]
        assert server.table.match.world is world
        assert world.table.seats[0].log.index == log, "nobody plays for him"


def played(folder):
    """A party of Ada and a bot whose match is over, as bots played it; returns Ada's secret."""
    store, seats = MatchStore(folder, None, any_seed=True), PartySeats(folder / "evening.json")
    secret = seats.sit(seats.stored.places[0].invitation, "Ada")
    seats.choose(MatchPlan("sevens", {"rounds": 1}, ("honest",)))
    names = (*seats.seat_people(store.next_number, ""), "Ana")
    table = TableSetup(seats.plan.rules, len(names), seed=1, called=names)
    store.next(WorldSetup(table, 1, ("honest",))).close()
    store.close()
    world = World(WorldSetup(table, 0, ("honest", "honest")), folder / "match0")
    while not world.is_over:
        assert world.now_us < 600_000_000
        world.advance(world.now_us + 1_000_000)
    world.close()
    return secret


async def test_a_match_that_is_over_is_counted_once_and_the_next_has_who_came_late(tmp_path):
    secret = played(tmp_path)
    async with partying(tmp_path) as (server, session):
        phone = await connected(server, session, guest(secret))
        assert (await welcome(phone))["seat"] == 0
        news = await lobby(phone, lambda news: news["tally"] != [])
        assert (news["playing"], news["tally"][0]["played"]) == (False, 1)
        late = await connected(server, session, guest(await seated(server, session, "Cleo", 5)))
        assert (await welcome(late))["seat"] is None
        await phone.send_json({"do": "again"})
        assert [(await welcome(page))["seat"] for page in (late, phone)] == [1, 0]
        assert server.table.match.world.setup.table.names == ("Ada", "Cleo", "Bruder Klar")
        await phone.send_json({"do": "again"})  # while a match is played that does nothing
        await phone.send_json({"do": "alive"})
        await told(phone, "alive")
        kept = server.table.seats.stored
        assert (server.table.store.number, kept.counted, kept.tally["Ada"].played) == (1, 0, 1)
    async with partying(tmp_path) as (server, session):
        assert (server.table.store.number, server.table.seats.stored) == (1, kept)
        phone = await connected(server, session, guest(secret))
        assert (await welcome(phone))["seat"] == 0
        assert (await lobby(phone))["places"][5]["plays"]


async def test_a_full_disk_costs_nobody_his_place(tmp_path):
    async with partying(tmp_path) as (server, session):
        secret = await seated(server, session, "Ada")
        phone = await connected(server, session, guest(secret))
        await lobby(phone)
        before = server.table.seats.stored
        draft = tmp_path / "evening.new"
        draft.symlink_to("/dev/full")
        wanted = {"invitation": before.places[1].invitation, "name": "Bo"}
        headers = {"Origin": server.address}
        async with session.post("/sit", json=wanted, headers=headers) as answer:
            assert answer.status == 507
        draft.symlink_to("/dev/full")
        await phone.send_json({"do": "leave", "seat": None})
        assert (await closing(phone))[0] == incoming.LATER
        hosting = await connected(server, session, host(server))
        draft.symlink_to("/dev/full")
        await hosting.send_json({"do": "begin"})
        assert (await told(hosting, "refused"))["why"] == "disk"
        assert server.table.seats.stored == before


async def test_a_code_is_found_however_it_is_typed_and_a_wrong_one_is_told(tmp_path):
    async with partying(tmp_path) as (server, session):
        code = server.table.seats.stored.code
        own = {"Origin": server.address}
        spellings = (code, code.lower(), code.capitalize(), f"%20{code.lower()}", f"{code}%20")
        for typed in (*spellings, "ABCDE", "AB1"):
            for path in (f"/{typed}", f"/{typed}/"):
                async with session.get(URL(path, encoded=True)) as answer:
                    assert answer.status == 200, path
                    assert 'src="/static/join.js"' in await answer.text(), path
        for page in ("/screen/", "/phone/", "/join/"):
            async with session.get(page) as answer:
                assert answer.status == 200, page
        for page in ("/MA.A", "/MAAA/x", "/favicon.ico", "/ABCDEFGHI"):
            async with session.get(page) as answer:
                assert answer.status == 404, page
        for place in range(8):
            for invitation, known in ((code, True), ("ABCD", False)):
                body = {"invitation": invitation}
                async with session.post("/invited", json=body, headers=own) as answer:
                    found = await answer.json()
                assert (found["invited"], found["known"]) == (known, known)
            await seated(server, session, f"Ada {place}", place)
        async with session.post("/invited", json={"invitation": code}, headers=own) as answer:
            found = await answer.json()
        assert (found["invited"], found["known"]) == (False, True), "all places are taken"
