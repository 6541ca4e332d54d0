"""A hostile guest at a party, with a place and its secret: takes no seat, and stops no match."""

import asyncio
from contextlib import asynccontextmanager

import msgspec
import pytest

from firmware.link.broker.relay import Crossing, Published
from firmware.link.broker.session import Attendance
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.invitations import (
    InvitationKind,
    head_of,
    is_invitation,
    sender_of,
)
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.steckbrett.clock.virtual import run
from tests.hw_sim.live.page.test_own_handheld import LONG, SHORT
from tests.support.insider import Insider
from tests.support.own_phones import a_party

ADA, BO, EVE = range(3)


@asynccontextmanager
async def beset(folder, seed=1, *, plays=True, afar=False, plan=SHORT):
    """A party of Ada, Bo and Eve, who forges. ``plays``: a handheld of Eve's own does play."""
    async with a_party(folder / "party", seed, afar=afar) as party:
        party.seats.choose(plan)
        for place, name in enumerate(("Ada", "Bo")):
            await party.phone(name, place)
        phone = await party.phone("Eve", EVE) if plays else None
        await party.until(lambda: party.gathered(2 + plays), 30)
        yield party, Insider(party, EVE, seed=seed, phone=phone)


async def begin(party, seconds=20):
    """Begin a match; all phones sit at it with dice of their own."""
    before = party.world
    party.begin()
    await party.until(lambda: party.world is not before, seconds)
    here, seats = party.world.setup.table.here, len(party.phones)
    assert set(here).isdisjoint(range(seats)), f"{here} are at the host's"
    await party.until(lambda: all(each.world is not None for each in party.phones), seconds)


@pytest.mark.parametrize(("plays", "afar"), [(True, False), (False, True)])
def test_nothing_that_a_guest_says_in_the_name_of_others_is_heard(tmp_path, plays, afar):
    async def main():
        async with beset(tmp_path, plays=plays, afar=afar) as (party, eve):
            await eve.claim()
            forging = asyncio.ensure_future(eve.forge())
            for _ in range(40):
                await party.wait(0.5)
                people = party.table.lobby.gathering._people
                names = {each.name for each in people if not each.watches}
                assert names | {"Eve"} == {"Ada", "Bo", "Eve"}
                assert len(names) == len(people)
            await begin(party)
            await eve.claim()
            await party.until(lambda: party.is_over, 1200)
            assert not forging.done()
            forging.cancel()
            party.check_the_end()
            assert eve.believed == set()
            assert len(eve.forged) > 200
            await party.until(lambda: party.gathered(2 + plays), 30)
            assert party.relay.devices[EVE] == eve.device
            await begin(party)

    run(main())


def test_nothing_is_kept_at_the_broker_but_the_presence_at_the_table_that_stands(tmp_path):
    async def main():
        async with beset(tmp_path) as (party, eve):
            forging = asyncio.ensure_future(eve.forge())
            for _ in range(2):
                await party.until(lambda: party.gathered(3), 60)
                await begin(party)
                await party.wait(20)
                stood = party.world.table.seats[-1].device.standing
                tag = stood.table_address.tag
                kept = {topic: each.payload for topic, each in eve.broker._kept.items()}
                assert kept == {f"maexchen/1/{tag}/here/{seat}": b"1" for seat in range(4)}
            forging.cancel()

    run(main())


def test_a_device_is_its_places_until_the_guest_comes_with_another_phone(tmp_path):
    async def main():
        async with beset(tmp_path, plays=False) as (party, eve):
            ada = party.phones[ADA]
            first = ada.handheld.device
            stored = PartySeats(party.folder / "evening.json").stored.places[ADA].guest
            assert stored.own == first.hex()
            other = eve.open(eve.device, secret=ada.secret)
            await party.wait(1)
            assert other.carrying.done(), "Ada's phone is here with another handheld"
            ada.lose_network()
            taken = eve.open(first)
            await party.wait(1)
            assert taken.carrying.done(), "it stays Ada's"
            ada.network = True
            await party.until(lambda: party.gathered(2), 30)
            ada.close()
            ada.stored = None  # the browser has forgotten it
            await party.wait(1)
            await ada.open()
            await party.until(lambda: party.gathered(2), 30)
            assert party.relay.devices[ADA] != first

    run(main())


def test_a_guest_who_has_left_says_nothing_for_whoever_has_the_place(tmp_path):
    async def main():
        async with beset(tmp_path) as (party, eve):
            eve.say(eve.junk())
            party.phones.pop()
            party.table._free(EVE)
            await party.until(lambda: EVE not in party.relay.devices, 5)
            late = await party.phone("Cem", EVE)
            await party.until(lambda: party.gathered(3), 30)
            assert party.relay.devices[EVE] == late.handheld.device
            late.network = False
            eve.phone.close()

    run(main())


def entries(party):
    """How many entries the log has at the host's."""
    return party.world.table.here[-1].log.at.index


async def pace(folder, floods, seconds):
    """How many entries a match of three has after a while, and how often a flood was cut."""
    async with beset(folder, 7, plan=LONG) as (party, eve):
        floods = [asyncio.ensure_future(eve.flood(getattr(eve, each))) for each in floods]
        await begin(party)
        await party.wait(seconds)
        for each in floods:
            each.cancel()
        return entries(party), eve.refused


@pytest.mark.parametrize(
    ("floods", "seconds"),
    [
        (("junk",), 40),
        pytest.param(("junk", "true_junk"), 120, marks=pytest.mark.whole),
    ],
)
def test_a_flood_costs_only_whoever_sends_it(tmp_path, floods, seconds):
    calm, _ = run(pace(tmp_path / "calm", (), seconds))
    beset_, cut = run(pace(tmp_path / "beset", floods, seconds))
    assert beset_ >= 0.9 * calm
    assert cut > 0


def test_a_cup_that_goes_to_the_hosts_is_told_to_host_and_guest(tmp_path):
    async def main():
        async with beset(tmp_path) as (party, _):
            party.phones[BO].close()
            party.phones[BO].network = False
            await party.until(lambda: party.gathered(2), 30)

            class Page:
                is_host, player = True, BO

            def lent():
                return party.table.lobby._state(Page).lent

            assert lent() == [BO]
            party.begin()
            await party.until(lambda: party.world is not None, 20)
            assert BO in party.world.setup.table.here
            party.phones[BO].network = True
            await party.phones[BO].open()
            await party.until(lambda: party.gathered(3), 30)
            assert lent() == [BO], "this match is played at the host's"

    run(main())


@pytest.mark.parametrize("unsaid", [InvitationKind.REVEAL, InvitationKind.TAP])
def test_a_guest_who_leaves_closed_lists_unanswered_stops_one_start(tmp_path, unsaid):
    def keeps_back(stream):
        send = stream.send

        def sends(what):
            if not (isinstance(what, Published) and _kind(what.message.payload) is unsaid):
                send(what)

        stream.send = sends
        return stream

    async def stands_without_eve(party, before):
        await party.until(lambda: party.gathered(3), 30)
        party.begin()
        await party.wait(15)
        assert party.world is before, "Eve has not answered"
        gathering = party.table.lobby.gathering
        await party.until(lambda: len(gathering._people) == 3, 30)
        party.begin()
        await party.until(lambda: party.world is not before, 20)
        assert set(party.world.setup.table.here) == {EVE, 3}
        await party.until(lambda: party.phones[ADA].world is not None, 20)

    async def main():
        async with beset(tmp_path) as (party, eve):
            phone = eve.phone
            phone.keeps_back = keeps_back
            phone.cut()
            await party.wait(1)
            for _ in range(2):
                await stands_without_eve(party, party.world)

    run(main())


def _kind(frame):
    return head_of(frame).kind if is_invitation(frame) else None


def test_the_device_of_a_seat_at_the_hosts_is_nobodys(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            await party.phone("Ada", ADA)
            party.seats.sit(party.seats.stored.code, "Bo")
            party.seats.choose(MatchPlan("sevens", {"rounds": 1}, ("cheeky",)))
            await party.until(lambda: party.gathered(1), 30)
            party.begin()
            await party.until(lambda: party.world is not None, 20)
            standing: StandingTable = party.world.table.seats[-1].device.standing
            eve = Insider(party, EVE)
            for seat, person in enumerate(standing.agreed.people):
                stream = eve.open(person.device)
                await party.wait(1)
                assert stream.carrying.done(), seat

    run(main())


def test_a_stranger_at_the_broker_speaks_neither_for_a_phone_nor_for_the_host(tmp_path):
    async def main():
        async with beset(tmp_path, plays=False, afar=True) as (party, eve):
            stranger = party.broker.session()
            stranger.attend(Attendance(()))
            await stranger.start(lambda _: None)
            await party.wait(1)
            people = [*party.table.lobby.gathering._people]
            party.traffic.clear()
            forged = [each for each, is_forged in eve.in_the_room() if is_forged]
            known = {people[ADA].device, people[BO].device, party.relay._host}
            forged = [each for each in forged if sender_of(each.payload) in known]
            for message in forged:
                stranger.publish(message)
            await party.wait(5)
            said = {each.payload for each in forged}
            heard = [msgspec.json.decode(text, type=Crossing) for way, text in party.traffic]
            told = [each.message.payload for each in heard if isinstance(each, Published)]
            assert said.isdisjoint(told)
            assert len(said) > 20
            assert [*party.table.lobby.gathering._people] == people
            stranger.abandon()
            await begin(party)

    run(main())
