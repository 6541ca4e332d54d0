"""The coach's pages: advice in a match and its judgement for a lone player, and the trainer.

The trainer's page shows a decision, its solution, and what was learned. Its file lies beside the
table.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from time import perf_counter, time
from typing import Final, cast

import msgspec

from firmware.bots.arena import followed
from firmware.bots.bot import Bot
from firmware.bots.hint import HintFits, hint, prepared
from firmware.display.text.language import Language, say
from firmware.table.log.public_log import merged_log
from game import RULES, AnyMatch, hides_dice
from game.actions import Announce
from game.coach import CoachError, analyse, basis
from game.dice import Dice
from game.record import Record
from hw_sim.live.web.client import NoAnswerError
from hw_sim.live.web.outgoing import Scoreboard, ladder_of, scoreboard_of
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS, BotKind, personality_of
from hw_sim.story import judging
from hw_sim.story.card import match_curve
from hw_sim.story.evening_report import at_table
from hw_sim.story.reasons import is_fault
from hw_sim.training.drill import Drill
from hw_sim.training.spots import WRONG, Spot, made, of_record
from hw_sim.training.told import order_of, progress, question, seen_dice, solution, ways


def record_of(world: World) -> Record:
    """Return the match of a table, with all dice that anybody rolled."""
    return merged_log([seat.log for seat in world.table.seats])[0]


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


AHEAD_S: Final = 0.008
"""The time that hints are prepared for at each step of a world; chosen."""


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
    found = judging.hint_told(arena, told_now, unit, language)
    if told_now.fits is HintFits.THIS_TABLE:
        by_the_book = hint(record, seat)
        if by_the_book.best != told_now.best:
            found += judging.hint_told(arena, by_the_book, unit, language)
    if reference.caveat == "BY_LOT":
        found.append(say("judged.BY_LOT", language))
    return ". ".join(found)


FILE: Final = "train.sqlite"
PLAYERS: Final = 3
"""The number of players in a decision that is made for training; chosen."""


class TrainerTable(msgspec.Struct, frozen=True):
    """The table of a decision, as far as the player who decides knows it.

    ``kinds`` are by seat those of the bots, "" for people and unknown ones. ``order`` are the seats
    in playing order, the one who decides first. ``cup``: it stands before that one, and ``dice``
    are those that they have seen under it; empty for none. Everything else is as in a welcome.
    """

    names: tuple[str, ...]
    kinds: list[str]
    order: list[int]
    ladder: list[int]
    standing: Scoreboard
    cup: bool
    dice: Dice


class TrainerWay(msgspec.Struct, frozen=True):
    """A choice of a decision; ``value``: what it says on the ladder, 0 for none."""

    text: str
    value: int


class TrainerState(msgspec.Struct, frozen=True):
    """An answer to the trainer's page; what was not asked for is empty.

    ``waiting`` is the number of wrong answers that are due again. ``chosen`` and ``choices`` are of
    a solution: each choice with its worth, the best first.
    """

    number: int = 0
    question: list[str] = []
    table: TrainerTable | None = None
    ways: list[TrainerWay] = []
    verdict: str = ""
    reason: str = ""
    unit: str = ""
    choices: list[tuple[str, str]] = []
    weeks: list[tuple[str, ...]] = []
    waiting: int = 0


def file_beside(folder: Path) -> Path:
    """Return the trainer's file of a table whose matches lie in ``folder``."""
    return folder.parent / FILE


def trained(
    path: Path,
    query: Mapping[str, str],
    language: Language,
    over: Record | None,
    kinds: Sequence[BotKind | None] = (),
) -> TrainerState:
    """Return what the page asks for.

    Args:
        path: the file of decisions and answers.
        query: ``game`` for a decision; ``number`` and ``choice``, from 0, for its solution; ``add``
            adds what seat 0 did wrong in ``over``; without any of them, progress alone.
        language: of the texts.
        over: the match that was just played; None for none.
        kinds: by seat those of its bots, None for people.

    Raises:
        NoAnswerError: there is no such choice.
        DrillError: there is no such decision, or the file cannot be used.
    """
    drill = Drill(path)
    if "add" in query and over is not None:
        with suppress(CoachError):
            for spot in sorted(of_record(over, 0, kinds), key=lambda each: -each.judged.cost):
                if spot.judged.cost > WRONG:
                    drill.add(spot, time())
    if "number" in query:
        return _solved(drill, query, language)
    game = query.get("game", "")
    if game not in RULES:
        weeks = progress(drill.weeks(), language)
        return TrainerState(weeks=weeks, waiting=drill.waiting(time()))
    number, spot = drill.next(game, time(), lambda: made(game, PLAYERS, SystemRandom()))
    return posed(number, spot, language, drill.waiting(time()))


def posed(number: int, spot: Spot, language: Language, waiting: int) -> TrainerState:
    """Return a decision by its number, as the page asks for it."""
    match = spot.match()
    told = [
        TrainerWay(text, way.value if type(way) is Announce and not is_fault(match, way) else 0)
        for way, text in ways(spot, language).items()
    ]
    lines, table = question(spot, language, is_drawn=True), table_of(match, spot.bots)
    return TrainerState(number, lines, table, told, waiting=waiting)


def table_of(match: AnyMatch, kinds: Sequence[BotKind | None] = ()) -> TrainerTable:
    """Return the table of the decision that a match waits for; ``match`` has all dice."""
    order = order_of(match)
    place = order.index(cast(int, match.to_act))
    return TrainerTable(
        match.players,
        [kind or "" for kind in kinds or [None] * len(match.players)],
        [*order[place:], *order[:place]],
        ladder_of(match),
        scoreboard_of(match),
        hides_dice(match),
        seen_dice(match),
    )


def _solved(drill: Drill, query: Mapping[str, str], language: Language) -> TrainerState:
    number, place = (
        int(text) if (text := query.get(name, "")).isascii() and text.isdigit() else -1
        for name in ("number", "choice")
    )
    spot = drill.spot(number)
    if place not in range(len(spot.choices)):
        raise NoAnswerError(400, f"there is no choice {query.get('choice', '')}: ask again")
    choice = spot.choices[place]
    drill.answer(number, choice, time())
    verdict, reason, choices, basis = solution(spot, choice, language)
    return TrainerState(
        number,
        verdict=verdict,
        reason=reason,
        unit=basis,
        choices=choices,
        waiting=drill.waiting(time()),
    )


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
    played: judging.JudgedStory | None = None
    means: tuple[str, str] = ("", "")
    dearest: list[CoachMoment] = []
    learns: str = ""
    moments: list[str] = []
    accounts: judging.JudgedStory | None = None
    decisions: judging.JudgedStory | None = None
    notes: list[str] = []
    why_not: str = ""


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
        for each in judging.dearest(shown, language)
        for until in [record._replace(actions=record.actions[: each.judged.line - 2])]
    ]
    dots = say((_OWN_DOTS if people else _DOTS)[len(cards)], language)
    return CoachReport(
        match_curve(shown, language),
        judging.played(analysis, language),
        (f"{say('judged.CURVE', language)} {dots}", say("judged.PLAYED_MEANS", language)),
        cards,
        record.rules.game if people and cards else "",
        judging.moments(analysis, language),
        judging.accounts(analysis, language),
        judging.decisions(analysis, language),
        [
            judging.model(analysis, language),
            " ".join((judging.unit(analysis, language), *judging.legend(analysis, language))),
        ],
    )
