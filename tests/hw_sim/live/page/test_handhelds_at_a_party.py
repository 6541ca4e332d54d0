"""Handhelds without a phone at a party, over a broker in memory, in virtual time."""

import asyncio
from contextlib import asynccontextmanager
from secrets import token_bytes

import pytest

from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text
from firmware.effects.places import Room
from firmware.link.broker.link import BrokerLink
from firmware.table.pairing.pairing import Pairing
from hw_sim.live.web.gathering import CLOSES_S, HOST, TAPS_S
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.steckbrett.clock.virtual import run
from tests.support.own_phones import a_party
from tests.support.party_handhelds import FarHandheld

PLAN = MatchPlan("sevens", {"rounds": 1}, ("cheeky",))
ADA, DEA = 0, 1
"""The places of the guests."""


@asynccontextmanager
async def party_with(folder, name="Dea"):
    """A party with Ada's phone in its lobby, and a handheld that is on its way there."""
    async with a_party(folder / "party", afar=True) as party:
        party.seats.choose(PLAN)
        await party.phone("Ada", ADA)
        far = FarHandheld(party, name)
        far.come()
        await party.until(lambda: party.gathered(1), 30)
        yield party, far


def place_of(party, place):
    """What pages are told of a place."""

    class Page:
        is_host, player = True, None

    return party.table.lobby._state(Page).places[place]


def compared(phone):
    """What a phone's page is told of numbers to compare."""
    return [what for kind, what in phone.told if kind == "compares"]


def test_a_handheld_plays_beside_a_phone_and_a_bot_and_the_next_match_too(tmp_path):
    async def main():
        async with party_with(tmp_path) as (party, far):
            gathering = party.table.lobby.gathering
            await party.until(lambda: party.gathered(2), 60)
            told = place_of(party, DEA)
            assert (told.name, told.here, told.own, told.handheld) == ("Dea", True, True, True)
            assert (party.seats.first_of(()), party.seats.hindrance) == (ADA, "")
            party.begin()
            await party.until(lambda: far.numbers is not None and compared(party.phones[0]), 10)
            assert gathering.comparing == far.numbers
            assert compared(party.phones[0]) == [{"numbers": list(far.numbers)}]
            await party.until(lambda: party.world is not None, TAPS_S)
            await party.until(far.coming.done, 30)
            assert gathering.comparing is None
            assert party.world.setup.table.names[:2] == ("Ada", "Dea")
            assert party.world.setup.table.here == (2, 3), "the bot, and who watches"
            assert party.table.seats.claims(party.store.number) == ([True, True], {DEA})
            far.play()
            await party.kill()
            await party.open()
            assert party.table.lobby.gathering.code == gathering.code
            await party.until(lambda: party.is_over, 1200)
            await party.until(far.playing.done, 60)
            party.check_the_end()
            assert far.seat.log.digest == party.world.table.here[0].log.digest
            assert (party.seats.players, place_of(party, DEA).here) == ([ADA], False)

            async def again():
                await far.person._tap_until(lambda: far.device.pick(Text.OTHERS_TOO) is not None)
                await far.person.choose(Text.OTHERS_TOO)
                await far.person.join(HOST)

            far.coming = asyncio.ensure_future(again())
            await party.until(lambda: party.gathered(2), 60)
            before = party.world
            party.begin()
            await party.until(lambda: party.world is not before, TAPS_S)
            assert party.world.setup.table.names[:2] == ("Ada", "Dea")

    run(main())


@pytest.mark.parametrize("afar", [False, True])
def test_whoever_asks_for_a_place_gets_it_only_if_handhelds_may_come(tmp_path, afar):
    async def main():
        async with a_party(tmp_path / "party", afar=afar) as party:
            await party.phone("Ada", ADA)
            await party.until(lambda: party.gathered(1), 30)
            room = party.table.lobby.gathering.room
            link = BrokerLink(party.relay.new_session(), lambda _: None)
            link.listen_at(Room(room.code))
            await link.start()
            host, session = bytes.fromhex(room.host), bytes.fromhex(room.session)
            stranger = Pairing.join(b"device", "Eve", host, session, token_bytes)
            for second in range(3):
                await party.wait(1)
                stranger.tick(second * 1_000_000)
                for device, frame in stranger.take():
                    link.send(device, frame)
            await party.wait(1)
            link.abandon()
            assert len(party.seats.guests) == 1 + afar

    run(main())


def test_a_handheld_under_a_name_that_a_guest_has_gets_no_place(tmp_path):
    async def main():
        async with party_with(tmp_path, "Ada") as (party, far):
            await party.until(lambda: far.shows(Alert.NO_PLACE), 60)
            assert party.seats.guests == [ADA]

    run(main())


def test_a_handheld_whose_place_is_freed_is_put_out(tmp_path):
    async def main():
        async with party_with(tmp_path) as (party, far):
            await party.until(lambda: party.gathered(2), 60)
            party.table._free(DEA)
            await party.until(lambda: far.shows(Alert.NO_PLACE), 60)
            assert party.seats.guests == [ADA]

    run(main())


def test_a_handheld_whose_numbers_differ_plays_no_match(tmp_path):
    async def main():
        async with party_with(tmp_path) as (party, far):
            await party.until(lambda: party.gathered(2), 60)
            gathering = party.table.lobby.gathering
            room = gathering.room
            party.begin()
            await party.until(lambda: gathering.comparing is not None, 10)
            far.coming.cancel()
            await party.wait(3)
            await far.person._handling().hold()
            await party.until(lambda: gathering.room != room, 5)
            assert party.world is None
            assert far.shows(Alert.DICE_DIFFER)

    run(main())


def test_a_handheld_that_is_off_at_the_start_plays_no_match_and_the_others_do(tmp_path):
    async def main():
        async with party_with(tmp_path) as (party, far):
            await party.until(lambda: party.gathered(2), 60)
            far.coming.cancel()
            far.running.cancel()
            party.begin()
            await party.until(lambda: party.gathered(1), CLOSES_S + 5)
            assert party.world is None
            assert party.seats.players == [ADA]
            party.begin()
            await party.until(lambda: party.world is not None, 15)
            assert party.world.setup.table.names == ("Ada", "Oma Blitz")

    run(main())
