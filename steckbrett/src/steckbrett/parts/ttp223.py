"""A model of a TTP223 touch pad module, direct mode, active high (sheet: T, digest 5).

Checked against gpiozero's `Button`.

Decided here, because the sheet gives maxima only: each response takes a seeded time, 20–60 ms in
fast mode and 80–220 ms in low-power mode, and so does each release (fast mode). A touch shorter
than its response is not seen. A still finger is dropped after a seeded 7.5–15 s and not seen again
until it was lifted. A finger on the pad during the 0.5 s after power-up becomes part of the
baseline: it is not seen until it was lifted.
"""

from random import Random

from . import PartModel

STABILISING_US = 500_000
_FAST_US = (20_000, 60_000)
_LOW_POWER_US = (80_000, 220_000)
_BACK_TO_LOW_POWER_US = 12_000_000
_DROPPED_AFTER_US = (7_500_000, 15_000_000)


class TTP223(PartModel):
    """The touch pad; ``level`` is its output Q, 1 while a finger is seen."""

    name = "TTP223"
    outputs = ("q",)

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__()
        self._chance = Random(f"ttp223 {seed}")
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: half a second without touch function, output idle."""
        self.level = 0
        self._down = False
        self._powered_us = t_us
        self._fast_until_us = t_us
        self._change_us: int | None = None
        self._drop_us: int | None = None

    def output(self, _pin: str) -> int:
        """Return the level of Q."""
        return self.level

    def touch(self, down: bool, t_us: int) -> None:
        """Put a finger on the pad (``down``), or take it off, at ``t_us``."""
        self.advance(t_us)
        if down == self._down:
            return
        self._down = down
        self._change_us = None
        if down:
            if t_us >= self._powered_us + STABILISING_US:
                band = _FAST_US if t_us < self._fast_until_us else _LOW_POWER_US
                self._change_us = t_us + self._chance.randint(*band)
        else:
            self._drop_us = None
            if self.level:
                self._change_us = t_us + self._chance.randint(*_FAST_US)

    def next_event_us(self) -> int | None:
        """Return when the output next changes by itself, in µs; None if it does not."""
        if self._change_us is None:
            return self._drop_us
        return self._change_us

    def advance(self, t_us: int) -> None:
        """Let the output follow what happened up to ``t_us``."""
        change_us = self._change_us
        if change_us is not None and change_us <= t_us:
            self._change_us = None
            self.level = int(self._down)
            self._fast_until_us = change_us + _BACK_TO_LOW_POWER_US
            if self._down:
                self._drop_us = change_us + self._chance.randint(*_DROPPED_AFTER_US)
        drop_us = self._drop_us
        if drop_us is not None and drop_us <= t_us:
            self._drop_us = None
            self.level = 0
