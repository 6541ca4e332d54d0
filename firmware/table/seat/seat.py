"""One seat's share of the table: its log, its cup, its dice, its votes and its wishes.

Each action of the player becomes an entry of the log, and the seat to act next gets the cup
(``firmware.table.seat.turn``). This module reacts to other seats and to time.

All writes of one call are one transaction, and no frame leaves before the writes that it depends on
are on the disk (`Outbox`).

The seat to act can still sign two different actions, and give its cup to two seats, until another
seat sees both logs. To prevent that, every taker would have to hear from all others before each
answer.

A cup on a handheld that is gone for good is declared void by a vote, and a new epoch begins with an
empty one (``firmware.table.seat.votes``): a new seal, a new cup, and a log that goes on.
"""

from functools import partial

from firmware.effects import SendToSeat, Store
from firmware.table.log.entries import decode_entries
from firmware.table.protocol import MessageKind, kind_of
from firmware.table.seat.cup_custody import Position, StoreFailed, at_table
from firmware.table.seat.mail import Arrived, ArrivedForAll, FromEpoch
from firmware.table.seat.memory import question_in
from firmware.table.seat.messages import receive_log_for_all, receive_message
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.turn import pass_on, react
from firmware.table.seat.voting import (
    answer_older_epoch,
    begin_decided_epoch,
    begin_question,
    enter_epoch,
    heartbeat,
    lose_memory,
    reconsider,
    rejoin,
    repeat_question,
    request_votes,
)
from game import AnyStep, hides_dice
from game.actions import Lift, Roll

SYNCED_ONLY = (MessageKind.LOG, MessageKind.PROPOSE)
"""Kinds that an unsynced seat never sends."""


class Seat:
    """One handheld's share in the log and the cup.

    Attributes:
        parts: its state. The functions of ``turn``, ``requests`` and ``voting`` carry out what the
            player wants.
    """

    def __init__(self, parts: SeatParts) -> None:
        self.parts = parts

    def start(self, now_us: int) -> None:
        """Go on from the journal; after a power cut, ask the others first."""
        parts = self.parts
        parts.inbox.begin(now_us)
        begin_question(parts, now_us)
        if parts.mode is Mode.RETURNING:
            repeat_question(parts, now_us)
        else:
            self._go_on(now_us)

    def _go_on(self, now_us: int) -> None:
        parts = self.parts
        parts.returning = False
        react(parts, parts.custody.start(now_us), now_us)
        parts.epochs.votes.resumed(parts.epoch, now_us)
        if parts.mode is Mode.PLAYING:
            parts.sync.send_all(now_us)  # a power cut may have interrupted LOGs
        rejoin(parts, now_us)
        if parts.position is Position.TO_PASS and not _throw_lies_here(parts):
            pass_on(parts, now_us)  # the player has seen how the last round ended

    def receive(self, frame: bytes, now_us: int) -> None:
        """React to a frame. A frame that no seat of this table sealed changes nothing."""
        parts = self.parts
        if parts.mode is Mode.STOPPED:
            return
        match parts.inbox.open(frame, now_us):
            case Arrived(sender, message):
                receive_message(parts, sender, message, now_us)
            case ArrivedForAll(sender, log):
                receive_log_for_all(parts, sender, log, now_us)
            case FromEpoch(sender, epoch) if epoch < parts.epoch:
                answer_older_epoch(parts, epoch, sender, question_in(frame))
                parts.epochs.send_after(epoch, sender)
                if parts.epochs.is_same_match(epoch):
                    serves = parts.mode.may_serve_log  # votes alone move no seat to a new epoch
                    end = parts.log.part(parts.log.index) if serves else parts.want
                    parts.mail.send(sender, end)
            case FromEpoch(epoch=epoch):
                self._enter_newer_epoch(frame, epoch, now_us)

    def _enter_newer_epoch(self, frame: bytes, epoch: int, now_us: int) -> None:
        """React to a frame of a newer epoch: follow a majority, or ask for its votes."""
        parts = self.parts
        decision = parts.epochs.votes.decided(epoch)
        if decision is None:
            request_votes(parts, now_us)
        elif decision.keeper == parts.seat and parts.mode is Mode.RETURNING:
            lose_memory(parts, now_us)  # only this seat can have begun the others' epoch
        elif decision.keeper == parts.seat and not (
            parts.mode is Mode.LOST and kind_of(frame) in SYNCED_ONLY
        ):
            # This seat did not begin the epoch: only it can do so. Without a memory it may have
            # begun it; then others know the beginning, and send it.
            begin_decided_epoch(parts, now_us)
        else:
            enter_epoch(parts, decision, now_us)
            self.receive(frame, now_us)

    def stored(self, ticket: int, trouble: str | None) -> None:
        """Note the end of a transaction. A failed one stops this handheld (nothing was sent)."""
        if trouble is not None:
            self.parts.trouble = StoreFailed()
        else:
            self.parts.outbox.stored(ticket)

    def tick(self, now_us: int) -> None:
        """Repeat frames without a reaction, and drop old wishes and questions."""
        parts = self.parts
        if parts.accusation is not None:
            for message in parts.accusation.due(now_us):
                parts.mail.send_to_all(message)
        if parts.mode is Mode.STOPPED:
            return
        if parts.mode is Mode.RETURNING and parts.question is not None:
            if not parts.question.is_over(partial(parts.inbox.silent_us, now_us=now_us)):
                repeat_question(parts, now_us)
                return
            self._go_on(now_us)
        parts.fair.ask(parts.cup, parts.match, now_us)
        react(parts, parts.custody.tick(now_us), now_us)
        parts.sync.tick(now_us)
        parts.wishes.forget(parts.match.round, at_table(parts.match), now_us)
        for wish in parts.wishes.due(now_us):
            parts.mail.send_to_all(wish)
            if parts.mode is Mode.LOST:
                parts.mail.send_to_all(parts.want)
        reconsider(parts, now_us)
        if parts.epochs.tick(parts.log.signed_at, now_us):
            beat = heartbeat(parts, now_us)  # a seat in a newer epoch answers
            parts.mail.send_to_all(beat)
            begin_decided_epoch(parts, now_us)

    def take_steps(self) -> tuple[AnyStep, ...]:
        """Return the steps of the match since the last call."""
        steps, self.parts.steps = tuple(self.parts.steps), []
        return steps

    def take_effects(self) -> list[Store | SendToSeat]:
        """Return the writes and frames since the last call, in order."""
        return self.parts.outbox.take()


def _throw_lies_here(parts: SeatParts) -> bool:
    """Return whether the last entry is an open throw: its player passes the cup on."""
    if hides_dice(parts.match) or not parts.log.index:
        return False
    (last,) = decode_entries(parts.log.since(parts.log.index - 1)[0])
    return isinstance(last, Roll | Lift)
