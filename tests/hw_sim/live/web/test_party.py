"""The lobby of a party: its code, its places, its host, and what is kept of all that."""

import json
from io import BytesIO
from itertools import product
from typing import get_args
from urllib.parse import urlencode
from zipfile import ZipFile

import msgspec
import pytest
from msgspec import inspect
from msgspec.json import decode

from firmware.display.text.language import say, section
from game.actions import Announce, Believe, Doubt, Lift, Roll
from game.options import MOST_PLAYERS
from game.record import public_record, read
from hw_sim.clock import run
from hw_sim.live.page.page_table import open_page_table
from hw_sim.live.web import incoming
from hw_sim.live.web.lobby_feed import FULL, NO_WISH, UNKNOWN
from hw_sim.live.web.match_plan import COUNT, DRAWN, MOST_WRONG, SeatingError, drawn_faces
from hw_sim.live.web.matches_over import keep_record
from hw_sim.live.web.seats import CODE_LETTERS, EVENING_S, PartySeats, StoredParty, new_party
from hw_sim.players.bot_kinds import KINDS
from hw_sim.story.evening_report import EveningReport
from tests.hw_sim.live.web.conftest import wait_until
from tests.support.evenings import SHORT, an_evening
from tests.support.played_pages import script, sized
from tests.support.shown_pages import KEY, ROOM, STATES, WHERE, lobby_of, messages, stage, tell
from tests.support.worlds import NAMES, at_a_party, over


@at_a_party
async def test_a_place_is_for_a_name_that_can_be_told_apart(party):
    code = party.seats.stored.code
    assert (len(code), {*code} - {*CODE_LETTERS}) == (4, set())
    assert party.ask("/invited").body == {"invited": True, "faces": [], "away": []}
    secret = party.ask("/sit", name=" Ada  L. ").body["secret"]
    assert party.ask("/sit", name="ADA L.") == (409, {"why": "double"})
    assert party.ask("/sit").status == party.ask("/invited", name="Bo").status == NO_WISH
    assert party.ask("/card.svg").status == UNKNOWN
    kept = (party.folder / "evening.json").read_text()
    assert "Ada L." in kept
    assert secret not in kept
    assert (await party.page("A" * 43).ending())[0] == incoming.WRONG_SEAT
    assert (await party.page(view="table").told("lobby"))["door"] is None


HOSTS = {
    **{"choose": {"plan": SHORT}, "begin": {}, "free": {"place": 0}, "again": {}},
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
    await first.told("lobby", lambda news: news["host"])
    secret = party.sit("Bo")
    phone, watching = party.page(secret), party.page(view="table")
    plan = {"game": "maxen", "options": {}, "bots": []}
    before = seats.stored
    for page, do in product((ada, phone, watching, party.page(view="bench")), HOSTS):
        assert await page.refused(do, **HOSTS[do]) == "rights", do
    assert (seats.stored, party.table.match) == (before, None)
    screen = party.screen()
    for wrong in ({**plan, "game": "poker"}, {**plan, "options": {"rounds": 1}}):
        assert await screen.refused("choose", plan=wrong) == "plan"
    screen.tell("choose", plan={**plan, "game": "class", "options": {"mexican": True}})
    told = await screen.told("refused")
    assert (told["why"], told["between"]) == ("plan", ["31 and 32: yes", "for: sticks"])
    screen.tell("room", language="de")
    screen.tell("choose", plan={**plan, "game": "wikipedia", "options": {"credit": 5}})
    news = await screen.told("lobby", lambda news: news["plan"]["options"])
    assert news["differences"] == ["Wikipedia", "Streichhölzer: 5"]
    assert news["sentence"] == say("listing.HOUSE_RULES", "de")
    screen.tell("choose", plan=plan)
    for place in (0, 1):
        screen.tell("free", place=place)
    assert await screen.refused("begin") == "few"
    screen.tell("choose", plan={**plan, "bots": [*KINDS]})
    news = await screen.told("lobby", lambda news: news["plan"]["bots"])
    assert (len(news["plan"]["bots"]), news["hindrance"]) == (8, ""), "a bot sits on no lap"
    assert news["first"] == 2
    screen.tell("free", place=2)
    await phone.told("left")
    assert seats.guests == []
    assert (await party.page(secret).ending())[0] == incoming.WRONG_SEAT


def test_a_file_of_eight_places_gets_a_ninth():
    kept = json.loads(msgspec.json.encode(new_party()))
    read = msgspec.json.decode(json.dumps({**kept, "places": [None] * 8}), type=StoredParty)
    assert read.places == [None] * 9


@at_a_party
async def test_the_host_gives_a_handicap_by_name_to_who_sits_down(party):
    ana, _ = party.guests("Ana", "Ben")
    plan = {"game": "class", "bots": ["expert"], "handicap": {"Ben": 1, "bot 0": 2, "Cem": 2}}
    ana.tell("choose", plan=plan)
    await ana.told("lobby", lambda news: news["plan"]["handicap"] == plan["handicap"])
    assert party.table.setup_of(("Ana", "Ben")).table.rules.handicap == (0, 1, 2)
    assert party.table.setup_of(("Ben", "Ana")).table.rules.handicap == (1, 0, 2)
    for wrong in ({"game": "physicist"}, {"game": "class", "handicap": {"Ben": 3}}):
        assert await ana.refused("choose", plan={**plan, **wrong}) == "handicap"


@at_a_party
async def test_a_full_disk_costs_nobody_a_place(party):
    (ada,) = party.guests("Ada")
    await ada.told("lobby")
    before, draft = party.seats.stored, party.folder / "evening.new"
    draft.symlink_to("/dev/full")
    assert party.ask("/sit", name="Bo").status == FULL
    for do, more in (("choose", {"plan": SHORT}), ("leave", {"seat": None})):
        draft.symlink_to("/dev/full")
        assert await ada.refused(do, **more) == "disk"
    assert party.seats.stored == before


@at_a_party
async def test_the_first_guest_is_host_until_they_leave_and_the_next_while_they_are_away(party):
    ana, ben, cem = party.guests(*NAMES)
    for hidden in (True, False):
        ana.tell("hidden", on=hidden)
        await ben.told("lobby", lambda news, on=hidden: news["host"] is (news["first"] == 1) is on)
    ana.tell("leave", seat=None)
    await ben.told("lobby", lambda news: news["host"])
    (dea,) = party.guests("Dea")
    assert not (await dea.told("lobby"))["host"], "she has a place before his, and came later"
    places = (await cem.told("lobby", lambda news: news["places"][0]["name"] == "Dea"))["places"]
    assert [each["name"] for each in places[:4]] == ["Dea", "Ben", "Cem", None]


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
    last, screen = MOST_PLAYERS - 1, party.screen()
    screen.tell("free", place=last)
    await screen.told("lobby", lambda news: news["places"][last]["name"] is None)
    assert incoming.parse(json.dumps({"do": "cover", "seat": last})).seat == last


FACES = ["fox", "tophat", "owl"]
OTHERS = ["owl", "tophat", "fox"]


def seated(folder, now_s=lambda: 0.0):
    seats = PartySeats(folder / "evening.json", now_s)
    return seats, seats.sit("Ada", "cap", FACES)


def test_whoever_tries_faces_is_shut_out_for_good(tmp_path):
    seats, old = seated(tmp_path)
    new = seats.come_back(0, FACES, OTHERS)
    assert (seats.place_of(old), seats.place_of(new)) == (None, 0)
    assert seats.places[0].name == "Ada"
    seats.sit("Bo")
    tries = [*[(0, FACES)] * MOST_WRONG, (0, OTHERS), (1, []), (2, [])]
    for place, faces in tries:  # the next ones, a guest without faces, and nobody
        seats = PartySeats(tmp_path / "evening.json")
        with pytest.raises(SeatingError, match="faces"):
            seats.come_back(place, faces, FACES)
    assert seats.place_of(new) == 0, "the phone itself plays on"


def test_faces_are_drawn_by_chance():
    drawn = [tuple(drawn_faces()) for _ in range(200)]
    assert {len(each) for each in drawn} == {COUNT}
    assert len({*drawn}) > 150


@at_a_party
async def test_a_lost_phone_is_replaced_by_another_one_with_the_three_faces(party):
    ada = party.ask("/sit", name="Ada", face="fox").body
    phone, (other,) = party.page(ada["secret"]), party.guests("Bo")
    await phone.told("lobby", lambda news: news["host"])
    wanted = {"place": 0, "faces": ada["back"]}
    assert party.ask("/return", **wanted).body == {"why": "here"}
    phone.vanish()
    await other.told("lobby", lambda news: not news["places"][0]["here"])
    told = party.ask("/invited").body["away"]
    assert told == [{"place": 0, "name": "Ada", "face": "fox"}]
    back = party.ask("/return", **wanted).body
    found = await party.page(back["secret"]).told("lobby")
    assert (found["place"], found["places"][0]["name"]) == (0, "Ada")
    assert back["back"] != ada["back"]
    assert (await party.page(ada["secret"]).ending())[0] == incoming.WRONG_SEAT


def test_next_week_the_same_people_sit_there_and_the_tally_is_a_new_one(tmp_path):
    clock = [0.0]
    seats, secret = seated(tmp_path, lambda: clock[0])
    seats.count(0, over(Roll((3, 1)), Announce(41), Believe(), people=1))
    clock[0] += EVENING_S
    seats.seat_people(1, "")
    assert seats.tally["Ana"].played == 1
    clock[0] += 1
    seats = PartySeats(tmp_path / "evening.json", lambda: clock[0])
    assert (seats.tally, seats.stored.card.matches) == ({}, 0)
    assert seats.place_of(secret) == 0
    seats.count(0, over(Roll((3, 1)), people=1))
    assert seats.tally == {}, "the match of last week is counted already"
    seats.seat_people(0, "")  # its folder is gone
    seats.count(0, over(Roll((3, 1)), people=1))
    assert seats.tally["Ana"].played == 1


_MATCH = "match.jsonl?match=0"
_CAUGHT = (Roll((3, 2)), Announce(63), Doubt(), Lift((3, 2)))
_LIED = over(Roll((3, 1)), Announce(41), Believe(), *_CAUGHT).record


@pytest.mark.whole
def test_a_whole_record_is_had_by_who_plays_alone_and_by_no_guest_or_host(tmp_path):
    async def main():
        table = open_page_table(tmp_path / "alone", "", "en", lambda *_: None)
        async with an_evening(tmp_path) as evening:
            guest = await evening.guest("Ada")
            assert evening.host.py.ask("evening.zip")[0] == 404
            for each, known in ((table, _LIED), (evening.host.py, public_record(_LIED))):
                keep_record(each.store.folder, 0, _LIED)
                archive, record = (each.ask(path)[2] for path in ("evening.zip", _MATCH))
                with ZipFile(BytesIO(archive)) as kept:
                    assert [*map(kept.read, kept.namelist())] == [record]
                assert read(record.decode()) == known
            number = guest.ask(f"/{_MATCH}")
            await evening.until(lambda: guest.answers[number], 30)
            assert guest.answers[number] == (200, record.decode())
            told = [each.ask("evening.json")[2] for each in (table, evening.host.py)]
            rows = [decode(each, type=EveningReport).players.rows for each in told]
            assert [one[:2] == other[:2] for one, other in zip(*rows)][:2] == [False, True]
        table.close()

    run(main())


def test_a_guest_taps_three_faces_on_another_phone_which_keeps_the_new_ones(browser):
    page, asked = sized(browser, has_touch=True), []

    def answer(route):
        asked.append(json.loads(route.request.post_data))
        is_right = asked[-1]["faces"] == OTHERS
        told = {"secret": "S", "back": FACES} if is_right else {"why": "faces"}
        route.fulfill(json=told, status=200 if is_right else 409)

    stage(page, WHERE["/phone"], [lobby_of(is_host=False, place=1)], "en")
    page.route("**/return", answer)
    page.route("**/sit", lambda route: route.fulfill(json={"why": "hidden"}, status=409))
    page.fill("#name", "Ana\u200b")
    page.click("#form button.again")
    page.get_by_text("Something in it cannot be seen.").wait_for()
    page.get_by_role("button", name="Back on another phone").tap()
    page.get_by_role("button", name="Ben").tap()
    for places in ((9, 7, 11), (11, 7, 9)):
        for place in places:
            page.get_by_role("button", name=f"Face {place}", exact=True).tap()
        if place == 11:
            page.get_by_text("Those are other faces").wait_for()
    shown = page.locator(".back-faces [role=img]")
    for _ in range(2):
        wait_until(page, lambda: shown.count() == COUNT)
        labels = shown.evaluate_all("all => all.map((each) => each.ariaLabel)")
        assert labels == [f"Face {DRAWN.index(each) + 1}" for each in FACES]
        page.reload()
    assert asked == [{"place": 1, "faces": each} for each in (FACES, OTHERS)]


HELD = script("held_games")
"""The games are told of once ``goOn`` is called."""


def test_a_phone_that_returns_says_what_it_waits_for_until_its_lobby_is_whole(browser):
    page = sized(browser, locale="en-US")
    page.add_init_script(HELD)
    stage(page, "/phone", [lobby_of(is_host=False, place=0)], "en")
    wait_until(page, lambda: page.evaluate("Boolean(self.goOn)"))
    waits, heading = page.get_by_text("You sit down as soon as"), page.get_by_text("Who plays?")
    assert (waits.is_visible(), heading.is_visible()) == (True, False)
    page.evaluate("goOn()")
    heading.wait_for()
    assert (waits.count(), page.locator(".places .guest").count()) == (0, 3)


def test_a_guest_gets_a_free_place_and_a_free_face_without_asking_again(browser):
    page, asked = sized(browser), []
    invited = {"invited": False, "faces": [], "away": []}

    def sit(route):
        asked.append(json.loads(route.request.post_data)["face"])
        is_taken = asked[-1] in (DRAWN[11], "🦊")
        invited["faces"] = DRAWN[1:] if is_taken else []
        route.fulfill(json={"why": "face" if is_taken else "hidden"}, status=409)

    page.clock.install()
    stage(page, "/join", (), "en")
    page.route("**/invited", lambda route: route.fulfill(json=invited))
    page.route("**/sit", sit)
    page.reload()
    page.get_by_text("All places are taken.").wait_for()
    invited |= {"invited": True, "faces": DRAWN[:11]}
    page.clock.run_for(10_000)
    page.fill("#name", "Ana\u200b")
    assert page.inner_text("#notice") == ""
    page.click("#form button.again")
    page.get_by_text("Something in it cannot be seen.").wait_for()
    assert asked == [DRAWN[11], DRAWN[0]], "a face by chance is changed"
    page.fill("#emoji", "🦊")
    page.click("#form button.again")
    page.get_by_text("That face is taken").wait_for()
    assert asked[2:] == ["🦊"], "one that is wanted is not"
    elsewhere = urlencode({"room": ROOM, "key": KEY, "broker": "wss://elsewhere.example"})
    stage(page, f"/join.html?#{elsewhere}", (), "en")
    page.get_by_text("does not use the broker").wait_for()
    page.fill("#name", "Ana")
    page.click("#form button.again")
    assert "does not use the broker" in page.inner_text("#notice")


def test_a_phone_in_its_seat_says_that_no_broker_answers_till_one_does(browser):
    page = sized(browser, has_touch=True)
    page.clock.install()
    stage(page, "/phone", [lobby_of(is_host=False, place=1)], "en")
    page.locator(".back-faces, .lobby").first.wait_for(state="attached")
    trouble = page.get_by_text("does not answer. Is this phone online?")
    for up in (False, True):
        page.evaluate("(up) => self.shownWorker.tell('broker', { up })", up)
        page.clock.run_for(9_000)
        wait_until(page, lambda up=up: trouble.count() == int(not up))


FILMED = """() => [...document.querySelectorAll("video.awake")]
  .some((film) => !film.paused && film.currentTime > 0 && film.currentTime < 4)"""


HIDES = """(value) => {
  Object.defineProperty(document, "hidden", { value, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_without_a_wake_lock_a_phone_plays_a_dark_film_and_says_that_it_slept(browser):
    page = sized(browser)
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined });")
    stage(page, "/seat", messages(STATES["waits"], "en"), "en")
    page.locator("video.awake[src]").wait_for(state="attached")
    page.locator("#hand").click(position={"x": 5, "y": 5})
    wait_until(page, lambda: page.evaluate(FILMED))
    assert page.get_by_text("fell asleep").count() == 0
    for hidden in (True, False):
        page.evaluate(HIDES, hidden)
    page.get_by_text("This phone fell asleep").wait_for()
    wait_until(page, lambda: page.evaluate(FILMED))


def test_host_and_guest_read_whose_dice_are_not_at_the_table_yet(browser):
    texts = section("page", "en")
    of_other = texts["own_lateOf"].replace("{names}", NAMES[1])

    def late_in(said):
        return [each for each in (of_other, texts["own_late"]) if each in said]

    page, sockets = sized(browser), []
    stage(page, "/phone", (), "en", sockets=sockets)
    for is_host, late, line in (
        *((True, 1, of_other), (False, 0, texts["own_late"])),
        *((True, None, texts["own_kept"]), (False, None, texts["own_kept"])),
    ):
        news = json.loads(lobby_of(is_host=is_host, place=0))
        for place, each in enumerate(news["places"]):
            each["own"] = place != late
        tell(sockets, json.dumps(news))
        wanted = [line] if late is not None else []
        page.get_by_text(line, exact=True).first.wait_for()
        wait_until(page, lambda wanted=wanted: late_in(page.inner_text("body")) == wanted)
