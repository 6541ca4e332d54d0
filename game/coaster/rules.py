"""Rule sets of the coaster games."""

from dataclasses import dataclass
from typing import ClassVar

from game.coaster.customs import CUSTOMS, CoasterCustoms
from game.open_rules import OpenRules
from game.options import Choices, SetupError, check_options

_CHOICES: Choices = {"levelling": (False, True)}


@dataclass(frozen=True, slots=True)
class CoasterRules(OpenRules):
    """One coaster game with its options. Raises SetupError for a value an option does not have.

    ``coasters`` lie in the pile at the beginning (R-MAX-2, R-CHI-1).

    Option: ``levelling``, in games that can have it: may a player with three or more coasters give
    one to a player with one, before phase two (R-CHI-4)?
    """

    family: ClassVar[str] = "coaster"

    coasters: int
    levelling: bool = False

    def __post_init__(self) -> None:
        check_options(
            self,
            {"game": tuple(CUSTOMS), **_CHOICES},
            {"fewest_players": (2, None), "most_players": (2, None), "coasters": (1, None)},
        )
        if self.levelling and not self.customs.can_level:
            can = ", ".join(game for game, customs in CUSTOMS.items() if customs.can_level)
            raise SetupError(f"levelling is an option of {can} alone, not of {self.game}")

    @property
    def customs(self) -> CoasterCustoms:
        """The rules that the game's own text fixes."""
        return CUSTOMS[self.game]

    @property
    def choices(self) -> Choices:
        """The options that are one of several values."""
        return _CHOICES if self.customs.can_level else {}


COASTER_GAMES = tuple(
    CoasterRules(game, 2, customs.most_players, customs.coasters)
    for game, customs in CUSTOMS.items()
)
