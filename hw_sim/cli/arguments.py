"""Arguments that several commands of the simulator have; the language's are the firmware's."""

import argparse
from typing import Any, Final, get_args

from firmware.cli.console import CommandError
from firmware.settings.model import Media, media_of
from game import parsed_option
from hw_sim.air.pi_controller import ControllerProfile

ANY_SEED: Final = 1_000_000
"""Seeds below this are drawn for a person, who would otherwise know the dice."""


def add_json(command: argparse.ArgumentParser) -> None:
    """Let a command print one JSON object: ``args.json``."""
    command.add_argument("--json", action="store_true", help="print one JSON object")


def add_match(command: argparse.ArgumentParser) -> None:
    """Let a command be told which match: ``args.game, players, seed, option, light``."""
    command.add_argument(
        "--game", default="class", metavar="NAME", help="as games lists them (default: class)"
    )
    command.add_argument("--players", type=int, default=3, metavar="N", help="default: 3")
    command.add_argument("--seed", type=int, metavar="N", help="decides everything that is chance")
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as ends=last_standing or rounds=3 (see games)",
    )
    command.add_argument(
        "--light",
        choices=("pub", "day"),
        default="pub",
        help="the room the players sit in (default: pub)",
    )


def add_controller(command: argparse.ArgumentParser) -> None:
    """Let a command be told which Bluetooth controllers there are: ``args.controller``."""
    command.add_argument(
        "--controller",
        choices=get_args(ControllerProfile),
        default="pi",
        help="Bluetooth controllers that can do as little as a Raspberry Pi's (pi, the default), "
        "or everything at once (ideal)",
    )


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
