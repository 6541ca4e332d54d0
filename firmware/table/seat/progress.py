"""The cup's position and progress, for displays."""

from enum import Enum, auto

from firmware.table.handover.cup import Cup, Where
from firmware.table.handover.handover import PendingOffer
from firmware.table.seat.position import Position
from game import AnyMatch

SILENT_AFTER_US = 6_000_000
"""A peer without a sign of life for this long counts as silent."""


class CupProgress(Enum):
    """The progress of a cup that leaves this seat."""

    CALLING = auto()
    """The other handheld has not been heard of yet."""
    OFFERED = auto()
    """It shows the offer; its player thinks."""
    GIVING = auto()
    """It has answered, and the cup is on its way."""
    SILENT = auto()
    """It has not been heard of for a while."""


def position_of(cup: Cup, offer: PendingOffer | None, match: AnyMatch, seat: int) -> Position:
    """Return a handheld's position, except STOPPED, which is unknown here."""
    if match.to_act is None:
        return Position.OVER
    match cup.where:
        case Where.HOLDING:
            return Position.MINE if match.to_act == seat else Position.TO_PASS
        case Where.PROPOSED | Where.OFFERED:
            return Position.PASSING
        case Where.ANSWERED:
            return Position.TAKING
        case _ if offer is not None and offer.asks and offer.ready:
            return Position.OFFERED
        case _:
            return Position.WATCHING


def progress_of(where: Where, *, shown: bool, silent_us: int) -> CupProgress:
    """Return the progress of a proposed or offered cup.

    Args:
        where: the state of the handover.
        shown: whether the taker has confirmed the whole log.
        silent_us: the time since the taker's last frame.
    """
    silent = silent_us > SILENT_AFTER_US
    if where is Where.OFFERED:
        return CupProgress.SILENT if silent else CupProgress.GIVING
    if shown:
        return CupProgress.OFFERED
    return CupProgress.SILENT if silent else CupProgress.CALLING
