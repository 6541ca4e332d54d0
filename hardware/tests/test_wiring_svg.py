"""The drawing of the wiring, read line by line, is the netlist."""

import re
from collections import defaultdict
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from hardware.board.plan import Groups
from hardware.parts import ROOT
from hw_sim.board import NETS, ON_PI_5

DRAWING = (ROOT / "docs" / "wiring.svg").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"


class Line(NamedTuple):
    """A straight wire from one end to the other; it may hop over another one."""

    ends: tuple[tuple[int, int], tuple[int, int]]

    def runs_through(self, place) -> bool:
        return all(min(along) <= at <= max(along) for at, *along in zip(place, *self.ends))


class Picture:
    """The wires, the dots and the ends of the legs."""

    def __init__(self, svg: str, *, on_pi_5: bool = False):
        tree = ElementTree.fromstring(svg)
        kinds = ("wire", "instead") if on_pi_5 else ("wire",)
        paths = [path for path in tree.iter(f"{SVG}path") if path.get("class")]
        self.lines = [line(path.get("d")) for path in paths if path.get("class") in kinds]
        self.dots = {
            (int(dot.get("cx")), int(dot.get("cy")))
            for dot in tree.iter(f"{SVG}circle")
            if dot.get("class") == "joint"
        }
        self.legs = {
            path.get("data-leg"): tuple(map(int, re.findall(r"\d+", path.get("d"))))
            for path in paths
            if path.get("class") == "leg"
        }

    def joined(self) -> set[frozenset[str]]:
        """The legs that are joined: ends that meet, and what has a dot."""
        groups = Groups()
        for (number, one), (other, two) in combinations(enumerate(self.lines), 2):
            if set(one.ends) & set(two.ends) or any(
                one.runs_through(dot) and two.runs_through(dot) for dot in self.dots
            ):
                groups.join(str(number), str(other))
        found = defaultdict(set)
        for leg, (*_, x, y) in self.legs.items():
            for number, one in enumerate(self.lines):
                if (x, y) in one.ends:
                    found[groups.find(str(number))].add(leg)
        return {frozenset(legs) for legs in found.values()}


def line(data: str) -> Line:
    begin, *moves = re.findall(r"[A-Za-z][^A-Za-z]*", data)
    x, y = map(int, begin[1:].split())
    start = (x, y)
    for move in moves:
        numbers = [int(number) for number in move[1:].split()]
        match move[0]:
            case "H":
                x = numbers[0]
            case "V":
                y = numbers[0]
            case "a":
                x += numbers[-2]  # it hops over another wire
    return Line((start, (x, y)))


def wanted(dashed):
    """The legs that are joined; ``dashed``: pins of a Pi 5 by those that they replace."""
    return {frozenset((*legs, *map(dashed.get, dashed.keys() & legs))) for legs in NETS.values()}


@pytest.mark.parametrize("dashed", [{}, ON_PI_5], ids=["usual", "Pi 5"])
def test_read_line_by_line_the_drawing_is_the_netlist(dashed):
    assert Picture(DRAWING, on_pi_5=bool(dashed)).joined() == wanted(dashed)


def test_each_wire_and_each_dot_is_missed_when_it_is_gone():
    strokes = re.findall(r'<path class="wire"[^>]*/>|<circle class="joint"[^>]*/>', DRAWING)
    assert len(strokes) > 80
    for stroke in strokes[::7]:
        assert Picture(DRAWING.replace(stroke, "", 1)).joined() != wanted({}), stroke
