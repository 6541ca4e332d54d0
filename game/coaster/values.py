"""Values of three dice: the ranking of throws in ``maxen`` and ``chicago``, and their worth.

In ``maxen`` a throw is a General, a Max, a Pasch, a Strasse or a Schiet. No lower kind beats a
higher one, whatever it is worth (M-1, M-2). In ``chicago`` it is a sum (C-1), except for three
ones, which beat everything (C-2). The earlier of two equal throws in playing order ranks higher
(M-3, C-2): the round decides that, not the throw alone.
"""

from enum import StrEnum

from game.dice import Dice, high_to_low

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
