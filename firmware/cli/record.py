"""``maexchen record``: write a recording of the sensors for ``maexchen-sim gestures``."""

import argparse
import asyncio
import re
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from drivers.light_sensor import LightKind
from firmware.cli.arguments import add_locale_language, add_settings, between
from firmware.cli.console import DONE, CommandError, sends_to_doctor
from firmware.display.text.language import Language, say
from firmware.runtime.board import open_board
from firmware.settings.toml import usual_light
from firmware.upkeep.recording.recorder import Cue, Take, keep, motion_file, record

LONGEST_S: Final = 7200
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")

_EXAMPLES = """\
examples:
  maexchen record shake-ana --label shake --cue shake
  maexchen record lift-dim --label lifting --cue lift --seconds 120
  maexchen record bus-ride --label bus_ride --seconds 600 --folder recorded
"""


def add_command(commands: Any) -> None:
    """Add ``record`` to a command line."""
    parser = commands.add_parser(
        "record",
        help="keep what the sensors feel, for maexchen-sim gestures",
        description="Keep motion and light of this handheld in a folder of recordings, until "
        "Ctrl-C or the time is over.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("name", metavar="NAME", help="of the recording: a-z, 0-9, - and _")
    parser.add_argument("--label", required=True, help="what is done: shake, walking, put_down …")
    parser.add_argument(
        "--folder", type=Path, default=Path("recorded"), help="default: %(default)s"
    )
    parser.add_argument(
        "--seconds",
        type=between(float, 1, LONGEST_S),
        default=300.0,
        metavar="S",
        help="default: %(default)g",
    )
    parser.add_argument(
        "--cue",
        choices=[cue.value for cue in Cue],
        help="say every few seconds when to do it, and keep that as what must be recognised",
    )
    add_locale_language(parser)
    add_settings(parser)
    parser.set_defaults(command=_command)


def _command(args: argparse.Namespace) -> int:
    for what, text in (("name", args.name), ("label", args.label)):
        if not _NAME.fullmatch(text):
            raise CommandError(f"{what} {text!r}: write a-z, 0-9, - and _ only")
    path = args.folder / motion_file(args.name)
    if path.exists():
        raise CommandError(f"{path} is there already: use another name")
    take = Take()
    light, cue = usual_light(args.settings), None if args.cue is None else Cue(args.cue)
    with sends_to_doctor(), suppress(KeyboardInterrupt):
        asyncio.run(_on_this_pi(take, args.seconds, light, cue, args.language))
    print(keep(take, args.folder, args.name, args.label))
    return DONE


async def _on_this_pi(
    take: Take, seconds: float, light: LightKind, cue: Cue | None, language: Language
) -> None:
    def tell(key: str) -> None:
        print(say(key, language), flush=True)

    me = asyncio.current_task()
    assert me is not None, "a coroutine runs in a task"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    async with open_board(light) as board:
        await record(board, take, seconds, cue, tell)
