"""An eavesdropper at a broker writes down every byte: no key, opening, dice, name or equal tags.

Handhelds below the screen play whole matches of all games over a broker in memory: real cores,
logs, seals and links; every other table tells anybody of its match. No secret of the seats may have
reached the broker, neither as it is nor in hex, and no covered dice. Twins play one match with
other dice under their cups: until these are laid open a broker must hear the same at the same
instants. Each searched secret is put in once for every table, and must be found.
"""

import asyncio
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from random import Random

from firmware.device.feed import EntryBlock, Feed
from firmware.effects.places import TableAddress
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.session import Message
from firmware.table.log.entries import decode_entries
from firmware.table.protocol.codec import encode
from firmware.table.protocol.cup_messages import Give
from firmware.table.protocol.keys import KEY_BYTES, broker_password, keys_of_table, tag_of_table
from game import RULES, apply, new_match, public
from game.actions import Believe, Doubt, GiveIn, Lift, Refuse, ShowMaexchen, ShowTower
from hw_sim.air.broker import matches
from tests.support.core_table import SHORT, CoreTable, UndoneError

MOST_PLAYERS = 5
COVERED = ("class", "physicist", "holy-family")
"""The games in which dice lie under a cup that goes round."""
TWIN_HOPS = 4
LEAST = 8
"""A secret's part of this many bytes does not turn up by chance."""
LAYING_OPEN = (Doubt, GiveIn, Lift, Refuse, ShowMaexchen, ShowTower)
THROWS = [(one, other) for one in range(1, 7) for other in range(1, one + 1) if one + other > 3]
"""All but Mäxchen, which its player may show: his own dial tells him."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class LaidOpenError(Exception):
    """What comes next lays dice open."""


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time is that of a table; nobody waits on it."""

    table = None

    def time(self):
        return 0.0 if self.table is None else self.table.now_us / 1e6


class Wiretap:
    """A broker that hands on at once, and writes down what it hears: µs and message."""

    def __init__(self):
        self.table, self.said, self.sessions = None, [], []

    def hear(self, message):
        self.said.append((0 if self.table is None else self.table.now_us, message))
        for session in self.sessions:
            if any(matches(topic, message.topic) for topic in session.topics):
                session.take(Message(message.topic, message.payload))

    def deliver(self, seat, frame):
        self.table.air.append((self.table.now_us + self.table.air_us, None, seat, frame))


class Session:
    """A client of it; the account that it logs in with is heard as well."""

    def __init__(self, broker):
        self.broker = broker

    async def start(self, take):
        self.take = take
        self.broker.sessions.append(self)

    def attend(self, attendance):
        self.topics = (*attendance.topics, *attendance.kept)
        self.broker.hear(Message(attendance.user, attendance.password.encode()))
        self.broker.hear(attendance.will)

    def publish(self, message):
        self.broker.hear(message)


class OverBroker(CoreTable):
    """A table of cores whose frames go over links to a broker; with ``tells`` its feeds, too."""

    def __init__(self, broker, links, key, names, *, tells, **given):
        self.now_us, self.links, self.feeds = 0, links, {}
        broker.table = asyncio.get_running_loop().table = self
        super().__init__(len(names), key=key, names=names, **given)
        for seat, place in enumerate(self.places if tells else ()):
            signers = keys_of_table(key, seat, range(self.size)).signers
            keys = tuple(signers[each] for each in sorted(signers))
            table_address = TableAddress(tag_of_table(key), seat)
            self.feeds[seat] = Feed(place.handheld, table_address, keys, broker.hear)

    def _send(self, place, send):
        super()._send(place, send)
        self.air.pop()
        self.links[place.seat].send(None, send.frame)

    def _handle(self, place, report):
        super()._handle(place, report)
        if place.seat in self.feeds:
            self.feeds[place.seat].update(len(place.entries))

    @property
    def messages(self):
        """All that left sealed, as it was before."""
        return [message for place in self.places for _, message, _ in place.left]


async def at_broker(game, key, names, *, tells=False, **given):
    """A table at a broker of its own, and what that hears."""
    broker, links = Wiretap(), []
    asyncio.get_running_loop().table = None
    for seat in range(len(names)):
        links.append(BrokerLink(Session(broker), partial(broker.deliver, seat)))
        seed = keys_of_table(key, seat, range(len(names))).seed
        links[-1].listen_at(TableAddress(tag_of_table(key), seat, password=broker_password(seed)))
        await links[-1].start()
    return OverBroker(broker, links, key, names, tells=tells, game=game, **given), broker.said


def bytes_of(said):
    return b"\n".join(each.topic.encode() + b" " + each.payload for _, each in said)


def found(text, secrets):
    """Those of the secrets, by what they are, that can be read in bytes."""
    return sorted(
        what
        for what, secret in secrets
        if any(form in text for form in (secret[:32], secret[:LEAST].hex().encode()))
    )


def keys_at(key, size):
    """What the keys of a table are made from, and made to."""
    yield "table key", key
    for seat in range(size):
        keys = keys_of_table(key, seat, range(size))
        yield "signing seed", keys.seed
        yield from (("pair key", each) for each in keys.pairs.values())


def secrets_of(table, *, tells):
    """What nobody but the seats may know of a table, by what it is."""
    yield from keys_at(table.key, table.size)
    yield from (("secret of dice", place.kept.secret) for place in table.places if place.kept)
    openings = {each.contents.opening for each in table.messages if isinstance(each, Give)}
    if tells:
        log = b"".join(table.places[0].entries)
        yield from (("opening", each) for each in openings if any(each) and each not in log)
        return
    yield from (("name", name.encode()) for name in table.names)
    for message in table.messages:
        body = encode(message).body
        if len(body) >= LEAST:
            yield f"body of {type(message).__name__}", body
        if isinstance(message, Give) and any(message.contents.opening):
            yield "opening", message.contents.opening


def check_feed(table, said, told):
    """All that is public is what the log has in the end, without dice that stayed covered."""
    match, known = new_match(table.rules, table.names, table.first), []
    openings = {each.contents.opening for each in table.messages if isinstance(each, Give)}
    for entry in table.places[0].entries:
        (action,) = decode_entries(entry)
        if any(each in entry for each in openings if any(each)):
            assert isinstance(action, Lift | ShowMaexchen | ShowTower), f"{told}: {action}"
        known.append(public(action, match))
        match = apply(match, known[-1]).match
    for _, message in said:
        if "/entries/" in message.topic:
            block = EntryBlock.decode(message.payload)
            actions = decode_entries(block.log.entries)
            same = list(actions) == known[block.first : block.first + block.count]
            assert same, f"{told}: {actions}"


async def listen(game, rng, told, counts, tags):
    """Play a match, and look for everything in what the broker heard."""
    size = rng.randint(RULES[game].fewest_players, MOST_PLAYERS)
    names = tuple("".join(rng.sample(LETTERS, 10)).title() for _ in range(size))
    key, tells = rng.randbytes(KEY_BYTES), rng.random() < 0.5
    made = at_broker(game, key, names, tells=tells, seed=rng.random(), **SHORT[game])
    table, said = await made
    table.walk(rng)
    table.wait(60_000_000)
    text, secrets = bytes_of(said), list(secrets_of(table, tells=tells))
    assert not found(text, secrets), f"{told}: {found(text, secrets)}"
    what, planted = rng.choice(secrets)
    for form in (planted, planted.hex().encode()):
        at = rng.randrange(len(text))
        assert what in found(text[:at] + form + text[at:], secrets), f"{told}: {what} is not found"
        counts["secrets put in and found"] += 1
    if tells:
        check_feed(table, said, told)
        counts["of them public"] += 1
    tag = tag_of_table(key)
    assert tag not in tags, f"{told}: {tag} again"
    tags.add(tag)
    counts.update(
        {"matches": 1, "messages": len(said), "bytes": len(text), "secrets": len(secrets)}
    )


async def heard_twice(game, rng, told, counts):
    """Play twins, and compare what the broker heard until dice were laid open, and after that."""
    size, seed = rng.randint(RULES[game].fewest_players, MOST_PLAYERS), rng.random()
    names, key = tuple(LETTERS[at] * 10 for at in range(size)), rng.randbytes(KEY_BYTES)
    twins = []
    for _ in range(2):
        throws = {seat: rng.choices(THROWS, k=99) for seat in range(size)}
        twins.append(await covered_and_open(game, key, names, throws, Random(seed)))
    (covered, laid_open), (others, differently) = twins
    assert covered == others, f"{told}: the twins are told apart"
    counts["twins"] += 1
    counts["of them told apart once dice lie open"] += laid_open != differently
    counts["messages before that"] += len(covered)


async def covered_and_open(game, key, names, throws, rng):
    """What a broker hears of a match until dice are laid open, and from then on."""
    table, said = await at_broker(game, key, names, tells=True, dice=throws)
    hops = 0

    def cover(legal):
        nonlocal hops
        believed = [each for each in legal if isinstance(each, Believe)]
        hops += len(believed)
        covered = [each for each in legal if not isinstance(each, LAYING_OPEN)]
        if hops > TWIN_HOPS or not covered:
            raise LaidOpenError
        return (believed or [rng.choice(covered)])[0]

    with suppress(LaidOpenError):
        table.walk(rng, pick=cover)
    heard = [(us, told.topic, len(told.payload), public_part(told)) for us, told in said]
    with suppress(UndoneError):
        table.walk(
            rng, most=3, pick=lambda legal: max(legal, key=lambda x: isinstance(x, LAYING_OPEN))
        )
    return heard, [public_part(told) for _, told in said[len(heard) :]]


def public_part(message):
    """What is not sealed of a message."""
    return b"" if "/to/" in message.topic else message.payload


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Listen to matches for so long; at the least to one of every game."""
    counts, tags, until_s = Counter(), set(), time.monotonic() + seconds
    with asyncio.Runner(loop_factory=Clock) as runner:
        while counts["matches"] < len(RULES) or time.monotonic() < until_s:
            number = counts["matches"]
            told = f"seed {seed}, match {number}"
            rng = Random(f"{seed}/{number}")
            game = list(RULES)[number % len(RULES)]
            runner.run(listen(game, rng, f"{told}, {game}", counts, tags))
            if game in COVERED:
                runner.run(heard_twice(game, rng, f"{told}, {game}", counts))
    return dict(counts)
