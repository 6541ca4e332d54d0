"""Limits of an FDM printer against a solid: thickness of walls, supports, place on the bed.

All numbers are chosen.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray

from hardware.case.bodies import TOLD, Body
from hardware.case.shells import TURNED
from hardware.case.solids import box, joined
from hardware.parts import bought

SAMPLES = 2500
"""The number of places at which walls are measured."""
SEED = 1
"""The seed of these places."""
Corners = NDArray[np.float64]


def triangles(solid: Manifold) -> Corners:
    """Return the triangles of a solid: an array of n × 3 corners × 3 coordinates, in mm."""
    mesh = solid.to_mesh64()
    corners: Corners = np.asarray(mesh.vert_properties)[:, :3][np.asarray(mesh.tri_verts)]
    return corners


def normals(corners: Corners) -> tuple[Corners, NDArray[np.float64]]:
    """Return the unit normal and the area of every triangle, in mm²."""
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.maximum(np.linalg.norm(cross, axis=1), 1e-15)
    return cross / length[:, None], length / 2


def thin_walls(solid: Manifold, least: float) -> tuple[float, tuple[float, float, float]]:
    """Return the share of the surface over walls thinner than ``least``, and one such place.

    A wall has two faces that look away from each other; sharp edges do not count.
    """
    corners = triangles(solid)
    normal, area = normals(corners)
    chance = np.random.default_rng(SEED)
    chosen = chance.choice(len(area), SAMPLES, p=area / area.sum())
    one, other = chance.random((2, SAMPLES, 1))
    root = np.sqrt(one)
    points = (
        corners[chosen, 0] * (1 - root)
        + corners[chosen, 1] * root * (1 - other)
        + corners[chosen, 2] * root * other
    )
    inwards = -normal[chosen]
    starts, ends = points + inwards * 1e-4, points + inwards * least
    thin, where = 0, (0.0, 0.0, 0.0)
    for start, end, way in zip(starts, ends, inwards, strict=True):
        hits = solid.ray_cast(tuple(start), tuple(end))
        if hits and float(np.dot(hits[0].normal, way)) > 0.8:
            thin += 1
            where = (float(start[0]), float(start[1]), float(start[2]))
    return thin / SAMPLES, where


def bridges(solid: Manifold) -> Iterator[tuple[float, float, float, float]]:
    """Yield undersides that need supports: the middle x, y, z of each, and its area in mm².

    The solid is printed as it stands. An underside prints as a bridge where two walls hold it, at
    most 12 mm apart; half a millimetre prints in the air.
    """
    limit = bought().limit
    corners = triangles(solid)
    normal, area = normals(corners)
    steepest = np.sin(np.radians(limit("overhang_most_deg")))
    bottom = corners[:, :, 2].min()
    middle = corners.mean(axis=1)
    hanging = (-normal[:, 2] > steepest) & (middle[:, 2] > bottom + 0.05) & (area > 0.02)
    most = limit("bridge_most_mm")
    bare: list[int] = []
    for number in np.flatnonzero(hanging):
        x, y, z = middle[number]
        if not _held(solid, (x, y, z - 0.12), most):
            bare.append(int(number))
    for group in _near(middle[bare]):
        faces = np.array(bare)[group]
        x, y, z = middle[faces].mean(axis=0)
        if area[faces].sum() > LEAST_BARE_MM2:
            yield float(x), float(y), float(z), float(area[faces].sum())


LEAST_BARE_MM2 = 3.0
"""An area that hangs and is larger needs a support."""
IN_THE_AIR_MM = 0.6
"""A place that is nearer to a wall than this is held."""
_WAYS = [(1.0, 0.0), (0.7071, 0.7071), (0.0, 1.0), (-0.7071, 0.7071)]


def _held(solid: Manifold, place: tuple[float, float, float], most: float) -> bool:
    """Return whether walls on two opposite sides are at most so far apart, or one is close."""
    for dx, dy in _WAYS:
        found = []
        for side in (1, -1):
            end = (place[0] + side * dx * most, place[1] + side * dy * most, place[2])
            hits = solid.ray_cast(place, end)
            found.append(hits[0].distance * most if hits else most)
        if min(found) < IN_THE_AIR_MM or sum(found) <= most:
            return True
    return False


def fits_to_try(bodies: Sequence[Body]) -> Manifold:
    """Return a piece of each fit, side by side as they are printed."""
    solids = {body.name: body.solid for body in bodies}
    pieces, x = [], 0.0
    for name, low, high in TOLD.fits:
        piece = solids[name] ^ box(low, high)
        piece = piece.rotate([180, 0, 0]) if name in TURNED else piece
        left, near, bottom, right, *_ = piece.bounding_box()
        pieces.append(piece.translate([x - left, -near, -bottom]))
        x += right - left + 3
    return joined(pieces)


def _near(middles: Corners) -> list[list[int]]:
    """Return the numbers of places in groups that are less than 6 mm apart."""
    groups: list[list[int]] = []
    for number, middle in enumerate(middles):
        for group in groups:
            if np.linalg.norm(middles[group[0]] - middle) < 6:
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def bed(solid: Manifold) -> tuple[float, float]:
    """Return width and depth on the printer's bed, in mm."""
    low_x, low_y, _, high_x, high_y, _ = solid.bounding_box()
    return high_x - low_x, high_y - low_y
