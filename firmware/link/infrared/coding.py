"""What protects a frame on the air: a checksum, and parity that mends what was not understood.

The checksum decides: Reed–Solomon mends as many bytes as half the parity, or as many as all of it
where the receiver knows which are uncertain, but now and then it mends into something else.
"""

from binascii import crc_hqx

from reedsolo import ReedSolomonError, RSCodec

from firmware.link.infrared.pulses import MOST_BYTES, Received

_CRC_START = 0xFFFF
_CRC_BYTES = 2
_SHORT_PARITY = 8
_LONG_PARITY = 12
_SHORT = 40
"""Frames up to this many bytes have the short parity."""
MOST_FRAME = MOST_BYTES - _CRC_BYTES - _LONG_PARITY
"""Longest frame that fits into one transmission, in bytes."""
_SHORT_CODED = _SHORT + _CRC_BYTES + _SHORT_PARITY

_SHORT_CODE = RSCodec(_SHORT_PARITY)
_LONG_CODE = RSCodec(_LONG_PARITY)


def coded(frame: bytes) -> bytes:
    """A frame with its checksum and parity.

    Raises:
        ValueError: it is empty, or longer than MOST_FRAME.
    """
    if not 1 <= len(frame) <= MOST_FRAME:
        raise ValueError(f"a frame of {len(frame)} bytes is not 1 to {MOST_FRAME}: split it")
    code = _SHORT_CODE if len(frame) <= _SHORT else _LONG_CODE
    checked = frame + crc_hqx(frame, _CRC_START).to_bytes(_CRC_BYTES, "big")
    return bytes(code.encode(checked))


def decoded(received: Received) -> bytes | None:
    """The frame; None where too much of it was lost."""
    size = len(received.data)
    is_short = size <= _SHORT_CODED
    code, parity = (_SHORT_CODE, _SHORT_PARITY) if is_short else (_LONG_CODE, _LONG_PARITY)
    if size <= _CRC_BYTES + parity or len(received.erased) > parity:
        return None
    try:
        mended, _, _ = code.decode(received.data, erase_pos=received.erased)
    except ReedSolomonError:
        return None
    frame, check = bytes(mended[:-_CRC_BYTES]), bytes(mended[-_CRC_BYTES:])
    return frame if crc_hqx(frame, _CRC_START) == int.from_bytes(check, "big") else None
