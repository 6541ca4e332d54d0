"""A hostile guest at an evening, with a place and its secret: takes no seat, and stops no match."""

from contextlib import asynccontextmanager

import pytest

from firmware.table.protocol.invitations import InvitationKind, head_of, is_invitation
from hw_sim.clock import run
from hw_sim.live.web.seats import PartySeats
from tests.support.evenings import an_evening
from tests.support.insider import Insider

SHORT = {"game": "sevens", "options": {"rounds": 1}, "bots": []}
LONG = {"game": "class", "options": {}, "bots": []}
ADA, BO, EVE = range(3)
NAMES = ("Ada", "Bo", "Eve")


@asynccontextmanager
async def beset(folder, seed=1, *, plays=True):
    """An evening of Ada, Bo and Eve, who forges. ``plays``: a handheld of Eve's own does play."""
    async with an_evening(folder / "evening", seed) as evening:
        await evening.gather(*NAMES[:2])
        guest = await evening.guest("Eve")
        guest.gathers = plays
        if not plays:
            evening.guests.remove(guest)
        await evening.until(lambda: evening.gathered(2 + plays), 30)
        eve = Insider(evening, guest, seed)
        await eve.come()
        yield evening, eve


def known_of(evening):
    """The places with their devices, and who is there: no other guest may change them."""
    guests = evening.host.table.seats.stored.places
    names = {each.name for each in evening.host.gathering.people if not each.watches}
    return [(each.name, each.digest, each.own) for each in guests if each][:2], names - {"Eve"}


@pytest.mark.parametrize("plays", [True, pytest.param(False, marks=pytest.mark.whole)])
def test_nothing_that_a_guest_says_in_the_name_of_others_is_heard(tmp_path, plays):
    async def main():
        async with beset(tmp_path, plays=plays) as (evening, eve):
            honest = [each for each in evening.guests if each.name != "Eve"]
            await eve.claim()
            known, forging = known_of(evening), evening.run(eve.forge())
            for _ in range(40):
                await evening.wait(0.5)
                assert known_of(evening) == known
            await evening.begin(SHORT)
            if plays:
                await evening.until(lambda: evening.is_over, 1200)
                evening.check_the_end()
            else:
                await evening.wait(20)
            assert not forging.done()
            forging.cancel()
            assert eve.believed == set()
            ends = "lobby table lines Ask Answer Opens Says Cuts Wide"
            assert {*eve.said} >= {*ends.split()}
            assert min(eve.said.values()) > 2
            assert [each.lines for each in honest] == [1, 1], "their lines were never lost"
            if plays:
                await evening.until(lambda: evening.gathered(3), 60)
                assert eve.gathering.phones.devices[EVE] == eve.device
                await evening.begin()

    run(main())


def test_a_device_is_its_places_until_the_guest_comes_with_another_phone(tmp_path):
    async def main():
        async with beset(tmp_path, plays=False) as (evening, eve):
            ada, phones = evening.guests[ADA], eve.gathering.phones
            first = ada.own.device
            stored = PartySeats(evening.host.folder / "evening.json").stored.places[ADA]
            assert stored.own == first.hex()
            asked = eve.device, ada.secret
            assert not await eve.is_let_in(*asked), "Ada's phone is here with another handheld"
            ada.lose_network()
            await evening.until(lambda: ADA not in phones.devices, 60)
            assert not await eve.is_let_in(first), "it stays Ada's"
            ada.network = True
            await evening.until(lambda: evening.gathered(2), 60)
            ada.stored = None  # the browser has forgotten it
            ada.again()
            await evening.until(lambda: phones.devices.get(ADA) not in (None, first), 60)
            await evening.until(lambda: evening.gathered(2), 60)

    run(main())


def test_a_guest_who_has_left_says_nothing_for_whoever_has_the_place(tmp_path):
    async def main():
        async with beset(tmp_path) as (evening, eve):
            evening.guests.remove(eve.guest)
            evening.host.say_on_screen(do="free", place=EVE)
            phones = eve.gathering.phones
            await evening.until(lambda: EVE not in phones.devices, 5)
            late = await evening.guest("Cem")
            await evening.until(lambda: evening.gathered(3), 30)
            assert phones.devices[EVE] == late.own.device
            assert not await eve.is_let_in(), "the secret is worth nothing now"
            eve.guest.close()

    run(main())


async def start(evening):
    """Begin a match by one press once Ada and Bo are in the lobby, who have cups of their own."""
    playing = [evening.host, *(each for each in evening.guests if each.name != "Eve")]
    before = {None, *(each.world for each in playing)}
    await evening.until(lambda: {ADA, BO} <= {*evening.host.table.seats.players}, 3)
    evening.ask_to_begin()
    await evening.until(lambda: not before & {each.world for each in playing}, 15)
    table = evening.host.world.setup.table
    assert table.part.here == (table.players,), "no cup is at the host's"


async def pace(folder, end, seconds, starts):
    """How many entries a match has after a while, and what Eve said; then matches are started."""
    async with beset(folder, 7) as (evening, eve):
        await evening.begin(LONG)
        flooding = evening.run(eve.flood(end)) if end else None
        began = evening.host.watcher.log.at.index
        await evening.wait(seconds)
        entries = evening.host.watcher.log.at.index - began
        evening.host.say_on_screen(do="choose", plan=SHORT)  # also without Eve
        for _ in range(starts):
            await start(evening)
            await evening.wait(1)
        assert flooding is None or not flooding.done()
        return entries, eve.said


@pytest.mark.whole
@pytest.mark.parametrize(
    ("seconds", "starts", "frames"),
    [(40, 2, 10_000), pytest.param(1150, 20, 500_000, marks=pytest.mark.night)],
)
@pytest.mark.parametrize("end", ["lobby", "page", "table"])
def test_a_flood_costs_only_whoever_sends_it(tmp_path, end, seconds, starts, frames):
    calm, _ = run(pace(tmp_path / "calm", None, seconds, starts))
    flooded, said = run(pace(tmp_path / "beset", end, seconds, starts))
    assert flooded >= 0.9 * calm
    assert said["flood"] > frames
    assert end == "table" or said["cut"] > 0


@pytest.mark.whole
@pytest.mark.parametrize("unsaid", [InvitationKind.REVEAL, InvitationKind.TAP])
def test_a_guest_who_leaves_closed_lists_unanswered_stops_no_start(tmp_path, unsaid):
    def is_unsaid(frame):
        return is_invitation(frame) and head_of(frame).kind is unsaid

    async def stands_without_eve(evening):
        before = evening.host.world
        await evening.until(lambda: evening.gathered(3), 30)
        evening.ask_to_begin()
        await evening.until(lambda: evening.host.world is not before, 20)
        assert "Eve" not in evening.host.world.setup.table.names
        await evening.until(lambda: evening.guests[ADA].world is not None, 20)

    async def main():
        async with beset(tmp_path) as (evening, eve):
            line = eve.guest.py._line
            say = line.say_in_lobby
            line.say_in_lobby = lambda secret, frame: is_unsaid(frame) or say(secret, frame)
            evening.host.say_on_screen(do="choose", plan=SHORT)
            for _ in range(2):
                await stands_without_eve(evening)

    run(main())


def test_the_device_of_a_seat_at_the_hosts_is_nobodys(tmp_path):
    async def main():
        async with beset(tmp_path, plays=False) as (evening, eve):
            await evening.begin({**SHORT, "bots": ["cheeky"]})
            people = eve._stood.agreed.people
            assert len(people) == 4
            for seat, person in enumerate(people):
                if person.name != "Eve":
                    assert not await eve.is_let_in(person.device), seat

    run(main())
