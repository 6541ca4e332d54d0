"""Rule sets of the coaster games."""

from dataclasses import dataclass
from typing import ClassVar

from game.options import SetupError, check_options

COASTER_CHOICES: dict[str, tuple[object, ...]] = {"levelling": (False, True)}
"""The option of ``chicago`` and its values."""


@dataclass(frozen=True, slots=True)
class CoasterRules:
    """One coaster game with its options. Raises SetupError for a value an option does not have.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table,
    and ``coasters`` lie in the pile at the beginning (R-MAX-2, R-CHI-1).

    Option: ``levelling``, in ``chicago`` alone: may a player with three or more coasters give one
    to a player with one, before phase two (R-CHI-4)?
    """

    family: ClassVar[str] = "coaster"

    game: str
    fewest_players: int
    most_players: int
    coasters: int
    levelling: bool = False

    def __post_init__(self) -> None:
        check_options(
            self,
            {"game": ("maxen", "chicago"), **COASTER_CHOICES},
            {"fewest_players": (2, None), "most_players": (2, None), "coasters": (1, None)},
        )
        if self.levelling and self.game != "chicago":
            raise SetupError(f"levelling is an option of chicago alone, not of {self.game}")

    def __hash__(self) -> int:
        # Quick, because positions are looked up by it; equality still compares every field.
        return hash(self.game)


COASTER_GAMES = (
    CoasterRules("maxen", fewest_players=2, most_players=8, coasters=21),
    CoasterRules("chicago", fewest_players=2, most_players=5, coasters=6),
)
