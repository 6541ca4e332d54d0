"""The spoken names of values in German and English."""

from typing import Literal, get_args

Language = Literal["de", "en"]

_GERMAN_ONES = ("", "Ein", "Zwei", "Drei", "Vier", "Fünf")
_GERMAN_TENS = ("", "", "", "dreißig", "vierzig", "fünfzig", "sechzig")
_GERMAN_PAIRS = ("", "Einser", "Zweier", "Dreier", "Vierer", "Fünfer", "Sechser")
_ENGLISH_ONES = ("", "one", "two", "three", "four", "five")
_ENGLISH_TENS = ("", "", "", "thirty", "forty", "fifty", "sixty")
_ENGLISH_PAIRS = ("", "ones", "twos", "threes", "fours", "fives", "sixes")

_MAEXCHEN = 21
_ALSO_SPOKEN: dict[tuple[int, str], tuple[str, ...]] = {
    (11, "de"): ("Einerpasch",),
    (_MAEXCHEN, "de"): ("Meier",),
}


def _name(tens: int, ones: int, language: Language) -> str:
    if 10 * tens + ones == _MAEXCHEN:
        return "Mäxchen"
    if language == "de":
        if tens == ones:
            return f"{_GERMAN_PAIRS[ones]}pasch"
        return f"{_GERMAN_ONES[ones]}und{_GERMAN_TENS[tens]}"
    if tens == ones:
        return f"pair of {_ENGLISH_PAIRS[ones]}"
    return f"{_ENGLISH_TENS[tens]}-{_ENGLISH_ONES[ones]}"


_SPOKEN: dict[tuple[int, str], str] = {
    (10 * tens + ones, language): _name(tens, ones, language)
    for language in get_args(Language)
    for tens in range(1, 7)
    for ones in range(1, tens + 1)
}


def spoken(value: int, language: Language = "de") -> str:
    """Return the spoken name of a value in German or English (V-5).

    Raises ValueError for a number no two dice show.
    """
    name = _SPOKEN.get((value, language))
    if name is None:
        raise ValueError(f"{value!r} is no value of two dice that has a name in {language!r}")
    return name


def also_spoken(value: int, language: Language = "de") -> tuple[str, ...]:
    """Return the other names of a value, such as Meier for the Mäxchen (V-5); often none."""
    return _ALSO_SPOKEN.get((value, language), ())
