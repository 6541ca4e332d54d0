"""The relay of a party: sealed frames between handhelds of phones and of this host.

Each phone has a handheld of its own, with its own keys. The relay passes its messages to a broker,
and the broker's to it; it can open none, and keeps none on the disk. A phone comes with the secret
of its place. Its messages are bounded, as those of all pages, and so are those to it.
"""

import asyncio
import re
from collections.abc import Callable
from typing import Final

import msgspec

from firmware.link.broker import topics
from firmware.link.broker.link import MOST_PER_S
from firmware.link.broker.relay import Attends, Crossing, Published, Stream, Trouble, pass_on
from firmware.link.broker.session import Message, Session
from firmware.link.framing import MAX_FRAME
from firmware.link.rate_limit import PerSecond
from firmware.table.protocol.invitations import DEVICE_BYTES
from hw_sim.live.web import incoming
from hw_sim.live.web.client import Client
from hw_sim.live.web.page_connection import A_SEAT, NO_PAGE, PageConnection
from hw_sim.live.web.party_seats import PartySeats

MOST_STREAMS: Final = 3
"""The most streams of one place: a handheld has one to the lobby and one to its table."""
_TAG = f"{topics.ROOT}/[0-9a-f]{{32}}"
_ROOM = f"{topics.ROOT}/room/[0-9]{{1,8}}"
_SAYS: Final = re.compile(rf"({_ROOM}|{_TAG}/(to/(all|\d\d?)|here/\d\d?))\Z")
"""The topics under which a phone's handheld says something."""
_HEARS: Final = re.compile(rf"({_ROOM}|{_TAG}/(to/(all|\d\d?)|here/\+))\Z")
"""The topics that it listens to."""
_decoder: Final = msgspec.json.Decoder(Crossing)


class FrameRelay:
    """Passes messages between phones' handhelds and a broker.

    Args:
        seats: whose secrets let a phone in.
        new_session: creates a session at the broker.

    Attributes:
        new_session: as above; this host's handhelds use it, too.
        devices: the device that each connected place has shown, six bytes.
        on_device: is called when a place shows another device, or is gone.
    """

    def __init__(self, seats: PartySeats, new_session: Callable[[], Session]) -> None:
        self.new_session = new_session
        self.devices: dict[int, bytes] = {}
        self.on_device: Callable[[], None] = _nothing
        self._seats = seats
        self._streams: list[tuple[int, Client]] = []

    async def carry(self, connection: PageConnection) -> None:
        """Carry the messages of a handheld's connection until it parts."""
        client = Client(connection)
        sending = asyncio.create_task(client.send_queued())
        session = self.new_session()
        try:
            await pass_on(_PhoneStream(client, self._admit), session)
        except incoming.RefusalError as error:
            await client.show_out(error.code, str(error))
        finally:
            session.abandon()
            sending.cancel()
            self._part(client)

    def worth(self, transport: asyncio.BaseTransport) -> int:
        """Return the worth of a connection to the `ConnectionLimit`."""
        is_seat = any(client.connection.transport is transport for _, client in self._streams)
        return A_SEAT if is_seat else NO_PAGE

    def close(self) -> None:
        """Cut all streams."""
        for _, client in self._streams:
            client.cut()

    def _part(self, client: Client) -> None:
        parted = {place for place, each in self._streams if each is client}
        self._streams = [each for each in self._streams if each[1] is not client]
        for place in parted.difference(place for place, _ in self._streams):
            if self.devices.pop(place, None) is not None:
                self.on_device()

    def _admit(self, client: Client, attends: Attends) -> Attends:
        """Let a phone in whose secret a place has; return what it is to hear.

        Raises:
            RefusalError: nobody has invited it, or it wants to hear what is for others.
        """
        place = self._seats.place_of(attends.password)
        if place is None:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody has invited you here")
        will = attends.will
        if not all(map(_HEARS.match, (*attends.topics, *attends.kept))) or not (
            will is None or _may_say(will)
        ):
            raise incoming.ProtocolError("no handheld listens to that")
        device = bytes.fromhex(attends.user) if _DEVICE.match(attends.user) else b""
        own = [each for at, each in self._streams if at == place]
        for each in own[: len(own) - MOST_STREAMS + 1]:
            each.cut()
        self._streams.append((place, client))
        if device and self.devices.get(place) != device:
            self.devices[place] = device
            self.on_device()
        return msgspec.structs.replace(attends, user="", password="")


class _PhoneStream(Stream):
    """A stream over the socket of a page: JSON instead of MessagePack, each a text."""

    def __init__(self, client: Client, admit: Callable[[Client, Attends], Attends]) -> None:
        self._client = client
        self._admit = admit
        self._admitted = False
        self._flood = PerSecond(MOST_PER_S, asyncio.get_running_loop().time)

    def send(self, what: Crossing) -> None:
        """Send a message; it is lost in a flood, and if 64 wait already. A frame is sent again."""
        if self._flood.admits():
            self._client.send_text(msgspec.json.encode(what).decode())

    async def read(self) -> Crossing | None:
        """Return the next message of a handheld.

        Raises:
            RefusalError: no handheld sends that, or so much.
        """
        while (text := await self._client.connection.receive()) is not None:
            try:
                came: Crossing = _decoder.decode(text)
            except msgspec.DecodeError as error:
                raise incoming.ProtocolError(" ".join(str(error).split())) from None
            if isinstance(came, Attends) and not self._admitted:
                self._admitted = True
                return self._admit(self._client, came)
            if not self._admitted or isinstance(came, Attends | Trouble):
                raise incoming.ProtocolError("no handheld says that now")
            if not isinstance(came, Published) or _may_say(came.message):
                return came
        return None

    def abort(self) -> None:
        """Close at once."""
        self._client.cut()


_DEVICE: Final = re.compile(rf"([0-9a-f]{{2}}){{{DEVICE_BYTES}}}\Z")


def _may_say(message: Message) -> bool:
    """Whether a phone's handheld may publish this: a frame, or that it is here."""
    is_here = "/here/" in message.topic
    return (
        _SAYS.match(message.topic) is not None
        and message.retained is is_here
        and len(message.payload) <= (1 if is_here else MAX_FRAME)
    )


def _nothing() -> None:
    """Do nothing."""
