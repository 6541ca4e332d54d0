"""The rules of a bluff game as data: what its text fixes, and the options.

One engine has three sets of data.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Literal, get_args

from game.actions import Flourish, SeatAction
from game.options import Choices, Numbers, SetupError, check_options
from game.status import Unit


class Equal(StrEnum):
    """The announcements that a player who has rolled may repeat (B-3)."""

    NONE = "none"
    MAEXCHEN = "maexchen"
    """A Mäxchen over a Mäxchen (R-PHYS-2)."""
    ANY = "any"
    """Every announcement (R-HF-2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """The fixed part of a bluff game's rules. Costs are in the unit that the game counts.

    ``equal`` are the announcements that may be repeated after rolling. ``opener_rolls_once`` limits
    an opener to a single roll (R-PHYS-1). ``meiern`` allows a player to show a Mäxchen, to give in
    to one, and to own up; an announced Mäxchen can then not be believed (R-CLASS-6, R-CLASS-7,
    R-CLASS-10).

    A penalty costs 1, or ``maexchen_cost`` if the doubted announcement was a Mäxchen.
    ``lifted_maexchen_costs_too`` charges the same if only the lifted dice are one (R-PHYS-4).

    ``fault_cost`` is the price of moved dice and forbidden looks, 0 if the game names no faults
    (B-9). A drop costs ``drop_cost``, or ``drop_cost_on_maexchen`` while a Mäxchen stands
    announced. ``open_mistakes`` makes inadmissible announcements and the wrong direction possible,
    as faults (R-HF-5). It also allows announcements in words (R-HF-9).

    ``usual`` are the fields of the usual rules; where they have an option, that is its default.
    ``unit`` is what a penalty is counted in; None leaves that to the stakes (R-PHYS-4).

    ``flourishes`` may be added to an announcement. ``reverses``: a lifted Mäxchen turns the
    direction of play (R-HF-7).
    """

    equal: Equal = Equal.NONE
    opener_rolls_once: bool = False
    meiern: bool = False
    maexchen_cost: int = 1
    lifted_maexchen_costs_too: bool = False
    fault_cost: int = 0
    drop_cost: int = 0
    drop_cost_on_maexchen: int = 0
    open_mistakes: bool = False
    flourishes: tuple[Flourish, ...] = ()
    reverses: bool = False
    unit: Unit | None = None
    usual: Mapping[str, Any] = field(default_factory=dict)


CUSTOMS: Mapping[str, Customs] = MappingProxyType(
    {
        "class": Customs(
            meiern=True,
            usual={"fewest_players": 3, "most_players": 8, "credit": 3, "rolls": 2, "looks": 1},
        ),
        "physicist": Customs(
            equal=Equal.MAEXCHEN,
            opener_rolls_once=True,
            maexchen_cost=2,
            lifted_maexchen_costs_too=True,
            fault_cost=1,
            drop_cost=2,
            drop_cost_on_maexchen=2,
            flourishes=(Flourish.AIR, Flourish.MUCH_AIR),
            unit=Unit.GLASS,
            usual={
                "fewest_players": 2,
                "most_players": 8,
                "credit": 0,
                "rolls": 2,
                "looks": 1,
                "stakes": "drinks",
            },
        ),
        "holy-family": Customs(
            equal=Equal.ANY,
            maexchen_cost=2,
            fault_cost=1,
            drop_cost=1,
            drop_cost_on_maexchen=2,
            open_mistakes=True,
            flourishes=(Flourish.DRAWN_OUT,),
            reverses=True,
            usual={
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
        ),
    }
)
"""The bluff games by name."""


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
        for each in fields(self):
            name = each.name
            if name in ("game", *choices, *numbers):
                continue
            fixed, value = customs.usual.get(name, each.default), getattr(self, name)
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
