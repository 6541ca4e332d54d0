"""A plan as a sheet to print: the board at true scale, its joints in a list, a line to measure."""

from collections.abc import Iterator
from typing import Final

from hardware.board.drawn import GREY, INK, colour_of, draw_breadboard, draw_perfboard, signal_of
from hardware.board.plan import BoardPlan, plans
from hardware.board.sketch import A4_MM, Disc, Label, Line, Mark, moved, scaled
from hardware.texts import mark, text

DRAWN: Final = "-bc337"
"""Plans with this transistor get a sheet; it says that another one stands the other way round."""
RED: Final = "#c62828"
SHEETS: Final = tuple(name for name in plans() if name.endswith(DRAWN))


def title_of(name: str, language: str) -> str:
    """Return the title of the sheet of a plan."""
    return text(language).sheet[name.removesuffix(DRAWN)]


def sheet(name: str, language: str) -> list[Mark]:
    """Return a plan as the marks of one page A4: large to read, and at true scale to lay under.

    Raises:
        KeyError: the plan has no sheet.
    """
    plan, told = plans()[name], text(language).sheet
    marks: list[Mark] = [
        Label(15, 15, title_of(name, language), 3.9, bold=True),
        Label(15, 20, told["scale"], 2.6, GREY),
        Label(15, 24, f"{told['flat']} {told['pi_5']}", 2.6, GREY),
        Line(((140, 19), (190, 19)), INK, 0.3),
        Line(((140, 18), (140, 20)), INK, 0.3),
        Line(((190, 18), (190, 20)), INK, 0.3),
    ]
    if plan.board == "breadboard":
        board = list(draw_breadboard(plan))
        marks += moved(scaled(board, 1.85), 72, 42)
        marks += _list(plan, language, 148, 40, 1)
        marks.append(Label(15, 208, "1 : 1", 3.2, bold=True))
        return marks + moved(board, 72, 208)
    marks.append(Label(15, 10, mark(language), 5.5, RED, bold=True))
    marks.append(Label(195, 132, mark(language), 3.2, RED, "end", bold=True))
    above, below = (draw_perfboard(plan, mirrored) for mirrored in (False, True))
    marks.append(Label(15, 31, told["above"], 3, bold=True))
    marks += moved(scaled(above, 2.7), 26, 43)
    marks.append(Label(15, 132, told["below"], 3, bold=True))
    marks += moved(scaled(below, 2.7), 26, 144)
    marks += _list(plan, language, 15, 231, 2)
    marks.append(Label(88, 292, "1 : 1", 3.2, bold=True))
    return marks + moved(above, 17, 263) + moved(below, 110, 263)


def _list(plan: BoardPlan, language: str, left: float, top: float, columns: int) -> Iterator[Mark]:
    """The wires in words, by signal."""
    signal, told = signal_of(plan), text(language)
    by_signal: dict[str, list[str]] = {}
    for one, other in plan.wires:
        key = signal.get(one) or signal.get(other, "")
        by_signal.setdefault(key, []).append(f"{told.end(one)} – {told.end(other)}")
    a_line = 2 if columns == 1 else 4
    rows = [
        (key if start == 0 else "", ",  ".join(wires[start : start + a_line]))
        for key, wires in by_signal.items()
        for start in range(0, len(wires), a_line)
    ]
    heading = told.sheet["wires" if plan.board == "breadboard" else "insulated"]
    yield Label(left, top, heading, 2.8, bold=True)
    a_column = -(-len(rows) // columns)
    key = ""
    for number, (named, words) in enumerate(rows):
        key = named or key
        x, y = left + number // a_column * 95, top + 4.2 + number % a_column * 3.5
        yield Disc(x + 1, y - 0.8, 0.8, colour_of(key))
        yield Label(x + 3, y, told.called.get(named, named), 2.3, INK, bold=True)
        yield Label(x + 21, y, words, 2.3)
        if y > A4_MM[1] - 10:
            raise ValueError(f"the list of {plan.title} does not fit the page")
