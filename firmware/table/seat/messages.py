"""The reaction of a seat to each kind of message, by its mode.

``HANDLERS`` is the one table of modes and kinds; PROTOCOL.md shows it.
A seat enters what it believes of a received LOG.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from firmware.table.commitment.fair_dice import Charge
from firmware.table.log.entries import Claim, is_borne_out
from firmware.table.log.public_log import LogConflict
from firmware.table.protocol import MessageKind
from firmware.table.protocol.messages import (
    KINDS,
    Caught,
    Fresh,
    Log,
    Message,
    Propose,
    Question,
    Share,
    Want,
    Wish,
)
from firmware.table.seat.cup_custody import Accusation
from firmware.table.seat.log_sync import Adopted, CheatFound, Differs
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.turn import (
    accepts,
    accuse,
    add_steps,
    answer_if_signed,
    enter_granted_wishes,
    react,
    stop,
    stop_logs_differ,
)
from firmware.table.seat.voting import (
    answer_question,
    begin_decided_epoch,
    lose_memory,
    question_late,
    receive_recall,
    receive_vote,
    request_votes,
    wish_to_leave,
)


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
        earlier = parts.unsynced and parts.epochs.is_same_match(epoch) and epoch <= parts.epoch
        if epoch != parts.epoch and not earlier:
            return False
        absent = parts.epochs.gone_before(claim.seat, epoch)
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
    return parts.mode is not Mode.SYNCING or parts.epochs.began_with(sender)


def receive_log(parts: SeatParts, sender: int, log: Log, now_us: int) -> None:
    """Take a LOG for this seat."""
    adopt(parts, sender, log, now_us)
    begin_decided_epoch(parts, now_us)


def receive_log_for_all(parts: SeatParts, sender: int, log: Log, now_us: int) -> None:
    """Take a LOG for all. A new signature of its sender shows that the sender is there."""
    signed = parts.log.signed_at.index
    adopt(parts, sender, log, now_us, to_all=True)
    if (sender, parts.epoch) in parts.log.signers(signed):
        parts.inbox.note_news(sender, now_us)
        parts.peers.note(sender, parts.epoch, log)
        parts.sync.sent_to_all(sender)
    begin_decided_epoch(parts, now_us)


def adopt(
    parts: SeatParts,
    sender: int,
    log: Log,
    now_us: int,
    sealed_by: int | None = None,
    *,
    to_all: bool = False,
) -> None:
    """Enter the entries of a received LOG, if this seat believes them, and react to them.

    ``sealed_by``: the sender, if its own entries need no signature; else None.
    """
    knows = not to_all and knows_beginning(parts, sender)
    belief = SeatBelief(parts)
    adopted = parts.sync.adopt(
        log, parts.fair.check_commitment, belief, sealed_by, knows_beginning=knows
    )
    match adopted:
        case _ if belief.proves_rollback:
            lose_memory(parts, now_us)
        case CheatFound(seat, Charge.STORIES, proof) if seat == sender and parts.peers.nonce(seat):
            for log in proof:
                parts.mail.send(seat, log)  # shows the sender that it has lost its memory
        case Differs() | CheatFound() if parts.mode is Mode.RETURNING:
            lose_memory(parts, now_us)
        case CheatFound(seat) if seat == parts.seat:
            lose_memory(parts, now_us)
        case Differs():
            stop_logs_differ(parts)
        case CheatFound(seat, charge, proof):
            accuse(parts, seat, charge, proof)
        case Adopted(steps, first_missing):
            if steps:
                add_steps(parts, *steps)
            if parts.mode is Mode.SYNCING:
                _finish_sync(parts)
            if parts.mode is Mode.LOST:
                wish_to_leave(parts, now_us)
            if to_all and parts.mode.may_serve_log and parts.custody.offer is None:
                asks = first_missing < log.first + log.count
                parts.sync.answer_later(sender, now_us, asks=asks)
            else:
                parts.mail.send(sender, replace(parts.want, first=first_missing))
            answer_if_signed(parts, now_us)
            _check_offer(parts, now_us)


def _finish_sync(parts: SeatParts) -> None:
    """End syncing, once the keeper of this epoch has signed what it began with."""
    signed = {seat for seat, epoch in parts.log.signers() if epoch == parts.epoch}
    if any(map(parts.epochs.began_with, signed)):
        parts.sync.set_unsynced(False)


def _check_offer(parts: SeatParts, now_us: int) -> None:
    """Check the offer against the grown log. With no answer due, it needs signatures."""
    offer = parts.custody.offer
    if offer is not None and offer.at == parts.log.at and not can_hold(parts, offer.giver):
        accuse(parts, offer.giver, Charge.CUP)
        return
    asks = offer is None or offer.asks
    at = parts.log.at if asks else parts.log.signed_at
    react(parts, parts.custody.catch_up(at, now_us), now_us)


def can_hold(parts: SeatParts, seat: int) -> bool:
    """Return whether a seat can have the cup, by the log or as this epoch's keeper."""
    return seat in parts.log.holders or parts.epochs.began_with(seat)


HOPS_PER_ENTRY = 64
"""Most hops for an entry of the log. An honest giver never reaches it: each hop ends with an entry,
unless its taker refuses the cup again and again."""


def receive_want(parts: SeatParts, sender: int, want: Want, now_us: int) -> None:
    """Send what the sender lacks: votes, entries, and an answer to its question."""
    parts.epochs.lacks(sender, want.first)
    if parts.mode.may_serve_log:
        parts.sync.wanted(sender, want.first, now_us)
    if parts.sync.knows_all(sender):
        parts.custody.reached(sender, now_us)
    answer_question(parts, sender, want)
    question_late(parts, sender, want.first)


def receive_wish(parts: SeatParts, sender: int, wish: Wish, now_us: int) -> None:
    """Take a signed wish; the holder of the cup enters it."""
    statement = parts.wishes.statement(sender, wish)
    if parts.mail.has_signed(sender, statement, wish.signature):
        parts.wishes.receive(sender, wish, parts.match.round)
        enter_granted_wishes(parts, now_us)


def receive_question(parts: SeatParts, sender: int, question: Question, now_us: int) -> None:
    """Take another seat's fault question, or its end."""
    parts.wishes.receive_question(sender, question, parts.match, now_us)


def receive_fresh(parts: SeatParts, sender: int, fresh: Fresh, _now_us: int) -> None:
    """Contribute to another seat's dice."""
    charge = parts.fair.contribute(sender, fresh, parts.match, parts.log.ledger)
    if charge is not None:
        accuse(parts, sender, charge)


def receive_share(parts: SeatParts, sender: int, share: Share, _now_us: int) -> None:
    """Take a contribution to the own dice."""
    parts.fair.receive_share(sender, share, parts.log.ledger)


def receive_caught(parts: SeatParts, sender: int, caught: Caught, _now_us: int) -> None:
    """Stop, as another seat accuses one."""
    if caught.seat < len(parts.match.players):
        stop(parts, Accusation(parts.seat, sender, caught.seat, Charge(caught.charge)))


def receive_proposal(parts: SeatParts, sender: int, proposal: Propose, now_us: int) -> None:
    """Take an offer of the cup, if the sender can have it."""
    if _can_propose(parts, sender, proposal, now_us):
        receive_of_cup(parts, sender, proposal, now_us)


def receive_of_cup(parts: SeatParts, sender: int, message: Message, now_us: int) -> None:
    """Take a message that moves the cup."""
    waits = isinstance(message, Propose) and not message.asks
    at = parts.log.signed_at if waits else parts.log.at
    facts = parts.custody.receive(sender, message, at, now_us, partial(accepts, parts))
    react(parts, facts, now_us)
    enter_granted_wishes(parts, now_us)


def _can_propose(parts: SeatParts, sender: int, proposal: Propose, now_us: int) -> bool:
    """Return whether the proposer can have the cup, by the log (PROTOCOL.md, rule 6).

    A seat that waits for a cup, or for TAKEN, believes a newer hop only with the log that led to
    it. Until then the proposer repeats the proposal.
    """
    if not knows_beginning(parts, sender):
        request_votes(parts, now_us)  # only the keeper can end syncing
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
    accuse(parts, sender, Charge.CUP)
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
    MessageKind.VOTE: receive_vote,
    MessageKind.FRESH: receive_fresh,
    MessageKind.SHARE: receive_share,
    MessageKind.CAUGHT: receive_caught,
    MessageKind.RECALL: receive_recall,
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


def receive_message(parts: SeatParts, sender: int, message: Message, now_us: int) -> None:
    """React to a message for this seat, as ``HANDLERS`` says."""
    handler = HANDLERS[parts.mode, KINDS[type(message)]]
    if handler is not IGNORE:
        parts.peers.note(sender, parts.epoch, message)
        handler(parts, sender, message, now_us)
