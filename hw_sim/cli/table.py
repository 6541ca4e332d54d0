"""``maexchen-sim table``: the table in the browser."""

import argparse
import asyncio
import logging
import os
import webbrowser
from pathlib import Path
from secrets import randbelow, token_hex
from string import hexdigits
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from firmware.cli.arguments import MOST_PORT, add_language, between, refuse_idle
from firmware.cli.console import DONE, TRACEBACK, CommandError
from firmware.cli.locale import locale_language
from firmware.settings.model import media_of
from firmware.table.protocol.keys import KEY_BYTES
from game import rule_set
from hw_sim.air.local_broker import LOOPBACK, OWN_PORT, broker_for, mosquitto
from hw_sim.cli.arguments import (
    ANY_SEED,
    add_bots,
    add_broker,
    add_controller,
    add_match,
    broker,
    media,
    options,
    tell_watched,
)
from hw_sim.cli.arguments import bots as read_bots
from hw_sim.players.bot_kinds import KINDS, RATED, USUAL_KINDS
from hw_sim.table.setup import NAMES, TableSetup
from hw_sim.table.table import table_addresses_of

if TYPE_CHECKING:
    from hw_sim.live.web.match_store import MatchStore
    from hw_sim.live.world.setup import WorldSetup

PORT = 8021
HOST = "127.0.0.1"
CHOSEN = "--game --players --seed --option --room --light --bots --kinds --bot"
"""The options that people at a party choose in the browser."""
WITHOUT_PHONES = "--controller --seat --key --public --learn --open"


def add_commands(commands: Any) -> None:
    """Add ``table`` to what argparse calls subparsers."""
    table = commands.add_parser(
        "table",
        help="play in the browser",
        description="Serve a table to browsers: every handheld is drawn as a device and played "
        "with mouse, touch or keyboard. People take the first seats, bots the others. A match "
        "that was not finished goes on.",
        epilog="examples:\n  maexchen-sim table\n  maexchen-sim table --players 4 --bots 3 "
        "--kinds honest,cheeky,random\n  maexchen-sim table --players 3 --bots 1 --host 0.0.0.0\n"
        "  maexchen-sim table --phones --browse\n",
    )
    add_match(table)
    table.add_argument(
        "--bots",
        type=between(int, 0, len(NAMES)),
        metavar="N",
        help="so many of them are bots (default: all but one)",
    )
    table.add_argument(
        "--kinds",
        default=",".join(USUAL_KINDS),
        metavar="KIND,…",
        help=f"of the bots, in turn, with how strong each is, 0 to 100: {RATED}",
    )
    add_bots(table, "how the first bots play, the others being of --kinds")
    table.add_argument(
        "--link",
        type=media,
        default=media_of("bluetooth"),
        metavar="MEDIA",
        help="what carries the cup (default: bluetooth); with mqtt, over --broker; with --phones "
        "and a broker, handhelds without a phone come in",
    )
    add_broker(table)
    table.add_argument(
        "--own-broker",
        action="store_true",
        help="with --link mqtt: start a broker here, for this machine alone, with accounts and "
        "access rules for this table (mosquitto; amqtt where that is missing, without rules); "
        "with --phones: for this network, so that handhelds come in",
    )
    table.add_argument(
        "--seat",
        type=between(int, 0, len(NAMES) - 1),
        metavar="N",
        help="with --broker: only the handheld of this seat is here, a person's or (see --bots) a "
        "bot's; the others are elsewhere, with the same game, players and key",
    )
    table.add_argument(
        "--key",
        default="",
        metavar="HEX",
        help="of the table, 64 hex digits, as in the others' settings (default: one is drawn)",
    )
    add_controller(table)
    add_language(table, locale_language(), "of the panels")
    table.add_argument(
        "--phones",
        action="store_true",
        help="everybody plays on his phone: invitations as QR codes, for this network; game, bots "
        "and options are chosen in the browser",
    )
    table.add_argument(
        "--cups-here",
        action="store_true",
        help="with --phones: this computer keeps everybody's dice, and phones load pages alone",
    )
    table.add_argument(
        "--tls",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="with --phones: over TLS, too, at the next port, so that phones can be shaken "
        "themselves (default)",
    )
    table.add_argument(
        "--host",
        help=f"where to listen (default: {HOST}; with --phones this computer's address)",
    )
    table.add_argument(
        "--port",
        type=between(int, 0, MOST_PORT),
        default=PORT,
        metavar="P",
        help=f"default: {PORT}; 0 for any",
    )
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
    _check_idle(args)
    any_key = args.own_broker and not args.key
    if args.own_broker and (args.broker or "mqtt" not in args.link):
        raise CommandError("--own-broker goes with --link mqtt, and without --broker")
    if args.own_broker and not args.phones:
        args.key = args.key or token_hex(KEY_BYTES)
        args.broker = f"mqtt://{LOOPBACK}:{OWN_PORT}" + ("" if mosquitto() else "?version=3")
    if args.learn:
        args.game, args.option, args.players, args.bots, args.kinds = "class", [], 3, 2, "honest"
    # Only here: what it needs is not on every system, and takes a while to load.
    from hw_sim.cli.party import serve_party
    from hw_sim.live.web.match_store import MatchStore

    wanted = None if args.phones else _setup(args)
    folder = args.folder if args.folder is not None else _usual_folder(args.phones)
    store = MatchStore(folder, wanted, any_seed=args.seed is None, any_key=any_key)
    _log_in_lines()
    try:
        with asyncio.Runner() as runner, TemporaryDirectory() as scratch:
            if args.phones:
                runner.run(serve_party(store, args))
            else:
                runner.run(_serve_with_broker(store, args, Path(scratch)))
    finally:
        store.close()
    return DONE


async def _serve_with_broker(store: "MatchStore", args: argparse.Namespace, folder: Path) -> None:
    if not args.own_broker:
        await _serve(store, args)
        return
    broker = broker_for(table_addresses_of(store.setup.table), folder, OWN_PORT)
    await broker.start()
    print(f"The broker is at {broker.url}, for this machine alone", flush=True)
    if not broker.is_mosquitto:
        print("  amqtt lets in whoever comes: with mosquitto only the seats of this table get in")
    try:
        await _serve(store, args)
    finally:
        broker.stop()


def _setup(args: argparse.Namespace) -> "WorldSetup":
    from hw_sim.live.world.setup import WorldSetup

    usual = args.players - 1 if args.seat is None else 0
    bots = usual if args.bots is None else args.bots
    if not 0 <= bots <= args.players:
        raise CommandError(
            f"--bots {bots}: choose a number from 0 to {args.players}, or more --players"
        )
    kinds = [name.strip() for name in args.kinds.split(",")]
    for name in kinds:
        if name not in KINDS:
            raise CommandError(f"--kinds {name}: choose of {', '.join(KINDS)}")
    named = read_bots(args.bot)
    if len(named) > bots:
        raise CommandError(f"--bot is given {len(named)} times, for {bots} bots: give it less")
    people = args.players - bots
    if args.seat is not None:
        _check_alone(args)
    table = TableSetup(
        rules=rule_set(args.game, options(args.game, args.option)),
        players=args.players,
        seed=args.seed or 0,
        scene=args.room,
        light=args.light,
        language=args.language,
        controller=args.controller,
        link=args.link,
        broker=broker(args),
        public=args.public,
        here=None if args.seat is None else (args.seat,),
        key=args.key,
    )
    others = (kinds[i % len(kinds)] for i in range(bots - len(named)))
    setup = WorldSetup(table, people, (*named, *others))
    if args.seed is None:
        setup = setup.with_any_seed(lambda: randbelow(ANY_SEED))
    return setup.with_chance() if people or table.broker is not None else setup


def _check_idle(args: argparse.Namespace) -> None:
    """Refuse options that have no effect beside the others, and a key that is none."""
    if args.phones:
        refuse_idle(args, CHOSEN, "does nothing with --phones: it is chosen in the browser")
        refuse_idle(args, WITHOUT_PHONES, "goes without --phones")
        if "mqtt" not in args.link:
            refuse_idle(args, "--link", "goes with --phones if it is mqtt")
    else:
        refuse_idle(args, "--cups-here --tls", "does nothing without --phones")
    if args.learn:
        refuse_idle(args, "--game --option --players --bots --kinds --bot", "is given by --learn")
    if args.bots == 0:
        refuse_idle(args, "--kinds", "does nothing without bots")
    if not args.phones and "bluetooth" not in args.link:
        refuse_idle(args, "--controller", "goes with --link bluetooth")
    if args.key and (len(args.key) != 2 * KEY_BYTES or set(args.key) - set(hexdigits)):
        raise CommandError(f"--key: write {2 * KEY_BYTES} hex digits")


def _seats_of_people(setup: "WorldSetup") -> tuple[int, ...]:
    """Return the seats that have an address of their own."""
    here = setup.table.here
    if here is not None:
        return tuple(seat for seat in here if seat < setup.people)
    return tuple(range(setup.people)) if setup.people > 1 else ()


def _check_alone(args: argparse.Namespace) -> None:
    """Check that the arguments for a table's one seat here go together."""
    if args.broker is None or not args.key:
        raise CommandError("--seat wants --link mqtt, --broker and the --key of all the others")
    if not 0 <= args.seat < args.players:
        raise CommandError(f"--seat {args.seat}: choose a seat from 0 to {args.players - 1}")


def _usual_folder(phones: bool) -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "maexchen" / ("party" if phones else "table")


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


async def _serve(store: "MatchStore", args: argparse.Namespace) -> None:
    from hw_sim.cli.serving import in_url, listen, reached_at, until_stopped
    from hw_sim.live.web.page_server import PageServer
    from hw_sim.live.web.served_table import open_table

    setup, listening = store.setup, args.host or HOST
    server = PageServer(open_table(store, all_panels=args.open), listening)
    async with until_stopped(server.close) as stopped:
        port = await listen(server.start(args.port), listening, args.port)
        address = f"http://{in_url(reached_at(listening))}:{port}/"
        store.write_address(address)
        opened = f"{address}?learn" if args.learn else address
        print(f"The table is at {opened} (Ctrl-C ends it, and keeps the match)", flush=True)
        tell_watched(setup.table)
        for seat in _seats_of_people(setup):
            print(f"  {setup.table.names[seat]}: {address}seat/{seat}", flush=True)
        if setup.people > 1 and len(_seats_of_people(setup)) == setup.people:
            print(f"  all on one device: {address}seat/0?pass", flush=True)
        if args.browse:
            await asyncio.to_thread(webbrowser.open, opened)
        await stopped.wait()
