"""How a message lies in bytes: a `Layout` beside each message, which `codec` carries out.

>>> POSITION.packed(LogPosition(19, bytes(8))).hex(" ")
'00 13 00 00 00 00 00 00 00 00'
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.sizes import DIGEST_BYTES


class MessageError(ValueError):
    """Bytes that are no message, or a message that does not fit its bytes. The text says which."""


@dataclass(frozen=True, slots=True)
class LogPosition:
    """A place in the public log: the number of entries before it, and the digest of those."""

    index: int
    digest: bytes


class Codec(NamedTuple):
    """How one value lies in bytes.

    Attributes:
        format: as `struct` writes it, big-endian; None for all the bytes that are left.
        pack: from the value to what is packed.
        unpack: the inverse; raises MessageError for what has no meaning.
    """

    format: str | None
    pack: Callable[[Any], tuple[Any, ...]] = lambda value: (value,)
    unpack: Callable[..., Any] = lambda value: value

    def packed(self, value: Any) -> bytes:
        """The bytes of a value. Raises MessageError, or struct.error if it does not fit."""
        values = self.pack(value)
        return bytes(values[0]) if self.format is None else struct.pack(f">{self.format}", *values)

    def unpacked(self, body: bytes, at: int) -> tuple[Any, int]:
        """The value that begins at a place in the body, and where the next one does."""
        if self.format is None:
            return self.unpack(body[at:]), len(body)
        values = struct.unpack_from(f">{self.format}", body, at)
        return self.unpack(*values), at + struct.calcsize(f">{self.format}")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the fields of a message are in its frame.

    Attributes:
        kind: how the header names it.
        message: its class.
        fields: what its body consists of: by attribute (a path, its last name the argument), how
            it is packed.
        number: the attribute that the header's number tells, and what is added to it there.
        least: the lowest number in a header.
        count: the attribute that the header's count tells, and its type; None where that is 0.
        make: makes the message of its arguments, by name.
        check: raises MessageError for a message that no handheld sends.
    """

    kind: MessageKind
    message: type
    fields: tuple[tuple[str, Codec], ...] = ()
    number: tuple[str, int] = ("hop", 0)
    least: int = 1
    count: tuple[str, type] | None = None
    make: Callable[..., Any] | None = None
    check: Callable[[Any], None] = lambda _: None

    def pack(self, message: object) -> tuple[int, int, bytes]:
        """The number, the count and the body that tell a message."""
        attribute, added = self.number
        number = getattr(message, attribute) + added
        count = 0 if self.count is None else int(getattr(message, self.count[0]))
        body = (codec.packed(attrgetter(path)(message)) for path, codec in self.fields)
        return number, count, b"".join(body)

    def unpack(self, number: int, count: int, body: bytes) -> Any:
        """The inverse of ``pack``.

        Raises:
            MessageError: a field has no meaning.
            struct.error: the body is not as long as this message's.
        """
        name = self.kind.name
        if number < self.least:
            raise MessageError(f"{name} has number {number}, not {self.least} or more")
        values: dict[str, Any] = {self.number[0]: number - self.number[1]}
        if self.count is not None:
            attribute, kind = self.count
            values[attribute] = member(kind, count) if issubclass(kind, IntEnum) else count
        elif count:
            raise MessageError(f"{name} has a count of {count}, not 0")
        at = 0
        for path, codec in self.fields:
            values[path.rpartition(".")[2]], at = codec.unpacked(body, at)
        if at != len(body):
            raise struct.error(f"{at} are its fields")
        message = (self.make or self.message)(**values)
        self.check(message)
        return message


Member = TypeVar("Member", bound=IntEnum)


def exactly(length: int, data: bytes) -> bytes:
    """The data, if it is so long: struct would pad or cut it without a word."""
    if len(data) != length:
        raise MessageError(f"{len(data)} bytes do not fit a field of {length}")
    return data


def member(kind: type[Member], number: int) -> Member:
    """The member of an enum that has this number. Raises MessageError if none has."""
    try:
        return kind(number)
    except ValueError:
        raise MessageError(f"{number} is no {kind.__name__.lower()}") from None


def _flag(value: int) -> bool:
    if value > 1:
        raise MessageError(f"there are unknown flags in {value:#04x}")
    return bool(value)


BYTE = Codec("B")
SHORT = Codec("H")
FLAG = Codec("B", lambda flag: (int(flag),), _flag)
BYTE_OR_NONE = Codec("B", lambda value: (value or 0,), lambda value: value or None)
POSITION = Codec(
    f"H{DIGEST_BYTES}s", lambda at: (at.index, exactly(DIGEST_BYTES, at.digest)), LogPosition
)
REST = Codec(None)


def raw(length: int) -> Codec:
    """So many bytes as they are."""
    return Codec(f"{length}s", lambda data: (exactly(length, data),))


def one_of(kind: type[Member]) -> Codec:
    """A member of an enum, in a byte."""
    return Codec("B", unpack=partial(member, kind))
