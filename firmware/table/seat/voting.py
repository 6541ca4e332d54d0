"""The way of a seat into a new epoch: absent seats, votes, decisions, and its own return."""

from dataclasses import replace

from firmware.journal import VOTES_KEY, Put
from firmware.table.commitment.fair_dice import Charge
from firmware.table.handover import Cup
from firmware.table.protocol.messages import GONE_AFTER_US, Recall, Vote, Want
from firmware.table.seat.cup_custody import NoProofs, at_table
from firmware.table.seat.memory import RecallQuestion, SeatState, proves_rollback
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.turn import (
    accuse,
    begin_cup,
    enter,
    pass_on,
    prepare_dice,
    stop_logs_differ,
)
from firmware.table.seat.votes import EPOCHS_PER_MATCH, Decision, Here, Votes, packed_votes
from firmware.table.seat.wishes import Wishes
from game import hides_dice, illegality
from game.actions import Leave, TableAction, VoidRound


def gone(parts: SeatParts, now_us: int) -> tuple[int, ...]:
    """Return the seats that may be gone for good.

    They were silent for long, or wish to leave and nobody has the cup to enter it. The log of an
    unsynced seat does not show who has left.
    """
    if not (parts.can_be_gone and parts.can_vote):
        return ()
    leaving = {seat for seat, action in parts.open_wishes if isinstance(action, Leave)}
    left = _left(parts)
    there = frozenset(range(parts.mail.players)) - left
    return tuple(
        seat
        for seat in (*sorted(there), *sorted(left & parts.log.holders))
        if seat != parts.seat
        and (seat in leaving or parts.inbox.silent_us(seat, now_us) > GONE_AFTER_US)
    )


def _left(parts: SeatParts) -> frozenset[int]:
    """Return the seats that have left, as all seats in this epoch know it.

    An unsynced seat ignores its log, which may have entries that this epoch began without.
    """
    if parts.unsynced:
        return parts.votes.left_behind(parts.epoch)
    return frozenset(range(parts.mail.players)) - {*at_table(parts.match)}


def _back(parts: SeatParts, now_us: int) -> frozenset[int]:
    """Return the seats that are heard of again; one that wishes to leave must also vote."""
    voters = dict(parts.open_votes)
    return frozenset(
        seat
        for seat in range(parts.mail.players)
        if parts.inbox.has_news(seat, now_us - GONE_AFTER_US)
        and ((seat, Leave(seat)) not in parts.open_wishes or seat in voters)
    )


def here(parts: SeatParts) -> Here:
    """Return this seat's epoch, the epoch of its log, and the log's end.

    The log of an unsynced seat belongs to an earlier epoch; others assume the first.
    """
    first = parts.epoch - parts.epoch % EPOCHS_PER_MATCH
    return Here(parts.epoch, first if parts.unsynced else parts.epoch, parts.log.signed_at)


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
    parts.peers.questions[sender] = want.nonce
    if want.first >= parts.sync.end or not parts.mode.may_serve_log:
        parts.mail.send(sender, _recall_of(parts, sender, parts.epoch))
    else:
        parts.mail.send(sender, Recall(want.nonce, more=True))


def answer_older_epoch(parts: SeatParts, epoch: int, sender: int, nonce: int) -> None:
    """Answer a seat that asks in an older epoch, if a later frame of it came."""
    if nonce:
        parts.peers.questions[sender] = nonce
        recall = _recall_of(parts, sender, epoch)
        if recall.later:
            parts.mail.send_in(epoch, sender, recall)


def _recall_of(parts: SeatParts, seat: int, epoch: int) -> Recall:
    """Return the RECALL for a seat that has asked, and is in ``epoch`` now."""
    return parts.peers.recall(seat, epoch, parts.votes.newest_of(seat))


def receive_recall(parts: SeatParts, sender: int, recall: Recall, now_us: int) -> None:
    """Take an answer to the last question; after the return, only from a late seat."""
    question = parts.question
    if question is None or recall.nonce != question.nonce:
        return
    if parts.mode is not Mode.RETURNING and sender not in question.open:
        return
    if proves_rollback(recall, parts.cup, parts.votes.mine):
        lose_memory(parts, now_us)
        return
    question.has_reaction = True
    if not recall.more:
        question.open.discard(sender)


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
    begin_cup(parts, now_us, holds=False)
    parts.votes = Votes(parts.seat, parts.mail.players, forgot=True)
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


BEAT_US = 9_000_000
"""Length of a beat: heartbeats differ from beat to beat. Less than `GONE_AFTER_US`."""


# Signs of life


def heartbeat(parts: SeatParts, now_us: int) -> Want:
    """Return a WANT with the current beat; a recorded one of an older beat does not count."""
    return replace(parts.want, beat=now_us // BEAT_US % Want.BEATS)


def _send_heartbeat(parts: SeatParts, seat: int, now_us: int) -> None:
    """Send WANT with the current beat to a seat that voted this one gone, once a beat."""
    beat = heartbeat(parts, now_us)
    if parts.heartbeats.get(seat) != beat.beat:
        parts.heartbeats[seat] = beat.beat
        parts.mail.send(seat, beat)


# Votes


def go_on_without(parts: SeatParts, seat: int, now_us: int) -> None:
    """Vote for going on without a seat, and without the cup it may have."""
    if parts.can_vote:
        left, back = _left(parts), _back(parts, now_us)
        _cast(parts, parts.votes.vote(seat, left, back, here(parts), now_us))
        begin_decided_epoch(parts, now_us)


def reconsider(parts: SeatParts, now_us: int) -> None:
    """Vote anew, if the own open vote cannot win any more."""
    if parts.can_vote and parts.match.to_act is not None:
        left, back = _left(parts), _back(parts, now_us)
        _cast(parts, parts.votes.reconsider(left, back, here(parts), now_us))


def _cast(parts: SeatParts, vote: Vote | None) -> None:
    """Write an own vote, if there is one, and send it to all."""
    if vote is not None:
        _write_votes(parts)
        parts.mail.send_vote(vote)


def _write_votes(parts: SeatParts) -> None:
    parts.outbox.write(Put(VOTES_KEY, packed_votes(parts.votes.all_votes)))


def receive_vote(parts: SeatParts, sender: int, vote: Vote, now_us: int) -> None:
    """Take a vote, maybe a forwarded one; follow the decision that it brings."""
    if parts.seat in vote.gone and parts.mode.may_vote:
        _send_heartbeat(parts, sender, now_us)
    if not parts.mail.has_signed(vote.voter, vote.statement, vote.signature):
        return
    if parts.mode is not Mode.LOST and _is_forgotten(parts, vote):
        lose_memory(parts, now_us)
        return
    returned = vote.voter == sender and sender in parts.peers.questions
    other = parts.votes.contradicted(vote)
    if other is not None and returned:
        parts.mail.send_vote(other, sender)  # shows the voter that it has lost its memory
    elif other is not None and parts.mode not in (Mode.RETURNING, Mode.LOST):
        accuse(parts, vote.voter, Charge.VOTE)
    if other is not None or not parts.votes.receive(vote, parts.epoch):
        return
    _write_votes(parts)
    if returned:
        parts.mail.send_vote(vote, sender)
    reconsider(parts, now_us)
    request_votes(parts, now_us)
    begin_decided_epoch(parts, now_us)


def _is_forgotten(parts: SeatParts, vote: Vote) -> bool:
    """Return whether this seat has signed a vote of this match, but does not know it."""
    is_mine = vote.voter == parts.seat and parts.is_same_match(vote.epoch)
    return is_mine and vote.statement not in {one.statement for one in parts.votes.mine}


def send_later_votes(parts: SeatParts, epoch: int, seat: int) -> None:
    """Send a seat in ``epoch`` this one's later votes, and those that decided this epoch."""
    decided = parts.votes.behind(parts.epoch) if epoch < parts.epoch else ()
    for vote in dict.fromkeys((*decided, *parts.votes.mine_after(epoch))):
        parts.mail.send_vote(vote, seat)


def request_votes(parts: SeatParts, now_us: int) -> None:
    """Send WANT to all, not too often; seats that voted for a newer epoch answer with votes."""
    if parts.requests.due(now_us):
        parts.requests = parts.requests.sent(now_us)
        parts.mail.send_to_all(parts.want)


# A new epoch


def gone_before(parts: SeatParts, seat: int, epoch: int) -> frozenset[int] | None:
    """Return the seats without which an epoch began with the cup at ``seat``, or None.

    Return all seats if the decision is unknown here.
    """
    decision = parts.votes.decided(epoch)
    if decision is None and epoch == parts.epoch:
        decision = parts.entered
    if epoch % EPOCHS_PER_MATCH == 0 or (decision and decision.keeper != seat):
        return None
    return decision.gone if decision else frozenset(range(parts.mail.players))


def began_with(parts: SeatParts, seat: int) -> bool:
    """Return whether this epoch can have begun with the cup at a seat, by the known votes."""
    return gone_before(parts, seat, parts.epoch) is not None


def begin_decided_epoch(parts: SeatParts, now_us: int) -> None:
    """Begin a decided epoch, if this seat is its keeper and has the longest log.

    If all voters are unsynced, nobody knows the beginning of the epoch before. The keeper then
    begins with its own log.
    """
    at = here(parts)
    decision = parts.votes.to_begin(at) if parts.mode.may_vote else None
    if decision is None:
        return
    longest = decision.base[decision.longest]
    if at.since == at.epoch and longest.index > at.at.index:
        parts.mail.send(decision.longest, parts.want)
    elif at.since == at.epoch and parts.log.position(longest.index) != longest:
        stop_logs_differ(parts)
    else:
        enter_epoch(parts, decision, now_us)
        void: tuple[TableAction, ...] = (VoidRound(),) if hides_dice(parts.match) else ()
        for action in (*void, *(Leave(seat) for seat in sorted(decision.gone))):
            if illegality(parts.match, action) is None:
                enter(parts, action, None, now_us)
        parts.sync.send_all(now_us)
        pass_on(parts, now_us)


def enter_epoch(parts: SeatParts, decision: Decision, now_us: int) -> None:
    """Enter a new epoch: a cup that was here is void."""
    parts.mail.enter(decision.epoch)
    parts.entered = decision
    keeps = decision.keeper == parts.seat and parts.mode is not Mode.LOST
    begin_cup(parts, now_us, holds=keeps)
    parts.wishes = Wishes(parts.seat, decision.epoch, parts.mail.sign)
    parts.log.drop_open()
    parts.sync.begin(unsynced=not keeps)
    parts.inbox.begin(now_us)
    prepare_dice(parts, now_us)
    rejoin(parts, now_us)
    if parts.mode is Mode.RETURNING:
        begin_question(parts, now_us)  # the answers count only in the epoch before
        repeat_question(parts, now_us)
    elif parts.mode is Mode.SYNCING:
        parts.mail.send(decision.keeper, parts.want)
