"""``maexchen watch`` at work: follow a broker, and serve a page."""

import argparse
import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from secrets import SystemRandom

from aiohttp import web

from firmware.audience import Watching
from firmware.audience.web import WatchPages
from firmware.cli.arguments import refuse_idle
from firmware.cli.console import DONE, CommandError, because, tell_trouble
from firmware.device.feed import MOST_BYTES
from firmware.display.text.language import say
from firmware.link.broker import Attendance, BrokerAddress, Message
from firmware.link.broker.mqtt import MqttSession
from firmware.runtime.service import until_terminated

_TAG = re.compile(r"[0-9a-f]{32}")
_ENVELOPE = 1024
"""Bytes that MQTT adds to a payload, at most."""


def _address(args: argparse.Namespace) -> BrokerAddress:
    address = BrokerAddress.of(args.broker, args.ca, open_wire=args.insecure)
    if address.tls:
        refuse_idle(args, "--insecure", "does nothing with mqtts://")
    if args.port is None:
        refuse_idle(args, "--host", "does nothing without --port")
    return address


def _checked_tag(tag: str) -> str:
    if not _TAG.fullmatch(tag):
        raise CommandError(f"tag {tag!r}: a table's tag has 32 hexadecimal digits: copy all of it")
    return tag


def watch(args: argparse.Namespace) -> int:
    """Follow one table until interrupted or terminated; return the exit status."""
    watching = Watching(_checked_tag(args.tag), args.language)
    pages = WatchPages(watching, args.language)
    address, troubles = _address(args), list[Exception]()
    print(say("audience.WAITS", args.language), flush=True)

    async def follow(end: Callable[[], object]) -> None:
        def take(message: Message) -> None:
            try:
                for line in watching.take(message):
                    print(line, flush=True)
                pages.tell()
            except Exception as error:  # the session goes on whatever happens to what it tells
                troubles.append(error)
                end()

        session = MqttSession(
            address, tell_trouble, SystemRandom().random, most_bytes=MOST_BYTES + _ENVELOPE
        )
        async with _served(args, pages.app):
            session.attend(Attendance((), (watching.topic,)))
            await session.start(take)
            try:
                await asyncio.Event().wait()
            finally:
                await session.stop()

    asyncio.run(until_terminated(follow))
    if troubles:
        raise troubles[0]
    return DONE


@asynccontextmanager
async def _served(args: argparse.Namespace, app: web.Application) -> AsyncIterator[None]:
    """Show the page for as long as the block lasts, if a port is given."""
    if args.port is None:
        yield
        return
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        site = web.TCPSite(runner, args.host, args.port)
        try:
            await site.start()
        except OSError as error:
            raise CommandError(
                f"{args.host}, port {args.port}: {because(error)}: choose another --host or --port"
            ) from None
        port = runner.addresses[0][1]
        print(f"It is shown at http://{args.host}:{port}/watch", flush=True)
        yield
    finally:
        await runner.cleanup()
