"""Lines of a GPIO chip as the kernel hands them out: one owner each, with pull, level and edges.

The modules ``lgpio`` and ``gpiod`` stand on it.
"""

from collections.abc import Callable
from typing import Any, Final

from ..board.board import Board
from ..board.gpio import SimulatedGPIO
from .baton import Baton
from .patches import UPTIME_S
from .rpi_gpio import CallbackThread, PinWave

COUNT: Final = 54
"""The number of lines of gpiochip0 of a Pi 4 that have names here: those of the pins in `pins`."""
LABEL: Final = "pinctrl-bcm2711"
RISING, FALLING = 1, 2
"""Codes of edges; chosen, one bit each."""
_US = 1_000


class Line:
    """One line that a program has.

    ``edges`` are those it watches; ``heard`` gets each with its level and its time in ns.
    """

    def __init__(self, pin: int) -> None:
        self.pin = pin
        self.output = self.active_low = False
        self.pull: int | None = None
        self.edges = 0
        self.debounce_us = 0
        self.heard: Callable[[int, int], object] | None = None
        self.wave: PinWave | None = None
        self.last = 0
        self.timer: Any = None


class Lines:
    """The lines of a board's chip. Levels are logical: 1 is active.

    ``later`` lets the thread of callbacks call a function with its arguments.
    """

    def __init__(self, board: Board, baton: Baton) -> None:
        self._gpio: SimulatedGPIO = board.gpio
        self._pins, self._baton = board.pins, baton
        self._claimed: dict[int, Line] = {}
        self.later = CallbackThread(baton).later

    @property
    def now_ns(self) -> int:
        """The time of edges: that of ``time.monotonic_ns``."""
        return round(UPTIME_S * 1e9) + self._baton.clock.now_ns

    def line(self, pin: int) -> Line | None:
        """Return a line that somebody has, or None."""
        return self._claimed.get(pin)

    def claim(
        self,
        pin: int,
        *,
        level: int | None = None,
        pull: int | None = None,
        active_low: bool = False,
    ) -> Line:
        """Take a line, or set one up anew: an output of ``level``, or an input with a pull."""
        line = self._claimed.setdefault(pin, Line(pin))
        self._quiet(line)
        line.output, line.pull, line.active_low = level is not None, pull, active_low
        self._pins.pull_inside(pin, pull)
        self._pins.put(pin, None if level is None else level ^ active_low)
        return line

    def free(self, pin: int) -> None:
        """Give a line back; it becomes an input, and its pull stays."""
        line = self._claimed.pop(pin, None)
        if line is not None:
            self._quiet(line)
            self._pins.put(pin, None)

    def free_all(self) -> None:
        """Give all lines back."""
        for pin in list(self._claimed):
            self.free(pin)

    def read(self, line: Line) -> int:
        """Return the level of a line."""
        self._baton.ask()
        return self._pins.read(line.pin) ^ line.active_low

    def write(self, line: Line, level: int) -> None:
        """Put a level on a line that is an output."""
        self._baton.questions = 0
        self._baton.ask()
        if line.wave is not None:
            line.wave.set(0, 0)
        self._pins.put(line.pin, int(bool(level)) ^ line.active_low)

    def pwm(self, line: Line, frequency_hz: float, duty_percent: float) -> None:
        """Put a wave on an output; 0 Hz ends it."""
        if line.wave is None:
            line.wave = PinWave(line.pin, self._gpio, self._baton)
        line.wave.set(frequency_hz, duty_percent)

    def watch(self, line: Line, edges: int, heard: Callable[[int, int], object]) -> None:
        """Call ``heard`` with the level and the time of each of these edges, at once."""
        line.edges, line.heard = edges, heard
        pin = self._pins[line.pin]
        line.last = pin.level
        pin.on_edge = lambda level: self._edge(line, level)
        self._pins.watch(line.pin)

    def wait(self, condition: Callable[[], object], timeout_s: float | None) -> bool:
        """Wait in virtual time; None: for ever. Return whether it came true."""
        never = timeout_s is None or timeout_s < 0
        return self._baton.wait(condition, self._baton.deadline_ns(None if never else timeout_s))

    def _quiet(self, line: Line) -> None:
        line.edges, line.heard = 0, None
        self._pins[line.pin].on_edge = None
        if line.timer is not None:
            line.timer.cancel()
            line.timer = None
        if line.wave is not None:
            line.wave.set(0, 0)
            line.wave = None

    def _edge(self, line: Line, level: int) -> None:
        if line.timer is not None:
            line.timer.cancel()
            line.timer = None
        if not line.debounce_us:
            self._report(line, level)
            return
        due_ns = self._baton.clock.now_ns + line.debounce_us * _US
        line.timer = self._baton.clock.call_at_ns(due_ns, self._settled, line, level)

    def _settled(self, line: Line, level: int) -> None:
        line.timer = None
        if level != line.last:
            self._report(line, level)

    def _report(self, line: Line, level: int) -> None:
        line.last = level
        logical = level ^ line.active_low
        if line.heard is not None and line.edges & (RISING if logical else FALLING):
            line.heard(logical, self.now_ns)
