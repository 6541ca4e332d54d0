"""Answers of a table to what its pages ask for besides what they are sent: files, advice.

`ROUTES` has them by path, with what each needs. Every page asks as an `Asker`.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import msgspec

from firmware.display.text.language import Language, preferred, say
from game.record import Record, public_record, write
from hw_sim.live.web import coach_pages as coach
from hw_sim.live.web import matches_over as over
from hw_sim.live.web.client import NOT_OVER, NoAnswerError, Rights
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import BotKind
from hw_sim.story.card import card, svg
from hw_sim.story.games import games_as_json, table_title
from hw_sim.training.drill import Drill, DrillError

FOUND, WRONG, FORBIDDEN, NOT_FOUND, FAILED = 200, 400, 403, 404, 500
"""Statuses of an answer, as in HTTP."""
TEXT, JSON = "text/plain", "application/json"
Answered = tuple[int, str, bytes]
"""A status, a media type, and the bytes of that type."""
Query = Mapping[str, str]


def answered(address: str, work: Callable[[str, Query], tuple[str, bytes]]) -> Answered:
    """Return what some work answers to the path of an address without a slash, and to its query.

    Another error than those of an answer is a fault of ours, and goes on to the caller.
    """
    try:
        asked = urlsplit(address)
        query = dict(parse_qsl(asked.query))
    except ValueError:
        return WRONG, TEXT, b"This is no address.\n"
    try:
        return FOUND, *work(asked.path.removeprefix("/"), query)
    except NoAnswerError as error:
        return error.status, TEXT, str(error).encode()
    except DrillError as error:
        return WRONG, TEXT, str(error).encode()
    except OSError as error:
        return FAILED, TEXT, str(error).encode()


class RouteNeeds(Enum):
    """The right that a route needs."""

    NOTHING = auto()
    END = auto()
    """A match that is over, as all screens have shown."""
    OWN = auto()
    """A match, and the browser that the table is in, or a lone player's page."""
    LONE = auto()
    """A match, and a lone player's page."""


class Asker(NamedTuple):
    """The asker of an answer.

    Attributes:
        match: the match at the table; None before the first.
        folder: of its matches.
        rights: of who asks.
        is_party: nothing tells of lies that nobody found out, or of covered dice.
        is_passed: people pass this page on: nothing tells of covered dice.
        is_own: the table is in the browser that asks.
        link: that begins the same match, or leads guests here; empty for nobody's.
    """

    match: LiveMatch | None
    folder: Path
    rights: Rights
    is_party: bool = False
    is_passed: bool = False
    is_own: bool = False
    link: str = ""

    def answer(self, address: str) -> Answered:
        """Return the answer to an address: a path of `ROUTES`, and a query.

        The query has a ``language``, the ``seat`` of an export, and the number of a ``match`` that
        is over, for its record or its judgement; see also ``trained``.
        """
        return answered(address, self._work)

    def _work(self, path: str, query: Query) -> tuple[str, bytes]:
        export = partial(_export, path.removeprefix("export/"))
        route = ROUTES.get(path, Route(RouteNeeds.LONE, export))
        self._check(route.needs)
        return route.work(self, query)

    @property
    def world(self) -> World:
        """The world of the match of a route that needs one."""
        assert self.match is not None, "its needs say so"
        return self.match.world

    @property
    def hides_lies(self) -> bool:
        """Whether records are without dice that nobody has shown."""
        return self.is_party or self.is_passed

    def found(self, query: Query) -> tuple[Record, Sequence[BotKind | None]] | None:
        """Return the match of a query's number, or the present one, None if that goes on.

        With it come by seat the kinds of its bots, None for people.

        Raises:
            NoAnswerError: no match of this number is over.
        """
        if "match" in query:
            kept = over.record_of_match(self.folder, query["match"])
            return kept.record, kept.kinds
        world = self.world
        return (coach.record_of(world), coach.kinds_of(world)) if world.is_over else None

    def _check(self, needs: RouteNeeds) -> None:
        """Refuse a route that needs what is not there, with a NoAnswerError."""
        match, is_lone = self.match, self.rights.bench
        if needs is RouteNeeds.END and (match is None or not match.is_over):
            raise NoAnswerError(NOT_FOUND, NOT_OVER)
        may = is_lone or (needs is RouteNeeds.OWN and self.is_own)
        if needs in (RouteNeeds.OWN, RouteNeeds.LONE) and (match is None or not may):
            raise NoAnswerError(FORBIDDEN, "Only a lone player may have this.\n")


Work = Callable[[Asker, Query], tuple[str, bytes]]
"""Works out a media type and bytes, which may take seconds; raises NoAnswerError."""


class Route(NamedTuple):
    """The needs of a path, and what works its answer out."""

    needs: RouteNeeds
    work: Work


def games_json(language: Language) -> list[dict[str, Any]]:
    """Every game with its options, as ``maexchen explain --json`` tells them, and its title."""
    games: list[dict[str, Any]] = games_as_json(language)["games"]
    for game in games:
        game["title"] = table_title(game["game"], language)
    return games


def _json(value: object) -> tuple[str, bytes]:
    return JSON, msgspec.json.encode(value)


def _language(query: Query) -> Language:
    return preferred(query.get("language"))


def _games(_asker: Asker, query: Query) -> tuple[str, bytes]:
    return _json({"games": games_json(_language(query))})


def _link(asker: Asker, _query: Query) -> tuple[str, bytes]:
    if not asker.link:
        raise NoAnswerError(NOT_FOUND, "There is no link for you.\n")
    return TEXT, asker.link.encode()


def _card(asker: Asker, query: Query) -> tuple[str, bytes]:
    record = coach.record_of(asker.world)
    told = card(record, _language(query), lies_are_told=not asker.is_party)
    return "image/svg+xml", svg(told).encode()


def _evening(asker: Asker, query: Query) -> tuple[str, bytes]:
    return _json(over.evening_of(asker.folder, _language(query), hides_lies=asker.is_party))


def _archive(asker: Asker, _query: Query) -> tuple[str, bytes]:
    return "application/zip", over.archive_of(asker.folder, hides_lies=asker.hides_lies)


def _matches(asker: Asker, query: Query) -> tuple[str, bytes]:
    matches = over.matches_of(asker.folder, _language(query))
    return _json({"matches": matches, "judges": asker.rights.bench})


def _record(asker: Asker, query: Query) -> tuple[str, bytes]:
    record = over.record_of_match(asker.folder, query.get("match", "")).record
    told = public_record(record) if asker.hides_lies else record
    return "application/jsonl", write(told).encode()


def _judged(asker: Asker, query: Query) -> tuple[str, bytes]:
    if (found := asker.found(query)) is None:
        raise NoAnswerError(NOT_FOUND, NOT_OVER)
    return _json(coach.coach_report(found[0], _language(query), found[1]))


def _hint(asker: Asker, query: Query) -> tuple[str, bytes]:
    world, seat = asker.world, asker.rights.seat
    if seat is None:
        raise NoAnswerError(FORBIDDEN, "Only a lone player may ask.\n")
    language = _language(query)
    if world.table.seats[seat].handheld.view().fresh:
        return TEXT, say("ThrowStage.LIFT", language).encode()
    told = coach.advice(coach.record_of(world), seat, language, coach.bots_of(world))
    return TEXT, told.encode()


def _trained(asker: Asker, query: Query) -> tuple[str, bytes]:
    record, kinds = asker.found(query) or (None, ())
    file = coach.file_beside(asker.folder)
    return _json(coach.trained(file, query, _language(query), record, kinds))


def _learned(asker: Asker, _query: Query) -> tuple[str, bytes]:
    return "text/csv", Drill(coach.file_beside(asker.folder)).csv().encode()


def _export(what: str, asker: Asker, query: Query) -> tuple[str, bytes]:
    world, match = asker.world, asker.match
    if what == "session.jsonl" and world.session is not None:
        world.mark()
        return "application/jsonl", world.session.path.read_bytes()
    seats = [each for each in asker.rights.entitled if str(each) == query.get("seat", "0")]
    found = match.bench.export(what, seats[0]) if match and seats else None
    if found is None:
        raise NoAnswerError(NOT_FOUND, "There is nothing of that name for you.\n")
    return found


ROUTES: Final[Mapping[str, Route]] = {
    "games": Route(RouteNeeds.NOTHING, _games),
    "link": Route(RouteNeeds.NOTHING, _link),
    "evening.json": Route(RouteNeeds.NOTHING, _evening),
    "evening.zip": Route(RouteNeeds.NOTHING, _archive),
    "matches.json": Route(RouteNeeds.NOTHING, _matches),
    "match.jsonl": Route(RouteNeeds.NOTHING, _record),
    "card.svg": Route(RouteNeeds.END, _card),
    "train.json": Route(RouteNeeds.OWN, _trained),
    "train.csv": Route(RouteNeeds.OWN, _learned),
    "judged.json": Route(RouteNeeds.LONE, _judged),
    "hint": Route(RouteNeeds.LONE, _hint),
}
"""The answers by path. Any other path is the name of an export, such as ``export/bus.vcd``."""
