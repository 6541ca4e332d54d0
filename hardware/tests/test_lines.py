"""Drawings with hidden lines removed."""

import re
from itertools import pairwise
from math import hypot

import pytest

from hardware.case.checks import build
from hardware.case.lines import NEW, OLD, Drawn, drawing, framed
from hardware.case.sizes import CUP
from hardware.case.solids import box, rod
from hardware.kit import step_pictures
from hardware.parts import ROOT

CASE = build(CUP)
DRAWINGS = ROOT / "docs" / "build" / "steps"
STEPS = dict(step_pictures(CASE))
PLANS = [name for name in STEPS if not name.startswith(("body-", "software"))]
CUBE = box((0, 0, 0), (20, 20, 20))


def lines(svg, colour):
    """The straight lines of a colour, as pairs of places in pixels."""
    paths = "".join(re.findall(rf'stroke="{colour}"[^>]* d="([^"]*)"', svg))
    chains = [chain.split("L") for chain in paths.split("M")[1:]]
    places = [[tuple(map(float, at.split())) for at in chain] for chain in chains]
    return [pair for chain in places for pair in pairwise(chain)]


def length(svg, colour):
    return sum(hypot(x - to_x, y - to_y) for (x, y), (to_x, to_y) in lines(svg, colour))


def drawn(*things):
    return drawing(things, framed(things, -30, 30, 600, 600))


def test_a_cube_shows_nine_of_its_twelve_edges():
    assert len(lines(drawn(Drawn(CUBE)), OLD)) == 9


def test_a_cube_behind_a_wall_is_not_drawn():
    wall = box((-60, -10, -60), (80, -5, 120))
    beside = Drawn(CUBE.translate([0, -60, 0]), True)
    behind = Drawn(CUBE.translate([0, 20, 0]), True)
    assert length(drawn(Drawn(wall), behind), NEW) == 0
    assert length(drawn(Drawn(wall), beside), NEW) > 100


def test_a_rod_is_drawn_by_its_rims_and_its_two_outlines():
    upright = [
        one for one in lines(drawn(Drawn(rod(0, 0, 0, 30, 20))), OLD)
        if abs(one[0][0] - one[1][0]) < 1 and abs(one[0][1] - one[1][1]) > 100
    ]  # fmt: skip
    assert len(upright) == 2


def test_a_new_part_is_tinted_and_has_an_arrow_to_its_place():
    svg = drawn(Drawn(CUBE), Drawn(CUBE, True, (0, 0, 40)))
    assert re.search('fill="#f8d9c4" d="M', svg)
    ((x, y), (to_x, to_y)) = [
        tuple(map(float, at.split(",")))
        for at in re.findall(r'<polyline points="(\S+) (\S+)"', svg)[0]
    ]
    assert abs(x - to_x) < 1
    assert y < to_y, "it goes down"


def test_every_step_has_its_drawing():
    assert {path.stem for path in DRAWINGS.glob("*.svg")} == set(STEPS)
    assert all(path.stat().st_size < 40_000 for path in DRAWINGS.glob("*.svg"))


@pytest.mark.parametrize(
    "name",
    [name if name in PLANS else pytest.param(name, marks=pytest.mark.whole) for name in STEPS],
)
def test_the_drawings_are_up_to_date(name):
    svg = (DRAWINGS / f"{name}.svg").read_text(encoding="utf-8")
    again = STEPS[name]()
    assert svg == again or name not in PLANS, "run make kit"
    for colour in (OLD, NEW):  # the order of the triangles differs from run to run
        new = pytest.approx(length(again, colour), rel=0.01)
        assert length(svg, colour) == new, "run make kit"
