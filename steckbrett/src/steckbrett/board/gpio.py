"""GPIO pins shaped like ``RPi.GPIO`` 0.7.1, in two behaviours that exist in the field.

``rpi-gpio``: RPi.GPIO. One callback thread; edges that come while a callback is due coalesce. A
bouncetime reports the first edge at once and then locks out.
``rpi-lgpio``: its replacement. Every edge is reported; a bouncetime reports after the pin had that
much time without a watched edge (a 30 ms glitch on a rising-edge pin is reported with the pin
already low). The same detection may be added twice. If the library below refuses a call, it raises
`error` instead of RuntimeError.

Callbacks run on the loop, soon after the edge. ``wait_for_edge`` blocks and is not simulated; what
PWM does to a pin is kept in ``pulses``. The levels are those of `Pins`.

Both libraries drive a pin with software PWM from a thread of their own and return at once. They
differ in what a stop leaves behind: RPi.GPIO forgets the frequency (``start`` then runs at 1 kHz)
and lets another object have the channel; rpi-lgpio keeps both as long as the object lives.
"""

import sys
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from operator import index
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args
from weakref import WeakValueDictionary

from ..clock import Clock, Due
from .pins import HIGHEST, Pins

KEPT: Final = 4096
"""The number of changes of waves that are kept, chosen: more than a piezo plays in minutes."""
_FORGOTTEN_HZ: Final = 1000.0  # RPi.GPIO's frequency of a channel it knows nothing of


class Wave(NamedTuple):
    """From ``t_us`` on, BCM ``pin`` carries a square wave; silence has a duty of 0."""

    t_us: int
    pin: int
    frequency_hz: float
    duty_percent: float


class SimulatedPWM:
    """One object of the library's class ``PWM``. Raises the errors of the library.

    Args:
        pin: BCM number of an output.
        frequency: in Hz.
        pulses: the board's, which keeps the trace.
    """

    def __init__(self, pin: int, frequency: float, pulses: "Pulses") -> None:
        self._pin = pin
        self._pulses = pulses
        self._duty = 0.0
        self._frequency: float | None = None
        self._running = False
        self.ChangeFrequency(frequency)

    @property
    def holds_channel(self) -> bool:
        """Whether the library refuses a second object for the channel."""
        return self._frequency is not None

    def start(self, dutycycle: float) -> None:
        """Begin a wave; ``dutycycle`` in percent, 0 to 100."""
        self._set_duty(dutycycle)
        if self._frequency is None:
            self._frequency = _FORGOTTEN_HZ
        self._running = True
        self._note()

    def stop(self) -> None:
        """End the wave; the pin is low."""
        was_running, self._running = self._running, False
        if self._pulses.forgets:
            self._frequency = None
        if was_running:
            self._pulses.note(self._pin, 0.0, 0.0)

    def ChangeDutyCycle(self, dutycycle: float) -> None:  # noqa: N802 - the library's name
        """Change the share of the time that the pin is high, in percent."""
        self._set_duty(dutycycle)
        self._note()

    def ChangeFrequency(self, frequency: float) -> None:  # noqa: N802 - the library's name
        """Change the frequency, in Hz."""
        if frequency <= 0.0:
            raise ValueError("frequency must be greater than 0.0")
        self._frequency = float(frequency)
        self._note()

    def _set_duty(self, dutycycle: float) -> None:
        if not 0.0 <= dutycycle <= 100.0:
            raise ValueError("dutycycle must have a value from 0.0 to 100.0")
        self._duty = float(dutycycle)

    def _note(self) -> None:
        if self._running and self._frequency is not None:
            self._pulses.note(self._pin, self._frequency, self._duty)


class Pulses:
    """All PWM of one board.

    Attributes:
        trace: the last `KEPT` changes of waves, oldest first.
        noted: how many there have been.
        forgets: whether a stop forgets the frequency, as RPi.GPIO does.
        on_wave: is called with pin, Hz and percent of each change; None for nobody.
    """

    def __init__(self, now_us: Callable[[], int], *, forgets: bool) -> None:
        self.trace: deque[Wave] = deque(maxlen=KEPT)
        self.noted = 0
        self.forgets = forgets
        self.on_wave: Callable[[int, float, float], None] | None = None
        self._now_us = now_us
        self._last: dict[int, tuple[float, float]] = {}
        self._objects: WeakValueDictionary[int, SimulatedPWM] = WeakValueDictionary()

    def make(self, pin: int, frequency: float, *, is_output: bool) -> SimulatedPWM:
        """Make the object of BCM ``pin``, which has to be an output; ``frequency`` in Hz."""
        known = self._objects.get(pin)
        if known is not None and known.holds_channel:
            raise RuntimeError("A PWM object already exists for this GPIO channel")
        if not is_output:
            raise RuntimeError("You must setup() the GPIO channel as an output first")
        made = self._objects[pin] = SimulatedPWM(pin, frequency, self)
        return made

    def note(self, pin: int, frequency_hz: float, duty_percent: float) -> None:
        """Append to the trace, unless the pin does exactly this already; a duty of 0 is silence."""
        if duty_percent == 0.0:
            frequency_hz = 0.0
        wave = (frequency_hz, duty_percent)
        if self.on_wave is not None:
            self.on_wave(pin, *wave)
        if self._last.get(pin, (0.0, 0.0)) != wave:
            self._last[pin] = wave
            self.noted += 1
            self.trace.append(Wave(self._now_us(), pin, *wave))


Profile = Literal["rpi-gpio", "rpi-lgpio"]
Channels = int | Sequence[int]
EdgeCallback = Callable[[int], object]
_BENCH = str(Path(__file__).parents[1])

_BOARD_TO_BCM = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10,
    21: 9, 22: 25, 23: 11, 24: 8, 26: 7, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26,
    38: 20, 40: 21,
}  # fmt: skip
_I2C_PINS = (2, 3)  # with physical pull-ups
NO_BOUNCETIME = -666
"""The default value of `RPi.GPIO` itself."""


class _Detection:
    """An edge detection on one pin."""

    __slots__ = ("bouncetime_ms", "callbacks", "due", "edge", "locked_until_s", "timer")

    def __init__(self, edge: int, bouncetime_ms: int | None) -> None:
        self.edge = edge
        self.bouncetime_ms = bouncetime_ms
        self.callbacks: list[EdgeCallback] = []
        self.due = False
        self.locked_until_s = 0.0
        self.timer: Due | None = None


class _Channel:
    __slots__ = ("detection", "direction", "output")

    def __init__(self) -> None:
        self.direction: int | None = None
        self.output = 0
        self.detection: _Detection | None = None


class error(Exception):  # noqa: N801, N818 - the library's name
    """As ``lgpio.error``: no kin of RuntimeError, and its text is in quotes."""

    def __str__(self) -> str:
        return repr(self.args[0])


class SimulatedGPIO:
    """A library over the pins of one board; an instance stands where ``RPi.GPIO`` would.

    ``loop`` is the clock: an asyncio loop, or anything like one. ``pins``: the board's, by default
    its own. Raises the errors of the real library, with its texts. One class, because the
    library is one module: its functions are the methods here.
    """

    BOARD = 10
    BCM = 11
    OUT = 0
    IN = 1
    LOW = 0
    HIGH = 1
    PUD_OFF = 20
    PUD_DOWN = 21
    PUD_UP = 22
    RISING = 31
    FALLING = 32
    BOTH = 33
    VERSION = "0.7.1"

    def __init__(
        self, loop: Clock, profile: Profile = "rpi-gpio", pins: Pins | None = None
    ) -> None:
        if profile not in get_args(Profile):
            known = ", ".join(get_args(Profile))
            raise ValueError(f"unknown GPIO profile {profile!r}: choose one of {known}")
        self._loop = loop
        self._profile = profile
        self._mode: int | None = None
        self._warnings = True
        self._channels: dict[int, _Channel] = {}
        self.pins = Pins(self._now_us) if pins is None else pins
        """The electronics."""
        self.access_refused = False
        """Whether the system refuses access to the pins, as for somebody outside group gpio."""
        self.pulses = Pulses(self._now_us, forgets=profile != "rpi-lgpio")
        """The waves that PWM puts on the pins."""
        self.claimed_elsewhere: set[int] = set()
        """BCM pins that another program holds; rpi-lgpio refuses them, RPi.GPIO cannot tell."""

    @property
    def coalesces(self) -> bool:
        """Whether edges that come while a callback is due are one."""
        return self._profile == "rpi-gpio"

    def function_of(self, channel: int) -> tuple[int, int | None]:
        """Return the BCM number of a channel, and IN, OUT, or None before it was set up."""
        pin = self._number(channel)
        state = self._channels.get(pin)
        return pin, None if state is None else state.direction

    def output_level(self, pin: int) -> int | None:
        """Return what the host puts on BCM ``pin``; None when it is no output."""
        return self.pins[pin].host

    # ---- numbering and set-up ----------------------------------------------------------------

    def setmode(self, mode: int) -> None:
        """Choose the numbering of channels, BCM or BOARD, once."""
        if self._mode is not None and mode != self._mode:
            raise ValueError("A different mode has already been set!")
        if mode not in (self.BOARD, self.BCM):
            raise ValueError("An invalid mode was passed to setmode()")
        if self.access_refused and self._profile == "rpi-lgpio":
            raise error("can not open gpiochip")
        self._mode = mode

    def getmode(self) -> int | None:
        """Return BCM, BOARD, or None before ``setmode``."""
        return self._mode

    def setwarnings(self, state: bool) -> None:
        """Switch the library's warnings on or off."""
        self._warnings = bool(state)

    def setup(
        self, channel: Channels, direction: int, pull_up_down: int = 20, initial: int = -1
    ) -> None:
        """Set one channel or several up as IN or OUT."""
        channels = self._listed(channel)
        direction, pull_up_down, initial = index(direction), index(pull_up_down), index(initial)
        if direction not in (self.IN, self.OUT):
            raise ValueError("An invalid direction was passed to setup()")
        if direction == self.OUT and pull_up_down != self.PUD_OFF:
            raise ValueError("pull_up_down parameter is not valid for outputs")
        if direction == self.IN and initial != -1:
            raise ValueError("initial parameter is not valid for inputs")
        if pull_up_down not in (self.PUD_OFF, self.PUD_DOWN, self.PUD_UP):
            raise ValueError(
                "Invalid value for pull_up_down - should be either PUD_OFF, PUD_UP or PUD_DOWN"
            )
        if self.access_refused and self._profile != "rpi-lgpio":
            raise RuntimeError("No access to /dev/mem.  Try running as root!")
        for pin in map(self._number, channels):
            if pin in self.claimed_elsewhere and self._profile == "rpi-lgpio":
                raise error("GPIO busy" if direction == self.IN else "GPIO not allocated")
            if self._warnings and pin in _I2C_PINS and pull_up_down != self.PUD_OFF:
                _warn("A physical pull up resistor is fitted on this channel!")
            state = self._channels.setdefault(pin, _Channel())
            state.direction = direction
            self.pins.pull_inside(pin, {self.PUD_UP: 1, self.PUD_DOWN: 0}.get(pull_up_down))
            if direction == self.OUT and initial in (self.LOW, self.HIGH):
                state.output = initial
            self.pins.put(pin, state.output if direction == self.OUT else None)

    def cleanup(self, channel: Channels | None = None) -> None:
        """Set channels (all of them for None) back to unused."""
        numbers = list(self._channels) if channel is None else self._numbers(channel)
        found = False
        for pin in numbers:
            state = self._channels.get(pin)
            if state is None:
                continue
            self._forget(pin, state)
            found = found or state.direction is not None
            state.direction = None
            self.pins.pull_inside(pin, None)
            self.pins.put(pin, None)
        if channel is None:
            self._mode = None
        if not found and self._warnings:
            _warn(
                "No channels have been set up yet - nothing to clean up!  "
                "Try cleaning up at the end of your program instead!"
            )

    # ---- levels ------------------------------------------------------------------------------

    def input(self, channel: int) -> int:
        """Return the level, 0 or 1, of a channel that was set up."""
        pin = self._number(channel)
        state = self._channels.get(pin)
        if state is None or state.direction is None:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self.pins.read(pin)

    def output(self, channel: Channels, value: int | Sequence[int]) -> None:
        """Put levels on channels that were set up as outputs."""
        numbers = self._numbers(channel)
        if not isinstance(value, int | list | tuple):
            raise ValueError(
                "Value must be an integer/boolean or a list/tuple of integers/booleans"
            )
        values = [value] * len(numbers) if isinstance(value, int) else list(value)
        alone = isinstance(channel, int) and not isinstance(value, int)
        if len(values) != len(numbers) or alone:
            raise RuntimeError("Number of channels != number of values")
        for pin, level in zip(numbers, values):
            if not isinstance(level, int):
                raise ValueError("Value must be an integer or boolean")
            state = self._channels.get(pin)
            if state is None or state.direction != self.OUT:
                raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
            state.output = int(bool(level))
            self.pins.put(pin, state.output)

    def PWM(self, channel: int, frequency: float) -> SimulatedPWM:  # noqa: N802 - its name there
        """Make the library's object for a wave on an output; ``frequency`` in Hz."""
        pin = self._number(channel)
        state = self._channels.get(pin)
        is_output = state is not None and state.direction == self.OUT
        return self.pulses.make(pin, frequency, is_output=is_output)

    # ---- edges -------------------------------------------------------------------------------

    def add_event_detect(
        self,
        channel: int,
        edge: int,
        callback: EdgeCallback | None = None,
        bouncetime: int = NO_BOUNCETIME,
    ) -> None:
        """Watch a channel for edges; ``callback`` gets the channel. ``bouncetime`` in ms."""
        if callback is not None and not callable(callback):
            raise TypeError("Parameter must be callable")
        state = self._as_input(channel)
        if edge not in (self.RISING, self.FALLING, self.BOTH):
            raise ValueError("The edge must be set to RISING, FALLING or BOTH")
        if bouncetime <= 0 and bouncetime != NO_BOUNCETIME:
            raise ValueError("Bouncetime must be greater than 0")
        quiet_ms = None if bouncetime == NO_BOUNCETIME else bouncetime
        known = state.detection
        if known is not None:
            same = known.edge == edge and known.bouncetime_ms == quiet_ms
            if self._profile == "rpi-gpio" or not same:
                raise RuntimeError(
                    "Conflicting edge detection already enabled for this GPIO channel"
                )
        else:
            known = state.detection = _Detection(edge, quiet_ms)
            pin = self._number(channel)
            self.pins[pin].on_edge = partial(self._edge, pin, known)
            self.pins.watch(pin)
        if callback is not None:
            known.callbacks.append(callback)

    def remove_event_detect(self, channel: int) -> None:
        """Stop watching a channel."""
        pin = self._number(channel)
        state = self._channels.get(pin)
        if state is not None:
            self._forget(pin, state)

    # ---- inside ------------------------------------------------------------------------------

    def _now_us(self) -> int:
        return round(self._loop.time() * 1e6)

    def _edge(self, pin: int, detection: _Detection, level: int) -> None:
        if detection.edge == (self.FALLING if level else self.RISING):
            return
        if self._profile == "rpi-gpio":
            if not detection.due:
                detection.due = True
                self._loop.call_soon(self._report_coalesced, pin, detection)
        elif detection.bouncetime_ms is None:
            self._loop.call_soon(self._report, pin, detection)
        else:
            if detection.timer is not None:
                detection.timer.cancel()
            detection.timer = self._loop.call_at(
                self._loop.time() + detection.bouncetime_ms / 1000, self._report, pin, detection
            )

    def _report_coalesced(self, pin: int, detection: _Detection) -> None:
        detection.due = False
        if detection.bouncetime_ms is not None:
            now_s = self._loop.time()
            if now_s < detection.locked_until_s:
                return
            detection.locked_until_s = now_s + detection.bouncetime_ms / 1000
        self._report(pin, detection)

    def _report(self, pin: int, detection: _Detection) -> None:
        if self._channels[pin].detection is not detection:
            return  # removed in the meantime
        detection.timer = None
        channel = pin
        if self._mode == self.BOARD:
            channel = next(board for board, bcm in _BOARD_TO_BCM.items() if bcm == pin)
        for callback in tuple(detection.callbacks):
            callback(channel)

    def _forget(self, pin: int, state: _Channel) -> None:
        if state.detection is not None and state.detection.timer is not None:
            state.detection.timer.cancel()
        state.detection = self.pins[pin].on_edge = None

    def _as_input(self, channel: int) -> _Channel:
        state = self._channels.get(self._number(channel))
        if state is None or state.direction != self.IN:
            raise RuntimeError("You must setup() the GPIO channel as an input first")
        return state

    def _numbers(self, channel: Channels) -> list[int]:
        return [self._number(each) for each in self._listed(channel)]

    def _listed(self, channel: Channels) -> Sequence[int]:
        if isinstance(channel, int):
            return (channel,)
        if not isinstance(channel, list | tuple):
            raise ValueError("Channel must be an integer or list/tuple of integers")
        if not all(isinstance(each, int) for each in channel):
            raise ValueError("Channel must be an integer")
        return channel

    def _number(self, channel: int) -> int:
        if self._mode is None:
            raise RuntimeError(
                "Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) "
                "or GPIO.setmode(GPIO.BCM)"
            )
        channel = index(channel)
        if self._mode == self.BOARD:
            if channel not in _BOARD_TO_BCM:
                raise ValueError("The channel sent is invalid on a Raspberry Pi")
            return _BOARD_TO_BCM[channel]
        if not 0 <= channel <= HIGHEST:
            raise ValueError("The channel sent is invalid on a Raspberry Pi")
        return channel


def _warn(text: str) -> None:
    """Warn of the program's line, not of one in the bench."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_BENCH):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, RuntimeWarning, stacklevel=level)
