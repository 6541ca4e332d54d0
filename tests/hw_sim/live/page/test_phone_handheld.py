"""Handhelds that phones keep for themselves, at an evening: what they stand, in virtual time."""

import asyncio
from contextlib import asynccontextmanager
from itertools import product
from operator import itemgetter
from random import Random

import msgspec
import pytest

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.link.broker.relay import Crossing, Published
from firmware.table.protocol.room_line import LOST_US
from firmware.table.seat.cup_custody import Position
from game import Phase, Status
from game.actions import Doubt
from tests.support.evenings import LONG, SHORT, Guest, an_evening, at
from tests.support.nights import nightly

NAMES = ("Ada", "Bo", "Cy")


@asynccontextmanager
async def playing(folder, names=NAMES, plan=LONG, seed=1):
    """An evening with guests; ``plan``: of the match that is played then, None for none."""
    async with an_evening(folder, seed) as evening:
        await evening.gather(*names)
        if plan is not None:
            await evening.begin(plan)
        yield evening, *evening.guests


@pytest.mark.whole
@at(playing, NAMES[:2], None)
async def test_a_match_that_is_not_kept_yet_ends_with_its_page(evening, ada, bo):
    begun, own = [], ada.own
    again = own.again

    def watched():
        begun.append(again())
        return begun[-1]

    async def for_ever(_data):
        await evening.broker.loop.create_future()

    own.again, ada.browser.store = watched, for_ever
    evening.ask_to_begin(SHORT)
    await evening.until(lambda: begun and bo.world is not None, 30)
    ada.close()
    await evening.wait(1)
    assert begun[0].is_closed


@at(playing, plan=None)
async def test_a_phone_that_is_asleep_at_the_start_is_left_out_of_the_match(evening, ada, bo, cy):
    bo.freeze()
    evening.ask_to_begin(SHORT)
    await evening.until(lambda: evening.host.world is not None, 15)
    assert evening.host.world.setup.table.names == ("Ada", "Cy")


@pytest.mark.whole
@at(playing, NAMES[:2], SHORT)
async def test_the_room_hears_of_a_shake_of_a_phone_whose_dice_are_its_own(evening, ada, bo):
    await evening.wait(1)
    evening.host.screen.clear()
    ada.tell(do="shaken", on=True)
    await evening.wait(1)
    bo.tell(do="shaken", on=True)
    ada.tell(do="shaken", on=False)
    await evening.wait(10)
    looks = [each.get("seats", {}) for each in evening.host.screen]
    said = [(int(seat), look.get("doing")) for each in looks for seat, look in each.items()]
    told = [each for each in said if each[1] is not None]
    # What two phones say at once comes in any order.
    assert sorted(told, key=itemgetter(0)) == [(0, "shakes"), (0, ""), (1, "shakes"), (1, "")]
    assert (told[0], told[-1]) == ((0, "shakes"), (1, ""))


VERDICTS = ("was lying", "It is true", "You were caught")


def verdicts(phone):
    """Yield a page's messages in their order: "up", "down", "verdict" and "panel"."""
    for kind, news in phone.told:
        if kind == "panel":
            yield "panel"
        elif kind == "text" and news["is"] == "eyes":
            yield "up" if news["up"] else "down"
        elif kind == "text" and any(each in news.get("text", "") for each in VERDICTS):
            yield "verdict"


def shown_at(evening):
    """The phones that have shown a verdict."""
    return [phone for phone in evening.guests if "verdict" in verdicts(phone)]


@pytest.mark.whole
@at(playing)
async def test_a_phone_shows_a_verdict_when_the_big_screen_has_or_is_late(evening, ada, *_others):
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


@pytest.mark.whole
@at(playing)
async def test_a_match_goes_on_through_a_reload_a_locked_phone_and_no_network(evening, ada, bo, cy):
    await evening.plays_on(1)
    ada.again()
    await evening.plays_on()  # any two hops of three players are all players'
    bo.lock()
    await evening.wait(LOST_US / 1e6 + 5)
    bo.unlock()
    await evening.plays_on()
    cy.lose_network()
    await evening.wait(10)
    cy.network = True
    await evening.plays_on()
    assert not evening.is_over, "it went on through all of that"
    await evening.agree()


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
@at(playing, plan={**SHORT, "options": {"rounds": 3}})
async def test_a_broker_that_drops_changes_repeats_and_exchanges_frames_brings_no_other_dice(
    evening, *guests
):
    meddler = Meddler()
    for each in (evening.host, *guests):
        each.meddle = meddler
    meddler.is_on = True
    await evening.until(lambda: meddler.done > 60, 300)
    assert not evening.is_over
    meddler.is_on = False
    await evening.until(lambda: evening.is_over, 4000)
    evening.check_the_end()


@pytest.mark.night
@at(playing)
async def test_a_second_tab_takes_over_from_one_that_sleeps_and_the_first_says_nothing_more(
    evening, ada, *_others
):
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


MOST_S = 60.0
"""The others play on within so long."""


def stands(position, *phases):
    """Return what waits until a phone is somewhere in a match, in one of these phases if any."""

    async def until(evening, phone):
        await evening.begin(LONG)
        await evening.wait(1)  # all sit down to play
        handheld = phone.seat.handheld
        wanted = phases or tuple(Phase)
        await evening.until(
            lambda: handheld.position is position and handheld.match.phase in wanted, 1200
        )

    return until


async def taking(evening, phone):
    await stands(Position.OFFERED)(evening, phone)
    phone.is_deaf = True
    await evening.until(lambda: phone.seat.handheld.position is Position.TAKING, 600)


async def doubting(evening, phone):
    await evening.begin(LONG)
    seat = phone.seat.handheld.own_seat
    await evening.until(lambda: seat.given_answer == Doubt(), 1200)


async def at_a_reveal(evening, phone):
    await evening.begin(LONG)
    await evening.until(lambda: evening.host.watcher.handheld.match.round > 1, 1200)


async def with_its_host_anew(evening, phone):
    await evening.begin(LONG)
    await evening.plays_on()
    await evening.host.again()
    assert evening.host.world is not None, "it knows the match"


MOMENTS = {
    "before its first throw": stands(Position.MINE, Phase.OPENING),
    "with dice under its cup": stands(Position.MINE, Phase.THROWN),
    "while the cup is offered to it": stands(Position.OFFERED, Phase.OFFERED),
    "while it offers the cup": stands(Position.PASSING, Phase.OFFERED),
    "while the cup that it has asked for comes": taking,
    "while the cup is elsewhere": stands(Position.WATCHING),
    "doubting": doubting,
    "at a reveal": at_a_reveal,
    "with its host anew": with_its_host_anew,
}
QUICK = ("with dice under its cup", 0)
FRESH = ("at a reveal", 1)
"""A menu has not opened yet when it is looked at."""


@pytest.mark.whole
@pytest.mark.parametrize(("moment", "who"), nightly(product(MOMENTS, range(3)), QUICK, FRESH))
@at(playing, plan=None, seed=30)
async def test_the_others_play_on_within_a_minute_without_a_phone_that_is_closed(
    evening, *guests, moment, who
):
    lost = guests[who]
    await MOMENTS[moment](evening, lost)
    async with asyncio.timeout(MOST_S):
        seat, watcher = lost.seat.seat, evening.host.watcher
        evening.lose(lost)
        await evening.until(lambda: watcher.handheld.match.status[seat] is Status.LEFT, MOST_S)
        known = watcher.log.at.index
        await evening.until(lambda: evening.is_over or watcher.log.at.index > known, MOST_S)


@at(playing)
async def test_one_touch_of_each_other_player_goes_on_without_a_phone_and_without_the_host(
    evening, *guests
):
    await evening.wait(1)
    for each in guests:
        each.player._act = lambda: asyncio.sleep(1)  # nobody does anything else
    await evening.wait(2)
    lost = next(each for each in guests if each.seat.handheld.is_asked)
    gone = lost.seat.seat
    evening.lose(lost)
    evening.host.close()
    for each in evening.guests:
        each.py.show()
    await evening.until(lambda: all(is_missing(each, gone) for each in evening.guests), 60)
    for each in evening.guests:
        each.py.take(f'{{"do": "without", "seat": {each.seat.seat}, "gone": {gone}}}')
    two = [each.seat.handheld for each in evening.guests]
    await evening.until(lambda: all(each.match.status[gone] is Status.LEFT for each in two), MOST_S)
    assert not any(each.play.menu_open for each in two)


def is_missing(phone, seat):
    """Whether a page was last told, by its own handheld, that all wait for an absent seat."""
    states = [each for each in phone.told_of("text") if each["is"] == "state"]
    here = [each["here"] for each in states if "here" in each]
    turns = [each["standing"]["turn"] for each in states if "standing" in each]
    return turns[-1] == seat and seat not in here[-1]


@pytest.mark.whole
@pytest.mark.parametrize(
    "seed", nightly([1, 2], 1)
)  # the cup is offered elsewhere, and to the phone
@at(playing, NAMES[:2], {**LONG, "bots": ["cheeky"]})
async def test_a_bot_agrees_to_go_on_without_a_phone(evening, ada, bo, *, seed):
    await evening.until(lambda: evening.hop >= 2, 600)
    evening.lose(ada)
    watcher = evening.host.watcher
    await evening.until(lambda: watcher.handheld.match.status[0] is Status.LEFT, 300)
