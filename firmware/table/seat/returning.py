"""The return of a seat that had no power: it first asks the others what they know of it."""

from firmware.table.handover.cup import Cup
from firmware.table.protocol.log_messages import Recall, Want
from firmware.table.seat.fair_throws import NoProofs
from firmware.table.seat.mode import Mode
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.position import at_table
from firmware.table.seat.recall import RecallQuestion, proves_rollback
from firmware.table.seat.storage import SeatState
from firmware.table.seat.wishes import Wishes
from game.actions import Leave


def begin_question(parts: SeatParts, now_us: int) -> None:
    """Question all others at the table, if the journal may be old and they are elsewhere."""
    others = {seat for seat in at_table(parts.match) if seat != parts.seat}
    parts.returning = False
    plays = parts.mode in (Mode.PLAYING, Mode.SYNCING)
    if parts.resumed and plays and parts.can_be_gone and others:
        nonce = 1 + int.from_bytes(parts.entropy(2), "big") % (Want.NONCES - 1)
        parts.question = RecallQuestion(others, nonce, now_us)
        parts.returning = True


def repeat_question(parts: SeatParts, now_us: int) -> None:
    """Send the question to the seats that have not answered, if it is time."""
    if parts.returning and parts.question is not None and parts.question.due(now_us):
        for seat in sorted(parts.question.open):
            parts.mail.send(seat, parts.want)


def answer_question(parts: SeatParts, sender: int, want: Want) -> None:
    """Answer a seat that had no power; entries go first, if it lacks any."""
    if not want.nonce:
        return
    parts.peers.note_question(sender, want.nonce)
    if want.first >= parts.sync.end or not parts.mode.may_serve_log:
        parts.mail.send(sender, _recall_of(parts, sender, parts.epoch))
    else:
        parts.mail.send(sender, Recall(want.nonce, more=True))


def answer_older_epoch(parts: SeatParts, epoch: int, sender: int, nonce: int) -> None:
    """Answer a seat that asks in an older epoch, if a later frame of it came."""
    if nonce:
        parts.peers.note_question(sender, nonce)
        recall = _recall_of(parts, sender, epoch)
        if recall.later:
            parts.mail.send_in(epoch, sender, recall)


def _recall_of(parts: SeatParts, seat: int, epoch: int) -> Recall:
    """Return the RECALL for a seat that has asked, and is in ``epoch`` now."""
    return parts.peers.recall(seat, epoch, parts.epochs.newest_of(seat))


def receive_recall(parts: SeatParts, sender: int, recall: Recall, now_us: int) -> None:
    """Take an answer to the last question; after the return, only from a late seat."""
    question = parts.question
    if question is None or recall.nonce != question.nonce:
        return
    if parts.mode is not Mode.RETURNING and sender not in question.open:
        return
    if proves_rollback(recall, parts.cup, parts.epochs.votes.mine):
        lose_memory(parts, now_us)
        return
    question.note_reaction()
    if not recall.more:
        question.note_answer(sender)


def question_late(parts: SeatParts, sender: int, first: int) -> None:
    """After the return, question a seat that has not answered, or has further entries.

    ``first``: the first entry that this seat lacks.
    """
    question = parts.question
    if question is None or parts.mode is Mode.RETURNING or sender not in parts.mail.others:
        return
    if sender in question.open or first > parts.log.signed_at.index:
        parts.mail.send(sender, Want(parts.want.first, question.nonce))


def lose_memory(parts: SeatParts, now_us: int) -> None:
    """Note that the journal is old: this handheld has lost its memory of the match."""
    parts.returning, parts.question = False, None
    parts.lost = True
    parts.fair = NoProofs(parts.entropy)
    for write in SeatState(Cup(parts.epoch), unsynced=True, lost=True).writes():
        parts.outbox.write(write)
    parts.custody.begin(now_us, parts.fair.secrets, holds=False)
    parts.epochs.forget()
    parts.sync.begin(unsynced=True)
    parts.wishes = Wishes(parts.seat, parts.epoch, parts.mail.sign)
    parts.log.drop_open()
    rejoin(parts, now_us)


def rejoin(parts: SeatParts, now_us: int) -> None:
    """Without a memory, send WANT, and a wish to leave."""
    if parts.lost:
        parts.mail.send_to_all(parts.want)
        wish_to_leave(parts, now_us)


def wish_to_leave(parts: SeatParts, now_us: int) -> None:
    """Without a memory, wish to leave, if this seat is still in the match."""
    leave = Leave(parts.seat)
    if parts.waits_to_leave and (parts.seat, leave) not in parts.open_wishes:
        parts.mail.send_to_all(parts.wishes.wish(leave, parts.match.round, now_us))
