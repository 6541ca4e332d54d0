"""``maexchen-sim analyse``: what every decision of a record was worth; luck and skill apart."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from firmware.cli.arguments import OutputFile, add_locale_language
from firmware.cli.console import DONE, CommandError, write_output, write_picture
from firmware.display.text.labels import game_name
from firmware.display.text.language import say
from game.coach import CoachError, analyse
from game.record import Record
from hw_sim.cli.arguments import add_json
from hw_sim.cli.replay import read_record
from hw_sim.story.evening_report import ReportError, as_plain, evening, report
from hw_sim.story.judging import as_json, at_this_table, lines

MOST_JUDGED = 5_000
"""No record of more actions is judged: it takes a few seconds."""


def add_commands(commands: Any) -> None:
    """Add ``analyse`` to what argparse calls subparsers."""
    judged = commands.add_parser(
        "analyse",
        help="judge every decision of a record, luck and skill apart",
        description="Tell of every decision what its player could expect from all he could do, by "
        "what he knew then, and what his choice cost; of every player how much of his result was "
        "luck and how much skill. Of several records: how often each player lied and doubted, by "
        "announced value.",
        epilog="examples:\n  maexchen-sim match --record match.jsonl\n"
        "  maexchen-sim analyse match.jsonl\n"
        "  maexchen-sim analyse match.jsonl --json --picture luck.png\n"
        "  maexchen-sim analyse over0.jsonl over1.jsonl over2.jsonl --picture evening.svg\n",
    )
    judged.add_argument(
        "record", type=Path, nargs="+", metavar="RECORD", help="as match --record writes it"
    )
    judged.add_argument(
        "--picture",
        type=OutputFile,
        metavar="FILE",
        help="draw luck and skill as PNG, several as SVG",
    )
    add_json(judged)
    add_locale_language(judged)
    judged.set_defaults(command=_analyse)


def _analyse(args: argparse.Namespace) -> int:
    if len(args.record) > 1:
        return _report(args, _different(args.record))
    path = args.record[0]
    record = read_record(path, MOST_JUDGED)
    try:
        analysis = analyse(record)
    except CoachError as error:
        raise CommandError(f"record {path}, {error}") from None
    if args.picture is not None:
        from hw_sim.story.judged_chart import chart  # needs the extra pictures

        write_picture(args.picture, chart(analysis, args.language))
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
