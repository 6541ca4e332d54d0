"""How a seat comes into a new epoch: it hears votes, and begins or follows what was decided."""

from dataclasses import replace

from firmware.journal.keys import WISHES_KEY
from firmware.journal.writes import Put
from firmware.table.commitment.charges import Charge
from firmware.table.protocol.log_messages import Want
from firmware.table.protocol.table_messages import Vote, Wish, WishKind
from firmware.table.seat.epochs import Around, Begins, Lacks, RecordDiffers, VotedTwice
from firmware.table.seat.mode import Mode
from firmware.table.seat.position import at_table
from firmware.table.seat.queries import GONE_AFTER_US
from firmware.table.seat.returning import ReturningSeat
from firmware.table.seat.votes import Decision, Here
from firmware.table.seat.wishes import WishAction, Wishes
from game import AnyMatch, hides_dice, illegality
from game.actions import Action, Fault, FaultKind, Leave, TableAction, VoidRound
from game.status import AWAY

BEAT_US = 9_000_000
"""A sign of life is another one after so long; less than GONE_AFTER_US."""


class SeatEpochs(ReturningSeat):
    """What becomes of votes. A cup on a handheld that is gone for good is void by them."""

    def go_on_without(self, seat: int, now_us: int) -> None:
        """The player here is for going on without ``seat``, and without the cup it may have."""
        if self.mode.may_vote and self._epochs.can_vote:
            self._epochs.vote_without(seat, self._around(now_us), self._here, now_us)
            self._conclude(now_us)

    @property
    def _here(self) -> Here:
        return self._epochs.here(self.log.at, learning=self.learning)

    def _around(self, now_us: int) -> Around:
        seats = range(len(self.match.players))
        back = sum(1 << seat for seat in seats if self._is_back(seat, now_us))
        return Around(sum(1 << seat for seat in self._left), back)

    def _sign_of_life(self, now_us: int) -> Want:
        """What nobody can send for this seat: one that was recorded counts no more."""
        return replace(self._want, beat=now_us // BEAT_US % Want.BEATS)

    def _show_life(self, seat: int, now_us: int) -> None:
        """Show a seat that takes this one for gone that it is there, once until the next sign."""
        sign = self._sign_of_life(now_us)
        if self._shown.get(seat) != sign.beat:
            self._shown[seat] = sign.beat
            self._mail.send(seat, sign)

    def _said(self, first: int) -> tuple[Wish, ...]:
        """What the player here wished for, to be told who lacks entries from ``first`` on.

        Who has lost his memory wishes to leave. Who lacks nothing that is known here may be asking
        on behalf of an entry that says what became of the wish, which is not known here either.
        """
        leave = (Wish(self.match.round, WishKind.LEAVE),) if self.lost else ()
        said = (*self._wishes.said, *leave)
        if first >= self.log.index and self.seat not in at_table(self.match):
            return ()
        return tuple(w for w in said if first < self.log.index or w.wished is WishKind.LEAVE)

    def _reconsider(self, now_us: int) -> None:
        if self.mode.may_vote and self.match.to_act is not None:
            self._epochs.reconsider(self._around(now_us), self._here, now_us)

    def _hear_vote(self, vote: Vote, now_us: int) -> None:
        match self._epochs.receive(vote):
            case VotedTwice(voter) if self._asking is None and not self.lost:
                self._accuse(voter, Charge.VOTE)
                return
            case True:
                pass
            case _:
                return
        self._reconsider(now_us)
        self._ask_for_votes(now_us)
        self._conclude(now_us)

    def _ask_for_votes(self, now_us: int) -> None:
        if self._epochs.asks(now_us):
            self._mail.send_to_all(self._want)

    def _conclude(self, now_us: int) -> None:
        """Begin a new epoch, if this seat is to and has the longest log of its voters."""
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

    def _believes(
        self, teller: int, now_us: int, match: AnyMatch, holders: frozenset[int], action: Action
    ) -> bool:
        """Whether an entry is believed from who tells it: he has made it himself.

        Somebody else tells for those alone who cannot: who was voted gone, wishes to leave, or was
        not heard of for 20 s. What takes others' wishes takes their own word for it, or his for
        those. What an epoch began with is its keeper's to tell; without a memory all is believed.
        """
        if self.mode not in (Mode.PLAYING, Mode.LEARNING):
            return True
        if self.mode is Mode.LEARNING and self._tells_beginning(teller, now_us):
            return True
        cannot = self._cannot_tell(match, now_us)
        makers: frozenset[int | None] = frozenset({match.to_act})
        if isinstance(action, TableAction):
            makers = holders | ({teller} if self._epochs.began_with(teller) else set())
            makers -= {self.seat}  # who would know
        if teller not in makers and not (makers and makers <= cannot):
            return False
        mishandled = isinstance(action, Fault) and action.kind is not FaultKind.OTHER
        if mishandled or not isinstance(action, WishAction):
            return True
        return self._wishes.bears_out(action, cannot | {teller}, match)

    def _cannot_tell(self, match: AnyMatch, now_us: int) -> frozenset[int]:
        """The seats for which others may tell, by the log up to ``match``."""
        return self._epochs.left_behind | {
            seat
            for seat, status in enumerate(match.status)
            if (seat, Leave(seat)) in self.wishes
            or (seat != self.seat and status in AWAY)
            or (seat != self.seat and self._inbox.unheard_us(seat, now_us) > GONE_AFTER_US)
        }

    def _tells_beginning(self, teller: int, now_us: int) -> bool:
        """Whether what this epoch began with is believed from a seat: its keeper, or for him."""
        tellers = self._cannot_tell(self.match, now_us) | {teller}
        return self.mode is not Mode.LEARNING or any(map(self._epochs.began_with, tellers))

    def _begin_epoch(self, decision: Decision, now_us: int) -> None:
        """Go over to a new epoch: whatever cup was here is void."""
        self._epochs.enter(decision)
        keeps = decision.keeper == self.seat and not self.lost
        self._custody.begin(now_us, self.fair.secrets, holds=keeps)
        self._wishes = Wishes(self.seat)
        self._outbox.write(Put(WISHES_KEY, b""))
        self._sync.begin(learning=not keeps)
        self._inbox.begin(now_us)
        self._prepare(now_us)
        self._rejoin(now_us)
        if self._asking is not None:
            self._begin_asking(now_us)  # what was answered counts in the epoch before
            self._ask_again(now_us)
        elif self.mode is Mode.LEARNING:
            self._mail.send(decision.keeper, self._want)
