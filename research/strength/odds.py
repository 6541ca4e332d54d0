"""The best chances that a game of open dice offers for a single goal.

Chances come from the rules' own ``rolls``; dice are kept, turned and stopped in the best way for
that goal. ``throws`` is how often the player may throw: the number that the leader took. Chances
and means of one hand alone are exact Fractions. Against players to come they are floats, good to
1e-12. In ``sevens`` the lower score is the better one.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from math import inf
from typing import Any

from game.coaster.rules import MOST_THROWS, ONES, RANKS, CoasterRules, Kind, kind
from game.dice import Dice
from game.open_dice import OpenRules
from game.options import SetupError
from game.sevens import SevensRules
from game.strategy import among, sevens
from game.strategy.among import NOT_LOWEST, Aim, aimed
from game.strategy.turns import HANDS, CoasterTurn


def best(
    rules: OpenRules, throws: int, worth: Callable[[Any], Fraction | int], turning: bool = True
) -> Fraction:
    """Return the greatest mean worth of a last hand.

    Args:
        rules: of the game, with its options.
        throws: 1 to ``rules.throws``.
        worth: of a hand, three dice high to low, or of a score of ``sevens``.
        turning: whether sixes may be turned in games of three dice (T-3, T-4).

    Raises:
        SetupError: nobody may throw that often.
    """
    _check(rules, throws)
    return _FAMILIES[rules.family].best(rules, throws, worth, turning)


def mean(rules: OpenRules, throws: int, turning: bool = True) -> Fraction:
    """Return the best mean of a hand; for arguments and errors see ``best``.

    The unit is points in ``chicago`` (C-1), the lowest score in ``sevens`` (S-1). In ``maxen`` it
    is the coasters the hand is worth, 0 for a General (M-1).
    """
    _check(rules, throws)
    return _FAMILIES[rules.family].mean(rules, throws, turning)


def kinds(rules: OpenRules) -> Mapping[str, Callable[[Any], bool]]:
    """Return the kinds of hands of the rules by name; ``best`` gives their chances.

    ``maxen`` has those of M-1, a Max also by its number; ``chicago`` has Chicago (C-2); ``sevens``
    has nothing left (S-1).
    """
    return _FAMILIES[rules.family].kinds(rules)


def marks(rules: OpenRules) -> Mapping[int, str]:
    """Return every hand to beat with a name, the lowest number first.

    The number is its rank (``RANKS``), the name dice that have it; in ``sevens`` both are a score.
    """
    return _FAMILIES[rules.family].marks(rules)


def least_loss(rules: OpenRules, throws: int, mark: int | None, to_come: int = 0) -> float:
    """Return the least chance to lose a round if every player plays for that alone.

    The loser has the lowest hand in games of three dice, the highest in ``sevens``; of equal hands
    the later one (M-3, C-2, S-4). Third throws of ``maxen`` count as open to those ``to_come``.

    Args:
        rules: of the game, with its options.
        throws: how often the player and those to come may throw; a leader chooses their own number.
        mark: the worst hand so far, one of ``marks``; None for a leader.
        to_come: how many players throw later, 0 or more; for a leader 1 or more.

    Raises:
        SetupError: there are no such throws, marks or players.
    """
    _check(rules, throws)
    if mark is not None and mark not in marks(rules):
        raise SetupError(f"a hand of {mark} in {rules.game}: choose one of those in marks(rules)")
    seats = 1 + (mark is not None) + to_come
    if to_come < 0 or seats not in range(2, rules.most_players + 1):
        raise SetupError(f"{seats} players of {rules.game}: choose 2 to {rules.most_players}")
    return _FAMILIES[rules.family].least_loss(rules, throws, mark, to_come)


@cache
def leading(game: str, aim: Aim, to_come: int) -> CoasterTurn:
    """Return the best turn of a leader, whose throws are the limit of all ``to_come`` (T-1)."""
    mark = -inf if aim.highest else inf
    ends = [among.reached(game, aim, to_come, n, mark) for n in range(1, MOST_THROWS + 1)]
    return CoasterTurn(game, MOST_THROWS, ends)


def _check(rules: OpenRules, throws: int) -> None:
    if throws not in range(1, rules.throws + 1):
        raise SetupError(f"{throws} throws of {rules.game}: choose 1 to {rules.throws}")


def _is(wanted: Kind, dice: Dice) -> bool:
    return kind(dice) is wanted


class _ThreeDice:
    def best(
        self, rules: Any, throws: int, worth: Callable[[Any], Fraction | int], turning: bool
    ) -> Fraction:
        ends = [Fraction(worth(hand)) for hand in HANDS]
        turn = CoasterTurn(rules.game, throws, [ends] * throws, turning=turning, exact=True)
        return Fraction(turn.worth)

    def mean(self, rules: Any, throws: int, turning: bool) -> Fraction:
        customs = rules.customs
        worths = customs.worths if customs.halves else customs.ranks
        return self.best(rules, throws, worths.__getitem__, turning)

    def kinds(self, rules: Any) -> Mapping[str, Callable[[Any], bool]]:
        if not rules.customs.halves:
            return {rules.game: ONES.__eq__}
        maxes = {f"max {high}": (high, 1, 1).__eq__ for high in range(2, 7)}
        return {each: partial(_is, each) for each in Kind} | maxes

    def marks(self, rules: Any) -> Mapping[int, str]:
        shown = {RANKS[rules.game][hand]: "".join(map(str, hand)) for hand in HANDS}
        return dict(sorted(shown.items()))

    def least_loss(self, rules: Any, throws: int, mark: int | None, to_come: int) -> float:
        if mark is None:
            return 1 - float(leading(rules.game, NOT_LOWEST, to_come).worth)
        return 1 - float(aimed(rules.game, NOT_LOWEST, to_come, throws, mark).worth)


class _Sevens:
    def best(
        self, rules: Any, throws: int, worth: Callable[[Any], Fraction | int], _turning: bool
    ) -> Fraction:
        scores = sevens.scores(rules).items()
        thrown = [(Fraction(worth(points)), chance) for points, chance in scores]
        found = min(thrown)[0]
        for _ in range(throws):
            found = sum((max(each, found) * chance for each, chance in thrown), Fraction(0))
        return found

    def mean(self, rules: Any, throws: int, turning: bool) -> Fraction:
        return -self.best(rules, throws, lambda points: -points, turning)

    def kinds(self, _rules: Any) -> Mapping[str, Callable[[Any], bool]]:
        return {"nothing left": (0).__eq__}

    def marks(self, rules: Any) -> Mapping[int, str]:
        return {points: str(points) for points in sevens.scores(rules)}

    def least_loss(self, rules: Any, throws: int, mark: int | None, to_come: int) -> float:
        seats = 1 + (mark is not None) + to_come
        solved = sevens.counted(rules, seats)
        worth = solved.worths[0] if mark is None else solved.thrown(1, 0, throws, (0, mark))[1]
        return (1 - (seats - 1) * worth) / seats


_FAMILIES: Mapping[str, _ThreeDice | _Sevens] = {
    CoasterRules.family: _ThreeDice(),
    SevensRules.family: _Sevens(),
}
