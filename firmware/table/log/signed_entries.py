"""Entries with their digests and signatures, as they are kept and told. It knows no rules."""

from firmware.table.log.chain import Signature, told
from firmware.table.log.entries import Entry, EntryError, encode_entry, signed_bytes
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.sizes import MOST_ENTRIES, TOLD_AT_ONCE
from game.actions import Action


class SignedEntries:
    """What was entered in a match.

    Args:
        digest: the one before the first entry, 32 bytes.
    """

    def __init__(self, digest: bytes) -> None:
        self._local: list[bytes] = []
        self._public: list[bytes] = []
        self._signatures: list[Signature | None] = []
        self._digests = [digest]
        self.cuts = 0
        """How often entries were forgotten again."""

    @property
    def index(self) -> int:
        """The number of entries; also the index of the first one that is missing."""
        return len(self._local)

    @property
    def digest(self) -> bytes:
        """The digest of all public entries, as it is told."""
        return told(self._digests[-1])

    @property
    def at(self) -> LogPosition:
        """Where the log ends."""
        return self.position(self.index)

    def position(self, index: int) -> LogPosition:
        """The place after ``index`` entries; IndexError where the log has not got that far."""
        return LogPosition(index, told(self._digests[index]))

    def signers(self, since: int = 0) -> frozenset[tuple[int, int]]:
        """Who has signed entries from index ``since`` on: seats and epochs."""
        return frozenset((one.seat, one.epoch) for one in self._signatures[since:] if one)

    def told(self, first: int, most: int = MOST_ENTRIES) -> Log:
        """Return the LOG of at most ``most`` public entries from index ``first``.

        One signature stands for all that a seat has entered in a row, in one epoch: the last of
        those that are known, so that the same entries are told with the same bytes, whichever of
        the others are known as well.

        Raises:
            EntryError: the log has not got that far.
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
        return Log(first, end - first, b"".join(reversed(entries)), told(self._digests[end]))

    def tellable(self, first: int, end: int, most: int = TOLD_AT_ONCE) -> int:
        """How many entries to tell from index ``first`` on, none from index ``end`` on.

        So many, and as many more as it takes to the next signature.
        """
        count = min(most, end - first)
        while first + count < end and self._signatures[first + count - 1] is None:
            count += 1
        return count

    def last(self, most_bytes: int) -> tuple[int, bytes]:
        """The last public entries that fit into so many bytes: how many, and their bytes."""
        count, size = 0, 0
        while count < self.index and size + len(self._public[-1 - count]) <= most_bytes:
            size += len(self._public[-1 - count])
            count += 1
        return count, b"".join(self._public[self.index - count :])

    def since(self, index: int) -> tuple[bytes, ...]:
        """Return the local entries from ``index`` on, with their signatures."""
        kept = zip(self._local[index:], self._signatures[index:], strict=True)
        return tuple(entry + signed_bytes(signature) for entry, signature in kept)

    def _enter(self, entry: Entry, digest: bytes, action: Action) -> None:
        """Enter what is told as ``entry``; ``action`` may have dice that are known here alone."""
        self._local.append(encode_entry(action, entry.note))
        self._public.append(encode_entry(entry.action, entry.note))
        self._signatures.append(None)
        self._digests.append(digest)

    def _keep(self, index: int) -> None:
        """Forget the entries from ``index`` on; what the log leads to is up to the caller."""
        self.cuts += 1
        del self._local[index:], self._public[index:], self._signatures[index:]
        del self._digests[index + 1 :]
