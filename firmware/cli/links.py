"""Which link carries the frames, by the settings."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from firmware.cli.console import CommandError
from firmware.display.text.alerts import Alert
from firmware.journal.sqlite import JournalError
from firmware.link.bluetooth.hci import RadioError, open_hci
from firmware.link.infrared.link import Port
from firmware.link.infrared.lirc import InfraredError, open_port
from firmware.settings.model import Newcomer, Settings
from firmware.settings.toml import SettingsError

PROGRAM = "maexchen"


async def open_media(
    settings: Settings | Newcomer, stack: AsyncExitStack, infrared: Callable[[], Port] = open_port
) -> tuple[Any, Port | None]:
    """Open the media of ``settings.link``; return the bumble transport and the infrared port.

    None stands for what is not wanted. Of both, one is enough: why the other cannot be opened goes
    to stderr. ``stack`` closes the transport; ``infrared`` opens the port.

    Raises:
        CommandError, RadioError, InfraredError: nothing is left to reach them with.
    """
    controller = port = None
    if settings.link != "ir":
        try:
            controller = await stack.enter_async_context(_open_controller(settings.bluetooth))
        except (CommandError, RadioError) as problem:
            if settings.link != "both":
                raise
            tell_trouble(str(problem))
    if settings.link != "bluetooth":
        try:
            port = infrared()
        except InfraredError as problem:
            if controller is None:
                raise
            tell_trouble(str(problem))
    return controller, port


@asynccontextmanager
async def _open_controller(name: str) -> AsyncIterator[Any]:
    try:
        transport = await open_hci(name)
    except RadioError:
        raise
    except Exception as problem:  # bumble's transports raise what they like, even Exception itself
        raise CommandError(
            f"bluetooth = {name!r} cannot be opened ({problem}): write the name of a bumble "
            'transport into the settings, such as "hci-socket:0" for the Pi\'s own controller'
        ) from problem
    try:
        yield transport
    finally:
        await transport.close()


def why_not(problem: JournalError | SettingsError) -> Alert:
    """The alert for a journal with which no match can go on."""
    if isinstance(problem, SettingsError):
        return Alert.OTHER_TABLE
    return Alert.JOURNAL_DAMAGED if problem.damaged else Alert.STORE


def tell_trouble(line: str) -> None:
    """Print a line on stderr, after the name of the program."""
    print(f"{PROGRAM}: {line}", file=sys.stderr, flush=True)
