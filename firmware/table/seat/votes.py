"""Votes for a new epoch: how a table goes on when the cup is on a handheld that is gone for good.

Nobody can know whether such a cup still exists, so it is not fetched back: it is declared void, and
a new one begins a new epoch. More than half of all seats must have voted for that; the gone one is
counted among them. A vote names the epoch, the seats that are gone, and the *keeper*: the seat
that begins the epoch with an empty cup in hand.

There is one cup per epoch because a seat votes once for an epoch, has the vote on the disk before
it is said, and two majorities of the same seats always share one. The keeper alone begins, with a
log as new as any of those who voted with him: of their newest epoch, and as long as the longest
there. The others follow when they know of a majority themselves and hear of somebody in the new
epoch. A handheld that comes back with the old cup is told the votes, and voids it.

A vote is for the match as it stands: once the log has grown beyond all those of its ballot, the
cup was not lost, and the vote counts no longer for who would begin.
"""

import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.retry import Retry
from firmware.table.protocol.sizes import DIGEST_BYTES
from firmware.table.protocol.table_messages import Vote

REPEAT_US = 3_000_000
"""A vote is said again this often until its epoch has begun, or the match has moved on."""


EPOCHS_PER_MATCH = 16
"""A match takes up this many epochs of its table: a table can go on anew 15 times in one match."""
_VOTE = struct.Struct(f">HBBHH{DIGEST_BYTES}s")


class Decision(NamedTuple):
    """What more than half of all seats have voted for.

    Attributes:
        epoch: the epoch that follows.
        without: the seats that are gone.
        keeper: the seat that begins it.
        since: the newest epoch that one of the voters was in.
        base: by voter who was in that one, where his log ended; the keeper needs the longest.
    """

    epoch: int
    without: frozenset[int]
    keeper: int
    since: int
    base: dict[int, LogPosition]

    @property
    def longest(self) -> int:
        """The voter whose log is the longest; of several, the lowest seat."""
        return min(self.base, key=lambda seat: (-self.base[seat].index, seat))


class Votes:
    """The votes that are known at one seat. Own ones must be on the disk before they are sent.

    Args:
        seat: this handheld's seat; one beyond the seats watches, and has no vote.
        seats: how many seats the table has.
        mine: the own votes that the journal has.
        forgot: this seat may have cast votes that it does not know any more. It casts no others,
            and takes its own for one of whatever others have voted for.
    """

    def __init__(
        self, seat: int, seats: int, mine: Iterable[Vote] = (), *, forgot: bool = False
    ) -> None:
        self._forgot = forgot
        self._seat = seat
        self._seats = seats
        self._cast: dict[int, dict[int, Vote]] = {number: {} for number in range(seats)}
        self._cast[seat] = {vote.epoch: vote for vote in mine}
        self._knows = [0] * seats
        self._retry = Retry(REPEAT_US, REPEAT_US)

    @property
    def mine(self) -> tuple[Vote, ...]:
        """All own votes, for the disk."""
        return tuple(vote for _, vote in sorted(self._cast[self._seat].items()))

    @property
    def next_timer_us(self) -> int | None:
        """When ``due`` wants to be asked; None when no vote of this seat is open."""
        return self._retry.due_us

    def can_vote(self, epoch: int) -> bool:
        """Whether this seat has a vote, and the match an epoch left that it can vote for."""
        has_vote = self._seat < self._seats and not self._forgot
        return has_vote and (self._latest(epoch) + 1) % EPOCHS_PER_MATCH != 0

    def vote(
        self, gone: int, playing: Iterable[int], epoch: int, at: LogPosition, now_us: int
    ) -> Vote:
        """Vote for going on without seat ``gone``, now in ``epoch``. Returns the vote to be told.

        It joins another seat's open vote for the same; else it is for the next epoch that this seat
        has not voted for, also without those that an open vote of its own is for.
        """
        latest = self._latest(epoch)
        before = self._cast[self._seat].get(latest)
        gone_before = before.without if before is not None and self._stands(before, at) else 0
        without = gone_before | 1 << gone | self._left_behind(epoch)
        if before is not None and without == gone_before:
            return self._open(before, now_us)
        joined = self._newer(latest, without, at)
        if joined is not None:
            return self._open(replace(joined, since=epoch, at=at), now_us)
        there = [seat for seat in playing if not without >> seat & 1]
        keeper = min(there, default=self._seat)
        return self._open(Vote(latest + 1, without, keeper, epoch, at), now_us)

    def receive(self, seat: int, vote: Vote, epoch: int) -> bool:
        """Another seat has voted. Returns whether that is news, and a vote that can be.

        One for an epoch that is not of the match of ``epoch``, or that a seat should begin which is
        gone or none, counts for nothing.
        """
        match = range(first := epoch - epoch % EPOCHS_PER_MATCH, first + EPOCHS_PER_MATCH)
        can_be = (
            vote.epoch in match
            and match.start <= vote.since < vote.epoch
            and 0 < vote.without < 1 << self._seats
            and vote.keeper < self._seats
            and not vote.without >> vote.keeper & 1
        )
        if not can_be or seat == self._seat or vote.epoch in self._cast[seat]:
            return False
        self._cast[seat][vote.epoch] = vote
        return True

    def follow(self, epoch: int, at: LogPosition, now_us: int) -> Vote | None:
        """The vote to be told with which this seat follows another's newer one for the same.

        Seats that voted for different epochs would wait for each other for ever. None where there
        is nothing to follow: no open vote here, or one that more than half have voted for.
        """
        latest = self._latest(epoch)
        mine = self._cast[self._seat].get(latest)
        if mine is None or latest <= epoch or not self._stands(mine, at) or self.decided(latest):
            return None
        newer = self._newer(latest, mine.without, at)
        return None if newer is None else self._open(replace(newer, since=epoch, at=at), now_us)

    def vouch(self, decision: Decision, epoch: int, at: LogPosition) -> bool:
        """Vote for what this seat follows, if it has not voted; returns whether it has done so now.

        Nobody can pass on another's vote. So whoever knows of a majority says it himself, to who
        missed it.
        """
        if not self.can_vote(epoch) or decision.epoch in self._cast[self._seat]:
            return False
        without = sum(1 << seat for seat in decision.without)
        vote = Vote(decision.epoch, without, decision.keeper, epoch, at)
        self._cast[self._seat][decision.epoch] = vote
        return True

    def knows(self, seat: int, index: int) -> None:
        """Seat ``seat`` has said that ``index`` is the first entry it lacks."""
        self._knows[seat] = index

    def open_of_others(self, epoch: int, at: LogPosition) -> tuple[tuple[int, Vote], ...]:
        """The newest votes of the other seats for epochs after ``epoch``, by seat.

        Those that were cast for a match that has moved on since are not among them.
        """
        casts = ((seat, self._cast[seat]) for seat in self._others if self._cast[seat])
        newest = {seat: cast[max(cast)] for seat, cast in casts}
        return tuple(
            (seat, vote)
            for seat, vote in newest.items()
            if vote.epoch > epoch and self._stands(vote, at)
        )

    def mine_after(self, epoch: int) -> tuple[Vote, ...]:
        """The own votes for epochs after ``epoch``."""
        return tuple(vote for vote in self.mine if vote.epoch > epoch)

    def decided(self, epoch: int) -> Decision | None:
        """What a majority has voted for as epoch ``epoch``; None without one."""
        votes = [cast[epoch] for cast in self._cast.values() if epoch in cast]
        ballots = Counter((vote.keeper, vote.without) for vote in votes)
        for (keeper, without), count in ballots.items():
            if 2 * (count + self._forgot) > self._seats:
                return self._ballot(epoch, keeper, without)
        return None

    def to_begin(self, epoch: int, at: LogPosition) -> Decision | None:
        """The newest decision after ``epoch`` that this seat is to carry out as its keeper, if any.

        ``at`` is where the log ends here. There is none once a voter has seen the match move on,
        nor while this seat is in an older epoch than a voter.
        """
        numbers = {number for cast in self._cast.values() for number in cast if number > epoch}
        for number in sorted(numbers, reverse=True):
            decision = self.decided(number)
            if decision is None or decision.keeper != self._seat or decision.since != epoch:
                continue
            longest = decision.base[decision.longest].index
            if at.index <= longest and all(self._knows[seat] <= longest for seat in decision.base):
                return decision
        return None

    def due(self, epoch: int, at: LogPosition, now_us: int) -> Vote | None:
        """The own open vote, if it is time to say it again."""
        if not self._retry.due(now_us):
            return None
        newest = self.mine[-1]
        if newest.epoch <= epoch or not self._stands(newest, at):
            self._retry = self._retry.answered()
            return None
        self._retry = self._retry.sent(now_us)
        return newest

    def resumed(self, epoch: int, now_us: int) -> None:
        """Go on after a restart: an open vote is said again."""
        if self.mine_after(epoch):
            self._retry = self._retry.sent(now_us)

    @property
    def _others(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self._seats) if seat != self._seat)

    def _latest(self, epoch: int) -> int:
        return max((epoch, *self._cast[self._seat]))

    def _newer(self, latest: int, without: int, at: LogPosition) -> Vote | None:
        """The newest open vote of another seat for an epoch after ``latest`` and the same seats."""
        others = (vote for seat in self._others for vote in self._cast[seat].values())
        return max(
            (
                vote
                for vote in others
                if vote.epoch > latest and vote.without == without and self._stands(vote, at)
            ),
            key=lambda vote: vote.epoch,
            default=None,
        )

    def _left_behind(self, epoch: int) -> int:
        """The seats that the table went on without before: a seat that missed it names them too."""
        without = 0
        for number in range(epoch - epoch % EPOCHS_PER_MATCH + 1, epoch + 1):
            decision = self.decided(number)
            for seat in () if decision is None else decision.without:
                without |= 1 << seat
        return without

    def _open(self, vote: Vote, now_us: int) -> Vote:
        self._cast[self._seat].setdefault(vote.epoch, vote)
        self._retry = self._retry.sent(now_us)
        return vote

    def _stands(self, vote: Vote, at: LogPosition) -> bool:
        ballot = self._ballot(vote.epoch, vote.keeper, vote.without)
        return at.index <= ballot.base[ballot.longest].index

    def _ballot(self, epoch: int, keeper: int, without: int) -> Decision:
        """What would be decided with the votes for this that are known."""
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
    """The votes as the journal keeps them, 16 bytes each."""
    return b"".join(
        _VOTE.pack(vote.epoch, vote.without, vote.keeper, vote.since, vote.at.index, vote.at.digest)
        for vote in votes
    )


def unpacked_votes(data: bytes) -> tuple[Vote, ...]:
    """The inverse of ``packed_votes``. Raises ValueError for what it never wrote."""
    if len(data) % _VOTE.size:
        raise ValueError(f"{len(data)} bytes are no votes")
    return tuple(
        Vote(epoch, without, keeper, since, LogPosition(index, digest))
        for epoch, without, keeper, since, index, digest in _VOTE.iter_unpack(data)
    )
