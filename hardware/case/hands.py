"""Checks of what a hand does: is each body held, does each lead go through its hole.

A body that nothing holds moves when the handheld is shaken. A body counts as held in a direction if
it meets another one before it has gone 6 mm, or if screws hold it.

All numbers are chosen.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import pi, sqrt
from typing import Final, NamedTuple

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray

from hardware.case.bodies import TOLD, Case, board_screws, mm, screw_places
from hardware.case.carrier import HOLE_MM, LEGS
from hardware.case.printing import triangles
from hardware.case.shells import PIP_MM, SLOT_MM, TURNED, printed
from hardware.case.sizes import Sizes
from hardware.case.solids import box, joined, rod
from hardware.case.wires import plugs
from hardware.parts import TRIED, PartsList, bought

PUSHES_MM: Final = (0.5, 1.0, 0.2, 2.0, 0.05, 4.0, 6.0)
"""How far each body is pushed; a thin thing that stops it early is not jumped over."""
WAYS: Final[Mapping[str, tuple[int, int, int]]] = {
    "to the right": (1, 0, 0), "to the left": (-1, 0, 0), "to the far edge": (0, 1, 0),
    "to the near edge": (0, -1, 0), "up": (0, 0, 1), "down": (0, 0, -1),
}  # fmt: skip
MOVED_MM3: Final = 0.05
"""A body that was pushed and meets more than this is stopped."""


def held(case: Case) -> Iterator[str]:
    """Each body is stopped by something in each of six directions, also without infrared."""
    parts = at_plugs(case)
    of_infrared = {"carrier", *(f"wire {leg}" for leg in LEGS)}
    fewer = {one: parts[one] for one in parts if _leader(one) not in of_infrared}
    for some in (parts, fewer):
        for name, way in loose(some, some):
            yield f"nothing stops {name} when it is pushed {PUSHES_MM[-1]:.0f} mm {way}"


def at_plugs(case: Case) -> dict[str, Manifold]:
    """Return what is pushed: each part, the socket of each wire, and each plug of a cable."""
    solids = {
        body.name: body.solid
        for body in (*case.printed, *case.inside)
        if body.kind == "part" or body.name.startswith("cable ")
    }
    return solids | plugs(case.sizes)


def loose(parts: Mapping[str, Manifold], names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each of these bodies with each way on which nothing stops it within 6 mm."""
    for leader in dict.fromkeys(map(_leader, names)):
        group = [name for name in parts if _leader(name) == leader]
        if not group or leader.startswith("screw") or _is_screwed(leader, parts):
            continue
        body = joined(parts[name] for name in group)
        near = _box(body, max(PUSHES_MM))
        others = joined(
            solid
            for name, solid in parts.items()
            if name not in group and not (near ^ _box(solid)).is_empty()
        )
        before = (body ^ others).volume()
        for way, (dx, dy, dz) in WAYS.items():
            if (leader, way) not in TOLD.on_springs and not any(
                (body.translate([dx * by, dy * by, dz * by]) ^ others).volume() > before + MOVED_MM3
                for by in PUSHES_MM
            ):
                yield leader, way


def _leader(name: str) -> str:
    """The body that moves with this one; the plug of a cable sits in the socket of its board."""
    if name.startswith("cable "):
        return name.split()[1].lower()
    return TOLD.together.get(name, name)


def _is_screwed(name: str, parts: Mapping[str, Manifold]) -> bool:
    """Whether the screws of a body are there and go into what they should."""
    screws, into = TOLD.screwed.get(name, ("", ""))
    if screws not in parts or into not in parts:
        return False
    return not (parts[into] ^ _box(parts[screws])).is_empty()


def _box(solid: Manifold, more: float = 0.0) -> Manifold:
    """The box around a solid, so much larger on each side."""
    low = solid.bounding_box()
    return box([low[n] - more for n in range(3)], [low[n] + more for n in range(3, 6)])


class Lead(NamedTuple):
    """A thing that goes through a hole.

    Attributes:
        what: names of both, for a reader.
        across: the thing's largest width, in mm; of a square pin its diagonal.
        hole: diameter of the hole in mm, and how much of it a maker may miss.
    """

    what: str
    across: float
    hole: float
    off: float


LOOSE_MM: Final = 0.1
"""A hole is so much wider than what goes through it."""


def leads() -> Iterator[Lead]:
    """Yield everything that goes through a hole."""
    yield Lead("a screw of a board in its hole", mm("screw.thread") - 0.1, mm("qt.hole"), 0.0)
    yield Lead("a screw of the case in the Pi", mm("screw.thread"), mm("pi.hole"), 0.05)
    yield Lead("a screw of the case in the base", mm("screw.thread"), mm("screw.thread") + 0.3, 0.1)
    yield Lead("a pin of the Pi's near holes", 2.4, mm("pi.hole"), 0.1)
    yield Lead("a joint of the piezo in the slot of its bar", 1.8, SLOT_MM, 0.3)
    yield Lead("the sound of the piezo in a hole", 1.0, PIP_MM, 0.3)
    yield Lead("a leg of infrared in the carrier", mm("receiver.drill"), HOLE_MM, 0.3)


def through(every: Iterator[Lead]) -> Iterator[str]:
    """Each hole is wider than what goes through it, when its maker misses its size, too."""
    for lead in every:
        least = lead.across + LOOSE_MM + lead.off
        if lead.hole < least - 1e-9:
            yield f"{lead.what}: {lead.hole:.2f} mm, and {least:.2f} mm are needed"


def hole(_: Case) -> Iterator[str]:
    """Each hole takes the lead that goes through it."""
    yield from through(leads())


class Watched(PartsList, frozen=True):
    """A parts list that remembers which of its numbers were read, by their places."""

    seen: set[str]

    def mm(self, part: str, name: str) -> float:
        """Return a dimension in mm, and remember its place."""
        self.seen.add(f"parts.{part}.mm.{name}")
        return super().mm(part, name)

    def limit(self, name: str) -> float:
        """Return a limit, and remember its place."""
        self.seen.add(f"limits.{name}")
        return super().limit(name)


def guessed(sizes: Sizes, parts: PartsList) -> Iterator[str]:
    """No opening, post or tube moves with a number that the project remembers or assumes.

    Each such number that the printed parts read is changed, to see whether they change.
    """
    read = Watched(**{name: getattr(parts, name) for name in parts.__struct_fields__}, seen=set())
    good = _corners(sizes, read)
    for place, (value, source, certainty) in parts.figures().items():
        if place not in read.seen or (source != "own" and certainty != "low"):
            continue
        other = _corners(sizes, parts.with_values({place: 1.1 * value + 0.1}))
        moved = [name for name in good if not np.array_equal(good[name], other[name])]
        if moved:
            yield (
                f"{place} = {value:g} decides {', '.join(moved)}, and its source is {source!r} "
                f"({certainty}): take it from a maker's file"
            )


def _corners(sizes: Sizes, parts: PartsList) -> dict[str, NDArray[np.float64]]:
    """The corners of each printed part with this parts list, sorted, in mm."""
    token = TRIED.set(parts)
    try:
        return {
            body.name: np.unique(triangles(body.solid).reshape(-1, 3).round(2), axis=0)
            for body in printed(sizes)
        }
    finally:
        TRIED.reset(token)


def opening(case: Case) -> Iterator[str]:
    """No opening, post or tube rests on a guess."""
    yield from guessed(case.sizes, bought())


def load(case: Case) -> tuple[float, float]:
    """Return what pulls at the case's screws at `limits.shake_g`, and what one bears, in N.

    Plastic shears at the strength across its layers over √3 (von Mises).
    """
    limit = bought().limit
    hung = case.solid("top").volume() / 1000 * limit("plastic_g_cm3") + limit("hung_most_g")
    thread = max(0.0, case.sizes.screw_seat + case.sizes.screw - case.sizes.split - 0.6)
    shear = limit("layers_mpa") / sqrt(3)
    pull = hung / 1000 * 9.81 * limit("shake_g")
    return pull, pi * mm("screw.core") * thread / 2 * shear


def shake(case: Case) -> Iterator[str]:
    """One of the case's screws bears the top and what hangs in it, ten times over."""
    pull, bears = load(case)
    if bears < bought().limit("shake_safety") * pull:
        yield f"a screw bears {bears:.0f} N, and the top pulls with {pull:.1f} N at 4 g"


DRIVER_MM: Final = 6.0
"""Across a driver; in a hole of the base it is as narrow as the head."""


def reach(case: Case) -> Iterator[str]:
    """A driver reaches each screw, past the shell and past the boards that hang in it."""
    names = (name for name in TOLD.hanging if not name.startswith("screw"))
    top, base = joined(map(case.solid, names)), case.solid("base") + case.solid("accelerometer")
    high, seat = mm("screw.head_high"), case.sizes.screw_seat
    drivers = [("the case", *spot, -60.0, seat - high, base) for spot in screw_places(case.sizes)]
    for name, spots, under, is_up in board_screws(case.sizes):
        ends = (under - high - 60, under - high) if is_up else (under + high, under + high + 60)
        drivers += [(name, x, y, *ends, top if is_up else base) for x, y in spots]
    for name, x, y, low, end, shell in drivers:
        across = mm("screw.head") if name == "the case" else DRIVER_MM
        if (rod(x, y, low, end, across) ^ shell).volume() > MOVED_MM3:
            yield f"no driver reaches the screw of {name} at {x:.1f}, {y:.1f}"


def foot(case: Case) -> Iterator[str]:
    """The first layer of each part is narrower than the part, so that no foot stands out."""
    least = bought().limit("foot_least_mm")
    for body in case.printed:
        stands = body.solid.rotate([180, 0, 0]) if body.name in TURNED else body.solid
        low = stands.bounding_box()[2]
        first, above = (stands.slice(low + height).bounds() for height in (0.1, 1.0))
        inset = min(first[0] - above[0], first[1] - above[1], above[2] - first[2])
        if inset < least:
            yield f"the first layer of {body.name} is {inset:.2f} mm inside, less than {least} mm"
