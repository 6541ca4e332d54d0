"""Received LOGs at a seat: what it believes of them, and how it reacts."""

from dataclasses import replace

from firmware.table.commitment.charges import Charge
from firmware.table.log.belief import Claim, is_borne_out
from firmware.table.log.public_log import LogConflict
from firmware.table.protocol.log_messages import Log
from firmware.table.seat.log_sync import Adopted, CheatFound, Differs
from firmware.table.seat.mode import Mode
from firmware.table.seat.seat_epochs import SeatEpochs


class SeatLog(SeatEpochs):
    """The part of a seat that takes LOGs; it is the log's `Belief`."""

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Return whether a seat has signed a statement."""
        return self._mail.has_signed(seat, statement, signature)

    def believes(self, claim: Claim) -> bool:
        """Return whether a claim of a signed log can be true.

        Only a learning seat takes entries of an earlier epoch. A seat that receives an own entry
        that it does not know, and has not cut with an epoch, has lost its memory.

        Raises:
            LogConflict: another seat made the entry, while the cup is here.
        """
        epoch = self.epoch if claim.epoch is None else claim.epoch
        learns = self.learning and self._epochs.is_same_match(epoch) and epoch <= self.epoch
        if epoch != self.epoch and not learns:
            return False
        gone = self._epochs.gone_before(claim.seat, epoch)
        if not is_borne_out(claim, epoch, gone, self.has_signed):
            return False
        may_have_cut = self.learning and self._asking is None
        if claim.seat == self.seat and not self.lost and not may_have_cut:
            self._reminded = True
            return False
        if self.cup.is_here:
            raise LogConflict(self.log.index, "it was entered elsewhere, and the cup is here")
        return True

    def _tells_beginning(self, teller: int) -> bool:
        """Return whether a seat is believed about the beginning of this epoch: its keeper is."""
        return self.mode is not Mode.LEARNING or self._epochs.began_with(teller)

    def _settle(self) -> None:
        """End learning, once the keeper of this epoch has signed what it began with."""
        signed = {seat for seat, epoch in self.log.signers() if epoch == self.epoch}
        if any(map(self._epochs.began_with, signed)):
            self._sync.set_learning(False)

    def _adopt_told_to_all(self, sender: int, told: Log, now_us: int) -> None:
        """Take a LOG for all. A new signature of its sender shows that the sender is there."""
        known = self.log.signed_at.index
        self._adopt(sender, told, now_us, to_all=True)
        if (sender, self.epoch) in self.log.signers(known):
            self._inbox.hear(sender, now_us)
            self._recollections.note(sender, self.epoch, told)
            self._sync.replication.told_all(sender)

    def _adopt(
        self,
        sender: int,
        told: Log,
        now_us: int,
        sealed_by: int | None = None,
        *,
        to_all: bool = False,
    ) -> None:
        settles = not to_all and self._tells_beginning(sender)
        self._reminded = False
        adopted = self._sync.adopt(told, self.fair.testify, self, sealed_by, settles=settles)
        match adopted:
            case _ if self._reminded:
                self._forget(now_us)
            case CheatFound(seat, Charge.STORIES, proof) if (
                seat == sender and self._recollections.nonce(seat)
            ):
                for known in proof:
                    self._mail.send(seat, known)  # shows the sender that it has lost its memory
            case Differs() | CheatFound() if self._asking is not None:
                self._forget(now_us)
            case CheatFound(seat) if seat == self.seat:
                self._forget(now_us)
            case Differs():
                self._differ()
            case CheatFound(seat, charge, proof):
                self._accuse(seat, charge, proof)
            case Adopted(steps, lacks):
                if steps:
                    self._add_steps(*steps)
                if self.mode is Mode.LEARNING:
                    self._settle()
                if self.lost:
                    self._ask_to_leave(now_us)
                if to_all and self.mode.may_tell and self._custody.heard is None:
                    asks = lacks < told.first + told.count
                    self._sync.answer_later(sender, now_us, asks=asks)
                else:
                    self._mail.send(sender, replace(self._want, first=lacks))
                self._answer_if_signed(now_us)
                heard = self._custody.heard
                if heard is None or heard.at != self.log.at or self._can_hold(heard.giver):
                    self._catch_up(now_us)
                else:
                    self._accuse(heard.giver, Charge.CUP)

    def _catch_up(self, now_us: int) -> None:
        """Check the proposal again. Without a question to the player it needs signatures."""
        heard = self._custody.heard
        asks = heard is None or heard.asks
        at = self.log.at if asks else self.log.signed_at
        self._react(self._custody.catch_up(at, now_us), now_us)

    def _can_hold(self, seat: int) -> bool:
        """Return whether a seat can have the cup, by the log or as this epoch's keeper."""
        return seat in self.log.holders or self._epochs.began_with(seat)
