"""One panel in the terminal."""

from functools import lru_cache

from firmware.display.screens import LookPage, RevealPage, Screen
from hw_sim.panel import picture
from hw_sim.panel.memory_layout import COLUMNS, MEMORY_BYTES, PAGE_ROWS, ROWS
from hw_sim.table.handheld import SimulatedHandheld

_LIT_SHARE = 0.235
"""Least share of lit pixels among those that a smaller picture makes one of."""


class SeatPanel:
    """One panel as the person at the keyboard may see it.

    ``masked``: private dice are hidden, because somebody else peeks at them.
    """

    def __init__(self, seat: SimulatedHandheld, *, masked: bool) -> None:
        self._seat = seat
        self._masked = masked
        self._peeked = False
        seat.on_show.append(self._showing)
        seat.board.display.on_switch.append(self._switched)

    @property
    def peeking(self) -> bool:
        """Whether private dice may be in the memory, which are not to be drawn."""
        return self._masked and self._peeked

    @property
    def memory(self) -> bytes:
        """The lit pixels: the display's 1024 bytes, all zero while the panel is off."""
        display = self._seat.board.display
        return display.memory if display.is_lit else bytes(MEMORY_BYTES)

    def _showing(self, screen: Screen) -> None:
        if isinstance(screen, LookPage):
            self._peeked = True
        elif isinstance(screen, RevealPage) and screen.dice is not None:
            self._peeked = False

    def _switched(self, _t_us: int) -> None:
        """Dice leave the panel by its going dark, and it is overwritten before it lights again."""
        if not isinstance(self._seat.handheld.screen, LookPage):
            self._peeked = False


@lru_cache(maxsize=64)
def drawn(memory: bytes, shrink: int) -> list[str]:
    """Draw a panel in Braille, 64 by 16 characters divided by ``shrink`` (1, 2 or 4)."""
    if shrink > 1:
        memory = _smaller(memory, shrink)
    lines = picture.terminal(memory)[: ROWS // 4 // shrink]
    width = COLUMNS // 2 // shrink
    return [line[:width].replace("\u2800", " ") for line in lines]


def _smaller(memory: bytes, shrink: int) -> bytes:
    """The same picture, smaller, in the upper left corner of the memory."""
    rows = picture.pixels(memory)
    packed = bytearray(MEMORY_BYTES)
    for y in range(ROWS // shrink):
        for x in range(COLUMNS // shrink):
            cells = [row[x * shrink : (x + 1) * shrink] for row in rows[y * shrink :][:shrink]]
            if sum(map(sum, cells)) >= _LIT_SHARE * shrink**2:
                packed[y // PAGE_ROWS * COLUMNS + x] |= 1 << y % PAGE_ROWS
    return bytes(packed)
