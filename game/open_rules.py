"""The rules that every family of open dice has."""

from dataclasses import dataclass
from typing import ClassVar

from game.sheet import Choices, Numbers
from game.status import Unit


@dataclass(frozen=True, slots=True)
class OpenRules:
    """The rules of a game of open dice, as far as all have them.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table.
    ``choices`` and ``numbers`` are its options, as ``check_options`` takes them.
    """

    family: ClassVar[str]
    unit: ClassVar[Unit] = Unit.COASTER
    tower_one_in: ClassVar[int] = 0

    game: str
    fewest_players: int
    most_players: int

    @property
    def throws(self) -> int:
        """The most throws of a leader, without a bonus (T-1, S-2)."""
        return 3

    @property
    def choices(self) -> Choices:
        """The options that are one of several values."""
        return {}

    @property
    def numbers(self) -> Numbers:
        """The options that are a number."""
        return {}
