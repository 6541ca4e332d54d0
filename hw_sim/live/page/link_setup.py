"""The set-up of a table that a link carries: ``game=maxen&players=4&seed=7&lang=fr``."""

from dataclasses import replace
from secrets import randbelow
from typing import Final
from urllib.parse import parse_qsl, urlencode

from firmware.display.text.language import LANGUAGES, Language, preferred
from firmware.settings.model import media_of
from game import RULES, SetupError, rule_set, to_plain
from game.rules import parsed_option
from hw_sim.live.world.setup import ANY_SEED, WorldSetup
from hw_sim.players.bot_kinds import KINDS, USUAL_KINDS
from hw_sim.table.setup import TableSetup

LINK: Final = media_of("mqtt")
"""The medium of the handhelds in a page: a broker in memory, which needs no other package."""
MOST_LETTERS: Final = 1000
"""The most letters of a link's set-up."""
_PLAIN: Final = {"game", "players", "bots", "seed", "lang"}
_PLAYERS: Final = 3


class LinkError(ValueError):
    """A link that no table can be set up from: one line that names the part and what to write."""


def usual_setup(language: Language) -> WorldSetup:
    """Return the set-up of a first visit: class, against two bots, all chance drawn."""
    table = TableSetup(rule_set("class", {}), _PLAYERS, language=language, link=LINK)
    return WorldSetup(table, 1, USUAL_KINDS[: _PLAYERS - 1]).drawn()


def setup_of(link: str, language: Language) -> tuple[WorldSetup, bool] | None:
    """Return the set-up that a link carries, and whether any seed will do; None if it has none.

    Args:
        link: what stands behind the # of an address. ``game`` is the name of a game, ``players``
            counts all seats, ``bots`` are kinds with commas between them, ``seed`` is a number that
            makes the same dice and the same bots for everybody, ``lang`` a language. Every other
            part is an option of the game.
        language: of the panels where the link names none.

    Raises:
        LinkError: a part is unknown, or there is no such table.
    """
    if len(link) > MOST_LETTERS:
        raise LinkError(f"the link is longer than {MOST_LETTERS} letters")
    parts = dict(parse_qsl(link))
    if not set(parts) - {"lang"}:
        return None
    if (spoken := parts.get("lang", language)) not in LANGUAGES:
        raise LinkError(f"lang={spoken}: write one of {', '.join(LANGUAGES)}")
    game = parts.get("game", "class")
    if game not in RULES:
        raise LinkError(f"game={game}: write one of {', '.join(RULES)}")
    named = {name: text for name, text in parts.items() if name not in _PLAIN}
    options = {name: parsed_option(game, name, text) for name, text in named.items()}
    kinds = [kind for kind in parts.get("bots", "").split(",") if kind]
    for kind in kinds:
        if kind not in KINDS:
            raise LinkError(f"bots={kind}: write some of {', '.join(KINDS)}")
    players = _number(parts, "players", len(kinds) + 1 if kinds else _PLAYERS)
    bots = (kinds or USUAL_KINDS) * players
    try:
        table = TableSetup(rule_set(game, options), players, language=preferred(spoken), link=LINK)
    except SetupError as error:
        raise LinkError(str(error)) from None
    setup = WorldSetup(table, 1, tuple(bots[: players - 1]))
    if "seed" not in parts:
        return setup.drawn(), True
    return replace(setup, table=replace(table, seed=_number(parts, "seed", 1))), False


def link_of(setup: WorldSetup) -> str:
    """Return the link of a set-up: its game, bots and options, and a seed."""
    table = setup.table
    usual = to_plain(rule_set(table.rules.game, {}))["options"]
    options = {
        name: str(value).lower()
        for name, value in to_plain(table.rules)["options"].items()
        if value != usual[name]
    }
    seed = randbelow(ANY_SEED) if table.chance else table.seed
    return urlencode(
        {"game": table.rules.game, "bots": ",".join(setup.bots), "seed": seed, **options}, safe=","
    )


def _number(parts: dict[str, str], name: str, usual: int) -> int:
    text = parts.get(name, str(usual))
    if not (text.isascii() and text.isdigit()) or int(text[:12]) >= ANY_SEED:
        raise LinkError(f"{name}={text}: write a whole number below {ANY_SEED}")
    return int(text)
