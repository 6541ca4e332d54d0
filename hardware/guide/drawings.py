"""Drawings of the steps: boards from their plans, everything else from the case's own solids."""

from typing import Final

from hardware.board.drawn import draw_breadboard, draw_perfboard
from hardware.board.plan import plans
from hardware.board.sketch import Mark, moved, scaled, svg
from hardware.case.checks import Case
from hardware.case.lines import Drawn, drawing, framed
from hardware.guide.steps import CARRIER, BuildStep, before, wired_so_far

WIDE, HIGH = 760, 620
"""The largest drawing, in pixels."""
APART_MM: Final = 12.0
BED: Final = {"lower": (0, 0), "upper": (1, 0), "front": (2, 0), "well": (3, 0), "ring": (3, 1)}
"""Columns and rows of the printed parts."""


def draw_step(step: BuildStep, case: Case) -> str:
    """Return the drawing of a step as an SVG document."""
    if step.draw.kind == "breadboard":
        return _breadboard(step)
    if step.draw.kind == "carrier":
        marks = moved(scaled(draw_perfboard(plans()[CARRIER], False), 2.7), 14, 13)
        return svg(marks, (192, 114))
    things = _bed(case) if step.draw.kind == "bed" else _bodies(step, case)
    camera = framed(things, step.draw.turn, step.draw.rise, WIDE, HIGH)
    return drawing(things, camera)


def draw_deep(case: Case) -> str:
    """Return the drawing of a Pi 4 or 5 in its lower shell, as an SVG document."""
    up = {
        "pi": 24.0,
        "sockets": 24.0,
        "socket": 38.0,
        "carrier": 52.0,
        "accelerometer": 52.0,
        "small parts": 52.0,
    }
    things = [Drawn(case.solid("lower"))]
    things += [Drawn(case.solid(name), True, (0, 0, way)) for name, way in up.items()]
    return drawing(things, framed(things, -28, 30, WIDE, HIGH))


def _breadboard(step: BuildStep) -> str:
    plan, last = wired_so_far(step.fitted), before(step)
    done: set[object] = set()
    if last is not None and last.fitted != step.fitted:
        old = wired_so_far(last.fitted)
        done = {*old.holes, *old.wires}
    marks: list[Mark] = list(draw_breadboard(plan, done))  # type: ignore[arg-type]
    return svg(moved(scaled(marks, 1.8), 64, 14), (146, 182))


def _bodies(step: BuildStep, case: Case) -> list[Drawn]:
    found = []
    for name in (*step.draw.there, *step.draw.new):
        solid = case.solid(name)
        x, y, z = step.draw.way.get(name, (0.0, 0.0, 0.0))
        if step.draw.is_turned:
            solid, x, z = solid.rotate([0, 180, 0]), -x, -z
        found.append(Drawn(solid, name in step.draw.new, (x, y, z)))
    return found


def _bed(case: Case) -> list[Drawn]:
    """The printed parts beside each other, as they are printed."""
    found = []
    for body in case.printed:
        column, row = BED[body.name]
        low = body.solid.bounding_box()
        place = [column * (78 + APART_MM), row * 40 - (low[1] + low[4]) / 2 * (column < 3), -low[2]]
        place[0] -= (low[0] + low[3]) / 2
        if column == 3:
            place[0] -= 25
            place[1] -= (low[1] + low[4]) / 2
        found.append(Drawn(body.solid.translate(place), True))
    return found
