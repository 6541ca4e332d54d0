"""``maexchen doctor``: the command."""

import argparse
import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from firmware.cli.arguments import add_locale_language, add_settings
from firmware.cli.console import DONE, WRONG
from firmware.display.text.language import Language, say
from firmware.settings.toml import chosen_light
from firmware.upkeep.doctor.examine import examine
from firmware.upkeep.doctor.findings import EVERYTHING, PARTS, CheckStatus, Finding
from firmware.upkeep.doctor.patient import Patient, Request, this_pi

_EXAMPLES = """\
examples:
  maexchen doctor
  maexchen doctor --hands --lang de
  maexchen doctor --part display --hands
  maexchen doctor --json
"""


def add_command(commands: Any) -> None:
    """Add ``doctor`` to a command line."""
    parser = commands.add_parser(
        "doctor",
        help="find every part, say what is wrong and how to mend it",
        description="Look at every part, wire and permission, and say what is wrong and how to "
        "mend it. Exit status 1 if anything is wrong.",
        epilog=_EXAMPLES,
    )
    add_arguments(parser)
    parser.set_defaults(command=_command)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the doctor."""
    parser.add_argument("--json", action="store_true", help="one JSON object, nothing else")
    parser.add_argument(
        "--hands", action="store_true", help="ask you to cover, uncover and tap, too"
    )
    parser.add_argument("--part", choices=PARTS, help="examine this part alone")
    add_settings(parser)
    add_locale_language(parser)


def _command(args: argparse.Namespace) -> int:
    ask = asking(args) if args.hands else None
    with this_pi(ask, chosen_light(args.settings)) as patient:
        return asyncio.run(report(patient, args.language, args.part, as_json=args.json))


def asking(args: argparse.Namespace) -> Callable[[Request], None]:
    """Return a function that asks for a hand on stdout; with ``--json`` it prints nothing."""

    def ask(request: Request) -> None:
        if not args.json:
            print("> " + say(request, args.language), flush=True)

    return ask


async def report(
    patient: Patient, language: Language, part: str | None = None, *, as_json: bool
) -> int:
    """Examine and print; return the exit status: 1 if anything is wrong, else 0.

    ``part``: a key of `PARTS` that is examined alone; None: everything.
    """

    def tell(finding: Finding) -> None:
        if not as_json:
            print("\n".join(finding.lines(language)), flush=True)

    wanted = EVERYTHING if part is None else PARTS[part]
    findings = await examine(replace(patient, language=language), tell, wanted)
    ill = sum(finding.status is CheckStatus.WRONG for finding in findings)
    notes = sum(finding.status is CheckStatus.NOTE for finding in findings)
    if as_json:
        told = {"well": not ill, "findings": [finding.as_json() for finding in findings]}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    elif ill or notes:
        print(say("examined.SUMS", language, wrong=ill, notes=notes))
    else:
        print(say("examined.ALL_WELL", language))
    return WRONG if ill else DONE
