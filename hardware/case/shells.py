"""The printed parts: lower shell, upper shell, front, well and ring."""

from collections.abc import Iterator
from math import cos, pi, sin, sqrt

from manifold3d import CrossSection, Manifold

from hardware.case.bodies import (
    SWITCH_Y,
    Body,
    charger_socket,
    half_width,
    outline_of,
    pi_holes,
    pi_x,
    piezo_place,
    screw_places,
    switch_z,
)
from hardware.case.large import columns, power_plug, vents
from hardware.case.sizes import Sizes
from hardware.case.solids import (
    Layer,
    along_x,
    along_y,
    box,
    joined,
    loft,
    rod,
    rounded,
    shrunk,
    slab,
)
from hardware.parts import bought

WARM = (150, 58, 38)
BLACK = (40, 39, 42)
BRASS = (206, 152, 62)
BOSS_MM = 6.4
LARGE_BOSS_MM = 5.8
"""A large Pi has no more room around its holes."""
POST_MM = 7.8
TONGUE_MM = 1.1
TONGUE_HIGH_MM = 0.8
PIP_MM = 1.7
REVISION = 1


def printed(sizes: Sizes) -> list[Body]:
    """Return every printed part, in place."""
    outline = outline_of(sizes)
    return [
        Body("lower", lower(sizes, outline), WARM, floor=0),
        Body("upper", upper(sizes, outline), BLACK, floor=8),
        Body("front", front(sizes, outline), BLACK, floor=9),
        Body("well", well(sizes), BLACK, floor=7),
        Body("ring", ring(sizes), BRASS, floor=10),
    ]


def hull(sizes: Sizes, outline: CrossSection, deeper: float = 0.0) -> Manifold:
    """Return the case as if it were solid; ``deeper``: without its outermost layer."""
    return loft(_profile(sizes, outline, deeper))


def _profile(sizes: Sizes, outline: CrossSection, deeper: float) -> Iterator[Layer]:
    belly, brow, steps = sizes.belly, sizes.brow, 12
    for n in range(steps + 1):
        turn = pi / 2 * n / steps
        if sizes.round_belly:
            inset, z = belly * (1 - sin(turn)), belly * (1 - cos(turn))
        else:
            inset, z = belly * (1 - n / steps), belly * n / steps
        yield max(z, deeper), shrunk(outline, inset + deeper)
    for n in range(steps + 1):
        turn = pi / 2 * n / steps
        z = sizes.thick - brow * (1 - sin(turn))
        yield min(z, sizes.thick - deeper), shrunk(outline, brow * (1 - cos(turn)) + deeper)


# ---- shells ----------------------------------------------------------------------------------


def lower(sizes: Sizes, outline: CrossSection) -> Manifold:
    """Return the lower shell: floor, wall up to the split with a tongue, and posts."""
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
    if not sizes.is_large:
        posts += _rests(sizes)
    inside = hull(sizes, outline, 0.4).trim_by_plane([0, 0, -1], -split)
    shell = shell - hollow + tongue + (joined(posts) ^ (inside + tongue))
    if sizes.is_large:
        shell += columns(sizes)
    return shell - _lower_cuts(sizes)


def _rests(sizes: Sizes) -> list[Manifold]:
    """Pins in the Pi's near holes, rests of the charger, and a fence for the cell."""
    floor = sizes.floor
    pins = [
        rod(x, y, floor - 0.5, sizes.pi_low, 5) + rod(x, y, floor, sizes.pi_low + 1.3, 2.4)
        for x, y in pi_holes(sizes)[2:]
    ]
    rests = [
        box(
            (x - 1.5, 2.0 + sizes.wall, floor - 0.5),
            (x + 1.5, sizes.wall + 22, floor + sizes.charger_lift),
        )
        for x in (-15, 15)
    ]
    fences = [
        box(
            (side * 8 - 1, sizes.pi_near - 39.6 - 0.6, floor - 0.5),
            (side * 8 + 1, sizes.pi_near - 39.3 + 0.2, floor + 3),
        )
        for side in (-1, 1)
    ]
    return [*pins, *rests, *fences]


def _tongue(sizes: Sizes, outline: CrossSection, air: float) -> Manifold:
    """The tongue of the lower shell as a solid plug; with ``air`` it is its room in the upper one.

    It ends in a slope, so that the groove prints without supports.
    """
    low, edge = sizes.split, sizes.wall - TONGUE_MM - air
    high = low + TONGUE_HIGH_MM + air
    layers = [(low - 0.01, edge), (high, edge), (high + TONGUE_MM + air, sizes.wall)]
    return loft((z, shrunk(outline, inset)) for z, inset in layers)


def _lower_cuts(sizes: Sizes) -> Manifold:
    thread, head = bought().mm("screw", "thread"), bought().mm("screw", "head")
    cuts = [rod(x, y, -1, sizes.split + 2, thread + 0.3) for x, y in screw_places(sizes)]
    cuts += [rod(x, y, -1, sizes.screw_seat, head + 0.5) for x, y in screw_places(sizes)]
    cuts += [plug_cuts(sizes), scoop(sizes)]
    cuts += [
        slab(rounded(12, 1.6, 0.79).translate([0, sizes.pi_far - 9 - 4 * n]), -1, sizes.floor + 1)
        for n in range(3)
    ]
    if sizes.is_large:  # the tongue, too, leaves room for the card
        far, split = sizes.pi_far, sizes.split
        cuts.append(box((-6.4, far, split - 1), (6.4, sizes.long, split + 2)))
    cuts.append(_mark(sizes))
    return joined(cuts)


def _mark(sizes: Sizes) -> Manifold:
    """The revision, inside on the floor: one dot for each."""
    y = sizes.wall + 5
    return joined(
        rod(26 + 2.5 * n, y + 12, sizes.floor - 0.4, sizes.floor + 1, 1.6) for n in range(REVISION)
    )


def upper(sizes: Sizes, outline: CrossSection) -> Manifold:
    """Return the upper shell: a frame with a ledge for the front, and the bosses of the screws."""
    wall, split, ledge = sizes.wall, sizes.split, sizes.front_low
    shell = hull(sizes, outline).trim_by_plane([0, 0, 1], split)
    reach = sizes.rim + 2.2
    slope = ledge - (reach - wall)
    hollow = (
        slab(shrunk(outline, wall), split - 1, slope)
        + loft([(slope, shrunk(outline, wall)), (ledge, shrunk(outline, reach))])
        + slab(shrunk(outline, reach), ledge - 0.01, ledge + 1)
        + slab(shrunk(outline, sizes.rim), ledge, sizes.thick + 1)
    )
    groove = _tongue(sizes, outline, sizes.fit)
    bosses = joined(_bosses(sizes)) ^ (
        hull(sizes, outline, 0.5).trim_by_plane([0, 0, 1], split).trim_by_plane([0, 0, -1], -ledge)
    )
    ring = groove - slab(shrunk(outline, wall + 0.2), split - 1, split + 9)
    return shell - hollow - groove + (bosses - ring) - _upper_cuts(sizes)


def boss_top(sizes: Sizes) -> float:
    """Return where the hole for a screw ends."""
    return _boss_end(sizes) - 2.6


def _boss_end(sizes: Sizes) -> float:
    return min(sizes.bosses, sizes.front_low)


def _bosses(sizes: Sizes) -> Iterator[Manifold]:
    top, across = _boss_end(sizes), LARGE_BOSS_MM if sizes.is_large else BOSS_MM
    for number, (x, y) in enumerate(screw_places(sizes)):
        side = 1 if x > 0 else -1
        yield rod(x, y, sizes.split, top, across)
        if number < 2:
            yield box((x - 2, y, sizes.split), (x + 2, sizes.long, top))
            yield box(
                (min(x, x + side * 9), y - 1, sizes.split), (max(x, x + side * 9), y + 2, top)
            )
        else:
            yield box(
                (min(x, x + side * 9), y - 2, sizes.split), (max(x, x + side * 9), y + 2, top)
            )


def _upper_cuts(sizes: Sizes) -> Manifold:
    core = bought().mm("screw", "core")
    cuts = [rod(x, y, sizes.split - 1, boss_top(sizes), core) for x, y in screw_places(sizes)]
    cuts += [
        rod(x, y, sizes.split - 0.5, sizes.split + 0.6, core + 1, core)
        for x, y in screw_places(sizes)
    ]
    cuts += [plug_cuts(sizes), scoop(sizes), eyes(sizes)]
    half, z = half_width(sizes, SWITCH_Y), switch_z(sizes)
    cuts += [along_x(SWITCH_Y + side * 3.5, z, half - 6, half + 3, 3.0) for side in (-1, 1)]
    if sizes.is_large:
        return joined([*cuts, vents(sizes)])
    cuts.append(box((-half - 2, SWITCH_Y - 2.6, z - 1.3), (-half + 6, SWITCH_Y + 2.6, z + 1.3)))
    long, wide = bought().mm("switch", "length"), bought().mm("switch", "width")
    cuts.append(
        box(
            (-half + sizes.wall - 0.8, SWITCH_Y - long / 2 - 0.3, z - wide / 2 - 0.3),
            (-half + 9, SWITCH_Y + long / 2 + 0.3, z + wide / 2 + 0.3),
        )
    )
    return joined(cuts)


def plug_cuts(sizes: Sizes) -> Manifold:
    """The openings for the three plugs, 0.2 mm wider on each side, with round corners.

    The Pi's two sockets leave a wall of 1.2 mm between them. One opening for both would be too
    wide to print without supports.
    """
    if sizes.is_large:
        return power_plug(sizes, 0.2)
    wide, high = bought().mm("plug", "wide") + 0.4, bought().mm("plug", "high") + 0.4
    shape = Manifold.extrude(rounded(wide, high, 1.6), 12).rotate([90, 0, 0])
    z = sizes.pi_top + bought().mm("pi", "usb_high") / 2
    far = [
        shape.translate([pi_x(bought().mm("pi", f"{name}_x")), sizes.long + 8.4, z])
        for name in ("usb", "power")
    ]
    z = sizes.floor + sizes.charger_lift + bought().mm("charger", "board") + 1.35
    return joined([*far, shape.translate([charger_socket(), sizes.wall + 0.6, z])])


def scoop(sizes: Sizes) -> Manifold:
    """A hollow for the finger that pulls the card: at the right, of a large Pi at the far edge."""
    if sizes.is_large:
        end = sizes.pi_far + bought().mm("large_pi", "card_out")
        z = sizes.pi_low - bought().mm("pi", "card_high") / 2
        ball = Manifold.sphere(1, 64).scale([12, sizes.long - end + 4, 6.0])
        slot = box((-6.4, sizes.pi_far, z - 1.2), (6.4, sizes.long, sizes.split))
        return ball.translate([0, sizes.long + 4, z]) + slot
    y = sizes.pi_far - bought().mm("pi", "card_y")
    x = half_width(sizes, y)
    reach = x - bought().mm("pi", "length") / 2 - bought().mm("pi", "card_out") - 0.2
    ball = Manifold.sphere(1, 64).scale([reach + 4.2, 10.5, 6.0])
    return ball.translate([x + 4, y, sizes.pi_top + 0.75])


def eyes(sizes: Sizes) -> Manifold:
    """The openings of sender and receiver with their bevels, and the room for both behind them."""
    z, long, wall, top = sizes.eyes_z, sizes.long, sizes.wall, sizes.front_low
    body, flange = bought().mm("sender", "body"), bought().mm("sender", "flange")
    x = sizes.eyes_x
    cuts = [
        along_y(x, z, long - 12, long + 1, body + 0.3),
        box(
            (x - flange / 2 - 0.5, long - 12, z - flange / 2 - 0.5),
            (x + flange / 2 + 0.5, long - wall - 2.5, top),
        ),
        along_y(x, z, long - 0.9, long + 0.1, body + 0.3, body + 2.3),
    ]
    x, high, half = (
        sizes.receiver_x,
        bought().mm("receiver", "high"),
        bought().mm("receiver", "length") / 2,
    )
    cuts += [
        along_y(x, z, long - wall - 1, long + 1, 5.0),
        along_y(x, z, long - wall, long + 0.1, 3.6, 3.6 + 2 * (wall + 0.1)),
        box(
            (x - high / 2 - 0.4, long - 12, z - half - 0.4),
            (x + high / 2 + 0.4, long - wall - 1.0, top),
        ),
    ]  # fmt: skip
    return joined(cuts)


# ---- front, well, ring -----------------------------------------------------------------------


def front(sizes: Sizes, outline: CrossSection) -> Manifold:
    """Return the front, which lies in the upper shell and is printed with its face up."""
    plate = slab(shrunk(outline, sizes.rim + sizes.fit), sizes.front_low, sizes.thick)
    x, y = sizes.well_x, sizes.well_y
    dish = Manifold.sphere(sizes.dish_round, 96).translate(
        [x, y, sizes.dish_low + sizes.dish_round]
    )
    inner, outer = _ring_radii(sizes)
    groove = rod(x, y, sizes.thick - 0.8, sizes.thick + 1, 2 * outer + 2 * sizes.fit) - rod(
        x, y, sizes.thick - 2, sizes.thick + 2, 2 * inner - 2 * sizes.fit
    )
    pane = rounded(sizes.window_wide, sizes.window_long, 2.5).translate([0, sizes.picture_y])
    opening = rounded(
        bought().mm("display", "picture_length") + 3,
        bought().mm("display", "picture_width") + 3,
        1.5,
    ).translate([0, sizes.picture_y])
    pad = rounded(19, 19, 4.5).translate([sizes.pad_x, sizes.pad_y])
    module = rounded(
        bought().mm("pad", "length") + 0.8, bought().mm("pad", "width") + 0.8, 0.5
    ).translate([sizes.pad_x, sizes.pad_y])
    floor = sizes.thick - sizes.pad_deep
    cut = plate - joined(
        [
            dish,
            groove,
            rod(x, y, sizes.front_low - 1, sizes.thick, _spigot(sizes) + 2 * sizes.fit),
            slab(pane, sizes.thick - bought().mm("pane", "thick"), sizes.thick + 1),
            slab(opening, sizes.front_low - 1, sizes.thick),
            loft([(floor, shrunk(pad, 0.5)), (sizes.thick + 0.01, pad)]),
            slab(module, sizes.front_low - 1, floor - sizes.pad_plastic),
            *(rod(px, py, sizes.front_low - 1, sizes.thick + 1, PIP_MM) for px, py in _pips(sizes)),
        ]
    )
    dots = [
        Manifold.sphere(2.6, 64)
        .scale([1, 1, 0.35])
        .translate([sizes.pad_x + side * 4, sizes.pad_y + side * 4, floor - 0.35])
        .trim_by_plane([0, 0, 1], floor - 0.2)
        for side in (-1, 1)
    ]
    return cut + joined(dots)


def _pips(sizes: Sizes) -> list[tuple[float, float]]:
    """The piezo's vent, a five."""
    x, y = piezo_place(sizes)
    return [(x, y), *((x + a * 3.2, y + b * 3.2) for a in (-1, 1) for b in (-1, 1))]


def _ring_radii(sizes: Sizes) -> tuple[float, float]:
    return sizes.dish_reach + 0.7, sizes.dish_reach + 2.0


def _spigot(sizes: Sizes) -> float:
    """The outer diameter of the tube that lines the hole."""
    return sizes.hole + 2.4


def well(sizes: Sizes) -> Manifold:
    """Return the well: a black block that lines the hole and holds the light sensor below it."""
    x, y = sizes.well_x, sizes.well_y
    low = sizes.sensor_top - bought().mm("light", "sensor")
    block = slab(rounded(14, 14, 2).translate([x, y]), low, sizes.front_low)
    dish = Manifold.sphere(sizes.dish_round, 96).translate(
        [x, y, sizes.dish_low + sizes.dish_round]
    )
    tube = rod(x, y, sizes.front_low - 1, sizes.thick, _spigot(sizes))
    sensor = rounded(
        bought().mm("light", "sensor_length") + 2 * sizes.gap + 0.1,
        bought().mm("light", "sensor_width") + 2 * sizes.gap + 0.1,
        0.4,
    ).translate([x, y])
    bore = rod(x, y, sizes.sensor_top - 1, sizes.thick, sizes.hole)
    return block + tube - dish - bore - slab(sensor, low - 1, sizes.sensor_top)


def ring(sizes: Sizes) -> Manifold:
    """Return the ring that a thumb feels for; it stands out by half a millimetre."""
    inner, outer = _ring_radii(sizes)
    x, y, low, top = sizes.well_x, sizes.well_y, sizes.thick - 0.8, sizes.thick + 0.5
    middle, half = (inner + outer) / 2, (outer - inner) / 2
    steps = 8
    shape = [(middle - half, 0.0), (middle + half, 0.0)]
    shape += [
        (
            middle + half * cos(pi * n / steps),
            top - low - 0.5 + 0.5 * sqrt(max(0.0, 1 - cos(pi * n / steps) ** 2)),
        )
        for n in range(steps + 1)
    ]
    return Manifold.revolve(CrossSection([shape]), 96).translate([x, y, low])
