"""The rule sets of the coaster games, the values of three dice, and the state of a match.

In ``maxen`` a throw is a General, a Max, a Pasch, a Strasse or a Schiet. No lower kind beats a
higher one, whatever it is worth (M-1, M-2). In ``chicago`` it is a sum (C-1), except for three
ones, which beat everything (C-2). The earlier of two equal throws in playing order ranks higher
(M-3, C-2): the round decides that, not the throw alone.

A position is frozen in a match, and moved by ``apply`` alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from game.dice import FACES, Dice, high_to_low
from game.open_dice import OpenMatch, OpenPosition, OpenRules
from game.options import (
    MOST_PLAYERS,
    SetupError,
    check_choice,
    check_options,
    check_seat,
    checked_handicap,
)
from game.sheet import Option, options_of
from game.status import LEVELLING, drafting

CUP = 3
"""The number of dice in a cup."""
ONES = (1,) * CUP
"""General in ``maxen``, Chicago in ``chicago``."""

_CHICAGO_PIPS = {1: 100, 2: 2, 3: 3, 4: 4, 5: 5, 6: 60}


class Kind(StrEnum):
    """The kind of a throw in ``maxen``, best first (M-1)."""

    GENERAL = "general"
    MAX = "max"
    PASCH = "pasch"
    STRASSE = "strasse"
    SCHIET = "schiet"


_WORTH = {Kind.GENERAL: 0, Kind.PASCH: 3, Kind.STRASSE: 2, Kind.SCHIET: 1}
_FLOOR = {Kind.GENERAL: 4000, Kind.MAX: 3000, Kind.PASCH: 2000, Kind.STRASSE: 1000}


def kind(dice: Dice) -> Kind:
    """Return the kind of three dice in ``maxen`` (M-1)."""
    high, middle, low = high_to_low(dice)
    if high == middle == low:
        return Kind.GENERAL if high == 1 else Kind.PASCH
    if middle == low == 1:
        return Kind.MAX
    if high == middle + 1 == low + 2:
        return Kind.STRASSE
    return Kind.SCHIET


def worth(dice: Dice) -> int:
    """Return how many coasters three dice are worth in ``maxen`` (M-1).

    A General has no worth in coasters: it ends the half (R-MAX-4). It counts as 0 here.
    """
    found = kind(dice)
    return max(dice) if found is Kind.MAX else _WORTH[found]


def maxen_rank(dice: Dice) -> int:
    """Return a number that is greater for a better throw of ``maxen``, equal for equal ones (M-1).

    Schiet is its own number, 221 to 665; the other kinds lie above it.
    """
    high, middle, low = high_to_low(dice)
    found = kind(dice)
    if found is Kind.SCHIET:
        return 100 * high + 10 * middle + low
    return _FLOOR[found] + high if found is Kind.MAX else _FLOOR[found]


def chicago_points(dice: Dice) -> int:
    """Return the sum of a throw of ``chicago``: ones count 100, sixes 60 (C-1).

    Three ones are 300 and more than any other throw can reach, as C-2 wants it.
    """
    return sum(_CHICAGO_PIPS[die] for die in dice)


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
        for name in ("levelling", "may_give"):
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


MOST_THROWS = 3
"""The number of throws a leader may have, without a bonus (T-1)."""
RICH = 3
"""The least number of coasters of a player who may give one away (R-CHI-4)."""


class CoasterHand(NamedTuple):
    """The throw of a player whose turn of the round is over.

    ``aside`` are the dice set aside, ``dice`` those of the last throw. ``covered`` dice stay so
    until they are lifted (T-5): ``dice`` is None if this copy of the match does not know them.
    """

    aside: Dice
    dice: Dice | None
    covered: bool = False


@drafting
@dataclass(slots=True, unsafe_hash=True, kw_only=True)
class CoasterPosition(OpenPosition):
    """The state of a match of ``maxen`` or ``chicago`` between two actions.

    See ``OpenPosition`` for most fields. ``half`` counts the halves of ``maxen`` from 1 (R-MAX-5).
    ``stage`` is 1 while coasters are dealt from the pile and 2 after that. ``pile`` is the number
    of coasters not dealt yet. ``lost`` lists the losers of the halves so far, ``safe`` the players
    out of danger, in order. ``throws`` counts a bonus too.
    """

    rules: CoasterRules
    hands: tuple[CoasterHand | None, ...]
    half: int = 1
    stage: int = 1
    pile: int
    lost: tuple[int, ...] = ()
    safe: tuple[int, ...] = ()

    def halves_lost(self, seat: int) -> int:
        """Return how many halves of the match a seat has lost (R-MAX-5)."""
        return self.lost.count(seat)

    def shown(self, seat: int) -> Dice | None:
        """Return all open dice of a seat whose turn is over; None for none."""
        hand = self.hands[seat]
        return None if hand is None else hand.aside + (hand.dice or ())

    @property
    def in_play(self) -> int:
        """The number of dice that the next throw of the seat to act throws (T-2)."""
        return CUP - len(self.aside)


class CoasterMatch(CoasterPosition, OpenMatch):
    """A match of ``maxen`` or ``chicago`` between two actions: a position that is frozen."""

    __slots__ = ()


def covers_next(match: CoasterPosition) -> bool:
    """Return whether the next throw stays under the cup: a third one of ``maxen`` (T-5)."""
    return match.throws == MOST_THROWS - 1 and match.rules.customs.third_covered


def receivers(match: CoasterPosition) -> tuple[int, ...]:
    """Return the seats that may get a coaster now: those with exactly one (R-CHI-4).

    A best throw that may give one away names itself; that coaster leaves the game (R-CHI-3).
    """
    if match.phase is LEVELLING and match.to_act is not None and match.hands[match.to_act]:
        return (match.to_act,)
    return tuple(seat for seat in match.playing if match.coasters[seat] == 1)


def view(match: CoasterMatch, seat: int | None) -> CoasterMatch:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    Covered dice are unknown to every seat, their thrower's too (T-5). Everything else is public.
    Raises ValueError for a seat that does not exist.
    """
    check_seat(match.players, seat)
    hands = match.hands
    if not any(hand and hand.covered and hand.dice for hand in hands):
        return match
    return match.replace(
        hands=tuple(h._replace(dice=None) if h is not None and h.covered else h for h in hands)
    )
