"""Readable names: a display shows something for them, and nothing in them is invisible."""

import unicodedata

JOINER = "\u200d"
"""Between two emoji: both are one picture."""
EMOJI_STYLE = "\ufe0f"
"""After a symbol: it is shown as an emoji."""
TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
"""After an emoji of a person: the colour of the skin."""

_NEVER_INKED = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800),
            *(0x3164, 0xFFA0, 0x16FE4, 0x1D159, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
        ),
    )
)
"""Letters, symbols and marks that show nothing: fillers, blanks, and variant selectors."""


def is_readable(name: str) -> bool:
    """Return whether a name has a visible letter, digit or symbol, and only spaces are invisible.

    Accents need a letter before them. Two invisible characters are allowed, because they make
    emoji: the joiner between two of them, and the sign for emoji style after one.
    """
    if name.isascii():
        return name.isprintable() and not name.isspace() and name != ""
    seen, before = False, ""
    for place, character in enumerate(name):
        if character == " ":
            before = ""
            continue
        kind = unicodedata.category(character)
        emoji = before == "So"
        if character == JOINER:
            if not emoji or unicodedata.category(name[place + 1 : place + 2] or " ") != "So":
                return False
        elif character == EMOJI_STYLE or character in TONES:
            if not emoji:
                return False
        elif character in _NEVER_INKED or not character.isprintable():
            return False
        elif kind[0] == "M":
            if not before:
                return False
        else:
            seen, before = True, kind
    return seen
