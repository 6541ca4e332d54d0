"""Handhelds that phones keep for themselves, at an evening: what they stand, in virtual time."""

from operator import itemgetter
from random import Random

import msgspec
import pytest

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.link.broker.relay import Crossing, Published
from firmware.table.seat.cup_custody import Position
from game import Phase, Status
from hw_sim.clock import run
from tests.support.evenings import Guest, an_evening

SHORT = {"game": "sevens", "options": {"rounds": 1}, "bots": []}
LONG = {"game": "class", "options": {}, "bots": []}
NAMES = ("Ada", "Bo", "Cy")


def at_an_evening(folder, work, names=NAMES, plan=LONG, seed=1):
    """Do some work at an evening; ``plan``: of the match that is played then, None for none."""

    async def main():
        async with an_evening(folder / "evening", seed) as evening:
            await evening.gather(*names)
            if plan is not None:
                await evening.begin(plan)
            await work(evening, *evening.guests)

    run(main())


def test_a_match_that_is_not_kept_yet_ends_with_its_page(tmp_path):
    async def work(evening, ada, bo):
        begun, own = [], ada.own
        again = own.again

        def watched():
            begun.append(again())
            return begun[-1]

        async def for_ever(_data):
            await evening.broker.loop.create_future()

        own.again, own.keep = watched, for_ever
        evening.ask_to_begin(SHORT)
        await evening.until(lambda: begun and bo.world is not None, 30)
        ada.close()
        await evening.wait(1)
        assert begun[0].is_closed

    at_an_evening(tmp_path, work, NAMES[:2], None)


def test_a_phone_that_hears_of_the_next_table_first_sits_down_at_the_one_it_tapped_for(tmp_path):
    async def work(evening, *guests):
        gathering = evening.host.gathering
        tell = gathering.changed

        def at_once():
            tell()
            room = gathering.room
            for guest in guests:
                guest.py.gather(guest.name, room.host, room.session)

        gathering.changed = at_once
        await evening.begin(SHORT)
        await evening.until(lambda: evening.gathered(2), 30)

    at_an_evening(tmp_path, work, NAMES[:2], None)


def test_a_phone_that_is_asleep_at_the_start_is_left_out_of_the_match(tmp_path):
    async def work(evening, ada, bo, _):
        bo.freeze()
        evening.ask_to_begin(SHORT)
        await evening.until(lambda: evening.host.world is not None, 15)
        assert evening.host.world.setup.table.names == ("Ada", "Cy")

    at_an_evening(tmp_path, work, plan=None)


def test_the_room_hears_of_a_shake_of_a_phone_whose_dice_are_its_own(tmp_path):
    def doing(evening):
        looks = [each.get("seats", {}) for each in evening.host.screen]
        told = [(int(seat), look.get("doing")) for each in looks for seat, look in each.items()]
        return [each for each in told if each[1] is not None]

    async def work(evening, ada, bo):
        await evening.wait(1)
        evening.host.screen.clear()
        ada.tell(do="shaken", on=True)
        await evening.wait(1)
        bo.tell(do="shaken", on=True)
        ada.tell(do="shaken", on=False)
        await evening.wait(10)
        told = doing(evening)  # what two phones say at once comes in any order
        assert sorted(told, key=itemgetter(0)) == [(0, "shakes"), (0, ""), (1, "shakes"), (1, "")]
        assert (told[0], told[-1]) == ((0, "shakes"), (1, ""))

    at_an_evening(tmp_path, work, NAMES[:2], SHORT)


VERDICTS = ("was lying", "It is true", "You were caught")


def verdicts(phone):
    """Yield a page's messages in their order: "up", "down", "verdict" and "panel"."""
    for kind, news in phone.told:
        if kind == "panel":
            yield "panel"
        elif kind == "text" and news["is"] == "eyes":
            yield "up" if news["up"] else "down"
        elif (
            kind == "text"
            and news["is"] == "says"
            and any(each in news["text"] for each in VERDICTS)
        ):
            yield "verdict"


def shown_at(evening):
    """The phones that have shown a verdict."""
    return [phone for phone in evening.guests if "verdict" in verdicts(phone)]


@pytest.mark.whole
def test_a_phone_shows_a_verdict_when_the_big_screen_has_or_is_late(tmp_path):
    async def work(evening, ada, *_):
        for phone in evening.guests:
            phone.py.look_up(True)
        await evening.until(lambda: "up" in verdicts(ada), 600)
        ada.py.look_here()
        await evening.until(lambda: "down" in verdicts(ada), 1)
        await evening.until(lambda: len(shown_at(evening)) >= 2, 20)  # the third may begin a round
        for phone in shown_at(evening):
            told = [*verdicts(phone)]
            at = told.index("up")
            assert told[at + 1] == "down"
            assert "verdict" not in told[:at]

    at_an_evening(tmp_path, work)


@pytest.mark.whole
def test_a_match_goes_on_through_a_reload_a_locked_phone_no_network_and_a_killed_host(tmp_path):
    async def work(evening, ada, bo, cy):
        await evening.plays_on()
        ada.again()
        await evening.plays_on()
        bo.lock()
        await evening.wait(60)
        bo.unlock()
        await evening.plays_on()
        cy.lose_network()
        await evening.wait(30)
        cy.network = True
        await evening.plays_on()
        evening.host.close()
        await evening.wait(5)
        await evening.host.open(link="")
        await evening.plays_on()
        assert not evening.is_over, "it went on through all of that"
        await evening.until(lambda: evening.is_over, 4000)
        evening.check_the_end()

    at_an_evening(tmp_path, work)


class Meddler:
    """A hostile broker: from when it is on, it drops, doubles, changes, keeps and exchanges."""

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
def test_a_broker_that_drops_changes_repeats_and_exchanges_frames_brings_no_other_dice(tmp_path):
    async def work(evening, *guests):
        meddler = Meddler()
        for each in (evening.host, *guests):
            each.meddle = meddler
        meddler.is_on = True
        await evening.wait(150)
        assert meddler.done > 20
        meddler.is_on = False
        await evening.until(lambda: evening.is_over, 4000)
        evening.check_the_end()

    at_an_evening(tmp_path, work)


@pytest.mark.night
def test_a_second_tab_takes_over_from_one_that_sleeps_and_the_first_says_nothing_more(tmp_path):
    async def work(evening, ada, *_):
        ada.disown()
        second = Guest(evening, ada.name, evening.host.link)
        second.secret, second.stored, evening.guests[0] = ada.secret, ada.stored, second
        second.open()
        await evening.until(lambda: evening.hop >= 4, 600)
        (seat,) = ada.world.table.seats
        assert seat.device.screen == AlertPage(Alert.STORE)
        await evening.until(lambda: evening.is_over, 4000)
        evening.check_the_end()
        ada.close()

    at_an_evening(tmp_path, work)


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
@pytest.mark.parametrize(
    "place",
    [pytest.param(each, marks=() if "with" in each else pytest.mark.night) for each in PLACES],
)
def test_a_match_goes_on_without_a_phone_wherever_its_cup_was(place, tmp_path):
    async def work(evening, lost, *_):
        if PLACES[place](lost):
            await evening.until(lambda: not PLACES[place](lost), 600)
        if "comes" in place:
            await evening.until(lambda: is_at(Position.OFFERED)(lost), 600)
            lost.is_deaf = True
        await evening.until(lambda: PLACES[place](lost), 600)
        evening.lose(lost)
        watcher = evening.host.watcher
        await evening.until(lambda: watcher.handheld.match.status[0] is Status.LEFT, 200)
        known = watcher.log.at.index
        await evening.until(lambda: evening.is_over or watcher.log.at.index > known + 5, 300)

    at_an_evening(tmp_path, work)


@pytest.mark.whole
@pytest.mark.parametrize("seed", [1, 2])  # the cup is offered to the phone, and elsewhere
def test_a_bot_agrees_to_go_on_without_a_phone(seed, tmp_path):
    async def work(evening, ada, _):
        await evening.until(lambda: evening.hop >= 2, 600)
        evening.lose(ada)
        watcher = evening.host.watcher
        await evening.until(lambda: watcher.handheld.match.status[0] is Status.LEFT, 300)

    at_an_evening(tmp_path, work, NAMES[:2], {**LONG, "bots": ["cheeky"]}, seed)
