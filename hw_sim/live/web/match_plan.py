"""The next match as people choose it: a game, its options, and bots."""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from firmware.display.text.language import Language
from firmware.lobby.choices import handicapped
from game import AnyRules, SetupError, rule_set
from game.names import BadNameError, NameFault, name_of
from game.options import ClashError
from hw_sim.players.bot_kinds import USUAL_KINDS, BotKind
from hw_sim.story.games import differences
from hw_sim.table import NAMES

MOST_PLAYERS: Final = len(NAMES)


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

    def differences(self, language: Language) -> list[str]:
        """Return the differences from the nearest known table, in at most four lines."""
        try:
            return differences(self.rules, language)
        except SeatingError:
            return []

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
