"""Matches as their seats tell them to anybody at a broker."""

from functools import cache
from random import Random

import msgspec

import tests.support.core_table as cores
from firmware.audience import Watching
from firmware.device.feed import EntryBlock, Feed, MatchNotice
from firmware.effects import TableAddress
from firmware.table.protocol.sealing import KEY_BYTES, keys_of_table, tag_of_table

KEY = bytes(range(KEY_BYTES))
TAG = tag_of_table(KEY)
SIZE = 3


def feed_of(table, seat, publish):
    signers = keys_of_table(table.key, seat, range(SIZE)).signers
    keys = tuple(signers[each] for each in sorted(signers))
    return Feed(table[seat].handheld, TableAddress(tag_of_table(table.key), seat), keys, publish)


@cache
def played(game, publishers=(0,), seed=3, key=KEY):
    """The messages of a short match, as they came, seat by seat."""
    table, told = cores.CoreTable(SIZE, game=game, seed=seed, key=key, **cores.SHORT[game]), []
    feeds = {seat: feed_of(table, seat, told.append) for seat in publishers}
    chance = Random(seed)

    def update():
        for seat, feed in feeds.items():
            feed.update(table[seat].own_seat.log.index)

    def pick(legal):
        update()
        return chance.choice(legal)

    table.walk(Random(seed), pick=pick)
    table.wait(60 * cores.S)
    update()
    return table, tuple(told)


def kept(told):
    """Return the messages that a broker has kept for latecomers."""
    return list({message.topic: message for message in told}.values())


def watched(told, language="en"):
    watching = Watching(TAG, language)
    for message in told:
        watching.take(message)
    return watching


def of_seat(told, seat):
    return [message for message in told if f"/public/{seat}/" in message.topic]


def altered(message, **changes):
    kind = EntryBlock if "/entries/" in message.topic else MatchNotice
    part = msgspec.structs.replace(kind.decode(message.payload), **changes)
    return message._replace(payload=part.encode())
