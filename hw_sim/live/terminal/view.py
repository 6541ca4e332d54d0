"""A table as a person at a terminal sees it: panels, what was said, the keys.

A panel is drawn from its display's memory while it is lit. An honest person looks away when
somebody else peeks: then "peeking" stands there instead, unless peeks are open.
"""

from textwrap import shorten

from firmware.display.text.language import Language, say
from hw_sim.hand.control.keyed_hand import Doing
from hw_sim.live.terminal.layout import PANEL_COLUMNS, PANEL_ROWS, Layout, arrange
from hw_sim.live.terminal.raw_terminal import ScreenPlace, ScreenSize, TerminalCanvas
from hw_sim.live.terminal.seat_panel import SeatPanel, drawn
from hw_sim.table.story import Story
from hw_sim.table.table import SimulatedTable

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
