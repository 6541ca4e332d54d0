"""A plan as a sheet to print: the board at true scale, its joints in a list, a line to measure.

It has no words of a language: names of parts, legs, pins and holes alone.
"""

from collections.abc import Iterator
from typing import Final

from hardware.board.drawn import INK, colour_of, draw_breadboard, signal_of
from hardware.board.plan import BoardPlan, plans
from hardware.board.sketch import A4_MM, Disc, Label, Line, Mark, moved, scaled

SHEETS: Final = tuple(plans())


def title_of(name: str) -> str:
    """Return the title of the sheet of a plan: the display's pins in their order."""
    rows = {int(hole[1:]): leg for leg, hole in plans()[name].holes["SSD1306"].items()}
    return "SSD1306: " + ", ".join(rows[row] for row in sorted(rows))


def sheet(name: str) -> list[Mark]:
    """Return a plan as the marks of one page A4: large to read, and at true scale to lay under.

    Raises:
        KeyError: the plan has no sheet.
    """
    plan = plans()[name]
    board = list(draw_breadboard(plan))
    return [
        Label(15, 15, title_of(name), 3.9, bold=True),
        Label(165, 15, "50 mm", 2.6, INK, "middle"),
        Line(((140, 19), (190, 19)), INK, 0.3),
        Line(((140, 18), (140, 20)), INK, 0.3),
        Line(((190, 18), (190, 20)), INK, 0.3),
        *moved(scaled(board, 1.85), 72, 42),
        *_list(plan, 148, 40),
        Label(15, 208, "1 : 1", 3.2, bold=True),
        *moved(board, 72, 208),
    ]


def _list(plan: BoardPlan, left: float, top: float) -> Iterator[Mark]:
    """The wires by signal, two in a line."""
    signal = signal_of(plan)
    by_signal: dict[str, list[str]] = {}
    for one, other in plan.wires:
        key = signal.get(one) or signal.get(other, "")
        by_signal.setdefault(key, []).append(f"{one.replace('.', ' ')} – {other}")
    rows = [
        (key, key if start == 0 else "", ",  ".join(wires[start : start + 2]))
        for key, wires in by_signal.items()
        for start in range(0, len(wires), 2)
    ]
    for number, (key, named, words) in enumerate(rows):
        y = top + number * 3.5
        yield Disc(left + 1, y - 0.8, 0.8, colour_of(key))
        yield Label(left + 3, y, named, 2.3, INK, bold=True)
        yield Label(left + 21, y, words, 2.3)
        if y > A4_MM[1] - 10:
            raise ValueError(f"the list of {plan.title} does not fit the page")
