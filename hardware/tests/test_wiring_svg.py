"""The drawing of the wiring, read line by line, is the netlist."""

import re
from collections import defaultdict
from itertools import combinations
from xml.etree import ElementTree

import pytest

from hardware.board.plan import Groups
from hardware.parts import ROOT
from hw_sim.board import NETS, ON_PI_5

DRAWING = (ROOT / "docs" / "wiring.svg").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"


def ends(path):
    """The ends of a straight wire; it may hop over another one."""
    begin, *moves = re.findall(r"([A-Za-z])([^A-Za-z]*)", path.get("d"))
    x, y = start = tuple(map(int, begin[1].split()))
    for letter, numbers in moves:
        match letter:
            case "H":
                x = int(numbers)
            case "V":
                y = int(numbers)
            case "a":
                x += int(numbers.split()[-2])  # it hops over another wire
    return start, (x, y)


def runs_through(line, place):
    return all(min(along) <= at <= max(along) for at, *along in zip(place, *line))


def joined(svg, *kinds):
    """The legs that wires of these kinds join: ends that meet, and what has a dot."""
    tree = ElementTree.fromstring(svg)
    found = [path for kind in kinds for path in tree.iterfind(f".//{SVG}path[@class='{kind}']")]
    lines = [ends(path) for path in found]
    joints = tree.iterfind(f".//{SVG}circle[@class='joint']")
    dots = [(int(dot.get("cx")), int(dot.get("cy"))) for dot in joints]
    groups, legs = Groups(), defaultdict(set)
    for one, other in combinations(lines, 2):
        dotted = any(runs_through(one, dot) and runs_through(other, dot) for dot in dots)
        if dotted or {*one} & {*other}:
            groups.join(str(one), str(other))
    for leg in tree.iterfind(f".//{SVG}path[@class='leg']"):
        end = tuple(map(int, re.findall(r"\d+", leg.get("d"))[-2:]))
        for one in (line for line in lines if end in line):
            legs[groups.find(str(one))].add(leg.get("data-leg"))
    return {frozenset(each) for each in legs.values()}


def wanted(dashed):
    """The legs that are joined; ``dashed``: pins of a Pi 5 by those that they replace."""
    return {frozenset((*legs, *map(dashed.get, dashed.keys() & legs))) for legs in NETS.values()}


@pytest.mark.parametrize("dashed", [{}, ON_PI_5], ids=["usual", "Pi 5"])
def test_read_line_by_line_the_drawing_is_the_netlist(dashed):
    assert joined(DRAWING, "wire", *(["instead"] if dashed else [])) == wanted(dashed)


def test_each_wire_and_each_dot_is_missed_when_it_is_gone():
    strokes = re.findall(r'<path class="wire"[^>]*/>|<circle class="joint"[^>]*/>', DRAWING)
    assert len(strokes) > 80
    for stroke in strokes[::7]:
        assert joined(DRAWING.replace(stroke, "", 1), "wire") != wanted({}), stroke
