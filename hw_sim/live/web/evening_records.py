"""Records of a table's matches that are over, for the report of an evening."""

import logging
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZipFile, ZipInfo

from firmware.cli.console import because
from firmware.display.text.games import GAME_NAMES
from firmware.display.text.language import Language, say
from game.record import Record, RecordError, public_record, read, write
from hw_sim.live.web.private_files import replace_file
from hw_sim.story.evening_report import EveningReport, evening, report

MOST_KEPT: Final = 40
"""The most matches of a table that are kept; an evening has fewer."""
log = logging.getLogger(__name__)


class NoEveningError(LookupError):
    """No match of the evening is over."""


class KeptMatch(NamedTuple):
    """A match that is over, as a page lists it: its number, its game's title and its players."""

    number: int
    game: str
    players: tuple[str, ...]


class KeptRecord(NamedTuple):
    """A record, and the number of its match."""

    number: int
    record: Record


def keep_record(folder: Path, number: int, record: Record) -> None:
    """Store the record of a match that is over; a full disk loses it, and the log says so."""
    try:
        replace_file(folder / f"over{number}.jsonl", write(record))
        for old in _files(folder)[:-MOST_KEPT]:
            old.unlink()
    except OSError as error:
        log.warning("the match is not in the evening's report: %s", because(error))


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("over*.jsonl"), key=lambda path: int(path.stem[4:] or 0))


def kept_records(folder: Path) -> list[KeptRecord]:
    """Return the matches that are over, the first one first, without those that are damaged."""
    found = []
    for path in _files(folder):
        try:
            found.append(KeptRecord(int(path.stem[4:]), read(path.read_text(encoding="utf-8"))))
        except (OSError, UnicodeDecodeError, RecordError) as error:
            log.warning("%s is left out of the evening's report: %s", path, error)
    return found


def matches_of(folder: Path, language: Language) -> list[KeptMatch]:
    """Return the matches that are over, the last one first."""
    return [
        KeptMatch(number, say(GAME_NAMES[record.rules.game], language), record.players)
        for number, record in reversed(kept_records(folder))
    ]


def record_of_match(folder: Path, number: str, *, hides_lies: bool) -> Record:
    """Return the record of the match of this number; ``hides_lies``: see `archive_of`.

    Raises:
        NoEveningError: no such match is over.
    """
    for kept in kept_records(folder):
        if str(kept.number) == number:
            return public_record(kept.record) if hides_lies else kept.record
    raise NoEveningError


def archive_of(folder: Path, *, hides_lies: bool) -> bytes:
    """Return the matches that are over as a ZIP file of records.

    ``hides_lies``: leave out dice that nobody has shown: only a liar tells of their lies.

    Raises:
        NoEveningError: no match is over.
    """
    if not (kept := kept_records(folder)):
        raise NoEveningError
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for number, record in kept:
            told = public_record(record) if hides_lies else record
            entry = ZipInfo(f"match{number}.jsonl")  # without a time of its own
            archive.writestr(entry, write(told))
    return made.getvalue()


def evening_of(folder: Path, language: Language, *, hides_lies: bool = False) -> EveningReport:
    """Return the report of the last game, over its matches that shared two players or more.

    ``hides_lies``: count the lies alone that somebody found out.

    Raises:
        NoEveningError: no match is over.
    """
    records = [each.record for each in kept_records(folder)]
    if not records:
        raise NoEveningError
    last = records[-1]
    same = [
        each
        for each in records
        if each.rules.game == last.rules.game and len({*each.players} & {*last.players}) > 1
    ]
    game = say(GAME_NAMES[last.rules.game], language)
    return report(evening(same, lies_are_told=not hides_lies), game, language)
