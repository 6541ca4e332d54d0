"""Where the cup stands, as a display tells it: at this handheld, and on its way from here."""

from enum import Enum, auto

from firmware.table.handover.cup import Cup, Where
from firmware.table.handover.handover import Heard
from firmware.table.seat.position import Position
from game import AnyMatch

SILENT_AFTER_US = 6_000_000
"""A peer that has shown no sign of life for this long is called silent."""


class CupProgress(Enum):
    """How far the cup that leaves here has come."""

    CALLING = auto()
    """The other handheld has not been heard of yet."""
    OFFERED = auto()
    """It shows the offer; its player thinks."""
    GIVING = auto()
    """It has answered, and the cup is on its way."""
    SILENT = auto()
    """It has not been heard of for a while."""


def position_of(cup: Cup, heard: Heard | None, match: AnyMatch, seat: int) -> Position:
    """Where a handheld stands on the cup's way; that it has stopped is not known here."""
    if match.to_act is None:
        return Position.OVER
    match cup.where:
        case Where.HOLDING:
            return Position.MINE if match.to_act == seat else Position.TO_PASS
        case Where.PROPOSED | Where.OFFERED:
            return Position.PASSING
        case Where.ANSWERED:
            return Position.TAKING
        case _ if heard is not None and heard.asks and heard.ready:
            return Position.OFFERED
        case _:
            return Position.WATCHING


def progress_of(where: Where, *, shown: bool, silent_us: int) -> CupProgress:
    """How far a cup has come that is proposed or offered.

    Args:
        where: how far the handover is.
        shown: whether the taker has said that it knows all of the record.
        silent_us: how long nothing has been heard of it.
    """
    silent = silent_us > SILENT_AFTER_US
    if where is Where.OFFERED:
        return CupProgress.SILENT if silent else CupProgress.GIVING
    if shown:
        return CupProgress.OFFERED
    return CupProgress.SILENT if silent else CupProgress.CALLING
