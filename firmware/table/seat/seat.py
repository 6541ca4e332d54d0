"""One seat's share of the table: its log, its cup, its dice, its votes and its wishes.

Whatever the player does becomes an entry of the log; whoever must act next gets the cup
(``firmware.table.seat.turn``). Here is what others and time bring about.

The parts of a seat each know one thing: the log and what the others know of it (`LogSync`), the
cup's way (`CupCustody`), the dice (`FairThrows`), new epochs (`Epochs`), what players wish for
(`Wishes`). They return facts and know nothing of each other; `SeatTurn`, `ReturningSeat`,
`SeatEpochs` and `Seat` alone react to facts. What they decide in one call is one transaction, and
no frame leaves before what it depends on is on the disk
(`Outbox`).

What does not wait for the seat that is to act (a fault, or a wish that is granted) is entered by
whoever has the cup, at once. A cup that is proposed by then is withdrawn first, in the same
transaction, and proposed again under a new hop: an answer on its way is worth nothing any more, and
who gave it is asked again, if it is still his turn. A cup that was given away is not called back.

A cup on a handheld that is gone for good is declared void by a vote, and a new epoch begins with an
empty one (``firmware.table.seat.votes``): a new seal, a new cup, and a log that goes on.
"""

from functools import partial

from firmware.effects.effects import SendToSeat, Store
from firmware.table.commitment.charges import Charge
from firmware.table.handover.cup import Where
from firmware.table.log.entries import Wished
from firmware.table.protocol.codec import Message
from firmware.table.protocol.cup_messages import Propose
from firmware.table.protocol.dice_messages import Caught, Fresh, Share
from firmware.table.protocol.header import kind_of
from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.log_messages import Log, Recall, Want
from firmware.table.protocol.table_messages import Question, Vote, Wish
from firmware.table.seat.accusation import Accusation
from firmware.table.seat.inbox import Arrived, FromEpoch, ToldToAll
from firmware.table.seat.mode import Mode
from firmware.table.seat.position import Position, at_table
from firmware.table.seat.recall import question_in
from firmware.table.seat.seat_log import SeatLog
from firmware.table.seat.trouble import StoreFailed
from firmware.table.seat.wishes import WishAction
from game import AnyStep, Phase, illegality
from game.actions import (
    Action,
    Fault,
    FaultKind,
)

TOLD = (MessageKind.LOG, MessageKind.PROPOSE)
"""What only they send who have all that their epoch began with."""
HOPS_PER_ENTRY = 64
"""Hops that a cup makes at most for an entry of the log, which an honest giver never reaches: each
one is answered with an entry, or withdrawn for one, unless its taker refuses it again and again."""


class Seat(SeatLog):
    """One handheld's share in the log and the cup: see `SeatQueries` for what it is made of."""

    # What the player wishes for

    def request(self, action: Fault, now_us: int) -> None:
        """Enter a fault of the player here, if the cup still is: one on offer is taken back first.

        A cup that has been given away by now knows no fault of this player any more.
        """
        free = self.trouble is None and self.holding
        if free and illegality(self.match, action) is None:
            self._interrupt(action, now_us)

    def wish(self, action: WishAction, now_us: int) -> None:
        """The player of this seat wishes for something. Who has the cup enters it."""
        if self.trouble is None:
            self._mail.send_to_all(self._wishes.wish(action, self.match.round, now_us))
            self._grant(now_us)

    def ask(self, kind: FaultKind | None) -> None:
        """Tell the others, once, what the player here is asked; None: he has answered."""
        if self.trouble is None:
            self._mail.send_to_all(self._wishes.ask(kind, self.match.round))

    # What others and time do

    def start(self, now_us: int) -> None:
        """Go on from what the journal had, if need be once the others have said what they know."""
        self._inbox.begin(now_us)
        self._begin_asking(now_us)
        if self._asking is None:
            self._go_on(now_us)
        else:
            self._ask_again(now_us)

    def _go_on(self, now_us: int) -> None:
        self._asking = None
        self._react(self._custody.start(now_us), now_us)
        self._epochs.start(now_us)
        if self.mode is Mode.PLAYING:
            self._sync.replication.send_all(now_us)  # who told before a power cut may have to go on
        self._rejoin(now_us)
        if self.position is Position.TO_PASS and not self._throw_lies_here:
            self.pass_on(now_us)  # how the last round ended was read before

    def receive(self, frame: bytes, now_us: int) -> None:
        """React to a frame. What no seat of this table sealed changes nothing."""
        if self.trouble is not None:
            return
        match self._inbox.open(frame, self.mode, now_us):
            case Arrived(sender, message):
                self._dispatch(sender, message, now_us)
            case ToldToAll(sender, told):
                self._adopt_told_to_all(sender, told, now_us)
                self._conclude(now_us)
            case FromEpoch(sender, epoch) if epoch < self.epoch:
                self._answer_from(epoch, sender, question_in(frame))
                self._epochs.send_after(epoch, sender)
                if self._epochs.is_same_match(epoch):
                    tells = self.mode.may_tell  # votes alone bring nobody over
                    end = self.log.told(self.log.index) if tells else self._want
                    self._mail.send(sender, end)
            case FromEpoch(epoch=epoch):
                self._follow(frame, epoch, now_us)

    def stored(self, ticket: int, trouble: str | None) -> None:
        """A transaction has ended. One that failed stops this handheld (nothing was sent)."""
        if trouble is not None:
            self.trouble = StoreFailed()
        else:
            self._outbox.stored(ticket)

    def tick(self, now_us: int) -> None:
        """Send again what nobody reacted to, and forget what is over."""
        if self._accusation is not None:
            for message in self._accusation.due(now_us):
                self._mail.send_to_all(message)
        if self.trouble is not None:
            return
        if self._asking is not None:
            if not self._asking.is_over(partial(self._inbox.silent_us, now_us=now_us)):
                self._ask_again(now_us)
                return
            self._go_on(now_us)
        self.fair.ask(self.cup, self.match, now_us)
        self._react(self._custody.tick(now_us), now_us)
        self._sync.tick(now_us)
        self._wishes.forget(self.match.round, at_table(self.match), now_us)
        for wish in self._wishes.due(now_us):
            self._mail.send_to_all(wish)
            if self.lost:
                self._mail.send_to_all(self._want)
        self._reconsider(now_us)
        if self._epochs.tick(self.log.signed_at, now_us):
            self._mail.send_to_all(self._sign_of_life(now_us))  # who is in a newer epoch says so
            self._conclude(now_us)

    def take_steps(self) -> tuple[AnyStep, ...]:
        """What has become of the match since the last call."""
        steps, self._steps = tuple(self._steps), []
        return steps

    def take_effects(self) -> list[Store | SendToSeat]:
        """What is to be written and sent since the last call, in this order."""
        return self._outbox.take()

    # Messages

    def _dispatch(self, sender: int, message: Message, now_us: int) -> None:
        self._recollections.note(sender, self.epoch, message)
        match message:
            case Log():
                self._adopt(sender, message, now_us)
                self._conclude(now_us)
            case Want(first):
                self._epochs.lacks(sender, first)
                if self.mode.may_tell:
                    self._sync.replication.wanted(sender, first, now_us)
                if self._sync.replication.knows_all(sender):
                    self._custody.reached(sender, now_us)
                self._answer_recall(sender, message)
                self._ask_late(sender, first)
            case Recall():
                self._recall(sender, message, now_us)
            case Vote():
                if self.seat in message.gone and self.mode.may_vote:
                    self._show_life(sender, now_us)
                self._hear_vote(sender, message, now_us)
            case Wish():
                statement = self._wishes.statement(sender, message)
                if self._mail.has_signed(sender, statement, message.signature):
                    self._wishes.receive(sender, message, self.match.round)
                    self._grant(now_us)
            case Question():
                self._wishes.receive_question(sender, message, self.match, now_us)
            case Fresh():
                charge = self.fair.contribute(sender, message, self.match, self.log.ledger)
                if charge is not None:
                    self._accuse(sender, charge)
            case Share():
                self.fair.receive_share(sender, message, self.log.ledger)
            case Caught(accused, charge):
                if accused < len(self.match.players):
                    self._stop(Accusation(self.seat, sender, accused, Charge(charge)))
            case Propose() if not self._can_propose(sender, message, now_us):
                pass
            case _:
                waits = isinstance(message, Propose) and not message.asks
                at = self.log.signed_at if waits else self.log.at
                facts = self._custody.receive(sender, message, at, now_us, self._accepts)
                self._react(facts, now_us)
                self._grant(now_us)

    def _can_propose(self, sender: int, proposal: Propose, now_us: int) -> bool:
        """Whether the cup can be with who proposes it, by the log (PROTOCOL.md, rule 6).

        A seat that waits for a cup, or for word that one has arrived, believes in a newer hop only
        with a log that says how the cup came there; until then the proposal is repeated.
        """
        if not self._tells_beginning(sender):
            self._ask_for_votes(now_us)  # who learns is told by its keeper where this epoch began
            return False
        told = self._sync.last_of(proposal)
        if told is not None:
            self._adopt(sender, told, now_us, sealed_by=sender)
        if self.trouble is not None or self.lost:
            return False
        if proposal.hop > HOPS_PER_ENTRY * (proposal.at.index + 1):
            return False
        if proposal.at != self.log.at:
            waits = self.cup.peer not in (None, sender)
            if waits and proposal.at.index > self.log.index:
                self._mail.send(sender, self._want)
            return not waits
        if not self._can_hold(sender):
            self._accuse(sender, Charge.CUP)
        return self.trouble is None

    # The log

    def _interrupt(self, action: Action, now_us: int, wished: Wished | None = None) -> None:
        """Enter what does not wait for the seat that is to act; a cup on offer is taken back."""
        offered = self.cup.where is Where.PROPOSED
        if offered:
            self._react(self._custody.withdraw(), now_us)
        self.act(action, now_us, wished)
        left = self.seat not in at_table(self.match)
        if offered or left or self.match.phase is Phase.OFFERED:
            self.pass_on(now_us)

    def _grant(self, now_us: int) -> None:
        """With the cup here, enter what players wish for and may have (B-10)."""
        self._wishes.forget(self.match.round, at_table(self.match), now_us)
        while self.trouble is None and self.holding and self.match.to_act is not None:
            granted = self._wishes.granted(at_table(self.match))
            legal = (one for one in granted if illegality(self.match, one[0]) is None)
            action, wished = next(legal, (None, None))
            if action is None:
                return
            self._interrupt(action, now_us, wished)
            self._wishes.forget(self.match.round, at_table(self.match), now_us)

    # A new epoch

    def _follow(self, frame: bytes, epoch: int, now_us: int) -> None:
        """Something was sealed in a newer epoch: follow a majority, or ask for its votes."""
        decision = self._epochs.votes.decided(epoch)
        if decision is None:
            self._ask_for_votes(now_us)
        elif decision.keeper == self.seat and self._asking is not None:
            self._forget(now_us)  # others are in an epoch that only this seat can have begun
        elif decision.keeper == self.seat and not (self.lost and kind_of(frame) in TOLD):
            # Who began it was not this seat: it can only do so itself. Without a memory it may have
            # begun it; then there are others who have that from it, and tell it.
            self._conclude(now_us)
        else:
            self._begin_epoch(decision, now_us)
            self.receive(frame, now_us)
