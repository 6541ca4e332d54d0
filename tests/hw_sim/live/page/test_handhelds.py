"""A handheld without a phone at an evening, over its broker."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert, Text
from firmware.link.broker import Message, topics
from firmware.lobby.host import TAPS_US
from firmware.lobby.lobby import Lobby
from firmware.table.pairing.pairing import Pairing
from game import RULES
from game.options import MOST_PLAYERS
from hw_sim.live.web.gathering import HOST
from hw_sim.table import TableSetup
from hw_sim.table.handheld import SharedServices
from hw_sim.table.headless import arrive
from tests.support.evenings import BROKER, MIXED, OTHER, Tab, an_evening, at

ADA, DEA = 0, 1
"""The places of the guests."""


class FarHandheld:
    """A handheld that is switched on, in the hands of somebody who goes to the evening."""

    def __init__(self, evening, name, at=5):
        self.evening = evening
        setup = TableSetup(RULES["sevens"], link=("mqtt",))
        tab = self.tab = Tab(evening)
        brokers = tab.browser.to([*evening.brokers], seeks=True)
        around = replace(SharedServices.of(setup), new_session=brokers.session)
        self.seat, self.person = arrive(at, name, setup, around, evening.host._top)
        self.device = self.seat.device
        self.running = asyncio.ensure_future(self.seat.run())

    async def come(self):
        """Enter the evening's room, and join."""
        await self.person.enter_room(self.evening.host.gathering.code)
        await self.person.join(HOST)

    async def come_again(self):
        await self.person._tap_until(lambda: self.device.pick(Text.OTHERS_TOO) is not None)
        await self.person.choose(Text.OTHERS_TOO)
        await self.person.join(HOST)

    def begin_to(self, doing):
        self.coming = asyncio.ensure_future(doing)

    def play(self):
        self.playing = asyncio.ensure_future(self.person.play(clumsy=False))

    @property
    def numbers(self):
        """Those that it shows, to compare."""
        core = self.device.core
        return core.pairing.state.numbers if isinstance(core, Lobby) and core.pairing else None


@asynccontextmanager
async def evening_with(folder, others=()):
    """An evening with Ada's phone in its lobby, and Dea's handheld."""
    async with an_evening(folder / "evening", more=others) as evening:
        evening.host.say_on_screen(do="choose", plan=MIXED)
        await evening.gather("Ada")
        far = FarHandheld(evening, "Dea")
        far.begin_to(far.come())
        yield evening, far


async def start(evening, far):
    """Begin the match once all are there, and let people play."""
    await evening.until(lambda: evening.gathered(2), 120)
    await evening.begin(seconds=TAPS_US / 1e6)
    await evening.until(far.coming.done, 30)
    far.play()


async def play_on(evening, far):
    """Play to the end, and compare all logs."""
    await evening.until(lambda: evening.is_over, 2400)
    await evening.until(far.playing.done, 60)
    digest = far.device.core.own_seat.log.digest
    await evening.until(lambda: evening.logs == {digest}, 60)
    evening.check_the_end()
    assert not far.seat.board.violations
    assert not far.person.leaks


@pytest.mark.whole
@at(evening_with)
async def test_a_handheld_plays_beside_a_phone_and_a_bot_through_a_killed_host_and_once_more(
    evening, far
):
    ada, gathering = evening.guests[ADA], evening.host.gathering
    await evening.until(lambda: evening.gathered(2), 60)
    await evening.until(lambda: ada.lobby["places"][DEA]["name"], 5)
    told = ada.lobby["places"][DEA]
    assert (told["name"], told["here"], told["own"], told["handheld"]) == ("Dea", *[True] * 3)
    evening.ask_to_begin()
    await evening.until(lambda: far.numbers and ada.told_of("compares"), 10)
    assert gathering.lobby.comparing == far.numbers
    assert ada.told_of("compares") == [{"numbers": list(far.numbers)}]
    await evening.until(lambda: evening.host.world is not None, TAPS_US / 1e6)
    await evening.until(far.coming.done, 30)
    assert gathering.lobby.comparing is None
    assert evening.host.world.setup.table.part.local_seats == (2, 3), "the bot, and who watches"
    far.play()
    await evening.plays_on()
    await evening.host.again()
    await play_on(evening, far)
    await evening.until(lambda: not ada.lobby["places"][DEA]["here"], 30)
    far.begin_to(far.come_again())
    await start(evening, far)
    assert evening.host.world.setup.table.names[:2] == ("Ada", "Dea")


@at(an_evening)
async def test_strangers_who_fill_all_places_give_way_to_guests_with_the_link(evening):
    await evening.gather("Ada")
    seats, gathering = evening.host.table.seats, evening.host.gathering
    host, session = (bytes.fromhex(each) for each in (gathering.room.host, gathering.room.session))
    for number in range(1, 12):
        await evening.wait(2)  # a new place is given each second
        device, name = bytes([number] * 6), f"Eve {number}"
        forged = Pairing.join(device, name, host, session, evening.chance.randbytes)
        forged.tick(0)
        for _, frame in forged.take():
            evening.broker.take(Message(topics.room(gathering.code), frame))
    assert len(seats.guests) == MOST_PLAYERS
    seats.note_played([bytes([7] * 6).hex()])
    for name in ("Bo", "Cy"):
        await evening.guest(name)
    await evening.until(lambda: gathering.device_of(6) and gathering.device_of(8), 30)
    names = [each and each.name for each in seats.places]
    assert names == ["Ada", *(f"Eve {at}" for at in range(1, 6)), "Cy", "Eve 7", "Bo"]
    assert {each.name for each in gathering.people} == {*names}
    seats.closes = lambda: True
    assert seats.free_place is None


@pytest.mark.whole
@at(evening_with)
async def test_a_handheld_gets_no_place_by_a_guests_name_and_is_put_out_when_its_own_is_freed(
    evening, far
):
    no_place, doubled = AlertPage(Alert.NO_PLACE), FarHandheld(evening, "Ada", at=6)
    doubled.begin_to(doubled.come())
    await evening.until(lambda: doubled.device.screen == no_place and evening.gathered(2), 60)
    evening.host.say_on_screen(do="free", place=DEA)
    await evening.until(lambda: far.device.screen == no_place, 60)
    assert evening.host.table.seats.guests == [ADA]


@pytest.mark.whole
@at(evening_with)
async def test_a_handheld_whose_numbers_differ_plays_no_match(evening, far):
    await evening.until(lambda: evening.gathered(2), 60)
    gathering = evening.host.gathering
    room = gathering.room
    evening.ask_to_begin()
    await evening.until(lambda: gathering.lobby.comparing is not None, 10)
    far.coming.cancel()
    await evening.wait(3)
    await far.person._handling().hold()
    await evening.until(lambda: gathering.room != room, 5)
    assert evening.host.world is None
    assert far.device.screen == AlertPage(Alert.DICE_DIFFER)


@pytest.mark.night
@at(evening_with, (OTHER,))
async def test_a_handheld_that_alone_loses_the_broker_is_met_at_the_next_one(evening, far):
    await start(evening, far)
    await evening.plays_on(1)
    far.tab.unreached = {BROKER}
    far.tab.lose(BROKER)
    await play_on(evening, far)
    ada = evening.guests[ADA]
    assert {each.address for each in ada.wires.values()} == {BROKER, OTHER}
