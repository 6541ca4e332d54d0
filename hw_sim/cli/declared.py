"""The commands of ``commands.toml``, made into parsers."""

import argparse
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, get_args

from drivers.light_sensor import LightKind
from firmware.cli.arguments import (
    MOST_PORT,
    MOST_SEED,
    InputFile,
    OutputFile,
    add_language,
    between,
)
from firmware.cli.parser import locale_language
from firmware.settings import Faults, Media, media_of
from game import RULES
from game.options import MOST_PLAYERS
from hw_sim.air import ControllerProfile
from hw_sim.cli import PROGRAM
from hw_sim.players.bot_kinds import RATED
from hw_sim.table import NAMES, SCENES, Conditions
from hw_sim.table.headless import HURRY, MOST_FRAMES
from hw_sim.trials.faults import HURRY as SOAK_HURRY
from hw_sim.trials.faults import MEDIA

_DECLARED: Final = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
_KNOWN: Final[dict[str, Any]] = {
    "controllers": get_args(ControllerProfile),
    "faults": get_args(Faults),
    "frames": MOST_FRAMES,
    "games": tuple(RULES),
    "hurry": HURRY,
    "last_seat": len(NAMES) - 1,
    "light": Conditions.light,
    "lights": get_args(LightKind),
    "players": MOST_PLAYERS,
    "port": MOST_PORT,
    "rated": RATED,
    "rooms": SCENES,
    "seats": len(NAMES),
    "seed": MOST_SEED,
    "soak_hurry": SOAK_HURRY,
    "soaked": tuple(MEDIA),
}
"""The values of the words in braces."""


def media(text: str) -> Media:
    """Read what ``--link`` gave: media with commas between, in argparse's way."""
    try:
        return media_of(*text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


_TYPES: Final = {"path": Path, "input": InputFile, "output": OutputFile, "media": media}


def declare(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    """Add a declared command, which ``run`` carries out, and return its parser.

    ``commands``: what argparse calls subparsers.
    """
    command = _DECLARED[name]
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=command["help"],
        description=command["description"],
        epilog=_examples(command["examples"]),
    )
    for argument, row in _rows(name).items():
        _add(parser, argument, row)
    parser.set_defaults(command=run)
    return parser


def overview() -> str:
    """Return the first example of each command."""
    commands = (each for each in _DECLARED.values() if "examples" in each)
    return _examples([each["examples"][0] for each in commands])


def _examples(lines: list[str]) -> str:
    told = "".join(f"  {PROGRAM} {line}\n" for line in lines)
    return f"example{'s' * (len(lines) > 1)}:\n{told}"


def _rows(name: str) -> dict[str, dict[str, Any]]:
    """Return the arguments of a section: first those of the section that it is like."""
    section = _DECLARED[name]
    rows = _rows(section["like"]) if "like" in section else {}
    shared = _DECLARED["shared"] | rows
    return rows | {at: shared.get(at, {}) | row for at, row in section["arguments"].items()}


def _add(parser: argparse.ArgumentParser, name: str, row: dict[str, Any]) -> None:
    if name == "--lang":
        add_language(parser, row.get("default", locale_language()), row["help"])
        return
    told = {word: _filled(value) for word, value in row.items()}
    for word, kind in (("whole", int), ("number", float)):
        if word in told:
            told["type"] = between(kind, *told.pop(word))
    if isinstance(told.get("type"), str):
        told["type"] = _TYPES[told["type"]]
    if told.get("action") == "either":
        told["action"] = argparse.BooleanOptionalAction
    parser.add_argument(name, **told)


def _filled(value: Any) -> Any:
    """Put known values in place of words in braces; a text that is one such word is its value."""
    if isinstance(value, list):
        return [_filled(each) for each in value]
    if not isinstance(value, str):
        return value
    return _KNOWN[value[1:-1]] if value[:1] == "{" else value.format_map(_KNOWN)
