"""The trainer's page: a decision, its solution, and what was learned; kept beside the table."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from time import time
from typing import Final

import msgspec

from firmware.display.text.language import Language
from game import RULES
from game.coach import CoachError
from game.record import Record
from hw_sim.players.bot_kinds import BotKind
from hw_sim.training.drill import Drill, DrillError
from hw_sim.training.spots import WRONG, made, of_record
from hw_sim.training.told import progress, question, solution, ways

FILE: Final = "train.sqlite"
PLAYERS: Final = 3


class TrainerState(msgspec.Struct, frozen=True):
    """An answer to the trainer's page; what was not asked for is empty.

    ``waiting`` is the number of wrong answers that are due again. ``chosen`` and ``choices`` are of
    a solution: each choice with its worth, the best first.
    """

    number: int = 0
    question: list[str] = []
    ways: list[str] = []
    verdict: str = ""
    reason: str = ""
    unit: str = ""
    choices: list[tuple[str, str]] = []
    weeks: list[tuple[str, ...]] = []
    waiting: int = 0


class TrainerError(ValueError):
    """The page asked for something that is not there: one line."""


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
        TrainerError: there is no such thing.
    """
    try:
        drill = Drill(path)
        if "add" in query and over is not None:
            with suppress(CoachError):
                for spot in of_record(over, 0, kinds):
                    if spot.judged.cost > WRONG:
                        drill.add(spot, time())
        if "number" in query:
            return _solved(drill, query, language)
        game = query.get("game", "")
        if game not in RULES:
            weeks = progress(drill.weeks(), language)
            return TrainerState(weeks=weeks, waiting=drill.waiting(time()))
        number, spot = drill.next(game, time(), lambda: made(game, PLAYERS, SystemRandom()))
        names = list(ways(spot, language).values())
        return TrainerState(number, question(spot, language), names, waiting=drill.waiting(time()))
    except DrillError as error:
        raise TrainerError(str(error)) from None


def _solved(drill: Drill, query: Mapping[str, str], language: Language) -> TrainerState:
    number, place = (
        int(text) if (text := query.get(name, "")).isascii() and text.isdigit() else -1
        for name in ("number", "choice")
    )
    spot = drill.spot(number)
    if place not in range(len(spot.choices)):
        raise TrainerError(f"there is no choice {query.get('choice', '')}: ask again")
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
