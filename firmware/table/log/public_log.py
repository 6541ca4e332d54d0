"""The public log of a match, as every handheld keeps it: entries chained by digests.

What an entry's bytes say is in ``firmware.table.log.entries``. A journal keeps the local entries,
in which the covered rolls of this handheld have their dice. Others are told the public ones,
`public` of the same actions, and the digests cover those: digest 0 is the beginning of the SHA-256
of the match's header (rules, players, first opener), digest n+1 that of digest n and public entry
n. Equal digests at one index mean equal logs up to there.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Self

from firmware.table.commitment.ledger import Ledger, ProofNote, Testify
from firmware.table.log.entries import EntryError, decode_noted, encode_entry
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.sizes import DIGEST_BYTES, MOST_ENTRIES
from game import (
    AnyMatch,
    AnyRules,
    AnyStep,
    IllegalAction,
    Reason,
    apply,
    laid_open,
    new_match,
    public,
)
from game.actions import Action, Lift, ShowTower, TableAction
from game.record import Record, read, write

Believes = Callable[[AnyMatch, frozenset[int], Action], bool]
"""Asked about every entry that is news: the match before it, who can have the cup then, and what
was done. Whether it is believed from who tells it."""


class LogConflict(Exception):  # noqa: N818 - what is found, not what failed
    """Another handheld's log cannot be followed: stop the table and show both.

    Attributes:
        index: the entry at which it parts from the log here.
        reason: why the rules refuse that entry; None where it is legal, or no entry at all.
        mine: the digest here, after that entry; None where the log here has none.
        theirs: the digest there; None where its entry was refused.
    """

    def __init__(
        self,
        index: int,
        problem: str,
        reason: Reason | None = None,
        mine: bytes | None = None,
        theirs: bytes | None = None,
    ) -> None:
        super().__init__(f"entry {index}: {problem}")
        self.index = index
        self.reason = reason
        self.mine = mine
        self.theirs = theirs


class PublicLog:
    """The log of one match, and the match it leads to.

    Args:
        rules: the game with its options.
        players: names by seat.
        first: the seat that opens the first round.

    Raises:
        SetupError: no such match can be played.
    """

    def __init__(self, rules: AnyRules, players: tuple[str, ...], first: int) -> None:
        self.match: AnyMatch = new_match(rules, players, first)
        self.header = write(Record(rules, players, first, ())).encode()
        """The match's header, for the journal and the digests."""
        self._local: list[bytes] = []
        self._public: list[bytes] = []
        self._digests = [_digest(self.header)]
        self.ledger = Ledger(self._digests[0])
        """What everybody has committed to, and whether the dice laid open last are proven."""
        self.holders = frozenset({first})
        """The seats that the cup can be with: who acted last, and who was to act since."""
        self.cuts = 0
        """How often entries were forgotten again."""

    @classmethod
    def restored(cls, header: bytes, entries: Iterable[bytes]) -> Self:
        """Return the log of a header and local entries, as a journal kept them.

        Raises:
            RecordError: the header is none.
            LogConflict: an entry is none, or is against the rules.
        """
        record = read(header.decode())
        log = cls(record.rules, record.players, record.first)
        for index, entry in enumerate(entries):
            try:
                for action, note in decode_noted(entry):
                    log.append(action, note)
            except EntryError as error:
                raise LogConflict(index, str(error)) from error
            except IllegalAction as error:  # not its text: the action may have covered dice
                raise LogConflict(index, error.reason.sentence, error.reason) from error
        return log

    def cut(self, index: int) -> None:
        """Forget the entries from ``index`` on."""
        self.cuts += 1
        kept = self.restored(self.header, self._local[:index])
        self.match, self.ledger, self.holders = kept.match, kept.ledger, kept.holders
        self._local, self._public, self._digests = kept._local, kept._public, kept._digests

    @property
    def index(self) -> int:
        """The number of entries; also the index of the first one that is missing."""
        return len(self._local)

    @property
    def digest(self) -> bytes:
        """The digest of all public entries."""
        return self._digests[-1]

    @property
    def at(self) -> LogPosition:
        """Where the log ends."""
        return LogPosition(self.index, self.digest)

    def position(self, index: int) -> LogPosition:
        """The place after ``index`` entries; IndexError where the log has not got that far."""
        return LogPosition(index, self._digests[index])

    def append(self, action: Action, note: ProofNote | None = None) -> AnyStep:
        """Play an action and enter it. What lays dice open that are known here tells them.

        ``note`` is told beside it.

        Raises:
            IllegalAction: the rules refuse it; nothing has changed.
        """
        if isinstance(action, Lift | ShowTower):
            action = laid_open(self.match, action)
        step = apply(self.match, action)
        told = public(action, self.match)
        self.ledger = self.ledger.after(self.match, told, note, trusted=True)
        self._enter(action, told, note)
        self.holders = _holders(self.holders, action, self.match, step.match)
        self.match = step.match
        return step

    def adopt(
        self, log: Log, testify: Testify | None = None, believes: Believes | None = None
    ) -> tuple[AnyStep, ...]:
        """Follow entries that another handheld told; all of them, or none where one is refused.

        Entries that are known here are compared. Returns the steps of the new ones; none where the
        entries begin beyond the end of the log here, so that some are missing between. From the
        first one on that is not believed, none is followed; None believes all.
        ``testify``: what this handheld knows itself of others' tenures; None where that is nothing.

        Raises:
            LogConflict: an entry is not the one here, is against the rules or is none; or the
                digest after them is not the one here, so that an older entry differs.
            Cheated: an entry shows that a seat cheats.
        """
        if log.first > self.index:
            return ()
        try:
            actions = decode_noted(log.entries)
        except EntryError as error:
            raise LogConflict(log.first, str(error)) from None
        if len(actions) != log.count:
            raise LogConflict(log.first, f"{log.count} entries were told, {len(actions)} came")
        digest = self._digests[log.first]
        match, ledger, holders = self.match, self.ledger, self.holders
        steps: list[AnyStep] = []
        believed, known = True, self.index - log.first
        for index, (action, note) in enumerate(actions, start=log.first):
            digest = _digest(digest + encode_entry(action, note))
            if index < self.index:
                if digest != self._digests[index + 1]:
                    raise self._different(index, digest)
                continue
            if not believed or (believes is not None and not believes(match, holders, action)):
                believed = False
                continue
            if action != public(action, match):
                raise LogConflict(index, "it tells what only its player may know")
            try:
                step = apply(match, action)
            except IllegalAction as error:
                ledger.after(match, action, note)  # dice that were changed are named so
                raise LogConflict(index, str(error), error.reason) from None
            ledger = ledger.after(match, action, note, testify)
            holders = _holders(holders, action, match, step.match)
            match = step.match
            steps.append(step)
        if digest != log.digest:
            raise self._different(log.first + log.count, log.digest, digest)
        for action, note in actions[known : known + len(steps)]:
            self._enter(action, action, note)
        self.match, self.ledger, self.holders = match, ledger, holders
        return tuple(steps)

    def told(self, first: int, most: int = MOST_ENTRIES) -> Log:
        """Return the LOG of at most ``most`` public entries from index ``first``.

        Raises:
            EntryError: the log has not got that far.
        """
        if not 0 <= first <= self.index:
            raise EntryError(f"entry {first} is beyond the end of the log, {self.index}")
        entries = self._public[first : first + most]
        return Log(first, len(entries), b"".join(entries), self._digests[first + len(entries)])

    def last(self, most_bytes: int) -> tuple[int, bytes]:
        """The last public entries that fit into so many bytes: how many, and their bytes."""
        count, size = 0, 0
        while count < self.index and size + len(self._public[-1 - count]) <= most_bytes:
            size += len(self._public[-1 - count])
            count += 1
        return count, b"".join(self._public[self.index - count :])

    def since(self, index: int) -> tuple[bytes, ...]:
        """Return the local entries from ``index`` on, for the journal."""
        return tuple(self._local[index:])

    def _enter(self, action: Action, told: Action, note: ProofNote | None) -> None:
        entry = encode_entry(told, note)
        self._local.append(encode_entry(action, note))
        self._public.append(entry)
        self._digests.append(_digest(self.digest + entry))

    def _different(self, index: int, theirs: bytes, mine: bytes | None = None) -> LogConflict:
        if mine is None:
            mine = self._digests[index + 1]
        return LogConflict(
            index,
            f"the logs differ: {mine.hex()} here, {theirs.hex()} there",
            None,
            mine,
            theirs,
        )


def _holders(
    before: frozenset[int], action: Action, match: AnyMatch, after: AnyMatch
) -> frozenset[int]:
    acted = before if isinstance(action, TableAction) else frozenset({match.to_act})
    return frozenset(seat for seat in (*acted, after.to_act) if seat is not None)


def _digest(data: bytes) -> bytes:
    return sha256(data).digest()[:DIGEST_BYTES]
