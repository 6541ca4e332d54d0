"""Drawings of solids with hidden lines removed, as furniture makers draw: edges and outlines.

Sharp edges and outlines of every mesh are sampled, and a sample is drawn if nothing in a buffer of
depths is before it.

All numbers are chosen.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from manifold3d import CrossSection, FillRule, Manifold
from numpy.typing import NDArray

Array = NDArray[np.float64]
SHARP_DEG: Final = 28.0
"""Two faces that meet at a larger angle have an edge between them."""
BIAS_MM: Final = 0.35
"""A sample that lies so little behind a surface is on it."""
NEW, OLD, WAY = "#c1440e", "#4d4d4d", "#1565c0"
"""Colours of what a step adds, of what is there already, and of the way that it takes."""
TINT, PAPER = "#f8d9c4", "#ffffff"


FAR_MM: Final = 6000.0
"""From the camera to what it draws, so far that lines stay parallel."""
EDGE: Final = 18
"""White pixels around a drawing."""


Way = tuple[float, float, float]


class Camera(NamedTuple):
    """A camera and its picture.

    Attributes:
        turn, rise: where it stands around the subject, in degrees; turn 0 is the near edge.
        look: what it looks at, in mm.
        away: distance in mm.
        zoom: width of the picture at that distance, in mm.
        size: of the picture in pixels.
    """

    turn: float
    rise: float
    look: tuple[float, float, float]
    zoom: float
    size: tuple[int, int]
    away: float = 420.0

    def axes(self) -> tuple[Array, Array, Array]:
        """Return the directions to the right, up, and towards the camera."""
        turn, rise = np.radians(self.turn), np.radians(self.rise)
        back = np.array([np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise)])
        right = np.array([np.cos(turn), np.sin(turn), 0.0])
        return right, np.cross(back, right), back

    def project(self, points: Array) -> Array:
        """Return x and y in pixels and the depth in mm, larger is nearer, of n × 3 points."""
        right, up, back = self.axes()
        at = points - np.array(self.look)
        depth = at @ back
        scale = self.size[0] / self.zoom * self.away / (self.away - depth)
        x = self.size[0] / 2 + at @ right * scale
        y = self.size[1] / 2 - at @ up * scale
        return np.stack([x, y, depth], axis=1)


class Drawn(NamedTuple):
    """A solid in a drawing.

    Attributes:
        solid: in its place.
        is_new: whether the step adds it; it is drawn in colour.
        way: from where it comes, in mm relative to its place; (0, 0, 0) draws no arrow.
    """

    solid: Manifold
    is_new: bool = False
    way: Way = (0.0, 0.0, 0.0)


def framed(things: Iterable[Drawn], turn: float, rise: float, wide: int, high: int) -> Camera:
    """Return a camera far away that all things just fill; the picture is at most so large."""
    camera = Camera(turn, rise, (0, 0, 0), wide, (wide, wide), FAR_MM)
    points = np.concatenate(
        [_mesh(thing.solid.translate(list(way))).points
         for thing in things for way in ((0, 0, 0), thing.way)]
    )  # fmt: skip
    right, up, _ = camera.axes()
    across, along = points @ right, points @ up
    size = np.array([np.ptp(across), np.ptp(along)])
    scale = min((wide - 2 * EDGE) / size[0], (high - 2 * EDGE) / size[1])
    middle = (across.min() + across.max()) / 2 * right + (along.min() + along.max()) / 2 * up
    pixels = (wide, int(size[1] * scale) + 2 * EDGE)
    x, y, z = middle.tolist()
    return camera._replace(look=(x, y, z), zoom=wide / scale, size=pixels)


def drawing(things: Sequence[Drawn], camera: Camera) -> str:
    """Return a drawing without words as an SVG document, as large as the camera's picture."""
    width, height = camera.size
    shown = [thing.solid.translate(list(thing.way)) for thing in things]
    meshes = [_mesh(solid) for solid in shown]
    face, depth, owner = _seen(meshes, camera)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    new = {number for number, thing in enumerate(things) if thing.is_new}
    covered = np.isin(owner, list(new)) & (face >= 0)
    parts.append(f'<path fill="{TINT}" d="{_area(covered)}"/>')
    for is_new, colour, wide in ((False, OLD, 0.9), (True, NEW, 1.5)):
        runs = [
            run
            for number, mesh in enumerate(meshes)
            if (number in new) is is_new
            for run in _visible(mesh, camera, depth)
        ]
        parts.append(
            f'<path fill="none" stroke="{colour}" stroke-width="{wide}" stroke-linecap="round" '
            f'stroke-linejoin="round" d="{_path(runs)}"/>'
        )
    parts += [_arrow(solid, way, camera) for solid, way in _ways(things, shown)]
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Mesh(NamedTuple):
    points: Array
    faces: NDArray[np.int64]


def _mesh(solid: Manifold) -> _Mesh:
    mesh = solid.to_mesh64()
    points = np.asarray(mesh.vert_properties, dtype=float)[:, :3]
    return _Mesh(points, np.asarray(mesh.tri_verts, dtype=np.int64))


def _seen(
    meshes: Sequence[_Mesh], camera: Camera
) -> tuple[NDArray[np.int64], Array, NDArray[np.int64]]:
    """Return for each pixel its face, its depth and the number of its mesh."""
    points = np.concatenate([mesh.points for mesh in meshes])
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    faces = np.concatenate(
        [mesh.faces + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
    )
    owners = np.repeat(np.arange(len(meshes)), [len(mesh.faces) for mesh in meshes])
    face, depth = raster(camera.project(points), faces, camera.size)
    return face, depth, owners[face]


def _visible(mesh: _Mesh, camera: Camera, depth: Array) -> Iterator[Array]:
    """Yield the visible runs of the edges of a mesh, as the pixels of their two ends."""
    edges = _edges(mesh, camera)
    if not len(edges):
        return
    seen = camera.project(mesh.points)
    near = _neighbours(depth)
    height, width = depth.shape
    for one, other in edges:
        start, end = seen[one], seen[other]
        count = max(2, int(np.hypot(*(end - start)[:2])) + 1)
        at = start + np.linspace(0, 1, count)[:, None] * (end - start)
        x = np.clip(at[:, 0].astype(np.int64), 0, width - 1)
        y = np.clip(at[:, 1].astype(np.int64), 0, height - 1)
        shown = near[y, x] <= at[:, 2] + BIAS_MM
        changes = np.flatnonzero(np.diff(np.concatenate([[False], shown, [False]]).astype(int)))
        for first, last in changes.reshape(-1, 2):
            if last - first >= 2:
                yield at[[first, last - 1], :2]


def _neighbours(depth: Array) -> Array:
    """Return the least depth in the 3 × 3 pixels around each."""
    padded = np.pad(depth, 1, constant_values=-np.inf)
    height, width = depth.shape
    found: Array = np.min(
        [padded[a : a + height, b : b + width] for a in range(3) for b in range(3)], axis=0
    )
    return found


def _edges(mesh: _Mesh, camera: Camera) -> NDArray[np.int64]:
    """Return the sharp edges and the outlines of a mesh, as numbers of points."""
    corners = mesh.points[mesh.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-12)[:, None]
    front = normal @ camera.axes()[2] > 0
    ends = mesh.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    owner = np.repeat(np.arange(len(mesh.faces)), 3)
    low, high = ends.min(axis=1), ends.max(axis=1)
    order = np.lexsort((high, low))
    pairs = order.reshape(-1, 2)  # a closed mesh has two faces at each edge
    one, other = owner[pairs[:, 0]], owner[pairs[:, 1]]
    bent = (normal[one] * normal[other]).sum(axis=1) < np.cos(np.radians(SHARP_DEG))
    kept = (bent & (front[one] | front[other])) | (front[one] != front[other])
    return np.stack([low[pairs[kept, 0]], high[pairs[kept, 0]]], axis=1)


def _path(runs: Iterable[Array]) -> str:
    """Return runs as path data; ends that meet are joined, and straight chains become one line."""
    starts: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for run in runs:
        (x, y), (to_x, to_y) = np.rint(run * 2).astype(int).tolist()
        if (x, y) != (to_x, to_y):
            starts.setdefault((x, y), []).append((to_x, to_y))
            starts.setdefault((to_x, to_y), []).append((x, y))
    pieces = []
    for begin in list(starts):
        while starts[begin]:
            chain = [begin]
            while starts[chain[-1]]:
                after = starts[chain[-1]].pop()
                starts[after].remove(chain[-1])
                chain.append(after)
            pieces.append(_straightened(chain))
    return "".join("M" + "L".join(f"{x / 2:g} {y / 2:g}" for x, y in chain) for chain in pieces)


def _straightened(chain: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Leave out points that lie within half a pixel of the line through their neighbours."""
    kept = [chain[0]]
    for at, after in pairwise(chain[1:]):
        (x, y), (a, b), (c, d) = kept[-1], at, after
        long = np.hypot(c - x, d - y)
        off = abs((c - x) * (b - y) - (d - y) * (a - x)) / max(long, 1e-9)
        if off > 0.4 or (c - a) * (a - x) + (d - b) * (b - y) < 0:
            kept.append(at)
    return [*kept, chain[-1]]


def _area(mask: NDArray[np.bool_]) -> str:
    """Return the outline of the true pixels as path data."""
    rows = []
    for y in np.flatnonzero(mask.any(axis=1)):
        changes = np.flatnonzero(np.diff(np.concatenate([[0], mask[y].astype(int), [0]])))
        rows += [
            [(a, y), (b, y), (b, y + 1), (a, y + 1)] for a, b in changes.reshape(-1, 2).tolist()
        ]
    if not rows:
        return ""
    shape = CrossSection(rows, FillRule.NonZero).simplify(1.2)
    return "".join(
        "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in path) + "Z" for path in shape.to_polygons()
    )


def _ways(things: Sequence[Drawn], shown: Sequence[Manifold]) -> Iterator[tuple[Manifold, Way]]:
    """Yield the solids that get an arrow: one of those that move together, one over the other."""
    found: list[tuple[Manifold, Way]] = []
    for thing, solid in zip(things, shown, strict=True):
        low = solid.bounding_box()
        over = (
            all(low[n] < other.bounding_box()[n + 3] and other.bounding_box()[n] < low[n + 3]
                for n in (0, 1))
            for other, way in found if way == thing.way
        )  # fmt: skip
        if any(thing.way) and not any(over):
            found.append((solid, thing.way))
    yield from found


def _arrow(solid: Manifold, way: Way, camera: Camera) -> str:
    """Return a dashed arrow from the middle of a solid to its place."""
    low_high = np.array(solid.bounding_box()).reshape(2, 3)
    middle = low_high.mean(axis=0)
    ends = camera.project(np.array([middle, middle - np.array(way)]))[:, :2]
    along = ends[1] - ends[0]
    along /= max(float(np.hypot(*along)), 1e-9)
    across = np.array([-along[1], along[0]])
    tip, left, right = ends[1], ends[1] - 10 * along + 5 * across, ends[1] - 10 * along - 5 * across
    line = " ".join(f"{x:.0f},{y:.0f}" for x, y in (ends[0], ends[1] - 9 * along))
    head = " ".join(f"{x:.0f},{y:.0f}" for x, y in (tip, left, right))
    return (
        f'<polyline points="{line}" stroke="{WAY}" stroke-width="2" stroke-dasharray="7 5"/>'
        f'<polygon points="{head}" fill="{WAY}"/>'
    )


def raster(
    seen: Array, faces: NDArray[np.int64], size: tuple[int, int]
) -> tuple[NDArray[np.int64], Array]:
    """Return for each pixel the nearest face, -1 where there is none, and its depth in mm."""
    width, height = size
    face = np.full((height, width), -1, dtype=np.int64)
    depth = np.full((height, width), -np.inf)
    corners = seen[faces]
    ax, ay = corners[:, 0, 0], corners[:, 0, 1]
    bx, by = corners[:, 1, 0], corners[:, 1, 1]
    cx, cy = corners[:, 2, 0], corners[:, 2, 1]
    twice = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    low = np.clip(np.ceil(corners[:, :, :2].min(axis=1) - 0.5).astype(int), 0, [width, height])
    high = np.clip(np.floor(corners[:, :, :2].max(axis=1) + 0.5).astype(int), 0, [width, height])
    visible = (twice < -1e-9) & (high > low).all(axis=1)
    for n in np.flatnonzero(visible):
        (left, top), (right, bottom) = low[n], high[n]
        x = np.arange(left, right)[None, :] + 0.5
        y = np.arange(top, bottom)[:, None] + 0.5
        one = ((bx[n] - x) * (cy[n] - y) - (cx[n] - x) * (by[n] - y)) / twice[n]
        two = ((cx[n] - x) * (ay[n] - y) - (ax[n] - x) * (cy[n] - y)) / twice[n]
        three = 1 - one - two
        inside = (one >= 0) & (two >= 0) & (three >= 0)
        if not inside.any():
            continue
        a, b, c = corners[n, :, 2]
        z = one * a + two * b + three * c
        part = depth[top:bottom, left:right]
        nearer = inside & (z > part)
        part[nearer] = z[nearer]
        face[top:bottom, left:right][nearer] = n
    return face, depth
