"""``maexchen-sim``: matches, records and recordings on simulated handhelds."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version

from firmware.cli.console import CommandError, run_command
from firmware.cli.parser import LineParser, add_manuals
from hw_sim.cli import PROGRAM
from hw_sim.cli.working import saying_so, setting_the_table

_SEEN = ("play", "serve", "party")
"""Commands of which something is seen all the time."""
_GONE = {
    "table": "there is no table any more: maexchen-sim serve plays in the browser, party with "
    "phones, and match over a broker",
    "strength": "there is no strength any more: run python -m research.strength in a checkout",
}
"""By former command: where to find what it did."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``maexchen-sim``; returns its exit status. ``argv`` None: the program's arguments."""
    return run_command(PROGRAM, partial(_load, sys.argv[1:] if argv is None else argv))


def _load(argv: Sequence[str]) -> int:
    if argv and argv[0] in _GONE:
        raise CommandError(_GONE[argv[0]])
    if "--watch" in argv:
        raise CommandError("there is no --watch any more: play draws a table, serve has its pages")
    if argv and argv[0] in _SEEN:
        setting_the_table(argv, sys.stdout)
    # Here and in `_parser`, after that line: all of it takes some seconds to load.
    from steckbrett.clock import ClockError

    from firmware.cli.errors import SPOKEN
    from hw_sim.players.foreign import BotError
    from hw_sim.players.player import LobbyError

    told = (*SPOKEN, BotError, ClockError, LobbyError)
    return run_command(PROGRAM, partial(_command, argv), told)


def _command(argv: Sequence[str]) -> int:
    from firmware.cli.arguments import check_files

    args: argparse.Namespace = _parser().parse_args(argv)
    check_files(args)
    if args.name in _SEEN:
        return _done(args)
    with saying_so(f"{PROGRAM} {args.name}", sys.stderr):
        return _done(args)


def _done(args: argparse.Namespace) -> int:
    status: int = args.command(args)
    return status


def _parser() -> LineParser:
    from hw_sim.cli import doctor, match, records, site, train, trials
    from hw_sim.cli.declared import overview

    parser = LineParser(
        prog=PROGRAM,
        description="Mäxchen and its relatives on simulated handhelds: below the drivers nothing "
        "is real, above them everything is.",
        epilog=overview(),
    )
    parser.add_argument(
        "--version", action="version", version=f"{PROGRAM} {version('maexchen-handheld')}"
    )
    add_manuals(parser)
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, dest="name"
    )
    for module in (site, match, records, train, trials, doctor):
        module.add_commands(commands)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
