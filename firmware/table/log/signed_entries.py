"""Entries with their digests and signatures, as stored and sent. It knows no rules."""

from firmware.table.log.chain import Signature, short
from firmware.table.log.entries import EntryError, LogEntry, encode_entry, signed_bytes
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.sizes import ENTRIES_AT_ONCE, MOST_ENTRIES
from game.actions import Action


class SignedEntries:
    """The entries of a match.

    Args:
        digest: before the first entry, 32 bytes.
    """

    def __init__(self, digest: bytes) -> None:
        self._local: list[bytes] = []
        self._public: list[bytes] = []
        self._signatures: list[Signature | None] = []
        self._digests = [digest]
        self.cuts = 0
        """How often entries were removed."""

    @property
    def index(self) -> int:
        """The number of entries; also the index of the first one that is missing."""
        return len(self._local)

    @property
    def digest(self) -> bytes:
        """The digest of all public entries, as messages carry it."""
        return short(self._digests[-1])

    @property
    def at(self) -> LogPosition:
        """The position of the log's end."""
        return self.position(self.index)

    def position(self, index: int) -> LogPosition:
        """Return the position after ``index`` entries. Raises IndexError beyond the end."""
        return LogPosition(index, short(self._digests[index]))

    def signers(self, since: int = 0) -> frozenset[tuple[int, int]]:
        """Return the seats, with epochs, that have signed entries from index ``since`` on."""
        return frozenset((one.seat, one.epoch) for one in self._signatures[since:] if one)

    def part(self, first: int, most: int = MOST_ENTRIES) -> Log:
        """Return the LOG of at most ``most`` public entries from index ``first``.

        The last known signature covers all entries of one seat in a row, in one epoch. Equal
        entries therefore have equal bytes, whichever earlier signatures are known.

        Raises:
            EntryError: ``first`` is beyond the end of the log.
        """
        if not 0 <= first <= self.index:
            raise EntryError(f"entry {first} is beyond the end of the log, {self.index}")
        end = min(first + most, self.index)
        entries, after = list[bytes](), None
        for index in reversed(range(first, end)):
            one = self._signatures[index]
            goes_on = one is not None and after is not None and one[:2] == after[:2]
            entries.append(self._public[index] + signed_bytes(None if goes_on else one))
            after = one or after
        return Log(first, end - first, b"".join(reversed(entries)), short(self._digests[end]))

    def tellable(self, first: int, end: int, most: int = ENTRIES_AT_ONCE) -> int:
        """Return how many entries to send from index ``first`` on, before index ``end``.

        That is ``most``, and further ones up to the next signature.
        """
        count = min(most, end - first)
        while first + count < end and self._signatures[first + count - 1] is None:
            count += 1
        return count

    def last(self, most_bytes: int) -> tuple[int, bytes]:
        """Return the newest public entries in at most so many bytes: their number and bytes."""
        count, size = 0, 0
        while count < self.index and size + len(self._public[-1 - count]) <= most_bytes:
            size += len(self._public[-1 - count])
            count += 1
        return count, b"".join(self._public[self.index - count :])

    def since(self, index: int) -> tuple[bytes, ...]:
        """Return the local entries from ``index`` on, with their signatures."""
        kept = zip(self._local[index:], self._signatures[index:], strict=True)
        return tuple(entry + signed_bytes(signature) for entry, signature in kept)

    def _enter(self, entry: LogEntry, digest: bytes, action: Action) -> None:
        """Append a public ``entry``; ``action`` may have dice that are known here alone."""
        self._local.append(encode_entry(action, entry.note))
        self._public.append(encode_entry(entry.action, entry.note))
        self._signatures.append(None)
        self._digests.append(digest)

    def _keep(self, index: int) -> None:
        """Remove the entries from ``index`` on; the caller updates the standing."""
        self.cuts += 1
        del self._local[index:], self._public[index:], self._signatures[index:]
        del self._digests[index + 1 :]
