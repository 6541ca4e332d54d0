"""``maexchen-sim replay`` and ``maexchen-sim gestures``: what was recorded, told and judged."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firmware.cli.console import DONE, CommandError, because
from firmware.display.text.words import LANGUAGES
from game import AnyMatch, Match
from game.actions import Action, Doubt, Look, Roll
from game.record import Record, RecordError, read, replay
from game.statistics import statistics
from hw_sim.cli.trials import judge_gestures, judge_scenes
from hw_sim.story.counting import counts
from hw_sim.story.telling import tell


def add_commands(commands: Any) -> None:
    """Add ``replay`` and ``gestures`` to what argparse calls subparsers."""
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
    told.add_argument("--json", action="store_true", help="print one JSON object")
    told.add_argument("--lang", "--language", choices=LANGUAGES, default="en", dest="language")
    told.set_defaults(command=_replay)
    trial = commands.add_parser(
        "gestures",
        help="recorded motion through the recognizer",
        description="Play a folder of recorded motion through the simulated accelerometer, the "
        "driver and the recognizer, with the light and the touches recorded beside it; without, "
        "as if the cup were covered.",
        epilog="example:\n  maexchen-sim gestures recordings --json\n",
    )
    trial.add_argument("folder", type=Path, metavar="DIR", help="with index.csv and events.csv")
    trial.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help="of the handheld that recorded, as maexchen calibrate stores it",
    )
    trial.add_argument("--json", action="store_true", help="print one JSON object")
    trial.set_defaults(command=judge_gestures)
    scenes = commands.add_parser(
        "scenes",
        help="made-up light and motion that no recording covers",
        description="Lift, cover, shake and tap in bad light, put down, walk, ride a bus: made up, "
        "through the simulated sensors, the drivers and the recognizer; false and missed gestures "
        "per hour with their 95 % intervals.",
        epilog="examples:\n  maexchen-sim scenes\n  maexchen-sim scenes --takes 12 --json\n"
        "  maexchen-sim scenes --film made-up && maexchen-sim gestures made-up\n",
    )
    scenes.add_argument(
        "--takes",
        type=int,
        default=2,
        metavar="N",
        help="of 5 minutes, of each scene (2; 12 = 1 h)",
    )
    scenes.add_argument("--seed", default="0", help="another one is another set of people")
    scenes.add_argument(
        "--film",
        type=Path,
        metavar="DIR",
        help="judge nothing, but record all takes there as maexchen record does, for gestures",
    )
    scenes.add_argument("--json", action="store_true", help="print one JSON object")
    scenes.set_defaults(command=judge_scenes)


def _replay(args: argparse.Namespace) -> int:
    # Only here: what a table in the browser needs takes a while to load.
    from hw_sim.live.world.replay import is_session, play_again

    if is_session(args.file):
        return play_again(args.file, args.language, as_json=args.json)
    record = _read(args.file)
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
        print("The record ends before the match does.")
    print("\n".join(("", *counts(record, args.language))))
    return DONE


def _read(path: Path) -> Record:
    try:
        return read(path.read_text(encoding="utf-8"))
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
        "tally": [0] * len(record.players) if match is None else list(_tally(match)),
        "rounds": match.round if match is not None else 1,
        "actions": len(record.actions),
        "rolls": _count(record.actions, Roll),
        "peeks": _count(record.actions, Look),
        "doubts": _count(record.actions, Doubt),
        "statistics": {name: asdict(one) for name, one in zip(record.players, counted)},
        "told": told,
    }


def _tally(match: AnyMatch) -> tuple[int, ...]:
    """What counts against everybody: penalties, or coasters."""
    return match.tally if isinstance(match, Match) else match.coasters


def _count(actions: tuple[Action, ...], kind: type[Action]) -> int:
    return sum(isinstance(action, kind) for action in actions)
