"""A host whose relay lies, between pages of real browsers that keep their dice themselves."""

import asyncio
import threading
from contextlib import contextmanager
from queue import Queue
from random import Random
from types import SimpleNamespace

import msgspec
import pytest

from firmware.journal.keys import TABLE_KEY
from firmware.table.log.public_log import PublicLog
from firmware.table.pairing.standing import StandingTable
from firmware.table.seat.storage import SeatState
from hw_sim.live.page.kept_handheld import KeptHandheld
from hw_sim.live.web.match_plan import MatchPlan
from tests.hw_sim.live.web.conftest import settled
from tests.hw_sim.live.web.test_browser import says
from tests.hw_sim.live.web.test_own_dice import begun, come, gathered, plan, play
from tests.support.pages import partying
from tests.support.secrets_found import found

pytestmark = pytest.mark.whole
TWO = MatchPlan("physicist", {}, ())
UNHEARD = "does not answer"
STORE = """() => new Promise((told) => {
  const asked = indexedDB.open("maexchen.own", 1);
  asked.onsuccess = () => {
    const kept = asked.result.transaction("kept").objectStore("kept").get("handheld");
    kept.onsuccess = () => { told([...kept.result.data]); asked.result.close(); };
  };
})"""


class LyingRelay:
    """What becomes of the frames between two seats. ``truth``: the share that comes as it was."""

    def __init__(self):
        self.chance, self.truth, self.lies, self.passed = Random(3), 1.0, 0, []

    def __call__(self, message):
        """Return what comes in place of a message."""
        self.passed.append(message)
        if "/to/" not in message.topic or self.chance.random() < self.truth:
            return [message]
        self.lies += 1
        older = self.chance.choice(self.passed)
        payload = bytearray(message.payload)
        payload[self.chance.randrange(len(payload))] ^= 1 << self.chance.randrange(8)
        changed = message._replace(payload=bytes(payload))
        exchanged = message._replace(payload=older.payload)
        return self.chance.choice([[], [changed], [exchanged], [older, older], [changed, changed]])


class LyingSession:
    """A session at a broker, with a lying relay before what comes."""

    def __init__(self, session, lie):
        self._session, self._lie = session, lie

    def __getattr__(self, name):
        return getattr(self._session, name)

    async def start(self, take):
        await self._session.start(lambda came: [take(each) for each in self._lie(came)])


@contextmanager
def hosted_by_a_liar(folder, built):
    """A party in a thread of its own: yields its address and folder, and what its relay does."""
    lie, ready = LyingRelay(), Queue()

    def corrupt(relay):
        honest = relay.new_session
        relay.new_session = lambda: LyingSession(honest(), lie)

    async def main():
        stop = asyncio.Event()
        async with partying(folder, built=built, change=corrupt) as (server, _):
            ready.put((server.address, asyncio.get_running_loop(), stop))
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    address, loop, stop = ready.get(timeout=60)
    try:
        yield SimpleNamespace(address=f"{address}/", folder=folder, lie=lie)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def kept(guest):
    """What a phone keeps, and nobody else."""
    return KeptHandheld.decode(bytes(settled(guest.page, STORE)))


def entries(guests):
    """The log as each phone keeps it."""
    return [kept(each).entries for each in guests]


def secrets_of(own):
    """What would tell the dice of two phones, of what one of them keeps."""
    pairs = StandingTable.decode(own.state[TABLE_KEY]).keys.pairs
    return {
        SeatState.load(own.state).committer.secret,
        *(key for seat, key in pairs.items() if seat < 2),
    }


def test_pages_take_no_lie_of_a_relay_notice_it_and_play_on_afterwards(
    site, opened, browser, tmp_path
):
    plan(tmp_path, TWO)
    with hosted_by_a_liar(tmp_path, site) as table:
        lie = table.lie
        guests = come(opened, browser, table, ("Ada", "Bo"))
        gathered(guests)
        begun(guests)

        lie.truth = 0.5
        play(guests, lambda: lie.lies >= 15)
        lie.truth = 0.0
        play(guests, lambda: any(UNHEARD in says(each.page) for each in guests))
        before, told = entries(guests), lie.lies
        play(guests, lambda: lie.lies >= told + 5)
        assert entries(guests) == before
        lie.truth = 1.0
        longer = max(map(len, before)) + 4
        play(guests, lambda: min(map(len, entries(guests))) >= longer)

        stores = [kept(each) for each in guests]
        logs = [PublicLog.restored(each.header, each.entries) for each in stores]
        common = min(log.at.index for log in logs)
        assert logs[0].position(common) == logs[1].position(common), "they know one match"
        states = [SeatState.load(each.state) for each in stores]
        assert not any(each.caught or each.lost for each in states)
        secrets = secrets_of(stores[0]) | secrets_of(stores[1])
        known = [each.payload for each in lie.passed]
        known += [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
        assert found(secrets, b"\n".join(known)) == set()
        assert found(secrets, msgspec.msgpack.encode(stores)) == secrets
