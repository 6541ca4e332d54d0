"""Drawings of the steps: boards from their plans, everything else from the case's own solids."""

from hardware.board.drawn import draw_breadboard
from hardware.board.sketch import Mark, moved, scaled, svg
from hardware.case.bodies import Case
from hardware.case.lines import Drawn, drawing, framed
from hardware.guide.steps import BuildStep, before, wired_so_far

WIDE, HIGH = 760, 620
"""The largest drawing, in pixels."""


def draw_step(step: BuildStep, case: Case) -> str:
    """Return the drawing of a step as an SVG document."""
    if step.fitted:
        return _breadboard(step)
    things = [Drawn(case.solid(name), True) for name in ("pi", "sockets")]
    things.append(Drawn(case.solid("card"), True, (22.0, 0.0, 0.0)))
    return drawing(things, framed(things, 160, 40, WIDE, HIGH))


def _breadboard(step: BuildStep) -> str:
    plan, last = wired_so_far(step.fitted), before(step)
    done: set[object] = set()
    if last is not None and last.fitted != step.fitted:
        old = wired_so_far(last.fitted)
        done = {*old.holes, *old.wires}
    marks: list[Mark] = list(draw_breadboard(plan, done))  # type: ignore[arg-type]
    return svg(moved(scaled(marks, 1.8), 64, 14), (146, 182))
