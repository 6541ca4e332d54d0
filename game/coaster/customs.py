"""The rules that the text of a coaster game fixes: one engine, one set of data for each game."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType

from game.coaster.values import CUP, chicago_points, maxen_rank, worth
from game.dice import FACES, Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class CoasterCustoms:
    """The fixed part of a coaster game's rules.

    ``ranks`` are greater for better throws. ``worths`` are the coasters that a round moves by its
    best throw, unless that is three ones. Both have every three dice in any order.

    With ``halves``, a match has two or three halves (R-MAX-5): in phase two the best hands coasters
    to the worst, and three ones end a half (R-MAX-3, R-MAX-4). Otherwise the best puts coasters out
    of the game, and a player without any, or with three ones, is safe (R-CHI-2, R-CHI-3).

    ``coasters`` and ``most_players`` are those of the usual rules, for two players or more.
    ``third_covered``: a third throw stays under the cup until all have thrown (T-5).
    ``bonus_with_ones``: a bonus throw may only have ones aside (T-4). ``can_level``: the option
    ``levelling`` exists (R-CHI-4).
    """

    ranks: Mapping[Dice, int]
    worths: Mapping[Dice, int]
    coasters: int
    most_players: int
    halves: bool = False
    third_covered: bool = False
    bonus_with_ones: bool = False
    can_level: bool = False


_CUPS = tuple(product(FACES, repeat=CUP))

CUSTOMS: Mapping[str, CoasterCustoms] = MappingProxyType(
    {
        "maxen": CoasterCustoms(
            ranks={dice: maxen_rank(dice) for dice in _CUPS},
            worths={dice: worth(dice) for dice in _CUPS},
            coasters=21,
            most_players=8,
            halves=True,
            third_covered=True,
        ),
        "chicago": CoasterCustoms(
            ranks={dice: chicago_points(dice) for dice in _CUPS},
            worths=dict.fromkeys(_CUPS, 1),
            coasters=6,
            most_players=5,
            bonus_with_ones=True,
            can_level=True,
        ),
    }
)
"""The coaster games by name."""

RANKS = {game: customs.ranks for game, customs in CUSTOMS.items()}
"""By game: the rank of every three dice in any order; a greater one is better."""
