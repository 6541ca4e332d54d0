"""Many tables over one mosquitto: the time of a hop, and the load of broker and clients.

    python -m tests.labs.bench.broker                   # 1000 tables of three at human pace
    python -m tests.labs.bench.broker --pace 1 8 16 32  # and at so many times that pace

The clients are lighter than handhelds: the link over a broker, seals and the handover core are the
real ones; there is no display, no disk and no log. One process has all of them, beside the broker.

A hop is measured at the cup's giver, from the proposal to the word that it was taken: PROPOSE
there, ANSWER back, GIVE there, TAKEN back. Each of the four waits for the one before, so a hop is
two round trips.
"""

import argparse
import asyncio
import atexit
import os
import resource
import time
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory

from drivers import now_us
from firmware.effects import TableAddress
from firmware.link.broker import BrokerAddress
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.mqtt import MqttSession
from firmware.table.handover import (
    Cup,
    CupGone,
    CupTaken,
    Handover,
    OfferArrived,
    SendFrame,
    Where,
)
from firmware.table.protocol import FrameError, LogPosition
from firmware.table.protocol.messages import Contents, CupAnswer
from firmware.table.protocol.sealing import KEY_BYTES, Sealer, keys_of_table, tag_of_table
from hw_sim.air.local_broker import LOOPBACK, LocalBroker, free_port

SEATS = 3
PAUSE_S = 12.0
"""Between two hops of a table, in the mean: matches of simulated players have 13 to 18 s."""
AT_ONCE = 50
"""The number of tables that connect at one time."""
AT = LogPosition(0, bytes(8))
TICKS = os.sysconf("SC_CLK_TCK")


class Seat:
    """A seat of a table; its state is in memory alone."""

    def __init__(self, table, number, session):
        self.table, self.number = table, number
        self.loop = asyncio.get_running_loop()
        self.sealer = Sealer(keys_of_table(table.key, number, range(SEATS)), number, 0)
        self.link = BrokerLink(session, self.came, self.seen)
        first = Cup(0, Where.HOLDING, contents=Contents((6, 3))) if number == 0 else Cup(0)
        self.handover = Handover(self.sealer.seal, first)
        self.here = set()
        self.ready = asyncio.Event()
        self.again = None

    def seen(self, seat, is_here):
        (self.here.add if is_here else self.here.discard)(seat)
        if len(self.here) == SEATS:
            self.ready.set()

    def came(self, frame):
        try:
            sender, message = self.sealer.open(frame)
        except FrameError:
            return
        self.change(self.handover.received(sender, message, AT, now_us(self.loop)))

    def propose(self):
        to = self.table.bench.chance.choice([each for each in range(SEATS) if each != self.number])
        self.table.began_s = self.loop.time()
        self.change(self.handover.propose(to, True, 62, AT, now_us(self.loop)))

    def change(self, change):
        self.handover, effects = change
        for effect in effects:
            match effect:
                case SendFrame():
                    self.table.bench.frames += 1
                    self.link.send(None, effect.frame)
                case OfferArrived(ready=True):
                    self.change(self.handover.answer(CupAnswer.BELIEVE, now_us(self.loop)))
                case CupGone():
                    self.table.went()
                case CupTaken():
                    self.table.taken(self)
        if self.again is not None:
            self.again.cancel()
        due_us = self.handover.next_timer_us
        self.again = None if due_us is None else self.loop.call_at(due_us / 1e6, self.tick)

    def tick(self):
        self.change(self.handover.tick(now_us(self.loop)))


class Table:
    """Three seats and a cup."""

    def __init__(self, bench, number, new_session):
        self.bench = bench
        self.key = number.to_bytes(KEY_BYTES, "big")
        self.seats = [Seat(self, seat, new_session()) for seat in range(SEATS)]
        self.holder = self.seats[0]
        self.began_s = 0.0

    async def sit_down(self):
        for seat in self.seats:
            seat.link.listen_at(TableAddress(tag_of_table(self.key), seat.number))
            await seat.link.start()
        for seat in self.seats:
            await seat.ready.wait()

    def taken(self, seat):
        self.holder = seat
        self.pass_on()

    def pass_on(self):
        wait_s = self.bench.chance.uniform(0.5, 1.5) * self.bench.pause_s
        self.holder.loop.call_later(wait_s, self.holder.propose)

    def went(self):
        self.bench.hops.append(self.holder.loop.time() - self.began_s)


class Bench:
    """All tables, one broker, and what was measured."""

    def __init__(self, broker):
        self.broker = broker
        self.chance = Random("tables at a broker")
        self.pause_s = PAUSE_S
        self.hops = []
        self.frames = 0
        self.troubles = set()

    def session(self):
        address = BrokerAddress.of(f"mqtt://{LOOPBACK}:{self.broker.port}")
        return MqttSession(address, self.troubles.add, self.chance.random)


def cpu_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_mb(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def under_load(bench, pace, seconds):
    """All tables at so many times human pace."""
    bench.pause_s = PAUSE_S / pace
    await asyncio.sleep(min(bench.pause_s, 10.0))
    bench.hops.clear()
    frames, since_s = bench.frames, time.monotonic()
    us, theirs = time.process_time(), cpu_s(bench.broker.pid)
    await asyncio.sleep(seconds)
    span_s = time.monotonic() - since_s
    us, theirs = (time.process_time() - us) / span_s, (cpu_s(bench.broker.pid) - theirs) / span_s
    hops, frames = bench.hops.copy(), bench.frames - frames
    print(f"  pace {pace:g}: {len(hops) / span_s:.0f} hops/s, {frames / span_s:.0f} frames/s")
    cuts = quantiles(hops, n=100)
    print("  hop", *(f"{share} % {cuts[share - 1] * 1e3:7.2f} ms" for share in (50, 95, 99)))
    print(f"  broker: {theirs:.0%} of a core, {memory_mb(bench.broker.pid):.0f} MB")
    print(f"  all clients: {us:.0%} of a core, {memory_mb(os.getpid()):.0f} MB", flush=True)


async def measure(asked, folder):
    broker = LocalBroker(folder, free_port(), more=["max_connections -1"])
    await broker.start()
    atexit.register(broker.kill)
    bench = Bench(broker)
    tables = [Table(bench, 1 + at, bench.session) for at in range(asked.tables)]
    began_s = time.monotonic()
    for at in range(0, len(tables), AT_ONCE):
        await asyncio.gather(*(table.sit_down() for table in tables[at : at + AT_ONCE]))
    took_s = time.monotonic() - began_s
    print(f"  {asked.tables} tables: {SEATS * asked.tables} clients connected in {took_s:.1f} s")
    bench.pause_s = PAUSE_S / asked.pace[0]
    for table in tables:
        table.pass_on()
    for pace in asked.pace:
        await under_load(bench, pace, asked.seconds)
    for line in sorted(bench.troubles):
        print(f"  trouble: {line}")
    broker.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000)
    paces = "times human pace, one after the other (default 1)"
    parser.add_argument("--pace", type=float, nargs="+", default=[1.0], metavar="F", help=paces)
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="at each pace")
    asked = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with TemporaryDirectory() as folder:
        asyncio.run(measure(asked, Path(folder)))


if __name__ == "__main__":
    main()
