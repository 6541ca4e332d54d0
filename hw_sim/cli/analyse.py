"""``maexchen-sim analyse``: what every decision of a record was worth; luck and skill apart."""

import argparse
import json
from pathlib import Path
from typing import Any

from firmware.cli.arguments import add_locale_language
from firmware.cli.console import DONE, CommandError, because
from game.coach import CoachError, analyse
from hw_sim.cli.arguments import add_json
from hw_sim.cli.replay import read_record
from hw_sim.story.judged_chart import chart
from hw_sim.story.judging import as_json, lines

MOST_JUDGED = 5_000
"""No record of more actions is judged: it takes a few seconds."""


def add_commands(commands: Any) -> None:
    """Add ``analyse`` to what argparse calls subparsers."""
    judged = commands.add_parser(
        "analyse",
        help="judge every decision of a record, luck and skill apart",
        description="Tell of every decision what its player could expect from all he could do, by "
        "what he knew then, and what his choice cost; of every player how much of his result was "
        "luck and how much skill.",
        epilog="examples:\n  maexchen-sim match --record match.jsonl\n"
        "  maexchen-sim analyse match.jsonl\n"
        "  maexchen-sim analyse match.jsonl --json --picture luck.png\n",
    )
    judged.add_argument("record", type=Path, metavar="RECORD", help="as match --record writes it")
    judged.add_argument("--picture", type=Path, metavar="FILE", help="draw luck and skill as PNG")
    add_json(judged)
    add_locale_language(judged)
    judged.set_defaults(command=_analyse)


def _analyse(args: argparse.Namespace) -> int:
    record = read_record(args.record, MOST_JUDGED)
    try:
        analysis = analyse(record)
    except CoachError as error:
        raise CommandError(f"record {args.record}, {error}") from None
    if args.json:
        print(json.dumps(as_json(analysis), ensure_ascii=False))
    else:
        print("\n".join(lines(analysis, args.language)))
    if args.picture is not None:
        try:
            chart(analysis, args.language).save(args.picture, "PNG")
        except OSError as error:
            raise CommandError(
                f"picture {args.picture}: {because(error)}: name a file that can be written"
            ) from None
    return DONE
