"""Wires as straight lines: which pieces a net consists of, where it has joints, where wires cross.

Every net runs along lanes. From each of its legs a wire goes straight, or first up or down to a
level, to the lane. Pieces that lie on one another become one; where three ends of a net meet is a
joint, and where two nets cross, the level wire hops over the upright one.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

Point = tuple[int, int]


class Stroke(NamedTuple):
    """A straight piece of wire, level or upright, from its left or upper end to the other."""

    start: Point
    end: Point

    @property
    def level(self) -> bool:
        """Whether it runs from left to right."""
        return self.start[1] == self.end[1]


def pieces(routes: Iterable[Sequence[Point]]) -> list[Stroke]:
    """Return what ``routes`` of one net cover, each place once, in a fixed order."""
    level: dict[int, list[tuple[int, int]]] = {}
    upright: dict[int, list[tuple[int, int]]] = {}
    for route in routes:
        for (x, y), (other_x, other_y) in pairwise(route):
            if y == other_y and x != other_x:
                level.setdefault(y, []).append((min(x, other_x), max(x, other_x)))
            elif x == other_x and y != other_y:
                upright.setdefault(x, []).append((min(y, other_y), max(y, other_y)))
            elif (x, y) != (other_x, other_y):
                raise ValueError(f"the wire from {x, y} to {other_x, other_y} is slanted")
    found = [Stroke((a, y), (b, y)) for y in sorted(level) for a, b in _joined(level[y])]
    found += [Stroke((x, a), (x, b)) for x in sorted(upright) for a, b in _joined(upright[x])]
    return found


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined


def joints(net: Sequence[Stroke]) -> list[Point]:
    """Return the places where three or more ends of one net's wires meet."""
    ends = {end for piece in net for end in piece}
    crossings = {
        (upright.start[0], level.start[1])
        for level in net
        if level.level
        for upright in net
        if not upright.level and _on(level, upright.start[0]) and _on(upright, level.start[1])
    }
    return sorted(place for place in ends | crossings if sum(_ways(net, place)) > 2)


def _on(piece: Stroke, along: int) -> bool:
    axis = 0 if piece.level else 1
    return piece.start[axis] <= along <= piece.end[axis]


def _ways(net: Sequence[Stroke], place: Point) -> Iterable[int]:
    """How many wires leave ``place`` along each piece: 0, 1 at an end of it, 2 within it."""
    x, y = place
    for piece in net:
        at, across = (x, y) if piece.level else (y, x)
        axis = 0 if piece.level else 1
        if piece.start[1 - axis] == across and _on(piece, at):
            yield (at > piece.start[axis]) + (at < piece.end[axis])


def hops(piece: Stroke, nets: Mapping[str, Sequence[Stroke]], own: str) -> list[int]:
    """Return where a level ``piece`` crosses upright wires of nets other than ``own``, as x."""
    if not piece.level:
        return []
    y = piece.start[1]
    return sorted(
        other.start[0]
        for signal, net in nets.items()
        for other in net
        if signal != own
        and not other.level
        and _on(other, y)
        and piece.start[0] < other.start[0] < piece.end[0]
    )
