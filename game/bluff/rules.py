"""The rules of a bluff game as data: the differences between the variants, and the options."""

from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, get_args

from game.actions import SeatAction
from game.bluff.customs import CUSTOMS, Customs
from game.options import Choices, Numbers, SetupError, check_options
from game.status import Unit

Ends = Literal["first_out", "last_standing"]
Stakes = Literal["matches", "drinks", "points"]
Understating = Literal["no_lie", "lie"]

_CLASS_CHOICES: Choices = {
    "ends": get_args(Ends),
    "stakes": ("matches", "drinks"),
    "understating": get_args(Understating),
}
_CLASS_NUMBERS: Numbers = {
    "fewest_players": (2, None),
    "most_players": (2, None),
    "credit": (1, None),
    "rolls": (1, None),
    "looks": (1, None),
}
_HOLY_FAMILY_NUMBERS: Numbers = {
    "points": (1, 10),
    "losers": (1, 2),
    "tower_one_in": (2, None),
}

_UNITS = {"matches": Unit.MATCH, "drinks": Unit.DRINK, "points": Unit.POINT}
_LEGAL_IN: dict[str, dict[Hashable, tuple[SeatAction, ...]]] = {}


class _FromRules:
    """Fields that follow from the rules, computed when they are built.

    ``customs`` are the rules that the game's own text fixes. ``legal_in`` caches the legal actions
    by situation; equal rules share one table.
    """

    __slots__ = ("customs", "legal_in")
    customs: Customs
    legal_in: dict[Hashable, tuple[SeatAction, ...]]


@dataclass(frozen=True, slots=True)
class BluffRules(_FromRules):
    """One bluff game with its options. Raises SetupError for a value an option does not have.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table.
    ``credit`` is the number of matches every player starts with, 0 if none are played for
    (R-CLASS-1). A holder has ``rolls`` rolls and may look at the first ``looks`` of them
    (R-CLASS-4, R-PHYS-1, R-HF-1).

    Options of ``class``: the match ``ends`` with the first player out, or when one is left
    (R-CLASS-2). ``stakes`` are matches, or drinks that are only counted (R-CLASS-3).
    ``understating`` says whether announcing less than the dice show is a lie (B-4).

    Options of ``holy-family``, 0 elsewhere: a player with ``points`` has lost, and ``losers``
    players lose (R-HF-4). One in ``tower_one_in`` rolls of virtual dice is a tower (R-HF-8).
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
        customs = CUSTOMS.get(self.game) if type(self.game) is str else None
        if customs is None:
            raise SetupError(f"{self.game!r} is no bluff game: {', '.join(CUSTOMS)}")
        choices = self.choices
        numbers = _CLASS_NUMBERS if self.game == "class" else self.numbers
        for field in fields(self):
            name = field.name
            if name in ("game", *choices, *numbers):
                continue
            fixed, value = customs.usual.get(name, field.default), getattr(self, name)
            if type(value) is not type(fixed) or value != fixed:
                raise SetupError(f"{name} is no option of {self.game}: leave it at {fixed!r}")
        check_options(self, choices, numbers)
        object.__setattr__(self, "customs", customs)
        object.__setattr__(self, "legal_in", _LEGAL_IN.setdefault(repr(self), {}))

    @property
    def choices(self) -> Choices:
        """The options that are one of several values."""
        return _CLASS_CHOICES if self.game == "class" else {}

    @property
    def numbers(self) -> Numbers:
        """The options that are a number."""
        return _HOLY_FAMILY_NUMBERS if self.game == "holy-family" else {}

    @property
    def unit(self) -> Unit:
        """The unit in which the game counts."""
        return self.customs.unit or _UNITS[self.stakes]

    def __hash__(self) -> int:
        # Quick, because positions are looked up by it; equality still compares every field.
        return hash(self.game)

    def __reduce__(self) -> tuple[object, ...]:
        return BluffRules, tuple(getattr(self, field.name) for field in fields(self))


BLUFF_GAMES = tuple(BluffRules(game, **customs.usual) for game, customs in CUSTOMS.items())
