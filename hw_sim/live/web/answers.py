"""Answers of a table to what its pages ask for besides what they are sent: files, advice."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from firmware.display.text.language import Language, preferred
from hw_sim.live.web.access import Rights
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.story.games import games_as_json, table_title

WRONG, FORBIDDEN, NOT_FOUND = 400, 403, 404
"""Statuses of a refusal, as in HTTP."""
RECORDS = ("evening.zip", "match.jsonl")
"""Answers with records of matches: whole ones reveal covered dice of people who pass a page on."""
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
        game["title"] = table_title(game["game"], language)
    return games


def work_for(
    match: LiveMatch | None,
    folder: Path,
    rights: Rights,
    path: str,
    query: Mapping[str, str],
    *,
    hides_lies: bool = False,
) -> Work:
    """Return the work that answers a request.

    Args:
        match: the match at the table; None before the first.
        folder: of its matches.
        rights: of who asks.
        path: what is asked for: ``games``, ``card.svg``, ``evening.json``, ``evening.zip``,
            ``matches.json``, ``match.jsonl``, ``hint``, ``judged.json``, ``export/…``,
            ``train.json``, ``train.csv``.
        query: a ``language``; the ``seat`` of an export; the number of a ``match`` that is over,
            for its record or its judgement; see ``trained``.
        hides_lies: whether nothing tells of lies that nobody found out, or of covered dice.

    Raises:
        NoAnswerError: there is no such thing now, or not for these rights.
    """
    language = preferred(query.get("language"))
    if path == "games":
        return lambda: _json({"games": games_json(language)})
    if path == "evening.json":  # the whole table may read it, as it may the card
        return partial(_evening, folder, language, hides_lies)
    if path == "evening.zip":
        return partial(_archive, folder, hides_lies)
    if path == "matches.json":
        return partial(_matches, folder, language, rights.bench)
    if path == "match.jsonl":
        return partial(_record, folder, query.get("match", ""), hides_lies)
    if path == "card.svg":
        if match is None or not match.is_over:
            raise NoAnswerError(NOT_FOUND, NOT_OVER)
        return partial(_card, match, language, hides_lies)
    if match is None or not rights.bench:
        raise NoAnswerError(FORBIDDEN, "Only a lone player may have this.\n")
    if path.startswith("train."):
        return _trainer_work(match, folder, path, query, language)
    if path == "judged.json" and "match" in query:
        return partial(_judged, folder, query["match"], language)
    return _work_for_lone(match, rights, path, query, language)


# The coach's modules are many, and few pages ask for them: they are imported when asked for.


def _card(match: LiveMatch, language: Language, hides_lies: bool) -> PageAnswer:
    from hw_sim.live.web.coach_report import card_of

    drawn = card_of(match.world, language, lies_are_told=not hides_lies)
    return PageAnswer("image/svg+xml", drawn.encode())


def _evening(folder: Path, language: Language, hides_lies: bool) -> PageAnswer:
    from hw_sim.live.web.evening_records import NoEveningError, evening_of

    try:
        return _json(evening_of(folder, language, hides_lies=hides_lies))
    except NoEveningError:
        raise NoAnswerError(NOT_FOUND, NOT_OVER) from None


def _archive(folder: Path, hides_lies: bool) -> PageAnswer:
    from hw_sim.live.web.evening_records import NoEveningError, archive_of

    try:
        return PageAnswer("application/zip", archive_of(folder, hides_lies=hides_lies))
    except NoEveningError:
        raise NoAnswerError(NOT_FOUND, NOT_OVER) from None


def _matches(folder: Path, language: Language, judges: bool) -> PageAnswer:
    from hw_sim.live.web.evening_records import matches_of

    return _json({"matches": matches_of(folder, language), "judges": judges})


def _record(folder: Path, number: str, hides_lies: bool) -> PageAnswer:
    from game.record import write
    from hw_sim.live.web.evening_records import NoEveningError, record_of_match

    try:
        record = record_of_match(folder, number, hides_lies=hides_lies)
    except NoEveningError:
        raise NoAnswerError(NOT_FOUND, NOT_OVER) from None
    return PageAnswer("application/jsonl", write(record).encode())


def _judged(folder: Path, number: str, language: Language) -> PageAnswer:
    from hw_sim.live.web.coach_report import coach_report
    from hw_sim.live.web.evening_records import NoEveningError, record_of_match

    try:
        record = record_of_match(folder, number, hides_lies=False)
    except NoEveningError:
        raise NoAnswerError(NOT_FOUND, NOT_OVER) from None
    return _json(coach_report(record, language))


def _trainer_work(
    match: LiveMatch, folder: Path, path: str, query: Mapping[str, str], language: Language
) -> Work:
    from hw_sim.live.web.coach_report import record_of
    from hw_sim.live.web.trainer import TrainerError, file_beside, trained
    from hw_sim.training.drill import Drill

    kept = file_beside(folder)
    if path == "train.csv":
        return lambda: PageAnswer("text/csv", Drill(kept).csv().encode())
    over = record_of(match.world) if match.world.is_over else None

    def work() -> PageAnswer:
        try:
            return _json(trained(kept, query, language, over))
        except TrainerError as error:
            raise NoAnswerError(WRONG, str(error)) from None

    return work


def _work_for_lone(
    match: LiveMatch, rights: Rights, path: str, query: Mapping[str, str], language: Language
) -> Work:
    from hw_sim.live.web.coach_report import advice, bots_of, coach_report, record_of

    world = match.world
    if path == "judged.json":
        if not world.is_over:
            raise NoAnswerError(NOT_FOUND, NOT_OVER)
        record = record_of(world)
        return lambda: _json(coach_report(record, language))
    if path == "hint":
        if rights.seat is None:
            raise NoAnswerError(FORBIDDEN, "Only a lone player may ask.\n")
        record, seat, bots = record_of(world), rights.seat, bots_of(world)
        return lambda: PageAnswer("text/plain", advice(record, seat, language, bots).encode())
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
