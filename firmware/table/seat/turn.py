"""The plain path of a turn: throw, act, show, pass the cup on, answer, take it; and requests.

A seat stops as it accuses another seat, or finds that two logs differ.

The holder enters them at once, whichever seat is to act. It first withdraws a proposed cup, in the
same transaction, and proposes it again under a new hop. An answer on its way is then void, and its
seat is asked again, if it is still to act. A cup that was given away is not called back.
"""

from firmware.journal import CAUGHT_KEY, CUP_KEY, Put
from firmware.table import handover
from firmware.table.commitment.fair_dice import Charge
from firmware.table.handover import Where, answer_of, can_be, choice_of, is_offered
from firmware.table.log.entries import Note, Wished
from firmware.table.protocol import ENTRIES_AT_ONCE, LAST_BYTES
from firmware.table.protocol.messages import EMPTY, Contents, CupAnswer, Log, Want
from firmware.table.seat.cup_custody import Accusation, at_table
from firmware.table.seat.parts import Mode, SeatParts, WaitingAnswer
from firmware.table.seat.wishes import WishAction
from game import AnyStep, Phase, hides_dice, illegality
from game.actions import Action, Announce, Fault, FaultKind, Keep, Lift, Roll

_EMPTY_AFTER = (Phase.OPENING, Phase.ROLL_AGAIN)
"""Phases in which nothing lies under the cup of a bluff game."""


# The player


def throw(parts: SeatParts, keep: Keep | None, now_us: int) -> Roll:
    """Throw the dice, with the cup here, and return what fell.

    A covered throw is sent at once, an open one by ``show``.

    Args:
        parts: the seat.
        keep: the dice set aside from the throw before; None for none.
        now_us: the time.
    """
    if keep is not None:
        enter(parts, keep, None, now_us)
    roll, note = parts.fair.throw(parts.match, parts.log.ledger)
    enter(parts, roll, note, now_us)
    if hides_dice(parts.match):
        show(parts, now_us)
    return roll


def act(parts: SeatParts, action: Action, now_us: int, wished: Wished | None = None) -> None:
    """Enter a legal action of the player here or of the table, with the cup here.

    ``wished``: the signed wishes for it, if it takes any.
    """
    proof = parts.fair.note(action, parts.match, parts.cup.contents, parts.log.ledger)
    enter(parts, action, wished or proof, now_us)
    show(parts, now_us)


def show(parts: SeatParts, now_us: int) -> None:
    """Send the others the own entries that were not sent yet."""
    parts.sync.send_new(now_us)


def pass_on(parts: SeatParts, now_us: int) -> None:
    """Propose the cup to the seat that acts next, if it is another one."""
    match, log = parts.match, parts.log
    if match.to_act is None or match.to_act == parts.seat or parts.cup.where is not Where.HOLDING:
        return
    show(parts, now_us)
    asks = match.phase is Phase.OFFERED
    said = match.said if asks and hides_dice(match) else None
    announced = said.value if isinstance(said, Announce) else None
    parts.left_us = now_us
    newest, propose = log.last(LAST_BYTES), parts.handover.propose
    react(parts, propose(match.to_act, asks, announced, log.at, now_us, newest), now_us)


def answer(parts: SeatParts, action: Action, now_us: int) -> None:
    """Answer the offered cup. The giver then sends it.

    The entries before the answer must be signed, so that no seat gets other ones. An earlier answer
    waits for the giver's signature. It counts for no other offer, not even for the same hop in the
    next epoch.
    """
    parts.waiting = WaitingAnswer(parts.epoch, parts.handover.offer, choice_of(action))
    answer_if_signed(parts, now_us)


def answer_if_signed(parts: SeatParts, now_us: int) -> None:
    """Send the waiting answer, once the entries before it are signed."""
    choice = parts.waiting_choice
    if choice is not None and parts.log.signed_at == parts.log.at:
        parts.waiting = WaitingAnswer(0, None, None)
        react(parts, parts.handover.answer(choice, now_us), now_us)


# The log


def enter(parts: SeatParts, action: Action, note: Note | None, now_us: int) -> None:
    """Enter an action; the next LOG carries it."""
    add_steps(parts, parts.sync.append(action, note))
    match = parts.match
    if hides_dice(match):  # in the other games nothing hidden lies in the cup
        if isinstance(action, Roll) and action.dice is not None:
            contents = parts.fair.contents(action, parts.log.ledger)
            react(parts, parts.handover.fill(contents), now_us)
        elif match.phase in _EMPTY_AFTER and parts.dice is not None:
            react(parts, parts.handover.fill(EMPTY), now_us)
    prepare_dice(parts, now_us)


def add_steps(parts: SeatParts, *steps: AnyStep) -> None:
    """Note steps of the match."""
    parts.steps.extend(steps)
    parts.wishes.question = None


# The cup


def accepts(parts: SeatParts, choice: CupAnswer, contents: Contents) -> bool:
    """Return whether this seat takes a cup with these contents after its answer."""
    return _charge_of(parts, choice, contents) is None


def _charge_of(parts: SeatParts, choice: CupAnswer, contents: Contents) -> Charge | None:
    """Return the charge against a cup that comes; None for none."""
    if not can_be(parts.match, parts.seat, choice, contents):
        return Charge.LOG
    return parts.log.ledger.problem(contents) if hides_dice(parts.match) else None


def react(parts: SeatParts, change: handover.Change, now_us: int) -> None:
    """Queue the writes and frames of a change of the handover, and react to its facts.

    A given cup that its taker refuses has been seen: the cup stays on its way.
    """
    (after, effects), cup = change, parts.cup
    if cup.where is Where.OFFERED and cup.peer is not None and after.cup.is_here:
        accuse(parts, cup.peer, Charge.ANSWER)
    else:
        _carry_out(parts, after, effects)
    offer = parts.handover.offer
    if parts.cup.where is not Where.IDLE or (offer is not None and offer.ready):
        parts.sync.set_unsynced(False)  # the log here equals the holder's
    for effect in effects:
        match effect:
            case handover.OfferArrived(giver=giver, ready=False):
                parts.mail.send(giver, parts.want)
            case handover.OfferArrived(giver=giver) if not is_offered(parts.match, parts.seat):
                accuse(parts, giver, Charge.CUP)
            case handover.CupTaken():
                parts.fair.cup_taken(effect)
                _enter_answer(parts, effect.choice, now_us)
            case handover.OfferAnswered():
                parts.fair.cup_given(effect)
            case handover.CupImpossible(_, giver, choice, contents):
                charge = _charge_of(parts, choice, contents)
                if charge is None or charge is Charge.LOG:
                    stop_logs_differ(parts)  # the log here may have grown since the answer
                else:
                    accuse(parts, giver, charge)
            case handover.Conflict(peer=peer) if not parts.unsynced:
                recent = max(0, parts.log.index - ENTRIES_AT_ONCE)  # the peer may have others
                parts.mail.send(peer, Want(recent, parts.want.nonce))
            case _:
                pass
    prepare_dice(parts, now_us)


def _carry_out(parts: SeatParts, after: handover.Handover, effects: handover.CupEffects) -> None:
    parts.handover = after
    for effect in effects:
        match effect:
            case handover.StoreCup(cup):
                parts.outbox.write(Put(CUP_KEY, cup.encode()))
            case handover.SendFrame(seat, frame):
                parts.outbox.send(seat, frame)


def begin_cup(parts: SeatParts, now_us: int, *, holds: bool) -> None:
    """Begin an epoch with an empty cup, here or elsewhere: the cup of the epoch before is void."""
    cup = handover.Cup(parts.epoch, Where.HOLDING if holds else Where.IDLE)
    parts.left_us = now_us
    _carry_out(parts, parts.new_handover(cup), (handover.StoreCup(cup),))


def _enter_answer(parts: SeatParts, choice: CupAnswer, now_us: int) -> None:
    """Enter the answer given for the cup, as this seat's first action as its holder."""
    action = answer_of(choice)
    if action is None:
        return
    act(parts, action, now_us)
    if parts.match.phase is Phase.DOUBTED:
        act(parts, Lift(parts.dice, parts.tower), now_us)


def prepare_dice(parts: SeatParts, now_us: int) -> None:
    """With the cup here, see that the dice have a commitment."""
    if parts.mode is not Mode.STOPPED:
        parts.fair.prepare(parts.cup, parts.match, parts.log.ledger, now_us)


# Stopping


def stop_logs_differ(parts: SeatParts) -> None:
    """Stop, as another seat's log differs from the one here. This names nobody."""
    accuse(parts, parts.seat, Charge.LOG)


def accuse(parts: SeatParts, seat: int, charge: Charge, proof: tuple[Log, ...] = ()) -> None:
    """Stop, and accuse a seat. All get the reason, repeatedly. It needs first-hand proof."""
    if parts.mode is not Mode.STOPPED:
        sends = parts.fair.proves
        stop(parts, Accusation(parts.seat, parts.seat, seat, charge, sends=sends, proof=proof))


def stop(parts: SeatParts, accusation: Accusation) -> None:
    """Stop with an accusation. One that rests on proof is kept in the journal."""
    parts.accusation = accusation
    if accusation.is_proof_bound:
        parts.outbox.write(Put(CAUGHT_KEY, accusation.encode()))
    parts.trouble = accusation.trouble


def enter_fault(parts: SeatParts, fault: Fault, now_us: int) -> None:
    """Enter a fault of the player here, if the cup is here; else drop it."""
    free = parts.mode is not Mode.STOPPED and parts.holding
    if free and illegality(parts.match, fault) is None:
        _interrupt(parts, fault, now_us)


def wish(parts: SeatParts, action: WishAction, now_us: int) -> None:
    """Send a wish of the player here to all. The holder of the cup enters it."""
    if parts.mode is not Mode.STOPPED:
        parts.mail.send_to_all(parts.wishes.wish(action, parts.match.round, now_us))
        enter_granted_wishes(parts, now_us)


def announce_question(parts: SeatParts, kind: FaultKind | None) -> None:
    """Send this seat's open fault question to all, once; None clears it."""
    if parts.mode is not Mode.STOPPED:
        parts.mail.send_to_all(parts.wishes.own_question(kind, parts.match.round))


def enter_granted_wishes(parts: SeatParts, now_us: int) -> None:
    """With the cup here, enter granted wishes (B-10)."""
    parts.wishes.forget(parts.match.round, at_table(parts.match), now_us)
    while parts.mode is not Mode.STOPPED and parts.holding and parts.match.to_act is not None:
        granted = parts.wishes.granted(at_table(parts.match))
        legal = (one for one in granted if illegality(parts.match, one[0]) is None)
        action, wished = next(legal, (None, None))
        if action is None:
            return
        _interrupt(parts, action, now_us, wished)
        parts.wishes.forget(parts.match.round, at_table(parts.match), now_us)


def _interrupt(parts: SeatParts, action: Action, now_us: int, wished: Wished | None = None) -> None:
    """Enter an action at once; withdraw a proposed cup."""
    proposed = parts.cup.where is Where.PROPOSED
    if proposed:
        react(parts, parts.handover.withdraw(), now_us)
    act(parts, action, now_us, wished)
    left = parts.seat not in at_table(parts.match)
    if proposed or left or parts.match.phase is Phase.OFFERED:
        pass_on(parts, now_us)
