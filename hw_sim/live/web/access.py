"""Access: what a page may see and do."""

from dataclasses import dataclass
from typing import Final

from firmware.display.text.language import Language
from hw_sim.live.web import incoming

NOT_OVER: Final = "The game is not over: come back when it is.\n"


class NoAnswerError(Exception):
    """There is no answer: a status of HTTP, and the reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Rights:
    """The rights of a page.

    Attributes:
        view: what it shows.
        language: of what it is sent.
        seat: the seat it plays, None if it only watches.
        entitled: seats whose panels it may see.
        bench: whether it may pause the table, break things and so on.
    """

    view: incoming.View
    language: Language
    seat: int | None
    entitled: frozenset[int]
    bench: bool


NOBODY: Final = Rights("seat", "en", None, frozenset(), bench=False)
"""The rights of whoever only reads what all may."""


def rights_of(
    view: incoming.View,
    language: Language,
    seat: int | None,
    *,
    alone: bool = False,
) -> Rights:
    """Return the rights of a page that plays a seat, or (None) none.

    ``alone``: only one person plays, who may do everything.
    """
    entitled = frozenset[int]() if seat is None else frozenset((seat,))
    return Rights(view, language, seat, entitled, alone and seat is not None)
