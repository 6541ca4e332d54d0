"""Received LOGs at a seat: what it believes of them, and how it reacts."""

from dataclasses import replace

from firmware.table.commitment.fair_dice import Charge
from firmware.table.log.belief import Claim, is_borne_out
from firmware.table.log.public_log import LogConflict
from firmware.table.protocol.messages import Log
from firmware.table.seat.log_sync import Adopted, CheatFound, Differs
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.turn import accuse, add_steps, answer_if_signed, react, stop_logs_differ
from firmware.table.seat.voting import begin_decided_epoch, lose_memory, wish_to_leave


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
