"""``maexchen key`` and ``maexchen accounts``: keys of a fixed table, its accounts at a broker."""

import argparse
import os
from dataclasses import replace
from secrets import token_bytes
from typing import Any

from firmware.cli.arguments import InputFile
from firmware.cli.console import DONE, CommandError
from firmware.link.broker.access import SALT_BYTES, access_lines, password_line
from firmware.settings.toml import load
from firmware.table.crypto.primitives import public
from firmware.table.protocol.sealing import KEY_BYTES


def add_commands(commands: Any) -> None:
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
