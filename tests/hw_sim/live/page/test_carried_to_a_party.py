"""Handhelds with Bluetooth alone at a party: one with both media passes their frames on."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from firmware.display.text.labels import Text
from firmware.table.seat.position import Position
from hw_sim.live.web.gathering import CLOSES_S, HOST, TAPS_S
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.steckbrett.clock.virtual import run
from tests.support.own_phones import a_party
from tests.support.party_handhelds import FarHandheld, surroundings

pytestmark = pytest.mark.whole

PLAN = MatchPlan("sevens", {"rounds": 1}, ("cheeky",))
BOTH = ("bluetooth", "mqtt")
ADA = 0
SOME_HOPS = 2
DARK_S = 60
AWAY_S = 30


@asynccontextmanager
async def party_with(folder):
    """A party with Ada's phone, a handheld with both media, and one with Bluetooth alone."""
    async with a_party(folder / "party", afar=True) as party:
        party.seats.choose(PLAN)
        await party.phone("Ada", ADA)
        around = surroundings(party, BOTH)
        cem = FarHandheld(party, "Cem", BOTH, 5, around)
        dea = FarHandheld(party, "Dea", ("bluetooth",), 6, around)
        yield party, cem, dea


async def begin(party, *handhelds):
    """Begin the match once handhelds are there that come, and let people play."""
    await party.until(lambda: party.gathered(1 + len(handhelds)), 120)
    before = party.world
    party.begin()
    await party.until(lambda: party.world is not before, TAPS_S)
    await party.until(lambda: all(each.coming.done() for each in handhelds), 30)
    for each in handhelds:
        each.play()


async def sit_down(party, *handhelds):
    """Let handhelds come, and begin the match."""
    for each in handhelds:
        each.come()
    await begin(party, *handhelds)


async def play_on(party, *handhelds):
    """Play to the end, and compare all logs."""
    await party.until(lambda: party.is_over, 2400)
    await party.until(lambda: all(each.playing.done() for each in handhelds), 60)
    party.check_the_end()
    digests = {each.device.core.own_seat.log.digest for each in handhelds}
    assert digests == {party.world.table.here[0].log.digest}
    assert not [line for each in handhelds for line in each.seat.board.violations]
    assert not any(each.person.leaks for each in handhelds)


def carriers(party, *handhelds):
    """The carrier as each seat knows it."""
    here = [each.device.standing.agreed.carrier for each in party.seats_known]
    return {*here, *(each.device.standing.agreed.carrier for each in handhelds)}


def test_a_handheld_with_bluetooth_alone_plays_beside_a_phone_and_a_bot_and_the_next_match_too(
    tmp_path,
):
    async def main():
        async with party_with(tmp_path) as (party, cem, dea):
            dea.come()
            room = asyncio.ensure_future(cem.person.enter_room(party.table.lobby.gathering.code))
            await party.until(room.done, 60)
            await party.wait(10)
            assert dea.device.screen.lines == (Text.LISTENING, Text.NOT_IN_PLAY)
            cem.coming = asyncio.ensure_future(cem.person.join(HOST))
            await begin(party, cem, dea)
            names = party.world.setup.table.names
            assert names[:3] == ("Ada", "Cem", "Dea")
            assert carriers(party, cem, dea) == {1}
            assert party.table.seats.claims(party.store.number) == ([True] * 3, {1, 2})
            await play_on(party, cem, dea)
            before = party.world

            async def again(far):
                await far.person._tap_until(lambda: far.device.pick(Text.OTHERS_TOO) is not None)
                await far.person.choose(Text.OTHERS_TOO)
                await far.person.join(HOST)

            for each in (dea, cem):
                each.coming = asyncio.ensure_future(again(each))
            await begin(party, cem, dea)
            assert party.world is not before
            assert carriers(party, cem, dea) == {names.index("Cem")}
            await play_on(party, cem, dea)

    run(main())


def test_a_carrier_loses_power_and_the_host_is_killed_and_the_match_goes_on(tmp_path):
    async def main():
        async with party_with(tmp_path) as (party, cem, dea):
            await sit_down(party, cem, dea)
            core = dea.device.core
            await party.until(
                lambda: core.position is Position.PASSING and core.own_seat.hop >= SOME_HOPS, 600
            )
            cem.playing.cancel()
            await cem.switch_off()
            await party.wait(DARK_S)
            assert core.position is Position.PASSING
            assert core.screen.carrier == "Cem"
            await party.kill()
            await party.open()
            cem.switch_on()
            cem.play()
            await play_on(party, cem, dea)

    run(main())


def test_two_guests_of_two_that_pass_frames_on_share_a_carrier_and_a_broker_is_away(tmp_path):
    async def main():
        async with party_with(tmp_path) as (party, cem, dea):
            eli = FarHandheld(party, "Eli", BOTH, 7, dea.around)
            fay = FarHandheld(party, "Fay", ("bluetooth",), 8, dea.around)
            everybody = cem, dea, eli, fay
            await sit_down(party, *everybody)
            (carrier,) = carriers(party, *everybody)
            assert party.world.setup.table.names[carrier] in ("Cem", "Eli")
            await party.until(lambda: dea.device.core.own_seat.hop >= SOME_HOPS, 600)
            party.broker.kill()
            dea.around.air.absent(dea.at)
            await party.wait(AWAY_S)
            assert not party.is_over
            party.broker.start()
            dea.around.air.present(dea.at)
            await play_on(party, *everybody)

    run(main())


def test_with_its_carrier_a_handheld_loses_its_place_and_gets_it_again(tmp_path):
    async def main():
        async with party_with(tmp_path) as (party, cem, dea):
            for each in (cem, dea):
                each.come()
            await party.until(lambda: party.gathered(3), 120)
            cem.coming.cancel()
            leaving = asyncio.ensure_future(cem.person.choose(Text.LEAVE))
            await party.until(leaving.done, 30)
            await party.until(lambda: party.gathered(1), 5)
            assert party.seats.players == [ADA]
            await party.until(lambda: dea.device.screen.lines == (Text.WAY_SILENT,), 10)
            cem.coming = asyncio.ensure_future(cem.person.join(HOST))
            await begin(party, cem, dea)
            assert carriers(party, cem, dea) == {1}

    run(main())


def test_a_carrier_that_is_off_at_the_start_stops_no_match_of_the_others(tmp_path):
    async def main():
        async with party_with(tmp_path) as (party, cem, dea):
            for each in (cem, dea):
                each.come()
            await party.until(lambda: party.gathered(3), 120)
            for each in (cem, dea):
                each.coming.cancel()
            await cem.switch_off()
            party.begin()
            await party.until(lambda: party.gathered(1), CLOSES_S + 5)
            assert party.world is None
            party.begin()
            await party.until(lambda: party.world is not None, 15)
            assert party.world.setup.table.names == ("Ada", "Oma Blitz")
            await party.until(lambda: dea.device.screen.lines == (Text.WAY_SILENT,), 10)

    run(main())
