"""The public log of a match: entries chained by digests, and signed states of it.

``firmware.table.log.entries`` defines the bytes of an entry. A journal keeps the local entries, in
which the covered rolls of this handheld have their dice. Others get the public ones, `public` of
the same actions, and the digests cover those (``firmware.table.log.entries``). Equal digests at one
index mean equal logs up to there.

An entry counts with its maker's signature. Entries with only their maker's seal stand at the end,
and are *open* until the signature comes: the display shows them, and no frame forwards them.

A roller announces at most one throw of a tenure, its last one, since the next seat acts then. Its
opening lacks the rising chain of the earlier throws, so it reveals no other throw.

The seat that appended the last entry sends every other seat the entries that it lacks. It repeats
them, ever more slowly, until WANT shows that the seat lacks none. WANT names the first entry that a
seat lacks, and is also the request for it. Nothing else keeps the handhelds in step. A seat that
lacks more than one LOG holds gets the next LOG after each WANT.

Over infrared alone every handheld hears every frame, and each costs time: PROTOCOL.md, "Told to
all".
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Self

from firmware.table.commitment.fair_dice import Charge, DiceCommitment
from firmware.table.commitment.ledger import Cheated, CheckCommitment, Ledger
from firmware.table.log.entries import (
    Belief,
    Claim,
    EntryError,
    LogEntry,
    Note,
    ReceivedEntries,
    Signature,
    SignedEntries,
    begun,
    chained,
    decode_entries,
    encode_entry,
    read_entries,
    short,
)
from firmware.table.protocol import ENTRIES_AT_ONCE, LogPosition, Retry
from firmware.table.protocol.messages import Log
from game import (
    AnyMatch,
    AnyRules,
    AnyStep,
    IllegalAction,
    apply,
    hides_dice,
    laid_open,
    new_match,
    public,
)
from game.actions import Action, Announce, Lift, Roll, Say, ShowMaexchen, ShowTower, TableAction
from game.bluff.legality import is_lie
from game.bluff.rules import value_of
from game.record import Record, read, write

Signs = Callable[[int, bytes], Signature]
"""Signs a log by its number of entries and their digest (32 bytes)."""


class LogConflict(Exception):  # noqa: N818 - what is found, not what failed
    """Another handheld's log contradicts the one here; the table has to stop.

    ``index``: the first entry that differs.
    """

    def __init__(self, index: int, problem: str) -> None:
        super().__init__(f"entry {index}: {problem}")
        self.index = index

    @classmethod
    def of(cls, index: int, mine: bytes, theirs: bytes) -> Self:
        """Return the conflict at an entry, by the digests after it here and there."""
        here, there = short(mine).hex(), short(theirs).hex()
        return cls(index, f"the logs differ: {here} here, {there} there")


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
                raise LogConflict(index, error.reason.sentence) from error
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
        raise LogConflict(index, str(error)) from None


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
        record, header = read(self.header.decode()), short(begun(self.header))
        match = new_match(record.rules, record.players, record.first)
        assert hides_dice(match), "a value is announced for covered dice"
        fell = thrown.tenure.opened(match, header, self.seat, thrown.throw, opening)
        if not isinstance(fell, Roll) or fell.dice is None:
            return None
        rolled = value_of(fell.dice)
        return sum(is_lie(match.rules, each, rolled) for each in thrown.announced)


FIRST_RESEND_US = 1_500_000
"""First wait before an unanswered LOG is repeated; chosen."""
LAST_RESEND_US = 8_000_000
"""Longest wait, chosen; each is twice as long as the one before."""
_RETRY = Retry(FIRST_RESEND_US, LAST_RESEND_US)
QUEUED_US, UNDER_WAY_US = 500_000, 2_000_000
"""Longest time until a frame over infrared begins, and until all have heard it; chosen."""
ANSWER_LATER_US = 2_000_000
"""Delay of the first WANT after a LOG for all: that of the seat behind its sender; chosen."""
OTHERS_LATER_US, EACH_LATER_US = 4_000_000, 300_000
"""Further delay of the others, and of each next one; chosen: an answer is on the air for 0.22 s."""


def turn_of(seat: int, teller: int, places: int) -> int:
    """Return how many seats answer a LOG of ``teller`` before ``seat``."""
    return (seat - teller - 1) % places


def answer_later_us(turn: int) -> int:
    """Return the delay before a seat that lacks nothing answers."""
    return ANSWER_LATER_US + (OTHERS_LATER_US + turn * EACH_LATER_US if turn else 0)


class PeerProgress:
    """The progress of the other seats in the log, as far as it is known here.

    Args:
        seats: the number of places at the table: its seats, and behind them the watchers.
        me: this handheld's seat.
        by_light: infrared alone carries; all hear every frame, and one can send at a time. One LOG
            then goes to several seats. All count as having heard it, unless they ask for it.
    """

    def __init__(self, seats: int, me: int, *, by_light: bool = False) -> None:
        self.lacks = [0] * seats
        """By seat: the first entry that it lacks, by its last WANT."""
        self._others = [seat for seat in range(seats) if seat != me]
        self._sent_to = [0] * seats
        self._by_light = by_light
        self._all_have = 0
        self._sent_us = [0] * seats
        self._sent_from = 0
        self._laggards: set[int] = set()
        self._fresh = [_RETRY] * seats
        if by_light:
            for seat in self._others:
                first_us = QUEUED_US + FIRST_RESEND_US + answer_later_us(turn_of(seat, me, seats))
                self._fresh[seat] = Retry(first_us, max(first_us, LAST_RESEND_US))
        self._retries = [*self._fresh]

    def groups(self, seats: Sequence[int], end: int) -> list[tuple[int, Sequence[int]]]:
        """Return the seats that share one LOG, with its first entry.

        A seat that lacks much gets a LOG alone: it would delay new entries for the others.
        """
        if not self._by_light:
            return [(min(self.lacks[seat], end), [seat]) for seat in seats]
        firsts = [min(self._first(seat), end) for seat in seats]
        if seats and end - min(firsts) <= ENTRIES_AT_ONCE:
            return [(min(firsts), seats)]
        return [
            (first, [seat for seat, one in zip(seats, firsts) if one == first])
            for first in dict.fromkeys(firsts)
        ]

    def _first(self, seat: int) -> int:
        lacks = self.lacks[seat]
        return lacks if seat in self._laggards else max(lacks, self._all_have)

    def note_sent(self, seats: Sequence[int], first: int, index: int) -> None:
        """Note that entries from ``first`` up to ``index`` are on their way to seats."""
        self._sent_from = first
        for seat in seats:
            self._sent_to[seat] = index

    def appended(self, index: int, now_us: int) -> list[int]:
        """Note own entries up to ``index``. Return the seats to send entries to now."""
        if self._by_light and now_us > max(self._sent_us) + QUEUED_US:
            self._all_have = max(self._all_have, *self._sent_to)
        return self._all(index, now_us)

    def peer_appended(self) -> None:
        """Note a newer entry of another seat, which has to send it to the others."""
        self._retries = [*self._fresh]

    def sent_to_all(self, seat: int, index: int) -> None:
        """Note that a seat has sent a LOG for all up to ``index``."""
        self.lacks[seat] = max(self.lacks[seat], index)
        self._all_have = index

    def wanted(self, seat: int, first: int, index: int, now_us: int) -> list[int]:
        """Take a WANT: ``first`` is the first entry that ``seat`` lacks, of ``index``.

        Return the seats to send entries to now. A WANT that answers older entries, while newer ones
        are under way, asks for nothing.
        """
        self.lacks[seat] = first
        if self._by_light:
            return self._wanted_by_light(seat, first, index, now_us)
        retry = self._retries[seat]
        under_way = retry.due_us is not None and not retry.due(now_us)
        if first < index and under_way and first < self._sent_to[seat]:
            return []
        return [seat] if self._send(seat, index, self._fresh[seat], now_us) else []

    def _wanted_by_light(self, seat: int, first: int, index: int, now_us: int) -> list[int]:
        """Take a WANT over infrared: entries that one seat lacks, others may lack, too."""
        self._laggards.discard(seat)
        if first >= index:
            self._all_have = max(self._all_have, index)
            self._send(seat, index, self._fresh[seat], now_us)
            return []
        under_way = now_us < self._sent_us[seat] + UNDER_WAY_US
        if under_way and self._sent_from <= first < self._sent_to[seat]:
            return []
        if index - first > ENTRIES_AT_ONCE:
            self._laggards.add(seat)
            return [seat] if self._send(seat, index, self._fresh[seat], now_us) else []
        self._all_have = first
        return self._all(index, now_us)

    def _all(self, index: int, now_us: int) -> list[int]:
        return [seat for seat in self._others if self._send(seat, index, self._fresh[seat], now_us)]

    def due(self, index: int, now_us: int) -> list[int]:
        """Return the seats to send entries to again, as they have not answered."""
        late = [
            seat
            for seat in self._others
            if (retry := self._retries[seat]).due(now_us) and self._send(seat, index, retry, now_us)
        ]
        if late and self._by_light:
            self._all_have = min(self._all_have, self._sent_from)
            rest = [seat for seat in self._others if seat not in late]
            late += [seat for seat in rest if self._send(seat, index, self._fresh[seat], now_us)]
        return late

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``due``; None when all have answered."""
        due_us = (retry.due_us for retry in self._retries)
        return min((due for due in due_us if due is not None), default=None)

    def _send(self, seat: int, index: int, retry: Retry, now_us: int) -> bool:
        if self.lacks[seat] >= index:
            self._retries[seat] = self._fresh[seat]
            return False
        self._retries[seat] = retry.sent(now_us)
        self._sent_us[seat] = now_us
        return True
