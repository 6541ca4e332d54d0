"""Frames that are too long for one transmission, in pieces.

======  =====  =======  =========================================================================
offset  bytes  field    meaning
======  =====  =======  =========================================================================
0       1      seats    as in the header of the frame: who sends, who receives
1       2      check    CRC-16 of the whole frame, big-endian; it also names the frame
3       1      place    which piece, from 0
4       1      count    how many there are
5       rest   part     bytes of the frame, as many in each piece, give or take one
======  =====  =======  =========================================================================

Pieces may come in any order. A frame that is sent again consists of the same pieces, so what was
lost of it is all that the second time has to bring.
"""

import itertools
import struct
from binascii import crc_hqx

from firmware.link.infrared.coding import MOST_FRAME, Packet
from firmware.table.protocol.header import seats_of

_HEAD = struct.Struct(">BHBB")
_START = 0xFFFF
_MOST_PART = MOST_FRAME - _HEAD.size
_INCOMPLETE = 8
"""Most incomplete frames kept; a new one replaces the oldest."""


def packets_of(frame: bytes) -> list[Packet]:
    """Return the packets that carry a frame: itself up to MOST_FRAME bytes, else its pieces.

    A longer frame begins with a header, whose seats each piece repeats.
    """
    if len(frame) <= MOST_FRAME:
        return [Packet(frame)]
    count = -(-len(frame) // _MOST_PART)
    cuts = [len(frame) * place // count for place in range(count + 1)]
    check = crc_hqx(frame, _START)
    return [
        Packet(_HEAD.pack(seats_of(frame), check, place, count) + frame[start:end], is_piece=True)
        for place, (start, end) in enumerate(itertools.pairwise(cuts))
    ]


class Pieces:
    """The received pieces of incomplete frames."""

    def __init__(self) -> None:
        self._frames: dict[tuple[int, int, int], dict[int, bytes]] = {}

    def add(self, piece: bytes) -> bytes | None:
        """Add a received piece with its head. Return the frame that it completes.

        None while pieces are missing, if this is no piece, or if the frame fails its check.
        """
        if len(piece) <= _HEAD.size:
            return None
        seats, check, place, count = _HEAD.unpack_from(piece)
        if place >= count:
            return None
        parts = self._frames.setdefault((seats, check, count), {})
        parts[place] = piece[_HEAD.size :]
        if len(parts) < count:
            if len(self._frames) > _INCOMPLETE:
                del self._frames[next(iter(self._frames))]
            return None
        del self._frames[seats, check, count]
        frame = b"".join(parts[place] for place in range(count))
        return frame if crc_hqx(frame, _START) == check else None
