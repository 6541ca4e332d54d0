"""A guest with a place of their own who says at the relay what is not theirs to say.

Each kind of message that the protocol numbers is forged, in everybody's name and to everybody, so
that a new kind is among them on the day on which it is written.
"""

import asyncio
from random import Random

from firmware.link.broker import topics
from firmware.link.broker.link import GONE
from firmware.link.broker.relay import Attends, Farewell, Published
from firmware.link.broker.session import Message
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.header import EVERY_SEAT, TAG_BYTES, Header
from firmware.table.protocol.invitations import Head, InvitationKind
from firmware.table.protocol.kinds import MessageKind
from hw_sim.live.web.incoming import Allowance
from tests.support.own_phones import MemoryStream

OF_THE_HOST = {
    InvitationKind.TABLE,
    InvitationKind.PLACE,
    InvitationKind.TERMS,
    InvitationKind.STANDS,
    InvitationKind.LINE,
}
SIZES = (0, 16, 23, 48, 57, 63)
"""The lengths of bodies of kinds that nobody has been heard to send, in bytes."""
EVERY_S = 0.1
"""One forgery after the other: below what the relay takes for a flood."""


class Insider:
    """The forger. ``phone``: of the guest who is one, if a handheld of theirs plays as well.

    Attributes:
        forged, true: what has been said in the name of others, and in one's own, by topic and
            payload.
        refused: how often the relay closed a stream.
    """

    def __init__(self, party, place, name="Eve", seed=1, phone=None):
        self.party, self.place, self.phone = party, place, phone
        self.chance = Random(f"insider {seed}")
        self.secret = phone.secret if phone else self._sit(name)
        self.device = phone.handheld.device if phone else self.chance.randbytes(6)
        self.forged, self.true, self.reached = set(), set(), set()
        self.refused, self.bodies = 0, {}
        self._stream = None
        self.broker = party.broker or party.relay.new_session()._broker
        self.broker.observers.append(self._observe)

    def _sit(self, name):
        seats = self.party.seats
        return seats.sit(seats.stored.code, name)

    def _observe(self, message):
        self.reached.add((message.topic, message.payload))
        if message.topic.startswith(topics.room("")) and wire.is_invitation(message.payload):
            head = wire.head_of(message.payload)
            self.bodies.setdefault(head.kind, []).append(message.payload[wire.HEAD_BYTES :])

    @property
    def believed(self):
        """The forgeries that have come through."""
        return self.forged & self.reached

    # ---- streams -------------------------------------------------------------------------------

    def open(self, device=None, will=None, secret=None):
        """Open a stream, under a device of one's own choice."""
        stream = MemoryStream(self.party.relay, lambda *_: None, lambda text: [text])
        stream._connection._allowance = Allowance(1e9, 1e9, 0.0)  # as over many connections
        room = topics.room(self.party.table.lobby.gathering.code)
        user = (device or self.device).hex()
        stream.send(Attends((room,), (), will, user, secret or self.secret))
        return stream

    def say(self, message):
        """Publish a message on a stream that is open."""
        if self._stream is None or self._stream.carrying.done():
            self.refused += self._stream is not None
            self._stream = self.open()
        self._stream.send(Published(message))

    # ---- forgeries -----------------------------------------------------------------------------

    @property
    def people(self):
        """The devices of everybody, this host's among them, and one that nobody has."""
        gathering, stood = self.party.table.lobby.gathering, self._stood
        known = [*gathering._pairing.state.people, *(stood.agreed.people if stood else ())]
        devices = {each.device: None for each in known}
        devices |= dict.fromkeys(each.handheld.device for each in self.party.phones)
        return [*devices, bytes(6), self.chance.randbytes(6)]

    @property
    def _stood(self):
        seats = self.party.table.match
        return None if seats is None else seats.world.table.seats[-1].device.standing

    def in_the_room(self):
        """Forge every kind of clear frame, from everybody and to everybody."""
        room = self.party.table.lobby.gathering.room
        session, host = bytes.fromhex(room.session), bytes.fromhex(room.host)
        for kind in InvitationKind:
            for sender in self.people:
                for receiver in {wire.EVERYBODY, host, self.chance.choice(self.people)}:
                    frame = wire._HEAD.pack(wire.LAYOUT, kind, sender, receiver, session)
                    frame += self._body(kind, sender)
                    is_forged = sender != self.device or kind in OF_THE_HOST
                    yield Message(topics.room(room.code), frame), is_forged

        for name, watches, carrier in (
            ("Eve", True, b""),
            ("EVE", False, b""),
            ("Bo", False, b""),
            ("Eve", False, self.chance.choice(self.people)),
        ):
            head = Head(InvitationKind.JOIN, self.device, host, session)
            person = wire.Attendee(self.device, name, watches, self.chance.randbytes(32))
            message = Message(topics.room(room.code), wire.packed(head, person) + carrier)
            yield message, watches or carrier != b""

    def _body(self, kind, sender):
        """A body that was heard, for another sender where it names one; or any bytes."""
        heard = self.bodies.get(kind, [])[-8:]
        if kind is InvitationKind.LEAVE and self.chance.random() < 0.5:
            return b""
        if kind is InvitationKind.JOIN and self.chance.random() < 0.5:
            name = next((each.name for each in self.party.phones), "Eve")
            person = wire.Attendee(sender, name, False, self.chance.randbytes(32))
            return person.pack() + self.chance.choice((b"", *self.people))
        if heard and self.chance.random() < 0.7:
            return self._mutated(self.chance.choice(heard))
        return self.chance.randbytes(self.chance.choice(SIZES))

    def _mutated(self, body):
        """A body with a byte changed, so that it is nobody's."""
        if not body:
            return self.chance.randbytes(1)
        at = self.chance.randrange(len(body))
        return body[:at] + bytes((body[at] ^ self.chance.randrange(1, 256),)) + body[at + 1 :]

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
        yield Message(topics.room("1"), self.chance.randbytes(40)), True

    async def forge(self):
        """Say all of that, again and again."""
        while True:
            for message, is_forged in [*self.in_the_room(), *self.at_the_table()]:
                known = self.forged if is_forged else self.true
                known.add((message.topic, message.payload))
                self.say(message)
                await asyncio.sleep(EVERY_S)

    async def claim(self):
        """Try to have the device of everybody else, and to leave a last will in their names."""
        self.say(self.junk())
        await asyncio.sleep(1.0)
        for device in self.people:
            if device != self.device:
                stream = self.open(device)
                await asyncio.sleep(1.0)
                assert stream.carrying.done(), f"{device.hex()} was given to another place"
        code = self.party.table.lobby.gathering.code
        others = [each for each in self.people if each != self.device]
        wills = [Message(topics.room(code), self._farewell(each)) for each in others]
        if (stood := self._stood) is not None:
            tag, mine = stood.table_address.tag, stood.seat_of(self.device)
            other = next(each for each in range(16) if each != mine)
            wills += [Message(topics.here(tag, other), b"2", retained=True)]
        for will in wills:
            self.forged.add((will.topic, will.payload))
            stream = self.open(will=will)
            await asyncio.sleep(1.0)
            stream.abort()

    def _farewell(self, sender):
        session = bytes.fromhex(self.party.table.lobby.gathering.room.session)
        body = wire.Plain(self.chance.randbytes(wire.OPENING_BYTES))
        return wire.packed(Head(InvitationKind.LEAVE, sender, wire.EVERYBODY, session), body)

    async def flood(self, message, per_s=435):
        """Publish a message so often a second, on streams that are opened again at once."""
        said, began_s = 0, asyncio.get_running_loop().time()
        while True:
            while said < (asyncio.get_running_loop().time() - began_s) * per_s:
                self.say(message())
                said += 1
            await asyncio.sleep(0.02)

    def junk(self):
        """A frame in the room that says nothing."""
        return Message(
            topics.room(self.party.table.lobby.gathering.code), self.chance.randbytes(60)
        )

    def true_junk(self):
        """A frame to the table of one's own seat, which nobody can open; to the room without."""
        stood = self._stood
        seat = None if stood is None else stood.seat_of(self.device)
        if seat is None:
            return self.junk()
        header = Header(MessageKind.LOG, stood.keys.table, 0, seat, EVERY_SEAT, 1)
        to = topics.to(stood.table_address.tag, topics.ALL)
        return Message(to, header.pack() + self.chance.randbytes(60))

    def part(self):
        """Say farewell."""
        if self._stream is not None and not self._stream.carrying.done():
            self._stream.send(Farewell())
