"""One seat's share of the table: its log, its cup, its dice, its votes and its wishes.

Each action of the player becomes an entry of the log, and the seat to act next gets the cup
(``firmware.table.seat.turn``). This module reacts to other seats and to time.

Each part of a seat knows one thing: the log and the others' progress (`LogSync`), the handover
(`CupCustody`), the dice (`FairThrows`), epochs (`Epochs`), wishes (`Wishes`). They return facts and
do not know each other; `SeatTurn`, `ReturningSeat`, `SeatEpochs` and `Seat` alone react to facts.
All writes of one call are one transaction, and no frame leaves before the writes that it depends on
are on the disk (`Outbox`).

The holder of the cup enters a fault or a granted wish at once, whichever seat is to act. It first
withdraws a proposed cup, in the same transaction, and proposes it again under a new hop. An answer
on its way is then void, and its seat is asked again, if it is still to act. A cup that was given
away is not called back.

The seat to act can still sign two different actions, and give its cup to two seats, until another
seat sees both logs. To prevent that, every taker would have to hear from all others before each
answer.

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
"""Kinds that a learning seat never sends."""
HOPS_PER_ENTRY = 64
"""Most hops for an entry of the log. An honest giver never reaches it: each hop ends with an entry,
unless its taker refuses the cup again and again."""


class Seat(SeatLog):
    """One handheld's share in the log and the cup; `SeatQueries` has its parts."""

    # Requests of the player

    def request(self, action: Fault, now_us: int) -> None:
        """Enter a fault of the player here, if the cup is here; withdraw a proposed cup first.

        If the cup was given away, the fault is dropped.
        """
        free = self.trouble is None and self.holding
        if free and illegality(self.match, action) is None:
            self._interrupt(action, now_us)

    def wish(self, action: WishAction, now_us: int) -> None:
        """Send a wish of the player here to all. The holder of the cup enters it."""
        if self.trouble is None:
            self._mail.send_to_all(self._wishes.wish(action, self.match.round, now_us))
            self._grant(now_us)

    def ask(self, kind: FaultKind | None) -> None:
        """Send this seat's open fault question to all, once; None clears it."""
        if self.trouble is None:
            self._mail.send_to_all(self._wishes.ask(kind, self.match.round))

    # Others and time

    def start(self, now_us: int) -> None:
        """Go on from the journal; after a power cut, ask the others first."""
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
            self._sync.replication.send_all(now_us)  # a power cut may have interrupted LOGs
        self._rejoin(now_us)
        if self.position is Position.TO_PASS and not self._throw_lies_here:
            self.pass_on(now_us)  # the player has seen how the last round ended

    def receive(self, frame: bytes, now_us: int) -> None:
        """React to a frame. A frame that no seat of this table sealed changes nothing."""
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
                    tells = self.mode.may_tell  # votes alone move no seat to a new epoch
                    end = self.log.told(self.log.index) if tells else self._want
                    self._mail.send(sender, end)
            case FromEpoch(epoch=epoch):
                self._follow(frame, epoch, now_us)

    def stored(self, ticket: int, trouble: str | None) -> None:
        """Note the end of a transaction. A failed one stops this handheld (nothing was sent)."""
        if trouble is not None:
            self.trouble = StoreFailed()
        else:
            self._outbox.stored(ticket)

    def tick(self, now_us: int) -> None:
        """Repeat frames without a reaction, and drop old wishes and questions."""
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
            self._mail.send_to_all(self._sign_of_life(now_us))  # a seat in a newer epoch answers
            self._conclude(now_us)

    def take_steps(self) -> tuple[AnyStep, ...]:
        """Return the steps of the match since the last call."""
        steps, self._steps = tuple(self._steps), []
        return steps

    def take_effects(self) -> list[Store | SendToSeat]:
        """Return the writes and frames since the last call, in order."""
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
        """Return whether the proposer can have the cup, by the log (PROTOCOL.md, rule 6).

        A seat that waits for a cup, or for TAKEN, believes a newer hop only with the log that led
        to it. Until then the proposer repeats the proposal.
        """
        if not self._tells_beginning(sender):
            self._ask_for_votes(now_us)  # only the keeper can end learning
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
        """Enter an action at once, whichever seat is to act; withdraw a proposed cup."""
        offered = self.cup.where is Where.PROPOSED
        if offered:
            self._react(self._custody.withdraw(), now_us)
        self.act(action, now_us, wished)
        left = self.seat not in at_table(self.match)
        if offered or left or self.match.phase is Phase.OFFERED:
            self.pass_on(now_us)

    def _grant(self, now_us: int) -> None:
        """With the cup here, enter granted wishes (B-10)."""
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
        """React to a frame of a newer epoch: follow a majority, or ask for its votes."""
        decision = self._epochs.votes.decided(epoch)
        if decision is None:
            self._ask_for_votes(now_us)
        elif decision.keeper == self.seat and self._asking is not None:
            self._forget(now_us)  # only this seat can have begun the others' epoch
        elif decision.keeper == self.seat and not (self.lost and kind_of(frame) in TOLD):
            # This seat did not begin the epoch: only it can do so. Without a memory it may have
            # begun it; then others know the beginning, and send it.
            self._conclude(now_us)
        else:
            self._begin_epoch(decision, now_us)
            self.receive(frame, now_us)
