"""The outside of the case: openings that nobody wanted, and what stands out."""

from collections.abc import Iterator, Sequence

from manifold3d import CrossSection, Manifold

from hardware.case.bodies import SWITCH_Y, Body, half_width, piezo_place, screw_places, switch_z
from hardware.case.large import vents
from hardware.case.shells import eyes, plug_cuts, scoop
from hardware.case.sizes import Sizes
from hardware.case.solids import along_x, box, joined, rod, shrunk, slab

LEAST_MM3 = 0.3
"""A smaller opening is a rounding of the mesh."""


def holes(
    sizes: Sizes, outline: CrossSection, layer: Manifold, printed: Sequence[Body], pane: Manifold
) -> Iterator[tuple[float, float, float, float]]:
    """Yield every opening in the outermost layer that is not wanted: its middle and its volume."""
    left = layer - joined(body.solid for body in printed) - pane - _wanted(sizes, outline)
    for piece in left.decompose():
        volume = piece.volume()
        if volume > LEAST_MM3:
            low_x, low_y, low_z, high_x, high_y, high_z = piece.bounding_box()
            yield (low_x + high_x) / 2, (low_y + high_y) / 2, (low_z + high_z) / 2, volume


def _wanted(sizes: Sizes, outline: CrossSection) -> Manifold:
    edge, top = sizes.rim, sizes.thick
    seam = slab(
        shrunk(outline, edge - 0.05) - shrunk(outline, edge + sizes.fit + 0.05), top - 2, top + 1
    )
    x, y = sizes.well_x, sizes.well_y
    dish = Manifold.sphere(sizes.dish_round, 96).translate(
        [x, y, sizes.dish_low + sizes.dish_round]
    )
    around = rod(x, y, top - 2, top + 1, 2 * sizes.dish_reach + 5)
    window = box(
        (-sizes.window_wide / 2, sizes.picture_y - sizes.window_long / 2, top - 3),
        (sizes.window_wide / 2, sizes.picture_y + sizes.window_long / 2, top + 1),
    )
    recess = box(
        (sizes.pad_x - 9.5, sizes.pad_y - 9.5, top - sizes.pad_deep),
        (sizes.pad_x + 9.5, sizes.pad_y + 9.5, top + 1),
    )
    vent_x, vent_y = piezo_place(sizes)
    vent = box((vent_x - 5, vent_y - 5, top - 4), (vent_x + 5, vent_y + 5, top + 1))
    half, z = half_width(sizes, SWITCH_Y), switch_z(sizes)
    sides = [
        box((-half - 2, SWITCH_Y - 2.7, z - 1.4), (-half + 4, SWITCH_Y + 2.7, z + 1.4)),
        *(along_x(SWITCH_Y + side * 3.5, z, half - 6, half + 3, 3.1) for side in (-1, 1)),
    ]
    below = [rod(px, py, -1, sizes.screw_seat, 5.6) for px, py in screw_places(sizes)]
    slots = box((-6.2, sizes.pi_far - 18, -1), (6.2, sizes.pi_far - 8, sizes.floor))
    parting = slab(outline, sizes.split - 0.01, sizes.split + 0.01)
    return joined(
        [
            *(seam, dish, around, window, recess, vent, slots, parting, *sides, *below),
            *(plug_cuts(sizes), scoop(sizes), eyes(sizes), vents(sizes)),
        ]
    )


def proud(sizes: Sizes, whole: Manifold, inside: Sequence[Body]) -> Iterator[tuple[str, float]]:
    """Yield every bought part that stands out of the case, and by how much, in mm³."""
    half, z = half_width(sizes, SWITCH_Y), switch_z(sizes)
    lever = box((-half - 4, SWITCH_Y - 2.5, z - 1.2), (-half + 4, SWITCH_Y + 2.5, z + 1.2))
    for body in inside:
        if body.kind == "part":
            volume = (body.solid - whole - lever).volume()
            if volume > LEAST_MM3:
                yield body.name, volume
