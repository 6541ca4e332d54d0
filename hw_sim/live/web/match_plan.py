"""The places of people at a table, and the next match as they choose it.

A person has a face, may hold something, and comes back. A match is a game, its options, and bots.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from hashlib import sha256
from secrets import choice
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from firmware.display.text.language import Language, say
from firmware.display.text.rulebook import sentence_of
from firmware.lobby.choices import handicapped
from game import AnyRules, SetupError, rule_set
from game.names import EMOJI_STYLE, JOINER, TONES, BadNameError, NameFault, are_alike, name_of
from game.options import MOST_PLAYERS, ClashError
from hw_sim.players.bot_kinds import USUAL_KINDS, BotKind
from hw_sim.story.games import differences

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
"""The most code points of one emoji: a family of four has seven; chosen."""


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
"""The number of faces that bring a guest back; chosen."""
MOST_WRONG: Final = 20
"""The most wrong faces for a guest, all evening: they find the right ones once in 86 evenings;
chosen."""
ReturnFaces = Annotated[list[str], Meta(min_length=COUNT, max_length=COUNT)]


def drawn_faces() -> list[str]:
    """Return three faces by chance, in their order: one of 1,728 ways."""
    return [choice(DRAWN) for _ in range(COUNT)]


def digest_of_faces(faces: Sequence[str]) -> str:
    """Return the digest that is kept; whoever reads the file can find the faces by trying."""
    return digest_of(" ".join(faces))


class SeatingError(Exception):
    """A wish of a person that cannot be granted; ``why`` is one word for the reason.

    ``clash``: the two options that contradict each other; None for another reason.
    """

    def __init__(self, why: str, clash: ClashError | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.clash = clash


_Word = Annotated[str, Meta(max_length=32)]


_Lost = Annotated[int, Meta(ge=0, le=99)]
ALONE: Final = ""
"""The key of a lone player's handicap, who may take another name."""


def bot_key(number: int) -> str:
    """Return the key of a bot's handicap, by its place in the plan, from 0."""
    return f"bot {number}"


class MatchPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The next match: a game or preset with its options, and the bots that sit down, too.

    ``handicap`` has by name what guests have lost before the first round; see also `ALONE` and
    `bot_key`. Names that do not sit down do not count.
    """

    game: _Word = "class"
    options: Annotated[dict[_Word, bool | int | _Word], Meta(max_length=32)] = {}
    bots: Annotated[tuple[BotKind, ...], Meta(max_length=MOST_PLAYERS)] = USUAL_KINDS[:2]
    handicap: Annotated[dict[_Word, _Lost], Meta(max_length=2 * MOST_PLAYERS)] = {}

    @property
    def rules(self) -> AnyRules:
        """The rules.

        Raises:
            SeatingError: "plan": there is no such game or option, or it has no such value;
                "handicap": the game has no such start.
        """
        try:
            found = rule_set(self.game, self.options)
        except SetupError as error:
            clash = error if isinstance(error, ClashError) else None
            raise SeatingError("plan", clash) from None
        if handicapped(found, [*self.handicap], self.handicap) is None:
            raise SeatingError("handicap")
        return found

    def rules_for(self, keys: Sequence[str]) -> AnyRules:
        """Return the rules with the handicaps of those who sit down, by the keys of their seats.

        Raises:
            SeatingError: as ``rules``.
        """
        return handicapped(self.rules, keys, self.handicap) or self.rules

    def told(self, language: Language) -> tuple[str, list[str]]:
        """Return the sentence of the rules, and what differs from the nearest known table.

        The sentence is empty if they cannot be played.
        """
        try:
            return say(sentence_of(self.rules), language), differences(self.rules, language)
        except SeatingError:
            return "", []

    def hindrance(self, people: int) -> str:
        """Why this number of people cannot begin: "plan", "nobody", "few", "many"; else empty."""
        try:
            rules = self.rules
        except SeatingError as error:
            return error.why
        if not people:
            return "nobody"
        players = people + len(self.bots)
        if players < rules.fewest_players:
            return "few"
        return "many" if players > min(rules.most_players, MOST_PLAYERS) else ""


_WHY_NO_NAME: Final = {NameFault.LONG: "long", NameFault.HIDDEN: "hidden"}


def readable_name(typed: str) -> str:
    """Return a typed name as it is kept, see `name_of`.

    Raises:
        SeatingError: "long", or "hidden": a part of it cannot be seen, or "name": all of it.
    """
    try:
        return name_of(typed)
    except BadNameError as error:
        raise SeatingError(_WHY_NO_NAME.get(error.fault, "name")) from None
