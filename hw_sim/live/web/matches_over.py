"""Matches that are over: counted once and kept, and told of in an evening's report."""

import logging
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZipFile, ZipInfo

from firmware.cli.console import because
from firmware.display.text.labels import game_name
from firmware.display.text.language import Language, say
from firmware.table.log.public_log import CoveredThrows
from game.record import Record, RecordError, public_record, read, write
from hw_sim.live.web import replace_file
from hw_sim.live.web.client import NOT_OVER, NoAnswerError
from hw_sim.live.web.coach_pages import kinds_of, playing, record_of
from hw_sim.live.web.evening_card import MatchResult, Unopened
from hw_sim.live.web.seats import OpenSeats, PartySeats
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS, BotKind
from hw_sim.story.evening_report import EveningReport, evening, report

MOST_KEPT: Final = 40
"""The most matches of a table that are kept; an evening has fewer; chosen."""
_NO_KIND: Final = "-"
"""Stands for a seat without a bot of a known kind."""
log = logging.getLogger(__name__)


class KeptMatch(NamedTuple):
    """A match that is over, as a page lists it: its number, its game's title and its players."""

    number: int
    game: str
    players: tuple[str, ...]


class KeptRecord(NamedTuple):
    """A record, the number of its match, and by seat the kinds of its bots, None for others."""

    number: int
    record: Record
    kinds: tuple[BotKind | None, ...]


def keep_record(
    folder: Path, number: int, record: Record, kinds: Sequence[BotKind | None] = ()
) -> None:
    """Store the record of a match that is over; a full disk loses it, and the log says so.

    ``kinds`` are by seat those of the bots, None for others.
    """
    path = folder / f"over{number}.jsonl"
    try:
        replace_file(_kinds_beside(path), " ".join(kind or _NO_KIND for kind in kinds))
        replace_file(path, write(record))
        for old in _files(folder)[:-MOST_KEPT]:
            old.unlink()
            _kinds_beside(old).unlink(missing_ok=True)
    except OSError as error:
        log.warning("the match is not in the evening's report: %s", because(error))


def _kinds_beside(path: Path) -> Path:
    return path.with_suffix(".kinds")


def _kept(path: Path) -> KeptRecord:
    """Return a record that is kept; one of an older version has no kinds beside it."""
    beside = _kinds_beside(path)
    words = beside.read_text(encoding="utf-8").split() if beside.exists() else []
    kinds = tuple(next((kind for kind in KINDS if kind == word), None) for word in words)
    return KeptRecord(int(path.stem[4:]), read(path.read_text(encoding="utf-8")), kinds)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("over*.jsonl"), key=lambda path: int(path.stem[4:] or 0))


def kept_records(folder: Path) -> list[KeptRecord]:
    """Return the matches that are over, the first one first, without those that are damaged."""
    found = []
    for path in _files(folder):
        try:
            found.append(_kept(path))
        except (OSError, UnicodeDecodeError, RecordError) as error:
            log.warning("%s is left out of the evening's report: %s", path, error)
    return found


def matches_of(folder: Path, language: Language) -> list[KeptMatch]:
    """Return the matches that are over, the last one first."""
    return [
        KeptMatch(number, say(game_name(record.rules.game), language), record.players)
        for number, record, _ in reversed(kept_records(folder))
    ]


def record_of_match(folder: Path, number: str) -> KeptRecord:
    """Return the match of this number.

    Raises:
        NoAnswerError: no such match is over.
    """
    for kept in kept_records(folder):
        if str(kept.number) == number:
            return kept
    raise NoAnswerError(404, NOT_OVER)


def archive_of(folder: Path, *, hides_lies: bool) -> bytes:
    """Return the matches that are over as a ZIP file of records.

    ``hides_lies``: leave out dice that nobody has shown: only a liar tells of their lies.

    Raises:
        NoAnswerError: no match is over.
    """
    if not (kept := kept_records(folder)):
        raise NoAnswerError(404, NOT_OVER)
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for number, record, _ in kept:
            told = public_record(record) if hides_lies else record
            entry = ZipInfo(f"match{number}.jsonl")  # without a time of its own
            archive.writestr(entry, write(told))
    return made.getvalue()


def evening_of(folder: Path, language: Language, *, hides_lies: bool = False) -> EveningReport:
    """Return the report of the last game, over its matches that shared two players or more.

    ``hides_lies``: count the lies alone that somebody found out.

    Raises:
        NoAnswerError: no match is over.
    """
    kept = kept_records(folder)
    if not kept:
        raise NoAnswerError(404, NOT_OVER)
    last = kept[-1].record
    same = [
        each
        for each in kept
        if each.record.rules.game == last.rules.game
        and len({*each.record.players} & {*last.players}) > 1
    ]
    bots = {record: playing(kinds) for _, record, kinds in same}
    told = evening([each.record for each in same], bots, lies_are_told=not hides_lies)
    return report(told, say(game_name(last.rules.game), language), language)


def count_match(folder: Path, seats: OpenSeats | PartySeats, number: int, world: World) -> None:
    """Store the record of a match that is over, and add it to the tally of its people.

    A full disk loses record or tally, and the log says so.
    """
    result = _result_of(world)
    keep_record(folder, number, result.record, kinds_of(world))
    try:
        seats.count(number, result)
    except OSError as error:
        log.warning("the tally cannot be kept now: %s", because(error))


def _result_of(world: World) -> MatchResult:
    """Return the result of a match that is over; without an outcome nobody lost or won it."""
    names, outcome = world.setup.table.names, world.table.seats[0].handheld.match.outcome
    losers: tuple[str, ...] = ()
    crowned: tuple[str, ...] = ()
    if outcome is not None:
        stayed = {*range(len(names))}.difference(outcome.losers, outcome.left)
        least = min((outcome.tally[seat] for seat in stayed), default=0)
        losers = tuple(names[seat] for seat in outcome.losers)
        crowned = tuple(names[seat] for seat in sorted(stayed) if outcome.tally[seat] == least)
    people, record = names[: world.setup.people], record_of(world)
    return MatchResult(record, people, losers, crowned, _unopened(world))


def _unopened(world: World) -> dict[str, Unopened]:
    """Return the throws of a match that only handhelds elsewhere can open, by player."""
    setup, watcher = world.setup, world.table.seats[-1]
    standing = watcher.device.standing
    if setup.table.part is None or standing is None:
        return {}
    session = standing.agreed.session.hex()
    found = {seat: CoveredThrows.of(watcher.log, seat) for seat in range(setup.people)}
    return {
        setup.table.names[seat]: Unopened(session, covered)
        for seat, covered in found.items()
        if covered.throws
    }
