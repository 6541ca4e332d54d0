"""``maexchen-sim replay``, ``analyse``, ``games``, ``rules``: what was and what can be played."""

import argparse
import json
import sys
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from firmware.cli.console import DONE, CommandError, because, write_output
from firmware.display.text.labels import game_name
from firmware.display.text.language import say
from firmware.story import tell
from game import SetupError, rule_set
from game.coach import CoachError, analyse
from game.record import Record, RecordError, read, replay
from hw_sim.cli.arguments import options
from hw_sim.cli.declared import declare
from hw_sim.story import in_numbers
from hw_sim.story.card import match_picture
from hw_sim.story.evening_report import ReportError, as_plain, counts, evening, report
from hw_sim.story.games import games_as_json, games_in_words, rules_as_json, rules_in_words
from hw_sim.story.judging import as_json, at_this_table, lines

MOST_BYTES = 16 * 1024 * 1024
"""No longer record is read; chosen."""
MOST_ACTIONS = 20_000
"""No longer record is played again: it takes a few seconds; chosen."""


def add_commands(commands: Any) -> None:
    """Add ``replay``, ``analyse``, ``games`` and ``rules`` to what argparse calls subparsers."""
    runs = {"replay": _replay, "analyse": _analyse, "games": _games, "rules": _rules}
    for name, run in runs.items():
        declare(commands, name, run)


def _replay(args: argparse.Namespace) -> int:
    # Only here: what a table in the browser needs takes a while to load.
    from hw_sim.live.world.running import is_session, play_again

    if is_session(args.file):
        return play_again(args.file, args.language, as_json=args.json)
    record = read_record(args.file)
    steps = list(replay(record))
    told = [
        "; ".join(tell(step, args.language, action)) for step, action in zip(steps, record.actions)
    ]
    if args.json:
        tally = list(steps[-1].match.tally) if steps else [0] * len(record.players)
        more = {"names": record.players, "tally": tally, "actions": len(steps), "told": told}
        print(json.dumps(in_numbers(record) | more, ensure_ascii=False))
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
    except (OSError, UnicodeDecodeError) as error:
        why = because(error) if isinstance(error, OSError) else "not text in UTF-8"
        raise CommandError(f"record {path}: {why}: name a file that match --record wrote") from None
    except RecordError as error:
        raise CommandError(f"record {path}, {error}") from None


MOST_JUDGED = 5_000
"""No record of more actions is judged or trained from: it takes a few seconds; chosen."""
SVG = "image/svg+xml"


def _analyse(args: argparse.Namespace) -> int:
    if args.picture is not None and guess_type(args.picture.name)[0] not in (None, SVG):
        name = args.picture.with_suffix(".svg")
        raise CommandError(f"picture {args.picture}: it is drawn as SVG: name it {name}")
    if len(args.record) > 1:
        return _report(args, _different(args.record))
    path = args.record[0]
    record = read_record(path, MOST_JUDGED)
    try:
        analysis = analyse(record)
    except CoachError as error:
        raise CommandError(f"record {path}, {error}") from None
    if args.picture is not None:
        write_output("picture", args.picture, match_picture(analysis, args.language))
    if args.json:
        print(json.dumps(as_json(analysis), ensure_ascii=False))
    else:
        print("\n".join(lines(analysis, args.language, at_this_table(record, analysis))))
    return DONE


def _different(paths: list[Path]) -> list[Record]:
    """Return the records of files, each match once."""
    first: dict[Record, Path] = {}
    for path in paths:
        known = first.setdefault(read_record(path, MOST_JUDGED), path)
        if known is not path:
            print(f"record {path}: the match of {known}, counted once", file=sys.stderr)
    return list(first)


def _report(args: argparse.Namespace, records: list[Record]) -> int:
    try:
        counts = evening(records)
    except ReportError as error:
        raise CommandError(str(error)) from None
    told = report(counts, say(game_name(records[0].rules.game), args.language), args.language)
    if args.json:
        print(json.dumps(as_plain(counts), ensure_ascii=False))
    else:
        tables = [each.lines() for each in (told.players, told.values) if each.rows]
        parts = [[told.title], told.sentences, *tables, [told.legend]]
        print("\n\n".join("\n".join(part) for part in parts))
    if args.picture is not None:
        write_output("picture", args.picture, told.picture)
    return DONE


def _games(args: argparse.Namespace) -> int:
    print(_json(games_as_json(args.language)) if args.json else games_in_words(args.language))
    return DONE


def _rules(args: argparse.Namespace) -> int:
    language = args.language
    try:
        rules = rule_set(args.game, options(args.game, args.option))
    except SetupError as error:
        raise CommandError(str(error)) from None
    print(_json(rules_as_json(rules, language)) if args.json else rules_in_words(rules, language))
    return DONE


def _json(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False)
