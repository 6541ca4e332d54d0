"""The return of a seat that had no power: it first asks the others what they know of it."""

from dataclasses import replace

from firmware.table.handover.cup import Cup
from firmware.table.protocol.log_messages import Recall, Want
from firmware.table.seat.fair_throws import NoProofs
from firmware.table.seat.mode import Mode
from firmware.table.seat.position import at_table
from firmware.table.seat.recall import Asking, contradicts
from firmware.table.seat.storage import SeatState
from firmware.table.seat.turn import SeatTurn
from firmware.table.seat.wishes import Wishes
from game.actions import Leave


class ReturningSeat(SeatTurn):
    """The part of a seat that checks its journal: see ``firmware.table.seat.recall``."""

    def _begin_asking(self, now_us: int) -> None:
        """Ask all others at the table, if the journal may be old and they are elsewhere."""
        others = {seat for seat in at_table(self.match) if seat != self.seat}
        plays = self.mode in (Mode.PLAYING, Mode.LEARNING)
        self._asking = None
        if self._resumed and plays and self.can_be_gone and others:
            nonce = 1 + int.from_bytes(self._entropy(2), "big") % (Want.NONCES - 1)
            self._asked = self._asking = Asking(others, nonce, now_us)

    def _ask_again(self, now_us: int) -> None:
        if self._asking is not None and self._asking.due(now_us):
            for seat in sorted(self._asking.open):
                self._mail.send(seat, self._want)

    def _answer_recall(self, sender: int, want: Want) -> None:
        """Answer a seat that had no power; entries go first, if it lacks any."""
        if not want.nonce:
            return
        self._recollections.asked(sender, want.nonce)
        if want.first >= self._sync.replication.end or not self.mode.may_tell:
            self._mail.send(sender, self._known_of(sender, self.epoch))
        else:
            self._mail.send(sender, Recall(want.nonce, more=True))

    def _answer_from(self, epoch: int, sender: int, nonce: int) -> None:
        """Answer a seat that asks in an older epoch, if it was heard in a later one."""
        if nonce:
            self._recollections.asked(sender, nonce)
            known = self._known_of(sender, epoch)
            if known.later:
                self._mail.send_in(epoch, sender, known)

    def _known_of(self, seat: int, epoch: int) -> Recall:
        """Return the RECALL for a seat that has asked, and is in ``epoch`` now."""
        return self._recollections.of(seat, epoch, self._epochs.newest_of(seat))

    def _recall(self, sender: int, recall: Recall, now_us: int) -> None:
        """Take an answer to the last question; after the return, only from a late seat."""
        asked = self._asked
        if asked is None or recall.nonce != asked.nonce:
            return
        if self._asking is None and sender not in asked.open:
            return
        if contradicts(recall, self.cup, self._epochs.votes.mine):
            self._forget(now_us)
            return
        asked.heard()
        if not recall.more:
            asked.answered(sender)

    def _ask_late(self, sender: int, first: int) -> None:
        """After the return, ask a seat that has not answered, or has further entries."""
        if self._asked is None or self._asking is not None or sender not in self._mail.others:
            return
        if sender in self._asked.open or first > self.log.signed_at.index:
            self._mail.send(sender, replace(self._want, nonce=self._asked.nonce))

    def _forget(self, now_us: int) -> None:
        """Note that the journal is old: this handheld has lost its memory of the match."""
        self._asking = self._asked = None
        self.lost = True
        self.fair = NoProofs(self._entropy)
        for write in SeatState(Cup(self.epoch), learning=True, lost=True).writes():
            self._outbox.write(write)
        self._custody.begin(now_us, self.fair.secrets, holds=False)
        self._epochs.forget()
        self._sync.begin(learning=True)
        self._wishes = Wishes(self.seat, self.epoch, self._mail.sign)
        self.log.drop_open()
        self._rejoin(now_us)

    def _rejoin(self, now_us: int) -> None:
        """Without a memory, send WANT, and a wish to leave."""
        if self.lost:
            self._mail.send_to_all(self._want)
            self._ask_to_leave(now_us)

    def _ask_to_leave(self, now_us: int) -> None:
        """Without a memory, wish to leave, if this seat is still in the match."""
        if self.waits_to_leave and (self.seat, Leave(self.seat)) not in self.wishes:
            self._mail.send_to_all(self._wishes.wish(Leave(self.seat), self.match.round, now_us))
