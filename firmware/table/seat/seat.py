"""One seat's share of the table: its log, its cup, its dice, its votes and its wishes.

Each action of the player becomes an entry of the log, and the seat to act next gets the cup
(``firmware.table.seat.turn``). This module reacts to other seats and to time. ``HANDLERS`` is the
one table of modes and kinds of message; PROTOCOL.md shows it.

All writes of one call are one transaction, and no frame leaves before the writes that it depends on
are on the disk (`Outbox`).

The seat to act can still sign two different actions, and give its cup to two seats, until another
seat sees both logs. To prevent that, every taker would have to hear from all others before each
answer.

A vote voids a cup on a handheld that is gone for good (``firmware.table.seat.votes``). A new epoch
begins: a new seal, an empty cup, and a log that goes on.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from firmware.effects import SendToSeat, Store
from firmware.table.commitment.fair_dice import Charge
from firmware.table.handover import Where
from firmware.table.log.entries import Claim, decode_entries, is_borne_out
from firmware.table.log.public_log import LogConflict
from firmware.table.protocol import (
    EVERY_SEAT,
    FrameError,
    MessageKind,
    kind_of,
    messages,
    receiver_of,
)
from firmware.table.seat import turn, voting
from firmware.table.seat.cup_custody import Accusation, Position, StoreFailed, at_table
from firmware.table.seat.log_sync import Adopted, CheatFound, Differs
from firmware.table.seat.memory import question_in
from firmware.table.seat.parts import Mode, SeatParts
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
        """Go on from the journal; after a power cut, `tick` asks the others first."""
        parts = self.parts
        parts.inbox.begin(now_us)
        voting.begin_question(parts, now_us)
        if parts.mode is not Mode.RETURNING:
            self._go_on(now_us)

    def _go_on(self, now_us: int) -> None:
        parts = self.parts
        parts.returning = False
        parts.left_us = now_us
        turn.react(parts, parts.handover.resumed(now_us), now_us)
        parts.votes.resumed(parts.epoch, now_us)
        if parts.mode is Mode.PLAYING:
            parts.sync.send_all(now_us)  # a power cut may have interrupted LOGs
        voting.rejoin(parts, now_us)
        if parts.position is Position.TO_PASS and not _throw_lies_here(parts):
            turn.pass_on(parts, now_us)  # the player has seen how the last round ended

    def receive(self, frame: bytes, now_us: int) -> None:
        """React to a frame. A frame that no seat of this table sealed changes nothing."""
        parts = self.parts
        if parts.mode is Mode.STOPPED:
            return
        try:
            sender, message = parts.mail.open(frame)
        except FrameError as error:
            if error.sender is not None and error.epoch is not None:
                self._receive_of_epoch(frame, error.sender, error.epoch, now_us)
            return
        if sender >= parts.mail.players:  # a watcher may send WANT, and nothing else
            if isinstance(message, messages.Want):
                receive_message(parts, sender, message, now_us)
        elif receiver_of(frame) == EVERY_SEAT:
            assert isinstance(message, messages.Log), "nothing else is sealed for all"
            receive_log_for_all(parts, sender, message, now_us)
        else:
            parts.inbox.note_frame(sender, frame, now_us)
            receive_message(parts, sender, message, now_us)

    def _receive_of_epoch(self, frame: bytes, sender: int, epoch: int, now_us: int) -> None:
        """React to a frame that a seat sealed in another epoch than this seat's."""
        parts = self.parts
        if epoch > parts.epoch:
            self._enter_newer_epoch(frame, epoch, now_us)
            return
        voting.answer_older_epoch(parts, epoch, sender, question_in(frame))
        voting.send_later_votes(parts, epoch, sender)
        if parts.is_same_match(epoch):
            serves = parts.mode.may_serve_log  # votes alone move no seat to a new epoch
            end = parts.log.part(parts.log.index) if serves else parts.want
            parts.mail.send(sender, end)

    def _enter_newer_epoch(self, frame: bytes, epoch: int, now_us: int) -> None:
        """React to a frame of a newer epoch: follow a majority, or ask for its votes."""
        parts = self.parts
        decision = parts.votes.decided(epoch)
        if decision is None:
            voting.request_votes(parts, now_us)
        elif decision.keeper == parts.seat and parts.mode is Mode.RETURNING:
            voting.lose_memory(parts, now_us)  # only this seat can have begun the others' epoch
        elif decision.keeper == parts.seat and not (
            parts.mode is Mode.LOST and kind_of(frame) in SYNCED_ONLY
        ):
            # This seat did not begin the epoch: only it can do so. Without a memory it may have
            # begun it; then others know the beginning, and send it.
            voting.begin_decided_epoch(parts, now_us)
        else:
            voting.enter_epoch(parts, decision, now_us)
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
                voting.repeat_question(parts, now_us)
                return
            self._go_on(now_us)
        parts.fair.ask(parts.cup, parts.match, now_us)
        turn.react(parts, parts.handover.tick(now_us), now_us)
        parts.sync.tick(now_us)
        parts.wishes.forget(parts.match.round, at_table(parts.match), now_us)
        for wish in parts.wishes.due(now_us):
            parts.mail.send_to_all(wish)
            if parts.mode is Mode.LOST:
                parts.mail.send_to_all(parts.want)
        voting.reconsider(parts, now_us)
        vote = parts.votes.due(parts.epoch, parts.log.signed_at, now_us)
        if vote is not None:
            parts.mail.send_vote(vote)
            beat = voting.heartbeat(parts, now_us)  # a seat in a newer epoch answers
            parts.mail.send_to_all(beat)
            voting.begin_decided_epoch(parts, now_us)

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


class SeatBelief:
    """The log's `Belief`: the judgement of a seat about one received LOG.

    Attributes:
        proves_rollback: the LOG has an own entry that this seat does not know, and has not cut with
            an epoch; so it has lost its memory.
    """

    def __init__(self, parts: SeatParts) -> None:
        self.proves_rollback = False
        self._parts = parts

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Return whether a seat has signed a statement."""
        return self._parts.mail.has_signed(seat, statement, signature)

    def believes(self, claim: Claim) -> bool:
        """Return whether a claim of a signed log can be true.

        Only an unsynced seat takes entries of an earlier epoch.

        Raises:
            LogConflict: another seat made the entry, while the cup is here.
        """
        parts = self._parts
        epoch = parts.epoch if claim.epoch is None else claim.epoch
        earlier = parts.unsynced and parts.is_same_match(epoch) and epoch <= parts.epoch
        if epoch != parts.epoch and not earlier:
            return False
        absent = voting.gone_before(parts, claim.seat, epoch)
        if not is_borne_out(claim, epoch, absent, self.has_signed):
            return False
        if claim.seat == parts.seat and parts.mode not in (Mode.LOST, Mode.SYNCING):
            self.proves_rollback = True
            return False
        if parts.cup.is_here:
            raise LogConflict(parts.log.index, "it was entered elsewhere, and the cup is here")
        return True


def knows_beginning(parts: SeatParts, sender: int) -> bool:
    """Return whether a seat is believed about the beginning of this epoch: its keeper is."""
    return parts.mode is not Mode.SYNCING or voting.began_with(parts, sender)


def receive_log(parts: SeatParts, sender: int, log: messages.Log, now_us: int) -> None:
    """Take a LOG for this seat."""
    adopt(parts, sender, log, now_us)
    voting.begin_decided_epoch(parts, now_us)


def receive_log_for_all(parts: SeatParts, sender: int, log: messages.Log, now_us: int) -> None:
    """Take a LOG for all. A new signature of its sender shows that the sender is there."""
    signed = parts.log.signed_at.index
    adopt(parts, sender, log, now_us, to_all=True)
    if (sender, parts.epoch) in parts.log.signers(signed):
        parts.inbox.note_news(sender, now_us)
        parts.peers.note(sender, parts.epoch, log)
        parts.sync.sent_to_all(sender)
    voting.begin_decided_epoch(parts, now_us)


def adopt(
    parts: SeatParts,
    sender: int,
    log: messages.Log,
    now_us: int,
    sealed_by: int | None = None,
    *,
    to_all: bool = False,
) -> None:
    """Enter the entries of a received LOG, if this seat believes them, and react to them.

    ``sealed_by``: the sender, if its own entries need no signature; else None.
    """
    knows = not to_all and knows_beginning(parts, sender)
    returned = sender in parts.peers.questions
    belief = SeatBelief(parts)
    adopted = parts.sync.adopt(
        log, parts.fair.check_commitment, belief, sealed_by, knows_beginning=knows
    )
    match adopted:
        case _ if belief.proves_rollback:
            voting.lose_memory(parts, now_us)
        case CheatFound(seat, Charge.STORIES, proof) if seat == sender and returned:
            for log in proof:
                parts.mail.send(seat, log)  # shows the sender that it has lost its memory
        case Differs() | CheatFound() if parts.mode is Mode.RETURNING:
            voting.lose_memory(parts, now_us)
        case CheatFound(seat) if seat == parts.seat:
            voting.lose_memory(parts, now_us)
        case Differs():
            turn.stop_logs_differ(parts)
        case CheatFound(seat, charge, proof):
            turn.accuse(parts, seat, charge, proof)
        case Adopted(steps, first_missing):
            if steps:
                turn.add_steps(parts, *steps)
            if parts.mode is Mode.SYNCING:
                _finish_sync(parts)
            if parts.mode is Mode.LOST:
                voting.wish_to_leave(parts, now_us)
            if to_all and parts.mode.may_serve_log and parts.handover.offer is None:
                asks = first_missing < log.first + log.count
                parts.sync.answer_later(sender, now_us, asks=asks)
            else:
                parts.mail.send(sender, replace(parts.want, first=first_missing))
            turn.answer_if_signed(parts, now_us)
            _check_offer(parts, now_us)


def _finish_sync(parts: SeatParts) -> None:
    """End syncing, once the keeper of this epoch has signed what it began with."""
    signed = {seat for seat, epoch in parts.log.signers() if epoch == parts.epoch}
    if any(voting.began_with(parts, seat) for seat in signed):
        parts.sync.set_unsynced(False)


def _check_offer(parts: SeatParts, now_us: int) -> None:
    """Check the offer against the grown log. With no answer due, it needs signatures."""
    offer = parts.handover.offer
    if offer is not None and offer.at == parts.log.at and not can_hold(parts, offer.giver):
        turn.accuse(parts, offer.giver, Charge.CUP)
        return
    asks = offer is None or offer.asks
    at = parts.log.at if asks else parts.log.signed_at
    turn.react(parts, parts.handover.caught_up(at, now_us), now_us)


def can_hold(parts: SeatParts, seat: int) -> bool:
    """Return whether a seat can have the cup, by the log or as this epoch's keeper."""
    return seat in parts.log.holders or voting.began_with(parts, seat)


HOPS_PER_ENTRY = 64
"""Most hops for an entry of the log. An honest giver never reaches it: each hop ends with an entry,
unless its taker refuses the cup again and again; chosen."""


def receive_want(parts: SeatParts, sender: int, want: messages.Want, now_us: int) -> None:
    """Send what the sender lacks: votes, entries, and an answer to its question."""
    if sender < parts.mail.players:
        parts.votes.note_want(sender, want.first)
        voting.send_later_votes(parts, parts.epoch, sender)  # it may have to follow
    if parts.mode.may_serve_log:
        parts.sync.wanted(sender, want.first, now_us)
    waits = (parts.cup.where, parts.cup.peer) == (Where.PROPOSED, sender)
    if parts.mail.by_light and waits and parts.sync.knows_all(sender):
        parts.handover = parts.handover.reached(now_us)
    voting.answer_question(parts, sender, want)
    voting.question_late(parts, sender, want.first)


def receive_wish(parts: SeatParts, sender: int, wish: messages.Wish, now_us: int) -> None:
    """Take a signed wish; the holder of the cup enters it."""
    statement = parts.wishes.statement(sender, wish)
    if parts.mail.has_signed(sender, statement, wish.signature):
        parts.wishes.receive(sender, wish, parts.match.round)
        turn.enter_granted_wishes(parts, now_us)


def receive_question(
    parts: SeatParts, sender: int, question: messages.Question, now_us: int
) -> None:
    """Take another seat's fault question, or its end."""
    parts.wishes.receive_question(sender, question, parts.match, now_us)


def receive_fresh(parts: SeatParts, sender: int, fresh: messages.Fresh, _now_us: int) -> None:
    """Contribute to another seat's dice."""
    charge = parts.fair.contribute(sender, fresh, parts.match, parts.log.ledger)
    if charge is not None:
        turn.accuse(parts, sender, charge)


def receive_share(parts: SeatParts, sender: int, share: messages.Share, _now_us: int) -> None:
    """Take a contribution to the own dice."""
    parts.fair.receive_share(sender, share, parts.log.ledger)


def receive_caught(parts: SeatParts, sender: int, caught: messages.Caught, _now_us: int) -> None:
    """Stop, as another seat accuses one."""
    if caught.seat < len(parts.match.players):
        turn.stop(parts, Accusation(parts.seat, sender, caught.seat, Charge(caught.charge)))


def receive_proposal(
    parts: SeatParts, sender: int, proposal: messages.Propose, now_us: int
) -> None:
    """Take an offer of the cup, if the sender can have it."""
    if _can_propose(parts, sender, proposal, now_us):
        receive_of_cup(parts, sender, proposal, now_us)


def receive_of_cup(parts: SeatParts, sender: int, message: messages.Message, now_us: int) -> None:
    """Take a message that moves the cup."""
    waits = isinstance(message, messages.Propose) and not message.asks
    at = parts.log.signed_at if waits else parts.log.at
    received = parts.handover.received
    turn.react(parts, received(sender, message, at, now_us, partial(turn.accepts, parts)), now_us)
    turn.enter_granted_wishes(parts, now_us)


def _can_propose(parts: SeatParts, sender: int, proposal: messages.Propose, now_us: int) -> bool:
    """Return whether the proposer can have the cup, by the log (PROTOCOL.md, rule 6).

    A seat that waits for a cup, or for TAKEN, believes a newer hop only with the log that led to
    it. Until then the proposer repeats the proposal.
    """
    if not knows_beginning(parts, sender):
        voting.request_votes(parts, now_us)  # only the keeper can end syncing
        return False
    log = parts.sync.last_of(proposal)
    if log is not None:
        adopt(parts, sender, log, now_us, sealed_by=sender)
    if parts.mode in (Mode.STOPPED, Mode.LOST):
        return False
    if proposal.hop > HOPS_PER_ENTRY * (proposal.at.index + 1):
        return False
    if proposal.at != parts.log.at:
        waits = parts.cup.peer not in (None, sender)
        if waits and proposal.at.index > parts.log.index:
            parts.mail.send(sender, parts.want)
        return not waits
    if can_hold(parts, sender):
        return True
    turn.accuse(parts, sender, Charge.CUP)
    return False


# The table

Handler = Callable[[SeatParts, int, Any, int], None]
"""Takes the seat, the sender, a message of its kind and the time."""
IGNORE: Final = None

_REACTIONS: Mapping[MessageKind, Handler] = {
    MessageKind.PROPOSE: receive_proposal,
    MessageKind.ANSWER: receive_of_cup,
    MessageKind.GIVE: receive_of_cup,
    MessageKind.TAKEN: receive_of_cup,
    MessageKind.CANCEL: receive_of_cup,
    MessageKind.NAK: receive_of_cup,
    MessageKind.LOG: receive_log,
    MessageKind.WANT: receive_want,
    MessageKind.WISH: receive_wish,
    MessageKind.QUESTION: receive_question,
    MessageKind.VOTE: voting.receive_vote,
    MessageKind.FRESH: receive_fresh,
    MessageKind.SHARE: receive_share,
    MessageKind.CAUGHT: receive_caught,
    MessageKind.RECALL: voting.receive_recall,
}
_WITHOUT_MEMORY = (MessageKind.LOG, MessageKind.WANT, MessageKind.VOTE)
_READ: Mapping[Mode, tuple[MessageKind, ...]] = {
    Mode.PLAYING: tuple(MessageKind),
    Mode.SYNCING: tuple(MessageKind),
    Mode.WATCHING: tuple(MessageKind),
    Mode.LOST: _WITHOUT_MEMORY,
    Mode.RETURNING: (*_WITHOUT_MEMORY, MessageKind.RECALL),
    Mode.STOPPED: (),
}
HANDLERS: Final[Mapping[tuple[Mode, MessageKind], Handler | None]] = {
    (mode, kind): handler if kind in _READ[mode] else IGNORE
    for mode in Mode
    for kind, handler in _REACTIONS.items()
}
"""The reaction in each mode to each kind of message that another player's seat has sealed."""


def receive_message(parts: SeatParts, sender: int, message: messages.Message, now_us: int) -> None:
    """React to a message for this seat, as ``HANDLERS`` says."""
    handler = HANDLERS[parts.mode, messages.KINDS[type(message)]]
    if handler is not IGNORE:
        parts.peers.note(sender, parts.epoch, message)
        handler(parts, sender, message, now_us)
