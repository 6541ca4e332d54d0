"""Legality in ``sevens``: one check, from which the lists of legal actions follow.

``Roll(None)`` stands for any dice.
"""

from collections.abc import Mapping

from game.actions import Roll, SeatAction, Stop
from game.dice import are_dice
from game.open_dice import OPEN_CHECKS
from game.reasons import IF_OVER, Check, Reason, checked, outside
from game.sevens.state import SevensMatch, SevensPosition
from game.status import OVER, THROWN


def _roll(match: SevensPosition, action: Roll) -> Reason | None:
    if action.tower is not False:
        return Reason.NOT_IN_THIS_GAME
    if action.dice is not None and not are_dice(action.dice, match.rules.dice):
        return Reason.NOT_ALL_DICE
    return None


CHECKS: Mapping[type, Check] = {
    Roll: checked(IF_OVER, _roll),
    Stop: checked(outside((THROWN,), IF_OVER, Reason.FIRST_THROW_DUE)),
    **OPEN_CHECKS,
}
"""By action: the check that returns why it is not possible now, or None if it is."""

_FIRST: tuple[SeatAction, ...] = (Roll(),)
_AGAIN: tuple[SeatAction, ...] = (Roll(), Stop())


def legal_actions(match: SevensMatch) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` stands for any dice. A turn ends by itself with its last throw.
    """
    phase = match.phase
    if phase is THROWN:
        return _AGAIN
    return () if phase is OVER else _FIRST
