"""The rules of a coaster game as data: what its text fixes, and the options."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Any, ClassVar

from game.coaster.values import CUP, chicago_points, maxen_rank, worth
from game.dice import FACES, Dice
from game.open_rules import OpenRules
from game.options import MOST_PLAYERS, SetupError, check_choice, check_options, checked_handicap
from game.sheet import Option, options_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CoasterCustoms:
    """The fixed part of a coaster game's rules.

    ``ranks`` are greater for better throws. ``worths`` are the coasters that a round moves by its
    best throw, unless that is three ones. Both have every three dice in any order.

    With ``halves``, a match has two or three halves (R-MAX-5): in phase two the best hands coasters
    to the worst, and three ones end a half (R-MAX-3, R-MAX-4). Otherwise the best puts coasters out
    of the game, and a player without any, or with three ones, is safe (R-CHI-2, R-CHI-3).

    ``most_players`` are those of the usual rules, for two players or more. ``third_covered``: a
    third throw stays under the cup until all have thrown (T-5). ``bonus_with_ones``: a bonus throw
    may only have ones aside (T-4).

    ``usual`` are the options and their usual values. ``pieces`` are the rules in the order in which
    they are told, as in ``game.bluff.rules``.
    """

    ranks: Mapping[Dice, int]
    worths: Mapping[Dice, int]
    most_players: int
    halves: bool = False
    third_covered: bool = False
    bonus_with_ones: bool = False
    usual: Mapping[str, Any]
    pieces: tuple[str, ...]


_THROWS = ("T-1", "T-2", "T-3: six_stays turns_one")
_CUPS = tuple(product(FACES, repeat=CUP))

CUSTOMS: Mapping[str, CoasterCustoms] = MappingProxyType(
    {
        "maxen": CoasterCustoms(
            ranks={dice: maxen_rank(dice) for dice in _CUPS},
            worths={dice: worth(dice) for dice in _CUPS},
            most_players=MOST_PLAYERS,
            halves=True,
            third_covered=True,
            usual={"coasters": 21, "six_stays": False, "turns_one": False},
            pieces=(
                *("M-1 M-2", "M-3", "R-MAX-1", *_THROWS, "T-4", "T-5"),
                *("R-MAX-2 R-MAX-3: coasters", "R-MAX-4", "R-MAX-5", "B-10"),
            ),
        ),
        "chicago": CoasterCustoms(
            ranks={dice: chicago_points(dice) for dice in _CUPS},
            worths=dict.fromkeys(_CUPS, 1),
            most_players=5,
            bonus_with_ones=True,
            usual={
                **{"coasters": 6, "six_stays": False, "turns_one": False},
                **{"levelling": False, "may_give": False},
            },
            pieces=(
                *("C-1", "C-2", "R-CHI-5", *_THROWS, "T-4 chicago", "T-5 chicago"),
                *("R-CHI-1: coasters", "R-CHI-2", "R-CHI-3: may_give", "R-CHI-4: levelling"),
                "B-10 chicago",
            ),
        ),
    }
)
"""The coaster games by name."""

RANKS = {game: customs.ranks for game, customs in CUSTOMS.items()}
"""By game: the rank of every three dice in any order; a greater one is better."""

_OPTIONS = {game: options_of("coaster", game, each.usual) for game, each in CUSTOMS.items()}
_OF_SOME = ("levelling", "may_give")
"""Options that not every coaster game has."""


@dataclass(frozen=True, slots=True)
class CoasterRules(OpenRules):
    """One coaster game with its options. Raises SetupError for a value an option does not have.

    ``coasters`` lie in the pile at the beginning (R-MAX-2, R-CHI-1). ``six_stays``: the six that is
    not turned may be set aside (T-3). ``levelling``, in games that can have it: may a player with
    three or more coasters give one to a player with one, before phase two (R-CHI-4)? ``turns_one``:
    of three sixes one alone may be turned. ``may_give``: in phase two the best throw may keep its
    coasters (R-CHI-3).
    """

    family: ClassVar[str] = "coaster"

    coasters: int
    levelling: bool = False
    six_stays: bool = False
    turns_one: bool = False
    may_give: bool = False

    def __post_init__(self) -> None:
        check_choice("game", self.game, tuple(CUSTOMS))
        check_options(self)
        most = self.coasters - 1
        handicap = checked_handicap(self.game, self.handicap, most, most)
        object.__setattr__(self, "handicap", handicap)
        for name in _OF_SOME:
            if name not in self.customs.usual and getattr(self, name) is not False:
                raise SetupError(f"{name} is no option of {self.game}: leave it at False")

    def __hash__(self) -> int:
        # Quick, because what is legal is looked up by it; equality still compares every field.
        return hash(self.game)

    @property
    def customs(self) -> CoasterCustoms:
        """The rules that the game's own text fixes."""
        return CUSTOMS[self.game]

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the game, in the order of the sheet."""
        return _OPTIONS[self.game]

    @property
    def pieces(self) -> tuple[str, ...]:
        """The ids of the rules, in the order in which they are told."""
        return self.customs.pieces


COASTER_GAMES = tuple(
    CoasterRules(game, 2, customs.most_players, **customs.usual)
    for game, customs in CUSTOMS.items()
)
