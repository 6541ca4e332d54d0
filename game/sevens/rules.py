"""The rule set of ``sevens``."""

from dataclasses import dataclass
from typing import ClassVar

from game.open_rules import OpenRules
from game.options import MOST_PLAYERS, check_choice, check_options, checked_handicap
from game.sheet import Option, options_of
from game.status import Unit

_OPTIONS = options_of("sevens", "sevens", {"seven_dice": False, "rounds": 5})


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
        check_choice("game", self.game, ("sevens",))
        check_options(self)
        handicap = checked_handicap(self.game, self.handicap, self.rounds - 1)
        object.__setattr__(self, "handicap", handicap)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the game, in the order of the sheet."""
        return _OPTIONS

    @property
    def pieces(self) -> tuple[str, ...]:
        """The ids of the rules, in the order in which they are told."""
        return "S-1 S-2 S-3: seven_dice", "S-5", "S-4: rounds", "B-10"

    @property
    def dice(self) -> int:
        """The number of dice in every throw (S-1, S-3)."""
        return 7 if self.seven_dice else 6

    @property
    def throws(self) -> int:
        """The number of throws of the leader of a round (S-2, S-3)."""
        return 2 if self.seven_dice else 3


SEVENS = SevensRules("sevens", fewest_players=2, most_players=MOST_PLAYERS)
