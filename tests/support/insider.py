"""A guest with a place of their own who says at every end of an evening what is not theirs to say.

Each kind of message that the protocol numbers is forged, in everybody's name and to everybody, so
that a new kind is among them on the day on which it is written. The ends are the host's lobby, the
broker, the lines to the host and to other guests, and what crosses the guest's own line.
"""

import asyncio
from base64 import b64encode, urlsafe_b64decode
from collections import Counter
from functools import partial
from random import Random
from typing import get_args

import msgspec
from msgspec import inspect

from firmware.link.broker import Attendance, Message, topics
from firmware.link.broker.link import GONE, BrokerLink
from firmware.table.protocol import EVERY_SEAT, TAG_BYTES, Header, MessageKind
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import Head, InvitationKind
from firmware.table.protocol.room_line import room_of
from hw_sim.live.page.evening_line import (
    LOBBY,
    PAGE,
    Ask,
    Cuts,
    EveningLine,
    Frame,
    Opens,
    Reply,
    Says,
    Talk,
    Wide,
)
from hw_sim.live.web import incoming
from hw_sim.trials.faults import turned_over
from tests.support.evenings import overhear

OF_THE_HOST = {InvitationKind[kind] for kind in ("TABLE", "PLACE", "TERMS", "STANDS", "LINE")}
SIZES = (0, 16, 23, 48, 57, 63)
"""The lengths of bodies of kinds that nobody has been heard to send, in bytes."""
EVERY_S = 0.1
"""One forgery after the other: below what a host takes for a flood."""
STEPS = 6
"""The steps of a line, and more than there are."""


class Insider:
    """The forger. ``guest``: the phone of the guest who is one; its handheld may play as well.

    Attributes:
        forged, true: the frames said in the lobby in the name of others, and by their senders.
        said: how many forgeries there were, by the end that got them.
    """

    def __init__(self, evening, guest, seed=1):
        self.evening, self.guest = evening, guest
        self.chance = Random(f"insider {seed}")
        self.device, self.gathering = guest.own.device, evening.host.gathering
        self.key = urlsafe_b64decode(f"{guest.key}=")
        self.forged, self.true, self.reached = set(), set(), set()
        self.bodies, self.frames, self.said = {}, {}, Counter()
        self.session, self.links = evening.broker.session(), []
        overhear(self.gathering, self._observe)

    def _observe(self, frame):
        self.reached.add(frame)
        self.bodies.setdefault(wire.head_of(frame).kind, []).append(frame[wire.HEAD_BYTES :])

    @property
    def believed(self):
        """The forgeries that have come through to the lobby."""
        return (self.forged & self.reached) - self.true

    async def come(self):
        """Come to the broker, and spy on all lines and on what everybody says in the lobby."""
        for each in self.others:
            each.own.lobby = partial(self._overhear, each.own.lobby)
        self.session.attend(Attendance(()))
        await self.session.start(lambda _: None)
        hosts = self.evening.host.py.guests._lines._device
        for device in (hosts, *(each.own.device for each in self.others)):
            link = BrokerLink(self.evening.broker.session(), self._spy)
            link.listen_at(room_of(self.guest.code, self.key, device))
            await link.start()
            self.links.append(link)
        self.line = await self.new_line()

    def _overhear(self, say, frame):
        self.true.add(frame)
        say(frame)

    def _spy(self, frame):
        head = wire.head_of(frame)
        if head.kind is InvitationKind.LINE and self.device not in (head.sender, head.receiver):
            self.frames.setdefault((head.sender, head.receiver), []).append(frame)

    @property
    def others(self):
        return [each for each in self.evening.guests if each is not self.guest]

    async def new_line(self, device=None):
        """Open a line to the host, as that of a device: the own one, or that of another."""
        device = device or self.device
        line = EveningLine(
            self.guest.code, self.key, device, self.guest.own.brokers,
            lambda *_: None, self.chance.randbytes, lambda _: None,
        )  # fmt: skip
        await line.start()
        await line._opened.wait()
        return line

    async def open(self, device=None, secret=None):
        """Come into the lobby, on a new line, once; return the line."""
        line = await self.new_line(device)
        line._enter = lambda: None
        line._send(Opens(LOBBY))
        line._send(Says(LOBBY, secret or self.guest.secret))
        line._is_in = True
        return line

    async def is_let_in(self, *asked):
        """Whether the lobby keeps such a stream."""
        line = await self.open(*asked)
        await asyncio.sleep(1.0)
        line.close()
        return line._is_in

    # ---- the lobby -----------------------------------------------------------------------------

    @property
    def people(self):
        """The devices of everybody, this host's among them, and one that nobody has."""
        stood = self._stood
        known = [*self.gathering.lobby.people, *(stood.agreed.people if stood else ())]
        devices = {each.device: None for each in known}
        devices |= dict.fromkeys(each.own.device for each in self.evening.guests)
        return [*devices, bytes(6), self.chance.randbytes(6)]

    @property
    def _stood(self):
        world = self.evening.host.world
        return None if world is None else world.table.seats[-1].device.standing

    def in_the_room(self):
        """Forge every kind of clear frame, from everybody and to everybody."""
        room = self.gathering.room
        session, host = bytes.fromhex(room.session), bytes.fromhex(room.host)
        for kind in InvitationKind:
            for sender in self.people:
                for receiver in {wire.EVERYBODY, host, self.chance.choice(self.people)}:
                    frame = wire._HEAD.pack(wire.LAYOUT, kind, sender, receiver, session)
                    frame += self._body(kind, sender)
                    is_forged = sender != self.device or kind in OF_THE_HOST
                    yield frame, is_forged
        names = ("Eve", True, b""), ("EVE", False, b""), ("Bo", False, b"")
        for name, watches, carrier in (*names, ("Eve", False, self.chance.choice(self.people))):
            head = Head(InvitationKind.JOIN, self.device, host, session)
            person = wire.Attendee(self.device, name, watches, self.chance.randbytes(32))
            yield wire.packed(head, person) + carrier, watches or carrier != b""

    def _body(self, kind, sender):
        """A body that was heard, for another sender where it names one; or any bytes."""
        heard = self.bodies.get(kind, [])[-8:]
        if kind is InvitationKind.LEAVE and self.chance.random() < 0.5:
            return b""
        if kind is InvitationKind.JOIN and self.chance.random() < 0.5:
            person = wire.Attendee(sender, "Ada", False, self.chance.randbytes(32))
            return person.pack() + self.chance.choice((b"", *self.people))
        if heard and self.chance.random() < 0.7:
            return self._mutated(self.chance.choice(heard))
        return self.chance.randbytes(self.chance.choice(SIZES))

    def _mutated(self, data, begin=0):
        """The data with a bit changed from a place on, so that it is nobody's."""
        if len(data) <= begin:
            return data + self.chance.randbytes(1)
        return data[:begin] + turned_over(data[begin:], self.chance)

    async def in_lobby(self):
        """Say all of that in the lobby; in the name of others also at the broker's room."""
        line = await self.open()
        known = {each.own.device for each in self.others}
        known.add(bytes.fromhex(self.gathering.room.host))
        said = *self.in_the_room(), *((each.payload, of) for each, of in self.at_the_table())
        for frame, is_forged in said:
            (self.forged if is_forged else self.true).add(frame)
            line._send(Frame(frame))
            if is_forged and frame[2:8] in known:
                self.session.publish(Message(topics.room(self.gathering.code), frame))
            self.said["lobby"] += 1
            await asyncio.sleep(EVERY_S)
        line.close()

    async def claim(self):
        """Try to have the device of everybody else."""
        own = await self.open()  # the place has a device: the own one
        await asyncio.sleep(1.0)
        others = [each for each in self.people if each != self.device]
        for device in others:
            assert not await self.is_let_in(device), f"{device.hex()} was given to another place"
        own.close()

    # ---- the table -----------------------------------------------------------------------------

    def at_the_table(self):
        """Forge every kind of sealed frame, and presence, from every seat and to every seat."""
        stood = self._stood
        if stood is None:
            return
        agreed, tag = stood.agreed, stood.table_address.tag
        mine = stood.seat_of(self.device)
        seats = range(len(agreed.people) + 1)
        for kind in (*MessageKind, 0):
            for sender in seats:
                receiver = self.chance.choice((*seats, EVERY_SEAT))
                to = topics.ALL if receiver == EVERY_SEAT else receiver
                header = Header(kind, stood.keys.table, 0, sender, receiver, 1 << 12)
                body = self.chance.randbytes(TAG_BYTES + self.chance.randrange(60))
                yield Message(topics.to(tag, to), header.pack() + body), sender != mine
        for sender in self.people:
            for kind in InvitationKind:
                head = Head(kind, sender, self.chance.choice(self.people), agreed.session)
                frame = wire.packed(head, wire.Plain(self.chance.randbytes(18)))
                yield Message(topics.to(tag, topics.ALL), frame), sender != self.device
        for seat in seats:
            for what in (GONE, b"2", b""):
                if seat != mine:
                    yield Message(topics.here(tag, seat), what, retained=True), what == b"2"
        elsewhere = self.chance.randbytes(16).hex()
        yield Message(topics.here(elsewhere, 0), b"1", retained=True), True
        yield Message(topics.to(elsewhere, 0), self.chance.randbytes(40)), True

    async def at_broker(self):
        """Say to the table at the broker what is nobody's."""
        for message, _ in [*self.at_the_table()]:
            self.session.publish(message)
            self.said["table"] += 1
            await asyncio.sleep(EVERY_S)

    # ---- the lines of others -------------------------------------------------------------------

    async def in_lines(self):
        """Say again, changed, late or in another's name what crosses the lines of others."""
        for (sender, receiver), heard in tuple(self.frames.items()):
            for frame in self.chance.sample(heard, min(3, len(heard))):
                rest = frame[wire.HEAD_BYTES :]
                heads = [(sender, receiver), (receiver, sender), (self.device, receiver)]
                heads += [(self.device, sender), (sender, wire.EVERYBODY)]
                forged = [frame, self._mutated(frame, wire.HEAD_BYTES), frame[:-1], frame + b"x"]
                for one, other in heads:
                    head = wire._HEAD.pack(wire.LAYOUT, InvitationKind.LINE, one, other, bytes(4))
                    forged += [head + bytes((step,)) + rest[1:] for step in range(STEPS)]
                    late = (1 << 20).to_bytes(4)
                    forged.append(head + rest[:9] + late + rest[13:])
                for each in forged:
                    self.links[0].send(None, each)
                    self.said["lines"] += 1
                    await asyncio.sleep(EVERY_S / 2)

    # ---- the own line --------------------------------------------------------------------------

    def texts(self):
        """Yield every message of a page, for every seat, and hellos of every view."""
        for kind in get_args(incoming.AnyIncoming):
            for seat in range(len(self.evening.guests) + 1):
                told = self.made(inspect.type_info(kind), seat)
                if kind is incoming.LeaveSeat and seat == self.place:
                    continue  # that is the guest's own to say
                yield incoming.parse(msgspec.json.encode(told).decode())

    @property
    def place(self):
        return self.evening.host.table.seats.place_of(self.guest.secret)

    def made(self, kind, seat):
        """Make a value of a type, as JSON has it; any seat or place is this one."""
        match kind:
            case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
                told = {each.encode_name: self.made(each.type, seat) for each in fields}
                told |= {"language": "en"} if "language" in told else {}
                return told | ({tag_field: tag} if tag_field else {})
            case inspect.IntType(ge=least, le=most):
                return seat if most is None or most >= seat else least
            case inspect.FloatType(ge=least, le=most):
                return self.chance.uniform(least or 0.0, most or 1.0)
            case inspect.BoolType():
                return self.chance.random() < 0.5
            case inspect.LiteralType(values=values):
                return self.chance.choice(values)
            case inspect.UnionType(types=types):
                return self.made(next(each for each in types if each != inspect.NoneType()), seat)
            case inspect.StrType(pattern=pattern):
                return self.guest.secret if pattern else "sevens"
            case inspect.BytesType(min_length=least):
                return b64encode(self.chance.randbytes(least or 1)).decode()
            case inspect.VarTupleType(item_type=item, min_length=least):
                return [self.made(item, seat) for _ in range(least or 0)]
            case inspect.TupleType(item_types=items):
                return [self.made(each, seat) for each in items]
            case inspect.DictType():
                return {}
        raise AssertionError(f"no value of {kind} is known: add one")

    def talks(self):
        """Yield every kind of message of a line that is not a true one, and what is none."""
        names = [each.name for each in self.evening.guests]
        asked = [("/sit", {"name": each}) for each in names]
        for place in range(len(names) + 1):
            faces = ["fox", "cat", "owl"]
            asked.append(("/return", {"place": place, "faces": faces}))
        asked += [("/sit", {"name": "Zed", "place": 0}), ("/link", {}), ("/../host", {})]
        for number, (path, body) in enumerate(asked):
            yield Ask(number, path, msgspec.json.encode(body).decode())
        yield from (Reply(number, 200, '{"secret": "a"}') for number in range(3))
        for stream in (PAGE, LOBBY, 2, -1, 1 << 40):
            yield from (Opens(stream), Says(stream, "{}"), Says(stream, ""), Frame(b""))
            yield from (Cuts(stream, 4403, "x"), Wide())
        known = Ask(0, ""), Reply(0, 0, ""), Opens(0), Says(0, ""), Frame(b""), Cuts(0), Wide()
        assert {*map(type, known)} == {*get_args(Talk)}, "a new kind: forge it, too"

    async def on_own_line(self):
        """Say all of that to the host, and every message of a page behind every hello."""
        views = get_args(incoming.View)
        for number, text in enumerate([*self.texts()]):
            view = views[number % len(views)]
            hello = incoming.Hello(view, "en", token=self.guest.secret)
            await self._talk(Opens(PAGE))
            await self._talk(Says(PAGE, msgspec.json.encode(hello).decode()))
            await self._talk(Says(PAGE, msgspec.json.encode(text).decode()))
        for each in self.talks():
            await self._talk(each)
        for data in (b"", b"\xc1", self.chance.randbytes(60)):
            self.line._line.send(data)
            self.line._pump()
            await asyncio.sleep(2.0)

    async def _talk(self, said):
        if not self.line.is_open:
            await asyncio.wait_for(self.line._opened.wait(), 60)
        self.line._send(said)
        self.said[type(said).__name__] += 1
        await asyncio.sleep(EVERY_S)

    async def forge(self):
        """Say all of that at all ends, again and again."""

        async def again(way):
            while True:
                await way()
                await asyncio.sleep(EVERY_S)

        ways = (self.in_lobby, self.at_broker, self.in_lines, self.on_own_line)
        await asyncio.gather(*(again(way) for way in ways))

    async def flood(self, end="lobby", per_s=435):
        """Say junk so often a second to an end: "lobby", "page" or, at the broker, "table".

        A stream that is cut is opened again at once.
        """
        loop = asyncio.get_running_loop()
        said, began_s, line = 0, loop.time(), await self.open()
        while True:
            while said < (loop.time() - began_s) * per_s:
                self._say_junk(end, line)
                self.said["flood"] += 1
                said += 1
            if end != "table" and not (line.is_open and line._is_in):
                self.said["cut"] += 1
                line.close()
                line = await self.open()
            await asyncio.sleep(0.02)

    def _say_junk(self, end, line):
        stood, junk = self._stood, self.chance.randbytes(60)
        if end == "lobby":
            line._send(Frame(junk))
        elif end == "page":
            line._send(Says(PAGE, junk.hex()))
        elif stood is not None:
            kind, sender = self.chance.choice([*MessageKind]), self.chance.randrange(3)
            header = Header(
                kind, stood.keys.table, 0, sender, EVERY_SEAT, self.chance.randrange(99)
            )
            to_all = topics.to(stood.table_address.tag, topics.ALL)
            self.session.publish(Message(to_all, header.pack() + junk))
