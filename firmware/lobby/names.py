"""Names that the lobby offers players, and bots' names that nobody mistakes for theirs."""

import re
from collections.abc import Sequence
from unicodedata import combining, normalize

from game.names import are_alike

NAMES = (
    "Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Leo", "Mia",
    "Nils", "Ole", "Pia", "Rosa", "Sam", "Tom", "Uta", "Vera", "Willi", "Zoe",
)  # fmt: skip
"""Names to choose from by tilting."""

_SPELLINGS = tuple(
    (re.compile(pattern), digits)
    for pattern, digits in (
        (r"[dt](?=[csz])", "8"),
        (r"ph", "3"),
        (r"(?<=[ckq])x", "8"),
        (r"x", "48"),
        (r"(?<![sz])c(?=[ahkoqux])|\bc(?=[lr])", "4"),
        (r"h", ""),
        (r"[csz]", "8"),
        (r"[bp]", "1"),
        (r"[dt]", "2"),
        (r"[fvw]", "3"),
        (r"[gkq]", "4"),
        (r"l", "5"),
        (r"[mn]", "6"),
        (r"r", "7"),
        (r"[^\W\d]", "0"),
    )
)
"""Digits for the sounds of letters; vowels are 0. The table of the Cologne phonetics: H. J. Postel,
"Die Kölner Phonetik", IBM-Nachrichten 19 (1969)."""


def sounds_of(name: str) -> frozenset[str]:
    """Return the sound of a name's words, as digits: words that sound alike have the same.

    Anna, Ana and Hannah are "06". Without letters it is empty.
    """
    plain = normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in plain if not combining(letter))
    found = set()
    for word in re.findall(r"[^\W\d_]+", plain):
        for spelling, digits in _SPELLINGS:
            word = spelling.sub(digits, word)
        word = re.sub(r"(.)\1+", r"\1", word)
        found.add(word[:1] + word[1:].replace("0", ""))
    return frozenset(found)


def names_of_bots(people: Sequence[str], count: int) -> tuple[str, ...]:
    """Return ``count`` of `NAMES`, none of which is that of a person.

    As long as possible, they do not sound like ``people`` either.
    """
    heard = frozenset[str]().union(*map(sounds_of, people))
    free = [name for name in NAMES if not any(are_alike(name, each) for each in people)]
    free.sort(key=lambda name: bool(sounds_of(name) & heard))  # stable: else in their order
    return tuple(free[:count])
