"""Checks of a case that can fail: each returns what is wrong, in one line each.

All numbers are chosen.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Final

from manifold3d import CrossSection, Manifold

from hardware.case.bodies import (
    TOLD,
    Body,
    Case,
    board_screws,
    bodies,
    mm,
    outline_of,
    screw_places,
)
from hardware.case.carrier import on_carrier
from hardware.case.hands import foot, held, hole, opening, reach, shake
from hardware.case.light import covered_share, display_lux
from hardware.case.printing import bed, bridges, thin_walls
from hardware.case.shells import (
    PIP_MM,
    TURNED,
    boss_top,
    cone,
    hull,
    pad_mark,
    pips,
    plug_cut,
    printed,
    scoop,
    slots,
    window,
)
from hardware.case.sizes import Sizes
from hardware.case.solids import joined, rod, slab
from hardware.case.wires import joints, rooms, wires
from hardware.parts import bought


def build(sizes: Sizes) -> Case:
    """Return the case of these sizes."""
    inside = (*bodies(sizes), *on_carrier(sizes), *joints(sizes), *wires(sizes), *rooms(sizes))
    return Case(sizes, printed(sizes), list(inside))


CROSS_MM3: Final = 0.02
"""Two bodies that share more than this cross each other."""


def pieces(case: Case) -> Iterator[str]:
    """Every printed part is one watertight piece."""
    for body in case.printed:
        count = len(body.solid.decompose())
        if count != 1:
            yield f"{body.name} is in {count} pieces"


def interference(case: Case) -> Iterator[str]:
    """No two bodies are in the same place, and nothing is in a room that must stay free."""
    everything = [*case.printed, *case.inside]
    for one, other in combinations(everything, 2):
        if {"room", "metal room"} == {one.kind, other.kind} or (
            one.kind != "part" and other.kind != "part"
        ):
            continue
        metal_only = "metal room" in (one.kind, other.kind)
        if (metal_only and not (one.metal or other.metal)) or _belong(one, other):
            continue
        if _apart(one.solid, other.solid, 0):
            continue
        volume = (one.solid ^ other.solid).volume()
        if volume > CROSS_MM3:
            yield f"{one.name} and {other.name} share {volume:.2f} mm³"


def _belong(one: Body, other: Body) -> bool:
    """Whether a joint or a wire meets what it is on, a wire, or its own plug."""
    if one.kind in SOFT and other.kind in SOFT:
        return "wire" in (one.kind, other.kind) or one.name == other.name
    soft, hard = (one, other) if one.kind in SOFT else (other, one)
    if soft.kind not in SOFT:
        return False
    return hard.name.startswith("cable ") or f" {hard.name}" in soft.name


def sharp(case: Case) -> Iterator[str]:
    """No joint, tip or wire is near a cell, and no bare metal near that of another part."""
    near, bare = bought().limit("cell_sharp_mm"), bought().limit("bare_metal_mm")
    for one, other in product(case.inside, repeat=2):
        is_cell = one.kind in SOFT and other.kind == "cell"
        if is_cell or (one.kind == "joint" and other.metal and not _belong(one, other)):
            least = near if is_cell else bare
            gap = one.solid.min_gap(other.solid, least)
            if gap < least - 1e-6:
                yield f"{one.name} is {gap:.2f} mm from {other.name}, less than {least} mm"


SOFT: Final = ("joint", "wire")


def clearance(case: Case) -> Iterator[str]:
    """Bought parts stay 0.3 mm from everything that they do not lie against."""
    least = bought().limit("gap_least_mm")
    everything = [body for body in (*case.printed, *case.inside) if body.kind == "part"]
    for one, other in combinations(everything, 2):
        pair = {one.name, other.name}
        if pair in TOLD.touching or any(name.startswith("screw") for name in pair):
            continue
        if _apart(one.solid, other.solid, least):
            continue
        gap = one.solid.min_gap(other.solid, least)
        if gap < least - 1e-6:
            yield f"{one.name} and {other.name} are {gap:.2f} mm apart, less than {least} mm"


def _apart(one: Manifold, other: Manifold, by: float) -> bool:
    """Return whether the boxes around two solids are more than ``by`` apart."""
    a, b = one.bounding_box(), other.bounding_box()
    return any(a[n] - by > b[n + 3] or b[n] - by > a[n + 3] for n in range(3))


def walls(case: Case) -> Iterator[str]:
    """No wall is thinner than a printer prints well."""
    least = bought().limit("wall_least_mm")
    for body in case.printed:
        share, place = thin_walls(body.solid, least)
        if share > 0.004:
            x, y, z = place
            yield (
                f"{share:.1%} of {body.name} is thinner than {least} mm, "
                f"such as at {x:.1f}, {y:.1f}, {z:.1f}"
            )


def printing(case: Case) -> Iterator[str]:
    """Every part prints without supports, on a small bed."""
    for body in case.printed:
        stands = body.solid.rotate([180, 0, 0]) if body.name in TURNED else body.solid
        for x, y, z, area in bridges(stands):
            yield f"{body.name} needs supports at {x:.1f}, {y:.1f}, {z:.1f}: {area:.0f} mm²"
        width, depth = bed(body.solid)
        if max(width, depth) > bought().limit("bed_mm"):
            yield f"{body.name} is {width:.0f} × {depth:.0f} mm, larger than the bed"


LEAST_MM3: Final = 0.3
"""A smaller opening is a rounding of the mesh."""


def skin(case: Case) -> Iterator[str]:
    """The outside has no opening but the wanted ones, and nothing stands out of it."""
    outline = outline_of(case.sizes)
    whole = hull(case.sizes, outline)
    layer = whole - hull(case.sizes, outline, 0.8) - joined(body.solid for body in case.printed)
    for piece in (layer - _wanted(case.sizes, outline)).decompose():
        ends = piece.bounding_box()
        x, y, z = ((ends[n] + ends[n + 3]) / 2 for n in range(3))
        if piece.volume() > LEAST_MM3:
            yield f"an opening of {piece.volume():.1f} mm³ at {x:.1f}, {y:.1f}, {z:.1f}"
    for body in case.inside:
        volume = (body.solid - whole).volume()
        if body.kind == "part" and volume > LEAST_MM3:
            yield f"{body.name} stands out of the case by {volume:.1f} mm³"


def _wanted(sizes: Sizes, outline: CrossSection) -> Manifold:
    top = sizes.thick
    vents = [rod(x, y, top - 4, top + 1, PIP_MM + 0.05) for x, y in pips(sizes)]
    below = [rod(px, py, -1, sizes.screw_seat, 5.6) for px, py in screw_places(sizes)]
    parting = slab(outline, sizes.split - 0.01, sizes.split + 0.01)
    cuts = (cut(sizes) for cut in (cone, window, pad_mark, plug_cut, scoop))
    return joined([*cuts, parting, *vents, *below, *slots(sizes)])


def pad(case: Case) -> Iterator[str]:
    """The plastic over the touch pad is right."""
    limit, sizes = bought().limit, case.sizes
    x, y = sizes.pad_x, sizes.pad_y
    for dx, dy in ((0, 0), (0, 4), (4, 0), (4, 4), (-4, -4), (3, -5)):
        plastic, air = _column(case.solid("top"), case.solid("pad"), x + dx, y + dy, sizes.thick)
        if not limit("pad_plastic_least_mm") <= plastic <= limit("pad_plastic_most_mm"):
            yield f"the plastic over the pad is {plastic:.1f} mm at {dx}, {dy} from its middle"
        if air > limit("pad_gap_most_mm") + 1e-6:
            yield f"{air:.2f} mm of air lie between pad and plastic"


def _column(
    plate: Manifold, module: Manifold, x: float, y: float, top: float
) -> tuple[float, float]:
    """Return the plastic over a module, and the air between both, at one place."""
    heights = sorted(
        {round(hit.position[2], 6) for hit in plate.ray_cast((x, y, top + 2), (x, y, 0))}
    )
    under = module.ray_cast((x, y, top + 2), (x, y, 0))
    if len(heights) < 2 or not under:
        return 0.0, 99.0
    return heights[-1] - heights[-2], heights[-2] - under[0].position[2]


def screws(case: Case) -> Iterator[str]:
    """Every screw has enough thread, does not bottom out, and ends below the face."""
    limit, sizes = bought().limit, case.sizes
    tip = sizes.screw_seat + sizes.screw
    thread = min(tip, boss_top(sizes)) - sizes.split - 0.6
    if thread < limit("thread_least_mm"):
        yield f"a screw of the case holds {thread:.1f} mm of plastic"
    for x, y in screw_places(sizes):
        around = case.solid("top").ray_cast((x, y, sizes.split + 2), (x, y + 6, sizes.split + 2))
        if not around:
            yield f"the screw at {x:.1f}, {y:.1f} has no boss"
    least, floor = limit("board_thread_least_mm"), limit("screw_floor_least_mm")
    for name, spots, _, is_up in board_screws(sizes):
        shell = case.solid("top" if is_up else "base")
        screw = case.solid(f"screws {name}")
        for x, y in spots:
            one = screw ^ rod(x, y, -1, sizes.thick + 1, 6)
            ring = rod(x, y, -1, sizes.thick + 1, 4) - rod(x, y, -2, sizes.thick + 2, 3)
            held = (shell ^ ring).bounding_box()
            box_ = one.bounding_box()
            end, start = (box_[5], held[2]) if is_up else (box_[2], held[5])
            thread = abs(end - start)
            if thread < least:
                yield f"a screw of {name} holds {thread:.1f} mm of plastic, less than {least}"
            above = sizes.thick - end if is_up else end
            if above < floor:
                yield f"a screw of {name} ends {above:.1f} mm below the outside"


def assembly(case: Case) -> Iterator[str]:
    """The top with what is in it comes down on the base without touching anything."""
    parts = [body for body in (*case.printed, *case.inside) if body.kind == "part"]
    above = joined(body.solid for body in parts if body.name in TOLD.hanging)
    below = joined(
        body.solid
        for body in parts
        if body.name not in (*TOLD.hanging, "card") and not body.name.startswith("screw ")
    )
    for height in (0.2, 0.6, 1, 1.5, 2, 3, 4, 6, 8, 10, 13, 16, 20):
        volume = (above.translate([0, 0, height]) ^ below).volume()
        if volume > CROSS_MM3:
            yield f"{height} mm above its place the top hits something: {volume:.2f} mm³"
            return


def air(case: Case) -> Iterator[str]:
    """Slots in the floor stay open below the Pi."""
    sizes = case.sizes
    layer = slab(outline_of(sizes), 0.5, 1.5)
    open_ = joined(slots(sizes)) ^ layer
    for body in (*case.printed, *case.inside):
        if body.kind == "part" and not _apart(open_, body.solid, 0):
            open_ -= body.solid
    least = bought().limit("slots_least_mm2")
    if open_.volume() < least:
        yield f"the slots are {open_.volume():.0f} mm² wide, less than {least:.0f}"


FOAM_LAYERS: Final = 2
"""The number of layers between the light sensor's board and the tube of the light."""


def light(case: Case) -> Iterator[str]:
    """A thumb darkens the sensor, and the display does not light it."""
    limit = bought().limit
    share = covered_share(case.sizes)
    if share > limit("lid_light_most_share"):
        yield (
            f"a thumb {case.sizes.thumb_off} mm off the middle leaves {share:.1%} of the light "
            f"({case.sizes.colour} plastic)"
        )
    foam = FOAM_LAYERS * mm("foam.thick")
    if foam <= case.sizes.tube_air or mm("foam.hole") < case.sizes.hole:
        yield f"{foam} mm of foam do not close {case.sizes.tube_air} mm around the light's hole"
    lux = display_lux(case.sizes)
    if lux > limit("display_light_most_lx"):
        yield f"the display puts {lux:.2f} lx on the sensor"


def axes(case: Case) -> Iterator[str]:
    """The accelerometer's arrows and the display's upper edge point where the firmware has them."""
    if case.sizes.accelerometer_turn % 360:
        yield f"the accelerometer lies turned by {case.sizes.accelerometer_turn:.0f}°"
    if case.sizes.picture_y < case.sizes.display_y:
        yield "the display's upper edge does not point to the far edge"


CHECKS: Final[Mapping[str, Callable[[Case], Iterator[str]]]] = {
    "pieces": pieces,
    "interference": interference,
    "clearance": clearance,
    "walls": walls,
    "printing": printing,
    "skin": skin,
    "pad": pad,
    "screws": screws,
    "assembly": assembly,
    "air": air,
    "light": light,
    "axes": axes,
    "sharp": sharp,
    "held": held,
    "reach": reach,
    "hole": hole,
    "opening": opening,
    "shake": shake,
    "foot": foot,
}
