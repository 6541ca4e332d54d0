"""An evening that a tab hosts, with guests over a broker that nobody trusts, in virtual time."""

import asyncio
import json
from urllib.parse import parse_qs, urlsplit

import pytest

from hw_sim.clock import run
from hw_sim.live.page.evening import HOST, NoBrokerError, open_evening
from tests.support.evenings import BROKER, SITE, an_evening

SHORT = {"game": "sevens", "options": {"rounds": 1}, "bots": []}
NAMES = ("Annabella", "Benedikta", "Caspar")


@pytest.mark.whole
def test_guests_and_a_bot_play_and_the_broker_learns_no_name_no_code_and_no_secret(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            await evening.gather(*NAMES[:2])
            await evening.begin({**SHORT, "bots": ["cheeky"]})
            assert evening.host.world.setup.table.part.here == (2, 3), "the bot, and who watches"
            numbers = evening.host.table.lobby.gathering.lobby.numbers
            assert {guest.py._own.numbers for guest in evening.guests} == {numbers}
            await evening.until(lambda: evening.is_over, 1200)
            evening.check_the_end()
            stored = evening.host.table.seats.stored
            private = json.loads((evening.host.folder / HOST).read_text())["private"]
            known = b"\n".join(each.topic.encode() + b" " + each.payload for each in evening.said)
            secrets = [stored.code, private, evening.guests[0].key, *NAMES[:2]]
            for secret in [*secrets, *(guest.secret for guest in evening.guests)]:
                assert secret.encode() not in known, secret
            assert evening.host.accounts == evening.guests[0].accounts == {("", "")}
            assert len(evening.said) > 30
            await evening.until(
                lambda: (
                    evening.host.last("lobby")["tally"]
                    and not evening.host.last("lobby")["playing"]
                ),
                60,
            )

    run(main())


@pytest.mark.night
def test_nine_phones_play_to_the_end(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            await evening.gather("Ada", "Bo", "Cy", "Dot", "Eve", "Flo", "Gil", "Hux", "Ira")
            await evening.begin(SHORT)
            await evening.until(lambda: evening.is_over, 3600)
            evening.check_the_end()
            assert len(evening.host.world.setup.table.names) == 9

    run(main())


def test_the_big_screen_shows_a_link_of_the_site_that_leads_to_the_room(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            await evening.until(lambda: evening.host.last("lobby"), 10)
            news = evening.host.last("lobby")
            link = urlsplit(news["door"]["link"])
            assert f"{link.scheme}://{link.netloc}{link.path}" == f"{SITE}join.html"
            code, key, broker = (
                parse_qs(link.fragment)[each][0] for each in ("room", "key", "broker")
            )
            assert (code, len(key), broker) == (news["door"]["code"], 43, BROKER)
            assert news["host"]
            assert news["door"]["room"] == evening.host.table.seats.stored.digits
            assert news["door"]["picture"].startswith("data:image/svg+xml")
            status, _, told = evening.host.py.ask("/link")
            assert (status, told.decode()) == (200, news["door"]["link"])

    run(main())


def test_phones_are_sent_no_picture_and_nothing_that_only_the_screen_shows(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            guest = await evening.guest("Ada")
            await evening.until(lambda: guest.lobby and evening.gathered(1), 30)
            await asyncio.sleep(2)
            was, lobby = guest.lobby, evening.host.table.lobby
            assert was["door"]["code"] == guest.code
            assert "svg" not in json.dumps(was)
            lobby.unreached, lobby.others = "wss://other", ("http://192.0.2.1/",)
            lobby.plan()
            await evening.until(lambda: evening.host.last("lobby")["unreached"], 2)
            await asyncio.sleep(2)
            assert guest.lobby is was

    run(main())


def test_a_guest_may_begin_while_present_and_is_refused_what_is_no_wish(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            await evening.gather(*NAMES[:2])
            first, second = evening.guests
            await evening.until(lambda: first.lobby["host"] and not second.lobby["host"], 10)
            wrong = second.ask("/sit", face="fox")
            await evening.until(lambda: second.answers[wrong], 10)
            assert second.answers[wrong][0] == 400
            games = second.ask("/evening.json?language=en")
            await evening.until(lambda: second.answers[games], 10)
            assert second.answers[games][0] == 404
            first.close()
            await evening.until(lambda: second.lobby["host"], 60)
            second.tell(do="choose", plan={**SHORT, "bots": ["cheeky"]})
            second.tell(do="begin")
            await evening.until(lambda: second.world is not None, 60)

    run(main())


@pytest.mark.whole
def test_a_match_goes_on_without_its_host_who_comes_back_for_the_next_one(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening", seed=2) as evening:
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
            await evening.until(lambda: evening.is_over, 1200)
            evening.check_the_end()

    run(main())


def test_a_host_whose_tab_is_loaded_anew_as_soon_as_phones_play_plays_its_bot_on(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening", seed=3) as evening:
            await evening.gather(*NAMES[:2])
            evening.host.keep_only_when_asked()
            await evening.begin({**SHORT, "bots": ["cheeky"]})
            await evening.host.again()
            assert evening.host.world.setup.table.part.here == (2, 3), "the bot, and who watches"
            await evening.plays_on()

    run(main())


def test_a_broker_that_is_lost_is_told_of_and_the_evening_goes_on_when_it_is_back(tmp_path):
    async def main():
        async with an_evening(tmp_path / "evening", seed=4) as evening:
            await evening.gather(*NAMES[:2])
            assert evening.host.last("lobby")["unreached"] == ""
            evening.broker.kill()
            for tab in (evening.host, *evening.guests):
                tab.lose()
            await evening.until(lambda: evening.host.last("lobby")["unreached"] == BROKER, 30)
            evening.broker.start()
            await evening.until(lambda: evening.host.last("lobby")["unreached"] == "", 60)
            await evening.until(lambda: evening.gathered(2), 120)
            await evening.begin(SHORT)

    run(main())


def test_an_evening_wants_a_broker(tmp_path):
    async def main():
        with pytest.raises(NoBrokerError, match="broker"):
            await open_evening(tmp_path / "new", SITE, "", "en", *[print] * 5)

    run(main())
    assert not (tmp_path / "new").exists()
