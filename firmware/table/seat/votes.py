"""Votes for a new epoch: how a table goes on when the cup is on a handheld that is gone for good.

`GONE_AFTER_US` of ``messages`` is how long a handheld is silent until the others may vote.

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

from firmware.table.log.entries import EPOCHS_PER_MATCH as EPOCHS_PER_MATCH
from firmware.table.protocol import LogPosition, MessageKind, Parts, Retry
from firmware.table.protocol.messages import VOTE_BYTES, Vote

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
        gone: the seats that are gone.
        keeper: the seat that begins it.
        since: the newest epoch that one of the voters was in.
        base: by voter of that epoch, the end of its log; the keeper needs the longest.
    """

    epoch: int
    gone: frozenset[int]
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

    def vote(
        self, seat: int, left: frozenset[int], back: frozenset[int], here: Here, now_us: int
    ) -> Vote | None:
        """Vote for going on without a seat, and without those of an own open vote.

        Args:
            seat: the seat.
            left: the seats that have left the match.
            back: the seats that are heard of; of these only ``seat`` counts as gone.
            here: this seat's epochs and log.
            now_us: the time.

        Return the vote to send; None if the match has no epoch left, or no seat would remain.
        """
        before = self.open_vote(here)
        gone = {seat} | left | self.left_behind(here.epoch)
        if before is not None:
            gone |= before.gone - back
        vote = self._vote_for(frozenset(gone), before, here)
        return None if vote is None else self._open(vote, now_us)

    def reconsider(
        self, left: frozenset[int], back: frozenset[int], here: Here, now_us: int
    ) -> Vote | None:
        """Return the vote that replaces the own open one; None if that still stands.

        A vote must not name a seat that is back, and equal voters must be able to join it. If
        nothing is left to vote for, the open vote is not repeated. ``left``, ``back``, ``here``:
        see `vote`.
        """
        mine = self.open_vote(here)
        if mine is None or self.decided(mine.epoch):
            return None
        left |= self.left_behind(here.epoch)
        gone = (mine.gone - back) | left
        if gone == left != mine.gone:
            self._retry = self._retry.answered()
            return None
        vote = self._vote_for(gone, mine, here)
        waits = gone == mine.gone and now_us < self._step_us
        return None if vote is None or vote is mine or waits else self._open(vote, now_us)

    def contradicted(self, vote: Vote) -> Vote | None:
        """Return another seat's different vote for the same epoch; None for none."""
        known = self._cast.get(vote.voter, {}).get(vote.epoch)
        is_other = known is not None and known.statement != vote.statement
        return known if is_other and vote.voter != self._seat else None

    def receive(self, vote: Vote, epoch: int) -> bool:
        """Take a signed vote. Return whether it is new and valid.

        A vote for an epoch of another match than that of ``epoch`` is invalid, and so is a keeper
        that is not the lowest remaining seat.
        """
        match = range(first := epoch - epoch % EPOCHS_PER_MATCH, first + EPOCHS_PER_MATCH)
        can_be = (
            vote.epoch in match
            and match.start <= vote.since < vote.epoch
            and frozenset() < vote.gone <= frozenset(range(self._seats))
            and vote.keeper == self._keeper(vote.gone)
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
        return tuple(v for v in votes if v and decision and v.gone == decision.gone)

    def decided(self, epoch: int) -> Decision | None:
        """Return the majority's decision for ``epoch``; None without one."""
        votes = [cast[epoch] for cast in self._cast.values() if epoch in cast]
        ballots = Counter((vote.keeper, vote.gone) for vote in votes)
        for (keeper, gone), count in ballots.items():
            if 2 * count > self._seats:
                return self._ballot(epoch, keeper, gone)
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

    def _keeper(self, gone: frozenset[int]) -> int | None:
        """Return the lowest remaining seat; None for none."""
        return min(frozenset(range(self._seats)) - gone, default=None)

    def open_vote(self, here: Here) -> Vote | None:
        """Return the newest own vote, if its epoch has not begun and the match stands still."""
        mine = self._cast[self._seat].get(latest := self._latest(here.epoch))
        return mine if mine and latest > here.epoch and self._stands(mine, here.at) else None

    def _vote_for(self, gone: frozenset[int], before: Vote | None, here: Here) -> Vote | None:
        """Return the vote without these seats, for an epoch that equal votes can reach.

        ``before``: the own open vote, which may be the same; None for none.
        """
        keeper = self._keeper(gone)
        if keeper is None:
            return None
        is_same = before is not None and before.gone == gone
        epoch = self._latest(here.epoch) + (not is_same)
        newest = (max(self._cast[seat].items(), default=None) for seat in self._others)
        wanted = [one[0] for one in newest if one is not None and one[1].gone == gone]
        most = self._seats // 2 + 1
        if is_same and len(wanted) + 1 >= most and sorted([epoch, *wanted])[most - 1] > epoch:
            epoch += 1
        if before is not None and (epoch, gone) == (before.epoch, before.gone):
            return before
        if epoch // EPOCHS_PER_MATCH != here.epoch // EPOCHS_PER_MATCH:
            return None
        return Vote(epoch, gone, keeper, here.since, here.at, self._seat)

    def left_behind(self, epoch: int) -> frozenset[int]:
        """Return the seats without which earlier epochs of the match began."""
        decisions = map(self.decided, range(epoch - epoch % EPOCHS_PER_MATCH + 1, epoch + 1))
        return frozenset().union(*(each.gone for each in decisions if each is not None))

    def newest_of(self, seat: int) -> int:
        """Return the newest epoch that a seat has voted for, by the known votes; 0 for none."""
        return max(self._cast.get(seat, ()), default=0)

    def _open(self, vote: Vote, now_us: int) -> Vote:
        if vote.epoch not in self._cast[self._seat]:
            self._cast[self._seat][vote.epoch] = self._sign(vote)
            self._step_us = now_us + STEP_US
        self._retry = self._retry.sent(now_us)
        return self._cast[self._seat][vote.epoch]

    def _stands(self, vote: Vote, at: LogPosition) -> bool:
        ballot = self._ballot(vote.epoch, vote.keeper, vote.gone)
        return at.index <= ballot.base[ballot.longest].index

    def _ballot(self, epoch: int, keeper: int, gone: frozenset[int]) -> Decision:
        """Return the decision that the known votes for this would make."""
        votes = {
            seat: cast[epoch]
            for seat, cast in self._cast.items()
            if epoch in cast and (cast[epoch].keeper, cast[epoch].gone) == (keeper, gone)
        }
        since = max(vote.since for vote in votes.values())
        base = {seat: vote.at for seat, vote in votes.items() if vote.since == since}
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
