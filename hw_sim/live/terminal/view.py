"""A terminal's view of a match: seats, panels and story, laid out in lines.

A panel of 128×64 pixels is 64×16 characters of Braille and a line for its title. The others share
the room beside and below the first: all of the same size, whole, halved or quartered.

A panel is drawn from its display's memory while it is lit. An honest person looks away when
somebody else peeks: then "peeking" stands there instead, unless peeks are open.
"""

from functools import lru_cache
from textwrap import shorten
from typing import NamedTuple

from firmware.display.screens import LookPage, RevealPage, Screen
from firmware.display.text.language import Language, say
from hw_sim import panel
from hw_sim.hand.control.keyboard_hand import Doing
from hw_sim.live.terminal.raw_terminal import ScreenPlace, ScreenSize, TerminalCanvas
from hw_sim.panel import COLUMNS, MEMORY_BYTES, PAGE_ROWS, ROWS
from hw_sim.table.handheld import SimulatedHandheld
from hw_sim.table.headless import Story
from hw_sim.table.table import SimulatedTable

PANEL_COLUMNS = COLUMNS // 2
PANEL_ROWS = ROWS // 4
TITLE_ROWS = 1
KEY_ROWS = 2
LEAST_STORY_ROWS = 4
SHRINKS = (1, 2, 4)


class Layout(NamedTuple):
    """Places of the panels' titles, the pictures below them; and of the lines at the bottom.

    ``shrinks`` are those of the first panel and of the others. Panels without a place are left out.
    """

    panels: tuple[ScreenPlace, ...]
    shrinks: tuple[int, int]
    story_row: int
    story_rows: int


def arrange(size: ScreenSize, count: int) -> Layout | None:
    """Arrange ``count`` panels; None if not even the first has room."""
    rows = size.rows - KEY_ROWS - LEAST_STORY_ROWS
    large = PANEL_ROWS + TITLE_ROWS
    if size.columns < PANEL_COLUMNS or rows < large:
        return None
    for shrink in SHRINKS:
        others = _places(size.columns, rows, shrink)
        if len(others) >= count - 1:
            break
    panels = (ScreenPlace(0, 0), *others[: count - 1])
    height = PANEL_ROWS // shrink + TITLE_ROWS
    bottom = max([large, *(place.row + height for place in panels[1:])])
    return Layout(panels, (1, shrink), bottom, size.rows - KEY_ROWS - bottom)


def _places(columns: int, rows: int, shrink: int) -> list[ScreenPlace]:
    """Return the places for smaller panels beside the first one and below it."""
    width, height = PANEL_COLUMNS // shrink, PANEL_ROWS // shrink + TITLE_ROWS
    # A gap of a column beside each, but not where it would cost the last one its place.
    gap = 1 if columns - PANEL_COLUMNS > width else 0
    left = PANEL_COLUMNS + gap
    beside = [
        ScreenPlace(row, column)
        for row in range(0, rows - height + 1, height)
        for column in range(left, columns - width + 1, width + 1)
    ]
    below = [
        ScreenPlace(row, column)
        for row in range(PANEL_ROWS + TITLE_ROWS, rows - height + 1, height)
        for column in range(0, PANEL_COLUMNS - width + 1, width + 1)
    ]
    return beside + below


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
    lines = panel.terminal(memory)[: ROWS // 4 // shrink]
    width = COLUMNS // 2 // shrink
    return [line[:width].replace("\u2800", " ") for line in lines]


def _smaller(memory: bytes, shrink: int) -> bytes:
    """The same picture, smaller, in the upper left corner of the memory."""
    rows = panel.pixels(memory)
    packed = bytearray(MEMORY_BYTES)
    for y in range(ROWS // shrink):
        for x in range(COLUMNS // shrink):
            cells = [row[x * shrink : (x + 1) * shrink] for row in rows[y * shrink :][:shrink]]
            if sum(map(sum, cells)) >= _LIT_SHARE * shrink**2:
                packed[y // PAGE_ROWS * COLUMNS + x] |= 1 << y % PAGE_ROWS
    return bytes(packed)


_DIM, _BOLD, _GLOW, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[96m", "\x1b[0m"


class LiveView:
    """Draws a table: panels, what was said, the keys.

    Args:
        table: whose panels.
        me: the seat of the person at the keyboard; None if nobody plays.
        language: of everything that is not on a panel.
        peeks_open: show the others' peeks to the person too.
    """

    def __init__(
        self, table: SimulatedTable, me: int | None, language: Language, *, peeks_open: bool
    ) -> None:
        self.over = False
        self._table = table
        self._me = me
        self._language = language
        self._canvas = TerminalCanvas()
        self._story = Story(table, language)
        order = sorted(range(len(table.seats)), key=lambda seat: (seat != me, seat))
        self._panels = {
            seat: SeatPanel(
                table.seats[seat], masked=me is not None and seat != me and not peeks_open
            )
            for seat in order
        }

    def frame(self, size: ScreenSize, doing: list[Doing]) -> str:
        """Return what to send to a terminal of this size so that it shows the present moment."""
        self._story.update()
        layout = arrange(size, len(self._panels))
        if layout is None:
            return self._canvas.show({ScreenPlace(0, 0): self._say("SMALL")}, size)
        texts: dict[ScreenPlace, str] = {}
        for seat, place in zip(self._panels, layout.panels):
            self._put_panel(texts, seat, place, layout.shrinks[seat != next(iter(self._panels))])
        self._put_footer(texts, layout, size, doing)
        return self._canvas.show(texts, size)

    def _put_panel(
        self, texts: dict[ScreenPlace, str], seat: int, place: ScreenPlace, shrink: int
    ) -> None:
        panel = self._panels[seat]
        width = PANEL_COLUMNS // shrink
        height = PANEL_ROWS // shrink
        texts[place] = self._title(seat, width)
        if panel.peeking:
            lines = [""] * height
            lines[(height - 1) // 2] = self._say("PEEKING")
            lines = [line.center(width) for line in lines]
        else:
            lines = drawn(panel.memory, shrink)
        for row, line in enumerate(lines, start=1):
            texts[ScreenPlace(place.row + row, place.column)] = f"{_GLOW}{line}{_PLAIN}"

    def _title(self, seat: int, width: int) -> str:
        title = self._table.setup.names[seat]
        if seat == self._me:
            title += f" ({self._say('YOU')})"
        if self._table.seats[seat].holds_cup:
            title += f" ● {self._say('CUP')}"
        return f"{_BOLD}{_fit(title, width)}{_PLAIN}"

    def _put_footer(
        self, texts: dict[ScreenPlace, str], layout: Layout, size: ScreenSize, doing: list[Doing]
    ) -> None:
        story = self._story.lines[-layout.story_rows :]
        for row in range(layout.story_rows):
            line = story[row] if row < len(story) else ""
            texts[ScreenPlace(layout.story_row + row, 0)] = _fit(line, size.columns)
        if self.over:
            keys = [self._say("OVER"), ""]
        elif self._me is None:
            keys = [self._say("WATCHING"), ""]
        else:
            hand = ", ".join(say(one, self._language) for one in doing)
            keys = [self._say("KEYS"), self._say("KEYS_TOO") + (f"  [{hand}]" * bool(hand))]
        for row, line in enumerate(keys, start=size.rows - len(keys)):
            texts[ScreenPlace(row, 0)] = f"{_DIM}{_fit(line, size.columns)}{_PLAIN}"

    def _say(self, key: str) -> str:
        return say(f"terminal.{key}", self._language)


def _fit(text: str, width: int) -> str:
    """Cut or fill a line to its width."""
    return (text if len(text) <= width else shorten(text, width, placeholder=" …")).ljust(width)
