"""A table whose broker is lost goes on at the others of its list, in virtual time."""

import asyncio
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import pytest

from firmware.effects import TableAddress
from firmware.link.broker import Attendance, Message, topics
from firmware.link.broker.brokers import LOST_S, MISSED_S, SILENT_S, UNSTEADY_S
from firmware.link.broker.link import GONE, BrokerLink
from hw_sim.clock import run
from hw_sim.live.page.evening import NoBrokerError, open_evening
from hw_sim.live.page.streams import Browser, is_broker
from tests.support.evenings import BROKER, MIXED, OTHER, SHORT, Ground, Guest, an_evening, at, on

NAMES = ("Annabella", "Benedikta")
HERE = Message("here", b"1", retained=True, sure=True)
THIRD = "wss://third.example"


@pytest.mark.whole
@at(an_evening, 7, (OTHER, THIRD))
async def test_a_match_ends_and_the_next_one_begins_where_all_met_again(evening):
    await evening.gather(*NAMES)
    await evening.begin(MIXED)
    evening.end(BROKER)
    await evening.until(lambda: evening.host.last("lobby")["unreached"] == BROKER, 8)
    for guest in evening.guests:
        assert guest.told_of("line")[-1] == {"open": False}
    assert not evening.said_elsewhere
    await evening.until(lambda: evening.host.last("lobby")["unreached"] == "", 8)
    await evening.until(lambda: all(each.py._line.is_open for each in evening.guests), 30)
    evening.end(OTHER)
    await evening.until(lambda: evening.is_over)
    evening.check_the_end()
    evening.brokers[BROKER].start()
    await evening.begin(SHORT)
    known = b"".join(each.topic.encode() + each.payload for each in evening.said_elsewhere)
    for guest in evening.guests:
        for secret in (guest.name, guest.secret, guest.code):
            assert secret.encode() not in known


@pytest.mark.whole
@at(an_evening, 5, (OTHER,))
async def test_a_host_who_alone_loses_the_broker_is_found_at_the_next_one(evening):
    await evening.gather(*NAMES)
    evening.host.unreached = {BROKER}
    evening.host.lose(BROKER)
    await evening.until(lambda: not evening.guests[0].py._line.is_open, 40)
    assert not evening.gathered(2)
    await evening.until(lambda: evening.gathered(2), 40)
    await evening.begin(SHORT)


class Seat:
    """A tab with one session, at two brokers."""

    def __init__(self, ground, tab):
        self.heard = []
        self.brokers = tab.browser.to([*ground.brokers])

    async def attend(self, silent_s=10_000):
        self.session = self.brokers.session(silent_s=silent_s)
        await self.session.start(self.heard.append)
        self.session.attend(Attendance(("told",), ("here",), HERE))
        self.session.publish(HERE)
        return self.session


@asynccontextmanager
async def two_brokers(_folder):
    async with on(Ground(1, (OTHER,))) as ground:
        tab = Guest(ground, "Ada")
        ground.guests.append(tab)
        try:
            yield ground, tab, Seat(ground, tab)
        finally:
            ground.guests.clear()


@at(two_brokers)
async def test_what_is_kept_at_one_broker_is_kept_at_the_next_one(ground, tab, seat):
    await seat.attend()
    ground.end(BROKER)
    await asyncio.sleep(LOST_S + 4)
    assert [each.payload for each in ground.said_elsewhere] == [b"1"]
    ground.brokers[OTHER].take(Message("told", b"news"))
    await asyncio.sleep(1)
    assert Message("told", b"news") in seat.heard
    (await seat.attend()).abandon()  # as of the next match
    await asyncio.sleep(4)
    assert seat.session not in seat.brokers._sessions


@at(two_brokers)
async def test_a_broker_that_refuses_each_connection_after_a_while_is_lost(ground, tab, seat):
    await seat.attend()
    for _ in range(int(UNSTEADY_S / 7)):
        await asyncio.sleep(7)
        assert not seat.brokers.is_wide
        tab.lose(BROKER)
    await asyncio.sleep(7)
    assert seat.brokers.is_wide


@pytest.mark.parametrize("silent_s", [SILENT_S, 10_000])
@at(two_brokers)
async def test_a_broker_that_brings_nothing_is_lost_where_somebody_speaks(
    ground, tab, seat, *, silent_s
):
    session = await seat.attend(silent_s)
    for _ in range(20):
        await asyncio.sleep(SILENT_S / 4)
        session.publish(Message("told", b""))
    assert not seat.brokers.is_wide
    await asyncio.sleep(SILENT_S + 4)
    assert seat.brokers.is_wide is (silent_s == SILENT_S)


@pytest.mark.parametrize("seeks", [False, True])
@at(two_brokers)
async def test_a_seat_that_is_missing_for_long_is_sought_at_the_next_broker(
    ground, tab, seat, *, seeks
):
    seat.brokers.seeks = seeks
    session, there = seat.brokers.session(), topics.here("ab", 1)
    await session.start(lambda _message: None)
    session.attend(Attendance((), (topics.here("ab", "+"),)))
    for payload, seconds in ((GONE, MISSED_S / 2), (HERE.payload, MISSED_S), (GONE, 2)):
        await asyncio.sleep(2)
        ground.broker.take(Message(there, payload, retained=True))
        await asyncio.sleep(seconds)
    assert not seat.brokers.is_wide
    await asyncio.sleep(MISSED_S)
    assert seat.brokers.is_wide is seeks


@pytest.mark.parametrize("came", [True, False])
@at(two_brokers)
async def test_a_seat_that_has_never_come_to_the_first_broker_is_sought_at_the_next_one(
    ground, tab, seat, *, came
):
    seat.brokers.seeks = True
    link = BrokerLink(seat.brokers.session(), seat.heard.append)
    link.listen_at(TableAddress("ab", 0, seats=2))
    await link.start()
    if came:
        ground.broker.take(Message(topics.here("ab", 1), HERE.payload, retained=True))
    await asyncio.sleep(MISSED_S + 4)
    assert seat.brokers.is_wide is not came


@at(two_brokers)
async def test_a_tab_that_slept_asks_its_own_broker_first(ground, tab, seat):
    session = await seat.attend()
    await asyncio.sleep(5)
    tab.lose(BROKER)
    session._timer.cancel()  # as a system does that stops a tab
    await asyncio.sleep(300)
    session._look()
    await asyncio.sleep(30)
    assert not seat.brokers.is_wide


@pytest.mark.parametrize(
    "address", ["", "mqtt://host", "wss://", "wss://[", "ws://host:x", "https://host", "ws"]
)
def test_what_is_no_address_of_a_broker_is_told_and_left_out(address, tmp_path):
    assert not is_broker(address)

    async def main():
        with pytest.raises(NoBrokerError):
            await open_evening(
                tmp_path / "new", "", f"broker={address}", "en", print, Browser(*[print] * 4)
            )
        assert not (tmp_path / "new").exists()
        async with an_evening(tmp_path / "evening") as evening:
            evening.host.close()
            named = "&".join(f"broker={each}" for each in (address, BROKER, THIRD))
            await evening.host.open(named)
            told = ("site_badBroker", address) if address else None
            assert evening.host.py.told == told
            brokers = parse_qs(urlsplit(evening.host.link).fragment)["broker"]
            assert brokers == [BROKER, THIRD]

    run(main())
