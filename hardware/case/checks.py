"""Checks of a case that can fail: each returns what is wrong, in one line each."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple

from manifold3d import Manifold

from hardware.case.bodies import Body, bodies, outline_of, pi_with_cell, screw_places
from hardware.case.large import large_pi, vents
from hardware.case.light import covered_share, display_lux
from hardware.case.printing import bed, bridges, thin_walls
from hardware.case.rooms import rooms
from hardware.case.shells import boss_top, hull, printed
from hardware.case.sizes import Sizes
from hardware.case.skin import holes, proud
from hardware.case.solids import joined
from hardware.parts import bought


class Case(NamedTuple):
    """A case with everything in it."""

    sizes: Sizes
    printed: list[Body]
    inside: list[Body]

    def solid(self, name: str) -> Manifold:
        """Return the body of this name; `KeyError` if there is none."""
        for body in (*self.printed, *self.inside):
            if body.name == name:
                return body.solid
        raise KeyError(name)


def build(sizes: Sizes) -> Case:
    """Return the case of these sizes."""
    computer = large_pi(sizes) if sizes.is_large else pi_with_cell(sizes)
    return Case(sizes, printed(sizes), [*computer, *bodies(sizes), *rooms(sizes)])


TOUCHING: Final = (
    {"lower", "upper"}, {"upper", "front"}, {"front", "well"}, {"front", "ring"}, {"front", "pane"},
    {"lower", "pi"}, {"upper", "pi"}, {"lower", "charger"}, {"lower", "cell"}, {"light", "well"},
    {"front", "pad"}, {"front", "piezo"}, {"front", "display"}, {"front", "glass"},
    {"display", "glass"}, {"pi", "card"}, {"pi", "carrier"}, {"carrier", "accelerometer"},
    {"carrier", "small parts"}, {"upper", "switch"}, {"upper", "sender"}, {"upper", "receiver"},
    {"glass", "pane"}, {"well", "ring"}, {"pi", "cell"}, {"pi", "socket"}, {"lower", "carrier"},
    {"pi", "sockets"}, {"socket", "sockets"}, {"lower", "sockets"}, {"upper", "sockets"},
)  # fmt: skip
"""Pairs of bodies that touch on purpose. Screws touch what they hold."""
CROSS_MM3: Final = 0.02
_NO_LENGTH: Final = 1e-9


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
        if metal_only and not (one.metal or other.metal):
            continue
        if _apart(one.solid, other.solid, 0):
            continue
        volume = (one.solid ^ other.solid).volume()
        if volume > CROSS_MM3:
            yield f"{one.name} and {other.name} share {volume:.2f} mm³"


def clearance(case: Case) -> Iterator[str]:
    """Bought parts stay 0.3 mm from everything that they do not lie against."""
    least = bought().limit("gap_least_mm")
    everything = [body for body in (*case.printed, *case.inside) if body.kind == "part"]
    for one, other in combinations(everything, 2):
        pair = {one.name, other.name}
        if pair in TOUCHING or any(name.startswith("screw") for name in pair):
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
        for x, y, z, area in bridges(body.solid):
            yield f"{body.name} needs supports at {x:.1f}, {y:.1f}, {z:.1f}: {area:.0f} mm²"
        width, depth = bed(body.solid)
        if max(width, depth) > bought().limit("bed_mm"):
            yield f"{body.name} is {width:.0f} × {depth:.0f} mm, larger than the bed"


def skin(case: Case) -> Iterator[str]:
    """The outside has no opening but the wanted ones, and nothing stands out of it."""
    outline = outline_of(case.sizes)
    whole = hull(case.sizes, outline)
    layer = whole - hull(case.sizes, outline, 0.8)
    for x, y, z, volume in holes(case.sizes, outline, layer, case.printed, case.solid("pane")):
        yield f"an opening of {volume:.1f} mm³ at {x:.1f}, {y:.1f}, {z:.1f}"
    for name, volume in proud(case.sizes, whole, case.inside):
        yield f"{name} stands out of the case by {volume:.1f} mm³"


def pad(case: Case) -> Iterator[str]:
    """The plastic over the touch pad is right, and nothing conducting is close below."""
    limit, sizes = bought().limit, case.sizes
    x, y = sizes.pad_x, sizes.pad_y
    for dx, dy in ((0, 0), (5, 0), (0, 4), (4, 4), (-4, -4), (-5, 3)):
        plastic, air = _column(case.solid("front"), case.solid("pad"), x + dx, y + dy, sizes.thick)
        if not limit("pad_plastic_least_mm") <= plastic <= limit("pad_plastic_most_mm"):
            yield f"the plastic over the pad is {plastic:.1f} mm at {dx}, {dy} from its middle"
        if air > limit("pad_gap_most_mm") + 1e-6:
            yield f"{air:.2f} mm of air lie between pad and plastic"
    below = case.solid("pad").bounding_box()[2] - sizes.metal_top
    if below < limit("pad_air_mm"):
        yield f"the pad is {below:.1f} mm above metal"


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
    """Every screw has enough thread, does not bottom out, and ends below the front."""
    limit, sizes = bought().limit, case.sizes
    tip = sizes.screw_seat + sizes.screw
    thread = min(tip, boss_top(sizes)) - sizes.split - 0.6
    if thread < limit("thread_least_mm"):
        yield f"a screw holds {thread:.1f} mm of plastic"
    if tip > boss_top(sizes) - 0.3:
        yield f"a screw ends at {tip:.1f} mm, its hole at {boss_top(sizes):.1f} mm"
    for x, y in screw_places(sizes):
        hits = case.solid("upper").ray_cast((x, y, tip), (x, y, sizes.thick + 5))
        heights = [hit.position[2] for hit in hits]
        above = heights[1] - heights[0] if len(heights) > 1 else 0.0
        if above < limit("screw_floor_least_mm"):
            yield f"the screw at {x:.1f}, {y:.1f} has {above:.1f} mm of plastic above it"
        around = case.solid("upper").ray_cast((x, y, sizes.split + 2), (x, y + 6, sizes.split + 2))
        if not around:
            yield f"the screw at {x:.1f}, {y:.1f} has no boss"


HANGING: Final = (
    "upper", "front", "well", "ring", "pane", "display", "glass", "light", "pad", "piezo", "switch",
    "sender", "receiver",
)  # fmt: skip
"""The bodies in the upper shell when it comes down on the lower one."""


def assembly(case: Case) -> Iterator[str]:
    """The upper shell with what is in it comes down on the lower one without touching anything."""
    parts = [body for body in (*case.printed, *case.inside) if body.kind == "part"]
    above = joined(body.solid for body in parts if body.name in HANGING)
    below = joined(
        body.solid
        for body in parts
        if body.name not in (*HANGING, "card") and not body.name.startswith("screw")
    )
    for height in (0.2, 0.6, 1, 1.5, 2, 3, 4, 6, 8, 10, 13, 16, 20):
        volume = (above.translate([0, 0, height]) ^ below).volume()
        if volume > CROSS_MM3:
            yield f"{height} mm above its place the upper shell hits something: {volume:.2f} mm³"
            return


def air(case: Case) -> Iterator[str]:
    """A Pi 4 or 5 gets air through slots that nothing closes."""
    if not case.sizes.is_large:
        return
    deep = case.sizes.wall / 2
    middle = hull(case.sizes, outline_of(case.sizes), deep / 2)
    layer = middle - hull(case.sizes, outline_of(case.sizes), 1.5 * deep)
    slots = layer ^ vents(case.sizes)
    for body in (*case.printed, *case.inside):
        if body.kind == "part" and not _apart(slots, body.solid, 0):
            slots -= body.solid
    area = slots.volume() / deep
    least = bought().limit("vents_least_mm2")
    if area < least:
        yield f"the slots are {area:.0f} mm² wide, less than {least:.0f}"


def light(case: Case) -> Iterator[str]:
    """A thumb darkens the sensor, and the display does not light it."""
    limit = bought().limit
    share = covered_share(case.sizes)
    if share > limit("lid_light_most_share"):
        yield (
            f"a thumb {case.sizes.thumb_off} mm off the middle leaves {share:.1%} of the light "
            f"({case.sizes.colour} plastic)"
        )
    lux = display_lux(case.sizes)
    if lux > limit("display_light_most_lx"):
        yield f"the display puts {lux:.2f} lx on the sensor"


def axes(case: Case) -> Iterator[str]:
    """The accelerometer's arrows and the display's upper edge point where the firmware has them."""
    if case.sizes.accelerometer_turn % 360:
        yield f"the accelerometer lies turned by {case.sizes.accelerometer_turn:.0f}°"
    glass, picture = case.sizes.display_y, case.sizes.picture_y
    if picture < glass or glass < case.sizes.long / 2:
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
}


def findings(case: Case) -> list[str]:
    """Return everything that is wrong with a case, with the name of the check before it."""
    return [f"{name}: {one}" for name, check in CHECKS.items() for one in check(case)]
