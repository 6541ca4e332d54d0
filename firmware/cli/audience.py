"""``maexchen watch`` and ``maexchen league``: follow what tables publish at a broker."""

import argparse
import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from secrets import SystemRandom
from typing import Any

from aiohttp import web

from firmware.audience.league import League
from firmware.audience.store import Store
from firmware.audience.watching import Watching
from firmware.audience.web import LeaguePages, WatchPages
from firmware.cli.arguments import add_locale_language
from firmware.cli.console import DONE, CommandError, because
from firmware.cli.links import tell_trouble
from firmware.device.feed import MOST_BYTES
from firmware.display.text.language import say
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.session import Attendance, Message
from firmware.runtime.service import until_terminated

HOST = "127.0.0.1"
_TAG = re.compile(r"[0-9a-f]{32}")
_ENVELOPE = 1024
"""Bytes that MQTT adds to a payload, at most."""
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


def _address(args: argparse.Namespace) -> BrokerAddress:
    return BrokerAddress.of(args.broker, args.ca, open_wire=args.insecure)


def _checked_tag(tag: str) -> str:
    if not _TAG.fullmatch(tag):
        raise CommandError(f"tag {tag!r}: a table's tag has 32 hexadecimal digits: copy all of it")
    return tag


def _checked_table(table: str) -> str:
    tag, colon, keys = table.partition(":")
    if colon and not _TAG.fullmatch(keys):
        raise CommandError(
            f"keys {keys!r}: a table's keys are named by 32 hexadecimal digits: copy all of them"
        )
    return _checked_tag(tag) + colon + keys


def _watch(args: argparse.Namespace) -> int:
    watching = Watching(_checked_tag(args.tag), args.language)
    pages = WatchPages(watching, args.language)

    def take(message: Message) -> None:
        for line in watching.take(message):
            print(line, flush=True)
        pages.tell()

    print(say("audience.WAITS", args.language), flush=True)
    _follow(args, watching.topics, take, pages.app, "watch")
    return DONE


def _league(args: argparse.Namespace) -> int:
    if find_spec("openskill") is None:
        raise CommandError(
            "league: openskill is not installed: pip install 'maexchen-handheld[league]'"
        )
    store = Store(args.file)
    try:
        league = League(store, _now, tuple(map(_checked_table, args.table)))
        if args.export is not None:
            _export(args.export, league)
            return DONE
        if args.broker is None:
            raise CommandError("league: name a broker, or --export FILE")

        def take(message: Message) -> None:
            line = league.take(message)
            if line is not None:
                print(line, flush=True)

        _follow(args, league.topics, take, LeaguePages(league).app, "")
        print(league.in_words())
    finally:
        store.close()
    return DONE


def _export(path: Path, league: League) -> None:
    try:
        path.write_text(league.csv(), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"export {path}: {because(error)}: name a file to write") from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _follow(
    args: argparse.Namespace,
    topics: tuple[str, ...],
    take: Callable[[Message], None],
    app: web.Application,
    page: str,
) -> None:
    """Store published messages until the program is interrupted or terminated."""
    address, troubles = _address(args), list[Exception]()

    async def follow(end: Callable[[], object]) -> None:
        def taken(message: Message) -> None:
            try:
                take(message)
            except Exception as error:  # the session goes on whatever happens to what it tells
                troubles.append(error)
                end()

        session = MqttSession(
            address, tell_trouble, SystemRandom().random, most_bytes=MOST_BYTES + _ENVELOPE
        )
        async with _served(args, app, page):
            session.attend(Attendance((), topics))
            await session.start(taken)
            try:
                await asyncio.Event().wait()
            finally:
                await session.stop()

    asyncio.run(until_terminated(follow))
    if troubles:
        raise troubles[0]


@asynccontextmanager
async def _served(args: argparse.Namespace, app: web.Application, page: str) -> AsyncIterator[None]:
    """Show pages for as long as the block lasts, if a port is given."""
    if args.port is None:
        yield
        return
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, args.host, args.port)
        try:
            await site.start()
        except (OSError, OverflowError) as error:
            why = because(error) if isinstance(error, OSError) else "there is no such port"
            raise CommandError(
                f"{args.host}, port {args.port}: {why}: choose another with --host or --port"
            ) from None
        port = runner.addresses[0][1]
        print(f"It is shown at http://{args.host}:{port}/{page}", flush=True)
        yield
    finally:
        await runner.cleanup()
