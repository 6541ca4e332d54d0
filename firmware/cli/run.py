"""The loaded ``maexchen``: the handheld's own command line, for the Pi."""

import argparse
import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from secrets import SystemRandom, token_bytes
from typing import Any

from drivers.bus import Priority
from drivers.errors import PartError
from firmware.cli.arguments import InputFile, add_language, check_files, refuse_idle
from firmware.cli.console import DONE, PROGRAM, CommandError, run_command, tell_trouble
from firmware.cli.errors import SPOKEN
from firmware.cli.links import (
    open_media,
    open_session,
    tell_watched,
    why_not,
)
from firmware.cli.parser import LineParser, add_manuals
from firmware.device.feed import Publisher
from firmware.device.open import open_device
from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.display.text.language import book
from firmware.input.gestures.recognizer import Recognizer
from firmware.journal import Write
from firmware.journal.sqlite import Journal, JournalError
from firmware.link import OpenController, RadioError
from firmware.link.broker import Session
from firmware.link.infrared import InfraredError, Port
from firmware.link.several import link_over
from firmware.runtime.board import Board, open_board
from firmware.runtime.panel import show_alone
from firmware.runtime.runtime import Observers, Ports, Runtime
from firmware.runtime.service import Notifier, attended, until_terminated
from firmware.settings import Media, Settings, SettingsError, load, media_of
from firmware.upkeep.calibrate import beside
from firmware.upkeep.calibrate import load as load_calibration
from firmware.upkeep.doctor.patient import LinuxHost
from game.names import BadNameError, name_of

FIRST_SCREEN_S = 2.0
"""The links start this long after the runtime at the latest, also without a panel; chosen."""
STOP_S = 5.0
"""A controller that no longer answers delays the end by so many seconds at most; chosen."""

_EXAMPLES = """\
examples:
  maexchen run --settings /etc/maexchen.toml
  maexchen run --settings ana.toml --lang de
  maexchen run --name Ana
  maexchen doctor --hands
  maexchen calibrate
  maexchen log
  maexchen watch mqtts://broker.example TAG
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``maexchen``; return its exit status. ``argv`` None: ``sys.argv[1:]``."""
    return run_command(PROGRAM, partial(_command, argv), SPOKEN)


def _command(argv: Sequence[str] | None) -> int:
    args = _parser(only_run=argv is not None and argv[:1] == ["run"]).parse_args(argv)
    check_files(args)
    status: int = args.command(args)
    return status


def _play(args: argparse.Namespace) -> int:
    settings = Settings() if args.settings is None else load(args.settings)
    if args.language is not None:
        settings = replace(settings, language=args.language)
    book(settings.language)
    if args.name is not None:
        if settings.standing is not None:
            raise CommandError("--name: the settings have a table, and it names its players")
        try:
            settings = replace(settings, name=name_of(args.name))
        except BadNameError as error:
            raise CommandError(f"--name: {error}") from None
    if args.link is not None:
        settings = replace(settings, link=_media(args.link))
    if settings.standing is None:
        refuse_idle(args, "--begin", "goes with a table in --settings")
    asyncio.run(until_terminated(lambda end: _run(settings, end, begin=args.begin)))
    return DONE


def _parser(*, only_run: bool) -> LineParser:
    """Return the parser of the command line.

    ``only_run``: without the other commands, so that a handheld that plays does not load them.
    """
    parser = LineParser(
        prog=PROGRAM, description="The Mäxchen handheld on its Raspberry Pi.", epilog=_EXAMPLES
    )
    add_manuals(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    run = commands.add_parser(
        "run", help="play at a table", description="Play at a table.", epilog=_EXAMPLES
    )
    run.add_argument(
        "--settings",
        type=InputFile,
        metavar="FILE",
        help="who sits where, which game, how to reach the others (TOML); without a table in it, "
        "or without a file, the handheld begins in the lobby",
    )
    run.add_argument("--name", metavar="NAME", help="in the lobby: who you are")
    add_language(run, help_text="language of the display, instead of the settings'")
    run.add_argument(
        "--link",
        metavar="MEDIA",
        help="what reaches the others, instead of the settings': bluetooth, ir, both, mqtt, or "
        "several with commas between",
    )
    run.add_argument(
        "--begin",
        action="store_true",
        help="begin the match of the settings' epoch; without it one that is remembered goes on, "
        "or the others are asked to go on alone",
    )
    run.set_defaults(command=_play)
    if not only_run:
        _add_others(commands)
    return parser


def _add_others(commands: Any) -> None:
    from firmware.cli.links import add_keys, add_relay
    from firmware.cli.log import add_log, add_watch
    from firmware.cli.upkeep import add_calibrate, add_doctor, add_record

    for add in (add_doctor, add_calibrate, add_record, add_log, add_relay, add_watch, add_keys):
        add(commands)


def _media(text: str) -> Media:
    try:
        return media_of(*text.split(","))
    except ValueError as error:
        raise CommandError(f"--{error}") from None


async def _run(settings: Settings, end: Callable[[], object], *, begin: bool) -> None:
    """Run the handheld until ``end`` cancels it."""
    async with open_board(settings.light) as board:
        notifier, supply_is_low = Notifier(), LinuxHost().under_voltage
        async with attended(notifier, supply_is_low, tell_trouble, end):
            await _play_on(board, settings, notifier, begin=begin)


async def _play_on(
    board: Board, settings: Settings, notifier: Notifier | None = None, *, begin: bool
) -> None:
    """Open the links and play. If that fails, the display says so and keeps the message."""
    try:
        controller, port = open_media(settings)
        session = open_session(settings)
        await serve(settings, board, controller, port, session, begin=begin, notifier=notifier)
    except (RadioError, InfraredError) as problem:
        lacks_light = isinstance(problem, InfraredError)
        screen = AlertPage(Alert.INFRARED if lacks_light else Alert.RADIO)
        with suppress(PartError):
            await show_alone(board.bus, board.panel, screen, settings.language)
        raise


async def serve(
    settings: Settings,
    board: Board,
    controller: OpenController | None = None,
    port: Port | None = None,
    session: Session | None = None,
    *,
    begin: bool = False,
    notifier: Notifier | None = None,
) -> None:
    """Play on a board until cancelled.

    ``controller`` opens the Bluetooth controller, ``port`` is for infrared, ``session`` is at a
    broker. At least one is needed; ``open_media`` and ``open_session`` give those of the settings.
    ``notifier`` feeds the watchdog only while the link is well.

    The display is off afterwards, unless it shows why the handheld cannot start. Parts that fail
    are named on stderr. ``begin``: see ``firmware.device.open``.

    Raises:
        JournalError: the journal cannot be used.
        SettingsError: the journal and the settings do not go together.
        RadioError: the controller does not start.
    """
    language = settings.language
    with ExitStack() as stack:
        try:
            journal = stack.enter_context(Journal(settings.journal))
            device = open_device(settings, journal, token_bytes, begin=begin)
        except (JournalError, SettingsError) as problem:
            with suppress(PartError):
                await show_alone(board.bus, board.panel, AlertPage(why_not(problem)), language)
            raise

        async def write(batch: tuple[Write, ...]) -> None:
            await asyncio.to_thread(journal.write, batch)
            tell_anybody()

        def tell_anybody(_shown: object = None) -> None:
            if publisher is not None:
                publisher.update(journal.length)

        publisher: Publisher | None = None
        if session is not None and settings.broker is not None and settings.broker.public:
            watched = partial(tell_watched, settings.broker.url)
            publisher = Publisher(device, session.publish, watched)
        recognizer = Recognizer(load_calibration(beside(settings.journal)))
        observers = Observers(screens=[tell_anybody], troubles=[tell_trouble])

        def receive(frame: bytes) -> None:
            runtime.receive(frame)

        def present(seat: int, is_here: bool) -> None:
            runtime.present(seat, is_here)

        link = link_over(
            controller,
            port,
            device.device,
            receive,
            SystemRandom().random,
            settings.others,
            session,
            present,
        )
        ports = Ports(write, link.send, link.listen_at, observers)
        runtime = Runtime(board, device, recognizer, ports, language)
        running = asyncio.ensure_future(runtime.run())
        try:
            first = asyncio.FIRST_COMPLETED
            await asyncio.wait((running, runtime.shown), timeout=FIRST_SCREEN_S, return_when=first)
            if controller is not None:  # loaded beside the loop: a small Pi takes seconds for it
                await asyncio.to_thread(import_module, "firmware.link.bluetooth.link")
            await link.start()
            if notifier is not None:
                notifier.is_well = lambda: link.is_well
            await running
        finally:
            running.cancel()
            await asyncio.wait((running,))
            with suppress(PartError):
                await board.bus.run(board.panel.blank, Priority.BLANK)
            with suppress(TimeoutError):
                await asyncio.wait_for(link.stop(), STOP_S)
