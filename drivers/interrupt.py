"""An interrupt line to wait for: the accelerometer's INT1 on BCM 17, push-pull, active high.

The line is a level, not a pulse: it stays high until its cause is cleared over I2C (ADXL345 data
sheet Rev. G, interrupts). Waiting therefore reads the level first, and misses no edge.
"""

import asyncio

from drivers.gpio import GPIOModule, PinWatch


class InterruptPin:
    """Waits for a line to be high. One waiter at a time."""

    def __init__(self, gpio: GPIOModule, pin: int, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiter: asyncio.Future[bool] | None = None
        self._watch = PinWatch(gpio, pin, self._edge, loop)

    @property
    def polling(self) -> bool:
        """Whether the pin is polled because its edges cannot be watched."""
        return self._watch.polling

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
