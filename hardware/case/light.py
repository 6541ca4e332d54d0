"""The light that reaches the sensor through the lid's hole: open, under a thumb, from the display.

Rays start at the sensor and are followed backwards until they see the sky. The dish counts as a
flat plate, and the thumb as a disc above it.

All numbers are chosen.
"""

from dataclasses import replace
from functools import cache
from math import exp

import numpy as np
from numpy.typing import NDArray

from hardware.case.sizes import Sizes
from hardware.parts import bought

Points = NDArray[np.float64]
RAYS = 15_000
"""The number of rays from the sensor."""
BOUNCES = 24
"""The most times that a ray is thrown back."""
SEED = 1
"""The seed of the rays."""


def open_share(sizes: Sizes) -> float:
    """Return the share of an open sky's light that comes through the hole."""
    return _open_share(replace(sizes, thumb_off=0.0))


def forget_light() -> None:
    """Forget what was computed with other parts."""
    _open_share.cache_clear()


@cache
def _open_share(sizes: Sizes) -> float:
    return _seen(sizes, None)


def covered_share(sizes: Sizes) -> float:
    """Return the light under a thumb, as a share of that through the open hole.

    It includes what glows through the plastic beside the thumb.
    """
    return _seen(sizes, sizes.thumb_off) / open_share(sizes) + glow_share(sizes)


def glow_share(sizes: Sizes) -> float:
    """Return the light that comes through the plastic between the thumb's edge and the hole.

    Half of the light that enters beside the thumb goes towards the hole, as far as the plastic
    lets it; none of it is guided by the surface.
    """
    limit = bought().limit
    way = max(0.3, limit("thumb_across_mm") / 2 - sizes.thumb_off - sizes.hole / 2)
    return 0.5 * exp(-way / limit(f"{sizes.colour}_deep_mm"))


def _seen(sizes: Sizes, thumb_off: float | None) -> float:
    limit = bought().limit
    radius, deep = sizes.hole / 2, sizes.well_deep
    gap, thumb = limit("thumb_gap_mm"), limit("thumb_across_mm") / 2
    plastic, skin = limit(f"{sizes.colour}_share"), limit("thumb_share")
    chance = np.random.default_rng(SEED)
    place = np.zeros((RAYS, 3))
    place[:, 2] = -deep
    way = _spread(chance, np.tile([0.0, 0.0, 1.0], (RAYS, 1)))
    weight = np.ones(RAYS)
    seen = 0.0
    for _ in range(BOUNCES):
        inside = place[:, 2] < -1e-9
        far, normal, share = _in_hole(place, way, radius, deep, plastic)
        over, over_normal, over_share, sky = _above(
            place, way, (gap, thumb, thumb_off), (plastic, skin), radius
        )
        far = np.where(inside, far, over)
        normal = np.where(inside[:, None], normal, over_normal)
        share = np.where(inside, share, over_share)
        sky &= ~inside
        seen += float(weight[sky].sum())
        keep = ~sky
        place, normal = place[keep] + way[keep] * far[keep, None], normal[keep]
        leaves = np.abs(normal).sum(axis=1) < 0.5
        weight = weight[keep] * np.where(leaves, 1.0, share[keep])
        way = np.where(leaves[:, None], way[keep], _spread(chance, normal))
        place = place + way * 1e-7
        if len(place) == 0:
            break
    return seen / RAYS


def _spread(chance: np.random.Generator, normal: Points) -> Points:
    """Return a direction for each normal, as a dull surface sends light."""
    height = 2 * chance.random(len(normal)) - 1
    turn = 2 * np.pi * chance.random(len(normal))
    flat = np.sqrt(1 - height**2)
    ball = np.stack([flat * np.cos(turn), flat * np.sin(turn), height], axis=1)
    found = normal + 0.999 * ball
    way: Points = found / np.linalg.norm(found, axis=1)[:, None]
    return way


def _in_hole(
    place: Points, way: Points, radius: float, deep: float, plastic: float
) -> tuple[Points, Points, Points]:
    """The next surface in the hole; a normal of zeros is its open upper end."""
    flat = np.maximum((way[:, :2] ** 2).sum(axis=1), 1e-15)
    half = (place[:, :2] * way[:, :2]).sum(axis=1)
    room = (place[:, :2] ** 2).sum(axis=1) - radius**2
    side = (-half + np.sqrt(np.maximum(half**2 - flat * room, 0))) / flat
    up = np.where(way[:, 2] > 0, -place[:, 2], -deep - place[:, 2])
    end = up / np.where(np.abs(way[:, 2]) < 1e-12, 1e-12, way[:, 2])
    hits_side = side < end
    there = place + way * side[:, None]
    inwards = np.concatenate([-there[:, :2] / radius, np.zeros((len(there), 1))], axis=1)
    ends = np.where(
        (way[:, 2] > 0)[:, None], np.zeros((len(way), 3)), np.tile([0.0, 0.0, 1.0], (len(way), 1))
    )
    return (
        np.where(hits_side, side, end),
        np.where(hits_side[:, None], inwards, ends),
        np.full(len(place), plastic),
    )


def _above(
    place: Points,
    way: Points,
    thumb: tuple[float, float, float | None],
    shares: tuple[float, float],
    radius: float,
) -> tuple[Points, Points, Points, NDArray[np.bool_]]:
    """The next surface above the plate, or the sky; down through the hole the normal is zero."""
    gap, across, off = thumb
    steep = np.where(np.abs(way[:, 2]) < 1e-12, 1e-12, way[:, 2])
    rises = way[:, 2] > 0
    up = (gap - place[:, 2]) / steep
    there = place + way * up[:, None]
    hits = np.zeros(len(place), bool)
    if off is not None:
        hits = rises & ((there[:, 0] - off) ** 2 + there[:, 1] ** 2 < across**2) & (up > 0)
    down = -place[:, 2] / steep
    floor = place + way * down[:, None]
    falls_in = ~rises & ((floor[:, :2] ** 2).sum(axis=1) < radius**2)
    normal = np.where(
        rises[:, None],
        np.tile([0.0, 0.0, -1.0], (len(way), 1)),
        np.tile([0.0, 0.0, 1.0], (len(way), 1)),
    )
    normal[falls_in] = 0
    far = np.where(rises, up, down)
    return far, normal, np.where(rises, shares[1], shares[0]), rises & ~hits


def display_lux(sizes: Sizes) -> float:
    """Return the display's light on the sensor by way of a palm, in lx; all pixels are lit.

    The palm is a square of 90 mm above both, at the height from 20 to 100 mm that is worst.
    """
    parts = bought()
    area = parts.mm("qt_display", "picture_length") * parts.mm("qt_display", "picture_width") * 1e-6
    candela = parts.limit("display_candela") * area
    y = np.linspace(sizes.light_y - 30, sizes.picture_y + 10, 46) * 1e-3
    x = np.linspace(-45, 45, 46) * 1e-3
    across, along = np.meshgrid(x, y)
    patch = float((x[1] - x[0]) * (y[1] - y[0]))
    steepest = sizes.hole / 2 / sizes.well_deep
    worst = 0.0
    for height in np.linspace(0.02, 0.1, 9):
        from_display = across**2 + (along - sizes.picture_y * 1e-3) ** 2 + height**2
        palm = candela * height**2 / from_display**2
        flat = (across - sizes.light_x * 1e-3) ** 2 + (along - sizes.light_y * 1e-3) ** 2
        to_sensor = flat + height**2
        sees = np.sqrt(flat) / height < steepest
        lux = palm * parts.limit("palm_share") / np.pi * height**2 / to_sensor**2 * patch * sees
        worst = max(worst, float(lux.sum()))
    return worst
