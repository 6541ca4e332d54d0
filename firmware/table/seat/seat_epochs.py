"""The way of a seat into a new epoch: it takes votes, and begins or follows a decision."""

from dataclasses import replace

from firmware.table.commitment.charges import Charge
from firmware.table.protocol.log_messages import Want
from firmware.table.protocol.table_messages import Vote
from firmware.table.seat.epochs import Around, Begins, Lacks, RecordDiffers, VotedTwice
from firmware.table.seat.mode import Mode
from firmware.table.seat.returning import ReturningSeat
from firmware.table.seat.votes import Decision, Here
from firmware.table.seat.wishes import Wishes
from game import hides_dice, illegality
from game.actions import Leave, TableAction, VoidRound

BEAT_US = 9_000_000
"""Length of a beat: signs of life differ from beat to beat. Less than GONE_AFTER_US."""


class SeatEpochs(ReturningSeat):
    """The part of a seat that votes. A decision voids a cup on a gone handheld."""

    def go_on_without(self, seat: int, now_us: int) -> None:
        """Vote for going on without ``seat``, and without the cup it may have."""
        if self.mode.may_vote and self._epochs.can_vote:
            self._epochs.vote_without(seat, self._around(now_us), self._here, now_us)
            self._conclude(now_us)

    @property
    def _here(self) -> Here:
        return self._epochs.here(self.log.signed_at, learning=self.learning)

    def _around(self, now_us: int) -> Around:
        seats = range(len(self.match.players))
        back = sum(1 << seat for seat in seats if self._is_back(seat, now_us))
        return Around(sum(1 << seat for seat in self._left), back)

    def _sign_of_life(self, now_us: int) -> Want:
        """Return a WANT with the current beat; a recorded one of an older beat does not count."""
        return replace(self._want, beat=now_us // BEAT_US % Want.BEATS)

    def _show_life(self, seat: int, now_us: int) -> None:
        """Send WANT with the current beat to a seat that voted this one gone, once a beat."""
        sign = self._sign_of_life(now_us)
        if self._shown.get(seat) != sign.beat:
            self._shown[seat] = sign.beat
            self._mail.send(seat, sign)

    def _reconsider(self, now_us: int) -> None:
        if self.mode.may_vote and self.match.to_act is not None:
            self._epochs.reconsider(self._around(now_us), self._here, now_us)

    def _hear_vote(self, sender: int, vote: Vote, now_us: int) -> None:
        if not self.lost and self._epochs.forgets(vote):
            self._forget(now_us)
            return
        match self._epochs.receive(vote):
            case VotedTwice(voter, known) if voter == sender and self._recollections.nonce(voter):
                self._mail.send_vote(known, voter)  # shows the voter that it has lost its memory
                return
            case VotedTwice(voter) if self._asking is None and not self.lost:
                self._accuse(voter, Charge.VOTE)
                return
            case True:
                if vote.voter == sender and self._recollections.nonce(sender):
                    self._mail.send_vote(vote, sender)
            case _:
                return
        self._reconsider(now_us)
        self._ask_for_votes(now_us)
        self._conclude(now_us)

    def _ask_for_votes(self, now_us: int) -> None:
        if self._epochs.asks(now_us):
            self._mail.send_to_all(self._want)

    def _conclude(self, now_us: int) -> None:
        """Begin a decided epoch, if this seat is its keeper and has the longest log."""
        if not self.mode.may_vote:
            return
        match self._epochs.to_begin(self.log, self._here):
            case Lacks(voter):
                self._mail.send(voter, self._want)
            case RecordDiffers():
                self._differ()
            case Begins(decision):
                self._begin_epoch(decision, now_us)
                void: tuple[TableAction, ...] = (VoidRound(),) if hides_dice(self.match) else ()
                for action in (*void, *(Leave(seat) for seat in sorted(decision.without))):
                    if illegality(self.match, action) is None:
                        self._enter(action, None, now_us)
                self._sync.replication.send_all(now_us)
                self.pass_on(now_us)

    def _begin_epoch(self, decision: Decision, now_us: int) -> None:
        """Enter a new epoch: a cup that was here is void."""
        self._epochs.enter(decision)
        keeps = decision.keeper == self.seat and not self.lost
        self._custody.begin(now_us, self.fair.secrets, holds=keeps)
        self._wishes = Wishes(self.seat, decision.epoch, self._mail.sign)
        self.log.drop_open()
        self._sync.begin(learning=not keeps)
        self._inbox.begin(now_us)
        self._prepare(now_us)
        self._rejoin(now_us)
        if self._asking is not None:
            self._begin_asking(now_us)  # the answers count only in the epoch before
            self._ask_again(now_us)
        elif self.mode is Mode.LEARNING:
            self._mail.send(decision.keeper, self._want)
