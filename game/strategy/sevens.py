"""When to stop in ``sevens``: every throw replaces the one before, so only its score counts.

Whoever is not the last to have the highest score has not lost. A later player throws for the score
to beat and nothing else; before him it counts how likely all later ones beat what one leaves them.
With two players, and for the last two of more, that is exact; see ``worths`` for the others.
"""

from collections.abc import Mapping
from functools import cache

from game.actions import Roll, SeatAction, Stop
from game.dice import throws
from game.engines import legal_actions
from game.sevens.state import SevensMatch
from game.sevens.values import score


@cache
def scores(seven_dice: bool) -> Mapping[int, float]:
    """Return the chance of every score of one throw."""
    chances: dict[int, float] = {}
    for dice, chance in throws(7 if seven_dice else 6):
        points = score(dice, seven_dice)
        chances[points] = chances.get(points, 0.0) + float(chance)
    return chances


@cache
def chance_below(seven_dice: bool, points: int, limit: int) -> float:
    """Return the chance of a score below ``points`` in ``limit`` throws."""
    once = sum(chance for each, chance in scores(seven_dice).items() if each < points)
    return 1.0 - (1.0 - once) ** limit


@cache
def lost(seven_dice: bool, points: int, worst: int | None, to_come: int, limit: int) -> float:
    """Return the chance to lose a round with ``points``.

    ``worst`` is the highest score before, None for none. ``to_come`` players follow, who may throw
    ``limit`` times.
    """
    if worst is not None and points < worst:
        return 0.0
    return chance_below(seven_dice, points, limit) ** to_come


@cache
def lost_on(
    seven_dice: bool, thrown: int, worst: int | None, to_come: int, limit: int, leads: bool
) -> float:
    """Return the chance to lose by who throws again, after ``thrown`` throws, and plays on well."""
    left = thrown + 1
    result = 0.0
    for points, chance in scores(seven_dice).items():
        stopped = lost(seven_dice, points, worst, to_come, left if leads else limit)
        if left < limit and stopped:
            stopped = min(stopped, lost_on(seven_dice, left, worst, to_come, limit, leads))
        result += chance * stopped
    return result


def worths(match: SevensMatch) -> Mapping[SeatAction, float]:
    """Return what each legal action of a seat that has thrown is worth: minus its chance to lose.

    Of later players but the last it is taken that they beat a score whenever they can, and do not
    care what else they leave.
    """
    dice, seven_dice, order = match.dice, match.rules.seven_dice, match.order
    assert dice is not None, "he has thrown"
    assert match.to_act is not None, "somebody has"
    place = order.index(match.to_act)
    before = [score(hand, seven_dice) for hand in match.hands if hand is not None]
    worst = max(before, default=None)
    to_come, leads = len(order) - place - 1, place == 0
    left = match.throws if leads else match.limit
    worth: dict[SeatAction, float] = {
        Stop(): -lost(seven_dice, score(dice, seven_dice), worst, to_come, left),
        Roll(): -lost_on(seven_dice, match.throws, worst, to_come, match.limit, leads),
    }
    return {action: worth[action] for action in legal_actions(match)}
