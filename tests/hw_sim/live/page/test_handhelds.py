"""Handhelds without a phone at an evening, over its broker or behind another one, as a carrier."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert, Text
from firmware.link.broker import Message, topics
from firmware.lobby.host import CLOSES_US, TAPS_US
from firmware.lobby.lobby import Lobby
from firmware.table.pairing.pairing import Pairing
from firmware.table.seat.cup_custody import Position
from game import RULES
from game.options import MOST_PLAYERS
from hw_sim.live.page.streams import PageStreams
from hw_sim.live.web.gathering import HOST
from hw_sim.table import TableSetup
from hw_sim.table.handheld import SharedServices
from hw_sim.table.headless import arrive
from tests.support.evenings import BROKER, MIXED, OTHER, Tab, an_evening, at
from tests.support.nights import at_night, nightly

BOTH, BLUETOOTH = ("bluetooth", "mqtt"), ("bluetooth",)
ADA, DEA = 0, 1
"""The places of the guests."""
SOME_HOPS = 2


class FarHandheld:
    """A handheld that is switched on, in the hands of somebody who goes to the evening.

    ``at`` tells it from others on the air, which is in what it shares with them, ``around``.
    """

    def __init__(self, evening, name, link=("mqtt",), at=5, around=None):
        self.evening, self.name, self.at = evening, name, at
        self.setup = TableSetup(RULES["sevens"], link=link)
        self.around = around or SharedServices.of(self.setup)
        tab = self.tab = Tab(evening)
        tab.py = PageStreams(tab.dial, tab.say, tab.hang_up)
        brokers = tab.py.to([*evening.brokers], evening.chance.randbytes, seeks=True)
        self.around = replace(self.around, new_session=brokers.session)
        self.switch_on()

    def switch_on(self):
        folder = self.evening.host._top
        self.seat, self.person = arrive(self.at, self.name, self.setup, self.around, folder)
        self.device = self.seat.device
        self.running = asyncio.ensure_future(self.seat.run())

    async def switch_off(self):
        """Lose power; the journal stays."""
        self.running.cancel()
        await asyncio.wait([self.running])
        self.around.air.switch_off(self.at)

    async def come(self):
        """Enter the evening's room, if it can, and join."""
        if "mqtt" in self.setup.link:
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

    def shows(self, *what):
        is_alert = isinstance(what[0], Alert)
        return (
            self.device.screen == AlertPage(*what) if is_alert else self.device.screen.lines == what
        )


@asynccontextmanager
async def evening_with(folder, links, names=("Cem", "Dea", "Eli", "Fay"), others=()):
    """An evening with Ada's phone in its lobby, and a handheld for each of these links."""
    async with an_evening(folder / "evening", more=others) as evening:
        evening.host.say_on_screen(do="choose", plan=MIXED)
        await evening.gather("Ada")
        around, far = None, []
        for at, (name, link) in enumerate(zip(names, links)):
            far.append(FarHandheld(evening, name, link, 5 + at, around))
            around = far[0].around
        yield evening, *far


async def sit_down(evening, *far, again=False):
    """Let handhelds come, begin the match, and let people play."""
    for each in far:
        each.begin_to(each.come_again() if again else each.come())
    await start(evening, *far)


async def start(evening, *far):
    await evening.until(lambda: evening.gathered(1 + len(far)), 120)
    await evening.begin(seconds=TAPS_US / 1e6)
    await evening.until(lambda: all(each.coming.done() for each in far), 30)
    for each in far:
        each.play()


async def play_on(evening, *far):
    """Play to the end, and compare all logs."""
    await evening.until(lambda: evening.is_over, 2400)
    await evening.until(lambda: all(each.playing.done() for each in far), 60)
    await all_agree(evening, *far)


async def all_agree(evening, *far):
    """Compare all logs."""

    def logs():
        return evening.logs | {each.device.core.own_seat.log.digest for each in far}

    await evening.until(lambda: len(logs()) == 1, 60)
    await evening.agree()
    assert not [line for each in far for line in each.seat.board.violations]
    assert not any(each.person.leaks for each in far)


def carriers(evening, *far):
    """The carrier as each seat knows it."""
    devices = [each.device for each in (*evening.places, *far)]
    return {each.standing.agreed.carrier for each in devices}


def names_of(evening):
    return evening.host.world.setup.table.names


@pytest.mark.whole
@at(evening_with, (("mqtt",),), names=("Dea",))
async def test_a_handheld_plays_beside_a_phone_and_a_bot_through_a_killed_host_and_once_more(
    evening, far
):
    ada, gathering = evening.guests[ADA], evening.host.gathering
    far.begin_to(far.come())
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
    await sit_down(evening, far, again=True)
    assert names_of(evening)[:2] == ("Ada", "Dea")


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


@at(evening_with, (("mqtt",),) * 2, names=("Ada", "Dea"))
async def test_a_handheld_gets_no_place_by_a_guests_name_and_is_put_out_when_its_own_is_freed(
    evening, doubled, far
):
    for each in (doubled, far):
        each.begin_to(each.come())
    await evening.until(lambda: doubled.shows(Alert.NO_PLACE) and evening.gathered(2), 60)
    evening.host.say_on_screen(do="free", place=DEA)
    await evening.until(lambda: far.shows(Alert.NO_PLACE), 60)
    assert evening.host.table.seats.guests == [ADA]


@at(evening_with, (("mqtt",),))
async def test_a_handheld_whose_numbers_differ_plays_no_match(evening, far):
    far.begin_to(far.come())
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
    assert far.shows(Alert.DICE_DIFFER)


@pytest.mark.parametrize("links", [(("mqtt",),), at_night((BOTH, BLUETOOTH))])
@at(evening_with)
async def test_a_handheld_that_is_off_at_the_start_stops_no_match_of_the_others(
    evening, off, *carried, links
):
    for each in (off, *carried):
        each.begin_to(each.come())
    await evening.until(lambda: evening.gathered(1 + len(links)), 120)
    for each in (off, *carried):
        each.coming.cancel()
    await off.switch_off()
    evening.ask_to_begin()
    await evening.until(lambda: evening.gathered(1), CLOSES_US / 1e6 + 5)
    assert evening.host.world is None
    await evening.begin(seconds=15)
    assert names_of(evening) == ("Ada", "Oma Blitz")
    for each in carried:
        await evening.until(lambda each=each: each.shows(Text.WAY_SILENT), 10)


@pytest.mark.whole
@pytest.mark.parametrize("plays", nightly([False, True], True))
@at(evening_with, (("mqtt",),), names=("Dea",), others=(OTHER,))
async def test_a_handheld_that_alone_loses_the_broker_is_met_at_the_next_one(
    evening, far, *, plays
):
    far.begin_to(far.come())
    if plays:
        await start(evening, far)
        await evening.plays_on(1)
    else:
        await evening.until(lambda: evening.gathered(2), 60)
        far.coming.cancel()
    far.tab.unreached = {BROKER}
    far.tab.lose(BROKER)
    if not plays:
        evening.ask_to_begin()
        await evening.until(lambda: far.shows(Text.WAY_SILENT), 60)
        await evening.until(lambda: evening.gathered(1), 10)
        leaving = asyncio.ensure_future(far.person.choose(Text.LEAVE))
        await evening.until(leaving.done, 30)
        far.begin_to(far.person.join(HOST))
        await start(evening, far)
    await play_on(evening, far)
    ada = evening.guests[ADA]
    assert {each.address for each in ada.wires.values()} == {BROKER, OTHER}


@pytest.mark.night
@at(evening_with, (BOTH, BLUETOOTH))
async def test_one_with_bluetooth_alone_plays_by_a_carrier_through_a_reload_and_the_next_match(
    evening, cem, dea
):
    dea.begin_to(dea.come())
    room = asyncio.ensure_future(cem.person.enter_room(evening.host.gathering.code))
    await evening.until(room.done, 60)
    await evening.wait(10)
    assert dea.shows(Text.LISTENING, Text.NOT_IN_PLAY)
    cem.begin_to(cem.person.join(HOST))
    await start(evening, cem, dea)
    names = names_of(evening)
    assert names[:3] == ("Ada", "Cem", "Dea")
    assert carriers(evening, cem, dea) == {1}
    await play_on(evening, cem, dea)
    await sit_down(evening, dea, cem, again=True)
    assert carriers(evening, cem, dea) == {names.index("Cem")}
    core = dea.device.core
    await evening.until(
        lambda: core.position is Position.PASSING and core.own_seat.hop >= SOME_HOPS, 600
    )
    cem.playing.cancel()
    await cem.switch_off()
    await evening.wait(60)
    assert core.position is Position.PASSING
    assert core.screen.carrier == "Cem"
    await evening.host.again()
    cem.switch_on()
    cem.play()
    await play_on(evening, cem, dea)


@pytest.mark.night
@at(evening_with, (BOTH, BLUETOOTH, BOTH, BLUETOOTH))
async def test_two_guests_of_two_that_pass_frames_on_share_a_carrier_and_a_broker_is_away(
    evening, *far
):
    dea = far[1]
    await sit_down(evening, *far)
    (carrier,) = carriers(evening, *far)
    assert names_of(evening)[carrier] in ("Cem", "Eli")
    await evening.until(lambda: dea.device.core.own_seat.hop >= SOME_HOPS, 600)
    evening.broker.kill()
    dea.around.air.absent(dea.at)
    await evening.wait(30)
    assert not evening.is_over
    evening.broker.start()
    dea.around.air.present(dea.at)
    await evening.plays_on()
    await all_agree(evening, *far)


@pytest.mark.whole
@at(evening_with, (BOTH, BLUETOOTH))
async def test_with_its_carrier_a_handheld_loses_its_place_and_gets_it_again(evening, cem, dea):
    for each in (cem, dea):
        each.begin_to(each.come())
    await evening.until(lambda: evening.gathered(3), 120)
    cem.coming.cancel()
    leaving = asyncio.ensure_future(cem.person.choose(Text.LEAVE))
    await evening.until(leaving.done, 30)
    await evening.until(lambda: evening.gathered(1), 5)
    assert evening.host.table.seats.players == [ADA]
    await evening.until(lambda: dea.shows(Text.WAY_SILENT), 10)
    cem.begin_to(cem.person.join(HOST))
    await start(evening, cem, dea)
    assert carriers(evening, cem, dea) == {1}
