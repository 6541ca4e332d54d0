"""Commands of a Pi that a program begins: what they print, or what to do without them."""

import os
import re
import shlex
from typing import Any, Final

from ..board.board import Board
from ..board.bus import BusMessage

TEMPERATURE_MC = 48_312
"""The reading of the Pi's own thermometer, in m°C."""
_SCAN = "scan the bus with i2cdetect or smbus2"
_PINS = "use RPi.GPIO, gpiozero, lgpio or gpiod"
_CAMERA, _DHT = "it has no camera", "it has no DHT sensor"
COMMANDS: Final = {
    **dict.fromkeys(("i2cdetect", "i2cget", "i2cset", "i2cdump", "i2ctransfer"), _SCAN),
    **dict.fromkeys(("gpio", "raspi-gpio", "pinctrl", "gpioget", "gpioset", "gpiomon"), _PINS),
    **dict.fromkeys(("raspistill", "raspivid", "libcamera-still", "rpicam-still"), _CAMERA),
    "vcgencmd": "read /sys/class/thermal/thermal_zone0/temp",
    "pigpiod": _PINS,
    **dict.fromkeys(("libgpiod_pulsein", "libgpiod_pulsein64"), _DHT),
    "raspi-config": "its buses are there already",
}
"""Commands of a Pi that a program may begin, and what to do on the bench."""
_ONE = re.compile(r"(?:[^|;&<>\d]|\d(?![<>]))*")
"""The first command of a line for a shell."""


def first_of(words: Any) -> list[str]:
    """Return the words of the first command, without ``sudo``, of a line or a list."""
    if isinstance(words, bytes | os.PathLike):
        words = os.fsdecode(words)
    if isinstance(words, str):
        words = _ONE.match(words)[0].split()  # type: ignore[index]
    return [word for word in map(os.fsdecode, words) if word != "sudo"]


def in_place_of(words: Any, board: Board) -> Any:
    """Return what to begin in place of a command whose output the bench knows; None for others."""
    command = first_of(words)
    if command[:1] == ["i2cdetect"] and command[-1] == "1" and "-F" not in command:
        text = scan(board)
    elif command == ["vcgencmd", "measure_temp"]:
        text = f"temp={TEMPERATURE_MC / 1000:.1f}'C\n"
    else:
        return None
    if not isinstance(words, str):
        return ["printf", "%s", text]
    rest = words[len(_ONE.match(words)[0]) :]  # type: ignore[index]
    return f"printf %s {shlex.quote(text)} {rest}"


def scan(board: Board) -> str:
    """Return what ``i2cdetect`` prints; it writes nothing to each address, as with ``-q``."""
    before = set(board.bus.unanswered)
    lines = ["     " + "  ".join(f"{low:x}" for low in range(16))]
    for high in range(0, 0x80, 16):
        cells = (_asked(at, board) if 0x08 <= at <= 0x77 else "  " for at in range(high, high + 16))
        lines.append(f"{high:02x}: {' '.join(cells)} ")
    board.bus.unanswered = before
    return "\n".join(lines) + "\n"


def _asked(address: int, board: Board) -> str:
    try:
        board.bus.i2c_rdwr(BusMessage(address, b""))
    except OSError:
        return "--"
    return f"{address:02x}"
