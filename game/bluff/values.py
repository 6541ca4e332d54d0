"""Values of two dice: the value of a roll, and the ranking (V-1 to V-5).

A value is written as its two digits, higher die first: dice 3 and 6 are the value 63. A roll has 36
outcomes and 21 values; a mixed value and a Mäxchen come 2 times in 36, a pair once (V-4).
"""

from game.dice import Dice

MAEXCHEN = 21
"""The value that beats every other (V-3)."""

RANKING = (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, MAEXCHEN)
"""All 21 values, low to high (V-2)."""

PLACE = {value: place for place, value in enumerate(RANKING)}
"""Each value's place in ``RANKING``: 0 (31) to 20 (Mäxchen)."""

DICE: tuple[Dice, ...] = tuple((a, b) for a in range(1, 7) for b in range(1, 7))
"""The 36 equally likely outcomes of a roll."""

_VALUE_OF: dict[Dice, int] = {(a, b): 10 * max(a, b) + min(a, b) for a, b in DICE}


def is_pair_of_dice(dice: object) -> bool:
    """Return whether ``dice`` is a tuple of two dice of 1 to 6 each."""
    return type(dice) is tuple and dice in _VALUE_OF


def value_of(dice: Dice) -> int:
    """Return the value of two dice: the higher one is the tens digit (V-1).

    Raises ValueError if they are not two dice of 1 to 6.
    """
    try:
        return _VALUE_OF[dice]
    except (KeyError, TypeError):
        raise ValueError(f"two dice of 1 to 6 are needed, not {dice!r}") from None


def rank(value: int) -> int:
    """Return a value's place in the ranking: 0 (31) to 20 (Mäxchen) (V-2).

    Raises ValueError for a number no two dice show, such as 36 or 20.
    """
    place = PLACE.get(value)
    if place is None:
        raise ValueError(f"{value!r} is no value of two dice: known are {RANKING}")
    return place


def is_pair(value: int) -> bool:
    """Return whether a value is a pair (Pasch), 11 to 66 (V-3)."""
    return value in PLACE and value % 11 == 0
