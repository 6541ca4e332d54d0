"""Brokers that are killed and out of reach, strangers who publish what they like, and one cup.

A broker itself says what harms most to who comes: packets of any length, of every kind and QoS,
cut anywhere. It takes no more memory than a match needs, and the next connection is well.

Given a minute or more, a match is also played at a real mosquitto that lets everybody in, while a
stranger hears all, and says what harms most: frames again, changed, cut short and much too long,
floods at one seat's topic, and what a broker keeps, everywhere.
"""

import asyncio
import resource
import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from firmware.device.feed import EntryBlock, FeedError, MatchNotice, Result
from firmware.effects.places import Chair
from firmware.link.broker import topics
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.link import GONE, MOST_PER_S, BrokerLink
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.session import Attendance, Message
from firmware.link.framing import MAX_FRAME
from firmware.table.seat.position import Position
from game import RULES
from hw_sim.air.broker import MemoryBroker
from hw_sim.air.local_broker import LocalBroker, free_port, mosquitto
from hw_sim.cli.soak import soak
from hw_sim.clock.hurried import HurriedLoop
from hw_sim.clock.virtual import run
from hw_sim.table.headless import HURRY, journal_folder
from hw_sim.table.setup import TableSetup
from hw_sim.table.table import SimulatedTable, chairs_of
from tests.support.hostile_broker import heard, packet, publish

HARM = {"loss": 0.15, "cuts": 0.1, "reboots": 0.05, "failures": 0.05}
HOPS = 500
STANDSTILL_S = 120.0
"""Partitions of 30 s overlap; without a power cut a cup moves again sooner."""
TAG = "a" * 32
MESSAGES = 2_000
LONG_S = 60.0
"""From so many seconds on a real mosquitto takes part."""
MEGABYTES_SAID = 10
"""What the hostile broker, which is of the same process, may need itself."""
MOST_MB = 30
"""A match needs no more memory for all that a stranger says."""


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Pass cups on over brokers that fail, and let strangers publish at a seat's topics."""
    until_s = time.monotonic() + seconds
    hops = kills = parted = messages = frames = rounds = said = 0
    standstill_s = 0.0
    while not rounds or time.monotonic() < until_s:
        at = seed + rounds
        tally = soak("mqtt", 2 + at % 7, HOPS, seed=at, **HARM)
        told = f"{2 + at % 7} players, seed {at}: {tally.summary()}"
        assert tally.is_well, told
        assert tally.standstill_s < STANDSTILL_S, told
        frames += run(published(at))
        said += asyncio.run(hostile(at))
        hops, kills, parted = hops + tally.hops, kills + tally.failures, parted + tally.cuts
        standstill_s = max(standstill_s, tally.standstill_s)
        messages, rounds = messages + MESSAGES, rounds + 1
    attacked = Counter[str]()
    if seconds >= LONG_S and mosquitto() is not None:
        with asyncio.Runner(loop_factory=lambda: HurriedLoop(HURRY)) as runner:
            attacked = runner.run(played(seed))
    return {
        "hops": hops,
        "brokers killed": kills,
        "partitions": parted,
        "longest standstill, s": round(standstill_s, 1),
        "messages of strangers": messages,
        "of them let through to the seals": frames,
        "bytes that a hostile broker could say": said,
        **{f"at mosquitto, {what}": count for what, count in attacked.items()},
    }


async def hostile(seed: int) -> int:
    """Attend at a broker that says anything, once; returns how many bytes it got rid of."""
    chance, before_mb = Random(f"hostile {seed}"), _memory_mb()
    version = chance.choice((3, 5))
    says: list[bytes] = []
    for number in range(1, 400):
        payload = chance.randbytes(chance.choice((0, 3, 100, 5000)))
        length = chance.choice((None, None, None, None, chance.randrange(256_000_000)))
        kind = chance.choice((0x30, 0x34, 0x34, 0x36, 0x40, 0x50, 0x62, 0x70, 0xD0, 0xF0))
        is_message = chance.random() < 0.7
        said = publish(2 * (chance.random() < 0.8), number, payload, version)
        says.append(said if is_message else packet(kind, payload, length))
    says += [packet(0x30, b"", 255_000_000), *[bytes(1 << 16)] * 3000]
    came, told, broker, kept = await heard(version, says, lambda all_: b"well" in _payloads(all_))
    assert came[-1] == b"well", f"seed {seed}: {came[-1]!r}"
    assert (broker.comers, kept) == (2, 0), f"seed {seed}: {broker.comers}, {kept}"
    assert all("\n" not in line for line in told), f"seed {seed}: {told}"
    assert _memory_mb() - before_mb < MOST_MB + MEGABYTES_SAID, f"seed {seed}"
    return int(broker.sent)


def _payloads(messages: list[Message]) -> list[bytes]:
    return [each.payload for each in messages]


async def played(seed: int) -> Counter[str]:
    """Play a match that a stranger attacks. Returns what he said how often."""
    setup = TableSetup(RULES["class"], 3, seed, link=("mqtt",))
    with TemporaryDirectory() as place, journal_folder() as journals:
        broker = LocalBroker(Path(place), free_port())
        await broker.start()
        address = BrokerAddress.of(broker.url)
        table = SimulatedTable(replace(setup, broker=address), journals)
        before_mb = _memory_mb()
        stranger = asyncio.ensure_future(_disturb(address, chairs_of(setup)[0].tag, seed))
        try:
            await table.play()
        finally:
            stranger.cancel()
            broker.kill()
    assert table.is_over, f"seed {seed}: no end"
    logs = {seat.handheld.own_seat.log.digest for seat in table.seats}
    positions = {seat.handheld.position for seat in table.seats}
    assert (len(logs), positions) == (1, {Position.OVER}), f"seed {seed}: {positions}"
    grown_mb = _memory_mb() - before_mb
    assert grown_mb < MOST_MB, f"seed {seed}: {grown_mb} MB more"
    said = await asyncio.gather(stranger, return_exceptions=True)
    assert isinstance(said[0], Counter), said
    return said[0] + Counter({"MB more": grown_mb})


async def _disturb(broker: BrokerAddress, tag: str, seed: int) -> Counter[str]:
    chance, heard, said = Random(f"stranger {seed}"), deque[Message](maxlen=200), Counter[str]()
    session = MqttSession(broker, print, chance.random)
    session.attend(Attendance((topics.to(tag, "+"),)))
    await session.start(heard.append)
    places = [topics.to(tag, seat) for seat in (0, 1, 2, "all")]
    kept = [topics.here(tag, 0), topics.public_match(tag, 1), topics.result(tag, 2), *places]
    with suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(chance.expovariate(5.0))
            topic, frame = chance.choice(places), bytearray(26)
            if heard:
                known = [each.payload for each in heard if each.payload]  # none is what he cut
                topic, frame = heard[-1].topic, bytearray(chance.choice(known or [frame]))
            frame[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
            what, messages = chance.choice(
                (
                    ("again", [Message(*each[:2]) for each in list(heard)[-3:]]),
                    ("changed", [Message(topic, bytes(frame))]),
                    ("cut short", [Message(topic, bytes(frame[: chance.randrange(len(frame))]))]),
                    ("too long", [Message(topic, chance.randbytes(10_000))]),
                    ("flooded", [Message(topic, bytes(frame))] * 3 * MOST_PER_S),
                    ("kept", [Message(each, bytes(frame), retained=True) for each in kept]),
                    ("said to be gone", [Message(topics.here(tag, 1), GONE, retained=True)]),
                )
            )
            for message in messages:
                session.publish(message)
            said[what] += len(messages)
    session.abandon()
    return said


def _memory_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


async def published(seed: int) -> int:
    """Publish anything at a seat's topics; returns how much of it reached the seat."""
    chance, broker, came = Random(f"strangers {seed}"), MemoryBroker(seed), []
    link = BrokerLink(broker.session(), came.append)
    link.attend(Chair(TAG, 1))
    await link.start()
    await asyncio.sleep(1.0)
    for _ in range(MESSAGES):
        size = chance.choice((0, 1, 9, 10, 26, 104, MAX_FRAME, MAX_FRAME + 1, 10_000))
        payload = chance.randbytes(size)
        topic = chance.choice((topics.to(TAG, 1), topics.to(TAG, "all"), topics.here(TAG, "x")))
        broker.take(Message(topic, payload, retained=chance.random() < 0.3))
        for kind in (MatchNotice, EntryBlock, Result):
            try:
                kind.decode(payload)
            except FeedError:
                continue
            raise AssertionError(f"seed {seed}: {payload!r} is no {kind.__name__}")
        await asyncio.sleep(chance.expovariate(50.0))
    assert all(10 <= len(frame) <= MAX_FRAME for frame in came), f"seed {seed}"
    link.abandon()
    return len(came)
