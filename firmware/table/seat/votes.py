"""Votes for a new epoch: how a table goes on when the cup is on a handheld that is gone for good.

Nobody can know whether such a cup still exists. The table declares it void, and a new one begins a
new epoch. More than half of all seats, the gone one included, must vote for that. A vote names the
epoch and the seats to go on without, including those that have left before. The lowest of the
others is the *keeper*: it begins the epoch with an empty cup in hand.

There is one cup per epoch: a seat votes once for an epoch, stores the vote before it sends it, and
two majorities of the same seats always share a seat. The keeper alone begins, with a log as new as
any of its voters': of their newest epoch, and as long as the longest there. The others follow when
they know a majority themselves and get a frame of the new epoch. A handheld that comes back with
the old cup gets the votes, and voids it.

A vote is for the match as it stands. Once the log has outgrown all logs of its ballot, the cup was
not lost, and the keeper cannot begin with it. A seat that is heard of again is not gone: its voters
vote anew without the others alone, or stop.

Equal votes for different epochs come together at the lowest epoch at which a majority is possible:
enough of their voters have not gone beyond it. A voter below goes there step by step. One voter far
beyond therefore leads nobody to the last epoch before others can do without it.
"""

import struct
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from firmware.journal import VOTES_KEY, Put
from firmware.table.log.entries import EPOCHS_PER_MATCH as EPOCHS_PER_MATCH
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import LogPosition, MessageKind, Parts, Retry
from firmware.table.protocol.messages import VOTE_BYTES, Vote
from firmware.table.seat.mail import Mail, Outbox

REPEAT_US = 3_000_000
"""Wait before a vote is repeated, until its epoch has begun or the match has moved on; chosen."""

STEP_US = 10_000_000
"""Least wait before the next vote that approaches equal votes of others; chosen."""

_CAST = struct.Struct(">BH")
_KEPT_BYTES = _CAST.size + VOTE_BYTES
"""The length of a vote in the journal."""


class Decision(NamedTuple):
    """A decision of more than half of all seats.

    Attributes:
        epoch: the epoch that follows.
        without: the seats that are gone.
        keeper: the seat that begins it.
        since: the newest epoch that one of the voters was in.
        base: by voter of that epoch, the end of its log; the keeper needs the longest.
    """

    epoch: int
    without: frozenset[int]
    keeper: int
    since: int
    base: dict[int, LogPosition]

    @property
    def longest(self) -> int:
        """The voter with the longest log; of several, the lowest seat."""
        return min(self.base, key=lambda seat: (-self.base[seat].index, seat))


class Here(NamedTuple):
    """The epoch of a seat, the epoch of its log, and the log's end.

    The epochs differ while a seat is unsynced.
    """

    epoch: int
    since: int
    at: LogPosition


class Votes:
    """The known votes of one seat. They must be on the disk before they are sent.

    Args:
        seat: this handheld's seat; one beyond the seats watches, and has no vote.
        seats: how many seats the table has.
        votes: those in the journal, with the own ones.
        sign: signs an own vote.
        forgot: this seat may have forgotten own votes. It casts no others, and learns its own from
            the others.
    """

    def __init__(
        self,
        seat: int,
        seats: int,
        votes: Iterable[Vote] = (),
        *,
        sign: Callable[[Vote], Vote] = lambda vote: vote,
        forgot: bool = False,
    ) -> None:
        self._forgot = forgot
        self._seat = seat
        self._seats = seats
        self._sign = sign
        self._cast: dict[int, dict[int, Vote]] = {number: {} for number in {*range(seats), seat}}
        for vote in votes:
            self._cast[vote.voter][vote.epoch] = vote
        self.wants: tuple[int, ...] = (0,) * seats
        """By seat, the index of its last WANT: the first entry that it lacks."""
        self._retry = Retry(REPEAT_US, REPEAT_US)
        self._step_us = 0

    @property
    def mine(self) -> tuple[Vote, ...]:
        """All own votes."""
        return tuple(vote for _, vote in sorted(self._cast[self._seat].items()))

    @property
    def all_votes(self) -> tuple[Vote, ...]:
        """All known votes, for the disk."""
        return tuple(vote for cast in self._cast.values() for _, vote in sorted(cast.items()))

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``due``; None when no vote of this seat is open."""
        return self._retry.due_us

    def can_vote(self, epoch: int) -> bool:
        """Return whether this seat has a vote, and the match an epoch left."""
        has_vote = self._seat < self._seats and not self._forgot
        return has_vote and (self._latest(epoch) + 1) % EPOCHS_PER_MATCH != 0

    def vote(self, gone: int, left: int, back: int, here: Here, now_us: int) -> Vote | None:
        """Vote for going on without seat ``gone``, and without those of an own open vote.

        Args:
            gone: the seat.
            left: bits of the seats that have left the match (bit 0: seat 0).
            back: bits of the seats that are heard of; of these only ``gone`` counts as gone.
            here: this seat's epochs and log.
            now_us: the time.

        Return the vote to send; None if the match has no epoch left, or no seat would remain.
        """
        before = self.open_vote(here)
        gone_before = 0 if before is None else before.without & ~back
        without = gone_before | 1 << gone | left | self.left_behind(here.epoch)
        vote = self._vote_for(without, before, here)
        return None if vote is None else self._open(vote, now_us)

    def reconsider(self, left: int, back: int, here: Here, now_us: int) -> Vote | None:
        """Return the vote that replaces the own open one; None if that still stands.

        A vote must not name a seat that is back, and equal voters must be able to join it. If
        nothing is left to vote for, the open vote is not repeated. ``left``, ``back``, ``here``:
        see `vote`.
        """
        mine = self.open_vote(here)
        if mine is None or self.decided(mine.epoch):
            return None
        left |= self.left_behind(here.epoch)
        without = mine.without & ~back | left
        if without == left != mine.without:
            self._retry = self._retry.answered()
            return None
        vote = self._vote_for(without, mine, here)
        waits = without == mine.without and now_us < self._step_us
        return None if vote is None or vote is mine or waits else self._open(vote, now_us)

    def receive(self, vote: Vote, epoch: int) -> bool:
        """Take a signed vote. Return whether it is new and valid.

        A vote for an epoch of another match than that of ``epoch`` is invalid, and so is a keeper
        that is not the lowest remaining seat.
        """
        match = range(first := epoch - epoch % EPOCHS_PER_MATCH, first + EPOCHS_PER_MATCH)
        can_be = (
            vote.epoch in match
            and match.start <= vote.since < vote.epoch
            and 0 < vote.without < 1 << self._seats
            and vote.keeper == self._keeper(vote.without)
        )
        seat = vote.voter
        if not can_be or seat >= self._seats or vote.epoch in self._cast[seat]:
            return False
        if seat == self._seat and not self._forgot:
            return False
        self._cast[seat][vote.epoch] = vote
        return True

    def note_want(self, seat: int, index: int) -> None:
        """Note a WANT: ``index`` is the first entry that ``seat`` lacks."""
        self.wants = (*self.wants[:seat], index, *self.wants[seat + 1 :])

    def open_of_others(self, epoch: int, at: LogPosition) -> tuple[tuple[int, Vote], ...]:
        """Return the newest votes of the other seats for epochs after ``epoch``, by seat.

        Votes for a match that has moved on since are left out.
        """
        casts = ((seat, self._cast[seat]) for seat in self._others if self._cast[seat])
        newest = {seat: cast[max(cast)] for seat, cast in casts}
        return tuple(
            (seat, vote)
            for seat, vote in newest.items()
            if vote.epoch > epoch and self._stands(vote, at)
        )

    def mine_after(self, epoch: int) -> tuple[Vote, ...]:
        """Return the own votes for epochs after ``epoch``; none if some may be forgotten."""
        return tuple(vote for vote in self.mine if vote.epoch > epoch and not self._forgot)

    def behind(self, epoch: int) -> tuple[Vote, ...]:
        """Return the votes that have decided an epoch; none if some may be forgotten."""
        decision = None if self._forgot else self.decided(epoch)
        votes = (cast.get(epoch) for cast in self._cast.values())
        return tuple(v for v in votes if v and decision and v.gone == decision.without)

    def decided(self, epoch: int) -> Decision | None:
        """Return the majority's decision for ``epoch``; None without one."""
        votes = [cast[epoch] for cast in self._cast.values() if epoch in cast]
        ballots = Counter((vote.keeper, vote.without) for vote in votes)
        for (keeper, without), count in ballots.items():
            if 2 * count > self._seats:
                return self._ballot(epoch, keeper, without)
        return None

    def to_begin(self, here: Here) -> Decision | None:
        """Return the newest decision that this seat has to carry out as its keeper; else None.

        There is none once a voter has seen the match move on, nor while the log here is of an older
        epoch than a voter's.
        """
        epoch, at = here.epoch, here.at
        numbers = {number for cast in self._cast.values() for number in cast if number > epoch}
        for number in sorted(numbers, reverse=True):
            decision = self.decided(number)
            if decision is None or decision.keeper != self._seat or decision.since != here.since:
                continue
            longest = decision.base[decision.longest].index
            if at.index <= longest and all(self.wants[seat] <= longest for seat in decision.base):
                return decision
        return None

    def due(self, epoch: int, at: LogPosition, now_us: int) -> Vote | None:
        """Return the own open vote, if it is time to repeat it."""
        if not self._retry.due(now_us):
            return None
        newest = self.mine[-1]
        if newest.epoch <= epoch or not self._stands(newest, at):
            self._retry = self._retry.answered()
            return None
        self._retry = self._retry.sent(now_us)
        return newest

    def resumed(self, epoch: int, now_us: int) -> None:
        """Go on after a restart: an open vote is repeated."""
        if self.mine_after(epoch):
            self._retry = self._retry.sent(now_us)

    @property
    def _others(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self._seats) if seat != self._seat)

    def _latest(self, epoch: int) -> int:
        return max((epoch, *self._cast[self._seat]))

    def _keeper(self, without: int) -> int | None:
        """Return the lowest remaining seat; None for none."""
        left = (seat for seat in range(self._seats) if not without >> seat & 1)
        return next(left, None)

    def open_vote(self, here: Here) -> Vote | None:
        """Return the newest own vote, if its epoch has not begun and the match stands still."""
        mine = self._cast[self._seat].get(latest := self._latest(here.epoch))
        return mine if mine and latest > here.epoch and self._stands(mine, here.at) else None

    def _vote_for(self, without: int, before: Vote | None, here: Here) -> Vote | None:
        """Return the vote without these seats, for an epoch that equal votes can reach.

        ``before``: the own open vote, which may be the same; None for none.
        """
        keeper = self._keeper(without)
        if keeper is None:
            return None
        is_same = before is not None and before.without == without
        epoch = self._latest(here.epoch) + (not is_same)
        newest = (max(self._cast[seat].items(), default=None) for seat in self._others)
        wanted = [one[0] for one in newest if one is not None and one[1].without == without]
        most = self._seats // 2 + 1
        if is_same and len(wanted) + 1 >= most and sorted([epoch, *wanted])[most - 1] > epoch:
            epoch += 1
        if before is not None and (epoch, without) == (before.epoch, before.without):
            return before
        if epoch // EPOCHS_PER_MATCH != here.epoch // EPOCHS_PER_MATCH:
            return None
        return Vote(epoch, without, keeper, here.since, here.at, self._seat)

    def left_behind(self, epoch: int) -> int:
        """Return, as bits, the seats without which earlier epochs of the match began."""
        without = 0
        for number in range(epoch - epoch % EPOCHS_PER_MATCH + 1, epoch + 1):
            decision = self.decided(number)
            for seat in () if decision is None else decision.without:
                without |= 1 << seat
        return without

    def _open(self, vote: Vote, now_us: int) -> Vote:
        if vote.epoch not in self._cast[self._seat]:
            self._cast[self._seat][vote.epoch] = self._sign(vote)
            self._step_us = now_us + STEP_US
        self._retry = self._retry.sent(now_us)
        return self._cast[self._seat][vote.epoch]

    def _stands(self, vote: Vote, at: LogPosition) -> bool:
        ballot = self._ballot(vote.epoch, vote.keeper, vote.without)
        return at.index <= ballot.base[ballot.longest].index

    def _ballot(self, epoch: int, keeper: int, without: int) -> Decision:
        """Return the decision that the known votes for this would make."""
        votes = {
            seat: cast[epoch]
            for seat, cast in self._cast.items()
            if epoch in cast and (cast[epoch].keeper, cast[epoch].without) == (keeper, without)
        }
        since = max(vote.since for vote in votes.values())
        base = {seat: vote.at for seat, vote in votes.items() if vote.since == since}
        gone = frozenset(seat for seat in range(self._seats) if without >> seat & 1)
        return Decision(epoch, gone, keeper, since, base)


def packed_votes(votes: Iterable[Vote]) -> bytes:
    """Return the votes as the journal keeps them: voter, epoch, and the body of the message."""
    return b"".join(_CAST.pack(one.voter, one.epoch) + one.parts().body for one in votes)


def unpacked_votes(data: bytes) -> tuple[Vote, ...]:
    """Return the votes of these bytes. Raises ValueError if ``packed_votes`` never wrote them."""
    if len(data) % _KEPT_BYTES:
        raise ValueError(f"{len(data)} bytes are no votes")
    votes = []
    for at in range(0, len(data), _KEPT_BYTES):
        voter, epoch = _CAST.unpack_from(data, at)
        body = data[at + _CAST.size : at + _KEPT_BYTES]
        votes.append(Vote.of(Parts(MessageKind.VOTE, epoch, voter, body)))
    return tuple(votes)


ASK_AGAIN_US = 2_000_000
"""Least wait between two requests for the votes behind an unknown epoch; chosen."""


class Begins(NamedTuple):
    """The seat here has to begin the decided epoch, and has the log for it."""

    decision: Decision


class Lacks(NamedTuple):
    """The seat here has to begin an epoch, but seat ``voter`` has a longer log."""

    voter: int


class RecordDiffers(NamedTuple):
    """The seat here has to begin an epoch, but its log differs from a voter's."""


class VotedTwice(NamedTuple):
    """Seat ``voter`` has signed another vote for the same epoch than ``other``."""

    voter: int
    other: Vote


class LeftAndBack(NamedTuple):
    """The other seats, as bits (bit 0: seat 0): those that left, and those heard of again."""

    left: int
    back: int


class Epochs:
    """The epoch that a seat is in, and the votes for the next.

    Args:
        votes: the votes that are known here.
        mail: seals and sends; it knows the epoch.
        outbox: takes writes.
    """

    def __init__(self, votes: Votes, mail: Mail, outbox: Outbox) -> None:
        self.votes = votes
        self._mail = mail
        self._outbox = outbox
        self._entered: Decision | None = None
        self._requests = Retry(ASK_AGAIN_US, ASK_AGAIN_US).at(0)

    @property
    def can_vote(self) -> bool:
        """True if this seat has a vote, and the match an epoch left."""
        return self.votes.can_vote(self._mail.epoch)

    def began_with(self, seat: int) -> bool:
        """Return whether this epoch can have begun with the cup at a seat, by the known votes."""
        return self.gone_before(seat, self._mail.epoch) is not None

    def gone_before(self, seat: int, epoch: int) -> frozenset[int] | None:
        """Return the seats without which an epoch began with the cup at ``seat``, or None.

        Return all seats if the decision is unknown here.
        """
        decision = self.votes.decided(epoch)
        if decision is None and epoch == self._mail.epoch:
            decision = self._entered
        if epoch % EPOCHS_PER_MATCH == 0 or (decision and decision.keeper != seat):
            return None
        return decision.without if decision else frozenset(range(self._mail.players))

    def vote_without(self, seat: int, others: LeftAndBack, here: Here, now_us: int) -> None:
        """Vote for going on without a seat, and without the gone seats of the own open vote."""
        if self.can_vote:
            self._cast(self.votes.vote(seat, others.left, others.back, here, now_us))

    def receive(self, vote: Vote) -> bool | VotedTwice:
        """Take a vote, maybe a forwarded one. Return whether it is new and valid."""
        if not self._mail.has_signed(vote.voter, vote.statement, vote.signature):
            return False
        other = self._contradicted(vote)
        if other is not None:
            return VotedTwice(vote.voter, other)
        news = self.votes.receive(vote, self._mail.epoch)
        if news:
            self._write()
        return news

    def forgets(self, vote: Vote) -> bool:
        """Return whether this seat has signed a vote of this match, but does not know it."""
        mine = vote.voter == self._mail.me and self.is_same_match(vote.epoch)
        own = {one.statement for one in self.votes.mine}
        unknown = mine and vote.statement not in own
        return unknown and self._mail.has_signed(vote.voter, vote.statement, vote.signature)

    def newest_of(self, seat: int) -> int:
        """Return the newest epoch that a seat has voted for, by the known votes; 0 for none."""
        return max((vote.epoch for vote in self.votes.all_votes if vote.voter == seat), default=0)

    def reconsider(self, others: LeftAndBack, here: Here, now_us: int) -> None:
        """Vote anew if no majority can agree on the own open vote any more."""
        if self.can_vote:
            self._cast(self.votes.reconsider(others.left, others.back, here, now_us))

    def lacks(self, seat: int, first: int) -> None:
        """Take a WANT of a seat, and send it the votes: it may have to follow."""
        if seat < self._mail.players:
            self.votes.note_want(seat, first)
            self.send_after(self._mail.epoch, seat)

    def send_after(self, epoch: int, seat: int) -> None:
        """Send a seat in ``epoch`` this one's later votes, and those that decided this epoch."""
        decided = self.votes.behind(self._mail.epoch) if epoch < self._mail.epoch else ()
        for vote in dict.fromkeys((*decided, *self.votes.mine_after(epoch))):
            self._mail.send_vote(vote, seat)

    def may_request(self, now_us: int) -> bool:
        """Return whether to ask all seats now; seats that voted for a newer epoch answer."""
        if not self._requests.due(now_us):
            return False
        self._requests = self._requests.sent(now_us)
        return True

    @property
    def left_behind(self) -> frozenset[int]:
        """The seats without which the table went on, by the known votes."""
        without = self.votes.left_behind(self._mail.epoch)
        return frozenset(seat for seat in range(self._mail.players) if without >> seat & 1)

    def here(self, at: LogPosition, *, unsynced: bool) -> Here:
        """Return this seat's epoch, and the epoch of its log, which ends at ``at``.

        The log of an unsynced seat belongs to an earlier epoch; others assume the first.
        """
        epoch = self._mail.epoch
        return Here(epoch, epoch - epoch % EPOCHS_PER_MATCH if unsynced else epoch, at)

    def is_same_match(self, epoch: int) -> bool:
        """Return whether an epoch is one of this match."""
        return epoch // EPOCHS_PER_MATCH == self._mail.epoch // EPOCHS_PER_MATCH

    def to_begin(self, log: PublicLog, here: Here) -> Begins | Lacks | RecordDiffers | None:
        """Return the keeper's next step for the newest decision; None if it is not this seat.

        If all voters are unsynced, nobody knows the beginning of the epoch before. The keeper then
        begins with its own log.
        """
        decision = self.votes.to_begin(here)
        if decision is None:
            return None
        if here.since != here.epoch:
            return Begins(decision)
        longest = decision.base[decision.longest]
        if longest.index > log.signed_at.index:
            return Lacks(decision.longest)
        if log.position(longest.index) != longest:
            return RecordDiffers()
        return Begins(decision)

    def enter(self, decision: Decision) -> None:
        """Enter a new epoch."""
        self._mail.enter(decision.epoch)
        self._entered = decision

    def forget(self) -> None:
        """Forget all votes, as this seat has lost its memory."""
        self.votes = Votes(self._mail.me, self._mail.players, forgot=True)

    def tick(self, at: LogPosition, now_us: int) -> bool:
        """Repeat the own open vote, if it is time. Return whether it was."""
        vote = self.votes.due(self._mail.epoch, at, now_us)
        if vote is not None:
            self._mail.send_vote(vote)
        return vote is not None

    def _cast(self, vote: Vote | None) -> None:
        if vote is not None:
            self._write()
            self._mail.send_vote(vote)

    def _contradicted(self, vote: Vote) -> Vote | None:
        """Return a different vote of the same seat for the same epoch; None for none."""
        if vote.voter == self._mail.me:
            return None
        others = (one for one in self.votes.all_votes if one.statement != vote.statement)
        same = (one for one in others if (one.voter, one.epoch) == (vote.voter, vote.epoch))
        return next(same, None)

    def _write(self) -> None:
        self._outbox.write(Put(VOTES_KEY, packed_votes(self.votes.all_votes)))
