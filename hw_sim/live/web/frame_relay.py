"""The relay of a party: sealed frames between handhelds of phones and of this host.

Each phone has a handheld of its own, with its own keys. The relay passes its messages to a broker,
and the broker's to it; it can open none, and keeps none on the disk. A phone comes with the secret
of its place. The place has one device, and all that it says names that device, or its seat at the
table that stands. Messages are bounded by place: a flood ends the stream that it comes on.
"""

import asyncio
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final

import msgspec

from firmware.link.broker import topics
from firmware.link.broker.link import GONE, HERE, MOST_PER_S
from firmware.link.broker.relay import Attends, Crossing, Published, Stream, Trouble, pass_on
from firmware.link.broker.session import Message, Session
from firmware.link.link import MAX_FRAME, PerSecond
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.invitations import (
    DEVICE_BYTES,
    Attendee,
    InvitationError,
    InvitationKind,
    body_of,
    head_of,
    sender_of,
)
from firmware.table.protocol.layout import HEADER_BYTES, kind_of
from firmware.table.protocol.layout import sender_of as seat_in
from firmware.table.protocol.retry import Retry
from hw_sim.live.web import incoming
from hw_sim.live.web.client import Client, PageConnection
from hw_sim.live.web.incoming import Allowance
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.party_seats import PartySeats, digest_at, place_with

MOST_STREAMS: Final = 3
"""The most streams of one place: a handheld has one to the lobby and one to its table."""
SAYS_PER_S, SAYS_AT_ONCE = 12, 60
"""The messages of one stream: so many in the long run, and so many at once. A handheld at a table
of eight says at most 26 in a second, and 42 in ten; eight of the long run fit `MOST_PER_S`."""
COMES_PER_S, COMES_AT_ONCE = 0.5, 20
"""The streams that a place may open, likewise; a phone opens two when its page is loaded."""
FIRST_OUT_US, LAST_OUT_US = 2_000_000, 60_000_000
"""How long a place whose stream was a flood opens no other: at first, and at most."""
MOST_VOUCHED: Final = 1024
"""The frames of the room that are known as those of their senders; seconds of it."""
_OF_GUESTS: Final = frozenset(InvitationKind) - {
    InvitationKind.TABLE,
    InvitationKind.PLACE,
    InvitationKind.TERMS,
    InvitationKind.STANDS,
    InvitationKind.LINE,
}
"""The kinds of a clear frame that a guest sends; the others are the host's."""
_TAG = f"{topics.ROOT}/[0-9a-f]{{32}}"
_HEARS: Final = re.compile(rf"{_TAG}/(to/(all|\d\d?)|here/\+)\Z")
"""The topics of tables that a phone's handheld listens to."""
_TO: Final = re.compile(r"(all|\d\d?)\Z")
_DEVICE: Final = re.compile(rf"(?!0+\Z)[0-9a-f]{{{2 * DEVICE_BYTES}}}\Z")
_decoder: Final = msgspec.json.Decoder(Crossing)


class FrameRelay:
    """Passes messages between phones' handhelds and a broker.

    Args:
        seats: whose secrets let a phone in; it keeps the device of each place.
        new_session: creates a session at the broker.

    Attributes:
        new_session: as above; this host's handhelds use it, too.
        stood: the table that stood last, whose seats alone have a say; None before the first.
    """

    def __init__(self, seats: PartySeats, new_session: Callable[[], Session]) -> None:
        self.new_session = new_session
        self.stood: StandingTable | None = None
        self._tag, self._host = "", b""
        self._people: Callable[[], Collection[Attendee]] = tuple
        self._on_device: Callable[[], None] = _nothing
        self._seats = seats
        self._streams: list[_PhoneStream] = []
        self._comes: dict[int, Allowance] = {}
        self._out: dict[int, Retry] = {}
        self._vouched: dict[bytes, None] = {}

    async def carry(self, connection: PageConnection) -> None:
        """Carry the messages of a handheld's connection until it parts."""
        client = Client(connection)
        stream = _PhoneStream(client, self)
        sending = asyncio.create_task(client.send_queued())
        session = self.new_session()
        try:
            await pass_on(stream, session)
        except incoming.RefusalError as error:
            if error.code == incoming.TOO_MANY and stream in self._streams:
                self._shut_out(stream.place)
            self._part(stream)
            await client.show_out(error.code, str(error))
        finally:
            session.abandon()
            sending.cancel()
            self._part(stream)

    @property
    def devices(self) -> dict[int, bytes]:
        """The device that each connected place has, six bytes."""
        return {each.place: each.device for each in self._streams}

    def close(self) -> None:
        """Cut all streams."""
        for each in self._streams:
            each.abort()

    def cut_strangers(self) -> None:
        """Cut the streams of those who have their place no longer."""
        for each in self._streams:
            if digest_at(self._seats.stored, each.place) != each.digest:
                each.abort()

    def gather(
        self,
        host: bytes,
        people: Callable[[], Collection[Attendee]],
        on_device: Callable[[], None],
    ) -> None:
        """Know the lobby in which handhelds gather.

        Args:
            host: the device of this host there.
            people: returns those there, this host among them.
            on_device: is called when a place has a device here, or none any more.
        """
        self._host, self._people, self._on_device = host, people, on_device

    def seat(self, table: StandingTable) -> None:
        """Let the seats of a table that stands have a say, and those of no other."""
        self.stood, self._tag = table, table.table_address.tag

    def keeps(self, topic: str) -> bool:
        """Whether a message may be retained: the presence of a seat at the table that stands."""
        places = () if self.stood is None else range(len(self.stood.agreed.people))
        return topic in [topics.here(self._tag, place) for place in places]

    # ---- who says what -------------------------------------------------------------------------

    def vouch(self, frame: bytes) -> None:
        """Note a frame of the room that its sender has said: this host, or a phone here."""
        self._vouched.pop(frame, None)
        self._vouched[frame] = None
        if len(self._vouched) > MOST_VOUCHED:
            del self._vouched[next(iter(self._vouched))]

    def is_credible(self, frame: bytes) -> bool:
        """Whether a frame of the room is not forged: all of this host and of phones come this way.

        A handheld without a phone proves nothing.
        """
        try:
            sender = sender_of(frame)
        except InvitationError:
            return False
        is_known = sender == self._host or place_with(self._seats.stored, sender) is not None
        return not is_known or frame in self._vouched

    def admit(self, stream: "_PhoneStream", attends: Attends) -> Attends:
        """Let a phone in whose secret a place has; return what it is to hear.

        Raises:
            RefusalError: nobody has invited it, its device is another's, it comes too often, or it
                wants to hear what is for others.
        """
        place = self._seats.place_of(attends.password)
        if place is None:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody has invited you here")
        self._let_come(place)
        room = topics.room(self._seats.stored.digits)
        if not _DEVICE.match(attends.user) or not all(
            each == room or _HEARS.match(each) for each in (*attends.topics, *attends.kept)
        ):
            raise incoming.ProtocolError("no handheld listens to that")
        self.cut_strangers()
        stream.place, stream.device = place, bytes.fromhex(attends.user)
        stream.digest = digest_at(self._seats.stored, place)
        self._bind(place, stream.device)
        own = [each for each in self._streams if each.place == place]
        for each in own[: len(own) - MOST_STREAMS + 1]:
            each.abort()
        self._streams.append(stream)
        if not own:
            self._on_device()
        will = attends.will if attends.will and self.is_true(stream, attends.will) else None
        return msgspec.structs.replace(attends, will=will, user="", password="")

    def is_true(self, stream: "_PhoneStream", message: Message) -> bool:
        """Whether a phone's handheld may publish this: a frame of its own, or that it is here."""
        topic, frame, tag = message.topic, message.payload, self._tag
        if digest_at(self._seats.stored, stream.place) != stream.digest:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your place any more")
        if topic == topics.room(self._seats.stored.digits):
            is_true = not message.retained and _is_of(frame, stream.device)
            if is_true:
                self.vouch(frame)
            return is_true
        seat = None if self.stood is None else self.stood.seat_of(stream.device)
        if seat is None:
            return False
        if topic == topics.here(tag, seat):
            return message.retained and frame in (HERE, GONE)
        is_frame = HEADER_BYTES <= len(frame) <= MAX_FRAME and not message.retained
        is_own = _is_of(frame, stream.device) if kind_of(frame) is None else seat_in(frame) == seat
        to = topics.to(tag, "")
        is_to = topic.startswith(to) and _TO.match(topic.removeprefix(to)) is not None
        return is_to and is_frame and is_own

    def _bind(self, place: int, device: bytes) -> None:
        """Give a place its device, unless it is another's.

        Raises:
            RefusalError: it is, or another one of the place is connected, or the disk is full.
        """
        name = self._seats.places()[place].name or ""
        at_table = () if self.stood is None else self.stood.agreed.people
        for each in (*self._people(), *at_table):
            if each.device == device and (each.watches or each.name != name):
                raise incoming.RefusalError(incoming.WRONG_SEAT, "this handheld is another's")
        try:
            self._seats.bind(place, device.hex(), anew=place not in self.devices)
        except SeatingError:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "this handheld is another's") from None
        except OSError:
            raise incoming.RefusalError(incoming.LATER, "the table cannot keep that now") from None

    def _let_come(self, place: int) -> None:
        """Let a place open one more stream.

        Raises:
            RefusalError: it has opened too many, or one of them was a flood.
        """
        now_s = asyncio.get_running_loop().time()
        out = self._out.get(place)
        full = Allowance(COMES_PER_S, COMES_AT_ONCE, now_s)
        if (out is not None and not out.due(round(now_s * 1e6))) or not self._comes.setdefault(
            place, full
        ).take(now_s):
            raise incoming.RefusalError(incoming.TOO_MANY, "too many messages: wait a minute")

    def _shut_out(self, place: int) -> None:
        """Let a place open no stream for a while, longer each time, till it is quiet for two."""
        now_us = round(asyncio.get_running_loop().time() * 1e6)
        out = self._out.get(place)
        if out is None or out.due_us is None or now_us - out.due_us > 2 * LAST_OUT_US:
            out = Retry(FIRST_OUT_US, LAST_OUT_US)
        self._out[place] = out.sent(now_us)

    def _part(self, stream: "_PhoneStream") -> None:
        with suppress(ValueError):
            self._streams.remove(stream)
            if stream.place not in self.devices:
                self._on_device()


class _PhoneStream(Stream):
    """A stream over the socket of a page: JSON instead of MessagePack, each a text.

    ``place``, ``digest``, ``device``: whose it is, the digest of their secret, and their device.
    """

    def __init__(self, client: Client, relay: FrameRelay) -> None:
        self.client = client
        self.place, self.digest, self.device = -1, "", b""
        self._relay = relay
        self._admitted = False
        self._now_s = asyncio.get_running_loop().time
        self._flood = PerSecond(MOST_PER_S, self._now_s)
        self._says = Allowance(SAYS_PER_S, SAYS_AT_ONCE, self._now_s())

    def send(self, what: Crossing) -> None:
        """Send a message; it is lost in a flood, and if 64 wait already. A frame is sent again."""
        match what:
            case Published(message) if message.topic.startswith(topics.room("")):
                if not self._relay.is_credible(message.payload):
                    return
        if self._flood.admits():
            self.client.send_text(msgspec.json.encode(what).decode())

    async def read(self) -> Crossing | None:
        """Return the next message of a handheld.

        Raises:
            RefusalError: no handheld sends that, or so much.
        """
        while (text := await self.client.connection.receive()) is not None:
            if not self._says.take(self._now_s()):
                raise incoming.RefusalError(incoming.TOO_MANY, "too many messages")
            try:
                came: Crossing = _decoder.decode(text)
            except msgspec.DecodeError as error:
                raise incoming.ProtocolError(" ".join(str(error).split())) from None
            if isinstance(came, Attends) and not self._admitted:
                self._admitted = True
                return self._relay.admit(self, came)
            if not self._admitted or isinstance(came, Attends | Trouble):
                raise incoming.ProtocolError("no handheld says that now")
            if not isinstance(came, Published) or self._relay.is_true(self, came.message):
                return came
        return None

    def abort(self) -> None:
        """Close at once."""
        self.client.cut()


def _is_of(frame: bytes, device: bytes) -> bool:
    """Whether a clear frame is one that a guest with this device sends.

    None that a phone sends was passed on by another handheld, and no phone only watches.
    """
    try:
        head, body = head_of(frame), body_of(frame)
    except InvitationError:
        return False
    if isinstance(body, Attendee) and (body.carrier or body.watches or body.device != device):
        return False
    return head.sender == device and head.kind in _OF_GUESTS


def _nothing() -> None:
    """Do nothing."""
