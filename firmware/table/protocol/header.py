"""The clear header of a sealed frame, and why a frame is refused."""

import struct
from enum import Enum
from typing import Self

import msgspec

from firmware.table.protocol.layout import MessageError

VERSION = 1
HEADER_BYTES = 10
TAG_BYTES = 16
MOST_NUMBER = 0xFF_FFFF
EVERY_SEAT = 15
"""The receiver of a LOG for all seats; no table has so many places."""
_HEADER = struct.Struct(">BHHB3sB")
_SEATS_AT = 5
_NUMBER_AT = 6


def kind_of(frame: bytes) -> int | None:
    """Return the kind in a sealed frame's header (`MessageKind`); None for other frames."""
    sealed = len(frame) > _SEATS_AT and frame[0] >> 4 == VERSION
    return frame[0] & 0x0F if sealed else None


def seats_of(frame: bytes) -> int:
    """Return the byte of a sealed frame's header that names the sender and the receiver."""
    return frame[_SEATS_AT]


def sender_of(frame: bytes) -> int | None:
    """Return the sender in a sealed frame's header; None for other frames."""
    return None if kind_of(frame) is None else seats_of(frame) >> 4


def receiver_of(frame: bytes) -> int | None:
    """Return the receiver in a sealed frame's header, maybe EVERY_SEAT; None for other frames."""
    return None if kind_of(frame) is None else seats_of(frame) & 0x0F


def first_of(frame: bytes) -> int:
    """Return the number in a sealed frame's header; in a LOG, the index of its first entry."""
    return int.from_bytes(frame[_NUMBER_AT : _NUMBER_AT + 3], "big")


class FrameProblem(Enum):
    """The reason why a frame is refused; the value is a text."""

    SHORT = "too short for a header and a tag"
    VERSION = "of another version"
    TABLE = "of another table"
    NOT_FOR_ME = "for another seat"
    REFLECTED = "from this very seat"
    STRANGER = "from a seat that is not at this table"
    FORGED = "not sealed by the seat that it names, or changed on its way"
    OLD_EPOCH = "of an epoch that is over"
    NEW_EPOCH = "of an epoch that has not begun here"
    MALFORMED = "sealed well, but not a message"


class FrameError(ValueError):
    """A frame is refused; ``problem`` says why.

    A seat of the table sealed the frame only if the problem is another epoch, or MALFORMED. With
    another epoch, ``sender`` and ``epoch`` are known; else they are None.
    """

    def __init__(
        self,
        problem: FrameProblem,
        detail: str = "",
        sender: int | None = None,
        epoch: int | None = None,
    ) -> None:
        super().__init__(f"frame {problem.value}{': ' if detail else ''}{detail}")
        self.problem = problem
        self.sender = sender
        self.epoch = epoch


class Header(msgspec.Struct, frozen=True):
    """The clear part of a frame. Nothing in it is true before the tag is checked."""

    kind: int
    table: int
    epoch: int
    sender: int
    receiver: int
    number: int
    count: int = 0
    version: int = VERSION

    def pack(self) -> bytes:
        """Return its ten bytes.

        Raises:
            MessageError: a field does not fit.
        """
        if not (0 <= self.sender < 16 and 0 <= self.receiver < 16):
            raise MessageError(f"seats {self.sender} and {self.receiver} do not fit: 0 to 15 do")
        if not 0 <= self.number <= MOST_NUMBER:
            raise MessageError(f"number {self.number} does not fit: 0 to {MOST_NUMBER} do")
        try:
            return _HEADER.pack(
                self.version << 4 | self.kind,
                self.table,
                self.epoch,
                self.sender << 4 | self.receiver,
                self.number.to_bytes(3, "big"),
                self.count,
            )
        except struct.error as error:
            raise MessageError(f"{self} does not fit: {error}") from None

    @classmethod
    def unpack(cls, header: bytes) -> Self:
        """Read ten bytes. Every ten bytes are a header; ``kind`` may be unknown."""
        kind, table, epoch, seats, number, count = _HEADER.unpack(header)
        return cls(
            kind & 0x0F,
            table,
            epoch,
            seats >> 4,
            seats & 0x0F,
            int.from_bytes(number, "big"),
            count,
            kind >> 4,
        )
