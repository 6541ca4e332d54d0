"""The memory of a handheld over a power loss: one SQLite file, one transaction a write.

These keys are written; several seats can share one journal.

============  =====================================================================================
key           bytes
============  =====================================================================================
mark          how far the journal itself is: ``Mark.encode``; not among what survives
device        the six bytes that name this handheld to others, where it has made them up
volume        the volume that the player chose last: one byte, 0 (silence) to 3
rules         the player's own house rules: ``packed`` of ``firmware.lobby.choices``; empty for none
table         the standing table: ``StandingTable.encode``; empty where it was forgotten
one handheld  the match on this handheld alone: ``OneHandheld.encode``; empty for none
seat          whose match it is: the table's number, two bytes, and the seat
cup           where the cup is: ``Cup.encode``
votes         the votes for new epochs that are known, 81 bytes each: ``packed_votes``
learning      1 while entries of the log may be ones that this epoch began without, else 0
fair          the own part in fair dice: ``CommitterState.encode``
caught        who was caught: accuser, accused and charge, a byte each; empty for nobody
lost          1 if this handheld has lost its memory of the match, else 0
============  =====================================================================================

From ``seat`` on they are the state of one seat (``firmware.table.seat.memory``). If several seats
share one journal, a space and the seat's number follow each of these (``SharedJournal``).

May import: nothing of ours. Then read ``sqlite``; ``files`` replaces other files.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Self

MARK_KEY: Final = "mark"
DEVICE_KEY: Final = "device"
VOLUME_KEY: Final = "volume"
RULES_KEY: Final = "rules"
TABLE_KEY: Final = "table"
ONE_HANDHELD_KEY: Final = "one handheld"
SEAT_KEY: Final = "seat"
CUP_KEY: Final = "cup"
VOTES_KEY: Final = "votes"
LEARNING_KEY: Final = "learning"
FAIR_KEY: Final = "fair"
CAUGHT_KEY: Final = "caught"
LOST_KEY: Final = "lost"


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

    ``state`` by key (``firmware.journal``); the current match's ``number`` (from 1; 0 before
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


class SharedJournal:
    """Merges the writes of all seats of one handheld into one journal.

    Args:
        entries: number of entries in the log of the current match.
    """

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._batch: list[Write] = []

    def add(self, seat: int, batch: Iterable[Write]) -> None:
        """Add a seat's batch: each Put under "key seat", each Append that is the next entry.

        A BeginLog counts only from seat 0 and before the first entry. The acting seat must write
        its entry first: only its copy has the dice.
        """
        for write in batch:
            match write:
                case Put(key, value):
                    self._batch.append(Put(f"{key} {seat}", value))
                case Append(place) if place == self._entries:
                    self._entries += 1
                    self._batch.append(write)
                case BeginLog() if self._entries == seat == 0:
                    self._batch.append(write)
                case _:
                    pass

    def take(self) -> tuple[Write, ...]:
        """Return what was added since the last call, for one ``Journal.write``; may be empty."""
        batch, self._batch = tuple(self._batch), []
        return batch


def state_of_seat(state: Mapping[str, bytes], seat: int) -> dict[str, bytes]:
    """Return the state of ``seat``, by key without its number; empty if it stored nothing."""
    end = f" {seat}"
    return {key.removesuffix(end): value for key, value in state.items() if key.endswith(end)}
