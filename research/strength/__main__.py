"""``python -m research.strength``: measure the bots; write the page and the picture of them."""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from secrets import randbelow
from typing import Final

from firmware.cli.arguments import MOST_SEED, OutputFile, between, check_files
from firmware.cli.console import DONE, CommandError, run_command, write_output, write_picture
from firmware.cli.errors import SPOKEN
from firmware.cli.parser import LineParser
from game import RULES
from hw_sim.cli.arguments import bots
from hw_sim.cli.working import saying_so
from hw_sim.players.bot_kinds import KINDS
from hw_sim.players.foreign import BotError, ForeignBot
from research.strength.measure import measure, to_plain
from research.strength.page import page, picture, table

PROGRAM: Final = "python -m research.strength"
MATCHES: Final = 1000
"""The usual number of matches; chosen."""
FEWEST, MOST_MATCHES = 20, 1_000_000
"""The fewest and the most matches that can be asked for; chosen."""
UNGUESSED: Final = 2**128
"""The number of possible seeds: too many for a bot to find the drawn one by trying; chosen."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status. ``argv`` None: the program's arguments."""
    return run_command(PROGRAM, partial(_command, argv), (*SPOKEN, BotError))


def _command(argv: Sequence[str] | None) -> int:
    args = parser().parse_args(argv)
    check_files(args)
    with saying_so("strength", sys.stderr):
        return _strength(args)


def parser() -> LineParser:
    """Return the parser of the command."""
    strength = LineParser(
        prog=PROGRAM,
        description="What the best response gains against each bot, what the bots gain against "
        "each other (two players, exactly; minutes for each bluff game), and how often each loses "
        "a match of four. For open games, it also tells the best result by the number of throws.",
        epilog=f"examples:\n  {PROGRAM} --game class\n"
        f"  {PROGRAM} --game sevens --json\n"
        f"  {PROGRAM} --game class --bot docs/bots/careful.py:Careful\n",
    )
    strength.add_argument("--game", choices=list(RULES), help="of this game alone")
    strength.add_argument(
        "--matches",
        type=between(int, FEWEST, MOST_MATCHES),
        default=MATCHES,
        metavar="N",
        help=f"of the tournament (default: {MATCHES})",
    )
    strength.add_argument(
        "--seed",
        type=between(int, 0, MOST_SEED),
        metavar="N",
        help="default: 1; with --bot one that is drawn, since a bot could read what is typed",
    )
    strength.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="BOT",
        help="path/to/file.py:Class: a tournament between it and the built-in ones is all there is",
    )
    strength.add_argument("--json", action="store_true", help="print one JSON object")
    strength.add_argument("--picture", type=OutputFile, metavar="FILE", help="draw it, as PNG")
    strength.add_argument(
        "--page", type=OutputFile, metavar="FILE", help="write the page, with FILE.json beside it"
    )
    return strength


def _strength(args: argparse.Namespace) -> int:
    if args.page is not None and args.bot:
        raise CommandError("--page is of the built-in bots alone: leave it out, or --bot")
    foreign = [ForeignBot(name) for name in bots(args.bot) if name not in KINDS]
    usual = randbelow(UNGUESSED) if foreign else 1
    seed = usual if args.seed is None else args.seed
    games = [args.game] if args.game else list(RULES)
    strengths = []
    for game in games:
        strengths.append(measure(game, args.matches, seed, foreign))
        if not args.json:
            print(table(strengths[-1]), flush=True)
    if args.json:
        print(json.dumps([to_plain(strength) for strength in strengths]))
    if args.picture is not None:
        write_picture(args.picture, picture(strengths))
    if args.page is not None:
        plain = json.dumps([to_plain(strength) for strength in strengths], indent=1) + "\n"
        write_output("page", args.page.with_suffix(".json"), plain)
        write_output("page", args.page, page(strengths))
    return DONE


if __name__ == "__main__":
    raise SystemExit(main())
