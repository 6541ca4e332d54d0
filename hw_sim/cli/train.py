"""``maexchen-sim train``: decide, see the solution, and get again what was wrong."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from time import time
from typing import Any

from firmware.cli.arguments import refuse_idle
from firmware.cli.console import DONE, CommandError, write_output
from firmware.display.text.language import Language, say
from game import RULES
from game.actions import Announce, SeatAction
from game.coach import CoachError
from hw_sim.cli.declared import declare
from hw_sim.cli.records import MOST_JUDGED, read_record
from hw_sim.story.judging import JudgedStory
from hw_sim.training.drill import Drill, DrillError
from hw_sim.training.spots import WRONG, made, of_record
from hw_sim.training.told import progress, question, solution, ways


def add_commands(commands: Any) -> None:
    """Add ``train`` to what argparse calls subparsers."""
    declare(commands, "train", _train)


def _train(args: argparse.Namespace) -> int:
    if args.record is None:
        refuse_idle(args, "--name", "goes with --record")
    else:
        refuse_idle(args, "--game", "does nothing with --record")
    for given, only in ((args.export, "--export"), (args.progress or None, "--progress")):
        if given is not None:
            rest = "--spots --players --seed --progress".replace(only, "")
            refuse_idle(args, rest, f"does nothing with {only}")
    rules = RULES[args.game]
    if args.players not in range(rules.fewest_players, rules.most_players + 1):
        raise CommandError(
            f"--players {args.players}: choose {rules.fewest_players} to {rules.most_players} for "
            f"{args.game}"
        )
    try:
        drill = Drill(args.file)
        if args.record is not None:
            args.game = _add(drill, args.record, args.name)
        if args.export is not None:
            write_output("export", args.export, drill.csv())
        elif args.progress:
            _print_progress(drill, args.language)
        else:
            _ask(drill, args)
    except DrillError as error:
        raise CommandError(str(error)) from None
    except CoachError as error:
        raise CommandError(f"record {args.record}, {error}") from None
    return DONE


def _add(drill: Drill, path: Path, name: str | None) -> str:
    """Add what a player did wrong in a record; return its game."""
    record = read_record(path, MOST_JUDGED)
    if name is not None and name not in record.players:
        raise CommandError(f"--name {name}: choose of {', '.join(record.players)}")
    seat = None if name is None else record.players.index(name)
    for spot in of_record(record, seat):
        if spot.judged.cost > WRONG:
            drill.add(spot, time())
    return record.rules.game


def _ask(drill: Drill, args: argparse.Namespace) -> None:
    rng, language = Random(args.seed), args.language
    for number in range(1, args.spots + 1):
        number_of, spot = drill.next(args.game, time(), lambda: made(args.game, args.players, rng))
        print(f"\n{number}/{args.spots}  " + "\n".join(question(spot, language)))
        typed = typed_as(spot.choices)
        for key, name in zip(typed, ways(spot, language).values()):
            print(f"  {key:>2}  {name}")
        choice = _chosen(typed, language)
        if choice is None:
            break
        drill.answer(number_of, choice, time())
        verdict, reason, choices, basis = solution(spot, choice, language)
        print("", verdict, *([reason] if reason else []), sep="\n")
        print(*(f"  {worth:>7}  {way}" for way, worth in choices), sep="\n")
        print(basis)
    print()
    _print_progress(drill, language)


def typed_as(choices: Sequence[SeatAction]) -> dict[str, SeatAction]:
    """Return choices by what is typed for them: the value of an announcement, else a number."""
    typed, others = dict[str, SeatAction](), 0
    for choice in choices:
        if isinstance(choice, Announce):
            typed[str(choice.value)] = choice
        else:
            others += 1
            typed[str(others)] = choice
    return typed


def _chosen(typed: Mapping[str, SeatAction], language: Language) -> SeatAction | None:
    """Return the choice that is typed; None at the end of input."""
    many = sum(1 for each in typed.values() if not isinstance(each, Announce))
    while True:
        print(say("train.CHOOSE", language, many=many), end=" ", flush=True)
        line = sys.stdin.readline()
        if not line or line.strip() == "q":
            return None
        if line.strip() in typed:
            return typed[line.strip()]


def _print_progress(drill: Drill, language: Language) -> None:
    head, *rows = progress(drill.weeks(), language)
    print("\n".join(JudgedStory(head, rows).lines()) if rows else say("train.NOTHING", language))
