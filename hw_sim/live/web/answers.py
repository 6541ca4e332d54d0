"""Answers of a table to what its pages ask for besides what they are sent: files, advice."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec

from firmware.display.text.games import GAME_NAMES
from firmware.display.text.language import Language, preferred, say
from hw_sim.live.web.access import Rights
from hw_sim.live.web.coach_report import advice, card_of, coach_report, record_of
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.story.games import games_as_json

FORBIDDEN, NOT_FOUND = 403, 404
"""Statuses of a refusal, as in HTTP."""
NOT_OVER = "The match is not over: come back when it is.\n"


class PageAnswer(NamedTuple):
    """A media type, and the bytes of that type."""

    kind: str
    body: bytes


class NoAnswerError(Exception):
    """There is no answer: a status of HTTP, and the reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


Work = Callable[[], PageAnswer]
"""Works out an answer, which may take seconds. It does not touch the match that is played."""


def games_json(language: Language) -> list[dict[str, Any]]:
    """Every game with its options, as ``maexchen explain --json`` tells them, and its title."""
    games: list[dict[str, Any]] = games_as_json(language)["games"]
    for game in games:
        game["title"] = say(GAME_NAMES[game["game"]], language)
    return games


def work_for(match: LiveMatch | None, rights: Rights, path: str, query: Mapping[str, str]) -> Work:
    """Return the work that answers a request.

    Args:
        match: the match at the table; None before the first.
        rights: of who asks.
        path: what is asked for: ``games``, ``card.svg``, ``hint``, ``judged.json``, ``export/…``.
        query: a ``language``; the ``seat`` of an export.

    Raises:
        NoAnswerError: there is no such thing now, or not for these rights.
    """
    language = preferred(query.get("language"))
    if path == "games":
        return lambda: _json({"games": games_json(language)})
    if path == "card.svg":  # the whole table may read it
        if match is None or not match.world.is_over:
            raise NoAnswerError(NOT_FOUND, NOT_OVER)
        world = match.world
        return lambda: PageAnswer("image/svg+xml", card_of(world, language).encode())
    if match is None or not rights.bench:
        raise NoAnswerError(FORBIDDEN, "Only a lone player may have this.\n")
    return _work_for_lone(match, rights, path, query, language)


def _work_for_lone(
    match: LiveMatch, rights: Rights, path: str, query: Mapping[str, str], language: Language
) -> Work:
    world = match.world
    if path == "judged.json":
        if not world.is_over:
            raise NoAnswerError(NOT_FOUND, NOT_OVER)
        record = record_of(world)
        return lambda: _json(coach_report(record, language))
    if path == "hint":
        if rights.seat is None:
            raise NoAnswerError(FORBIDDEN, "Only a lone player may ask.\n")
        record, seat = record_of(world), rights.seat
        return lambda: PageAnswer("text/plain", advice(record, seat, language).encode())
    what = path.removeprefix("export/")
    if what == "session.jsonl" and world.session is not None:
        world.mark()
        return partial(PageAnswer, "application/jsonl", world.session.path.read_bytes())
    seats = [each for each in rights.entitled if str(each) == query.get("seat", "0")]
    found = match.bench.export(what, seats[0]) if seats else None
    if found is None:
        raise NoAnswerError(NOT_FOUND, "There is nothing of that name for you.\n")
    return partial(PageAnswer, *found)


def _json(value: object) -> PageAnswer:
    return PageAnswer("application/json", msgspec.json.encode(value))
