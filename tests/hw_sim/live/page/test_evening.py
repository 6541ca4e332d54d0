"""An evening that a tab hosts, and its guests' phones, over a broker that nobody trusts.

A phone has a line to the host, its requests, and its way back. Time is virtual.
"""

import asyncio
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from game import RULES
from game.options import MOST_PLAYERS
from hw_sim.live.page.evening import SEATS
from hw_sim.live.page.evening_line import LOST
from hw_sim.live.web.match_plan import DRAWN
from tests.support.evenings import BROKER, LONG, MIXED, RELEASE, SHORT, SITE, Guest, an_evening, at

NAMES = ("Annabella", "Benedikta", "Caspar")


@at(an_evening)
async def test_the_big_screen_shows_a_link_of_the_site_that_leads_to_the_room(evening):
    await evening.until(lambda: evening.host.last("lobby"), 10)
    news = evening.host.last("lobby")
    link = urlsplit(news["door"]["link"])
    assert f"{link.scheme}://{link.netloc}{link.path}" == f"{SITE}join.html"
    code, key, broker = (parse_qs(link.fragment)[each][0] for each in ("room", "key", "broker"))
    assert (code, len(key), broker) == (news["door"]["code"], 43, BROKER)
    assert news["host"]
    assert news["door"]["room"] == evening.host.table.seats.stored.digits
    assert news["door"]["picture"].startswith("data:image/svg+xml")
    status, _, told = evening.host.py.ask("/link")
    assert (status, told.decode()) == (200, news["door"]["link"])


@pytest.mark.whole
@at(an_evening)
async def test_a_guest_may_begin_while_present_and_is_refused_what_is_no_wish(evening):
    await evening.gather(*NAMES[:2])
    first, second = evening.guests
    await evening.until(lambda: first.lobby["host"] and not second.lobby["host"], 10)
    wrong = second.ask("/sit", face="fox")
    await evening.until(lambda: second.answers[wrong], 10)
    assert second.answers[wrong][0] == 400
    assert second.release == RELEASE
    games = second.ask("/evening.json?language=en")
    await evening.until(lambda: second.answers[games], 10)
    assert second.answers[games][0] == 404
    first.close()
    await evening.until(lambda: second.lobby["host"], 60)
    second.tell(do="choose", plan=MIXED)
    second.tell(do="begin")
    await evening.until(lambda: second.world is not None, 60)
    assert "svg" not in json.dumps(second.lobby), "the picture of the code is the screen's"
    assert evening.host.world.session is None, "what others do is in no session"


async def counted(evening, played):
    """Wait for the end of a match; its people have played so many, and the browser keeps that."""
    host = evening.host
    await evening.until(lambda: host.world.is_over and not host.last("lobby")["playing"], 1200)
    assert [each.played for each in host.table.seats.tally.values()] == [played] * len(NAMES)
    await evening.until(lambda: f'"played":{played},'.encode() in host.kept[Path(SEATS)], 10)


@pytest.mark.whole
@at(an_evening, seed=2)
async def test_a_match_goes_on_without_its_host_who_comes_back_for_the_next_one(evening):
    await evening.gather(*NAMES)
    await evening.begin(SHORT)
    link, seats, played = evening.host.link, evening.seats, evening.worlds
    await evening.plays_on()
    assert not evening.is_over
    evening.host.close()
    await evening.until(lambda: all(world.is_over for world in evening.worlds), 1200)
    assert evening.worlds == played
    await evening.host.open(link="")
    assert evening.host.link == link
    await evening.until(lambda: evening.host.world.is_over, 120)
    evening.check_the_end()
    await evening.until(lambda: evening.gathered(3), 60)
    assert evening.host.table.seats.guests == [0, 1, 2]
    await evening.begin(SHORT)
    assert evening.seats == seats
    assert evening.host.world.setup.table.names == NAMES
    await evening.plays_on()
    await evening.agree()
    await counted(evening, 2)
    evening.host.close()
    evening.host.kept[Path("table.json")] = b"cut"
    await evening.host.open(link="")
    assert evening.host.py.told == ("site_badStore", "")
    assert [each.played for each in evening.host.table.seats.tally.values()] == [2] * len(NAMES)


@at(an_evening, seed=3)
async def test_a_host_whose_tab_is_loaded_anew_as_soon_as_phones_play_plays_its_bot_on(evening):
    await evening.gather(*NAMES[:2])
    evening.host.keep_only_when_asked()
    await evening.begin(MIXED)
    await evening.host.again()
    assert evening.host.world.setup.table.part.local_seats == (2, 3), "the bot, and who watches"
    await evening.plays_on()


@pytest.mark.whole
@pytest.mark.parametrize(("plan", "silent", "here"), [(SHORT, 2, 2), (LONG, 1, 3)])
@at(an_evening)
async def test_a_start_without_which_too_few_are_left_is_pressed_again(
    evening, *, plan, silent, here
):
    await evening.gather(*NAMES[:here])
    for guest in evening.guests[:silent]:
        guest.again()  # its handheld comes too late for the list
    evening.ask_to_begin(plan)
    await evening.until(lambda: evening.host.last("refused"), 30)
    assert evening.host.last("refused")["why"] == "silent"
    await evening.begin()


async def answer_to(evening, guest, path, **body):
    """Return the status and the text of what a guest's page asks for."""
    number = guest.ask(path, **body)
    await evening.until(lambda: guest.answers[number], 60)
    return guest.answers[number]


def opened(evening):
    """Return a phone whose page is open, and who has no place yet."""
    guest = Guest(evening, "Cy", evening.host.link)
    evening.guests.append(guest)
    guest.open()
    return guest


@at(an_evening)
async def test_games_are_told_by_the_phone_itself_while_the_host_is_away(evening):
    guest = opened(evening)
    evening.broker.kill()
    for path, status in (("/games?language=de", 200), ("/card.svg?language=de", 404)):
        number = guest.ask(path)
        assert guest.answers[number][0] == status
    told = json.loads(guest.answers[1][1])["games"]
    assert {*RULES} <= {each["game"] for each in told}


@pytest.mark.whole
@at(an_evening)
async def test_a_line_that_is_lost_ends_what_went_over_it_and_soon_comes_back_by_itself(evening):
    guest = await evening.guest("Ada")
    await evening.until(lambda: evening.gathered(1), 30)
    evening.host.close()
    number = guest.ask("/invited")
    await evening.until(lambda: guest.answers[number], 60)
    assert guest.answers[number] == (LOST, "")
    assert not guest.py._line.is_open
    await evening.host.open(link="")
    await evening.until(lambda: guest.py._line.is_open, 60)
    guest.lobby = None
    await evening.until(lambda: guest.lobby and evening.gathered(1), 60)
    assert guest.lobby["places"][0]["name"] == "Ada"
    for seconds in (0, 5):
        await asyncio.sleep(20)
        evening.host.close()
        await asyncio.sleep(seconds)
        await evening.host.open(link="")
        guest.lobby = None
        await evening.until(lambda: guest.lobby, 2)


@at(an_evening)
async def test_a_guest_whose_answer_was_lost_asks_again_and_has_the_same_place(evening):
    guest, seats = opened(evening), evening.host.table.seats
    await evening.until(lambda: guest.py._line.is_open, 10)
    wish = {"name": "Bo", "face": "fox", "once": "b" * 22}
    number = guest.ask("/sit", **wish)
    for _ in range(1000):
        await asyncio.sleep(0.001)
        if seats.guests:
            break
    guest.lose()
    await evening.until(lambda: guest.answers[number], 60)
    assert guest.answers[number] == (LOST, "")
    _, told = await answer_to(evening, guest, "/invited")
    assert json.loads(told)["away"], "somebody has that place"
    status, told = await answer_to(evening, guest, "/sit", **wish)
    found = json.loads(told)
    assert (status, seats.guests, seats.place_of(found["secret"])) == (200, [0], 0)
    status, told = await answer_to(evening, guest, "/sit", **wish | {"once": "c" * 22})
    assert (status, json.loads(told)["why"]) == (409, "double")
    seats.come_back(0, found["back"], list(DRAWN[:3]))
    status, told = await answer_to(evening, guest, "/sit", **wish)
    assert (status, json.loads(told)["why"]) == (409, "double"), "another phone has it"
    for number in range(1, MOST_PLAYERS):
        seats.sit(f"Guest {number}", "", list(DRAWN[:3]), str(number) * 22)
    for once, is_known in (("8" * 22, True), ("9" * 22, False), ("", False)):
        _, told = await answer_to(evening, guest, "/invited", once=once)
        assert json.loads(told)["invited"] is is_known
