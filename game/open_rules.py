"""The rules that every family of open dice has."""

from dataclasses import dataclass, field
from typing import ClassVar

from game.options import Handicap
from game.sheet import Option
from game.status import Unit


@dataclass(frozen=True, slots=True)
class OpenRules:
    """The rules of a game of open dice, as far as all have them.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table.
    ``pieces`` are its rules in the order in which they are told, as in ``game.bluff.rules``.
    ``handicap`` is no option of the sheet: the coasters of each seat before the first round.
    """

    family: ClassVar[str]
    unit: ClassVar[Unit] = Unit.COASTER
    tower_one_in: ClassVar[int] = 0

    game: str
    fewest_players: int
    most_players: int
    handicap: Handicap = field(default=(), kw_only=True)

    @property
    def throws(self) -> int:
        """The most throws of a leader, without a bonus (T-1, S-2)."""
        return 3

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the game, in the order of the sheet."""
        return ()

    @property
    def pieces(self) -> tuple[str, ...]:
        """The ids of the rules, in the order in which they are told."""
        return ()
