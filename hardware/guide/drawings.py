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
    if step.draw.kind == "breadboard":
        return _breadboard(step)
    things = [
        Drawn(case.solid(name), True, step.draw.way.get(name, (0.0, 0.0, 0.0)))
        for name in step.draw.new
    ]
    camera = framed(things, step.draw.turn, step.draw.rise, WIDE, HIGH)
    return drawing(things, camera)


def _breadboard(step: BuildStep) -> str:
    plan, last = wired_so_far(step.fitted), before(step)
    done: set[object] = set()
    if last is not None and last.fitted != step.fitted:
        old = wired_so_far(last.fitted)
        done = {*old.holes, *old.wires}
    marks: list[Mark] = list(draw_breadboard(plan, done))  # type: ignore[arg-type]
    return svg(moved(scaled(marks, 1.8), 64, 14), (146, 182))
