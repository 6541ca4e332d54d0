"""What can be written to a journal, and what survived in one."""

from typing import NamedTuple


class Put(NamedTuple):
    """Keep ``value`` under ``key``, instead of an older one."""

    key: str
    value: bytes


class Append(NamedTuple):
    """Add an entry to the record of the current match. ``place`` counts from 0, without a gap."""

    place: int
    entry: bytes


class Begin(NamedTuple):
    """Begin the record of a new match. Older records stay."""

    header: bytes


class Cut(NamedTuple):
    """Forget the entries of the current match from ``place`` on: the table goes on without them."""

    place: int


Write = Put | Append | Begin | Cut


class Survived(NamedTuple):
    """What a journal holds.

    ``state`` by key; the current match's number (from 1; 0 before the first), header and entries.
    """

    state: dict[str, bytes]
    number: int
    header: bytes | None
    entries: tuple[bytes, ...]
