"""The layout of a message: its `Parts`, and helpers that all messages share.

Each message has a table of its body and two methods: ``parts`` takes it apart, and ``of`` puts it
together. Numbers are big-endian. Messages that every hop needs are ``msgspec.Struct`` values: they
are created ten times as fast as frozen dataclasses.
"""

from enum import IntEnum
from typing import TypeVar

import msgspec

from firmware.table.protocol.kinds import MessageKind


class MessageError(ValueError):
    """Bytes that are no message, or a message that does not fit its bytes; the text says which."""


class LogPosition(msgspec.Struct, frozen=True):
    """A place in the public log: the number of entries before it, and the digest of those."""

    index: int
    digest: bytes


class Parts(msgspec.Struct, frozen=True):
    """A message as a frame carries it; the body is still, or again, in clear."""

    kind: int
    number: int
    count: int
    body: bytes


def positive(parts: Parts) -> int:
    """Return the number, which is 1 or more. Raises MessageError if it is 0."""
    if parts.number < 1:
        raise MessageError(f"{MessageKind(parts.kind).name} has number 0")
    return parts.number


def uncounted(parts: Parts) -> int:
    """Return the number. Raises MessageError if it is 0, or if the count is not 0."""
    if parts.count:
        raise MessageError(f"{MessageKind(parts.kind).name} has a count of {parts.count}, not 0")
    return positive(parts)


def bodiless(parts: Parts) -> Parts:
    """Return the same parts. Raises MessageError if their body is not empty."""
    if parts.body:
        name = MessageKind(parts.kind).name
        raise MessageError(f"{name} has {len(parts.body)} bytes: it has no body")
    return parts


def exactly(length: int, data: bytes) -> bytes:
    """Return data of this length. Raises MessageError for other data, which struct would cut."""
    if len(data) != length:
        raise MessageError(f"{len(data)} bytes do not fit a field of {length}")
    return data


Member = TypeVar("Member", bound=IntEnum)


def member(kind: type[Member], number: int) -> Member:
    """Return the member of an enum that has this number. Raises MessageError if none has."""
    try:
        return kind(number)
    except ValueError:
        raise MessageError(f"{number} is no {kind.__name__.lower()}") from None
