"""The lobby of a party: its code, its places, its host, and what is kept of all that."""

import json
from itertools import product
from typing import get_args

import msgspec
from msgspec import inspect

from firmware.display.text.language import ENGLISH, say
from hw_sim.live.web import incoming
from hw_sim.live.web.lobby_feed import FULL, NO_WISH, UNKNOWN
from hw_sim.live.web.party_seats import CODE_LETTERS, StoredParty, new_party
from hw_sim.live.web.seating import MOST_PLAYERS
from hw_sim.players.bot_kinds import KINDS
from tests.support.worlds import NAMES, at_a_party

SEVENS = {"game": "sevens", "options": {"rounds": 1}, "bots": []}


@at_a_party
async def test_a_place_is_for_a_name_that_can_be_told_apart(party):
    code = party.seats.stored.code
    assert (len(code), {*code} - {*CODE_LETTERS}) == (4, set())
    assert party.ask("/invited").body == {"invited": True, "faces": [], "away": []}
    secret = party.ask("/sit", name=" Ada  L. ").body["secret"]
    wrong = {"ADA L.": "double", " ": "name", "Ada\u200b": "hidden", "A" * 17: "long"}
    for name, why in wrong.items():
        assert party.ask("/sit", name=name) == (409, {"why": why})
    assert party.ask("/sit").status == party.ask("/invited", name="Bo").status == NO_WISH
    assert party.ask("/card.svg").status == UNKNOWN
    kept = (party.folder / "evening.json").read_text()
    assert "Ada L." in kept
    assert secret not in kept
    assert await party.page("A" * 43).ended() == incoming.WRONG_SEAT
    assert (await party.page(view="table").next("lobby"))["door"] is None


HOSTS = {
    **{"choose": {"plan": SEVENS}, "begin": {}, "free": {"place": 0}, "again": {}},
    **{"room": {"language": "fr"}, "live": {}, "step": {"ms": 1}},
    **{"pause": {"on": True}, "speed": {"x": 2}, "seek": {"s": 0}, "lux": {"value": 1}},
    **{"fault": {"seat": 0, "name": "link", "on": True}, "noise": {"value": 1}},
    **{"errors": {"value": 1}},
}
"""Messages for a host alone; at a table of a lone player they are for nobody."""
OWN = {"leave", "shown", "react", "confess", "hidden", "shaken"}
"""Messages of others about themselves; see test_room.py."""


def test_every_message_is_a_hosts_or_of_who_says_it():
    kinds = (incoming.TableMessage, incoming.RoomMessage, incoming.BenchMessage)
    tags = {inspect.type_info(each).tag for kind in kinds for each in get_args(kind)}
    assert tags == HOSTS.keys() | OWN


@at_a_party
async def test_only_the_host_chooses_begins_and_frees_places(party):
    seats = party.seats
    first, ada = party.guests("Host", "Ada")
    await first.next("lobby", lambda news: news["host"])
    secret = party.sit("Bo")
    phone, watching = party.page(secret), party.page(view="table")
    plan = {"game": "maxen", "options": {}, "bots": []}
    before = seats.stored
    for page, do in product((ada, phone, watching, party.page(view="bench")), HOSTS):
        assert await page.refused(do=do, **HOSTS[do]) == "rights", do
    assert (seats.stored, party.table.match) == (before, None)
    screen = party.screen()
    for wrong in ({**plan, "game": "poker"}, {**plan, "options": {"rounds": 1}}):
        assert await screen.refused(do="choose", plan=wrong) == "plan"
    screen.say("choose", plan={**plan, "game": "class", "options": {"mexican": True}})
    told = await screen.next("refused")
    assert (told["why"], told["between"]) == ("plan", ["31 and 32: yes", "for: sticks"])
    screen.say("choose", plan={**plan, "game": "class", "options": {"credit": 6}})
    news = await screen.next("lobby", lambda news: news["plan"]["options"])
    assert news["differences"] == ["lives: 6"]
    assert news["sentence"] == say("listing.HOUSE_RULES", ENGLISH)
    screen.say("choose", plan=plan)
    for place in (0, 1):
        screen.say("free", place=place)
    assert await screen.refused(do="begin") == "few"
    screen.say("choose", plan={**plan, "bots": [*KINDS]})
    news = await screen.next("lobby", lambda news: news["plan"]["bots"])
    assert (len(news["plan"]["bots"]), news["hindrance"]) == (8, ""), "a bot sits on no lap"
    assert news["first"] == 2
    screen.say("free", place=2)
    await phone.next("left")
    assert seats.guests == []
    assert await party.page(secret).ended() == incoming.WRONG_SEAT


@at_a_party
async def test_the_host_gives_a_handicap_by_name_to_who_sits_down(party):
    ana, _ = party.guests("Ana", "Ben")
    plan = {"game": "class", "bots": ["expert"], "handicap": {"Ben": 1, "bot 0": 2, "Cem": 2}}
    ana.say("choose", plan=plan)
    await ana.next("lobby", lambda news: news["plan"]["handicap"] == plan["handicap"])
    assert party.table.setup_of(("Ana", "Ben")).table.rules.handicap == (0, 1, 2)
    assert party.table.setup_of(("Ben", "Ana")).table.rules.handicap == (1, 0, 2)
    for wrong in ({"game": "physicist"}, {"game": "class", "handicap": {"Ben": 3}}):
        assert await ana.refused(do="choose", plan={**plan, **wrong}) == "handicap"


@at_a_party
async def test_a_full_disk_costs_nobody_a_place(party):
    (ada,) = party.guests("Ada")
    await ada.next("lobby")
    before, draft = party.seats.stored, party.folder / "evening.new"
    draft.symlink_to("/dev/full")
    assert party.ask("/sit", name="Bo").status == FULL
    draft.symlink_to("/dev/full")
    assert await ada.refused(do="choose", plan=SEVENS) == "disk"
    draft.symlink_to("/dev/full")
    assert await ada.refused(do="leave", seat=None) == "disk"
    assert party.seats.stored == before


@at_a_party
async def test_the_first_guest_is_host_until_they_leave_and_the_next_while_they_are_away(party):
    ana, ben, cem = party.guests(*NAMES)
    for hidden in (True, False):
        ana.say("hidden", on=hidden)
        await ben.next("lobby", lambda news, on=hidden: news["host"] is (news["first"] == 1) is on)
    ana.say("leave", seat=None)
    await ben.next("lobby", lambda news: news["host"])
    (dea,) = party.guests("Dea")
    assert not (await dea.next("lobby"))["host"], "she has a place before his, and came later"
    places = (await cem.next("lobby", lambda news: news["places"][0]["name"] == "Dea"))["places"]
    assert [each["name"] for each in places[:4]] == ["Dea", "Ben", "Cem", None]


def test_a_file_of_eight_places_gets_a_ninth():
    kept = json.loads(msgspec.json.encode(new_party()))
    read = msgspec.json.decode(json.dumps({**kept, "places": [None] * 8}), type=StoredParty)
    assert read.places == [None] * 9


@at_a_party
async def test_bots_make_room_for_guests(party):
    left = []
    for number in range(MOST_PLAYERS):
        party.sit(f"guest {number}")
        left.append((len(party.seats.plan.bots), party.seats.hindrance))
    assert left == [(2, "")] * 7 + [(1, ""), (0, "")]
    party.seats.gathered = lambda place: place == 3
    assert (party.seats.players, len(party.seats.plan.bots)) == ([3], 2)
    party.seats.gathered = lambda _place: False
    assert party.seats.hindrance == "nobody", "nobody's dice are there"
    assert party.ask("/sit", name="late").body == {"why": "used"}
