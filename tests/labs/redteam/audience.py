"""Feeds, results and records that somebody made up: refused in one line, and nothing hangs.

A true match is sent to spectators and to a league with everything changed that can be: bytes,
entries, signatures, the sender, the table. Each result holds, or is refused. No match is followed
or kept that is not the true one. One of other keys is the exception: it is kept apart and disputes
nothing.
"""

import time
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec

from firmware.audience.league import League
from firmware.audience.store import Store
from firmware.audience.watching import Watching
from firmware.device.feed import EntryBlock, MatchNotice, Result
from firmware.link.broker.topics import result
from game.record import read
from tests.support.feeds import TAG, played

MOST_S = 5.0
"""Nothing of all this may take longer, of this thread's time."""
NAMES = ("Ana", "Ben", "Cem")


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    rng, counts, until = Random(f"audience {seed}"), Counter[str](), time.monotonic() + seconds
    told = played("class", (0, 2))[1]
    false = played("class", (1,), seed=7, key=b"\x07" * 32)[1]
    false = [each._replace(topic=result(TAG, 1)) for each in false if "/result/" in each.topic]
    truth = played("class", (0, 2))[0][0].match
    with TemporaryDirectory() as folder:
        store = Store(Path(folder) / "league.sqlite")
        league = League(store, lambda: "2030")
        assert str(league.take(told[-1])).startswith("taken"), "the true one comes first"
        longest = 0.0
        while time.monotonic() < until:
            began = time.thread_time()
            _watch(told, truth, rng, counts)
            _take(league, false if rng.random() < 0.2 else told, rng, counts)
            longest = max(longest, time.thread_time() - began)
            assert longest < MOST_S, f"seed {seed}: {longest:.1f} s"
        for kept in league.matches:
            record = read(store.record(kept.number) or "")
            assert record.players == truth.players, f"seed {seed}: {record}"
            assert not kept.disputed, f"seed {seed}: {kept}"
        assert [each.apart for each in league.matches][:1] == [False], f"seed {seed}"
        assert len(league.matches) <= 2, f"seed {seed}: one match was kept as several"
        assert 1 in {each.match.number for each in league.rated()}, f"seed {seed}: it is void"
        store.close()
    return {**counts, "longest s": round(longest, 2)}


def _watch(told, truth, rng: Random, counts: Counter[str]) -> None:
    watching, lies = Watching(TAG, rng.choice(("en", "de"))), rng.random()
    for message in rng.sample(told, len(told)) if rng.random() < 0.5 else told:
        lines = watching.take(_altered(message, rng) if rng.random() < lies else message)
        assert all("\n" not in line for line in lines), lines
    match = watching.match
    if match is not None and match.outcome is not None:
        assert match.outcome == truth.outcome, match
        counts["watched to the end"] += 1
    counts["feeds"] += 1


def _take(league: League, told, rng: Random, counts: Counter[str]) -> None:
    message = rng.choice([each for each in told if "/result/" in each.topic])
    line = league.take(_altered(message, rng)) or "known"
    assert "\n" not in line, line
    counts[f"results {line.split(',')[0]}"] += 1


def _altered(message, rng: Random):
    """A message with something changed: its bytes, a value of it, or where it is told."""
    kind = Result if "/result/" in message.topic else MatchNotice
    kind = EntryBlock if "/entries/" in message.topic else kind
    payload = bytearray(message.payload)
    match rng.randrange(5):
        case 0:
            payload[rng.randrange(len(payload))] = rng.randrange(256)
        case 1:
            payload = payload[: rng.randrange(len(payload))]
        case 2:
            part = kind.decode(message.payload)
            name = rng.choice(kind.__struct_fields__)
            value = getattr(part, name)
            changed = {
                int: lambda: max(0, value + rng.choice((-1, 1, 16, 60_000))),
                str: lambda: value[: rng.randrange(len(value) + 1)],
                list: lambda: rng.sample(value, len(value)),
            }[type(value)]()
            payload = bytearray(msgspec.structs.replace(part, **{name: changed}).encode())
        case 3:
            levels = message.topic.split("/")
            levels[rng.choice((2, 4))] = rng.choice(("1", "3", "16", "f" * 32))
            return message._replace(topic="/".join(levels))
        case _:
            pass
    return message._replace(payload=bytes(payload))
