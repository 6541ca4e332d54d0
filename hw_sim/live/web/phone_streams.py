"""The streams of guests' phones into the lobby at the host's.

Each phone has a handheld of its own, with its own keys. It comes with the secret of its place, and
the place has one device. A phone says clear frames of that device to the host, and hears the
host's alone. Frames are bounded by place: a flood ends the stream that it comes on.
"""

import asyncio
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

import msgspec

from firmware.link.broker import topics
from firmware.link.broker.relay import Attends, Crossing, Published
from firmware.link.broker.session import Message
from firmware.table.protocol.invitations import (
    EVERYBODY,
    Attendee,
    InvitationError,
    InvitationKind,
    body_of,
    head_of,
)
from firmware.table.protocol.retry import Retry
from hw_sim.live.web import incoming
from hw_sim.live.web.client import GONE, LineConnection
from hw_sim.live.web.incoming import Allowance
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.party_seats import PartySeats, guest_at

MOST_STREAMS: Final = 3
"""The most streams of one place, of which its handheld uses one."""
SAYS_PER_S, SAYS_AT_ONCE = 12, 60
"""The frames of one stream: so many in the long run, and so many at once."""
COMES_PER_S, COMES_AT_ONCE = 0.5, 20
"""The streams that a place may open, likewise."""
FIRST_OUT_US, LAST_OUT_US = 2_000_000, 60_000_000
"""How long a place whose stream was a flood opens no other: at first, and at most."""
_OF_GUESTS: Final = frozenset(InvitationKind) - {
    InvitationKind.TABLE,
    InvitationKind.PLACE,
    InvitationKind.TERMS,
    InvitationKind.STANDS,
    InvitationKind.LINE,
}
"""The kinds of a clear frame that a guest sends; the others are the host's."""
_decoder: Final = msgspec.json.Decoder(Crossing)


class PhoneStreams:
    """Brings the host's frames to phones, and theirs to the host.

    Args:
        seats: whose secrets let a phone in; it keeps the device of each place.
        receive: gets the frames of phones.
        people: returns those in the lobby and at the table that stands, who keep their devices.
        on_device: is called when a place has a device here, or none any more.
    """

    def __init__(
        self,
        seats: PartySeats,
        receive: Callable[[bytes], None],
        people: Callable[[], Collection[Attendee]],
        on_device: Callable[[], None],
    ) -> None:
        self._seats = seats
        self.receive = receive
        self._people = people
        self._on_device = on_device
        self._topic = topics.room(seats.stored.digits)
        self._streams: list[_PhoneStream] = []
        self._comes: dict[int, Allowance] = {}
        self._out: dict[int, Retry] = {}

    async def carry(self, connection: LineConnection) -> None:
        """Carry the frames of a handheld's connection until it parts."""
        stream: _PhoneStream | None = None
        ended = GONE, ""
        try:
            came = await _read(connection)
            if isinstance(came, Attends):
                stream = self._admit(connection, came)
                await self._listen(stream)
        except incoming.RefusalError as error:
            ended = error.code, str(error)
            if error.code == incoming.TOO_MANY and stream in self._streams:
                self._shut_out(stream.place)
        finally:
            if stream in self._streams:
                self._streams.remove(stream)
                if stream.place not in self.devices:
                    self._on_device()
        connection.close(*ended)

    @property
    def devices(self) -> dict[int, bytes]:
        """The device that each connected place has, six bytes."""
        return {each.place: each.device for each in self._streams}

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame of the host to the phone with a device; None: to all phones."""
        told = Published(Message(self._topic, frame))
        for each in self._streams:
            if device in (None, each.device):
                each.connection.send(msgspec.json.encode(told).decode())

    def close(self) -> None:
        """Cut all streams."""
        for each in self._streams:
            each.cut()

    def cut_strangers(self) -> None:
        """Cut the streams of those who have their place no longer."""
        for each in self._streams:
            if guest_at(self._seats.stored, each.place).digest != each.digest:
                each.cut()

    async def _listen(self, stream: "_PhoneStream") -> None:
        """Hear a phone until it parts.

        Raises:
            RefusalError: no handheld sends that, or so much, or the place is another's by now.
        """
        now_s = asyncio.get_running_loop().time
        says = Allowance(SAYS_PER_S, SAYS_AT_ONCE, now_s())
        while isinstance(came := await _read(stream.connection), Published):
            if not says.take(now_s()):
                raise incoming.RefusalError(incoming.TOO_MANY, "too many messages")
            if guest_at(self._seats.stored, stream.place).digest != stream.digest:
                raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your place any more")
            message = came.message
            is_in_room = message.topic == self._topic and not message.retained
            if is_in_room and _is_of(message.payload, stream.device):
                self.receive(message.payload)

    def _admit(self, connection: LineConnection, attends: Attends) -> "_PhoneStream":
        """Let a phone in whose secret a place has; its last will is nothing to the lobby.

        Raises:
            RefusalError: nobody has invited it, its device is another's, or it comes too often.
        """
        place = self._seats.place_of(attends.password)
        if place is None:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody has invited you here")
        self._let_come(place)
        try:
            device = bytes.fromhex(attends.user)
        except ValueError:
            device = b""
        if len(device) != len(EVERYBODY) or device == EVERYBODY:
            raise incoming.ProtocolError("no handheld has such a device")
        self.cut_strangers()
        self._bind(place, device)
        own = [each for each in self._streams if each.place == place]
        for each in own[: len(own) - MOST_STREAMS + 1]:
            each.cut()
        stream = _PhoneStream(connection, place, guest_at(self._seats.stored, place).digest, device)
        self._streams.append(stream)
        if not own:
            self._on_device()
        return stream

    def _bind(self, place: int, device: bytes) -> None:
        """Give a place its device, unless it is another's.

        Raises:
            RefusalError: it is, or another one of the place is connected, or the disk is full.
        """
        name = guest_at(self._seats.stored, place).name
        for each in self._people():
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


class _PhoneStream(NamedTuple):
    """A phone that was let in: its place, the digest of its secret, and its device."""

    connection: LineConnection
    place: int
    digest: str
    device: bytes

    def cut(self) -> None:
        """Cut the stream; its phone comes again."""
        self.connection.close(GONE, "")


async def _read(connection: LineConnection) -> Crossing | None:
    """Return the next message of a phone; None when it is gone.

    Raises:
        RefusalError: no handheld sends that, or so much.
    """
    text = await connection.receive()
    try:
        return None if text is None else _decoder.decode(text)
    except msgspec.DecodeError as error:
        raise incoming.ProtocolError(" ".join(str(error).split())) from None


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
