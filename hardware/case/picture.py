"""Pictures of bodies: a camera, light from one side, and darkness in deep places.

Triangles go into a depth buffer. A place behind its neighbours is darker, and a step in depth gets
a line, so that bodies of one colour stay apart.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from hardware.case.bodies import RGB

Array = NDArray[np.float64]
SUN: Final = np.array([-0.42, -0.36, 0.83])
PAPER: Final = np.array([0.955, 0.945, 0.925])
BLUR: Final = 22
"""Pixels around a place that darken it where they are nearer."""
LINE_MM: Final = 1.2
"""A step in depth that gets a line."""


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
    """A solid with its colour."""

    solid: Manifold
    colour: RGB


def picture(things: Sequence[Thing], camera: Camera) -> Image.Image:
    """Return the picture of things on pale paper."""
    double = camera._replace(size=(camera.size[0] * 2, camera.size[1] * 2))
    points, faces, colours, count = [], [], [], 0
    for thing in things:
        mesh = thing.solid.to_mesh64()
        points.append(np.asarray(mesh.vert_properties, dtype=float)[:, :3])
        faces.append(np.asarray(mesh.tri_verts, dtype=np.int64) + count)
        colours.append(np.tile((np.array(thing.colour) / 255) ** 2.2, (len(faces[-1]), 1)))
        count += len(points[-1])
    places, corners = np.concatenate(points), np.concatenate(faces)
    face, depth = raster(double.project(places), corners, double.size)
    a, b, c = (places[corners[:, n]] for n in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-12)[:, None]
    lit = (
        np.concatenate(colours)
        * (0.45 + 0.3 * normal[:, 2] + 0.75 * (normal @ SUN).clip(0))[:, None]
    )
    seen = face >= 0
    rgb = np.tile(PAPER**2.2, (*face.shape, 1))
    rgb[seen] = (lit[face[seen]] + 0.006) * _depths(depth)[seen][:, None]
    image = Image.fromarray((rgb.clip(0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8))
    return image.resize(camera.size, Image.Resampling.LANCZOS)


def _depths(depth: Array) -> Array:
    """Return how much of the light deep places and the edges of near ones keep, 0 to 1."""
    low, high = depth[np.isfinite(depth)].min(), depth.max()
    flat = np.where(np.isfinite(depth), depth, low)
    grey = Image.fromarray(((flat - low) / max(high - low, 1e-9) * 255).astype(np.uint8))
    around = np.asarray(grey.filter(ImageFilter.GaussianBlur(BLUR)), float) / 255 * (high - low)
    kept: Array = np.exp(-np.clip(around + low - flat, 0, 30) / 9)
    steps = [np.abs(flat - np.roll(flat, 1, axis)) > LINE_MM for axis in (0, 1)]
    kept[steps[0] | steps[1]] *= 0.25
    return kept


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
