"""The software PWM of the GPIO libraries, with a trace of what each pin does.

Both libraries drive the pin from a thread of their own and return at once. They differ in what a
stop leaves behind: RPi.GPIO forgets the frequency (``start`` then runs at 1 kHz) and lets another
object have the channel; rpi-lgpio keeps both as long as the object lives.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

KEPT: Final = 4096
"""Changes of waves that are kept: more than a piezo plays in minutes."""
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
