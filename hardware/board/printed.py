"""The printed board as a drawing: copper of both sides, and names that lie on none of it."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from hardware.board.copper import (
    PAD_MM,
    STEP_MM,
    TRACK_MM,
    VIA_MM,
    Copper,
    Place,
    copper,
    pads,
)
from hardware.board.drawn import INK
from hardware.board.plan import COLUMNS, LINES, PITCH_MM
from hardware.board.sketch import Dots, Label, Line, Mark, Plate, moved, scaled, svg
from hardware.texts import mark

TOP, BOTTOM, GREEN = "#c62828", "#1565c0", "#eef3ea"
SIZE_MM: Final = 1.0
"""The size of a name's font; `WIDE` and `HIGH` are the most that a letter takes, in sizes."""
WIDE, HIGH = 0.72, 0.74
AIR_MM: Final = 0.1
FAR_MM: Final = 4.0
"""A name stands at most so far from its part."""
GRID_MM: Final = 0.25


class Box(NamedTuple):
    """A rectangle along the axes, in mm from hole A1."""

    left: float
    top: float
    right: float
    low: float

    def meets(self, other: "Box") -> bool:
        """Return whether the two share more than an edge."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.low
            and other.top < self.low
        )

    def wider(self, by: float) -> "Box":
        """Return the box with so much more on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.low + by)


def printed_board() -> str:
    """Return the drawing of the project's board as an SVG document."""
    told = Label(82, 9, mark(), 5.5, TOP, "middle", bold=True)
    return svg([told, *moved(scaled(draw_copper(copper()), 2.6), 6, 16)], (164, 95), mark())


def draw_copper(drawn: Copper) -> Iterator[Mark]:
    """Yield the marks of the printed board: the top's tracks over the bottom's."""
    yield Plate(*_plate(_BOARD), GREEN, "#5d7a55", 0.3)
    for _, places in _named():
        yield Plate(*_plate(_around(places).wider(1.05)), "#ffffff", "#b5c0b0", 0.6)
    for side, colour in (("bottom", BOTTOM), ("top", TOP)):
        for layer, start, end in drawn.tracks:
            if layer == side:
                yield Line((_mm(start), _mm(end)), colour, TRACK_MM)
    yield Dots(tuple(_mm(via) for via in drawn.vias), VIA_MM / 2, "#555555")
    yield Dots(tuple(_mm(pad.place) for pad in pads()), PAD_MM / 2, "#c9a06a")
    yield Dots(tuple(_mm(pad.place) for pad in pads()), 0.45, "#ffffff")
    yield from names(drawn)


@cache
def names(drawn: Copper) -> tuple[Label, ...]:
    """Return the name of every part, as near to it as one fits on bare board.

    Raises:
        ValueError: a name fits nowhere.
    """
    taken, found = list(_copper(drawn)), list[Label]()
    bodies = {places: _around(places) for _, places in _named()}
    for name, places in sorted(_named(), key=lambda one: -len(one[0])):
        others = [box for at, box in bodies.items() if at != places]
        label = _nearest(name, bodies[places], taken, others)
        taken.append(box_of(label))
        found.append(label)
    return tuple(found)


def on_copper(drawn: Copper, labels: Iterable[Label]) -> list[str]:
    """Return the texts of labels that lie over copper or beyond the edge, or over another label."""
    tracks, boxes = list(_copper(drawn)), [(label.text, box_of(label)) for label in labels]
    return [
        text
        for number, (text, box) in enumerate(boxes)
        if any(box.meets(other) for other in tracks)
        or any(box.meets(other) for _, other in boxes[:number])
        or not _is_inside(box)
    ]


def box_of(label: Label) -> Box:
    """Return the rectangle that a label with its anchor in the middle takes."""
    half, high = len(label.text) * WIDE * label.size / 2, HIGH * label.size
    if label.upright:
        return Box(label.x - high, label.y - half, label.x, label.y + half)
    return Box(label.x - half, label.y - high, label.x + half, label.y)


def _nearest(name: str, body: Box, taken: list[Box], others: list[Box]) -> Label:
    """Return the label with the best place: near its body, away from others, and level."""
    places = []
    for upright in (False, True):
        box = box_of(Label(0, 0, name, SIZE_MM, anchor="middle", upright=upright))
        here = Box(body.left - box.right, body.top - box.low, body.right - box.left,
                   body.low - box.top).wider(FAR_MM)  # fmt: skip
        count = [round((end - start) / GRID_MM) for start, end in (here[::2], here[1::2])]
        for across, down in product(range(count[0]), range(count[1])):
            x, y = here.left + across * GRID_MM, here.top + down * GRID_MM
            at = Box(box.left + x, box.top + y, box.right + x, box.low + y)
            cost = _gap(at, body) + 0.15 * _off(at, body) + 1.2 * upright
            places.append((cost + sum(1.5 for one in others if at.meets(one)), x, y, upright, at))
    for _, x, y, upright, at in sorted(places):
        wide = at.wider(AIR_MM)
        if _is_inside(wide) and not any(wide.meets(one) for one in taken):
            return Label(x, y, name, SIZE_MM, INK, "middle", True, upright)
    raise ValueError(f"there is no bare place for the name {name} on the printed board")


def _gap(one: Box, other: Box) -> float:
    across = max(one.left - other.right, other.left - one.right, 0.0)
    return across + max(one.top - other.low, other.top - one.low, 0.0)


def _off(one: Box, other: Box) -> float:
    """How far the middles are from each other, along both axes."""
    across = abs(one.left + one.right - other.left - other.right)
    return (across + abs(one.top + one.low - other.top - other.low)) / 2


def _named() -> Iterator[tuple[str, tuple[Place, ...]]]:
    """Yield the names on the drawing with the pads that each is for."""
    for part in dict.fromkeys(pad.part for pad in pads()):
        its_pads = [pad for pad in pads() if pad.part == part]
        if part == "charger":  # it hangs on wires, whose pads are far apart
            yield from ((pad.leg, (pad.place,)) for pad in its_pads)
        else:
            yield part.removesuffix(" turned"), tuple(pad.place for pad in its_pads)


def _copper(drawn: Copper) -> Iterator[Box]:
    for _, start, end in drawn.tracks:
        yield _around((start, end)).wider(TRACK_MM / 2)
    for via in drawn.vias:
        yield _around((via,)).wider(VIA_MM / 2)
    for pad in pads():
        yield _around((pad.place,)).wider(PAD_MM / 2)


def _around(places: tuple[Place, ...]) -> Box:
    xs, ys = zip(*(_mm(place) for place in places), strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))


def _plate(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right - box.left, box.low - box.top


def _is_inside(box: Box) -> bool:
    return (
        box.left >= _BOARD.left
        and box.top >= _BOARD.top
        and box.right <= _BOARD.right
        and box.low <= _BOARD.low
    )


def _mm(place: Place) -> tuple[float, float]:
    return place[0] * STEP_MM, place[1] * STEP_MM


_BOARD: Final = Box(0, 0, (COLUMNS - 1) * PITCH_MM, (len(LINES) - 1) * PITCH_MM).wider(STEP_MM)
