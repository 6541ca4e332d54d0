"""Belief in received entries: their signatures, and the seats that could enter them.

For spectators and latecomers: ``PublicLog.adopt(told, belief=Readers(signers, match))``
enters the entries of a LOG from any sender, if rules and signatures allow them. A seat that has
signed two stories is named (`Cheated`).
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple, Protocol

from firmware.table.log.entries import (
    EPOCHS_PER_MATCH,
    EntryError,
    LogEntry,
    Signature,
    Wished,
    chained,
    encode_entry,
    read_entries,
    short,
    wish_statement,
)
from firmware.table.protocol.messages import Log
from firmware.table.protocol.sealing import Verifier
from game import AnyMatch
from game.actions import Action, Fault, FaultKind, Leave, TableAction, VoidRound
from game.status import AWAY

HasSigned = Callable[[int, bytes, bytes], bool]
"""Returns whether a seat has signed a statement."""


class Claim(NamedTuple):
    """The claim that ``seat`` has entered something.

    Attributes:
        seat: the claimed maker of the entry.
        epoch: of the signature; None if ``seat`` has only sealed the entry so far.
        last: the epoch in which the entry before was signed; None for none.
        match: the match before the entry.
        holders: the seats that could have the cup then.
        entry: the claimed entry.
    """

    seat: int
    epoch: int | None
    last: int | None
    match: AnyMatch
    holders: frozenset[int]
    entry: LogEntry


class Belief(Protocol):
    """The knowledge by which a reader of the log judges entries."""

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Return whether a seat has signed a statement."""
        ...

    def believes(self, claim: Claim) -> bool:
        """Return whether a claim can be true."""
        ...


class ReceivedEntries:
    """The entries of a received LOG, by index.

    Args:
        log: the LOG.
        digest: before the first of these entries, in the log here.
        belief: checks signatures; None accepts all.

    Raises:
        EntryError: the entries cannot be read, or their number is not that of the LOG.
    """

    def __init__(self, log: Log, digest: bytes, belief: Belief | None) -> None:
        self.first = log.first
        self._entries = read_entries(log.entries)
        if len(self._entries) != log.count:
            raise EntryError(f"{log.count} entries were announced, {len(self._entries)} came")
        public = (encode_entry(entry.action, entry.note) for entry in self._entries)
        self._digests = list(accumulate(public, chained, initial=digest))
        self._signed = self._signatures(belief)
        self.end = self.first + log.count
        self.ends_well = short(self._digests[-1]) == log.digest
        """True if the digest after these entries is that of the LOG."""

    def __getitem__(self, index: int) -> LogEntry:
        return self._entries[index - self.first]

    def digest(self, index: int) -> bytes:
        """Return the digest of the log up to ``index``, with these entries."""
        return self._digests[index - self.first]

    def signature(self, index: int) -> Signature | None:
        """Return the signature that covers an entry: the next one, if it is good; else None."""
        return self._signed[index - self.first]

    def signers(self, since: int) -> frozenset[tuple[int, int]]:
        """Return the seats, with epochs, that have signed entries from an index on."""
        return frozenset((one.seat, one.epoch) for one in self._signed[since - self.first :] if one)

    def _signatures(self, belief: Belief | None) -> list[Signature | None]:
        found, good = list[Signature | None](), None
        for place in reversed(range(len(self._entries))):
            one = self._entries[place].signature
            if one is not None:
                statement = Signature.statement(
                    one.epoch, self.first + place + 1, self._digests[place + 1]
                )
                is_good = belief is None or belief.has_signed(one.seat, statement, one.signed)
                good = one if is_good else None
            found.append(good)
        return found[::-1]


def is_borne_out(claim: Claim, epoch: int, gone: frozenset[int] | None, signed: HasSigned) -> bool:
    """Return whether a seat can have made the claimed entry, with the signed wishes that it takes.

    Args:
        claim: the seat and its entry.
        epoch: of the entry.
        gone: the seats without which the epoch began, if it began with the cup at that seat; else
            None. The seat can then void the round, and enter the leaves of the gone.
        signed: returns whether a seat has signed a statement.
    """
    seat, match, action = claim.seat, claim.match, claim.entry.action
    if not isinstance(action, TableAction):
        return seat == match.to_act
    if seat not in claim.holders and gone is None:
        return False
    if isinstance(action, Fault) and action.kind is not FaultKind.OTHER:
        return action.seat == seat
    if gone is not None and isinstance(action, Leave) and action.seat in gone:
        return True
    if gone is not None and isinstance(action, VoidRound) and claim.last != epoch:
        return True
    wishing = _wishing(claim, epoch, signed)
    if isinstance(action, Leave):
        return action.seat in wishing
    there = {one for one, status in enumerate(match.status) if status not in AWAY}
    return 2 * len(wishing & there) > len(there)


def wished_in(action: Action, round_number: int) -> int:
    """Return the round of a wish, as it is signed; 0 for leaving."""
    return 0 if isinstance(action, Leave) else round_number


def _wishing(claim: Claim, epoch: int, signed: HasSigned) -> set[int]:
    note, action = claim.entry.note, claim.entry.action
    if not isinstance(note, Wished):
        return set()
    statement = (epoch, wished_in(action, claim.match.round), encode_entry(action))
    return {seat for seat, one in note.by if signed(seat, wish_statement(seat, *statement), one)}


class Readers(Verifier):
    """The `Belief` of a reader without a seat.

    A reader cannot know the votes. The seat that enters something first in a new epoch counts as
    its keeper, and may enter leaves.

    Args:
        signers: by seat, the public keys, 32 bytes each.
        match: the number of the match; its epochs begin at 16 times this number.

    Raises:
        ValueError: a key has not 32 bytes.
    """

    def __init__(self, signers: Sequence[bytes], match: int) -> None:
        super().__init__(dict(enumerate(signers)))
        self._match = match
        self._begun: dict[int, int] = {}
        """By epoch, the seat that entered something in it first."""

    def believes(self, claim: Claim) -> bool:
        """Return whether a claim can be true."""
        epoch, seat = claim.epoch, claim.seat
        if epoch is None or epoch // EPOCHS_PER_MATCH != self._match:
            return False
        seats = frozenset(range(len(claim.match.players)))
        if seat not in seats or epoch < (claim.last or 0):
            return False
        if claim.last != epoch:
            self._begun[epoch] = seat
        begins = self._begun.get(epoch) == seat and epoch % EPOCHS_PER_MATCH > 0
        gone = seats - {seat} if begins else None
        return is_borne_out(claim, epoch, gone, self.has_signed)
