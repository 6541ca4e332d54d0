"""Pins, over a module shaped like ``RPi.GPIO`` 0.7.1.

Inputs are watched for both edges without the library's bouncetime, which differs between RPi.GPIO
and rpi-lgpio. If edge detection cannot be set up (RPi.GPIO on kernels from 6.6), the pin is polled.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from drivers.time import now_us

POLL_S: Final = 0.01
"""Time between two looks at a pin that cannot be watched."""


class PWMLike(Protocol):
    """The shape of ``RPi.GPIO.PWM``; every method returns at once."""

    def start(self, dutycycle: float, /) -> None:
        """Begin a wave; ``dutycycle`` is the share of time that the pin is high, 0 to 100 %."""
        ...

    def stop(self) -> None:
        """End the wave."""
        ...

    def ChangeDutyCycle(self, dutycycle: float, /) -> None:  # noqa: N802 - the library's name
        """Change the share of time that the pin is high, 0 to 100 %."""
        ...

    def ChangeFrequency(self, frequency: float, /) -> None:  # noqa: N802 - the library's name
        """Change the frequency, in Hz."""
        ...


class GPIOModule(Protocol):
    """The part of ``RPi.GPIO`` that the drivers use; pins are BCM numbers."""

    BCM: int
    IN: int
    OUT: int
    BOTH: int
    LOW: int
    PUD_OFF: int
    PUD_DOWN: int
    PUD_UP: int

    def setmode(self, mode: int, /) -> None:
        """Choose the numbering of pins, once and the same for all."""
        ...

    def setup(self, channel: int, direction: int, /, *, pull_up_down: int) -> None:
        """Make a pin an input with a pull resistor, or an output without one."""
        ...

    def output(self, channel: int, value: int, /) -> None:
        """Put a level, 0 or 1, on an output."""
        ...

    def PWM(self, channel: int, frequency: float, /) -> PWMLike:  # noqa: N802 - its name there
        """Make the object that puts a square wave on an output; ``frequency`` in Hz."""
        ...

    def input(self, channel: int, /) -> int:
        """Return the level of a pin, 0 or 1."""
        ...

    def add_event_detect(
        self, channel: int, edge: int, /, *, callback: Callable[[int], None]
    ) -> None:
        """Call ``callback(channel)`` for edges, from a thread. Raises if it cannot."""
        ...

    def remove_event_detect(self, channel: int, /) -> None:
        """End the calls of the callback."""
        ...

    def cleanup(self, channels: list[int], /) -> None:
        """Give pins back."""
        ...


class PinError(RuntimeError):
    """A pin is taken by another program, or the system refuses it. One line, with advice.

    ``busy`` says that another program holds it. ``reason`` is the library's message.
    """

    def __init__(self, pin: int, reason: str) -> None:
        self.busy = any(word in reason.lower() for word in _HELD)
        self.reason = reason
        if self.busy:
            advice = "end the other program that uses it (sudo systemctl stop maexchen)"
        else:
            advice = "join the group gpio and log in again"
        super().__init__(f"GPIO {pin} cannot be used ({reason}): {advice}")


_HELD: Final = ("busy", "not allocated")
"""The words of rpi-lgpio about a pin that another program holds: for an input, and for an
output."""


@contextmanager
def claiming(pin: int) -> Iterator[None]:
    """Turn any exception of a library that claims a pin in the block into a PinError.

    RPi.GPIO 0.7.1 raises RuntimeError. rpi-lgpio 0.6 raises ``lgpio.error``, a bare Exception that
    shows its text in quotes.
    """
    try:
        yield
    except Exception as problem:
        raise PinError(pin, str(problem).strip("'\"")) from problem


class PinWatch:
    """Watches an input pin with a pull-down and reports its changes on the loop.

    Raises PinError if the pin is not available.

    ``on_edge(t_us, level)`` is called after an edge. ``t_us`` is the loop's time at which it was
    noticed, ``level`` the pin's level by now. After a very short pulse that is the level from
    before. ``polling``: the pin is read every 10 ms, because edges cannot be watched.
    """

    def __init__(
        self,
        gpio: GPIOModule,
        pin: int,
        on_edge: Callable[[int, bool], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._gpio = gpio
        self._pin = pin
        self._on_edge = on_edge
        self._loop = loop
        self._closed = False
        self._next_look: asyncio.TimerHandle | None = None
        with claiming(pin):
            gpio.setmode(gpio.BCM)
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_DOWN)
            self._seen = self.level()
        try:
            gpio.add_event_detect(pin, gpio.BOTH, callback=self._from_any_thread)
            self.polling = False
        except Exception:  # with rpi-lgpio it is no RuntimeError, see `claiming`
            self.polling = True
            self._look()

    def level(self) -> bool:
        """Return whether the pin is high now."""
        return bool(self._gpio.input(self._pin))

    def close(self) -> None:
        """Stop watching and give the pin back."""
        if self._closed:
            return
        self._closed = True
        if self._next_look is not None:
            self._next_look.cancel()
        else:
            self._gpio.remove_event_detect(self._pin)
        self._gpio.cleanup([self._pin])

    def _from_any_thread(self, channel: int) -> None:
        del channel
        self._loop.call_soon_threadsafe(self._edge, now_us(self._loop))

    def _edge(self, t_us: int) -> None:
        if not self._closed:
            self._on_edge(t_us, self.level())

    def _look(self) -> None:
        self._next_look = self._loop.call_later(POLL_S, self._look)
        level = self.level()
        if level != self._seen:
            self._seen = level
            self._on_edge(now_us(self._loop), level)
