"""Lines about hardware that the bench lacks, where a program may have failed by it."""

from ..board.board import Board
from ..parts.catalogue import kinds_at
from .libraries import LACKING

MOST_UNANSWERED = 8
"""A program that asked more addresses in vain looks for what is there."""


def hints(error: BaseException | None, board: Board) -> list[str]:
    """Return lines about modules in ``error`` and its causes, and about I2C without an answer."""
    names: list[str] = []
    said = str(error)
    while error is not None:
        if isinstance(error, ImportError) and error.name is not None:
            names.append(error.name.partition(".")[0])
        error = error.__cause__ or error.__context__
    lines = [f"no {name} on the bench: {LACKING[name]}" for name in names if name in LACKING]
    lines = [line for line in lines if line != said]
    vain = sorted(board.bus.unanswered - set(board.addresses.values()))
    for address in vain if len(vain) <= MOST_UNANSWERED else ():
        kinds = " or ".join(kinds_at(address))
        who = kinds or "no part of the bench"
        lines.append(f"nobody answered at 0x{address:02X} on /dev/i2c-1: {who} can")
    return lines
