"""Frames on a stream: two bytes of length, little-endian, then the frame.

A Bluetooth channel may join what was written and split it elsewhere, so frames carry their length.
"""

import struct

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
