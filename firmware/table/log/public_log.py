"""The public log of a match: entries chained by digests, and signed states of it.

``firmware.table.log.entries`` defines the bytes of an entry. A journal keeps the local entries, in
which the covered rolls of this handheld have their dice. Others get the public ones, `public` of
the same actions, and the digests cover those (``firmware.table.log.entries``). Equal digests at one
index mean equal logs up to there.

An entry counts with its maker's signature. Entries with only their maker's seal stand at the end,
and are *open* until the signature comes: the display shows them, and no frame forwards them.

A roller announces at most one throw of a tenure, its last one, since the next seat acts then. Its
opening lacks the rising chain of the earlier throws, so it reveals no other throw.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Self

from firmware.table.commitment.fair_dice import Charge, DiceCommitment, opened
from firmware.table.commitment.ledger import Cheated, CheckCommitment, Ledger
from firmware.table.log.belief import Belief, Claim, ReceivedEntries
from firmware.table.log.entries import (
    EntryError,
    LogEntry,
    Note,
    Signature,
    SignedEntries,
    begun,
    chained,
    decode_entries,
    encode_entry,
    read_entries,
    short,
)
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.messages import Log
from game import (
    AnyMatch,
    AnyRules,
    AnyStep,
    IllegalAction,
    Reason,
    apply,
    dice_to_roll,
    hides_dice,
    laid_open,
    new_match,
    public,
)
from game.actions import Action, Announce, Lift, Roll, Say, ShowMaexchen, ShowTower, TableAction
from game.bluff.position import is_lie
from game.bluff.values import value_of
from game.record import Record, read, write

Signs = Callable[[int, bytes], Signature]
"""Signs a log by its number of entries and their digest (32 bytes)."""


class LogConflict(Exception):  # noqa: N818 - what is found, not what failed
    """Another handheld's log contradicts the one here; the table has to stop.

    Attributes:
        index: the first entry that differs.
        reason: why the rules refuse that entry; None if it is legal, or no entry at all.
        mine: the digest here, after that entry; None if the log here has none.
        theirs: the digest there; None if its entry was refused.
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

    @classmethod
    def of(cls, index: int, mine: bytes, theirs: bytes) -> Self:
        """Return the conflict at an entry, by the digests after it here and there."""
        here, there = short(mine), short(theirs)
        problem = f"the logs differ: {here.hex()} here, {there.hex()} there"
        return cls(index, problem, None, here, there)


class LogState(NamedTuple):
    """The match, the ledger and the possible holders after a log.

    Attributes:
        match: the match.
        ledger: the commitments of all seats, and whether the newest open dice are proven.
        holders: the seats that can have the cup: the last to act, and those to act since.
    """

    match: AnyMatch
    ledger: Ledger
    holders: frozenset[int]

    def after(
        self,
        entry: LogEntry,
        step: AnyStep,
        check: CheckCommitment | None = None,
        *,
        trusted: bool = False,
    ) -> "LogState":
        """Return the standing after a public entry and its step. Raises Cheated."""
        match, action = self.match, entry.action
        ledger = self.ledger.after(match, action, entry.proof, check, trusted=trusted)
        acted = self.holders if isinstance(action, TableAction) else {match.to_act}
        holders = frozenset(seat for seat in (*acted, step.match.to_act) if seat is not None)
        return LogState(step.match, ledger, holders)


class PublicLog(SignedEntries):
    """The log of one match, and the match it leads to.

    Args:
        rules: the game with its options.
        players: names by seat.
        first: the seat that opens the first round.

    Raises:
        SetupError: no such match can be played.
    """

    def __init__(self, rules: AnyRules, players: tuple[str, ...], first: int) -> None:
        self.header = write(Record(rules, players, first, ())).encode()
        """The header of the match, for the journal and the digests."""
        super().__init__(begun(self.header))
        ledger = Ledger(short(self._digests[0]))
        self._now = LogState(new_match(rules, players, first), ledger, frozenset({first}))
        self._signed, self._open_from = self._now, 0

    @classmethod
    def restored(cls, header: bytes, entries: Iterable[bytes]) -> Self:
        """Return the log of a header and local entries, as a journal kept them.

        Raises:
            RecordError: the header cannot be read.
            LogConflict: an entry cannot be read, or is against the rules.
        """
        record = read(header.decode())
        log = cls(record.rules, record.players, record.first)
        for index, kept in enumerate(entries):
            try:
                for entry in read_entries(kept):
                    log.append(entry.action, entry.note)
                    log._signatures[-1] = entry.signature
            except EntryError as error:
                raise LogConflict(index, str(error)) from error
            except IllegalAction as error:  # without its text, which may have covered dice
                raise LogConflict(index, error.reason.sentence, error.reason) from error
        return log

    def steps(self) -> Iterator[tuple[AnyMatch, AnyStep]]:
        """Yield every step so far, with the match before it."""
        match = self.restored(self.header, ()).match
        for action in decode_entries(b"".join(self.since(0))):
            step = apply(match, action)
            yield match, step
            match = step.match

    def cut(self, index: int) -> None:
        """Remove the entries from ``index`` on."""
        kept = self.restored(self.header, self.since(0)[:index])
        self._now, self._signed, self._open_from = kept._now, kept._signed, kept._open_from
        self._keep(index)

    def drop_open(self) -> None:
        """Remove the entries without a signature of their maker."""
        if self._open_from < self.index:
            self._now = self._signed
            self._keep(self._open_from)

    @property
    def match(self) -> AnyMatch:
        """The match that the log leads to."""
        return self._now.match

    @property
    def ledger(self) -> Ledger:
        """See `LogState`."""
        return self._now.ledger

    @property
    def holders(self) -> frozenset[int]:
        """See `LogState`."""
        return self._now.holders

    @property
    def signed_at(self) -> LogPosition:
        """The beginning of the open entries, if there are any; else the end of the log."""
        return self.position(self._open_from)

    def append(
        self, action: Action, note: Note | None = None, sign: Signs | None = None
    ) -> AnyStep:
        """Play an action and enter it. Lifts and shown towers get the dice, if they are known here.

        ``note`` stands beside it; ``sign`` signs it, and None leaves it without a signature.

        Raises:
            IllegalAction: the rules refuse it; nothing has changed.
        """
        if isinstance(action, Lift | ShowTower):
            action = laid_open(self.match, action)
        step = apply(self.match, action)
        entry = LogEntry(public(action, self.match), note)
        self._now = self._signed = self._now.after(entry, step, trusted=True)
        self._enter(entry, chained(self._digests[-1], encode_entry(entry.action, note)), action)
        if sign is not None:
            self._signatures[-1] = sign(self.index, self._digests[-1])
        self._open_from = self.index
        return step

    def adopt(
        self,
        log: Log,
        check: CheckCommitment | None = None,
        belief: Belief | None = None,
        sealed_by: int | None = None,
    ) -> tuple[AnyStep, ...]:
        """Enter the entries of a received LOG; all of them, or none.

        Known entries are compared; received ones replace open ones. Return the steps of the new
        ones. Return none if the entries begin beyond the signed ones here, or are not believed.

        Args:
            log: the received LOG.
            check: returns a charge against a commitment, by this handheld's knowledge; or None.
            belief: judges signatures and claims; None believes all.
            sealed_by: the sender, if its own entries count without a signature; else None.

        Raises:
            LogConflict: an entry differs, is illegal or cannot be read; or the digest after them
                differs, so that an older entry does.
            Cheated: an entry proves that a seat cheats.
        """
        if log.first > self._open_from:
            return ()
        try:
            read = ReceivedEntries(log, self._digests[log.first], belief)
        except EntryError as error:
            if belief is not None:
                return ()
            raise LogConflict(log.first, str(error)) from None
        shared = range(log.first, min(read.end, self.index))
        same = next((n for n in shared if read.digest(n + 1) != self._digests[n + 1]), shared.stop)
        if same < min(read.end, self._open_from):
            return self._differing(read, same, belief)
        new, steps = self._signed, list[AnyStep]()
        for index in range(max(log.first, self._open_from), read.end):
            claim = self._claim(read, index, new, sealed_by)
            if belief is not None and (claim is None or not belief.believes(claim)):
                if not read.ends_well:
                    break
                return ()
            step = _played(index, read[index], new)
            new = new.after(read[index], step, check)
            steps.append(step)
        if not read.ends_well:
            raise LogConflict.of(read.end, read.digest(read.end), log.digest)
        if read.end <= self._open_from:
            return ()
        self._follow(read, same, new, is_open=sealed_by is not None)
        return tuple(steps[same - read.end :] if same < read.end else ())

    def _differing(
        self, read: ReceivedEntries, at: int, belief: Belief | None
    ) -> tuple[AnyStep, ...]:
        """Raise the conflict at a signed entry that differs; ignore an unsigned one."""
        both = read.signers(at) & self.signers(at) if belief is not None else frozenset()
        if both:
            raise Cheated(min(both)[0], Charge.STORIES)
        if belief is None or read.signature(at) is not None:
            raise LogConflict.of(at, self._digests[at + 1], read.digest(at + 1))
        return ()

    def _claim(
        self, read: ReceivedEntries, index: int, before: LogState, sealed_by: int | None
    ) -> Claim | None:
        """Return the claim of an entry; None if nobody has signed or sealed it."""
        signature = read.signature(index)
        if signature is not None:
            seat, epoch = signature.seat, signature.epoch
        elif sealed_by is not None:
            seat, epoch = sealed_by, None
        else:
            return None
        if index > read.first:
            last = read.signature(index - 1)
        else:
            last = next(filter(None, self._signatures[max(0, index - 1) :]), None)
        last_epoch = None if last is None else last.epoch
        return Claim(seat, epoch, last_epoch, before.match, before.holders, read[index])

    def _follow(self, read: ReceivedEntries, same: int, after: LogState, *, is_open: bool) -> None:
        """Enter the received entries from ``same`` on; earlier ones are known."""
        if same < min(read.end, self.index):
            self._keep(same)
        for index in range(self.index, read.end):
            self._enter(read[index], read.digest(index + 1), read[index].action)
        if self.index == read.end:
            self._now = after
        if not is_open:
            for index in range(self._open_from, read.end):
                self._signatures[index] = read[index].signature
            self._signed, self._open_from = after, read.end


def _played(index: int, entry: LogEntry, before: LogState) -> AnyStep:
    if entry.action != public(entry.action, before.match):
        raise LogConflict(index, "it tells what only its player may know")
    try:
        return apply(before.match, entry.action)
    except IllegalAction as error:
        before.ledger.after(before.match, entry.action, entry.proof)  # changed dice are named so
        raise LogConflict(index, str(error), error.reason) from None


def merged_log(logs: Sequence[PublicLog]) -> tuple[Record, list[int]]:
    """Return the record of the longest log, with all covered dice that their rollers know.

    ``logs`` are of one match, by seat. Also return the sorted seats whose log is shorter or differs
    in public.
    """
    begun = read(logs[0].header.decode())
    actions_of = [decode_entries(b"".join(log.since(0))) for log in logs]
    longest = max(actions_of, key=len)
    differing = set[int]()
    merged: list[Action] = []
    match: AnyMatch = new_match(begun.rules, begun.players, begun.first)
    for place, action in enumerate(longest):
        public_action = fullest = public(action, match)
        for seat, actions in enumerate(actions_of):
            if place >= len(actions) or public(actions[place], match) != public_action:
                differing.add(seat)
            elif actions[place] != public_action:
                fullest = actions[place]
        merged.append(fullest)
        match = apply(match, fullest).match
    return begun._replace(actions=tuple(merged)), sorted(differing)


class CoveredThrow(NamedTuple):
    """A throw that nobody has shown.

    Attributes:
        place: the index of its entry in the log.
        tenure: the tenure that it was made in.
        throw: its number there, 1 to 8.
        announced: the values that its roller announced for it, in order; one or more.
    """

    place: int
    tenure: DiceCommitment
    throw: int
    announced: tuple[int, ...]


class CoveredThrows(NamedTuple):
    """The covered throws of ``seat`` in the match with this header, in their order."""

    header: bytes
    seat: int
    throws: tuple[CoveredThrow, ...]

    @classmethod
    def of(cls, log: PublicLog, seat: int) -> "CoveredThrows":
        """Return those of a log that have a commitment; its signatures are not checked again."""
        found: dict[int, CoveredThrow] = {}
        newest: CoveredThrow | None = None
        ledger = Ledger(short(begun(log.header)))
        entries = read_entries(b"".join(log.since(0)))
        for place, (entry, (match, step)) in enumerate(zip(entries, log.steps(), strict=True)):
            action, after = public(entry.action, match), step.match
            ledger = ledger.after(match, action, entry.proof, trusted=True)
            match action:
                case Roll():
                    bound = ledger.newest
                    newest = None
                    if bound is not None and bound.seat == seat:
                        newest = CoveredThrow(place, bound.tenure, bound.throw, ())
                case Announce() | Say() if newest is not None and hides_dice(after):
                    if after.announcer == seat and after.announced is not None:
                        announced = (*newest.announced, after.announced)
                        newest = found[newest.place] = newest._replace(announced=announced)
                case Lift() | ShowTower() | ShowMaexchen() if newest is not None:
                    found.pop(newest.place, None)
                case _:
                    pass
        return cls(log.header, seat, tuple(found.values()))

    def lies(self, thrown: CoveredThrow, opening: bytes) -> int | None:
        """Return how many announcements of a throw its opening proves to be lies.

        None: it does not open that throw.
        """
        record, tenure = read(self.header.decode()), thrown.tenure
        match = new_match(record.rules, record.players, record.first)
        assert hides_dice(match), "a value is announced for covered dice"
        fell = opened(
            tenure.root,
            tenure.contribution,
            thrown.throw,
            tenure.place(short(begun(self.header)), self.seat),
            opening,
            dice_to_roll(match),
            match.rules.tower_one_in,
        )
        if not isinstance(fell, Roll) or fell.dice is None:
            return None
        rolled = value_of(fell.dice)
        return sum(is_lie(match.rules, each, rolled) for each in thrown.announced)
