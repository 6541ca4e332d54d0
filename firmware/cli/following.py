"""``maexchen watch`` and ``maexchen league`` at work: following a broker, and serving pages."""

import argparse
import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import SystemRandom

from aiohttp import web

from firmware.audience.league import League
from firmware.audience.store import Store
from firmware.audience.watching import Watching
from firmware.audience.web import LeaguePages, WatchPages
from firmware.cli.console import DONE, CommandError, because, require
from firmware.cli.links import tell_trouble
from firmware.device.feed import MOST_BYTES
from firmware.display.text.language import say
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.session import Attendance, Message
from firmware.runtime.service import until_terminated

_TAG = re.compile(r"[0-9a-f]{32}")
_ENVELOPE = 1024
"""Bytes that MQTT adds to a payload, at most."""


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


def watch(args: argparse.Namespace) -> int:
    """Follow one table until interrupted; return the exit status."""
    watching = Watching(_checked_tag(args.tag), args.language)
    pages = WatchPages(watching, args.language)

    def take(message: Message) -> None:
        for line in watching.take(message):
            print(line, flush=True)
        pages.tell()

    print(say("audience.WAITS", args.language), flush=True)
    _follow(args, watching.topics, take, pages.app, "watch")
    return DONE


def league(args: argparse.Namespace) -> int:
    """Keep a league until interrupted, or export it; return the exit status."""
    require("openskill")
    store = Store(args.file)
    try:
        kept = League(store, _now, tuple(map(_checked_table, args.table)))
        if args.export is not None:
            _export(args.export, kept)
            return DONE
        if args.broker is None:
            raise CommandError("league: name a broker, or --export FILE")

        def take(message: Message) -> None:
            line = kept.take(message)
            if line is not None:
                print(line, flush=True)

        _follow(args, kept.topics, take, LeaguePages(kept).app, "")
        print(kept.in_words())
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
