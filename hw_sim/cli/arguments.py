"""Arguments that several commands of the simulator have; the language's are the firmware's."""

import argparse
import sys
from pathlib import Path
from typing import Any, Final, get_args

from drivers.light_sensor import LightKind
from firmware.cli.arguments import MOST_SEED, InputFile, between, refuse_idle
from firmware.cli.console import CommandError
from firmware.link.broker import BrokerAddress
from firmware.settings import Media, media_of
from game import SetupError, parsed_option
from hw_sim.air import ControllerProfile
from hw_sim.air.local_broker import own_url
from hw_sim.players.bot_kinds import KINDS, RATED, check_bot
from hw_sim.players.foreign import ForeignBot
from hw_sim.table import NAMES, Conditions, TableSetup
from hw_sim.table.table import table_addresses_of

ANY_SEED: Final = 1_000_000
"""Seeds drawn for a person are below this; a person who chose the seed would know the dice."""


def add_json(command: argparse.ArgumentParser) -> None:
    """Let a command print one JSON object: ``args.json``."""
    command.add_argument("--json", action="store_true", help="print one JSON object")


def add_option(command: argparse.ArgumentParser) -> None:
    """Add the options of a game: ``args.option``, as ``options`` reads them."""
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as ends=last_standing or rounds=3 (see games)",
    )


def add_match(command: argparse.ArgumentParser) -> None:
    """Add the arguments of a match: ``args.game, players, seed, option, handicap, room, light``."""
    command.add_argument(
        "--game", default="class", metavar="NAME", help="as games lists them (default: class)"
    )
    command.add_argument(
        "--players",
        type=between(int, 1, len(NAMES)),
        default=3,
        metavar="N",
        help="default: 3",
    )
    command.add_argument(
        "--seed",
        type=between(int, 0, MOST_SEED),
        metavar="N",
        help="decides everything that is chance, "
        "but for the dice of people at a table, and of tables at a real broker",
    )
    add_option(command)
    command.add_argument(
        "--handicap",
        metavar="N,N,…",
        help="sticks, points, coasters or rounds that each seat has lost before the first round, "
        "such as 0,2: seat 1 begins with two sticks less",
    )
    command.add_argument(
        "--room",
        choices=("pub", "day"),
        default="pub",
        help="the light the players sit in (default: pub)",
    )
    command.add_argument(
        "--light",
        choices=get_args(LightKind),
        default=Conditions.light,
        help="the light sensor of the handhelds, as in settings (default: %(default)s)",
    )


def add_bots(command: argparse.ArgumentParser, what: str) -> None:
    """Add the argument for bots: ``args.bot``, whose names ``bots`` reads."""
    command.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="BOT",
        help=f"{what} (strength in class): {RATED}, or path/to/file.py:Class; once for each",
    )


def bots(names: list[str]) -> tuple[str, ...]:
    """Return the names of bots as ``personality_of`` takes them; each foreign one was loaded once.

    Raises:
        CommandError: there is no such bot.
        BotError: it cannot be loaded.
    """
    found: list[str] = []
    for name in names:
        try:
            check_bot(name)
        except SetupError as error:
            raise CommandError(f"--{error}") from None
        module, _, kind = name.rpartition(":")
        if module.endswith(".py"):
            name = f"{Path(module).resolve()}:{kind}"
        if name not in (*KINDS, *found):
            ForeignBot(name).close()
        found.append(name)
    return tuple(found)


def add_controller(command: argparse.ArgumentParser) -> None:
    """Add the argument for the kind of Bluetooth controllers: ``args.controller``."""
    command.add_argument(
        "--controller",
        choices=get_args(ControllerProfile),
        default="pi",
        help="Bluetooth controllers that can do as little as a Raspberry Pi's (pi, the default), "
        "or everything at once (ideal)",
    )


def add_broker(command: argparse.ArgumentParser) -> None:
    """Add the arguments for what carries frames: ``args.broker, own_broker, ca, public``."""
    command.add_argument(
        "--broker",
        metavar="URL",
        help="with --link mqtt: a real broker, such as mqtt://127.0.0.1 or "
        "mqtts://user:password@host; else there is one in memory",
    )
    command.add_argument(
        "--own-broker",
        action="store_true",
        help="with --link mqtt: start a broker, for this machine alone, with accounts and access "
        "rules for this table (mosquitto; amqtt where that is missing, without rules)",
    )
    command.add_argument(
        "--ca", type=InputFile, metavar="FILE", help="who vouches for the broker (PEM)"
    )
    command.add_argument(
        "--public",
        action="store_true",
        help="with --link mqtt: anybody at the broker may watch",
    )


def broker(args: argparse.Namespace) -> BrokerAddress | None:
    """The broker of ``add_broker``; None for one in memory.

    Raises:
        CommandError: it is of no use without ``--link mqtt``, or there are two of them.
        BrokerError: its URL cannot be read.
    """
    if (args.broker or args.own_broker or args.public) and "mqtt" not in args.link:
        raise CommandError("--broker, --own-broker and --public go with --link mqtt: add it")
    if args.own_broker:
        refuse_idle(args, "--broker", "is another one than --own-broker starts")
    if args.broker is None:
        refuse_idle(args, "--ca", "goes with --broker")
    url = own_url() if args.own_broker else args.broker
    return None if url is None else BrokerAddress.of(url, args.ca)


def tell_watched(setup: TableSetup) -> None:
    """Say on stderr how anybody may watch a table that is public at a real broker."""
    broker = setup.carriage.broker
    if setup.carriage.public and broker is not None:
        tag = table_addresses_of(setup)[0].tag
        print(f"anybody may watch: maexchen watch {broker.url} {tag}", file=sys.stderr)


def media(text: str) -> Media:
    """Read what ``--link`` gave: media with commas between, in argparse's way."""
    try:
        return media_of(*text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def options(game: str, pairs: list[str]) -> dict[str, Any]:
    """Read what ``--option`` gave, NAME=VALUE each, as values of the options of a game.

    Raises:
        CommandError: an option is written otherwise, or given twice.
        SettingsError: the game has no such option, or the option no such value.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals and value):
            raise CommandError(f"--option {pair}: write it as NAME=VALUE, like ends=last_standing")
        if name in found:
            raise CommandError(f"--option {name} is given twice: give it once")
        found[name] = parsed_option(game, name, value)
    return found
