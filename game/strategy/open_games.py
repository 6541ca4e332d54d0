"""The worth of every choice in a game of open dice.

Each solved family is a module with the functions of ``Solver``. A family without one is played by
personality, and nobody judges it.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from game.actions import SeatAction
from game.coaster.rules import CoasterRules
from game.open_dice import OpenMatch, OpenRules
from game.sevens import SevensRules
from game.status import Phase
from game.strategy import sevens, three_dice


class Solver(Protocol):
    """A solved family. The functions of this module describe those of its names.

    ``chances`` returns those of the seats that have one; the others have chance 0.
    """

    def for_the_match(self, rules: Any, players: int) -> bool: ...
    def prepare(self, rules: Any, players: int) -> None: ...
    def prepare_round(self, match: Any) -> None: ...
    def worths(self, match: Any) -> Mapping[SeatAction, float]: ...
    def chances(self, match: Any) -> Mapping[int, float]: ...


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
