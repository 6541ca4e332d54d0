"""Pins, over a module shaped like ``RPi.GPIO`` 0.7.1.

Inputs are watched for both edges without the library's bouncetime, which differs between RPi.GPIO
and rpi-lgpio. If edge detection cannot be set up (RPi.GPIO on kernels from 6.6), the pin is polled.

Numbers without a source are chosen.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from drivers import now_us

POLL_S: Final = 0.01
"""Time between two looks at a pin that cannot be watched."""


class PWMLike(Protocol):
    """The shape of ``RPi.GPIO.PWM``; every method returns at once."""

    def start(self, dutycycle: float, /) -> None:
        """Begin a wave; ``dutycycle`` is the share of time that the pin is high, 0 to 100 %."""

    def stop(self) -> None:
        """End the wave."""

    def ChangeDutyCycle(self, dutycycle: float, /) -> None:  # noqa: N802 - the library's name
        """Change the share of time that the pin is high, 0 to 100 %."""

    def ChangeFrequency(self, frequency: float, /) -> None:  # noqa: N802 - the library's name
        """Change the frequency, in Hz."""


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

    def setup(self, channel: int, direction: int, /, *, pull_up_down: int) -> None:
        """Make a pin an input with a pull resistor, or an output without one."""

    def output(self, channel: int, value: int, /) -> None:
        """Put a level, 0 or 1, on an output."""

    def PWM(self, channel: int, frequency: float, /) -> PWMLike:  # noqa: N802 - its name there
        """Make the object that puts a square wave on an output; ``frequency`` in Hz."""

    def input(self, channel: int, /) -> int:
        """Return the level of a pin, 0 or 1."""

    def add_event_detect(
        self, channel: int, edge: int, /, *, callback: Callable[[int], None]
    ) -> None:
        """Call ``callback(channel)`` for edges, from a thread. Raises if it cannot."""

    def remove_event_detect(self, channel: int, /) -> None:
        """End the calls of the callback."""

    def cleanup(self, channels: list[int], /) -> None:
        """Give pins back."""


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


class InterruptPin:
    """Waits for a line to be high, such as the accelerometer's INT1. One waiter at a time.

    INT1 is a level, not a pulse: it stays high until its cause is cleared over I2C (ADXL345 data
    sheet Rev. G, interrupts). Waiting therefore reads the level first, and misses no edge.
    """

    def __init__(self, gpio: GPIOModule, pin: int, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiter: asyncio.Future[bool] | None = None
        self._watch = PinWatch(gpio, pin, self._edge, loop)

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Return True as soon as the line is high, at once if it is; False after ``timeout_s``.

        ``timeout_s`` None waits for ever. Raises RuntimeError if another waiter is waiting.
        """
        if self._waiter is not None:
            raise RuntimeError("the interrupt line has a waiter already: let one task wait for it")
        if self._watch.level():
            return True
        self._waiter = self._loop.create_future()
        timer = None
        if timeout_s is not None:
            timer = self._loop.call_later(timeout_s, self._end, False)
        try:
            return await self._waiter
        finally:
            self._waiter = None
            if timer is not None:
                timer.cancel()

    def close(self) -> None:
        """Give the pin back; a `wait` under way returns False."""
        self._watch.close()
        self._end(False)

    def _edge(self, t_us: int, level: bool) -> None:
        del t_us
        if level:
            self._end(True)

    def _end(self, high: bool) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(high)
