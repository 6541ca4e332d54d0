"""Handhelds that phones keep for themselves, at a party: what they stand, in virtual time."""

import asyncio
from random import Random

import msgspec
import pytest

from firmware.display.screens import AlertPage
from firmware.display.text.alerts import Alert
from firmware.link.broker.relay import Crossing, Published
from firmware.table.seat.position import Position
from game import Phase, Status
from hw_sim.live.web import incoming
from hw_sim.live.web.access import rights_of
from hw_sim.live.web.client import Client
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.steckbrett.clock.virtual import run
from tests.support.own_phones import a_party

SHORT = MatchPlan("sevens", {"rounds": 1}, ())
LONG = MatchPlan("class", {}, ())


async def begun(party, plan, names):
    """Begin a match of phones with handhelds of their own."""
    for place, name in enumerate(names):
        await party.phone(name, place)
    party.seats.choose(plan)
    await party.until(lambda: party.gathered(len(names)), 30)
    party.begin()
    await party.until(lambda: all(each.world is not None for each in party.phones), 30)


def test_phones_with_own_dice_one_at_the_host_and_a_bot_play_a_match(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            party.seats.sit(party.seats.stored.code, "Cy")
            plan = MatchPlan("sevens", {"rounds": 1}, ("cheeky",))
            await begun(party, plan, ("Ada", "Bo"))
            assert party.world.setup.table.here == (0, 3, 4), "Cy, the bot, and who watches"
            assert party.world.setup.table.names[:3] == ("Cy", "Ada", "Bo")
            gathering = party.table.lobby.gathering
            assert {each.handheld.numbers for each in party.phones} == {gathering.numbers}
            await party.until(lambda: party.is_over, 1200)
            party.check_the_end()

    run(main())


def test_a_match_that_is_not_kept_yet_ends_with_its_page(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            worlds = []
            ada, bo = [await party.phone(name, place) for place, name in enumerate(("Ada", "Bo"))]
            party.seats.choose(SHORT)
            await party.until(lambda: party.gathered(2), 30)
            ada.keep_for_ever(worlds)
            party.begin()
            await party.until(lambda: worlds and bo.world is not None, 30)
            ada.close()
            await party.wait(1)
            assert ada.world is None
            assert worlds[0].is_closed

    run(main())


def test_a_phone_that_hears_of_the_next_table_first_sits_down_at_the_one_it_tapped_for(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            party.hurry()
            await begun(party, SHORT, ("Ada", "Bo"))
            await party.until(lambda: party.gathered(2), 30)

    run(main())


def test_a_phone_that_is_asleep_at_the_start_has_its_cup_at_the_host_the_next_time(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            for place, name in enumerate(("Ada", "Bo")):
                await party.phone(name, place)
            party.seats.choose(SHORT)
            await party.until(lambda: party.gathered(2), 30)
            party.phones[1].freeze()
            party.begin()
            await party.until(lambda: party.gathered(1), 15)
            assert party.world is None
            party.begin()
            await party.until(lambda: party.world is not None, 15)
            assert party.world.setup.table.here == (1, 2), "Bo, and who watches"

    run(main())


class Screen:
    """A page that keeps what each seat does there, as it hears of it."""

    def __init__(self):
        self.doing = []

    async def send(self, text):
        news = msgspec.json.decode(text)
        for seat, look in news.get("seats", {}).items():
            if "doing" in look:
                self.doing.append((int(seat), look["doing"]))


def test_the_room_hears_of_a_shake_of_a_phone_whose_dice_are_its_own(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            await begun(party, SHORT, ("Ada", "Bo"))
            screen, pages = Screen(), [Client(None) for _ in range(2)]
            watching = Client(screen)
            watching.rights = rights_of("screen", "en", None, 2, alone=False)
            for seat, page in enumerate(pages):
                page.rights = rights_of("seat", "en", seat, 2, alone=False)
            party.table.clients += [watching, *pages]
            sending = asyncio.create_task(watching.send_queued())
            await party.wait(1)
            screen.doing.clear()
            party.table.handle(pages[0], incoming.Shake(True))
            await party.wait(1)
            party.table.handle(pages[1], incoming.Shake(True))
            party.table.handle(pages[0], incoming.Shake(False))
            await party.wait(10)
            assert screen.doing == [(0, "shakes"), (0, ""), (1, "shakes"), (1, "")]
            sending.cancel()

    run(main())


VERDICTS = ("was lying", "It is true", "You were caught")


def verdicts(phone):
    """Yield a page's messages in their order: "up", "down", "verdict" and "panel"."""
    for kind, text in phone.told:
        news = msgspec.json.decode(text) if kind == "text" else {"is": kind}
        if news["is"] == "eyes":
            yield "up" if news["up"] else "down"
        elif news["is"] == "says" and any(each in news["text"] for each in VERDICTS):
            yield "verdict"
        elif news["is"] == "panel":
            yield "panel"


@pytest.mark.whole
def test_a_phone_shows_a_verdict_when_the_big_screen_has_or_is_late(tmp_path):
    async def main():
        async with a_party(tmp_path / "party", seed=2) as party:  # Ada begins no round meanwhile
            await begun(party, LONG, ("Ada", "Bo", "Cy"))
            for phone in party.phones:
                phone.handheld.screens = 1
            ada = party.phones[0]
            await party.until(lambda: "up" in verdicts(ada), 600)
            ada.handheld.look_here()
            await party.until(lambda: "down" in verdicts(ada), 1)
            for phone in party.phones:
                await party.until(lambda phone=phone: "verdict" in verdicts(phone), 20)
                told = [*verdicts(phone)]
                at = told.index("up")
                assert told[at + 1] == "down"
                assert "verdict" not in told[:at]

    run(main())


@pytest.mark.whole
def test_a_match_goes_on_through_a_reload_a_locked_phone_no_network_and_a_killed_host(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            await begun(party, LONG, ("Ada", "Bo", "Cy"))
            ada, bo, cy = party.phones

            async def plays_on(hops=2):
                reached = party.hop + hops
                await party.until(lambda: party.is_over or party.hop >= reached, 600)

            await plays_on()
            ada.close()
            await ada.open()
            await plays_on()
            bo.lock()
            await party.wait(60)
            bo.unlock()
            await plays_on()
            cy.lose_network()
            await party.wait(30)
            cy.network = True
            await plays_on()
            await party.kill()
            await party.wait(5)
            await party.open()
            await plays_on()
            assert not party.is_over, "it went on through all of that"
            await party.until(lambda: party.is_over, 4000)
            party.check_the_end()

    run(main())


class Meddler:
    """A hostile relay: from when it is on, it drops, doubles, changes, keeps back and exchanges."""

    def __init__(self):
        self.chance, self.is_on, self.kept, self.done = Random(5), False, [], 0

    def __call__(self, text):
        what = self.chance.randrange(24)
        if not self.is_on or what > 4 or '"says"' not in text:
            return [text]
        self.done += 1
        came = msgspec.json.decode(text, type=Crossing)
        payload = bytearray(came.message.payload)
        if what == 0 or not payload:
            return []
        if what == 1:
            return [text, text]
        if what == 2:
            payload[self.chance.randrange(len(payload))] ^= 1 << self.chance.randrange(8)
            changed = came.message._replace(payload=bytes(payload))
            return [msgspec.json.encode(Published(changed)).decode()]
        self.kept.append(text)
        return [] if what == 3 else [self.chance.choice(self.kept)]


@pytest.mark.whole
def test_a_relay_that_drops_changes_repeats_and_exchanges_frames_brings_no_other_dice(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            party.meddle = meddler = Meddler()
            await begun(party, LONG, ("Ada", "Bo", "Cy"))
            meddler.is_on = True
            await party.wait(400)
            assert meddler.done > 50
            meddler.is_on = False
            await party.until(lambda: party.is_over, 4000)
            party.check_the_end()

    run(main())


@pytest.mark.whole
def test_a_second_tab_takes_over_from_one_that_sleeps_and_the_first_says_nothing_more(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            await begun(party, LONG, ("Ada", "Bo", "Cy"))
            ada = party.phones[0]
            first = ada.handheld
            ada.disown()
            await ada.open()
            await party.until(lambda: party.hop >= 4, 600)
            (seat,) = first.match.world.table.here
            assert seat.device.screen == AlertPage(Alert.STORE)
            await party.until(lambda: party.is_over, 4000)
            party.check_the_end()

    run(main())


@pytest.mark.whole
def test_a_phone_that_is_lost_takes_its_dice_along_and_another_plays_the_next_match(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            await begun(party, LONG, ("Ada", "Bo", "Cy"))
            await party.until(lambda: party.hop >= 2, 600)
            lost = party.phones.pop(0)
            lost.close()
            await party.wait(30)
            party.agree_without(0)
            await party.until(lambda: party.is_over, 4000)
            assert all(each.seat.handheld.position is Position.OVER for each in party.phones)
            party.seats.free(0)
            await party.phone("Ada", 0)
            await party.until(lambda: party.gathered(3), 30)
            before = party.world
            party.begin()
            await party.until(lambda: party.world is not before, 30)
            assert party.world.setup.table.here == (3,), "all three keep their dice themselves"

    run(main())


def is_at(position, *phases):
    """Return whether a phone is at a position, in one of these phases if any are named."""

    def is_so(phone):
        handheld = phone.seat.handheld
        return handheld.position is position and handheld.match.phase in (phases or Phase)

    return is_so


PLACES = {
    "before its first throw": is_at(Position.MINE, Phase.OPENING),
    "with dice under its cup": is_at(Position.MINE, Phase.THROWN),
    "while the cup is offered to it": is_at(Position.OFFERED),
    "while it offers the cup": is_at(Position.PASSING, Phase.OFFERED),
    "while the cup that it has asked for comes": is_at(Position.TAKING),
    "while the cup is elsewhere": is_at(Position.WATCHING),
}


@pytest.mark.whole
@pytest.mark.parametrize("place", PLACES)
def test_a_match_goes_on_without_a_phone_wherever_its_cup_was(place, tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            await begun(party, LONG, ("Ada", "Bo", "Cy"))
            lost = party.phones[0]
            if PLACES[place](lost):
                await party.until(lambda: not PLACES[place](lost), 600)
            if "comes" in place:
                await party.until(lambda: is_at(Position.OFFERED)(lost), 600)
                lost.deafen()
            await party.until(lambda: PLACES[place](lost), 600)
            party.phones.remove(lost)
            lost.close()
            party.agree_without(0)
            (watcher,) = party.world.table.here
            await party.until(lambda: watcher.handheld.match.status[0] is Status.LEFT, 200)
            known = watcher.log.at.index
            await party.until(lambda: party.is_over or watcher.log.at.index > known + 5, 300)

    run(main())


@pytest.mark.whole
def test_a_bot_agrees_to_go_on_without_a_phone(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            await begun(party, MatchPlan("class", {}, ("cheeky",)), ("Ada", "Bo"))
            await party.until(lambda: party.hop >= 2, 600)
            lost = party.phones.pop(0)
            lost.close()
            party.agree_without(0)
            watcher = party.world.table.here[-1]
            await party.until(lambda: watcher.handheld.match.status[0] is Status.LEFT, 300)

    run(main())
