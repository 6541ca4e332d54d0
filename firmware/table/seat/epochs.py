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
from firmware.table.seat.votes import EPOCHS_PER_MATCH, Decision, Votes, packed_votes

ASK_AGAIN_US = 2_000_000
"""What others voted, to begin an epoch that is not known here, is asked this often at most."""


class Begins(NamedTuple):
    """The seat here is to begin the epoch that was decided on, and has the log for it."""

    decision: Decision


class Lacks(NamedTuple):
    """The seat here is to begin an epoch, but seat ``voter`` has a longer record."""

    voter: int


class RecordDiffers(NamedTuple):
    """The seat here is to begin an epoch, but has not the log of seat ``voter``."""

    voter: int


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
        self._keeper: int | None = None
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
        voted = self._mail.epoch % EPOCHS_PER_MATCH != 0
        return voted and self._keeper in (None, seat)

    def open_of_others(self, at: LogPosition) -> tuple[tuple[int, Vote], ...]:
        """The newest open votes of the other seats, by seat."""
        return self.votes.open_of_others(self._mail.epoch, at)

    def start(self, now_us: int) -> None:
        """Go on after a restart."""
        self.votes.resumed(self._mail.epoch, now_us)

    def vote_without(self, seat: int, at_table: tuple[int, ...], at: LogPosition, now: int) -> None:
        """Vote for going on without a seat, and without those that own open votes are for."""
        if self.can_vote:
            self._cast(self.votes.vote(seat, at_table, self._mail.epoch, at, now))

    def receive(self, seat: int, vote: Vote) -> bool:
        """Another seat has voted. Returns whether that is news, and a vote that can be."""
        return self.votes.receive(seat, vote, self._mail.epoch)

    def follow(self, at: LogPosition, now_us: int) -> None:
        """Vote again for the newer of two epochs that seats have open votes for."""
        vote = self.votes.follow(self._mail.epoch, at, now_us) if self.can_vote else None
        if vote is not None:
            self._cast(vote)

    def lacks(self, seat: int, first: int) -> None:
        """A player lacks entries from ``first`` on, and maybe votes: it may have to follow."""
        if seat < self._mail.players:
            self.votes.knows(seat, first)
            self.send_after(self._mail.epoch, seat)

    def send_after(self, epoch: int, seat: int) -> None:
        """Send a seat in ``epoch`` how this one voted since."""
        for vote in self.votes.mine_after(epoch):
            self._mail.send_vote(vote, seat)

    def asks(self, now_us: int) -> bool:
        """Whether to ask everybody now: who voted for a newer epoch answers with its votes."""
        if not self._asked.due(now_us):
            return False
        self._asked = self._asked.sent(now_us)
        return True

    def is_same_match(self, epoch: int) -> bool:
        """Whether an epoch is one of this match."""
        return epoch // EPOCHS_PER_MATCH == self._mail.epoch // EPOCHS_PER_MATCH

    def to_begin(self, log: PublicLog) -> Begins | Lacks | RecordDiffers | None:
        """What this seat is to do as the keeper of the newest decision; None if it is not."""
        decision = self.votes.to_begin(self._mail.epoch, log.at)
        if decision is None:
            return None
        longest = decision.base[decision.longest]
        if longest.index > log.index:
            return Lacks(decision.longest)
        if log.position(longest.index) != longest:
            return RecordDiffers(decision.longest)
        return Begins(decision)

    def enter(self, decision: Decision, at: LogPosition, *, vouches: bool) -> None:
        """Go over to a new epoch.

        Who ``vouches``, and has not voted for it, votes for it now: see `Votes.vouch`.
        """
        if vouches and self.votes.vouch(decision, self._mail.epoch, at):
            self._write()
        self._mail.enter(decision.epoch)
        self._keeper = decision.keeper

    def forget(self) -> None:
        """Whatever this seat has voted for, it does not know any more."""
        self.votes = Votes(self._mail.me, self._mail.players, forgot=True)

    def tick(self, at: LogPosition, now_us: int) -> bool:
        """Send the own open vote again. Returns whether it was time to."""
        vote = self.votes.due(self._mail.epoch, at, now_us)
        if vote is not None:
            self._mail.send_vote(vote)
        return vote is not None

    def _cast(self, vote: Vote) -> None:
        self._write()
        self._mail.send_vote(vote)

    def _write(self) -> None:
        self._outbox.write(Put(VOTES_KEY, packed_votes(self.votes.mine)))
