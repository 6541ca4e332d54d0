"""The trainer's page: a decision, its solution, and what was learned; kept beside the table."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from time import time
from typing import Final, cast

import msgspec

from firmware.display.text.language import Language
from game import RULES, AnyMatch, hides_dice
from game.actions import Announce
from game.coach import CoachError
from game.dice import Dice
from game.record import Record
from hw_sim.live.web.client import NoAnswerError
from hw_sim.live.web.outgoing import Scoreboard, ladder_of, scoreboard_of
from hw_sim.players.bot_kinds import BotKind
from hw_sim.story.judging import is_fault
from hw_sim.training.drill import Drill
from hw_sim.training.spots import WRONG, Spot, made, of_record
from hw_sim.training.told import order_of, progress, question, seen_dice, solution, ways

FILE: Final = "train.sqlite"
PLAYERS: Final = 3


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
