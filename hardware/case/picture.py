"""Pictures of bodies: a camera, soft light from the whole sky, no graphics card.

Triangles go into a depth buffer. Light comes from many directions; for each the surface is
scattered into a coarse depth map that says what lies in shadow.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from hardware.case.bodies import RGB

Array = NDArray[np.float64]
Cells = NDArray[np.int64]
Glow = tuple[Array, float, float, float, float]
"""A picture in light: rows from far to near, 0 to 1; x and y of its lower left corner; size."""
SKY = 24
"""Directions that light comes from."""
SUN = 8
CELL_MM = 1.0
SEED = 3
PAPER = np.array([0.955, 0.945, 0.925])


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


class Thing(NamedTuple):
    """A solid with its colour; ``gloss`` 0 is matt, ``glow`` a square picture of light on top.

    ``glow`` is (array of rows from far to near, 0 to 1; x, y of its lower left corner; width;
    height), laid over everything that looks up.
    """

    solid: Manifold
    colour: RGB
    gloss: float = 0.12
    glow: Glow | None = None


class _Mesh(NamedTuple):
    points: Array
    normal: Array
    faces: NDArray[np.int64]
    thing: NDArray[np.int64]


def picture(things: Sequence[Thing], camera: Camera, ground: float | None = 0.0) -> Image.Image:
    """Return the picture; ``ground``: height of the paper that things stand on, None: no shadow."""
    double = camera._replace(size=(camera.size[0] * 2, camera.size[1] * 2))
    mesh = _mesh(things)
    face, _depth = raster(double.project(mesh.points), mesh.faces, double.size)
    rgb = _shade(mesh, things, double, face, ground)
    image = Image.fromarray((np.clip(rgb, 0, 1) * 255 + 0.5).astype(np.uint8))
    return image.resize(camera.size, Image.Resampling.LANCZOS)


def _mesh(things: Sequence[Thing]) -> _Mesh:
    points, normal, faces, owner = [], [], [], []
    count = 0
    for number, thing in enumerate(things):
        mesh = thing.solid.calculate_normals(0, 35.0).to_mesh()
        data = np.asarray(mesh.vert_properties, dtype=float)
        tri = np.asarray(mesh.tri_verts, dtype=np.int64)
        points.append(data[:, :3])
        normal.append(data[:, 3:6])
        faces.append(tri + count)
        owner.append(np.full(len(tri), number))
        count += len(data)
    return _Mesh(*(np.concatenate(one) for one in (points, normal, faces, owner)))


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
    low = np.clip(np.floor(corners[:, :, :2].min(axis=1)).astype(int), 0, [width, height])
    high = np.clip(np.ceil(corners[:, :, :2].max(axis=1)).astype(int) + 1, 0, [width, height])
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


def _shade(
    mesh: _Mesh,
    things: Sequence[Thing],
    camera: Camera,
    face: NDArray[np.int64],
    ground: float | None,
) -> Array:
    height, width = face.shape
    rgb = np.tile(PAPER, (height, width, 1))
    rows, columns = (each.astype(np.int64) for each in np.nonzero(face >= 0))
    faces = face[rows, columns]
    place, normal = _surface(mesh, camera, rows, columns, faces)
    owner = mesh.thing[faces]
    colours = (np.array([thing.colour for thing in things]) / 255) ** 2.2
    gloss = np.array([thing.gloss for thing in things])[owner]
    shadows = _shadows(_cloud(mesh))
    sky, sun = _light(shadows, place, normal)
    way = shadows[1][0].way
    lit = colours[owner] * (0.9 * sky + 1.15 * sun)[:, None]
    eye = np.array(camera.look) + camera.axes()[2] * camera.away - place
    eye /= np.linalg.norm(eye, axis=1)[:, None]
    half = eye + way
    half /= np.linalg.norm(half, axis=1)[:, None]
    facing = np.clip((eye * normal).sum(axis=1), 0, 1)
    shine = np.clip((half * normal).sum(axis=1), 0, 1) ** (12 + 140 * gloss)
    rim = (1 - facing) ** 4
    mirror = 2 * facing[:, None] * normal - eye
    bright = np.clip(0.35 + 0.75 * mirror[:, 2], 0, 1)
    lit += (gloss * (shine * 0.9 * (sun > 0.05) + (0.02 + 0.7 * rim) * bright * (0.3 + sky)))[
        :, None
    ]
    for number, thing in enumerate(things):
        if thing.glow is not None:
            _glow(lit, thing.glow, place, normal, owner == number)
    rgb[rows, columns] = (lit / (1 + 0.16 * lit)) ** (1 / 2.2)
    if ground is not None:
        _paper(rgb, camera, shadows, face < 0, ground)
    return rgb


def _surface(
    mesh: _Mesh, camera: Camera, rows: Cells, columns: Cells, faces: NDArray[np.int64]
) -> tuple[Array, Array]:
    """The place and the normal under each pixel."""
    right, up, back = camera.axes()
    eye = np.array(camera.look) + back * camera.away
    scale = camera.zoom / camera.size[0]
    ray = (
        (columns + 0.5 - camera.size[0] / 2)[:, None] * right * scale
        - (rows + 0.5 - camera.size[1] / 2)[:, None] * up * scale
        - back * camera.away
    )
    a, b, c = (mesh.points[mesh.faces[faces, n]] for n in range(3))
    flat = np.cross(b - a, c - a)
    far = ((a - eye) * flat).sum(axis=1) / (ray * flat).sum(axis=1)
    place = eye + ray * far[:, None]
    total = np.maximum((flat * flat).sum(axis=1), 1e-18)
    one = (np.cross(c - b, place - b) * flat).sum(axis=1) / total
    two = (np.cross(a - c, place - c) * flat).sum(axis=1) / total
    shares = np.stack([one, two, 1 - one - two], axis=1)
    smooth = sum(mesh.normal[mesh.faces[faces, n]] * shares[:, n, None] for n in range(3))
    return place, smooth / np.maximum(np.linalg.norm(smooth, axis=1), 1e-12)[:, None]


def _cloud(mesh: _Mesh, count: int = 300_000) -> Array:
    """Points all over the surface."""
    chance = np.random.default_rng(SEED)
    a, b, c = (mesh.points[mesh.faces[:, n]] for n in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    chosen = chance.choice(len(area), count, p=area / area.sum())
    one, other = chance.random((2, count, 1))
    root = np.sqrt(one)
    along = b[chosen] * (1 - other) + c[chosen] * other
    places: Array = a[chosen] * (1 - root) + along * root
    return places


class _Shadows(NamedTuple):
    """The nearest surfaces to the light of one direction, in a map of coarse cells."""

    way: Array
    strength: float
    frame: Array
    low: Array
    nearest: Array

    def sees(self, place: Array) -> NDArray[np.bool_]:
        """Return which places the light reaches."""
        wide, high = self.nearest.shape
        at = place @ self.frame
        x, y = at[:, 0] / CELL_MM - self.low[0], at[:, 1] / CELL_MM - self.low[1]
        inside = (x >= 0) & (x < wide) & (y >= 0) & (y < high)
        across = np.clip(x.astype(np.int64), 0, wide - 1)
        along = np.clip(y.astype(np.int64), 0, high - 1)
        is_seen: NDArray[np.bool_] = ~inside | (at[:, 2] > self.nearest[across, along] - 0.85)
        return is_seen


def _shadows(cloud: Array) -> tuple[list[_Shadows], list[_Shadows]]:
    """Return the shadows of the sky, from all directions, and of the sun, close together."""
    n = np.arange(SKY) + 0.5
    rise = np.arccos(1 - n / SKY)
    turn = np.pi * (1 + 5**0.5) * n
    sky = np.stack([np.cos(turn) * np.sin(rise), np.sin(turn) * np.sin(rise), np.cos(rise)], axis=1)
    chance = np.random.default_rng(SEED)
    sun = np.array([-0.52, -0.12, 0.85]) + chance.normal(0, 0.07, (SUN, 3))
    sun /= np.linalg.norm(sun, axis=1)[:, None]
    strengths = 0.6 + 0.4 * sky[:, 2] + 0.25 * np.clip(-sky[:, 0], 0, None)
    return (
        [_shadow(cloud, way, float(s)) for way, s in zip(sky, strengths, strict=True)],
        [_shadow(cloud, way, 1.0) for way in sun],
    )


def _shadow(cloud: Array, way: Array, strength: float) -> _Shadows:
    side = np.cross(way, [0.0, 0.0, 1.0] if abs(way[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    frame = np.stack([side, np.cross(way, side), way], axis=1)
    at = cloud @ frame
    x, y = np.ascontiguousarray(at[:, 0]) / CELL_MM, np.ascontiguousarray(at[:, 1]) / CELL_MM
    low = np.array([np.floor(x.min()) - 2, np.floor(y.min()) - 2])
    wide, high = int(x.max() - low[0]) + 3, int(y.max() - low[1]) + 3
    nearest = np.full(wide * high, -np.inf)
    cells = (x - low[0]).astype(np.int64) * high + (y - low[1]).astype(np.int64)
    np.maximum.at(nearest, cells, at[:, 2])
    return _Shadows(way, strength, frame, low, nearest.reshape(wide, high))


def _light(
    shadows: tuple[list[_Shadows], list[_Shadows]], place: Array, normal: Array
) -> tuple[Array, Array]:
    """The light of the sky and of the sun on every place, 0 to 1."""
    start = place + normal * 0.7
    found = []
    for group in shadows:
        light, total = np.zeros(len(place)), 0.0
        for one in group:
            facing = normal @ one.way
            lit = np.flatnonzero(facing > 0.02)
            lit = lit[one.sees(start[lit])]
            light[lit] += one.strength * facing[lit]
            total += one.strength * (one.way[2] if group is shadows[0] else 1.0)
        found.append(light / total)
    return found[0] + 0.04, found[1]


def _glow(
    lit: Array, glow: Glow, place: Array, normal: Array,
    mine: NDArray[np.bool_],
) -> None:  # fmt: skip
    bright, x, y, wide, high = glow
    u = (place[:, 0] - x) / wide
    v = (place[:, 1] - y) / high
    on = mine & (normal[:, 2] > 0.9) & (u >= 0) & (u < 1) & (v >= 0) & (v < 1)
    rows = ((1 - v[on]) * bright.shape[0]).astype(int).clip(0, bright.shape[0] - 1)
    columns = (u[on] * bright.shape[1]).astype(int).clip(0, bright.shape[1] - 1)
    lit[on] += bright[rows, columns][:, None] * np.array([0.72, 0.9, 1.0])


def _paper(
    rgb: Array,
    camera: Camera,
    shadows: tuple[list[_Shadows], list[_Shadows]],
    empty: NDArray[np.bool_],
    ground: float,
) -> None:
    """Lay the soft shadow of everything on the paper below."""
    step = 6
    rows, columns = np.mgrid[0 : rgb.shape[0] : step, 0 : rgb.shape[1] : step]
    right, up, back = camera.axes()
    eye = np.array(camera.look) + back * camera.away
    scale = camera.zoom / camera.size[0]
    ray = (
        (columns.ravel() - camera.size[0] / 2)[:, None] * right * scale
        - (rows.ravel() - camera.size[1] / 2)[:, None] * up * scale
        - back * camera.away
    )
    far = (ground - eye[2]) / np.where(np.abs(ray[:, 2]) < 1e-9, -1e-9, ray[:, 2])
    place = eye + ray * far[:, None]
    normal = np.tile([0.0, 0.0, 1.0], (len(place), 1))
    sky, sun = _light(shadows, place, normal)
    shade = (0.62 * sky / 1.04 + 0.38 * sun / 0.85).clip(0, 1).reshape(rows.shape)
    shade[far.reshape(rows.shape) < 0] = 1
    large = (
        np.asarray(
            Image.fromarray((shade * 255).astype(np.uint8))
            .filter(ImageFilter.GaussianBlur(2.5))
            .resize((rgb.shape[1], rgb.shape[0]), Image.Resampling.BICUBIC)
        ).astype(float)
        / 255
    )
    rgb[empty] *= (0.35 + 0.65 * large[empty])[:, None]
