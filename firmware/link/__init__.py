"""Frames to and from other devices, near and over a broker. It reads no bodies but those of TABLE.

`Link` is the interface of everything that carries frames. A Bluetooth channel may join what was
written and split it elsewhere, so frames carry their length. The seam to a Bluetooth controller is
here, too: what opens none need not load bumble.

May import: table.protocol, effects, drivers, game.names.
``several`` joins the media.
"""

import struct
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from firmware.effects import Place
from firmware.table.protocol import MAX_FRAME
from firmware.table.protocol import invitations as wire
from game.names import NAME_BYTES, beginning


class Link(Protocol):
    """Sends and receives frames. Frames can be lost; the protocol above sends them again."""

    @property
    def is_broadcast(self) -> bool:
        """Whether a frame to one device reaches all."""

    async def start(self) -> None:
        """Switch on, and be reachable. Raises RadioError or InfraredError."""

    async def stop(self) -> None:
        """Drop waiting frames, close every connection and switch off."""

    def abandon(self) -> None:
        """Stop at once, without a frame or callback, as at a power cut."""

    @property
    def is_well(self) -> bool:
        """Whether the medium has answered within the last minute."""

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame, now or as soon as there is a way. Never waits.

        Args:
            device: six bytes, the receiver; None: all neighbours.
            frame: sealed, or a clear one of the lobby; 1 to MAX_FRAME bytes.

        Raises:
            ValueError: a frame of the wrong length, or an unreachable device.
        """

    def reaches(self, device: bytes | None, frame: bytes) -> bool | None:
        """Return whether there is a way to a device, or to the seat that the frame names.

        False: the link would have to search first. None: unknown, every handheld in sight receives
        it.
        """

    def listen_at(self, place: Place | None) -> None:
        """Take a place from now on; announcements at another one end.

        Announcements of neighbours are received, except at a `TableAddress` and at None.
        """


_LENGTH = struct.Struct("<H")


class FramingError(ValueError):
    """The stream announces a frame that no handheld sends."""


def framed(frame: bytes) -> bytes:
    """Return a frame of 1 to MAX_FRAME bytes behind its length. Raises ValueError for any other."""
    if not 1 <= len(frame) <= MAX_FRAME:
        raise ValueError(f"a frame has 1 to {MAX_FRAME} bytes, not {len(frame)}: split it")
    return _LENGTH.pack(len(frame)) + frame


class FrameAssembler:
    """Takes a stream in pieces and returns its frames."""

    def __init__(self) -> None:
        self._pending = b""

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the frames that ``piece`` completes, oldest first.

        Raises FramingError if the next frame is empty or longer than MAX_FRAME; the rest of the
        stream has no meaning, so close the channel.
        """
        pending = self._pending + piece
        frames = []
        start = 0
        while len(pending) - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(pending, start)
            if not 1 <= length <= MAX_FRAME:
                raise FramingError(f"the peer announces a frame of {length} bytes")
            end = start + _LENGTH.size + length
            if end > len(pending):
                break
            frames.append(pending[start + _LENGTH.size : end])
            start = end
        self._pending = pending[start:]
        return frames


_ANNOUNCED = struct.Struct(f">{wire.SESSION_BYTES}sBBB{NAME_BYTES}s")
_SHORT_BYTES = 11
ELLIPSIS = "…"
"""Stands for a name whose first picture is longer."""
_PASSED_ON = struct.Struct(f">{wire.SESSION_BYTES}sBBB{wire.DEVICE_BYTES}s{_SHORT_BYTES}s")
"""A table whose host is another device: this layout has one byte more."""
_OPEN = 0x80


def announcement(frame: bytes, device: bytes) -> bytes:
    """Pack a TABLE frame into the bytes that ``device`` advertises: 23, or 24 for another's table.

    The name of another's host is cut to 11 bytes. Raises InvitationError for an unreadable
    invitation.
    """
    head, table = wire.head_of(frame), wire.body_of(frame)
    assert isinstance(table, wire.TableNotice), "only tables are announced"
    people = table.people | (_OPEN if table.is_open else 0)
    told = head.session, people, table.revision, table.game
    if head.sender == device:
        return _ANNOUNCED.pack(*told, wire.name_bytes(table.name))
    short = beginning(table.name, _SHORT_BYTES) or ELLIPSIS
    return _PASSED_ON.pack(*told, head.sender, short.encode())


def announced(address: str, data: bytes) -> bytes | None:
    """Return the TABLE frame, addressed to everybody, that ``address`` advertises in ``data``.

    The sender is the host, which may be another device. None if ``data`` is no announcement or
    ``address`` is no handheld's.
    """
    try:
        device = wire.device_of(address)
        if len(data) == _PASSED_ON.size:
            session, people, revision, game, device, name = _PASSED_ON.unpack(data)
        else:
            session, people, revision, game, name = _ANNOUNCED.unpack(data)
        host = name.rstrip(b" \0").decode()
        table = wire.TableNotice(bool(people & _OPEN), people & ~_OPEN, revision, game, host)
        frame = wire.packed(
            wire.Head(wire.InvitationKind.TABLE, device, wire.EVERYBODY, session), table
        )
        wire.body_of(frame)
    except (wire.InvitationError, ValueError, struct.error):
        return None
    return frame if len(device) == wire.DEVICE_BYTES else None


class HciTransport(Protocol):
    """Both directions to a Bluetooth controller, as bumble's transports have them."""

    source: Any
    sink: Any

    async def close(self) -> None:
        """Give the controller back."""


OpenController = Callable[[], Awaitable[HciTransport]]
"""Opens a controller, any number of times. Raises RadioError."""


class RadioError(Exception):
    """The controller cannot be used: one line that says what to do."""
