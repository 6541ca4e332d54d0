"""A guest comes back: on another phone with three faces, next week by a link, after a nap."""

import json
from io import BytesIO
from zipfile import ZipFile

import pytest

from firmware.display.text.language import section
from game import RULES
from game.actions import Announce, Believe, Doubt, Lift, Roll
from game.record import Record, public_record, read
from hw_sim.live.web import client as clients
from hw_sim.live.web.evening_records import archive_of, evening_of, keep_record
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.party_seats import EVENING_S, PartySeats
from hw_sim.live.web.return_faces import COUNT, MOST_WRONG, MOST_WRONG_HERE, drawn_faces
from tests.hw_sim.live.web.conftest import PATIENCE_S, wait_until
from tests.hw_sim.live.web.test_room import NAMES, lobby, over, posted_from
from tests.support.pages import (
    connected,
    guest,
    hello,
    host,
    partying,
    seated,
    serving,
    told,
    welcome,
)
from tests.support.shown_pages import STATES, lobby_of, messages, stage

FACES = ["fox", "tophat", "owl"]
OTHERS = ["owl", "tophat", "fox"]


def party(folder, now_s=lambda: 0.0):
    seats = PartySeats(folder / "evening.json", now_s)
    return seats, seats.sit(seats.stored.code, "Ada", "cap", FACES)


def test_three_faces_in_their_order_give_the_place_to_another_phone_once(tmp_path):
    seats, old = party(tmp_path)
    with pytest.raises(SeatingError, match="faces"):
        seats.come_back(0, OTHERS, OTHERS)
    new = seats.come_back(0, FACES, OTHERS)
    assert (seats.place_of(old), seats.place_of(new)) == (None, 0)
    assert seats.places()[0].name == "Ada"
    with pytest.raises(SeatingError, match="faces"):
        seats.come_back(0, FACES, FACES)
    again = PartySeats(tmp_path / "evening.json")
    assert again.place_of(again.come_back(0, OTHERS, FACES)) == 0


def test_whoever_tries_faces_is_shut_out_for_good(tmp_path):
    seats, old = party(tmp_path)
    for _ in range(MOST_WRONG):
        with pytest.raises(SeatingError, match="faces"):
            seats.come_back(0, OTHERS, OTHERS)
    seats = PartySeats(tmp_path / "evening.json")
    with pytest.raises(SeatingError, match="faces"):
        seats.come_back(0, FACES, FACES)
    assert seats.place_of(old) == 0, "the phone itself plays on"
    seats.sit(seats.stored.code, "Bo")
    for place in (1, 2):  # a guest without faces, and nobody
        with pytest.raises(SeatingError, match="faces"):
            seats.come_back(place, [], FACES)


def test_faces_are_drawn_by_chance():
    drawn = [tuple(drawn_faces()) for _ in range(200)]
    assert {len(each) for each in drawn} == {COUNT}
    assert len({*drawn}) > 150


async def posted(server, session, path, **body):
    headers = {"Origin": server.address}
    async with session.post(path, json=body, headers=headers) as answer:
        return await answer.json()


async def test_a_lost_phone_is_replaced_in_the_middle_of_a_match(tmp_path):
    async with partying(tmp_path) as (server, session):
        code = server.table.seats.stored.code
        ada = await posted(server, session, "/sit", invitation=code, name="Ada", face="fox")
        bo = await seated(server, session, "Bo", 1)
        phone, other = [
            await connected(server, session, guest(each)) for each in (ada["secret"], bo)
        ]
        await lobby(phone, lambda news: news["host"])
        await phone.send_json({"do": "begin"})
        assert (await welcome(phone))["seat"] == 0
        wanted = {"invitation": code, "place": 0, "faces": ada["back"]}
        assert await posted(server, session, "/return", **wanted) == {"why": "here"}
        await phone.close()
        await lobby(other, lambda news: not news["places"][0]["here"])
        found = await posted(server, session, "/invited", invitation=code)
        assert found["away"] == [{"place": 0, "name": "Ada", "face": "fox"}]
        assert await posted(server, session, "/return", **wanted | {"invitation": "X" * 16}) == {
            "why": "used"
        }
        back = await posted(server, session, "/return", **wanted)
        found = await welcome(await connected(server, session, guest(back["secret"])))
        assert (found["seat"], found["names"][0]) == (0, "Ada")
        assert back["back"] != ada["back"]
        stranger = await connected(server, session, guest(ada["secret"]))
        with pytest.raises(AssertionError, match="CLOSE"):
            await told(stranger, "welcome")
        assert (await posted(server, session, "/invited", invitation="X" * 16))["away"] == []


async def test_wrong_faces_of_one_address_bar_nobody_elses_return(tmp_path):
    async with partying(tmp_path) as (server, session):
        code = server.table.seats.stored.code
        ada = await posted(server, session, "/sit", invitation=code, name="Ada")
        wanted = {"invitation": code, "place": 0}
        wrong = {"faces": ada["back"][::-1] if ada["back"][::-1] != ada["back"] else OTHERS}
        for _ in range(MOST_WRONG_HERE):
            assert "why" in await posted(server, session, "/return", **wanted | wrong)
        right = wanted | {"faces": ada["back"]}
        assert await posted(server, session, "/return", **right) == {"why": "faces"}
        assert await posted_from("127.0.0.2", server, "/return", right) == 200


async def test_a_phone_that_is_hidden_or_silent_sleeps_for_all(tmp_path, monkeypatch):
    async with partying(tmp_path) as (server, session):
        secrets = [await seated(server, session, name, i) for i, name in enumerate(NAMES[:2])]
        pages = [await connected(server, session, guest(each)) for each in secrets]
        await lobby(pages[0], lambda news: news["host"])
        await pages[0].send_json({"do": "begin"})
        shown = await connected(server, session, host(server) | {"view": "screen"})
        while (await told(shown, "state")).get("here") != [0, 1]:
            pass
        for hidden, here in ((True, [0]), (False, [0, 1])):
            await pages[1].send_json({"do": "hidden", "on": hidden})
            while (await told(shown, "state")).get("here") != here:
                pass
            await lobby(pages[0], lambda news, awake=not hidden: news["places"][1]["here"] is awake)
        page = next(each for each in server.table.clients if each.player == 1)
        assert page.is_awake
        monkeypatch.setattr(page, "heard_s", page.heard_s - clients.ASLEEP_S - 1)
        while (await told(shown, "state")).get("here") != [0]:
            pass


def test_next_week_the_same_people_sit_there_and_the_tally_is_a_new_one(tmp_path):
    clock = [0.0]
    seats, secret = party(tmp_path, lambda: clock[0])
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


_LIED = Record(
    RULES["class"],
    NAMES,
    0,
    (Roll((3, 1)), Announce(41), Believe(), Roll((3, 2)), Announce(63), Doubt(), Lift((3, 2))),
)


def test_at_a_party_only_found_lies_are_in_the_report_and_the_kept_matches(tmp_path):
    keep_record(tmp_path, 3, _LIED)
    for hides_lies, known in ((True, public_record(_LIED)), (False, _LIED)):
        with ZipFile(BytesIO(archive_of(tmp_path, hides_lies=hides_lies))) as archive:
            assert archive.namelist() == ["match3.jsonl"]
            assert read(archive.read("match3.jsonl").decode()) == known
    assert archive_of(tmp_path, hides_lies=True) == archive_of(tmp_path, hides_lies=True)
    lies = {
        hides_lies: [
            row[:2] for row in evening_of(tmp_path, "en", hides_lies=hides_lies).players.rows
        ]
        for hides_lies in (True, False)
    }
    assert lies[True][0] != lies[False][0], "Ana's lie is her own"
    assert lies[True][1] == lies[False][1], "everybody saw that of Ben"


async def test_the_kept_matches_are_had_at_the_table(tmp_path):
    async with partying(tmp_path) as (server, session):
        async with session.get("/evening.zip") as answer:
            assert answer.status == 404
        keep_record(server.table.store.folder, 0, _LIED)
        async with session.get("/evening.zip") as answer:
            with ZipFile(BytesIO(await answer.read())) as archive:
                assert "[3, 2]" in (text := archive.read("match0.jsonl").decode())
        assert "[3, 1]" not in text


@pytest.mark.parametrize(("people", "knows"), [(1, True), (2, False)])
async def test_a_whole_record_is_had_by_who_plays_alone_and_by_no_stranger(tmp_path, people, knows):
    async with serving(tmp_path, people=people) as (
        server,
        session,
    ):
        page = await connected(server, session, hello("seat", 0) | {"sit": True})
        token = (await told(page, "welcome"))["token"]
        keep_record(server.table.store.folder, 0, _LIED)
        for headers, reveals in (({}, False), ({"Authorization": f"Bearer {token}"}, knows)):
            async with session.get("/match.jsonl?match=0", headers=headers) as answer:
                assert ("[3, 1]" in (kept := await answer.text())) == reveals
                assert "[3, 2]" in kept, "everybody saw those"
            async with session.get("/evening.zip", headers=headers) as answer:
                with ZipFile(BytesIO(await answer.read())) as archive:
                    assert archive.read("match0.jsonl").decode() == kept


def test_a_guest_taps_the_three_faces_on_another_phone(browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page, asked = context.new_page(), []
    page.set_default_timeout(PATIENCE_S * 1000)
    stage(page, f"/join#{'A' * 16}", (), "en")

    def answer(route):
        asked.append(json.loads(route.request.post_data))
        right = asked[-1]["faces"] == FACES
        told = {"secret": "S" * 43, "back": OTHERS} if right else {"why": "faces"}
        route.fulfill(status=200 if right else 409, body=json.dumps(told))

    page.route("**/return", answer)
    page.get_by_role("button", name="Back on another phone").click()
    page.get_by_role("button", name="Ben").click()
    for places in ((11, 7, 9), (9, 7, 11)):
        for place in places:
            page.get_by_role("button", name=f"Face {place}", exact=True).tap()
        if places[0] == 11:
            page.get_by_text("Those are other faces").wait_for()
    page.wait_for_url("**/phone")
    assert [(each["place"], each["invitation"]) for each in asked] == [(1, "A" * 16)] * 2
    assert page.evaluate("localStorage['maexchen.back.127.0.0.1:9']") == " ".join(OTHERS)
    context.close()


def test_after_a_match_a_phone_has_links_for_next_week(browser):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_default_timeout(PATIENCE_S * 1000)
    page.add_init_script("localStorage['maexchen.back.127.0.0.1:9'] = 'fox owl cap';")
    stage(page, "/phone", [lobby_of(is_host=False, place=0)], "en")
    link = page.locator(".keepsakes .door")
    link.wait_for()
    assert link.get_attribute("href") == "/HKUR"
    assert page.get_by_role("link", name="This evening").get_attribute("href") == "/evening"
    page.get_by_label("menu").locator("summary").click()
    page.get_by_role("img", name="Face 9", exact=True).wait_for()
    page.close()


FILMED = """() => {
  const film = document.querySelector("video.awake");
  if (!film || film.paused) return false;
  return film.currentTime > 0 && film.currentTime < 4;
}"""


def test_without_a_wake_lock_a_phone_plays_a_dark_film_and_says_that_it_slept(browser):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined });")
    stage(page, "/seat/0", messages(STATES["waits"], "en"), "en")
    page.locator("video.awake[src]").wait_for(state="attached")
    page.locator("#hand").click(position={"x": 5, "y": 5})
    wait_until(page, lambda: page.evaluate(FILMED))
    assert page.get_by_text("fell asleep").count() == 0
    page.evaluate(
        """() => {
          for (const hidden of [true, false]) {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
          }
        }"""
    )
    page.get_by_text("This phone fell asleep").wait_for()
    wait_until(page, lambda: page.evaluate(FILMED))
    page.close()


@pytest.mark.parametrize("plays", [True, False])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_host_and_guest_read_that_a_cup_with_dice_of_its_own_is_at_the_hosts(
    browser, language, plays
):
    for is_host, lent in ((True, [1]), (False, [0]), (False, [])):
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.set_default_timeout(PATIENCE_S * 1000)
        page.add_init_script("delete window.WebAssembly")  # the page alone, without a handheld
        news = json.loads(lobby_of(is_host=is_host, place=0, plays=plays))
        told = [json.dumps(news | {"lent": lent, "owns": True, "alone": False})]
        state = messages(STATES["begins"], language) if plays else ()
        stage(page, "/phone", [*told, *state, *told], language)
        texts = section("page", language)
        late = "own_lent" if plays else "own_late"
        wanted = texts["own_lentOf"].replace("{names}", NAMES[1]) if is_host else texts[late]
        if lent:
            page.get_by_text(wanted, exact=True).first.wait_for()
        else:
            page.locator(".arrow, .places").first.wait_for(state="attached")
            assert wanted not in page.inner_text("body")
        page.close()
