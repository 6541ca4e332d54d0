"""``maexchen-sim replay``: a record, or a session of a table in the browser, told."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firmware.cli.arguments import add_locale_language
from firmware.cli.console import DONE, CommandError, because
from firmware.story.telling import tell
from game.actions import Action, Doubt, Look, Roll
from game.record import Record, RecordError, read, replay
from game.statistics import statistics
from hw_sim.cli.arguments import add_json
from hw_sim.story.evening_report import counts

MOST_BYTES = 16 * 1024 * 1024
MOST_ACTIONS = 20_000
"""No longer record is played again: it takes a few seconds."""


def add_commands(commands: Any) -> None:
    """Add ``replay`` to what argparse calls subparsers."""
    told = commands.add_parser(
        "replay",
        help="play a record or a session again and tell it",
        description="Play a record through the rules, or a session of a table in the browser "
        "through the simulated handhelds, and tell what happened. Of a session it also tells "
        "whether everything was the same to the byte.",
        epilog="examples:\n  maexchen-sim replay match.jsonl --json\n"
        "  maexchen-sim replay session.jsonl\n",
    )
    told.add_argument(
        "file", type=Path, metavar="FILE", help="as match --record or the bench writes it"
    )
    add_json(told)
    add_locale_language(told)
    told.set_defaults(command=_replay)


def _replay(args: argparse.Namespace) -> int:
    # Only here: what a table in the browser needs takes a while to load.
    from hw_sim.live.world.replay import is_session, play_again

    if is_session(args.file):
        return play_again(args.file, args.language, as_json=args.json)
    record = read_record(args.file)
    steps = list(replay(record))
    told = [
        "; ".join(tell(step, args.language, action)) for step, action in zip(steps, record.actions)
    ]
    if args.json:
        print(json.dumps(_replayed(record, told), ensure_ascii=False))
        return DONE
    for line in told:
        print(f"{line[:1].upper()}{line[1:]}.")
    if not steps or steps[-1].match.outcome is None:
        print("The record ends before the game does.")
    print("\n".join(("", *counts(record, args.language))))
    return DONE


def read_record(path: Path, most_actions: int = MOST_ACTIONS) -> Record:
    """Return the record of a file; CommandError in one line for what is none, or is too long."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        actions = data.count(b"\n") - 1
        if len(data) > MOST_BYTES or actions > most_actions:
            raise CommandError(
                f"record {path}: it is longer than {most_actions:,} actions: give one of a match "
                "that people have played"
            )
        return read(data.decode())
    except OSError as error:
        raise CommandError(
            f"record {path}: {because(error)}: name a file that match --record wrote"
        ) from None
    except UnicodeDecodeError:
        raise CommandError(
            f"record {path}: not text in UTF-8: name a file that match --record wrote"
        ) from None
    except RecordError as error:
        raise CommandError(f"record {path}, {error}") from None


def _replayed(record: Record, told: list[str]) -> dict[str, Any]:
    steps = list(replay(record))
    match = steps[-1].match if steps else None
    ended = match.outcome if match is not None else None
    counted = statistics(len(record.players), steps)
    return {
        "game": record.rules.game,
        "players": len(record.players),
        "names": list(record.players),
        "loser": record.players[ended.losers[0]] if ended and ended.losers else None,
        "losers": [record.players[seat] for seat in ended.losers] if ended else [],
        "ended_by": ended.rule if ended else None,
        "tally": [0] * len(record.players) if match is None else list(match.tally),
        "rounds": match.round if match is not None else 1,
        "actions": len(record.actions),
        "rolls": _count(record.actions, Roll),
        "peeks": _count(record.actions, Look),
        "doubts": _count(record.actions, Doubt),
        "statistics": {name: asdict(one) for name, one in zip(record.players, counted)},
        "told": told,
    }


def _count(actions: tuple[Action, ...], kind: type[Action]) -> int:
    return sum(isinstance(action, kind) for action in actions)
