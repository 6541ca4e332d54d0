"""The rule set of ``sevens``."""

from dataclasses import dataclass
from typing import ClassVar

from game.open_rules import OpenRules
from game.options import check_options
from game.sheet import Choices, Numbers, choices_of, numbers_of
from game.status import Unit


@dataclass(frozen=True, slots=True)
class SevensRules(OpenRules):
    """``sevens`` with its options. Raises SetupError for a value an option does not have.

    Options: with ``seven_dice``, players throw seven dice at most twice, and any number of dice may
    form a seven (S-3). ``rounds`` are played in a match, a deciding round not counted (S-4).
    """

    family: ClassVar[str] = "sevens"
    unit: ClassVar[Unit] = Unit.ROUND

    seven_dice: bool = False
    rounds: int = 5

    def __post_init__(self) -> None:
        least = {"fewest_players": (2, None), "most_players": (2, None)}
        check_options(self, {"game": ("sevens",), **self.choices}, {**least, **self.numbers})

    @property
    def choices(self) -> Choices:
        """The options that are one of several values."""
        return choices_of(self.family, "sevens")

    @property
    def numbers(self) -> Numbers:
        """The options that are a number."""
        return numbers_of(self.family, "sevens")

    @property
    def dice(self) -> int:
        """The number of dice in every throw (S-1, S-3)."""
        return 7 if self.seven_dice else 6

    @property
    def throws(self) -> int:
        """The number of throws of the leader of a round (S-2, S-3)."""
        return 2 if self.seven_dice else 3


SEVENS = SevensRules("sevens", fewest_players=2, most_players=8)
