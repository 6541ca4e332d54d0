"""The carrier as a printed board of two layers: copper as data, its proof, and a router.

Parts stand where the plan of the perfboard has them, so the case fits both. A second row of holes
takes an accelerometer whose pins are at the far edge. Places are whole numbers of half a pitch.
``python -m hardware.board.copper`` writes ``copper.toml``; `copper_faults` judges it.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path
from typing import Final, Literal

import msgspec

from hardware.board.nets import WITH_CELL, Netlist
from hardware.board.plan import COLUMNS, LINES, PITCH_MM, Groups, compare, holes_of, plans

COPPER: Final = Path(__file__).with_name("copper.toml")
STRAIGHT, TURNED = "carrier-straight-bc337", "carrier-turned-bc337"
STEP_MM: Final = PITCH_MM / 2
PAD_MM, DRILL_MM = 1.5, 0.9
VIA_MM, VIA_DRILL_MM = 0.8, 0.4
TRACK_MM: Final = 0.4
CLEAR_MM: Final = 0.2
"""Least air between copper of two signals: every maker of boards does this."""
EDGE_MM: Final = 0.5
"""Least distance of copper from the edge of the board."""

Side = Literal["top", "bottom"]
SIDES: Final[tuple[Side, Side]] = ("top", "bottom")
Place = tuple[int, int]
"""Column and row in halves of a pitch, from hole A1."""
Node = tuple[int, int, int]
"""A place and the number of its side."""


class Copper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tracks, each from a place to another in one line, and vias."""

    tracks: tuple[tuple[Side, Place, Place], ...]
    vias: tuple[Place, ...]


class CopperPad(msgspec.Struct, frozen=True):
    """A hole with a pad on both sides; ``part`` names the footprint that it belongs to."""

    part: str
    leg: str
    place: Place


@cache
def copper() -> Copper:
    """Return the copper of the project's board."""
    return msgspec.convert(tomllib.loads(COPPER.read_text("utf-8")), Copper)


def place_of(hole: str) -> Place:
    """Return the place of a hole of the perfboard."""
    x, y = holes_of("perfboard")[hole]
    return round(x / STEP_MM), round(y / STEP_MM)


@cache
def pads() -> tuple[CopperPad, ...]:
    """Return every pad: those of the plan, and the second row for the accelerometer."""
    holes = {**plans()[STRAIGHT].holes, "ADXL345 turned": plans()[TURNED].holes["ADXL345"]}
    return tuple(
        CopperPad(part, leg, place_of(hole))
        for part, legs in holes.items()
        for leg, hole in legs.items()
    )


def leg_of(pad: CopperPad) -> str:
    """Return the leg of the netlist that a pad is for."""
    return f"{pad.part.removesuffix(' turned')}.{pad.leg}"


# ---- proof -----------------------------------------------------------------------------------


class _Shape(msgspec.Struct, frozen=True):
    """A line with round ends, in mm."""

    name: str
    sides: frozenset[str]
    ends: tuple[tuple[float, float], tuple[float, float]]
    radius: float


def _shapes(drawn: Copper) -> Iterator[_Shape]:
    both = frozenset(SIDES)
    for pad in pads():
        at = _mm(pad.place)
        yield _Shape(f"pad {pad.part}.{pad.leg}", both, (at, at), PAD_MM / 2)
    for side, start, end in drawn.tracks:
        ends = (_mm(start), _mm(end))
        yield _Shape(f"track {side} {start} {end}", frozenset({side}), ends, TRACK_MM / 2)
    for via in drawn.vias:
        at = _mm(via)
        yield _Shape(f"via {via}", both, (at, at), VIA_MM / 2)


def _mm(place: Place) -> tuple[float, float]:
    return place[0] * STEP_MM, place[1] * STEP_MM


def copper_faults(drawn: Copper, nets: Netlist = WITH_CELL) -> list[str]:
    """Return every way in which copper is not the netlist, or cannot be made.

    Copper that touches hangs together, whatever the router meant.
    """
    shapes = list(_shapes(drawn))
    groups = Groups()
    found = [*_at_the_edge(shapes)]
    close: list[tuple[_Shape, _Shape, float]] = []
    for one, other in combinations(shapes, 2):
        if one.sides & other.sides:
            gap = _distance(one, other) - one.radius - other.radius
            if gap <= 0:
                groups.join(one.name, other.name)
            elif gap < CLEAR_MM:
                close.append((one, other, gap))
    found += [
        f"{one.name} and {other.name} are {gap:.2f} mm apart"
        for one, other, gap in close
        if groups.find(one.name) != groups.find(other.name)
    ]
    cables = plans()[STRAIGHT]
    at: dict[str, str] = {}
    for pad in pads():
        name = f"pad {pad.part}.{pad.leg}"
        leg = leg_of(pad)
        if leg not in at:
            at[leg] = name
        elif groups.find(at[leg]) != groups.find(name) and leg in _joined(nets):
            found.append(f"the two holes of {leg} are not joined")
    for start, end in cables.wires:
        if "." in start and "." in end:
            groups.join(at.setdefault(start, start), at.setdefault(end, end))
    names = {*cables.holes, *cables.beside}
    return found + list(compare(at, groups, names, nets))


def _joined(nets: Netlist) -> set[str]:
    return {leg for legs in nets.values() for leg in legs}


def _at_the_edge(shapes: list[_Shape]) -> Iterator[str]:
    wide, high = (COLUMNS - 1) * PITCH_MM, (len(LINES) - 1) * PITCH_MM
    for shape in shapes:
        for x, y in shape.ends:
            air = STEP_MM + min(x, wide - x, y, high - y) - shape.radius
            if air < EDGE_MM:
                yield f"{shape.name} is {air:.2f} mm from the edge"


def _distance(one: _Shape, other: _Shape) -> float:
    """The distance between two lines; tracks run along the grid, so they cross at right angles."""
    (ax, ay), (bx, by) = one.ends
    (cx, cy), (dx, dy) = other.ends
    return hypot(_gap(ax, bx, cx, dx), _gap(ay, by, cy, dy))


def _gap(a: float, b: float, c: float, d: float) -> float:
    return max(0.0, min(a, b) - max(c, d), min(c, d) - max(a, b))


# ---- router ----------------------------------------------------------------------------------

VIA_COST, ROUNDS = 5.0, 120


def route(nets: Netlist = WITH_CELL) -> Copper:
    """Return copper for the netlist: signals bargain for places until none is used twice.

    Raises:
        ValueError: after `ROUNDS` rounds some places are still used twice.
    """
    blocked, terminals = _terminals(nets)
    history: dict[Node, float] = defaultdict(float)
    trees: dict[str, dict[Node, Node | None]] = {}
    for turn in range(ROUNDS):
        trees = {}
        used: dict[Node, int] = defaultdict(int)
        for signal in sorted(terminals, key=lambda name: (len(terminals[name]), name)):
            tree = _tree(terminals[signal], blocked[signal], used, history, 0.5 * turn)
            trees[signal] = tree
            for node in tree:
                used[node] += 1
        crowded = [node for node, count in used.items() if count > 1]
        if not crowded:
            return _drawn(trees)
        for node in crowded:
            history[node] += 1
    raise ValueError(f"{len(crowded)} places are still used twice")


def _terminals(nets: Netlist) -> tuple[dict[str, set[Place]], dict[str, list[Place]]]:
    """Return by signal the places that it must not touch, and its pads."""
    named = {leg: signal for signal, legs in nets.items() for leg in legs}
    terminals: dict[str, list[Place]] = defaultdict(list)
    for pad in pads():
        if leg_of(pad) in named:
            terminals[named[leg_of(pad)]].append(pad.place)
    wanted = {signal: places for signal, places in terminals.items() if len(places) > 1}
    every = {pad.place for pad in pads()}
    return {signal: every - set(places) for signal, places in wanted.items()}, wanted


def _tree(
    places: list[Place], blocked: set[Place], used: Mapping[Node, int],
    history: Mapping[Node, float], press: float,
) -> dict[Node, Node | None]:  # fmt: skip
    """Join the pads of one signal; return each node with the one that it was reached from."""
    tree: dict[Node, Node | None] = {(*places[0], side): None for side in (0, 1)}
    left = set(places[1:])
    while left:
        way = _way(tree, left, blocked, used, history, press)
        for before, node in pairwise(way):
            tree.setdefault(node, before)
        column, row, _ = way[-1]
        left.discard((column, row))
        for side in (0, 1):
            tree.setdefault((column, row, side), None)
    return tree


def _way(
    tree: Mapping[Node, Node | None], left: set[Place], blocked: set[Place],
    used: Mapping[Node, int], history: Mapping[Node, float], press: float,
) -> list[Node]:  # fmt: skip
    queue: list[tuple[float, Node, Node | None]] = [(0.0, node, None) for node in sorted(tree)]
    came: dict[Node, Node | None] = {}
    while queue:
        cost, node, before = heappop(queue)
        if node in came:
            continue
        came[node] = before
        column, row, side = node
        if (column, row) in left:
            way = [node]
            while (last := came[way[-1]]) is not None:
                way.append(last)
            return way[::-1]
        for after, price in _steps(column, row, side):
            if (after[0], after[1]) not in blocked and after not in came:
                crowd = (1 + history[after]) * (1 + press * used[after])
                heappush(queue, (cost + price * crowd, after, node))
    raise ValueError("a signal cannot be joined")


def _steps(column: int, row: int, side: int) -> Iterator[tuple[Node, float]]:
    """The neighbours of a node; on each side one direction is cheaper, so that ways can cross."""
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        x, y = column + dx, row + dy
        if 0 <= x <= 2 * (COLUMNS - 1) and 0 <= y <= 2 * (len(LINES) - 1):
            yield (x, y, side), 1.0 if (dy == 0) is (side == 0) else 1.6
    if column % 2 and row % 2:  # between four holes there is room for a via
        yield (column, row, 1 - side), VIA_COST


def _drawn(trees: Mapping[str, Mapping[Node, Node | None]]) -> Copper:
    """Return the trees as straight tracks and vias."""
    tracks: list[tuple[Side, Place, Place]] = []
    vias: set[Place] = set()
    for tree in trees.values():
        lines: dict[tuple[int, bool, int], set[int]] = defaultdict(set)
        for (x, y, side), before in tree.items():
            if before is None:
                continue
            if before[2] != side:
                vias.add((x, y))
            elif before[1] == y:
                lines[side, True, y].add(min(x, before[0]))
            else:
                lines[side, False, x].add(min(y, before[1]))
        for (side, is_level, fixed), starts in lines.items():
            for start in sorted(starts):
                if start - 1 in starts:
                    continue
                end = start
                while end in starts:
                    end += 1
                one, other = ((start, fixed), (end, fixed)) if is_level else (
                    (fixed, start), (fixed, end))  # fmt: skip
                tracks.append((SIDES[side], one, other))
    return Copper(tuple(sorted(tracks)), tuple(sorted(vias)))


def written_copper(drawn: Copper) -> str:
    """Return copper as TOML, one line each."""
    lines = ["tracks = ["]
    lines += [f'    ["{side}", {list(a)}, {list(b)}],' for side, a, b in drawn.tracks]
    lines += ["]", f"vias = {[list(via) for via in drawn.vias]}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    COPPER.write_text(written_copper(route()), encoding="utf-8")
