"""A handheld as a steered hand has it: the parts that hand and eyes reach."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from firmware.display.screens import Screen
from hw_sim.hand.signals.hand import Hand


class CupWatch(Protocol):
    """Called when the cup begins to open or to close, with the time in µs."""

    def lifting(self, start_us: int) -> None: ...

    def covering(self, start_us: int) -> None: ...


@dataclass(frozen=True)
class HeldDevice:
    """One handheld in one hand.

    Attributes:
        hand: moves it, and covers its light sensor.
        touch: puts a finger on the pad (True) or takes it off.
        watch: is called for every lift and cover; None between matches.
        on_show: are called with every screen, in this order; more may be added.
    """

    hand: Hand
    touch: Callable[[bool], None]
    watch: CupWatch | None
    on_show: list[Callable[[Screen], None]]

    def lift(self, now_us: int) -> int:
        """Plan a lift from ``now_us`` on, and tell the watch; return when it ends, in µs."""
        end_us = self.hand.lift(now_us)
        if self.watch is not None:
            self.watch.lifting(now_us)
        return end_us

    def cover(self, now_us: int) -> int:
        """Plan a cover from ``now_us`` on, and tell the watch; return when it ends, in µs."""
        end_us = self.hand.cover(now_us)
        if self.watch is not None:
            self.watch.covering(now_us)
        return end_us
