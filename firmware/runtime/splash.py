"""The first picture after the start, by the panel's driver alone.

It is the screen `StartingPage` as ``make screens`` has drawn it: fonts and texts take longer to
load than the driver. It raises nothing, because a failure is found again later.
"""

import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

from drivers import make_driver
from drivers.bus import BusioAdapter, SMBusLike
from drivers.errors import PartError
from drivers.panel import PANEL, Panel
from drivers.pins import I2C_BUS
from firmware.display.text.language import ENGLISH, LANGUAGES

DARK_CONTRAST: Final = 0x30
"""Contrast without dice, of 255; chosen: the panel's own light must not look like a lift."""
PICTURES: Final = Path(__file__).parent / "pictures"


def show_early(language: str, open_bus: Callable[[], SMBusLike] | None = None) -> bool:
    """Show the picture; about 80 ms of bus. Return False if bus or panel cannot be reached.

    ``language``: English stands in for one without a picture. ``open_bus``: None opens the Pi's
    own; may raise OSError.
    """
    try:
        bus = _this_pi() if open_bus is None else open_bus()
    except OSError:
        return False
    try:
        show(BusioAdapter(bus), language)
    except PartError:
        return False
    finally:
        close = getattr(bus, "close", None)
        if close is not None:
            close()
    return True


def show(adapter: BusioAdapter, language: str) -> None:
    """Show the picture; English stands in for a language without one.

    Raises:
        PartError: the panel does not answer.
    """
    drawn = PICTURES / f"starting-{language}.bin"
    picture = (drawn if drawn.is_file() else PICTURES / "starting-en.bin").read_bytes()
    panel: Panel = make_driver(PANEL.driver, adapter)
    panel.begin()
    for window in panel.changes(picture):
        panel.write(window)
    panel.contrast(DARK_CONTRAST)
    panel.light_up()


def language_of(arguments: Sequence[str]) -> str:
    """Return the language of a command line, else of its settings file, else English."""
    asked = _value(arguments, "--lang") or _value(arguments, "--language")
    path = _value(arguments, "--settings")
    if asked is None and path is not None:
        with suppress(OSError, ValueError):
            asked = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("language")
    return asked if asked in LANGUAGES else ENGLISH


def _value(arguments: Sequence[str], option: str) -> str | None:
    for argument, following in zip(arguments, [*arguments[1:], None]):
        if argument == option:
            return following
        if argument.startswith(f"{option}="):
            return argument.removeprefix(f"{option}=")
    return None


def _this_pi() -> SMBusLike:
    from smbus2 import SMBus

    return cast(SMBusLike, SMBus(I2C_BUS))
