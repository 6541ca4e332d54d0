"""The way of a seat into a new epoch: it takes votes, and begins or follows a decision."""

from dataclasses import replace

from firmware.table.commitment.charges import Charge
from firmware.table.protocol.log_messages import Want
from firmware.table.protocol.table_messages import Vote
from firmware.table.seat.absence import around
from firmware.table.seat.epochs import Begins, Lacks, RecordDiffers, VotedTwice
from firmware.table.seat.mode import Mode
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.returning import begin_question, lose_memory, rejoin, repeat_question
from firmware.table.seat.turn import accuse, enter, pass_on, prepare_dice, stop_logs_differ
from firmware.table.seat.votes import Decision, Here
from firmware.table.seat.wishes import Wishes
from game import hides_dice, illegality
from game.actions import Leave, TableAction, VoidRound

BEAT_US = 9_000_000
"""Length of a beat: heartbeats differ from beat to beat. Less than `GONE_AFTER_US`
of ``firmware.table.seat.absence``."""


def _here(parts: SeatParts) -> Here:
    return parts.epochs.here(parts.log.signed_at, unsynced=parts.unsynced)


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
    if parts.mode.may_vote and parts.epochs.can_vote:
        parts.epochs.vote_without(seat, around(parts, now_us), _here(parts), now_us)
        begin_decided_epoch(parts, now_us)


def reconsider(parts: SeatParts, now_us: int) -> None:
    """Vote anew, if the own open vote cannot win any more."""
    if parts.mode.may_vote and parts.match.to_act is not None:
        parts.epochs.reconsider(around(parts, now_us), _here(parts), now_us)


def receive_vote(parts: SeatParts, sender: int, vote: Vote, now_us: int) -> None:
    """Take a vote, maybe a forwarded one; follow the decision that it brings."""
    if parts.seat in vote.gone and parts.mode.may_vote:
        _send_heartbeat(parts, sender, now_us)
    if parts.mode is not Mode.LOST and parts.epochs.forgets(vote):
        lose_memory(parts, now_us)
        return
    returned = vote.voter == sender and bool(parts.peers.nonce(sender))
    match parts.epochs.receive(vote):
        case VotedTwice(other=other) if returned:
            parts.mail.send_vote(other, sender)  # shows the voter that it has lost its memory
            return
        case VotedTwice(voter) if parts.mode not in (Mode.RETURNING, Mode.LOST):
            accuse(parts, voter, Charge.VOTE)
            return
        case True:
            if returned:
                parts.mail.send_vote(vote, sender)
        case _:
            return
    reconsider(parts, now_us)
    request_votes(parts, now_us)
    begin_decided_epoch(parts, now_us)


def request_votes(parts: SeatParts, now_us: int) -> None:
    """Send WANT to all, not too often; seats that voted for a newer epoch answer with votes."""
    if parts.epochs.may_request(now_us):
        parts.mail.send_to_all(parts.want)


# A new epoch


def begin_decided_epoch(parts: SeatParts, now_us: int) -> None:
    """Begin a decided epoch, if this seat is its keeper and has the longest log."""
    if not parts.mode.may_vote:
        return
    match parts.epochs.to_begin(parts.log, _here(parts)):
        case Lacks(voter):
            parts.mail.send(voter, parts.want)
        case RecordDiffers():
            stop_logs_differ(parts)
        case Begins(decision):
            enter_epoch(parts, decision, now_us)
            void: tuple[TableAction, ...] = (VoidRound(),) if hides_dice(parts.match) else ()
            for action in (*void, *(Leave(seat) for seat in sorted(decision.without))):
                if illegality(parts.match, action) is None:
                    enter(parts, action, None, now_us)
            parts.sync.send_all(now_us)
            pass_on(parts, now_us)


def enter_epoch(parts: SeatParts, decision: Decision, now_us: int) -> None:
    """Enter a new epoch: a cup that was here is void."""
    parts.epochs.enter(decision)
    keeps = decision.keeper == parts.seat and parts.mode is not Mode.LOST
    parts.custody.begin(now_us, parts.fair.secrets, holds=keeps)
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
