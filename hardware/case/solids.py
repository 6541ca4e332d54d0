"""Shapes that the case is put together from, over manifold3d."""

from collections.abc import Iterable, Sequence
from math import cos, hypot, pi, sin

import numpy as np
from manifold3d import CrossSection, JoinType, Manifold

Layer = tuple[float, CrossSection]
"""A height and the outline at it."""
FOOT_MM, LAYER_MM = 0.42, 0.2
"""How far the first layer of a plate stands back, and its height; chosen."""
SEGMENTS = 64
"""The number of straight pieces of a full circle; chosen."""


def box(low: Sequence[float], high: Sequence[float]) -> Manifold:
    """Return the box between two corners, the lower one first."""
    size = [b - a for a, b in zip(low, high, strict=True)]
    return Manifold.cube(size).translate(list(low))


def rod(x: float, y: float, low: float, high: float, across: float, top: float = 0) -> Manifold:
    """Return an upright cylinder of diameter ``across``; ``top``: another diameter at its end."""
    return Manifold.cylinder(
        high - low, across / 2, (top or across) / 2, circular_segments=SEGMENTS
    ).translate([x, y, low])


def rounded(wide: float, long: float, radius: float) -> CrossSection:
    """Return a rectangle with round corners around the origin."""
    inner = CrossSection.square([wide - 2 * radius, long - 2 * radius], center=True)
    return inner.offset(radius, JoinType.Round, circular_segments=SEGMENTS)


def slab(outline: CrossSection, low: float, high: float) -> Manifold:
    """Return the outline as a plate between two heights."""
    return Manifold.extrude(outline, high - low).translate([0, 0, low])


def footed(outline: CrossSection, low: float, high: float) -> Manifold:
    """Return a plate whose first layer stands back, so that it does not spread beyond the rest."""
    middle = low + LAYER_MM
    return slab(shrunk(outline, FOOT_MM), low, middle) + slab(outline, middle, high)


def shrunk(outline: CrossSection, by: float) -> CrossSection:
    """Return a convex outline with its edge ``by`` further in; negative: further out."""
    return outline.offset(-by, JoinType.Round, circular_segments=SEGMENTS)


def loft(layers: Iterable[Layer]) -> Manifold:
    """Return the convex body through convex outlines at their heights."""
    points = [(x, y, z) for z, outline in layers for path in outline.to_polygons() for x, y in path]
    return Manifold.hull_points(np.array(points))


def joined(solids: Iterable[Manifold]) -> Manifold:
    """Return the union of the solids."""
    return sum(solids, Manifold())


def tapered(
    near: float, far: float, long: float, corners: tuple[float, float], bulge: float
) -> CrossSection:
    """Return a convex outline, wider at the far edge, whose sides bulge a little.

    Args:
        near: width of the near edge.
        far: width of the far edge.
        long: length, from y = 0.
        corners: radii at the near and at the far edge.
        bulge: how far the middle of each side stands out.
    """
    points: list[tuple[float, float]] = []
    low, high = corners
    for side, (x, y, radius) in enumerate(
        [
            (near / 2 - low, low, low),
            (far / 2 - high, long - high, high),
            (high - far / 2, long - high, high),
            (low - near / 2, low, low),
        ]
    ):
        start = -pi / 2 + side * pi / 2
        turns = range(SEGMENTS // 4 + 1)
        points += [
            (x + radius * cos(start + pi / 2 * n / turns[-1]),
             y + radius * sin(start + pi / 2 * n / turns[-1]))
            for n in turns
        ]  # fmt: skip
    outline = CrossSection.hull_points(np.array(points))
    if bulge == 0:
        return outline
    bulged = [
        (x * (1 + bulge * (1 - ((2 * y - long) / long) ** 2) / (near / 2)), y)
        for x, y in _refined(outline.to_polygons()[0])
    ]
    return CrossSection.hull_points(np.array(bulged))


def _refined(path: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Return a closed path with no piece longer than 3 mm."""
    found = []
    for (x, y), (to_x, to_y) in zip(path, [*path[1:], path[0]], strict=True):
        steps = max(1, round(hypot(to_x - x, to_y - y) / 3))
        found += [(x + (to_x - x) * n / steps, y + (to_y - y) * n / steps) for n in range(steps)]
    return found
