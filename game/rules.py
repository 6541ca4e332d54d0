"""Rule sets: a game is data, and its options are fields.

``RULES["class"]`` is a game with its default options, and
``dataclasses.replace(RULES["class"], stakes="drinks")`` a variant of it. Every rule set is checked
when it is built.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

Ends = Literal["first_out", "last_standing"]
Stakes = Literal["matches", "drinks"]
Understating = Literal["no_lie", "lie"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "ends": get_args(Ends),
    "stakes": get_args(Stakes),
    "understating": get_args(Understating),
}
_NUMBERS = ("fewest_players", "most_players", "credit", "rolls", "looks")


class SetupError(ValueError):
    """A match cannot be set up like this; the message is one line that says what would do."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One bluff game with its options. Raises SetupError for a value an option does not have.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table.
    ``credit`` is the number of matches everybody starts with (R-CLASS-1). A holder has ``rolls``
    rolls and may look at the first ``looks`` of them (R-CLASS-4).

    Options: ``ends`` with the first player out, or when one is left (R-CLASS-2). ``stakes`` are
    matches, or drinks that are only counted (R-CLASS-3). ``understating``: is announcing less than
    the dice show a lie (B-4)?
    """

    game: str
    fewest_players: int
    most_players: int
    credit: int
    rolls: int
    looks: int
    ends: Ends = "first_out"
    stakes: Stakes = "matches"
    understating: Understating = "no_lie"

    def __post_init__(self) -> None:
        for option, choices in _CHOICES.items():
            value = getattr(self, option)
            if value not in choices:
                raise SetupError(f"{option} is one of {', '.join(choices)}, not {value!r}")
        for number in _NUMBERS:
            value = getattr(self, number)
            if type(value) is not int or value < 1:
                raise SetupError(f"{number} is a whole number from 1, not {value!r}")

    def __hash__(self) -> int:
        # Quick, because positions are looked up by it; equality still compares every field.
        return hash(self.game)

    def check_table(self, players: tuple[str, ...], first: int) -> None:
        """Check who is to play and that seat ``first`` can open. Raises SetupError if not."""
        if not self.fewest_players <= len(players) <= self.most_players:
            raise SetupError(
                f"{self.game} is for {self.fewest_players} to {self.most_players} players, "
                f"not {len(players)}"
            )
        for seat, name in enumerate(players):
            if not isinstance(name, str) or not name.strip() or not name.isprintable():
                raise SetupError(f"seat {seat} needs a name that can be shown, not {name!r}")
            if name in players[:seat]:
                raise SetupError(f"seats {players.index(name)} and {seat} are both called {name!r}")
        if type(first) is not int or not 0 <= first < len(players):
            raise SetupError(f"the first opener is a seat from 0 to {len(players) - 1}: {first!r}")


RULES: Mapping[str, RuleSet] = MappingProxyType(
    {"class": RuleSet("class", fewest_players=3, most_players=8, credit=3, rolls=2, looks=1)}
)
"""The games by name, each with its default options."""
