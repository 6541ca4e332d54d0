"""What can be written to a journal, and what survived in one."""

from typing import NamedTuple


class Put(NamedTuple):
    """Keep ``value`` under ``key``, instead of an older one."""

    key: str
    value: bytes


class Append(NamedTuple):
    """Add an entry to the log of the current match. ``place`` counts from 0, without a gap."""

    place: int
    entry: bytes


class Begin(NamedTuple):
    """Begin the log of a new match, with its header. Older logs stay."""

    header: bytes


class Cut(NamedTuple):
    """Delete the entries of the current match from ``place`` on, where a new epoch begins."""

    place: int


Write = Put | Append | Begin | Cut


class Survived(NamedTuple):
    """What a journal holds when it is opened.

    ``state`` by key (``firmware.journal.keys``); the current match's ``number`` (from 1; 0 before
    the first), ``header`` (None before the first) and ``entries`` in order.
    """

    state: dict[str, bytes]
    number: int
    header: bytes | None
    entries: tuple[bytes, ...]
