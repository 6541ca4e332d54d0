"""The rule set of ``sevens``."""

from dataclasses import dataclass
from typing import ClassVar

from game.options import check_options

SEVENS_CHOICES: dict[str, tuple[object, ...]] = {"seven_dice": (False, True)}
SEVENS_NUMBERS: dict[str, tuple[int, int | None]] = {"rounds": (1, None)}
"""The options and their least and greatest values; None means no upper bound."""


@dataclass(frozen=True, slots=True)
class SevensRules:
    """``sevens`` with its options. Raises SetupError for a value an option does not have.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table.

    Options: with ``seven_dice``, players throw seven dice at most twice, and any number of dice may
    form a seven (S-3). ``rounds`` are played in a match, a deciding round not counted (S-4).
    """

    family: ClassVar[str] = "sevens"

    game: str
    fewest_players: int
    most_players: int
    seven_dice: bool = False
    rounds: int = 5

    def __post_init__(self) -> None:
        check_options(
            self,
            {"game": ("sevens",), **SEVENS_CHOICES},
            {"fewest_players": (2, None), "most_players": (2, None), **SEVENS_NUMBERS},
        )

    def __hash__(self) -> int:
        # Quick, because positions are looked up by it; equality still compares every field.
        return hash(self.game)

    @property
    def dice(self) -> int:
        """The number of dice in every throw (S-1, S-3)."""
        return 7 if self.seven_dice else 6

    @property
    def throws(self) -> int:
        """The number of throws of the leader of a round (S-2, S-3)."""
        return 2 if self.seven_dice else 3


SEVENS = SevensRules("sevens", fewest_players=2, most_players=8)
