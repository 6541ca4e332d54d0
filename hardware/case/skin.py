"""The outside of the case: openings that nobody wanted, and what stands out."""

from collections.abc import Iterator, Sequence

from manifold3d import CrossSection, Manifold

from hardware.case.bodies import Body, screw_places
from hardware.case.shells import PIP_MM, cone, pad_mark, pips, plug_cut, scoop, slots, window
from hardware.case.sizes import Sizes
from hardware.case.solids import joined, rod, slab

LEAST_MM3 = 0.3
"""A smaller opening is a rounding of the mesh."""


def holes(
    sizes: Sizes, outline: CrossSection, layer: Manifold, printed: Sequence[Body]
) -> Iterator[tuple[float, float, float, float]]:
    """Yield every opening in the outermost layer that is not wanted: its middle and its volume."""
    left = layer - joined(body.solid for body in printed) - _wanted(sizes, outline)
    for piece in left.decompose():
        volume = piece.volume()
        if volume > LEAST_MM3:
            low_x, low_y, low_z, high_x, high_y, high_z = piece.bounding_box()
            yield (low_x + high_x) / 2, (low_y + high_y) / 2, (low_z + high_z) / 2, volume


def _wanted(sizes: Sizes, outline: CrossSection) -> Manifold:
    top = sizes.thick
    vents = [rod(x, y, top - 4, top + 1, PIP_MM + 0.05) for x, y in pips(sizes)]
    below = [rod(px, py, -1, sizes.screw_seat, 5.6) for px, py in screw_places(sizes)]
    parting = slab(outline, sizes.split - 0.01, sizes.split + 0.01)
    return joined(
        [
            *(cone(sizes), window(sizes), pad_mark(sizes), parting, *vents, *below),
            *(plug_cut(sizes), scoop(sizes), *slots(sizes)),
        ]
    )


def proud(whole: Manifold, inside: Sequence[Body]) -> Iterator[tuple[str, float]]:
    """Yield every bought part that stands out of the case, and by how much, in mm³."""
    for body in inside:
        if body.kind == "part":
            volume = (body.solid - whole).volume()
            if volume > LEAST_MM3:
                yield body.name, volume
