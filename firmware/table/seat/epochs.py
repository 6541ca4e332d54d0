"""How a seat comes from epoch to epoch: it votes, and follows or carries out what was voted."""

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
"""What others voted, to begin an epoch that is not known here, is asked this often at most."""


class Begins(NamedTuple):
    """The seat here is to begin the epoch that was decided on, and has the log for it."""

    decision: Decision


class Lacks(NamedTuple):
    """The seat here is to begin an epoch, but seat ``voter`` has a longer record."""

    voter: int


class RecordDiffers(NamedTuple):
    """The seat here is to begin an epoch, but has not the log of a voter."""


class VotedTwice(NamedTuple):
    """Seat ``voter`` has signed another vote for the same epoch than ``known``."""

    voter: int
    known: Vote


class Around(NamedTuple):
    """The other seats, as bits (bit 0: seat 0): who has left, and who is heard of."""

    left: int
    back: int


class Epochs:
    """The epoch that a seat is in, and the votes for the next.

    Args:
        votes: those that are known here.
        mail: seals and sends; it knows the epoch.
        outbox: where writes go.
    """

    def __init__(self, votes: Votes, mail: Mail, outbox: Outbox) -> None:
        self.votes = votes
        self._mail = mail
        self._outbox = outbox
        self._entered: Decision | None = None
        self._asked = Retry(ASK_AGAIN_US, ASK_AGAIN_US).at(0)

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None when no vote of this seat is open."""
        return self.votes.next_timer_us

    @property
    def can_vote(self) -> bool:
        """Whether this seat has a vote, and the match an epoch left that it can vote for."""
        return self.votes.can_vote(self._mail.epoch)

    def began_with(self, seat: int) -> bool:
        """Whether this epoch can have begun with the cup at a seat, as far as is known here."""
        return self.gone_before(seat, self._mail.epoch) is not None

    def gone_before(self, seat: int, epoch: int) -> frozenset[int] | None:
        """The seats without which an epoch began with the cup at ``seat``; None if it did not.

        All of them where it is not known here who decided on it.
        """
        decision = self.votes.decided(epoch)
        if decision is None and epoch == self._mail.epoch:
            decision = self._entered
        if epoch % EPOCHS_PER_MATCH == 0 or (decision and decision.keeper != seat):
            return None
        return decision.without if decision else frozenset(range(self._mail.players))

    def open_of_others(self, at: LogPosition) -> tuple[tuple[int, Vote], ...]:
        """The newest open votes of the other seats, by seat."""
        return self.votes.open_of_others(self._mail.epoch, at)

    def start(self, now_us: int) -> None:
        """Go on after a restart."""
        self.votes.resumed(self._mail.epoch, now_us)

    def vote_without(self, seat: int, around: Around, here: Here, now_us: int) -> None:
        """Vote for going on without a seat, and without those that the own open vote is for."""
        if self.can_vote:
            self._cast(self.votes.vote(seat, around.left, around.back, here, now_us))

    def receive(self, vote: Vote) -> bool | VotedTwice:
        """A vote came, maybe passed on. Returns whether it is news, and a vote that can be."""
        if not self._mail.has_signed(vote.voter, vote.statement, vote.signature):
            return False
        known = self._contradicted(vote)
        if known is not None:
            return VotedTwice(vote.voter, known)
        news = self.votes.receive(vote, self._mail.epoch)
        if news:
            self._write()
        return news

    def forgets(self, vote: Vote) -> bool:
        """Whether this seat has signed a vote of this match, and does not know it."""
        mine = vote.voter == self._mail.me and self.is_same_match(vote.epoch)
        known = {one.statement for one in self.votes.mine}
        unknown = mine and vote.statement not in known
        return unknown and self._mail.has_signed(vote.voter, vote.statement, vote.signature)

    def newest_of(self, seat: int) -> int:
        """The newest epoch that a seat has voted for, as far as is known here; 0 for none."""
        return max((vote.epoch for vote in self.votes.known if vote.voter == seat), default=0)

    def reconsider(self, around: Around, here: Here, now_us: int) -> None:
        """Vote anew where the own open vote is not what can be agreed on any more."""
        if self.can_vote:
            self._cast(self.votes.reconsider(around.left, around.back, here, now_us))

    def lacks(self, seat: int, first: int) -> None:
        """A player lacks entries from ``first`` on, and maybe votes: it may have to follow."""
        if seat < self._mail.players:
            self.votes.knows(seat, first)
            self.send_after(self._mail.epoch, seat)

    def send_after(self, epoch: int, seat: int) -> None:
        """Send a seat in ``epoch`` how this one voted since, and what decided on this epoch."""
        decided = self.votes.behind(self._mail.epoch) if epoch < self._mail.epoch else ()
        for vote in dict.fromkeys((*decided, *self.votes.mine_after(epoch))):
            self._mail.send_vote(vote, seat)

    def asks(self, now_us: int) -> bool:
        """Whether to ask everybody now: who voted for a newer epoch answers with its votes."""
        if not self._asked.due(now_us):
            return False
        self._asked = self._asked.sent(now_us)
        return True

    @property
    def left_behind(self) -> frozenset[int]:
        """The seats that the table went on without, as far as is known here."""
        without = self.votes.left_behind(self._mail.epoch)
        return frozenset(seat for seat in range(self._mail.players) if without >> seat & 1)

    def here(self, at: LogPosition, *, learning: bool) -> Here:
        """Where this seat stands, with a log that ends at ``at``.

        That of who learns belongs to some epoch before: as far as others go by it, to the first.
        """
        epoch = self._mail.epoch
        return Here(epoch, epoch - epoch % EPOCHS_PER_MATCH if learning else epoch, at)

    def is_same_match(self, epoch: int) -> bool:
        """Whether an epoch is one of this match."""
        return epoch // EPOCHS_PER_MATCH == self._mail.epoch // EPOCHS_PER_MATCH

    def to_begin(self, log: PublicLog, here: Here) -> Begins | Lacks | RecordDiffers | None:
        """What this seat is to do as the keeper of the newest decision; None if it is not.

        Where nobody has learned what the epoch before began with, nobody can tell: there it begins
        with the log that it has.
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
        """Go over to a new epoch."""
        self._mail.enter(decision.epoch)
        self._entered = decision

    def forget(self) -> None:
        """Whatever this seat has voted for, it does not know any more."""
        self.votes = Votes(self._mail.me, self._mail.players, forgot=True)

    def tick(self, at: LogPosition, now_us: int) -> bool:
        """Send the own open vote again. Returns whether it was time to."""
        vote = self.votes.due(self._mail.epoch, at, now_us)
        if vote is not None:
            self._mail.send_vote(vote)
        return vote is not None

    def _cast(self, vote: Vote | None) -> None:
        if vote is not None:
            self._write()
            self._mail.send_vote(vote)

    def _contradicted(self, vote: Vote) -> Vote | None:
        """The other vote that another seat has signed for the same epoch; None for none."""
        if vote.voter == self._mail.me:
            return None
        said = (one for one in self.votes.known if one.statement != vote.statement)
        same = (one for one in said if (one.voter, one.epoch) == (vote.voter, vote.epoch))
        return next(same, None)

    def _write(self) -> None:
        self._outbox.write(Put(VOTES_KEY, packed_votes(self.votes.known)))
