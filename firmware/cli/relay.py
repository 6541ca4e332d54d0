"""``maexchen relay``: a process with a network and no keys."""

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path
from secrets import SystemRandom
from typing import Any

from firmware.cli.arguments import InputFile
from firmware.cli.console import DONE, CommandError
from firmware.cli.links import address_of, tell_trouble
from firmware.link.broker.relay import USUAL_SOCKET, Relay
from firmware.link.broker.session import Session
from firmware.runtime.service import Notifier, attended, until_terminated
from firmware.settings.toml import load


def add_command(commands: Any) -> None:
    """Add ``relay`` to a command line."""
    relay = commands.add_parser(
        "relay",
        help="move frames between a handheld and a broker",
        description="Move sealed frames between the socket of a handheld and the broker that the "
        "[broker] of the settings names. It has no keys, and the handheld needs no network.",
    )
    relay.add_argument("--settings", type=InputFile, required=True, metavar="FILE")
    relay.set_defaults(command=_relay)


def _relay(args: argparse.Namespace) -> int:
    asyncio.run(until_terminated(lambda end: run_relay(args.settings, end)))
    return DONE


async def run_relay(settings: Path, end: Callable[[], object]) -> None:
    """Run a relay by the settings in a file, until ``end`` cancels it.

    Raises:
        BrokerError, SettingsError: the relay cannot be opened as set.
        CommandError: the settings name no broker.
    """
    from firmware.link.broker.mqtt import MqttSession  # needs the extra broker

    broker = load(settings).broker
    if broker is None or not broker.url:
        raise CommandError(f'settings {settings}: write url = "mqtts://host:8883" in [broker]')
    address = address_of(broker)

    def new_session(tell: Callable[[str], None]) -> Session:
        def told(line: str) -> None:
            tell_trouble(line)
            tell(line)

        return MqttSession(address, told, SystemRandom().random)

    relay = Relay(broker.relay or USUAL_SOCKET, new_session)
    await relay.start()
    try:
        async with attended(Notifier(), lambda: None, tell_trouble, end):
            await asyncio.get_running_loop().create_future()
    finally:
        await relay.stop()
