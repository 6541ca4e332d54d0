"""TTP223 touch pad: output on BCM 22.

Wiring: VCC to 3.3 V (the output swings to the supply), GND, I/O to the pin; TOG and AHLB open, so
the output is high while touched. Times: Tontek TTP223 sheet, feature page: no touch function for
0.5 s after power-up, response up to 60 ms (220 ms from low power).
"""

import asyncio
from collections.abc import Callable
from typing import Final

from drivers import now_us
from drivers.gpio import GPIOModule, PinWatch

DEAD_S: Final = 0.5
"""After the start the pad finds its baseline; its output until then is ignored."""

STABLE_S: Final = 0.02
"""A level counts once it has been the same for this long."""


class TouchPad:
    """Debounces the pad on the loop's clock and reports ``on_change(t_us, down)`` on the loop.

    ``t_us`` is the time of the first edge of the change, `STABLE_S` or more before the call. A
    glitch, which ends at the level where it began, is not reported. A finger that is on the pad
    when the dead time ends counts from then. ``down`` is the last reported state.
    """

    def __init__(
        self,
        gpio: GPIOModule,
        pin: int,
        on_change: Callable[[int, bool], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.down = False
        self._on_change = on_change
        self._loop = loop
        self._armed = False
        self._since_us: int | None = None
        self._timer = loop.call_later(DEAD_S, self._arm)
        self._watch = PinWatch(gpio, pin, self._edge, loop)

    def close(self) -> None:
        """Stop reporting and give the pin back."""
        self._timer.cancel()
        self._watch.close()

    def _arm(self) -> None:
        self._armed = True
        self._edge(now_us(self._loop), self._watch.level())

    def _edge(self, t_us: int, level: bool) -> None:
        if not self._armed:
            return
        if self._since_us is None:
            if level == self.down:
                return
            self._since_us = t_us
        self._timer.cancel()
        self._timer = self._loop.call_later(STABLE_S, self._settle)

    def _settle(self) -> None:
        since_us, self._since_us = self._since_us, None
        level = self._watch.level()
        if since_us is not None and level != self.down:
            self.down = level
            self._on_change(since_us, level)
