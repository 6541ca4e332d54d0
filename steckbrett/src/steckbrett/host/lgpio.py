"""The module ``lgpio`` (0.2.2) over the lines of the bench, in Python.

It has the functions for lines, callbacks, PWM and SPI. Files, scripts, I2C and serial ports of the
library are missing: programs open those by smbus2 and pyserial.
"""

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, Final

from ..board.board import Board
from .lines import COUNT, FALLING, LABEL, RISING, Line, Lines
from .spi import SPIDevice

_PULLS: Final = {0x20: 1, 0x40: 0}
_ACTIVE_LOW, _PULL_NONE = 0x04, 0x80
_IN, _OUT, _ALERT = 0x100, 0x200, 0x400
_MOST_PWM_HZ = 10_000
_FAULTS: Final = {
    "unknown handle": -5, "bad SPI channel": -31, "bad GPIO number": -73,
    "can not open gpiochip": -78, "GPIO busy": -79, "GPIO not allocated": -80,
    "bad PWM frequency": -102, "bad PWM dutycycle": -103, "GPIO not set as an output": -104,
}  # fmt: skip
CONSTANTS: Final = {
    "RISING_EDGE": RISING, "FALLING_EDGE": FALLING, "BOTH_EDGES": RISING | FALLING,
    "LOW": 0, "HIGH": 1, "TIMEOUT": 2, "OFF": 0, "ON": 1, "CLEAR": 0, "SET": 1,
    "SET_ACTIVE_LOW": _ACTIVE_LOW, "SET_OPEN_DRAIN": 0x08, "SET_OPEN_SOURCE": 0x10,
    "SET_PULL_UP": 0x20, "SET_PULL_DOWN": 0x40, "SET_PULL_NONE": _PULL_NONE, "TX_PWM": 0,
    "TX_WAVE": 1, "OKAY": 0, "exceptions": True,
}  # fmt: skip


class LgpioError(Exception):
    """As ``lgpio.error``."""

    def __init__(self, value: object) -> None:
        super().__init__(value)
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)


class _Callback:
    """One callback, as the library returns it."""

    def __init__(self, library: "ChipCalls", gpio: int, edges: int, function: Any) -> None:
        self._library, self.key = library, gpio
        self.edges, self._function, self._count = edges, function, 0

    def hear(self, chip: int, level: int, t_ns: int) -> None:
        self._count += 1
        if self._function is not None:
            self._function(chip, self.key, level, t_ns)

    def cancel(self) -> None:
        self._library.forget(self)

    def tally(self) -> int:
        return self._count

    def reset_tally(self) -> None:
        self._count = 0


class ChipCalls:
    """The functions of the module."""

    def __init__(self, board: Board, lines: Lines) -> None:
        self._board, self._lines = board, lines
        self._handles: dict[int, Any] = {}
        self._callbacks: dict[int, list[_Callback]] = {}

    # ---- chip and lines ----------------------------------------------------------------------

    def gpiochip_open(self, gpiochip: int) -> int:
        """Open a chip: the only one is 0."""
        if gpiochip != 0:
            raise LgpioError("can not open gpiochip")
        return self._handle("chip")

    def gpiochip_close(self, handle: int) -> int:
        """Close it, and give its lines back."""
        self._opened(handle, "chip")
        del self._handles[handle]
        self._lines.free_all()
        return 0

    def gpio_get_chip_info(self, handle: int) -> tuple[int, int, str, str]:
        """Return 0, the count of lines, name and label."""
        self._opened(handle, "chip")
        return 0, COUNT, "gpiochip0", LABEL

    def gpio_get_line_info(self, handle: int, gpio: int) -> tuple[int, int, int, str, str]:
        """Return 0, offset, flags, name and user of a line."""
        user = "lg" if self._lines.line(gpio) else ""
        return 0, gpio, self.gpio_get_mode(handle, gpio), f"GPIO{gpio}", user

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        """Return how a line is set up."""
        self._opened(handle, "chip")
        line = self._lines.line(self._number(gpio))
        if line is None:
            return 0
        mode = 0x01 | (0x02 | _OUT if line.output else _ALERT if line.edges else _IN)
        mode |= _ACTIVE_LOW * line.active_low
        return mode | {1: 0x20, 0: 0x40, None: _PULL_NONE}[line.pull]

    def gpio_claim_input(self, handle: int, gpio: int, lFlags: int = 0) -> int:  # noqa: N803
        """Set a line up as an input."""
        self._opened(handle, "chip")
        self._claim(gpio, None, lFlags)
        return 0

    def gpio_claim_output(
        self,
        handle: int,
        gpio: int,
        level: int = 0,
        lFlags: int = 0,  # noqa: N803
    ) -> int:
        """Set a line up as an output."""
        self._opened(handle, "chip")
        self._claim(gpio, int(bool(level)), lFlags)
        return 0

    def gpio_claim_alert(
        self,
        handle: int,
        gpio: int,
        eFlags: int,  # noqa: N803
        lFlags: int = 0,  # noqa: N803
        notify_handle: int | None = None,
    ) -> int:
        """Set a line up as an input whose edges are reported."""
        del notify_handle
        self._opened(handle, "chip")
        debounce_us = getattr(self._lines.line(gpio), "debounce_us", 0)
        line = self._claim(gpio, None, lFlags)
        line.debounce_us = debounce_us
        self._lines.watch(line, eFlags, partial(self._edge, gpio))
        return 0

    def gpio_free(self, handle: int, gpio: int) -> int:
        """Give a line back."""
        self._line(handle, gpio)
        self._lines.free(gpio)
        return 0

    def gpio_read(self, handle: int, gpio: int) -> int:
        """Return the level of a line."""
        return self._lines.read(self._line(handle, gpio))

    def gpio_write(self, handle: int, gpio: int, level: int) -> int:
        """Put a level on an output."""
        self._lines.write(self._output(handle, gpio), level)
        return 0

    def gpio_set_debounce_micros(self, handle: int, gpio: int, debounce_micros: int) -> int:
        """Report edges of a line only after it was quiet for so long."""
        self._line(handle, gpio).debounce_us = debounce_micros
        return 0

    # ---- callbacks and waves -----------------------------------------------------------------

    def callback(
        self, handle: int, gpio: int, edge: int = RISING, func: Callable[..., object] | None = None
    ) -> _Callback:
        """Call ``func`` with chip, line, level and time in ns of each edge."""
        del handle
        made = _Callback(self, gpio, edge, func)
        self._callbacks.setdefault(gpio, []).append(made)
        return made

    def forget(self, callback: _Callback) -> None:
        """Call it no more."""
        if callback in self._callbacks.get(callback.key, ()):
            self._callbacks[callback.key].remove(callback)

    def tx_pwm(
        self,
        handle: int,
        gpio: int,
        pwm_frequency: float,
        pwm_duty_cycle: float,
        pulse_offset: int = 0,
        pulse_cycles: int = 0,
    ) -> int:
        """Put a wave on an output; 0 Hz ends it."""
        line = self._output(handle, gpio)
        if not 0 <= pwm_frequency <= _MOST_PWM_HZ:
            raise LgpioError("bad PWM frequency")
        if not 0 <= pwm_duty_cycle <= 100:
            raise LgpioError("bad PWM dutycycle")
        if pulse_offset or pulse_cycles:
            raise LgpioError("no counted pulses on the bench")
        self._lines.pwm(line, pwm_frequency, pwm_duty_cycle)
        return 0

    def tx_servo(
        self, handle: int, gpio: int, pulse_width: int, servo_frequency: float = 50
    ) -> int:
        """Put pulses of ``pulse_width`` µs on an output; 0 ends them."""
        duty_percent = pulse_width * servo_frequency / 1e4
        return self.tx_pwm(handle, gpio, servo_frequency if pulse_width else 0, duty_percent)

    def tx_busy(self, handle: int, gpio: int, kind: int) -> int:
        """Return whether a wave goes on."""
        del kind
        wave = self._line(handle, gpio).wave
        return int(wave is not None and wave.runs)

    # ---- SPI ---------------------------------------------------------------------------------

    def spi_open(self, spi_device: int, spi_channel: int, baud: int, spi_flags: int = 0) -> int:
        """Open SPI0 with CE0 or CE1."""
        if spi_device != 0 or spi_channel not in (0, 1):
            raise LgpioError("bad SPI channel")
        made = SPIDevice(self._board, spi_channel)
        made.speed_hz, made.mode = baud, spi_flags & 3
        return self._handle(made)

    def spi_close(self, handle: int) -> int:
        """Close it."""
        self._handles.pop(handle, None)
        return 0

    def spi_read(self, handle: int, count: int) -> tuple[int, bytearray]:
        """Return the count and the bytes that came while zeros went out."""
        return self.spi_xfer(handle, bytes(count))

    def spi_write(self, handle: int, data: Any) -> int:
        """Write bytes; return how many."""
        return self.spi_xfer(handle, data)[0]

    def spi_xfer(self, handle: int, data: Any) -> tuple[int, bytearray]:
        """Write bytes; return the count and what came meanwhile."""
        device: SPIDevice = self._opened(handle, SPIDevice)
        sent = data.encode("latin-1") if isinstance(data, str) else bytes(data)
        found = device.transfer((sent, device.speed_hz))
        return len(found), bytearray(found)

    # ---- inside ------------------------------------------------------------------------------

    def _edge(self, gpio: int, level: int, t_ns: int) -> None:
        for one in self._callbacks.get(gpio, ()):
            if one.edges & (RISING if level else FALLING):
                self._lines.later(one.hear, 0, level, t_ns)

    def _handle(self, what: Any) -> int:
        handle = max(self._handles, default=-1) + 1
        self._handles[handle] = what
        return handle

    def _opened(self, handle: int, kind: Any) -> Any:
        found = self._handles.get(handle)
        if found is None or (found != kind and not isinstance(found, SPIDevice)):
            raise LgpioError("unknown handle")
        return found

    def _claim(self, gpio: int, level: int | None, flags: int) -> Line:
        pull = _PULLS.get(flags & 0x60)
        active_low = bool(flags & _ACTIVE_LOW)
        return self._lines.claim(self._number(gpio), level=level, pull=pull, active_low=active_low)

    def _number(self, gpio: int) -> int:
        if not isinstance(gpio, int) or not 0 <= gpio < COUNT:
            raise LgpioError("bad GPIO number")
        return gpio

    def _line(self, handle: int, gpio: int) -> Line:
        self._opened(handle, "chip")
        line = self._lines.line(self._number(gpio))
        if line is None:
            raise LgpioError("GPIO not allocated")
        return line

    def _output(self, handle: int, gpio: int) -> Line:
        line = self._line(handle, gpio)
        if not line.output:
            raise LgpioError("GPIO not set as an output")
        return line


def module(board: Board, lines: Lines) -> ModuleType:
    """Return the module of a board."""
    made = ModuleType("lgpio", "The lines of the bench, as lgpio has them.")
    library = ChipCalls(board, lines)
    names = [name for name in vars(ChipCalls) if not name.startswith("_") and name != "forget"]
    vars(made).update(
        {name: getattr(library, name) for name in names}, **CONSTANTS, error=LgpioError
    )
    numbers = {number: text for text, number in _FAULTS.items()}
    LgpioError.__module__, LgpioError.__qualname__ = "lgpio", "error"
    made.error_text = lambda number: numbers.get(number, "unknown error")  # type: ignore[attr-defined]
    made.get_module_version = lambda: "lgpio.py_0.2.2.0"  # type: ignore[attr-defined]
    return made
