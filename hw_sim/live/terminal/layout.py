"""The layout of a terminal: the first panel large, the others as large as there is room.

A panel of 128×64 pixels is 64×16 characters of Braille and a line for its title. The others share
the room beside and below the first: all of the same size, whole, halved or quartered.
"""

from typing import NamedTuple

from hw_sim.live.terminal.raw_terminal import ScreenPlace, ScreenSize
from hw_sim.panel.memory_layout import COLUMNS, ROWS

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
