"""``maexchen-sim table``: the table in the browser."""

import argparse
import asyncio
import logging
import os
import signal
import socket
import webbrowser
from dataclasses import replace
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING, Any

from firmware.cli.arguments import add_language, locale_language
from firmware.cli.console import DONE, TRACEBACK, CommandError, because
from game import rule_set
from hw_sim.cli.arguments import (
    ANY_SEED,
    add_bots,
    add_controller,
    add_match,
    options,
)
from hw_sim.cli.arguments import bots as read_bots
from hw_sim.players.bot_kinds import KINDS, USUAL_KINDS
from hw_sim.table.setup import TableSetup

if TYPE_CHECKING:
    from hw_sim.live.web.keeper import Keeper
    from hw_sim.live.world.setup import WorldSetup

PORT = 8021
HOST = "127.0.0.1"


def add_commands(commands: Any) -> None:
    """Add ``table`` to what argparse calls subparsers."""
    table = commands.add_parser(
        "table",
        help="play in the browser",
        description="Serve a table to browsers: every handheld is drawn as a device and played "
        "with mouse, touch or keyboard. People take the first seats, bots the others. A match "
        "that was not finished goes on.",
        epilog="examples:\n  maexchen-sim table\n  maexchen-sim table --players 4 --bots 3 "
        "--kinds honest,cheeky,random\n  maexchen-sim table --players 3 --bots 1 --host 0.0.0.0\n",
    )
    add_match(table)
    table.add_argument(
        "--bots", type=int, metavar="N", help="so many of them are bots (default: all but one)"
    )
    table.add_argument(
        "--kinds",
        default=",".join(USUAL_KINDS),
        metavar="KIND,…",
        help=f"of the bots, in turn: {', '.join(KINDS)}",
    )
    add_bots(table, "how the first bots play, the others being of --kinds")
    add_controller(table)
    add_language(table, locale_language(), "of the panels")
    table.add_argument("--host", default=HOST, help=f"where to listen (default: {HOST})")
    table.add_argument("--port", type=int, default=PORT, metavar="P", help=f"default: {PORT}")
    table.add_argument(
        "--folder", type=Path, metavar="DIR", help="where journals and sessions are kept"
    )
    table.add_argument(
        "--open",
        action="store_true",
        help="show every panel to everybody, the bench too",
    )
    table.add_argument(
        "--learn",
        action="store_true",
        help="a first match: class, against two honest bots, explained one thing at a time",
    )
    table.add_argument("--browse", action="store_true", help="open a browser, where there is one")
    table.set_defaults(command=_table)


def _table(args: argparse.Namespace) -> int:
    if not 0 <= args.port <= 65535:
        raise CommandError(f"--port {args.port}: choose one from 1 to 65535, or 0 for any")
    if args.learn:
        args.game, args.option, args.players, args.bots, args.kinds = "class", [], 3, 2, "honest"
    # Only here: what it needs is not on every system, and takes a while to load.
    from hw_sim.live.web.keeper import Keeper

    keeper = Keeper(
        args.folder if args.folder is not None else _usual_folder(),
        _setup(args),
        any_seed=args.seed is None,
    )
    _log_in_lines()
    try:
        with asyncio.Runner() as runner:
            runner.run(_serve(keeper, args))
    finally:
        keeper.close()
    return DONE


def _setup(args: argparse.Namespace) -> "WorldSetup":
    from hw_sim.live.world.setup import WorldSetup

    bots = args.players - 1 if args.bots is None else args.bots
    if not 0 <= bots <= args.players:
        raise CommandError(f"--bots {bots}: choose a number from 0 to {args.players}")
    kinds = [name.strip() for name in args.kinds.split(",")]
    for name in kinds:
        if name not in KINDS:
            raise CommandError(f"--kinds {name}: choose of {', '.join(KINDS)}")
    named = read_bots(args.bot)
    if len(named) > bots:
        raise CommandError(f"--bot is given {len(named)} times, for {bots} bots: give it less")
    people = args.players - bots
    table = TableSetup(
        rules=rule_set(args.game, options(args.game, args.option)),
        players=args.players,
        seed=args.seed or 0,
        scene=args.light,
        language=args.language,
        controller=args.controller,
    )
    while args.seed is None and (table.seed == 0 or table.first >= max(people, 1)):
        table = replace(table, seed=randbelow(ANY_SEED))  # of a seed by chance, a person opens
    others = (kinds[i % len(kinds)] for i in range(bots - len(named)))
    return WorldSetup(table, people, (*named, *others))


def _usual_folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "maexchen" / "table"


def _log_in_lines() -> None:
    """Tell warnings and defects on stderr, one line each; their tracebacks if wanted."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("maexchen-sim: %(message)s"))
    if not os.environ.get(TRACEBACK):
        handler.addFilter(_without_traceback)
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def _without_traceback(record: logging.LogRecord) -> bool:
    if record.exc_info and (error := record.exc_info[1]) is not None:
        record.msg = (
            f"{record.getMessage()} ({type(error).__name__}: {error}; {TRACEBACK}=1 says where)"
        )
        record.args = ()
    record.exc_info = record.exc_text = None
    record.msg = " ".join(str(record.msg).split())
    return True


def _reached_at(host: str) -> str:
    """The address at which others reach what listens at ``host``, which may be all there are."""
    family = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}.get(host)
    if family is None:
        return host
    # Nothing is sent: the system only tells which of its addresses it would send from.
    with socket.socket(family, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1" if family is socket.AF_INET else "2001:db8::1", 9))
        except OSError:
            return socket.gethostname().lower()
        return str(asked.getsockname()[0])


async def _serve(keeper: "Keeper", args: argparse.Namespace) -> None:
    from hw_sim.live.web.hall import OpenHall
    from hw_sim.live.web.server import TableServer

    server = TableServer(OpenHall(keeper, open_table=args.open), args.host)
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, done.set)
    try:
        try:
            port = await server.start(args.port)
        except OSError as error:
            raise CommandError(
                f"{args.host}, port {args.port}: {because(error)}: choose another with --host or "
                "--port"
            ) from None
        host = _reached_at(args.host)
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{port}/"
        keeper.tell(address)
        opened = f"{address}?learn" if args.learn else address
        print(f"The table is at {opened} (Ctrl-C puts it away)", flush=True)
        for seat in range(keeper.setup.people if keeper.setup.people > 1 else 0):
            print(f"  {keeper.setup.table.names[seat]}: {address}seat/{seat}", flush=True)
        if args.browse:
            await asyncio.to_thread(webbrowser.open, opened)
        await done.wait()
    finally:
        await server.close()
