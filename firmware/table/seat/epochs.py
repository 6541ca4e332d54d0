"""The epochs of one seat: it votes, and follows or carries out decisions."""

from typing import NamedTuple

from firmware.journal.keys import VOTES_KEY
from firmware.journal.writes import Put
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.retry import Retry
from firmware.table.protocol.table_messages import Vote
from firmware.table.seat.mail import Mail
from firmware.table.seat.outbox import Outbox
from firmware.table.seat.votes import EPOCHS_PER_MATCH, Decision, Here, Votes, packed_votes

ASK_AGAIN_US = 2_000_000
"""Least wait between two requests for the votes behind an unknown epoch."""


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


class Around(NamedTuple):
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

    def vote_without(self, seat: int, around: Around, here: Here, now_us: int) -> None:
        """Vote for going on without a seat, and without the gone seats of the own open vote."""
        if self.can_vote:
            self._cast(self.votes.vote(seat, around.left, around.back, here, now_us))

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

    def reconsider(self, around: Around, here: Here, now_us: int) -> None:
        """Vote anew if no majority can agree on the own open vote any more."""
        if self.can_vote:
            self._cast(self.votes.reconsider(around.left, around.back, here, now_us))

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
