"""The printed parts: base, top, and the bars that hold what has no holes.

All numbers are chosen.
"""

from collections.abc import Iterator
from typing import Final

from manifold3d import CrossSection, Manifold

from hardware.case.bodies import (
    BAR_MM,
    BUMP_MM,
    Body,
    Spot,
    bar_lows,
    bar_spots,
    board_screws,
    half_width,
    mm,
    outline_of,
    pad_joints,
    pi_holes,
    pi_x,
    screw_places,
    shim_socket,
)
from hardware.case.carrier import carrier, eyes
from hardware.case.sizes import Sizes
from hardware.case.solids import Layer, box, footed, joined, loft, rod, rounded, shrunk, slab

WARM = (150, 58, 38)
"""The colour of base, bars and carrier."""
BLACK = (40, 39, 42)
"""The colour of the top."""
BOSS_MM: Final = 6.0
"""Across a boss for a screw."""
POST_MM: Final = 7.8
"""Across a post of the base."""
TONGUE_MM: Final = 1.1
"""Width of the tongue that holds the top in the base …"""
TONGUE_HIGH_MM: Final = 0.8
"""… and its height."""
PIP_MM: Final = 1.7
"""Across a pip of the die in the top."""
SLOT_MM: Final = 2.4
"""Width of a slot of a bar; a leg of the piezo goes through it, with its joint."""
TURNED: Final = ("top",)
"""Parts that are printed upside down."""


def printed(sizes: Sizes) -> list[Body]:
    """Return every printed part, in place."""
    outline = outline_of(sizes)
    bars = [
        Body(f"bar {name}", bar(*place), WARM, floor=5) for name, place in bar_lows(sizes).items()
    ]
    return [
        Body("base", base(sizes, outline), WARM, floor=0),
        Body("top", top(sizes, outline), BLACK, floor=8),
        Body("carrier", carrier(sizes), WARM, floor=5),
        *bars,
    ]


def hull(sizes: Sizes, outline: CrossSection, deeper: float = 0.0) -> Manifold:
    """Return the case as if it were solid; ``deeper``: without its outermost layer."""
    return loft(_profile(sizes, outline, deeper))


def _profile(sizes: Sizes, outline: CrossSection, deeper: float) -> Iterator[Layer]:
    """Straight sides between two bevels, which print without supports."""
    thick, belly, brow = sizes.thick, sizes.belly, sizes.brow
    for z, inset in ((0.0, belly), (belly, 0.0), (thick - brow, 0.0), (thick, brow)):
        yield min(max(z, deeper), thick - deeper), shrunk(outline, inset + deeper)


# ---- shells ----------------------------------------------------------------------------------


def base(sizes: Sizes, outline: CrossSection) -> Manifold:
    """Return the base: floor, wall up to the split with a tongue, and posts for two boards."""
    wall, floor, split = sizes.wall, sizes.floor, sizes.split
    shell = hull(sizes, outline).trim_by_plane([0, 0, -1], -split)
    hollow = loft(
        (z, shrunk(outline, wall + max(0.0, sizes.belly - z)))
        for z in (floor, max(floor, sizes.belly), split + 1)
    )
    tongue = _tongue(sizes, outline, 0.0) - slab(shrunk(outline, wall), split - 1, split + 9)
    holes = pi_holes(sizes)
    posts = [
        rod(x, y, floor - 0.5, sizes.pi_low if (x, y) in holes else split, POST_MM)
        for x, y in screw_places(sizes)
    ]
    posts += [  # pins in the Pi's near holes
        rod(x, y, floor - 0.5, sizes.pi_low, 5) + rod(x, y, floor, sizes.pi_low + 1.3, 2.4)
        for x, y in holes[2:]
    ]
    posts += [
        rod(x, y, floor - 0.5, sizes.pi_low, sizes.post + 1) for x, y, _ in _cores(sizes, False)
    ]
    inside = hull(sizes, outline, 0.4).trim_by_plane([0, 0, -1], -split)
    shell = shell - hollow + tongue + (joined(posts) ^ (inside + tongue))
    return shell - _base_cuts(sizes)


def _cores(sizes: Sizes, is_up: bool) -> Iterator[tuple[float, float, float]]:
    """The holes for the screws of boards in the top, or in the base: x, y and the tip's height."""
    for _, spots, under, up in board_screws(sizes):
        if up == is_up:
            tip = under + (sizes.board_screw + 0.3) * (1 if up else -1)
            yield from ((x, y, tip) for x, y in spots)


def _tongue(sizes: Sizes, outline: CrossSection, air: float) -> Manifold:
    """The tongue of the base as a solid plug; with ``air`` it is its room in the top.

    It ends in a slope, so that the groove prints without supports.
    """
    low, edge = sizes.split, sizes.wall - TONGUE_MM - air
    high = low + TONGUE_HIGH_MM + air
    layers = [(low - 0.01, edge), (high, edge), (high + TONGUE_MM + air, sizes.wall)]
    return loft((z, shrunk(outline, inset)) for z, inset in layers)


def _base_cuts(sizes: Sizes) -> Manifold:
    thread, head = mm("screw.thread"), mm("screw.head")
    cuts = [rod(x, y, -1, sizes.split + 2, thread + 0.3) for x, y in screw_places(sizes)]
    cuts += [rod(x, y, -1, sizes.screw_seat, head + 0.5) for x, y in screw_places(sizes)]
    core, high = mm("screw.core"), sizes.pi_low + 1
    cuts += [rod(x, y, tip, high, core) for x, y, tip in _cores(sizes, False)]
    return joined([*cuts, plug_cut(sizes), scoop(sizes), *slots(sizes)])


def slots(sizes: Sizes) -> list[Manifold]:
    """Return the slots in the floor below the Pi."""
    shape = rounded(12, 1.6, 0.79)
    return [
        slab(shape.translate([x, sizes.pi_far - 5 - 4 * n]), -1, sizes.floor + 1)
        for n in range(5)
        for x in (-8, 8)
    ]


def top(sizes: Sizes, outline: CrossSection) -> Manifold:
    """Return the top: wall, and the plate with a post for each screw. It is printed face down."""
    wall, split, low = sizes.wall, sizes.split, sizes.plate_low
    shell = hull(sizes, outline).trim_by_plane([0, 0, 1], split)
    hollow = slab(shrunk(outline, wall), split - 1, low)
    groove = _tongue(sizes, outline, sizes.fit)
    inside = slab(shrunk(outline, 0.5), split, low + 0.5)
    bosses = joined(_bosses(sizes)) ^ inside
    room = groove - slab(shrunk(outline, wall + 0.2), split - 1, split + 9)
    return shell - hollow - groove + (bosses - room) + _posts(sizes) - _top_cuts(sizes)


def boss_top(sizes: Sizes) -> float:
    """Return where the hole for a screw ends."""
    return sizes.screw_seat + sizes.screw + 0.6


def _bosses(sizes: Sizes) -> Iterator[Manifold]:
    """Columns for the screws of the case, each with a rib to the wall."""
    low, high = sizes.split, sizes.plate_low + 0.5
    for number, (x, y) in enumerate(screw_places(sizes)):
        side = 1 if x > 0 else -1
        yield rod(x, y, low, high, BOSS_MM)
        ends = (min(x, x + side * 9), max(x, x + side * 9))
        yield box((ends[0], y - 1, low), (ends[1], y + 2, high))
        if number < 2:
            yield box((x - 2, y, low), (x + 2, sizes.long, high))


def _posts(sizes: Sizes) -> Manifold:
    """Posts for the boards and bars, one above the SHIM, the light's tube, the piezo's fence."""
    high = sizes.plate_low + 0.5
    heights = {
        "display": sizes.display_post, "light": sizes.light_post, "bar piezo": sizes.piezo_post,
        "carrier": sizes.carrier_post,
        "bar pad": sizes.plate_low - bar_lows(sizes)["pad"][2] - BAR_MM,
    }  # fmt: skip
    posts = [
        rod(x, y, sizes.plate_low - heights[name], high, sizes.post)
        for name, spots, _, is_up in board_screws(sizes)
        if is_up
        for x, y in spots
    ]
    tube = rod(sizes.light_x, sizes.light_y, tube_low(sizes), high, sizes.hole + 2.6)
    across, y = mm("piezo.across"), sizes.piezo_y
    fence = rod(0, y, sizes.plate_low - 4, high, across + 3) - rod(
        0, y, sizes.plate_low - 5, high, across + 0.6
    )
    sx, sy, top_of_socket = shim_socket(sizes)
    thumb = rod(sx, sy, top_of_socket + sizes.gap, high, sizes.post)
    return joined([*posts, tube, fence, thumb])


def tube_low(sizes: Sizes) -> float:
    """Return where the tube of the light ends."""
    return sizes.light_top + sizes.tube_air


def _top_cuts(sizes: Sizes) -> Manifold:
    core, split = mm("screw.core"), sizes.split
    cuts = [rod(x, y, split - 1, boss_top(sizes), core) for x, y in screw_places(sizes)]
    cuts += [rod(x, y, split - 0.5, split + 0.6, core + 1, core) for x, y in screw_places(sizes)]
    cuts += [rod(x, y, sizes.floor, tip, core) for x, y, tip in _cores(sizes, True)]
    x, y = sizes.light_x, sizes.light_y
    cuts.append(rod(x, y, sizes.floor, sizes.thick + 1, sizes.hole))
    cuts.append(cone(sizes))
    cuts.append(window(sizes))
    module = rounded(mm("pad.width") + 0.8, mm("pad.length") + 0.8, 0.5)
    recess = module.translate([sizes.pad_x, sizes.pad_y])
    cuts.append(slab(recess, sizes.plate_low - 0.01, sizes.thick - sizes.pad_plastic))
    _, (jx, jy, _), _ = pad_joints(sizes)
    pocket = rounded(8.2, 3.0, 0.5).translate([jx, jy])
    cuts.append(slab(pocket, sizes.plate_low, sizes.thick - sizes.pad_plastic + BUMP_MM + 0.1))
    cuts.append(pad_mark(sizes))
    cuts += [rod(px, py, sizes.plate_low - 1, sizes.thick + 1, PIP_MM) for px, py in pips(sizes)]
    return joined([*cuts, plug_cut(sizes), scoop(sizes), eyes(sizes)])


def cone(sizes: Sizes) -> Manifold:
    """Return the cone for the thumb, which ends in the light's hole."""
    low, high = sizes.dish_low, sizes.thick + 0.01
    x, y = sizes.light_x, sizes.light_y
    return rod(x, y, low, high, sizes.hole, sizes.hole + 2 * sizes.dish_deep)


def window(sizes: Sizes) -> Manifold:
    """Return the window over the picture; it opens outwards by 45°."""
    wide, long = (mm(f"qt_display.picture_{one}") + 2 * sizes.window for one in ("length", "width"))
    low, high = sizes.plate_low, sizes.thick
    small = rounded(wide, long, 0.8).translate([0, sizes.picture_y])
    return loft(
        [(low - 0.01, small), (low + 0.6, small), (high + 0.01, shrunk(small, -(high - low - 0.6)))]
    )


def pad_mark(sizes: Sizes) -> Manifold:
    """Return the groove around the touch pad that a thumb feels."""
    x, y, low, high = sizes.pad_x, sizes.pad_y, sizes.thick - 0.5, sizes.thick + 0.01
    return rod(x, y, low, high, 20, 21) - rod(x, y, low - 1, high + 1, 18)


def pips(sizes: Sizes) -> list[Spot]:
    """Return the middles of the holes that let the piezo be heard, a five."""
    y = sizes.piezo_y
    return [(0.0, y), *((a * 3.2, y + b * 3.2) for a in (-1, 1) for b in (-1, 1))]


def plug_cut(sizes: Sizes, air: float = 0.4) -> Manifold:
    """Return the opening for the plug at the Pi's socket PWR."""
    wide, high = mm("plug.wide") + 2 * air, mm("plug.high") + 2 * air
    shape = Manifold.extrude(rounded(wide, high, 1.6), 12).rotate([90, 0, 0])
    z = sizes.pi_top + mm("pi.usb_high") / 2
    return shape.translate([pi_x(mm("pi.power_x")), sizes.long + 8.4, z])


def scoop(sizes: Sizes) -> Manifold:
    """Return a hollow for the finger that pulls the card."""
    y = sizes.pi_far - mm("pi.card_y")
    x = half_width(sizes, y)
    reach = x - mm("pi.length") / 2 - mm("pi.card_out") - 0.2
    ball = Manifold.sphere(1, 64).scale([reach + 4.2, 10.5, 6.0])
    return ball.translate([x + 4, y, sizes.pi_top + 0.75])


def bar(x: float, y: float, low: float) -> Manifold:
    """Return a bar with two holes; it presses a part without holes against the top."""
    shape = rounded(26, 6, 2.9).translate([x, y])
    holes = [rod(px, py, low - 1, low + 9, mm("screw.thread") + 0.3) for px, py in bar_spots(x, y)]
    half, pitch = SLOT_MM / 2, mm("piezo.pitch") / 2
    legs = [  # of the piezo: open to the near edge
        box((x + leg - half, y - 4, low - 1), (x + leg + half, y + half, low + 9))
        for leg in (-pitch, pitch)
    ]
    return footed(shape, low, low + BAR_MM) - joined([*holes, *legs])
