"""The worth of every choice in a game of open dice, and the best chances for a single goal.

Each solved family is a module with the functions of ``Solver``. A family without one is played by
personality, and nobody judges it.

Chances come from the rules' own ``rolls``; dice are kept, turned and stopped in the best way for
that goal. ``throws`` is how often the player may throw: the number that the leader took. Chances
and means of one hand alone are exact Fractions. Against players to come they are floats, good to
1e-12. In ``sevens`` the lower score is the better one.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from game.actions import SeatAction
from game.coaster.rules import CoasterRules
from game.open_dice import OpenMatch, OpenRules
from game.options import SetupError
from game.sevens import SevensRules
from game.status import Phase
from game.strategy import sevens, three_dice


class Solver(Protocol):
    """A solved family. The functions of this module and of ``odds`` describe those of its names.

    ``chances`` returns those of the seats that have one; the others have chance 0.
    """

    def for_the_match(self, rules: Any, players: int) -> bool: ...
    def prepare(self, rules: Any, players: int) -> None: ...
    def prepare_round(self, match: Any) -> None: ...
    def worths(self, match: Any) -> Mapping[SeatAction, float]: ...
    def chances(self, match: Any) -> Mapping[int, float]: ...
    def best(
        self, rules: Any, throws: int, worth: Callable[[Any], Fraction | int], turning: bool
    ) -> Fraction: ...
    def mean(self, rules: Any, throws: int, turning: bool) -> Fraction: ...
    def kinds(self, rules: Any) -> Mapping[str, Callable[[Any], bool]]: ...
    def marks(self, rules: Any) -> Mapping[int, str]: ...
    def least_loss(self, rules: Any, throws: int, mark: int | None, to_come: int) -> float: ...


SOLVERS: Mapping[str, Solver] = {CoasterRules.family: three_dice, SevensRules.family: sevens}
"""The solved families of open dice by name."""


def for_the_match(rules: OpenRules, players: int) -> bool:
    """Return whether worths are chances not to lose the match; else they are of one round."""
    return SOLVERS[rules.family].for_the_match(rules, players)


def prepare(rules: OpenRules, players: int) -> None:
    """Make the tables now that later choices are looked up in."""
    if rules.family in SOLVERS:
        SOLVERS[rules.family].prepare(rules, players)


def prepare_round(match: OpenMatch) -> None:
    """Make the tables of the round that begins; without one there is nothing to do."""
    if match.phase is Phase.TO_THROW and match.rules.family in SOLVERS:
        SOLVERS[match.rules.family].prepare_round(match)


def worths(match: OpenMatch) -> Mapping[SeatAction, float]:
    """Return the worth of each legal action to the seat that has thrown, or may give a coaster.

    ``match`` may be any view of it: covered dice are not used. See ``sevens.worths`` and
    ``three_dice.worths`` for the unit.
    """
    return SOLVERS[match.rules.family].worths(match)


def chances(match: OpenMatch) -> tuple[float, ...]:
    """Return by seat the chance not to lose the match, between rounds, if ``for_the_match``.

    A seat that has left has chance 0.
    """
    by_seat = SOLVERS[match.rules.family].chances(match)
    return tuple(by_seat.get(seat, 0.0) for seat in range(len(match.players)))


def _check(rules: OpenRules, throws: int) -> None:
    if throws not in range(1, rules.throws + 1):
        raise SetupError(f"{throws} throws of {rules.game}: choose 1 to {rules.throws}")


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
    return SOLVERS[rules.family].best(rules, throws, worth, turning)


def mean(rules: OpenRules, throws: int, turning: bool = True) -> Fraction:
    """Return the best mean of a hand; for arguments and errors see ``best``.

    The unit is points in ``chicago`` (C-1), the lowest score in ``sevens`` (S-1). In ``maxen`` it
    is the coasters the hand is worth, 0 for a General (M-1).
    """
    _check(rules, throws)
    return SOLVERS[rules.family].mean(rules, throws, turning)


def kinds(rules: OpenRules) -> Mapping[str, Callable[[Any], bool]]:
    """Return the kinds of hands of the rules by name; ``best`` gives their chances.

    ``maxen`` has those of M-1, a Max also by its number; ``chicago`` has Chicago (C-2); ``sevens``
    has nothing left (S-1).
    """
    return SOLVERS[rules.family].kinds(rules)


def marks(rules: OpenRules) -> Mapping[int, str]:
    """Return every hand to beat with a name, the lowest number first.

    The number is its rank (``RANKS``), the name dice that have it; in ``sevens`` both are a score.
    """
    return SOLVERS[rules.family].marks(rules)


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
    return SOLVERS[rules.family].least_loss(rules, throws, mark, to_come)
