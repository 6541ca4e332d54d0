"""The faces at a party: those that the pages draw, emoji, and those of bots with their names."""

import unicodedata
from collections.abc import Mapping
from typing import Final

from game.names import EMOJI_STYLE, JOINER, TONES, are_alike
from hw_sim.players.bot_kinds import BotKind

DRAWN: Final = (
    *("cap", "bun", "beard", "punk", "patch", "curls"),
    *("tophat", "braids", "fox", "frog", "owl", "octo"),
)
"""The names of the drawn faces of guests, as in static/faces.js."""
CHARACTERS: Final[Mapping[BotKind, str]] = {
    "honest": "Bruder Klar",
    "trusting": "Graf Zitter",
    "cheeky": "Oma Blitz",
    "random": "Blubb",
    "expert": "Prof. 36",
    "shark": "Onkel Hai",
}
"""The names of the kinds of bots that have a character: the same in all languages."""
MOST_POINTS: Final = 8
"""The most code points of one emoji: a family of four has seven."""


def is_face(face: str) -> bool:
    """Return whether this is a drawn face, one emoji, or none."""
    return face in ("", *DRAWN) or _is_emoji(face)


def _is_emoji(text: str) -> bool:
    """Return whether a text is one picture: symbols joined to each other, each with its style."""
    if not 0 < len(text) <= MOST_POINTS:
        return False
    for part in text.split(JOINER):
        symbol, style = part[:1], part[1:]
        if ord(symbol or " ") < 0x2190 or unicodedata.category(symbol) != "So":
            return False
        if any(each != EMOJI_STYLE and each not in TONES for each in style):
            return False
    return True


def names_of_characters(kinds: tuple[BotKind, ...], spare: tuple[str, ...]) -> tuple[str, ...]:
    """Return a name for each bot: its character's, where that is not taken; else a spare one."""
    names: list[str] = []
    for kind, other in zip(kinds, spare, strict=True):
        own = CHARACTERS.get(kind, other)
        names.append(other if any(are_alike(own, each) for each in names) else own)
    return tuple(names)
