"""The reaction of a seat to each kind of message, by its mode.

``HANDLERS`` is the one table of modes and kinds; PROTOCOL.md shows it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from firmware.table.commitment.fair_dice import Charge
from firmware.table.protocol.layout import MessageKind
from firmware.table.protocol.messages import (
    KINDS,
    Caught,
    Fresh,
    Message,
    Propose,
    Question,
    Share,
    Want,
    Wish,
)
from firmware.table.seat.fair_throws import Accusation
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.sync import adopt, can_hold, knows_beginning, receive_log
from firmware.table.seat.turn import accepts, accuse, enter_granted_wishes, react, stop
from firmware.table.seat.voting import (
    answer_question,
    question_late,
    receive_recall,
    receive_vote,
    request_votes,
)

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
