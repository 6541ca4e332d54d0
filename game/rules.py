"""Rule sets: a game is data, and its options are fields.

``RULES["class"]`` is a game with its default options, and
``dataclasses.replace(RULES["class"], stakes="drinks")`` a variant of it. Every rule set is checked
when it is built.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal, get_args

from game.bluff.customs import CUSTOMS, Customs
from game.coaster.rules import COASTER_CHOICES, COASTER_GAMES, CoasterRules
from game.options import Option, SetupError, check_options
from game.sevens.rules import SEVENS, SEVENS_CHOICES, SEVENS_NUMBERS, SevensRules

Ends = Literal["first_out", "last_standing"]
Stakes = Literal["matches", "drinks", "points"]
Understating = Literal["no_lie", "lie"]

_CLASS_CHOICES: dict[str, tuple[object, ...]] = {
    "ends": get_args(Ends),
    "stakes": ("matches", "drinks"),
    "understating": get_args(Understating),
}
_CLASS_NUMBERS: dict[str, tuple[int, int | None]] = {
    "fewest_players": (1, None),
    "most_players": (1, None),
    "credit": (1, None),
    "rolls": (1, None),
    "looks": (1, None),
}
_HOLY_FAMILY_NUMBERS: dict[str, tuple[int, int | None]] = {
    "points": (1, 10),
    "losers": (1, 2),
    "tower_one_in": (2, None),
}


@dataclass(frozen=True)
class RuleSet:
    """One bluff game with its options. Raises SetupError for a value an option does not have.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table.
    ``credit`` is the number of matches everybody starts with, 0 where none are played for
    (R-CLASS-1). A holder has ``rolls`` rolls and may look at the first ``looks`` of them
    (R-CLASS-4, R-PHYS-1, R-HF-1).

    Options of ``class``: ``ends`` with the first player out, or when one is left (R-CLASS-2).
    ``stakes`` are matches, or drinks that are only counted (R-CLASS-3). ``understating``: is
    announcing less than the dice show a lie (B-4)?

    Options of ``holy-family``, 0 elsewhere: a player with ``points`` has lost, and ``losers``
    players lose (R-HF-4). Of ``tower_one_in`` rolls of virtual dice one is a tower (R-HF-8).
    ``physicist`` has no options.
    """

    family: ClassVar[str] = "bluff"

    game: str
    fewest_players: int
    most_players: int
    credit: int
    rolls: int
    looks: int
    ends: Ends = "first_out"
    stakes: Stakes = "matches"
    understating: Understating = "no_lie"
    points: int = 0
    losers: int = 0
    tower_one_in: int = 0

    def __post_init__(self) -> None:
        own = _BLUFF_GAMES.get(self.game)
        if own is None:
            raise SetupError(f"{self.game!r} is no bluff game: {', '.join(_BLUFF_GAMES)}")
        choices = _CLASS_CHOICES if self.game == "class" else {}
        numbers = {"class": _CLASS_NUMBERS, "holy-family": _HOLY_FAMILY_NUMBERS}.get(self.game, {})
        for field in fields(self):
            name = field.name
            fixed = own.get(name, field.default)
            if name not in ("game", *choices, *numbers) and getattr(self, name) != fixed:
                raise SetupError(f"{name} is no option of {self.game}: leave it at {fixed!r}")
        check_options(self, choices, numbers)

    def __hash__(self) -> int:
        # Quick, because positions are looked up by it; equality still compares every field.
        return hash(self.game)

    @cached_property
    def signature(self) -> str:
        """All of it in one string, equal for equal rules and quick to hash."""
        return repr(self)

    @cached_property
    def customs(self) -> Customs:
        """What the game's own text fixes and no option changes."""
        return CUSTOMS[self.game]


_BLUFF_GAMES: dict[str, dict[str, Any]] = {
    "class": {"fewest_players": 3, "most_players": 8, "credit": 3, "rolls": 2, "looks": 1},
    "physicist": {
        "fewest_players": 2,
        "most_players": 8,
        "credit": 0,
        "rolls": 2,
        "looks": 1,
        "stakes": "drinks",
    },
    "holy-family": {
        "fewest_players": 2,
        "most_players": 8,
        "credit": 0,
        "rolls": 3,
        "looks": 2,
        "stakes": "points",
        "points": 10,
        "losers": 1,
        "tower_one_in": 200,
    },
}
BLUFF_GAMES = tuple(RuleSet(game, **own) for game, own in _BLUFF_GAMES.items())

AnyRules = RuleSet | CoasterRules | SevensRules
"""The rule set of any game."""

_GAMES: tuple[AnyRules, ...] = (*BLUFF_GAMES, *COASTER_GAMES, SEVENS)

RULES: Mapping[str, AnyRules] = MappingProxyType({rules.game: rules for rules in _GAMES})
"""The games by name, each with its default options."""

_CHOICES: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "class": _CLASS_CHOICES,
    "chicago": COASTER_CHOICES,
    "sevens": SEVENS_CHOICES,
}
_NUMBERS: Mapping[str, Mapping[str, tuple[int, int | None]]] = {
    "holy-family": _HOLY_FAMILY_NUMBERS,
    "sevens": SEVENS_NUMBERS,
}


def _options(rules: AnyRules) -> tuple[Option, ...]:
    choices = _CHOICES.get(rules.game, {})
    numbers = _NUMBERS.get(rules.game, {})
    return (
        *(Option(name, getattr(rules, name), values) for name, values in choices.items()),
        *(
            Option(name, getattr(rules, name), least=least, greatest=greatest)
            for name, (least, greatest) in numbers.items()
        ),
    )


OPTIONS: Mapping[str, tuple[Option, ...]] = MappingProxyType(
    {game: _options(rules) for game, rules in RULES.items()}
)
"""The options of every game in ``RULES``, in the order in which they are told; often none."""
