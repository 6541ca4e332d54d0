"""Protection of a frame on the air: a checksum, parity that corrects losses, and fragments.

The checksum decides. Reed–Solomon corrects as many bytes as half the parity, or as many as all of
it if the receiver knows which are uncertain, but sometimes it corrects into something else. It goes
over the air as its complement: a transmission that flicker makes a byte too long has right parity,
and a plain CRC would be right in one case of 256. Pieces of a frame
(`firmware.link.infrared.coding`) have one that starts elsewhere.

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
from typing import NamedTuple

from reedsolo import ReedSolomonError, RSCodec

from firmware.link.infrared import Demodulated
from firmware.table.protocol import seats_of

_CRC_START = 0xFFFF
_PIECE_CRC_START = 0x1D0F
_CRC_BYTES = 2
_SHORT, _SHORT_PARITY = 42, 8
"""Most bytes of a short packet, such as a PROPOSE with entries, and those of its parity; chosen."""
_LONG, _LONG_PARITY = 67, 12
"""The same of a longer packet."""
MOST_FRAME, _LONGEST_PARITY = 69, 10
"""The bytes of the longest packet: a GIVE. Its parity is chosen: all that `MOST_BYTES` leaves."""
_PARITIES = (_SHORT_PARITY, _LONG_PARITY, _LONGEST_PARITY)
_LENGTHS_TRIED = (0, -1, -2, 1, 2)
"""Bytes to add to the apparent length: flicker follows a transmission, or its end is lost."""


class Code:
    """A Reed–Solomon code: reedsolo corrects, and a table gives its parity fast.

    Most codes arrive undamaged, and comparing their parity shows it. The table has the parity of
    every single byte; the parity of many is a division by the code's generator, byte by byte.

    Args:
        parity: number of parity bytes.
    """

    def __init__(self, parity: int) -> None:
        self._codec = RSCodec(parity)
        self._bytes = parity
        self._top = 8 * (parity - 1)
        self._steps = [
            int.from_bytes(self._codec.encode(bytes((n,)))[1:], "big") for n in range(256)
        ]

    def parity(self, data: bytes) -> bytes:
        """Return the parity of ``data``, as many bytes as the code has."""
        top, steps, rest = self._top, self._steps, 0
        kept = (1 << top) - 1
        for byte in data:
            rest = (rest & kept) << 8 ^ steps[byte ^ rest >> top]
        return rest.to_bytes(self._bytes, "big")

    def mended(self, code: bytearray, erased: list[int]) -> bytes | None:
        """Return the corrected bytes of a code without their parity; None if that fails.

        ``erased``: places in ``code`` that are known to be uncertain; each costs one byte of
        parity, an unknown error two.
        """
        data = bytes(code[: -self._bytes])
        if not erased and self.parity(data) == code[-self._bytes :]:
            return data
        try:
            return bytes(self._codec.decode(code, erase_pos=erased)[0])
        except (ReedSolomonError, ZeroDivisionError):
            return None


_CODES = {parity: Code(parity) for parity in _PARITIES}


class Packet(NamedTuple):
    """The content of one transmission: a frame, or a piece of one."""

    content: bytes
    is_piece: bool = False


def coded(packet: Packet) -> bytes:
    """Return a packet's bytes on the air: content, checksum and parity.

    Raises:
        ValueError: the packet is empty, or longer than MOST_FRAME.
    """
    content = packet.content
    if not 1 <= len(content) <= MOST_FRAME:
        raise ValueError(f"a packet of {len(content)} bytes is not 1 to {MOST_FRAME}: split it")
    data = content + _check(packet)
    return data + _CODES[_parity(len(content))].parity(data)


def coded_size(content_bytes: int) -> int:
    """Return the number of bytes on the air of a packet with so much content."""
    return content_bytes + _CRC_BYTES + _parity(content_bytes)


def decoded(received: Demodulated) -> Packet | None:
    """Return the packet of a transmission; None if parity or checksum fails."""
    seen = len(received.data)
    for more in _LENGTHS_TRIED:
        size = seen + more
        data = (received.data + bytearray(max(0, more)))[:size]
        erased = [place for place in received.erased if place < size] + list(range(seen, size))
        for parity in _PARITIES:
            fits = 0 < size - _CRC_BYTES - parity <= MOST_FRAME
            if fits and _parity(size - _CRC_BYTES - parity) == parity and len(erased) <= parity:
                packet = _mended(data, erased, parity)
                if packet is not None:
                    return packet
    return None


def _parity(content_bytes: int) -> int:
    if content_bytes <= _SHORT:
        return _SHORT_PARITY
    return _LONG_PARITY if content_bytes <= _LONG else _LONGEST_PARITY


def _mended(data: bytearray, erased: list[int], parity: int) -> Packet | None:
    mended = _CODES[parity].mended(data, erased)
    if mended is None:
        return None
    content, check = mended[:-_CRC_BYTES], mended[-_CRC_BYTES:]
    for packet in (Packet(content), Packet(content, is_piece=True)):
        if _check(packet) == check:
            return packet
    return None


def _check(packet: Packet) -> bytes:
    start = _PIECE_CRC_START if packet.is_piece else _CRC_START
    return (crc_hqx(packet.content, start) ^ 0xFFFF).to_bytes(_CRC_BYTES, "big")


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
