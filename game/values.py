"""Values of two dice: what a roll is worth, how values rank, and what they are called (V-1 to V-5).

A value is written as its two digits, higher die first: dice 3 and 6 are the value 63. A roll has 36
outcomes and 21 values; a mixed value and a Mäxchen come 2 times in 36, a pair once (V-4).
"""

from typing import Literal

Dice = tuple[int, ...]
"""Dice as they lie, 1 to 6 each, in any order; two of them in a bluff game."""

Language = Literal["de", "en"]

MAEXCHEN = 21
"""The value that beats every other (V-3)."""

RANKING = (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, MAEXCHEN)
"""All 21 values, low to high (V-2)."""

PLACE = {value: place for place, value in enumerate(RANKING)}
"""Each value's place in ``RANKING``: 0 (31) to 20 (Mäxchen)."""

DICE: tuple[Dice, ...] = tuple((a, b) for a in range(1, 7) for b in range(1, 7))
"""The 36 equally likely outcomes of a roll."""

_VALUE_OF: dict[Dice, int] = {(a, b): 10 * max(a, b) + min(a, b) for a, b in DICE}

_GERMAN_ONES = ("", "Ein", "Zwei", "Drei", "Vier", "Fünf")
_GERMAN_TENS = ("", "", "", "dreißig", "vierzig", "fünfzig", "sechzig")
_GERMAN_PAIRS = ("", "Einser", "Zweier", "Dreier", "Vierer", "Fünfer", "Sechser")
_ENGLISH_ONES = ("", "one", "two", "three", "four", "five")
_ENGLISH_TENS = ("", "", "", "thirty", "forty", "fifty", "sixty")
_ENGLISH_PAIRS = ("", "ones", "twos", "threes", "fours", "fives", "sixes")

_ALSO_SPOKEN: dict[tuple[int, str], tuple[str, ...]] = {
    (11, "de"): ("Einerpasch",),
    (MAEXCHEN, "de"): ("Meier",),
}


def are_dice(dice: object) -> bool:
    """Tell whether ``dice`` is a tuple of two dice of 1 to 6 each."""
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
    """Tell whether a value is a pair (Pasch), 11 to 66 (V-3)."""
    return value in PLACE and value % 11 == 0


def spoken(value: int, language: Language = "de") -> str:
    """Return how a value is said in German or English (V-5).

    Raises ValueError for a number no two dice show.
    """
    rank(value)
    tens, ones = divmod(value, 10)
    if value == MAEXCHEN:
        return "Mäxchen"
    if language == "de":
        if tens == ones:
            return f"{_GERMAN_PAIRS[ones]}pasch"
        return f"{_GERMAN_ONES[ones]}und{_GERMAN_TENS[tens]}"
    if tens == ones:
        return f"pair of {_ENGLISH_PAIRS[ones]}"
    return f"{_ENGLISH_TENS[tens]}-{_ENGLISH_ONES[ones]}"


def also_spoken(value: int, language: Language = "de") -> tuple[str, ...]:
    """Return the other names a value goes by, such as Meier for the Mäxchen (V-5); often none."""
    return _ALSO_SPOKEN.get((value, language), ())
