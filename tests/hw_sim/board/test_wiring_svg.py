"""The drawing of the wiring, read as a person reads it: lines, dots and words, and nothing else."""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from hw_sim.board.netlist import NETS, ON_PI_5
from hw_sim.board.wiring_svg import drawing

SVG = "{http://www.w3.org/2000/svg}"
WIDE, WIDE_BOLD = 0.62, 0.7
"""Width of a letter as a share of its height, in a wide typeface; what is narrower fits, too."""


class Line(NamedTuple):
    """A straight wire from one end to the other, and where it hops over another one."""

    ends: tuple[tuple[int, int], tuple[int, int]]
    over: frozenset[tuple[int, int]]

    def runs_through(self, place) -> bool:
        (x, y), (end_x, end_y) = self.ends
        return min(x, end_x) <= place[0] <= max(x, end_x) and min(y, end_y) <= place[1] <= max(
            y, end_y
        )


class Box(NamedTuple):
    what: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class Picture:
    """What is seen: wires, dots, ends of legs, words and bodies."""

    def __init__(self, svg: str, *, on_pi_5: bool = False):
        tree = ElementTree.fromstring(svg)
        self.width, self.height = int(tree.get("width")), int(tree.get("height"))
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
        self.words = list(words(tree))
        self.bodies = [
            Box("body", x, y, x + width, y + height)
            for rect in tree.iter(f"{SVG}rect")
            if rect.get("class") == "body"
            for x, y, width, height in [[float(rect.get(k)) for k in ("x", "y", "width", "height")]]
        ]

    def ways(self, place) -> int:
        """How many wires and legs leave a place."""
        found = sum(place == leg[2:] for leg in self.legs.values())
        for one in self.lines:
            if place in one.ends:
                found += 1
            elif one.runs_through(place) and place not in one.over:
                found += 2
        return found

    def joined(self) -> set[frozenset[str]]:
        """The legs that are joined: ends that meet, and what has a dot."""
        groups = [{number} for number in range(len(self.lines))]
        for (number, one), (other, two) in combinations(enumerate(self.lines), 2):
            meet = set(one.ends) & set(two.ends) or {
                dot for dot in self.dots if one.runs_through(dot) and two.runs_through(dot)
            }
            if meet:
                groups = merged(groups, number, other)
        return {
            frozenset(
                leg
                for leg, (*_, x, y) in self.legs.items()
                if any((x, y) in self.lines[number].ends for number in group)
            )
            for group in groups
        }


def merged(groups, one, other):
    touched = [group for group in groups if one in group or other in group]
    return [group for group in groups if group not in touched] + [set().union(*touched)]


def line(data: str) -> Line:
    begin, *moves = re.findall(r"[A-Za-z][^A-Za-z]*", data)
    x, y = map(int, begin[1:].split())
    start, over = (x, y), set()
    for move in moves:
        numbers = [int(number) for number in move[1:].split()]
        match move[0]:
            case "H":
                x = numbers[0]
            case "V":
                y = numbers[0]
            case "a":
                over.add((x + numbers[-2] // 2, y))
                x += numbers[-2]
    return Line((start, (x, y)), frozenset(over))


def words(tree) -> Iterator[Box]:
    """Every text as the box that it fills; those of the cards lie in a group that is moved."""

    def walk(node, dx, dy):
        for child in node:
            moved = re.match(r"translate\((\S+) (\S+)\)", child.get("transform", ""))
            x, y = (dx + float(moved[1]), dy + float(moved[2])) if moved else (dx, dy)
            if child.tag == f"{SVG}text":
                size = float(child.get("font-size"))
                letter = WIDE_BOLD if child.get("font-weight") else WIDE
                wide = len(child.text) * size * letter
                share = {"start": 0, "middle": 0.5, "end": 1}[child.get("text-anchor")]
                left, base = x + float(child.get("x")) - share * wide, y + float(child.get("y"))
                yield Box(child.text, left, base - 0.75 * size, left + wide, base + 0.2 * size)
            yield from walk(child, x, y)

    yield from walk(tree, 0, 0)


def box(what: str, one, other, margin: float) -> Box:
    return Box(
        what,
        min(one[0], other[0]) - margin,
        min(one[1], other[1]) - margin,
        max(one[0], other[0]) + margin,
        max(one[1], other[1]) + margin,
    )


def faults(svg: str) -> list[str]:
    """What a reader of the picture may take for something else."""
    picture = Picture(svg, on_pi_5=True)
    found = [
        f"a dot at {dot} joins nothing" for dot in sorted(picture.dots) if picture.ways(dot) < 3
    ]
    drawn = [box(f"wire {one.ends}", *one.ends, 2) for one in picture.lines]
    drawn += [
        box(f"hop {at}", (at[0] - 8, at[1] - 8), (at[0] + 8, at[1]), 1)
        for one in picture.lines
        for at in one.over
    ]
    drawn += [box(f"dot {dot}", dot, dot, 5) for dot in picture.dots]
    drawn += [box(f"leg {leg}", line[:2], line[2:], 1) for leg, line in picture.legs.items()]
    for word in picture.words:
        found += [f"{one.what} runs over {word.what!r}" for one in drawn if one.meets(word)]
        if word.left < 0 or word.right > picture.width or word.bottom > picture.height:
            found.append(f"{word.what!r} is cut off")
    found += [
        f"{one.what!r} stands on {two.what!r}"
        for one, two in combinations(picture.words, 2)
        if one.meets(two)
    ]
    found += [
        f"{one.what} runs through a part"
        for one in drawn
        for body in picture.bodies
        if not one.what.startswith("leg") and one.meets(body)
    ]
    for one, two in combinations(picture.lines, 2):
        shared = box("", *one.ends, 0), box("", *two.ends, 0)
        x, y = max(shared[0].left, shared[1].left), max(shared[0].top, shared[1].top)
        if x > min(shared[0].right, shared[1].right) or y > min(shared[0].bottom, shared[1].bottom):
            continue
        place = (int(x), int(y))
        plain = place in one.ends and place in two.ends
        if place not in one.over | two.over and not plain and place not in picture.dots:
            found.append(f"{one.ends} and {two.ends} touch at {place}, without a dot or a hop")
        if plain and picture.ways(place) > 2 and place not in picture.dots:
            found.append(f"three wires meet at {place} without a dot")
    return found


def test_read_line_by_line_the_drawing_is_the_netlist():
    assert Picture(drawing()).joined() == {frozenset(legs) for legs in NETS.values()}


def test_with_its_dashed_line_the_drawing_is_the_netlist_of_a_pi_5():
    nets = {frozenset(legs) for legs in NETS.values()}
    usual, other = next(iter(ON_PI_5.items()))
    expected = {net | {other} if usual in net else net for net in nets}
    assert Picture(drawing(), on_pi_5=True).joined() == expected


def test_nothing_in_the_drawing_can_be_misread():
    assert faults(drawing()) == []


def test_a_leg_has_its_own_name_beside_it():
    picture = Picture(drawing())
    ends = {name[3:]: leg[2:] for name, leg in picture.legs.items() if name[:2] in ("D1", "Q1")}
    for word in picture.words:
        if word.what in ends and word.bottom < 600:
            x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
            assert word.what == min(
                ends, key=lambda name: abs(ends[name][0] - x) + abs(ends[name][1] - y)
            )


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (r'<text x="\d+"([^>]*>R3 10 kΩ)', r'<text x="960"\1', "runs over 'R3 10 kΩ'"),
        (r'<text x="\d+" y="\d+"([^>]*>Sound)', r'<text x="120" y="210"\1', "stands on 'Sound'"),
        (r'<text x="\d+"([^>]*>Sound)', r'<text x="1200"\1', "cut off"),
        (r" H\d+ a8 8 0 0 1 16 0", "", "without a dot or a hop"),
        (r'<circle class="joint"[^>]*>', "", "without a dot"),
        (r'(<circle class="joint" cx="\d+" cy=")\d+', r"\g<1>600", "joins nothing"),
        (r'(<rect class="body" x=")846', r"\g<1>820", "runs through a part"),
    ],
)
def test_what_can_be_misread_is_found(old, new, found):
    svg, times = re.subn(old, new, drawing(), count=1)
    assert times == 1
    assert any(found in fault for fault in faults(svg)), faults(svg)
