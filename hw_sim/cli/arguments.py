"""Arguments that several commands of the simulator have; the language's are the firmware's."""

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from firmware.cli.arguments import refuse_idle
from firmware.cli.console import CommandError
from firmware.link.broker import BrokerAddress
from game import SetupError, parsed_option
from hw_sim.air.local_broker import own_url
from hw_sim.players.bot_kinds import KINDS, check_bot
from hw_sim.players.foreign import ForeignBot
from hw_sim.table import TableSetup
from hw_sim.table.table import table_addresses_of

ANY_SEED: Final = 1_000_000
"""Seeds drawn for a person are below this; a person who chose the seed would know the dice;
chosen."""


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


def broker(args: argparse.Namespace) -> BrokerAddress | None:
    """Return the broker that the options name; None for one in memory.

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
