"""Those who are not to be trusted: a guest takes no seat and stops no match, a host learns no dice.

The hostile guest has a place and its secret. The host is given all that passes it and all that it
stores. Three phones keep their dice themselves, and the host watches: it is a member of the table
without a seat, has a key with each of them, and made the lobby.
"""

import json
from contextlib import asynccontextmanager
from itertools import count
from random import Random

import pytest

from firmware.journal import FAIR_KEY
from firmware.table.commitment.fair_dice import CommitterState
from firmware.table.protocol import HEADER_BYTES, Header
from firmware.table.protocol.invitations import InvitationKind, head_of, is_invitation
from firmware.table.protocol.sealing import FrameError, Sealer
from hw_sim.clock import run
from hw_sim.live.page.evening import HOST
from hw_sim.live.web.seats import PartySeats
from tests.support.evenings import LONG, MIXED, SHORT, an_evening, at, overhear
from tests.support.insider import Insider
from tests.support.nights import nightly
from tests.support.own_table import WATCHER, OwnTable, credulous, found

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


@pytest.mark.whole
@at(beset)
async def test_nothing_that_a_guest_says_in_the_name_of_others_is_heard(evening, eve):
    honest = [each for each in evening.guests if each.name != "Eve"]
    await eve.claim()
    known, forging = known_of(evening), evening.run(eve.forge())
    for _ in range(40):
        await evening.wait(0.5)
        assert known_of(evening) == known
    await evening.begin(SHORT)
    await evening.until(lambda: evening.is_over, 1200)
    evening.check_the_end()
    assert not forging.done()
    forging.cancel()
    assert eve.believed == set()
    ends = "lobby table lines Ask Reply Opens Says Cuts Wide"
    assert {*eve.said} >= {*ends.split()}
    assert min(eve.said.values()) > 2
    assert [each.lines for each in honest] == [1, 1], "their lines were never lost"
    await evening.until(lambda: evening.gathered(3), 60)
    assert eve.gathering.phones.devices[EVE] == eve.device
    await evening.begin()


@pytest.mark.whole
@at(beset, plays=False)
async def test_a_device_is_its_places_until_the_guest_comes_with_another_phone(evening, eve):
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
    await evening.begin(MIXED)
    people = eve._stood.agreed.people
    assert len(people) == 4, "with the seats at the host's"
    for seat, person in enumerate(people):
        assert not await eve.is_let_in(person.device), seat


@pytest.mark.whole
@at(beset)
async def test_a_guest_who_has_left_says_nothing_for_whoever_has_the_place(evening, eve):
    evening.guests.remove(eve.guest)
    evening.host.say_on_screen(do="free", place=EVE)
    phones = eve.gathering.phones
    await evening.until(lambda: EVE not in phones.devices, 5)
    late = await evening.guest("Cem")
    await evening.until(lambda: evening.gathered(3), 30)
    assert phones.devices[EVE] == late.own.device
    assert not await eve.is_let_in(), "the secret is worth nothing now"
    eve.guest.close()


async def start(evening):
    """Begin a match by one press once Ada and Bo are in the lobby, who have cups of their own."""
    playing = [evening.host, *(each for each in evening.guests if each.name != "Eve")]
    before = {None, *(each.world for each in playing)}
    await evening.until(lambda: {ADA, BO} <= {*evening.host.table.seats.players}, 3)
    evening.ask_to_begin()
    await evening.until(lambda: not before & {each.world for each in playing}, 15)
    table = evening.host.world.setup.table
    assert table.part.local_seats == (table.players,), "no cup is at the host's"


async def pace(folder, end, starts):
    """How many entries a match has after 40 s, and what Eve said; then matches are started."""
    async with beset(folder, 7) as (evening, eve):
        await evening.begin(LONG)
        flooding = evening.run(eve.flood(end)) if end else None
        began = evening.host.watcher.log.at.index
        await evening.wait(40)
        entries = evening.host.watcher.log.at.index - began
        evening.host.say_on_screen(do="choose", plan=SHORT)  # also without Eve
        for _ in range(starts):
            await start(evening)
            await evening.wait(1)
        assert flooding is None or not flooding.done()
        return entries, eve.said


@pytest.mark.whole
@pytest.mark.parametrize("end", nightly(["lobby", "page", "table"], "lobby"))
def test_a_flood_costs_only_whoever_sends_it(tmp_path, end):
    (tmp_path / "calm").mkdir()
    calm, _ = run(pace(tmp_path / "calm", None, starts=0))
    flooded, said = run(pace(tmp_path, end, starts=2))
    assert flooded >= 0.9 * calm
    assert said["flood"] > 10_000
    assert end == "table" or said["cut"] > 0


@pytest.mark.whole
@pytest.mark.parametrize(
    "unsaid", nightly([InvitationKind.REVEAL, InvitationKind.TAP], InvitationKind.TAP)
)
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
            own = eve.guest.own
            say = own.lobby
            own.lobby = lambda frame: is_unsaid(frame) or say(frame)
            evening.host.say_on_screen(do="choose", plan=SHORT)
            for _ in range(2):
                await stands_without_eve(evening)

    run(main())


# ---- a curious host -----------------------------------------------------------------------------


@pytest.mark.whole
def test_nothing_that_passes_the_host_or_is_stored_there_tells_dice(tmp_path):
    throws = opened = hidden = 0
    lengths = set()
    for seed in count():
        folder = tmp_path / str(seed)
        folder.mkdir()
        table = OwnTable(folder, seed)
        table.walk(Random(seed), pick=credulous(Random(f"believes {seed}")))
        known = table.of_host()
        secrets = table.secrets()
        assert found(secrets, known) == set()
        hidden += len(secrets)
        keys = table.tables[WATCHER].keys
        for to, _, frame in table.gives():
            lengths.add(len(frame))
            header = Header.unpack(frame[:HEADER_BYTES])
            for key in (*keys.pairs.values(), keys.everybody, table.tables[WATCHER].agreed.key):
                guess = replace_keys(table.tables[to].keys, header.sender, key)
                with pytest.raises(FrameError):
                    Sealer(guess, to, header.epoch).open(frame)
            assert Sealer(table.tables[to].keys, to, header.epoch).open(frame)
            opened += 1
        throws += table.throws
        table.close()
        if throws >= 30:
            break
    assert opened > 7
    assert hidden > 7, "many cups were never opened"
    assert len(lengths) == 1, "a cup is as long, whatever lies in it"


def replace_keys(keys, sender, key):
    """The keys of who got a cup, but with a key of the host's for who gave it."""
    return keys._replace(pairs={**keys.pairs, sender: key})


@pytest.mark.whole
@at(an_evening)
async def test_guests_and_a_bot_play_and_broker_and_host_learn_no_secret_of_theirs(evening):
    """The broker learns no names, either; the host's folder is read every five seconds."""
    inside, names = [], ("Annabella", "Benedikta")
    overhear(evening.host.gathering, inside.append)
    await evening.gather(*names)
    await evening.begin(MIXED)
    host, stored = evening.host, []
    assert host.world.setup.table.part.local_seats == (2, 3), "the bot, and who watches"
    assert {each.own.numbers for each in evening.guests} == {host.gathering.lobby.numbers}
    while not evening.is_over:
        await evening.wait(5)
        stored += [path.read_bytes() for path in host.folder.rglob("*") if path.is_file()]
    evening.check_the_end()
    secrets = set()
    for phone in evening.guests:
        standing = phone.seat.device.standing
        state = phone.seat.journal._now.state
        secrets |= {standing.keys.seed, CommitterState.decode(state[FAIR_KEY]).secret}
        secrets |= {key for to, key in standing.keys.pairs.items() if to < 2}
    said = b"\n".join(each.topic.encode() + b" " + each.payload for each in evening.said)
    assert len(evening.said) > 50
    assert len(inside) > 10, "the lobby, as the host reads it"
    assert found(secrets, b"\n".join((*stored, *inside, said))) == set()
    assert found(secrets, evening.guests[0].stored) != set(), "the phone's own store has them"
    private = json.loads((host.folder / HOST).read_text())["private"]
    shared = [host.table.seats.stored.code, private, evening.guests[0].key, *names]
    for secret in [*shared, *(guest.secret for guest in evening.guests)]:
        assert secret.encode() not in said, secret
    assert host.accounts == evening.guests[0].accounts == {("", "")}

    def is_counted():
        lobby = host.last("lobby")
        return lobby["tally"] and not lobby["playing"]

    await evening.until(is_counted, 60)
