"""The interface of everything that carries frames, frames on a stream, and a limit on floods.

A Bluetooth channel may join what was written and split it elsewhere, so frames carry their length.
"""

import struct
from collections.abc import Callable
from typing import Protocol

from firmware.effects.effects import Place


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


MAX_FRAME = 4096
"""Longest frame in bytes. A GIVE has 69; the rest has room for log entries."""

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


class PerSecond:
    """Admits a limited number of messages each second.

    Args:
        most: how many.
        now_s: returns the time in seconds, never running back.
    """

    def __init__(self, most: int, now_s: Callable[[], float]) -> None:
        self._most = most
        self._now_s = now_s
        self._second = self._count = 0

    def admits(self) -> bool:
        """Return whether one more message is admitted now."""
        second = int(self._now_s())
        if second != self._second:
            self._second, self._count = second, 0
        self._count += 1
        return self._count <= self._most
