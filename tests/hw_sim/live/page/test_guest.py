"""A guest's phone at an evening that a tab hosts: its line, its requests, and its way back."""

import asyncio
import json

from game import RULES
from hw_sim.clock import run
from hw_sim.live.page.evening_line import LOST
from hw_sim.live.web.seating import DRAWN, MOST_PLAYERS
from tests.support.evenings import RELEASE, Guest, an_evening

SHORT = {"game": "sevens", "options": {"rounds": 1}, "bots": []}


async def answer_to(evening, guest, path, **body):
    """Return the status and the text of what a guest's page asks for."""
    number = guest.ask(path, **body)
    await evening.until(lambda: guest.answers[number], 60)
    return guest.answers[number]


def opened(evening, link=None):
    """Return a phone whose page is open, and who has no place yet."""
    guest = Guest(evening, "Cy", link or evening.host.link)
    evening.guests.append(guest)
    guest.open()
    return guest


def test_a_page_that_asks_before_python_has_the_line_is_answered_once_it_is_open(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            guest = opened(evening)
            number = guest.ask("/invited")
            assert guest.answers[number] is None
            await evening.until(lambda: guest.answers[number], 10)
            status, told = guest.answers[number]
            assert (status, json.loads(told)["invited"]) == (200, True)
            assert guest.release == RELEASE

    run(main())


def test_games_are_told_by_the_phone_itself_while_the_host_is_away(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            guest = opened(evening)
            evening.broker.kill()
            for path, status in (("/games?language=de", 200), ("/card.svg?language=de", 404)):
                number = guest.ask(path)
                assert guest.answers[number][0] == status
            told = json.loads(guest.answers[1][1])["games"]
            assert {*RULES} <= {each["game"] for each in told}

    run(main())


def test_a_line_that_is_lost_ends_what_went_over_it_and_comes_back_by_itself(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
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

    run(main())


def test_a_host_that_comes_back_is_noticed_within_two_seconds(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            guest = await evening.guest("Ada")
            await evening.until(lambda: evening.gathered(1), 30)
            for seconds in (0, 5):
                await asyncio.sleep(20)
                evening.host.close()
                await asyncio.sleep(seconds)
                await evening.host.open(link="")
                guest.lobby = None
                await evening.until(lambda: guest.lobby, 2)

    run(main())


def test_a_phone_with_the_wrong_key_reaches_nobody(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            link = evening.host.link
            key = link.split("key=")[1][:43]
            other = ("B" if key[0] == "A" else "A") + key[1:]
            guest = opened(evening, link.replace(key, other))
            number = guest.ask("/invited")
            await asyncio.sleep(60)
            assert guest.answers[number] is None
            assert not evening.host.py.guests._guests

    run(main())


def test_a_room_whose_places_are_all_taken_says_so(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            seats = evening.host.table.seats
            for number in range(MOST_PLAYERS):
                seats.sit(f"Guest {number}", "", list(DRAWN[:3]))
            guest = opened(evening)
            _, told = await answer_to(evening, guest, "/invited")
            assert not json.loads(told)["invited"]
            status, told = await answer_to(evening, guest, "/sit", name="Cy", face="")
            assert (status, json.loads(told)["why"]) == (409, "used")

    run(main())


def test_a_guest_whose_answer_was_lost_asks_again_and_has_the_same_place(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
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

    run(main())


def test_the_last_guest_whose_answer_was_lost_is_told_of_a_place(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            seats = evening.host.table.seats
            for number in range(MOST_PLAYERS):
                seats.sit(f"Guest {number}", "", list(DRAWN[:3]), str(number) * 22)
            guest = opened(evening)
            for once, is_known in (("8" * 22, True), ("9" * 22, False), ("", False)):
                _, told = await answer_to(evening, guest, "/invited", once=once)
                assert json.loads(told)["invited"] is is_known

    run(main())


def test_a_phone_that_is_loaded_anew_in_the_lobby_plays_as_soon_as_it_is_back(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening", seed=5) as evening:
            for name in ("Ada", "Bo"):
                await evening.guest(name)
            _, bo = evening.guests
            await evening.until(lambda: evening.gathered(2), 30)
            bo.close()
            bo.open()
            evening.host.say_on_screen(do="choose", plan=SHORT)
            back_s = asyncio.get_running_loop().time() + 2
            await evening.until(lambda: asyncio.get_running_loop().time() > back_s)
            evening.host.say_on_screen(do="begin")
            await evening.until(lambda: None not in evening.worlds, 10)
            assert sorted(evening.seats) == [0, 1]

    run(main())


def test_another_phone_comes_back_with_three_faces_and_plays_the_next_match(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            await evening.guest("Ada")
            lost = opened(evening)
            number = lost.ask("/sit", name="Bo", face="fox")
            await evening.until(lambda: lost.answers[number], 30)
            faces = json.loads(lost.answers[number][1])["back"]
            evening.guests.remove(lost)
            lost.close()
            bo = opened(evening)
            _, told = await answer_to(evening, bo, "/invited")
            assert [each["name"] for each in json.loads(told)["away"]] == ["Bo"]
            place = json.loads(told)["away"][0]["place"]
            asked = {"place": place}
            wrong = [next(each for each in DRAWN if each != faces[0]), *faces[1:]]
            status, told = await answer_to(evening, bo, "/return", **asked, faces=wrong)
            assert (status, json.loads(told)["why"]) == (409, "faces")
            status, told = await answer_to(evening, bo, "/return", **asked, faces=faces)
            assert status == 200
            bo.name, bo.secret = "Bo", json.loads(told)["secret"]
            bo.py.let_in(bo.secret)
            bo._open_line()
            await evening.until(lambda: evening.gathered(2), 30)
            evening.host.say_on_screen(do="choose", plan=SHORT)
            evening.host.say_on_screen(do="begin")
            await evening.until(lambda: None not in evening.worlds, 30)
            assert evening.host.world.setup.table.names == ("Ada", "Bo")

    run(main())
