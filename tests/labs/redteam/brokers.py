"""Brokers that are killed and out of reach, strangers who publish what they like, and one cup.

A broker itself says what harms most to who comes: packets of any length, of every kind and QoS,
cut anywhere. It takes no more memory than a match needs, and the next connection is well.
"""

import asyncio
import resource
import time
from random import Random

from firmware.device.feed import EntryBlock, FeedError, MatchNotice, Result
from firmware.effects.places import TableAddress
from firmware.link.broker import topics
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.session import Message
from firmware.link.framing import MAX_FRAME
from hw_sim.air.broker import MemoryBroker
from hw_sim.cli.soak import soak
from hw_sim.clock.virtual import run
from hw_sim.trials.soak.rough_table import Harm
from tests.support.hostile_broker import heard, packet, publish

HARM = Harm(loss=0.15, cuts=0.1, reboots=0.05, failures=0.05)
HOPS = 100
STANDSTILL_S = 120.0
"""Partitions of 30 s overlap; without a power cut a cup moves again sooner."""
TAG = "a" * 32
MESSAGES = 2_000
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
        tally = soak("mqtt", 2 + at % 7, HOPS, HARM, seed=at)
        told = f"{2 + at % 7} players, seed {at}: {tally.summary()}"
        assert tally.is_well, told
        assert tally.standstill_s < STANDSTILL_S, told
        frames += run(published(at))
        said += asyncio.run(hostile(at))
        hops, kills, parted = hops + tally.hops, kills + tally.failures, parted + tally.cuts
        standstill_s = max(standstill_s, tally.standstill_s)
        messages, rounds = messages + MESSAGES, rounds + 1
    return {
        "hops": hops,
        "brokers killed": kills,
        "partitions": parted,
        "longest standstill, s": round(standstill_s, 1),
        "messages of strangers": messages,
        "of them let through to the seals": frames,
        "bytes that a hostile broker could say": said,
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


def _memory_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


async def published(seed: int) -> int:
    """Publish anything at a seat's topics; returns how much of it reached the seat."""
    chance, broker, came = Random(f"strangers {seed}"), MemoryBroker(seed), []
    link = BrokerLink(broker.session(), came.append)
    link.listen_at(TableAddress(TAG, 1))
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
