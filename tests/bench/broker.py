"""Many tables over one mosquitto: how long a hop takes, and what broker and clients need.

    python -m tests.bench.broker                     # 1000 tables of three at human pace, a minute
    python -m tests.bench.broker --tables 100 --pause 0   # as fast as it goes

The clients are lighter than handhelds: the link over a broker, seals and the handover core are the
real ones; there is no display, no disk and no log. One process has all of them, beside the broker.
A hop is measured where the cup was: from the proposal to the word that it was taken, which is two
round trips; beside it stands a bare round trip of as many bytes, in the same run.
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

from drivers.time import now_us
from firmware.effects.places import Chair
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.link import FRESH_S, BrokerLink
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.session import Attendance, Message
from firmware.table.handover.cup import Where
from firmware.table.protocol.header import FrameError
from firmware.table.protocol.keys import KEY_BYTES, keys_of_table, tag_of_table
from firmware.table.protocol.sealing import Sealer
from hw_sim.air.local_broker import LocalBroker, free_port
from hw_sim.trials.soak.porter import Porter
from hw_sim.trials.soak.watch import SoakTally, Watch

SEATS = 3
PAUSE_S = 12.0
"""Between two hops of a table, in the mean: matches of simulated players have 13 to 18 s."""
REST_S = 0.05
"""The same for the one table that is measured alone: a link drops what would be a flood."""
AT_ONCE = 50
"""So many connect at one time."""
MOST_RATIO = 1.5
"""A hop takes no longer than this times its two round trips, at a broker that rests."""
ROUND_TRIPS = 200
TICKS = os.sysconf("SC_CLK_TCK")


class Seat(Porter):
    """A seat that thinks before it passes the cup on; its state is in memory alone."""

    def __init__(self, table, number):
        self.table = table
        self.loop = asyncio.get_running_loop()
        self.sealer = Sealer(keys_of_table(table.key, number, range(SEATS)), number, 0)
        self.session = MqttSession(table.bench.address, table.bench.tell, table.bench.chance.random)
        self.link = BrokerLink(self.session, self.came, self.seen)
        self.here = set()
        self.ready = asyncio.Event()
        self.proposed_s = None
        self.resend = None
        super().__init__(number, SEATS, self.sealer.seal, table.watch, self, table.bench.chance)

    @property
    def now_us(self):
        return now_us(self.loop)

    def seen(self, seat, is_here):
        (self.here.add if is_here else self.here.discard)(seat)
        if len(self.here) == SEATS:
            self.ready.set()

    def came(self, frame):
        try:
            sender, message = self.sealer.open(frame)
        except FrameError:
            return
        self.receive(sender, message)
        self.plan()

    def pass_on(self):
        if self.handover.cup.where is Where.HOLDING:
            pause_s = self.table.bench.pause_s
            wait_s = self.table.bench.chance.uniform(0.5, 1.5) * pause_s
            self.loop.call_later(wait_s, self.propose)

    def propose(self):
        super().pass_on()
        self.plan()

    def store(self, seat, cup, then):
        if cup.where is Where.PROPOSED:
            self.proposed_s = self.loop.time()
        elif cup.where is Where.IDLE and self.proposed_s is not None:
            self.table.bench.hops.append(self.loop.time() - self.proposed_s)
            self.proposed_s = None
        self.table.watch.written(seat, cup)
        for send in then:
            self.send(seat, send)

    def send(self, seat, send):
        self.table.bench.frames += 1
        self.link.send(None, send.frame)

    def plan(self):
        if self.resend is not None:
            self.resend.cancel()
        due_us = self.next_timer_us
        self.resend = None if due_us is None else self.loop.call_at(due_us / 1e6, self.due)

    def due(self):
        self.tick()
        self.plan()


class Table:
    """Three seats and a cup."""

    def __init__(self, bench, number):
        self.bench = bench
        self.key = number.to_bytes(KEY_BYTES, "big")
        self.watch = Watch(SEATS, SoakTally())
        self.seats = [Seat(self, seat) for seat in range(SEATS)]

    async def sit_down(self):
        for seat in self.seats:
            seat.link.attend(Chair(tag_of_table(self.key), seat.seat))
            await seat.link.start()
        for seat in self.seats:
            await seat.ready.wait()


class Bench:
    """All tables, one broker, and what was measured."""

    def __init__(self, url, pause_s):
        self.address = BrokerAddress.of(url)
        self.chance = Random("tables at a broker")
        self.pause_s = pause_s
        self.hops = []
        self.frames = 0
        self.troubles = set()
        self.tell = self.troubles.add

    async def round_trips(self, count=ROUND_TRIPS):
        """Seconds that a bare message of as many bytes takes there and back, so often."""
        came, loop = asyncio.Event(), asyncio.get_running_loop()
        there, back = (MqttSession(self.address, self.tell, self.chance.random) for _ in range(2))
        there.attend(Attendance(("bare/there",)))
        back.attend(Attendance(("bare/back",)))
        reply = Message("bare/back", bytes(53), expires_s=FRESH_S)
        call = Message("bare/there", bytes(53), expires_s=FRESH_S)
        await there.start(lambda _: there.publish(reply))
        await back.start(lambda _: came.set())
        while not came.is_set():
            back.publish(call)
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.5)
        taken = []
        for _ in range(count):
            await asyncio.sleep(self.chance.uniform(0.5, 1.5) * REST_S)
            came.clear()
            began_s = loop.time()
            back.publish(call)
            await came.wait()
            taken.append(loop.time() - began_s)
        await there.stop()
        await back.stop()
        return taken


def told(name, seconds):
    cuts = quantiles(seconds, n=100)
    shown = "  ".join(f"{share} % {cuts[share - 1] * 1e3:7.2f} ms" for share in (50, 95, 99))
    print(f"  {name:34}{shown}  ({len(seconds)})", flush=True)
    return cuts[49]


def cpu_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_mb(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def measure(asked, folder):
    broker = LocalBroker(folder, free_port(), more=["max_connections -1"])
    await broker.start()
    atexit.register(broker.kill)
    bench = Bench(broker.url, REST_S)
    bare_s = told("bare round trip, at rest", await bench.round_trips())
    alone = Table(bench, 0)
    await alone.sit_down()
    alone.seats[0].pass_on()
    while len(bench.hops) < ROUND_TRIPS:
        await asyncio.sleep(0.05)
    bench.pause_s = 1e6
    hop_s = told("hop, one table", bench.hops)
    ratio = hop_s / (2 * bare_s)
    print(f"  a hop is {ratio:.2f} times its two round trips (at most {MOST_RATIO})")
    bench.pause_s, tables = asked.pause, [Table(bench, 1 + at) for at in range(asked.tables)]
    began_s = time.monotonic()
    for at in range(0, len(tables), AT_ONCE):
        await asyncio.gather(*(table.sit_down() for table in tables[at : at + AT_ONCE]))
    took_s = time.monotonic() - began_s
    print(f"  {SEATS * asked.tables} clients connected in {took_s:.1f} s")
    bench.hops.clear()
    for table in tables:
        table.seats[0].pass_on()
    await asyncio.sleep(min(asked.pause, 10.0))
    frames, hops, since_s = bench.frames, len(bench.hops), time.monotonic()
    us, theirs = time.process_time(), cpu_s(broker.pid)
    await asyncio.sleep(asked.seconds)
    span_s = time.monotonic() - since_s
    frames_s, hops_s = (bench.frames - frames) / span_s, (len(bench.hops) - hops) / span_s
    us, theirs = (time.process_time() - us) / span_s, (cpu_s(broker.pid) - theirs) / span_s
    print(f"  {asked.tables} tables: {hops_s:.0f} hops/s, {frames_s:.0f} frames/s")
    told(f"hop, {asked.tables} tables", bench.hops[hops:])
    told(f"bare round trip, {asked.tables} tables", await bench.round_trips())
    mine = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  broker: {theirs:.0%} of a core, {memory_mb(broker.pid):.0f} MB")
    print(f"  all clients: {us:.0%} of a core, {mine:.0f} MB")
    for line in sorted(bench.troubles):
        print(f"  trouble: {line}")
    cups = max(table.watch.tally.max_holders for table in (alone, *tables))
    print(f"  most cups at a table at any instant: {cups}")
    broker.kill()
    return ratio <= MOST_RATIO


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--pause", type=float, default=PAUSE_S, metavar="S")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    asked = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with TemporaryDirectory() as folder:
        if not asyncio.run(measure(asked, Path(folder))):
            print("MISSED: a hop takes too long beside its round trips")


if __name__ == "__main__":
    main()
