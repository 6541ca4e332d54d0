"""The set-up of a table that a link carries: ``game=maxen&players=4&seed=7&lang=fr``."""

from collections.abc import Iterable
from dataclasses import replace
from secrets import randbelow
from typing import Final, cast
from urllib.parse import parse_qsl, urlencode

from drivers.light_sensor import LIGHT_SENSORS, LightKind
from firmware.display.text.language import LANGUAGES, Language, preferred, say
from firmware.lobby.choices import names_of_bots
from firmware.settings import media_of
from game import TABLES, SetupError, game_of, nearest_table, rule_set
from game.names import NAME_BYTES, are_alike, fitting, tidied
from game.options import ClashError
from game.rules import OPTIONS, parsed_option
from hw_sim.live.web.match_plan import SeatingError, readable_name
from hw_sim.live.world.setup import ANY_SEED, WorldSetup
from hw_sim.players.bot_kinds import KINDS, USUAL_KINDS
from hw_sim.story.games import written
from hw_sim.table import NAMES, Conditions, TableSetup

LINK: Final = media_of("mqtt")
"""The medium of the handhelds in a page: a broker in memory, which needs no other package."""
MOST_LETTERS: Final = 1000
"""The most letters of a link's set-up; chosen."""
_PLAIN: Final = {"game", "players", "people", "names", "bots", "seed", "lang", "light"}
_PLAYERS: Final = 3


class LinkError(ValueError):
    """A link that no table can be set up from: a line in the language of the page that asks.

    Args:
        why: the key of a text in the section "link".
        language: of the page.
        places: those of the text.
    """

    def __init__(self, why: str, language: Language, **places: object) -> None:
        super().__init__(say(f"link.{why}", language, **places))


def usual_setup(language: Language) -> WorldSetup:
    """Return the set-up of a first visit: class, against two bots, all chance drawn."""
    table = TableSetup(rule_set("class", {}), _PLAYERS, language=language, link=LINK)
    return WorldSetup(table, 1, USUAL_KINDS[: _PLAYERS - 1]).drawn()


def setup_of(link: str, language: Language) -> tuple[WorldSetup, bool] | None:
    """Return the set-up that a link carries, and whether any seed will do; None if it has none.

    Args:
        link: what stands behind the # of an address. ``game`` is the name of a game or preset,
            ``players`` counts all seats, ``people`` those of persons (one if it is not there),
            ``names`` are theirs and ``bots`` are kinds, with commas between them, ``seed`` is a
            number that makes the same dice and the same bots for everybody, ``lang`` a language,
            ``light`` the handhelds' light sensor. Every other part is an option of the game.
        language: of the page, and of the panels where the link names none.

    Raises:
        LinkError: a part is unknown, or there is no such table.
    """
    if len(link) > MOST_LETTERS:
        raise LinkError("long", language, most=MOST_LETTERS)
    said = parse_qsl(link, keep_blank_values=True)
    parts = dict(said)
    if len(parts) < len(said):
        double, _ = next(each for place, each in enumerate(said) if each[0] in dict(said[:place]))
        raise LinkError("twice", language, part=double)

    def check(name: str, text: object, known: Iterable[object]) -> None:
        """Raise LinkError unless a part is one of the values that are known."""
        if text not in (values := tuple(known)):
            told = ", ".join(map(str, values)).lower()
            raise LinkError("values", language, part=f"{name}={text}", values=told)

    def number(name: str, usual: int, least: int, most: int) -> int:
        text = parts.get(name, str(usual))
        if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
            values = f"{least}–{most}"
            raise LinkError("values", language, part=f"{name}={text}", values=values)
        return int(text)

    spoken, game = parts.get("lang", language), parts.get("game", "class")
    check("lang", spoken, LANGUAGES)
    if not set(parts) - {"lang"}:
        return None
    check("game", game, TABLES)
    light = parts.get("light", Conditions.light)
    check("light", light, LIGHT_SENSORS)
    fitted = Conditions(light=cast(LightKind, light))
    offered = OPTIONS[game_of(game)]
    named = {option.name: option for option in offered if option.name in parts}
    if unknown := parts.keys() - _PLAIN - named.keys():
        known = ", ".join((*sorted(_PLAIN), *(option.name for option in offered)))
        raise LinkError("values", language, part=min(unknown), values=known)
    options: dict[str, object] = {}
    for name, option in named.items():
        if option.choices:
            options[name] = parsed_option(game, name, parts[name])
            check(name, options[name], option.choices)
        else:
            options[name] = number(name, 0, option.least, option.greatest)
    try:
        rules = rule_set(game, options)
    except ClashError as clash:
        told = ", ".join(f"{name}={written(value)}" for name, value in clash.options)
        raise LinkError("together", language, parts=told) from None
    kinds = [kind for kind in parts.get("bots", "").split(",") if kind]
    for kind in kinds:
        check("bots", kind, KINDS)
    names = _names(parts.get("names", ""), language)
    people = number("people", max(len(names), 1), 1, len(NAMES))
    if names and len(names) != people:
        raise LinkError("names", language, part=f"names={parts['names']}")
    usual = len(kinds) + people if kinds else _PLAYERS
    most = min(rules.most_players, len(NAMES))
    players = number("players", usual, rules.fewest_players, most)
    number("people", people, 1, players)
    bots = (kinds or USUAL_KINDS) * players
    player_names = (*names, *names_of_bots(names, players - people)) if names else ()
    try:
        table = TableSetup(
            *(rules, players),
            conditions=fitted,
            language=preferred(spoken),
            link=LINK,
            player_names=player_names,
        )
    except SetupError:
        told = ", ".join(f"{name}={text}" for name, text in parts.items())
        raise LinkError("together", language, parts=told) from None
    setup = WorldSetup(table, people, tuple(bots[: players - people]))
    if "seed" not in parts:
        return setup.drawn(), True
    return replace(setup, table=replace(table, seed=number("seed", 1, 0, ANY_SEED - 1))), False


def link_of(setup: WorldSetup) -> str:
    """Return the link of a set-up: the nearest game or preset, what differs, bots, and a seed."""
    table, known = setup.table, nearest_table(setup.table.rules)
    options = {name: str(value).lower() for name, value in known.changes.items()}
    seed = randbelow(ANY_SEED) if table.chance else table.seed
    parts = {"game": known.table, "bots": ",".join(setup.bots), "seed": seed, **options}
    if (light := table.conditions.light) != Conditions.light:
        parts["light"] = light
    if setup.people > 1:
        parts |= {"people": setup.people, "players": table.players}
        if table.player_names:
            parts["names"] = ",".join(table.player_names[: setup.people])
    return urlencode(parts, safe=",")


def _names(text: str, language: Language) -> tuple[str, ...]:
    """Return the names of a link, as they are kept; none if there are none."""
    names: list[str] = []
    for each in text.split(",") if text else ():
        try:
            name = readable_name(each)
            if any(are_alike(name, other) for other in names):
                raise SeatingError("double")
        except SeatingError as error:
            key, fits = error.why, fitting(tidied(each))
            if key == "long" and not fits:
                key = "long_0"
            size = len(tidied(each).encode())
            why = say(f"page.why_{key}", language, fits=fits, n=size, most=NAME_BYTES)
            raise LinkError("name", language, part=f"names={each}", because=why) from None
        names.append(name)
    return tuple(names)
