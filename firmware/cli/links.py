"""The links that settings choose, and ``maexchen relay``, ``key`` and ``accounts``."""

import argparse
import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import SystemRandom, token_bytes
from typing import Any

from firmware.cli.arguments import InputFile
from firmware.cli.console import DONE, CommandError, tell_trouble
from firmware.display.text.labels import Alert
from firmware.journal.sqlite import JournalError
from firmware.link import OpenController
from firmware.link.bluetooth.hci import open_hci
from firmware.link.broker import BrokerAddress, BrokerError, Session, WireSession
from firmware.link.broker.brokers import Brokers
from firmware.link.broker.relay import USUAL_SOCKET, Relay, RelaySession
from firmware.link.broker.topics import SALT_BYTES, access_lines, password_line
from firmware.link.infrared import InfraredError, Port
from firmware.link.infrared.lirc import open_port
from firmware.runtime.service import Notifier, attended, until_terminated
from firmware.settings import BrokerSettings, Settings, SettingsError, load
from firmware.table.crypto import public
from firmware.table.protocol.sealing import KEY_BYTES


def open_media(
    settings: Settings, infrared: Callable[[], Port] = open_port
) -> tuple[OpenController | None, Port | None]:
    """Return openers of the Bluetooth controller and the infrared port, by ``settings.link``.

    None stands for an unwanted medium. One of several is enough: the reason for missing infrared
    goes to stderr. ``infrared`` opens the port.

    Raises:
        InfraredError: infrared alone is wanted, and there is none.
    """
    controller = partial(open_hci, settings.bluetooth) if "bluetooth" in settings.link else None
    port = None
    if "ir" in settings.link:
        try:
            port = infrared()
        except InfraredError as problem:
            if settings.link == ("ir",):
                raise
            tell_trouble(str(problem))
    return controller, port


def open_session(settings: Settings) -> Session | None:
    """Return the session at the broker, or at its relay; None if none is wanted.

    Raises:
        BrokerError: the broker of the settings cannot be used.
    """
    broker = settings.broker
    if "mqtt" not in settings.link:
        return None
    if broker is None:
        raise BrokerError('link = "mqtt" wants a [broker] section: write url = "mqtts://host"')
    if broker.relay is not None:
        return RelaySession(broker.relay, tell_trouble, SystemRandom().random)
    return sessions_at(broker)(tell_trouble)


def sessions_at(broker: BrokerSettings) -> Callable[[Callable[[str], None]], Session]:
    """Return what makes a session at the broker of the settings, and once it is lost at the others.

    It gets what is told one line on each new trouble, and raises BrokerError for certificates.

    Raises:
        BrokerError: an address cannot be used.
    """
    from firmware.link.broker.mqtt import MqttSession  # needs the extra broker

    account, open_wire = (broker.ca, broker.user, broker.password), broker.open_wire
    addresses = [
        BrokerAddress.of(each, *account, open_wire=open_wire)
        for each in (broker.url, *broker.others)
    ]

    def session(tell: Callable[[str], None]) -> Session:
        def way(address: BrokerAddress, failed: Callable[[], None]) -> WireSession:
            return MqttSession(address, tell, SystemRandom().random, failed=failed)

        return Brokers([partial(way, each) for each in addresses], seeks=True).session()

    return session


def why_not(problem: JournalError | SettingsError) -> Alert:
    """Return the alert for a journal with which no match can go on."""
    if isinstance(problem, SettingsError):
        return Alert.OTHER_TABLE
    return Alert.JOURNAL_DAMAGED if problem.damaged else Alert.STORE


def tell_watched(url: str, tag: str) -> None:
    """Print on stderr how to watch the table of a tag at the broker of a URL."""
    scheme, _, rest = url.partition("://")
    tell_trouble(f"anybody may watch: maexchen watch {scheme}://{rest.rpartition('@')[2]} {tag}")


def add_relay(commands: Any) -> None:
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
    broker = load(settings).broker
    if broker is None or not broker.url:
        raise CommandError(f'settings {settings}: write url = "mqtts://host:8883" in [broker]')
    sessions = sessions_at(broker)

    def new_session(tell: Callable[[str], None]) -> Session:
        def told(line: str) -> None:
            tell_trouble(line)
            tell(line)

        return sessions(told)

    relay = Relay(broker.relay or USUAL_SOCKET, new_session)
    await relay.start()
    try:
        async with attended(Notifier(), lambda: None, tell_trouble, end):
            await asyncio.get_running_loop().create_future()
    finally:
        await relay.stop()


def add_keys(commands: Any) -> None:
    """Add ``key`` and ``accounts`` to a command line."""
    key = commands.add_parser(
        "key",
        help="make the keys of a seat at a fixed table",
        description="Print a new secret for the settings of one seat, and its key for those of "
        "all seats. Only the handheld of that seat may have the secret.",
    )
    key.set_defaults(command=_key)
    accounts = commands.add_parser(
        "accounts",
        help="what a broker has to know of a table",
        description="Print what mosquitto needs for the fixed table of the settings: the line of "
        "its password_file for this seat, or the lines of its acl_file for all seats.",
    )
    accounts.add_argument("--settings", type=InputFile, required=True, metavar="FILE")
    accounts.add_argument(
        "--rules", action="store_true", help="the lines of acl_file, instead of password_file"
    )
    accounts.set_defaults(command=_accounts)


def _key(_args: argparse.Namespace) -> int:
    secret = token_bytes(KEY_BYTES)
    print(f'secret = "{secret.hex()}"   # in [table] of this seat alone')
    print(f'key = "{public(secret).hex()}"      # in its [[table.seats]], at every seat')
    return DONE


def _accounts(args: argparse.Namespace) -> int:
    table = load(args.settings).standing
    if table is None:
        raise CommandError("--settings: only a table that stands in them has accounts of its own")
    table_address = table.table_address
    if args.rules:
        table_addresses = [replace(table_address, seat=seat) for seat in range(len(table.names))]
        print("\n".join(access_lines(table_addresses)).rstrip())
    else:
        print(password_line(table_address.user, table_address.password, os.urandom(SALT_BYTES)))
    return DONE
