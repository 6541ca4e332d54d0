"""How a seat stops: it accuses another seat, or finds that two logs differ."""

from firmware.journal.keys import CAUGHT_KEY
from firmware.journal.writes import Put
from firmware.table.commitment.charges import Charge
from firmware.table.protocol.log_messages import Log
from firmware.table.seat.accusation import Accusation
from firmware.table.seat.mode import Mode
from firmware.table.seat.parts import SeatParts


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
