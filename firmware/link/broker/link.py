"""Frames to and from other devices over a broker (PROTOCOL.md, "Over a broker").

A frame goes to the topic of the seat in its header; clear ones go to all at the table, or to all in
its room. Frames can be lost, come twice, late and out of order: the protocol above sends them
again. The broker is not trusted: frames are sealed, and a report that a seat is gone only changes
the display.
"""

import asyncio
from collections.abc import Callable
from secrets import token_bytes

from firmware.effects import Place, Room, TableAddress
from firmware.link.broker import Attendance, Message, Session, topics
from firmware.table.protocol import HEADER_BYTES, MAX_FRAME, Budget, kind_of, receiver_of
from firmware.table.protocol.invitations import EVERYBODY, head_of, is_invitation, is_line
from firmware.table.protocol.room_line import MORE_BYTES, SealedRoom

FRESH_S = 5
"""A frame that the broker could not deliver for so long is stale; it is resent anyhow; chosen."""
MOST_PER_S = 500
"""Messages processed at once, and per second, chosen; a table has some ten. Messages lost in a
flood are resent. Each costs 0.2 ms on a laptop, for its seal has to be tried."""
OF_LINES_AT_ONCE, OF_LINES_PER_S = 4_000, 400
"""Likewise, of lines, and so many at once: a host has eight, each with 20 a second in the long run.
After it has stood still for 15 s, all that they said comes at once. A lost one ends its line.
Both are chosen."""
HERE, GONE = b"1", b"0"
"""A seat's presence, published by the seat or, for a lost one, by the broker."""


def _ignore(_seat: int, _here: bool) -> None:
    """Default of ``on_presence``."""


class BrokerLink:
    """The side of one handheld at a broker, a ``Link``.

    Args:
        session: at the broker; not started.
        on_frame: gets every frame for this seat or for all; a carrier's gets all frames.
        on_presence: gets a seat, and whether the broker lists it as present, on each change.
        entropy: returns that many random bytes, for the nonces of a room with a key.
    """

    is_broadcast = True

    def __init__(
        self,
        session: Session,
        on_frame: Callable[[bytes], None],
        on_presence: Callable[[int, bool], None] | None = None,
        entropy: Callable[[int], bytes] = token_bytes,
    ) -> None:
        self._session = session
        self._on_frame = on_frame
        self._on_presence = on_presence or _ignore
        self._entropy = entropy
        self._place: Place | None = None
        self._room: Room | None = None
        """The room of the table: a handheld that has not heard that the table stands asks there."""
        self._sealed: SealedRoom | None = None
        """The seal of that room; None for a room without a key."""
        self._present: dict[int, bool] = {}
        self._flood = Budget(MOST_PER_S, MOST_PER_S, 0)
        self._lines = Budget(OF_LINES_AT_ONCE, OF_LINES_PER_S, 0)
        self._line_topic = ""
        """The topic of the lines to this handheld; empty for none."""

    async def start(self) -> None:
        """Begin to connect; there may be no network yet."""
        await self._session.start(self._take)

    async def stop(self) -> None:
        """Say farewell, and leave the broker."""
        self.listen_at(None)
        await self._session.stop()

    def abandon(self) -> None:
        """Leave without a word, as at a power cut."""
        self._session.abandon()

    @property
    def is_well(self) -> bool:
        """True: a network that is down does not restart a handheld."""
        return True

    def reaches(self, device: bytes | None, frame: bytes) -> bool | None:
        """Return whether the broker lists the frame's receiver as online."""
        receiver, place = receiver_of(frame), self._place
        if receiver is None and isinstance(place, TableAddress) and device in place.devices:
            receiver = place.devices.index(device)
        return receiver is not None and self._present.get(receiver, False)

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Publish a frame for the seat in its header, or for all; ``device`` is ignored.

        A clear frame of a room with a key goes to that room alone.

        Raises:
            ValueError: the frame has less than HEADER_BYTES or more than MAX_FRAME.
        """
        if not HEADER_BYTES <= len(frame) <= MAX_FRAME:
            raise ValueError(f"a frame of {len(frame)} bytes cannot be sent: {MAX_FRAME} fit")
        del device
        if self._room is not None and kind_of(frame) is None:
            if self._sealed is not None:
                self._publish_sealed(self._room, self._sealed, frame)
                return
            self._publish(self._room_topic(self._room), frame)
        if isinstance(self._place, TableAddress):
            receiver = receiver_of(frame)
            to = topics.ALL if receiver is None else receiver
            self._publish(topics.to(self._place.tag, to), frame)

    def listen_at(self, place: Place | None) -> None:
        """Take a place from now on; a place that is not at a broker counts as none."""
        if place == self._place:
            return
        if isinstance(self._place, TableAddress):
            self._session.publish(self._presence(self._place, GONE))
        self._place = place
        if not isinstance(place, TableAddress):
            self._room, self._sealed = None, None
        if isinstance(place, Room):
            self._room = place
            if place.key:
                self._sealed = SealedRoom(place.code, place.key, self._entropy)
        self._present.clear()
        met: tuple[str, ...] = () if self._room is None else (self._room_topic(self._room),)
        self._line_topic = ""
        if self._room is not None and self._sealed is not None and self._room.me:
            self._line_topic = _line_topic(self._sealed, self._room.me)
            met += (self._line_topic,)
        match place:
            case TableAddress(tag, seat):
                mine = ("+",) if place.carries else (seat, topics.ALL)
                self._session.attend(
                    Attendance(
                        (*(topics.to(tag, each) for each in mine), *met),
                        (topics.here(tag, "+"),),
                        self._presence(place, GONE),
                        place.user,
                        place.password,
                        tuple(topics.here(tag, at) for at in range(place.seats) if at != seat),
                    )
                )
                self._session.publish(self._presence(place, HERE))
            case Room():
                self._session.attend(Attendance(met))
            case _:
                self._session.attend(None)

    def _room_topic(self, room: Room) -> str:
        return topics.room(room.code if self._sealed is None else self._sealed.name)

    def _publish_sealed(self, room: Room, seal: SealedRoom, frame: bytes) -> None:
        """Publish a clear frame in a room with a key; one of a line goes to its receiver alone."""
        if is_line(frame) and (receiver := head_of(frame).receiver) != EVERYBODY:
            topic = _line_topic(seal, receiver)
            self._session.publish(Message(topic, seal.seal(frame), sure=True))
        else:
            self._publish(self._room_topic(room), seal.seal(frame))

    def _publish(self, topic: str, frame: bytes) -> None:
        self._session.publish(Message(topic, frame, expires_s=FRESH_S))

    @staticmethod
    def _presence(table_address: TableAddress, what: bytes) -> Message:
        return Message(
            topics.here(table_address.tag, table_address.seat), what, retained=True, sure=True
        )

    def _take(self, message: Message) -> None:
        """Take a published message; its place may have been left since."""
        place, (topic, payload) = self._place, message[:2]
        of_line = topic == self._line_topic
        now_us = round(asyncio.get_running_loop().time() * 1e6)
        if not (self._lines if of_line else self._flood).take(now_us):
            return
        if isinstance(place, TableAddress) and topic.startswith(topics.here(place.tag, "")):
            self._note_presence(topics.last(topic), payload)
        elif message.retained or not HEADER_BYTES <= len(payload) <= MAX_FRAME + MORE_BYTES:
            return  # nobody of ours has a frame kept, or sends such a one
        elif self._room is not None and (of_line or topic == self._room_topic(self._room)):
            frame = payload if self._sealed is None else self._sealed.opened(payload)
            if frame is not None and len(frame) <= MAX_FRAME and is_invitation(frame):
                self._on_frame(frame)
        elif (
            isinstance(place, TableAddress)
            and topic.startswith(topics.to(place.tag, ""))
            and len(payload) <= MAX_FRAME
            and (self._sealed is None or kind_of(payload) is not None)
        ):
            self._on_frame(payload)

    def _note_presence(self, level: str, payload: bytes) -> None:
        seat = int(level) if level.isdecimal() and len(level) <= 2 else -1
        if seat not in range(16) or payload not in (HERE, GONE):
            return
        is_here = payload == HERE
        if self._present.get(seat) is not is_here:
            self._present[seat] = is_here
            self._on_presence(seat, is_here)


def _line_topic(seal: SealedRoom, device: bytes) -> str:
    return topics.line(seal.name, seal.name_of(device))
