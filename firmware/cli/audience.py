"""``maexchen watch``: follow what a table publishes at a broker."""

import argparse
from typing import Any

from firmware.cli.arguments import MOST_PORT, InputFile, add_locale_language, between

HOST = "127.0.0.1"
_EXAMPLES = """\
examples:
  maexchen watch mqtts://broker.example 0123456789abcdef0123456789abcdef
  maexchen watch mqtt://127.0.0.1 0123456789abcdef0123456789abcdef --port 8022
"""


def add_command(commands: Any) -> None:
    """Add ``watch`` to a command line."""
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
    watch.add_argument("--ca", type=InputFile, metavar="FILE", help="who vouches for it (PEM)")
    watch.add_argument(
        "--insecure", action="store_true", help="also speak to a host elsewhere without TLS"
    )
    watch.add_argument(
        "--port",
        type=between(int, 0, MOST_PORT),
        metavar="P",
        help="show it in browsers, at this port",
    )
    watch.add_argument("--host", default=HOST, help=f"where to listen (default: {HOST})")
    watch.set_defaults(command=_watch)


def _watch(args: argparse.Namespace) -> int:
    from firmware.cli import following  # needs the extras broker and pages

    return following.watch(args)
