"""Matches that are over: counted once and kept, told of in an evening's report, and judged.

The card is for all; the coach's page, and advice in a match, are for a lone player.
"""

import logging
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple
from zipfile import ZipFile, ZipInfo

import msgspec

from firmware.bots.arena import followed
from firmware.bots.bot import Bot
from firmware.bots.hint import HintFits, hint, prepared
from firmware.cli.console import because
from firmware.display.text.labels import game_name
from firmware.display.text.language import Language, say
from firmware.table.log.public_log import CoveredThrows, merged_log
from game.coach import CoachError, analyse, basis
from game.record import Record, RecordError, public_record, read, write
from hw_sim.live.web import replace_file
from hw_sim.live.web.client import NOT_OVER, NoAnswerError
from hw_sim.live.web.evening_card import MatchResult, Unopened
from hw_sim.live.web.seats import OpenSeats, PartySeats
from hw_sim.live.web.trainer import TrainerTable, table_of
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS, BotKind, personality_of
from hw_sim.story.card import match_curve
from hw_sim.story.evening_report import EveningReport, at_table, evening, report
from hw_sim.story.judging import (
    JudgedStory,
    accounts,
    dearest,
    decisions,
    hint_told,
    legend,
    model,
    moments,
    played,
    unit,
)

MOST_KEPT: Final = 40
"""The most matches of a table that are kept; an evening has fewer."""
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
        seats.count(number, result, _unopened(world))
    except OSError as error:
        log.warning("the tally cannot be kept now: %s", because(error))


def _result_of(world: World) -> MatchResult:
    """Return the result of a match that is over."""
    names, outcome = world.setup.table.names, world.table.seats[0].handheld.match.outcome
    people = names[: world.setup.people]
    if outcome is None:
        return MatchResult(record_of(world), people, (), ())
    stayed = {*range(len(names))}.difference(outcome.losers, outcome.left)
    least = min((outcome.tally[seat] for seat in stayed), default=0)
    crowned = tuple(names[seat] for seat in sorted(stayed) if outcome.tally[seat] == least)
    return MatchResult(
        record_of(world), people, tuple(names[seat] for seat in outcome.losers), crowned
    )


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


AHEAD_S: Final = 0.008
"""The time that hints are prepared for at each step of a world."""


class CoachMoment(msgspec.Struct, frozen=True):
    """A decision that cost much: what it was, the better way, and the table before it."""

    head: str
    better: str
    table: TrainerTable


class CoachReport(msgspec.Struct, frozen=True):
    """The coach's judgement of a match for a page: tables, lines, or the reason for none.

    ``curve`` is an SVG, and ``means`` explains it and ``played``. ``dearest`` are the decisions
    that cost most, three at most: of the people, if bots are known, else of everybody. ``learns``:
    the game whose trainer they are for; "" for none. ``notes`` are about ``accounts`` and
    ``decisions``.
    """

    curve: str = ""
    played: JudgedStory | None = None
    means: tuple[str, str] = ("", "")
    dearest: list[CoachMoment] = []
    learns: str = ""
    moments: list[str] = []
    accounts: JudgedStory | None = None
    decisions: JudgedStory | None = None
    notes: list[str] = []
    why_not: str = ""


def record_of(world: World) -> Record:
    """Return the match of a table, with all dice that anybody rolled."""
    return merged_log([seat.log for seat in world.table.seats])[0]


_DOTS: Final = ("judged.NO_DOT", "judged.DOT", "judged.DOTS", "judged.DOTS")
_OWN_DOTS: Final = ("judged.OWN_NO_DOT", "judged.OWN_DOT", "judged.OWN_DOTS", "judged.OWN_DOTS")
"""The names of a curve's dots, by their number: of everybody, and of the person alone."""


def coach_report(
    record: Record, language: Language, kinds: Sequence[BotKind | None] = ()
) -> CoachReport:
    """Return the coach's judgement of a match; it takes up to some seconds.

    ``kinds`` are by seat those of the bots, None for people: these are judged against them and
    each other. Without any, nothing is known of the players.
    """
    try:
        analysis = at_table(record, analyse(record), playing(kinds))
    except CoachError as error:
        return CoachReport(why_not=str(error))
    people = [seat for seat, kind in enumerate(kinds) if kind is None]
    own = tuple(each for each in analysis.decisions if not people or each.seat in people)
    shown = analysis._replace(decisions=own)
    cards = [
        CoachMoment(each.head, each.better, table_of(followed(until).match, kinds))
        for each in dearest(shown, language)
        for until in [record._replace(actions=record.actions[: each.judged.line - 2])]
    ]
    dots = say((_OWN_DOTS if people else _DOTS)[len(cards)], language)
    return CoachReport(
        match_curve(shown, language),
        played(analysis, language),
        (f"{say('judged.CURVE', language)} {dots}", say("judged.PLAYED_MEANS", language)),
        cards,
        record.rules.game if people and cards else "",
        moments(analysis, language),
        accounts(analysis, language),
        decisions(analysis, language),
        [
            model(analysis, language),
            " ".join((unit(analysis, language), *legend(analysis, language))),
        ],
    )


def kinds_of(world: World) -> tuple[BotKind | None, ...]:
    """Return by seat the kind of bot that plays there; None for a person, or another."""
    setup = world.setup
    kinds = [kind if kind in KINDS else None for kind in setup.bots]
    return (*[None] * setup.people, *kinds)


def bots_of(world: World) -> tuple[Bot | None, ...]:
    """Return by seat the bot of a known kind that plays there; None for a person, or another."""
    return playing(kinds_of(world))


def playing(kinds: Sequence[BotKind | None]) -> tuple[Bot | None, ...]:
    """Return the bots of these kinds, None for None."""
    return tuple(None if kind is None else personality_of(kind) for kind in kinds)


class HintsAhead:
    """Makes what hints need while nobody asks, so that each is there at once."""

    def __init__(self) -> None:
        self._round: tuple[World, int] | None = None
        self._pieces: Iterator[None] = iter(())

    def step(self, world: World, seat: int) -> None:
        """Go on with the running round of ``seat``, for `AHEAD_S`; a new round begins anew."""
        match = world.table.seats[seat].log.match
        if self._round != (world, match.round):
            self._round = world, match.round
            self._pieces = prepared(match, seat, bots_of(world))
        until_s = perf_counter() + AHEAD_S
        while perf_counter() < until_s and next(self._pieces, self) is None:
            pass


def advice(record: Record, seat: int, language: Language, bots: Sequence[Bot | None] = ()) -> str:
    """Return what ``seat`` should do now, in a few words; ``bots`` as in ``hint``.

    If `HintsAhead` has made nothing, it takes up to two seconds among eight. If there are several
    ways, each is given its share, the most frequent first.
    """
    told_now = hint(record, seat, bots)
    if not told_now.ways:
        return say("judged.NO_HINT", language)
    arena = followed(record)
    unit, reference = basis(record.rules, len(record.players))
    found = hint_told(arena, told_now, unit, language)
    if told_now.fits is HintFits.THIS_TABLE:
        by_the_book = hint(record, seat)
        if by_the_book.best != told_now.best:
            found += hint_told(arena, by_the_book, unit, language)[:1]
    if reference.caveat == "BY_LOT":
        found.append(say("judged.BY_LOT", language))
    return ". ".join(found)
