"""The places of people at a table: their faces, what they hold, and how they come back."""

import unicodedata
from collections.abc import Mapping, Sequence
from hashlib import sha256
from secrets import choice
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

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


class NamedPlace(NamedTuple):
    """A place: the name of its player, None while it is free.

    ``face``: the name of a drawn face, or an emoji; empty for none. ``device``: of a handheld
    without a phone, in hex; empty for none.
    """

    name: str | None
    face: str = ""
    device: str = ""


class Claims(NamedTuple):
    """The seats of people in a match.

    ``taken``: for each whether it is somebody's. ``afar``: those whose handhelds are elsewhere,
    without a phone.
    """

    taken: list[bool]
    afar: frozenset[int] = frozenset()


class RoomSettings(msgspec.Struct, frozen=True):
    """The big screen of a party: its language, the volume of its sounds from 0 to 1, its bots.

    ``silent``: whether these say nothing.
    """

    language: str = ""
    volume: float = 0.7
    silent: bool = False


class MatchTally(msgspec.Struct, frozen=True):
    """The matches of a player here; ``crowns``: those in which they lost least."""

    played: int = 0
    lost: int = 0
    crowns: int = 0


def counted(
    tally: Mapping[str, MatchTally],
    names: tuple[str, ...],
    losers: tuple[str, ...],
    crowned: tuple[str, ...],
) -> dict[str, MatchTally]:
    """Return a tally with one more match of these players."""
    more = dict(tally)
    for name in names:
        was = more.get(name, MatchTally())
        lost, crowns = was.lost + (name in losers), was.crowns + (name in crowned)
        more[name] = MatchTally(was.played + 1, lost, crowns)
    return more


def digest_of(token: str) -> str:
    """Return the digest that is kept instead of a token."""
    return sha256(token.encode()).hexdigest()


COUNT: Final = 3
MOST_WRONG: Final = 20
"""The most wrong faces for a guest, all evening: they find the right ones once in 86 evenings."""
ReturnFaces = Annotated[list[str], Meta(min_length=COUNT, max_length=COUNT)]


def drawn_faces() -> list[str]:
    """Return three faces by chance, in their order: one of 1,728 ways."""
    return [choice(DRAWN) for _ in range(COUNT)]


def digest_of_faces(faces: Sequence[str]) -> str:
    """Return the digest that is kept; whoever reads the file can find the faces by trying."""
    return digest_of(" ".join(faces))
