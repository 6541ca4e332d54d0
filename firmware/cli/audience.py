"""``maexchen watch`` and ``maexchen league``: follow what tables publish at a broker."""

import argparse
from pathlib import Path
from typing import Any

from firmware.cli.arguments import add_locale_language

HOST = "127.0.0.1"
_EXAMPLES = """\
examples:
  maexchen watch mqtts://broker.example 0123456789abcdef0123456789abcdef
  maexchen watch mqtt://127.0.0.1 0123456789abcdef0123456789abcdef --port 8022
"""
_LEAGUE_EXAMPLES = """\
examples:
  maexchen league mqtts://broker.example --port 8023
  maexchen league mqtts://broker.example --table 0123456789abcdef0123456789abcdef
  maexchen league --file league.sqlite --export ratings.csv
"""


def add_command(commands: Any) -> None:
    """Add ``watch`` and ``league`` to a command line."""
    watch = commands.add_parser(
        "watch",
        help="watch a table that tells anybody how it stands",
        description="Tell what happens at a table, checked as it comes: rules, dice that are laid "
        "open, and who says so. Latecomers are told all of the match. The tag of a table is "
        "told by its handhelds.",
        epilog=_EXAMPLES,
    )
    watch.add_argument("broker", metavar="URL", help="mqtts://[user:password@]host[:port]")
    watch.add_argument("tag", metavar="TAG", help="of the table: 32 hexadecimal digits")
    add_locale_language(watch)
    watch.set_defaults(command=_watch)
    league = commands.add_parser(
        "league",
        help="keep a league of the matches that tables tell of",
        description="Take in results, check and replay each, refuse what does not hold, rate who "
        "played, and show it as pages. It can be ended and started again at any time.",
        epilog=_LEAGUE_EXAMPLES,
    )
    league.add_argument(
        "broker", metavar="URL", nargs="?", help="mqtts://[user:password@]host[:port]"
    )
    league.add_argument(
        "--file", type=Path, default=Path("league.sqlite"), help="what it keeps (league.sqlite)"
    )
    league.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="TAG[:KEYS]",
        help="take results of this table alone, signed by these keys; several times for several",
    )
    league.add_argument(
        "--export", type=Path, metavar="FILE", help="write all ratings as CSV, and end"
    )
    league.set_defaults(command=_league)
    for each in (watch, league):
        each.add_argument("--ca", type=Path, metavar="FILE", help="who vouches for it (PEM)")
        each.add_argument(
            "--insecure", action="store_true", help="also speak to a host elsewhere without TLS"
        )
        each.add_argument("--port", type=int, metavar="P", help="show it in browsers, at this port")
        each.add_argument("--host", default=HOST, help=f"where to listen (default: {HOST})")


def _watch(args: argparse.Namespace) -> int:
    from firmware.cli import following  # needs the extras broker and pages

    return following.watch(args)


def _league(args: argparse.Namespace) -> int:
    from firmware.cli import following

    return following.league(args)
