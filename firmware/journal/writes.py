"""The writes of a journal, and the contents that survived in one."""

from typing import NamedTuple, Self


class Put(NamedTuple):
    """Keep ``value`` under ``key``, instead of an older one."""

    key: str
    value: bytes

    def __repr__(self) -> str:
        """Return the text for logs: dice and keys are among the values."""
        return f"Put({self.key!r}, {len(self.value)} bytes)"


class Append(NamedTuple):
    """Append an entry to the log of the current match. ``place`` counts from 0, without a gap."""

    place: int
    entry: bytes

    def __repr__(self) -> str:
        """Return the text for logs: an entry may have covered dice."""
        return f"Append({self.place}, {len(self.entry)} bytes)"


class BeginLog(NamedTuple):
    """Begin the log of a new match, with its header. Older logs stay."""

    header: bytes


class Cut(NamedTuple):
    """Delete the entries of the current match from ``place`` on, where a new epoch begins."""

    place: int


Write = Put | Append | BeginLog | Cut


class Survived(NamedTuple):
    """The contents of a journal when it is opened.

    ``state`` by key (``firmware.journal.keys``); the current match's ``number`` (from 1; 0 before
    the first), ``header`` (None before the first) and ``entries`` in order.
    """

    state: dict[str, bytes]
    number: int
    header: bytes | None
    entries: tuple[bytes, ...]

    def __repr__(self) -> str:
        """Return the text for logs: the keys alone, and the number of entries."""
        return f"Survived({sorted(self.state)}, match {self.number}, {len(self.entries)} entries)"

    @classmethod
    def nothing(cls) -> Self:
        """Return the contents of a new journal."""
        return cls({}, 0, None, ())

    def after(self, item: Write) -> Self:
        """Return the contents after another write; this object stays unchanged.

        Raises:
            ValueError: an entry is not the next one of the current match.
        """
        match item:
            case Put(key, value):
                return self._replace(state={**self.state, key: value})
            case BeginLog(header):
                return self._replace(number=self.number + 1, header=header, entries=())
            case Append(place, entry):
                if self.number == 0 or place != len(self.entries):
                    raise ValueError(f"entry {place} is not the next one, {len(self.entries)}")
                return self._replace(entries=(*self.entries, entry))
            case Cut(place):
                return self._replace(entries=self.entries[:place])
