"""The modules ``RPi`` and ``RPi.GPIO`` of a running program, over the pins of its board.

`SimulatedGPIO` knows levels and edges. This adds what takes time: callbacks on a thread of their
own, as the library has one; waiting for an edge; waves of PWM as levels.
"""

from collections import deque
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from ..board.board import Board
from ..board.gpio import NO_BOUNCETIME, SimulatedGPIO
from ..clock import NS_PER_S
from .baton import Baton
from .locks import begin

UNKNOWN, SERIAL, SPI, I2C, HARD_PWM = -1, 40, 41, 42, 43
"""Codes of what a pin does, as `RPi.GPIO` has them."""
RPI_INFO: Final = {
    "P1_REVISION": 3, "RAM": "4G", "REVISION": "c03112", "TYPE": "Pi 4 Model B",
    "PROCESSOR": "BCM2711", "MANUFACTURER": "Sony",
}  # fmt: skip
"""The board that programs see: a Pi 4 Model B."""

_BUS_PINS = {2: I2C, 3: I2C, 14: SERIAL, 15: SERIAL}
_NO_CALLBACK = object()
_LAST_PWM_NS = 1_000


class Library:
    """The functions of ``RPi.GPIO`` that take time; others are those of the board's ``gpio``."""

    def __init__(self, board: Board, baton: Baton) -> None:
        self._gpio: SimulatedGPIO = board.gpio
        self._baton = baton
        self._callbacks: dict[int, list[Callable[[int], object]]] = {}
        self._happened: set[int] = set()
        self._calls = CallbackThread(baton)
        self._waves: dict[int, PinWave] = {}
        self._gpio.pulses.on_wave = self._wave

    # ---- edges -------------------------------------------------------------------------------

    def add_event_detect(
        self,
        channel: int,
        edge: int,
        callback: Any = _NO_CALLBACK,
        bouncetime: int = NO_BOUNCETIME,
    ) -> None:
        """Watch a channel for edges; ``callback`` gets the channel, on the library's thread.

        RPi.GPIO takes no None for it.
        """
        if callback is _NO_CALLBACK or (callback is None and not self._gpio.coalesces):
            callback = None
        elif not callable(callback):
            raise TypeError("Parameter must be callable")
        known = channel in self._callbacks
        self._gpio.add_event_detect(channel, edge, None if known else self._edge, bouncetime)
        callbacks = self._callbacks.setdefault(channel, [])
        if callback is not None:
            callbacks.append(callback)

    def add_event_callback(self, channel: int, callback: Callable[[int], object]) -> None:
        """Add a callback to a channel that is watched."""
        if not callable(callback):
            raise TypeError("Parameter must be callable")
        if channel not in self._callbacks:
            raise RuntimeError(
                "Add event detection using add_event_detect first before adding a callback"
            )
        self._callbacks[channel].append(callback)

    def remove_event_detect(self, channel: int) -> None:
        """Stop watching a channel."""
        self._gpio.remove_event_detect(channel)
        self._callbacks.pop(channel, None)
        self._happened.discard(channel)

    def event_detected(self, channel: int) -> bool:
        """Return whether an edge came since the last call."""
        self._baton.ask()
        if channel in self._happened:
            self._happened.discard(channel)
            return True
        return False

    def wait_for_edge(
        self, channel: int, edge: int, bouncetime: int = NO_BOUNCETIME, timeout: int = -1
    ) -> int | None:
        """Wait for an edge, at most ``timeout`` ms; return the channel, None after the time."""
        if channel in self._callbacks:
            raise RuntimeError(
                "Conflicting edge detection events already exist for this GPIO channel"
            )
        if timeout < 0 and timeout != -1:
            raise ValueError("Timeout must be greater than or equal to 0")
        came: list[int] = []
        self._gpio.add_event_detect(channel, edge, came.append, bouncetime)
        try:
            self._baton.wait(
                lambda: came, self._baton.deadline_ns(None if timeout == -1 else timeout / 1000)
            )
        finally:
            self._gpio.remove_event_detect(channel)
        return channel if came else None

    def _edge(self, channel: int) -> None:
        self._happened.add(channel)
        for callback in self._callbacks.get(channel, ()):
            if not self._gpio.coalesces or (callback, channel) not in self._calls.due:
                self._calls.later(callback, channel)

    # ---- levels ------------------------------------------------------------------------------

    def input(self, channel: int) -> int:
        """Return the level, 0 or 1, of a channel that was set up."""
        self._baton.ask()
        return self._gpio.input(channel)

    def output(self, channel: Any, value: Any) -> None:
        """Put levels on channels that were set up as outputs."""
        self._baton.questions = 0
        self._baton.ask()
        self._gpio.output(channel, value)

    def cleanup(self, channel: Any = None) -> None:
        """Set channels (all of them for None) back to unused."""
        if channel is None:
            gone = list(self._callbacks)
        else:
            gone = [channel] if isinstance(channel, int) else list(channel)
        for each in gone:
            self._callbacks.pop(each, None)
            self._happened.discard(each)
        self._gpio.cleanup(channel)

    def gpio_function(self, channel: int) -> int:
        """Return what a channel is: IN, OUT, or the bus that has the pin."""
        pin, direction = self._gpio.function_of(channel)
        return _BUS_PINS.get(pin, self._gpio.IN) if direction is None else direction

    def _wave(self, pin: int, frequency_hz: float, duty_percent: float) -> None:
        wave = self._waves.get(pin)
        if wave is None:
            wave = self._waves[pin] = PinWave(pin, self._gpio, self._baton)
        wave.set(frequency_hz, duty_percent)


class CallbackThread:
    """The one thread on which a library calls back; ``due`` has calls, each with its arguments."""

    def __init__(self, baton: Baton) -> None:
        self.due = deque[tuple[Any, ...]]()
        self._baton = baton
        self._begun = False

    def later(self, *call: Any) -> None:
        """Let the thread call the first with the others."""
        self.due.append(call)
        if not self._begun:
            self._begun = True
            # The thread begins at the next change of threads; an edge may come while all wait.
            runner = self._baton.start(begin, self._serve, "GPIO callbacks")
            runner.daemon = True

    def _serve(self) -> None:
        while True:
            self._baton.wait(lambda: self.due)
            function, *arguments = self.due.popleft()
            try:
                function(*arguments)
            except Exception as problem:
                import traceback

                found = problem.__traceback__  # its first frame is this one
                traceback.print_exception(problem.with_traceback(found and found.tb_next))


class PinWave:
    """The level that software PWM puts on one pin."""

    @property
    def runs(self) -> bool:
        """Whether a wave goes on."""
        return self._due is not None

    def __init__(self, pin: int, gpio: SimulatedGPIO, baton: Baton) -> None:
        self._pin, self._pins, self._clock = pin, gpio.pins, baton.clock
        self._high_ns = self._period_ns = 0
        self._due: Any = None

    def set(self, frequency_hz: float, duty_percent: float) -> None:
        """Go on with another wave; it begins with the next period, or now after silence."""
        if not frequency_hz or not duty_percent:
            self._period_ns = self._high_ns = 0
            if self._due is not None:
                self._due.cancel()
                self._due = None
            self._put(0)
            return
        self._period_ns = max(_LAST_PWM_NS, round(NS_PER_S / frequency_hz))
        self._high_ns = round(self._period_ns * duty_percent / 100)
        if self._due is None:
            self._rise()

    def _put(self, level: int) -> None:
        if self._pins[self._pin].host is not None:
            self._pins.put(self._pin, level)

    def _rise(self) -> None:
        now_ns = self._clock.now_ns
        self._put(1)
        if self._high_ns < self._period_ns:
            self._due = self._clock.call_at_ns(
                now_ns + self._high_ns, self._fall, now_ns + self._period_ns
            )
        else:
            self._due = self._clock.call_at_ns(now_ns + self._period_ns, self._rise)

    def _fall(self, next_ns: int) -> None:
        self._put(0)
        self._due = self._clock.call_at_ns(next_ns, self._rise)


_FROM_GPIO = (
    "BOARD", "BCM", "OUT", "IN", "LOW", "HIGH", "PUD_OFF", "PUD_DOWN", "PUD_UP", "RISING",
    "FALLING", "BOTH", "VERSION", "setmode", "getmode", "setwarnings", "setup", "PWM",
)  # fmt: skip
_FROM_LIBRARY = (
    "add_event_detect", "add_event_callback", "remove_event_detect", "event_detected",
    "wait_for_edge", "input", "output", "cleanup", "gpio_function",
)  # fmt: skip


def modules(board: Board, baton: Baton) -> dict[str, ModuleType]:
    """Return the modules by their names, for ``sys.modules``."""
    library = Library(board, baton)
    package = ModuleType("RPi", "Raspberry Pi")
    package.__path__ = []
    gpio = ModuleType("RPi.GPIO", "The pins of the bench, as RPi.GPIO has them.")
    space: dict[str, Any] = {name: getattr(board.gpio, name) for name in _FROM_GPIO}
    space |= {name: getattr(library, name) for name in _FROM_LIBRARY}
    space |= {
        "UNKNOWN": UNKNOWN, "SERIAL": SERIAL, "SPI": SPI, "I2C": I2C, "HARD_PWM": HARD_PWM,
        "RPI_INFO": dict(RPI_INFO), "RPI_REVISION": RPI_INFO["P1_REVISION"],
    }  # fmt: skip
    vars(gpio).update(space)
    vars(package)["GPIO"] = gpio
    return {"RPi": package, "RPi.GPIO": gpio}
