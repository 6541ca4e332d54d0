"""Requests that only the holder of the cup can enter: faults, and the wishes of the players.

The holder enters them at once, whichever seat is to act. It first withdraws a proposed cup, in the
same transaction, and proposes it again under a new hop. An answer on its way is then void, and its
seat is asked again, if it is still to act. A cup that was given away is not called back.
"""

from firmware.table.handover.cup import Where
from firmware.table.log.entries import Wished
from firmware.table.seat.mode import Mode
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.position import at_table
from firmware.table.seat.turn import act, pass_on, react
from firmware.table.seat.wishes import WishAction
from game import Phase, illegality
from game.actions import Action, Fault, FaultKind


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
        react(parts, parts.custody.withdraw(), now_us)
    act(parts, action, now_us, wished)
    left = parts.seat not in at_table(parts.match)
    if proposed or left or parts.match.phase is Phase.OFFERED:
        pass_on(parts, now_us)
