"""Draws docs/architecture.svg: the rooms on their floors, and the imports between them.

``python -m tests.project.architecture`` writes the file; a test compares it. The floors are the
layer contracts of import-linter in pyproject.toml. Within a package an arrow is drawn where one
room imports another and no chain of other arrows says so already.
"""

import tomllib
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import grimp

from tests.project.grain import ROOT

WHERE = ROOT / "docs" / "architecture.svg"
PACKAGES = ("hw_sim", "firmware", "game", "drivers")
COLUMNS = (("hw_sim",), ("firmware",), ("game", "drivers"))

BOX_PX = 30
FLOOR_PX = 66
GAP_PX = 14
PASS_PX = 6
"""Room for an arrow that passes a floor between two boxes."""
LETTER_PX = 8.2
MARGIN_PX = 24
TITLE_PX = 34
BETWEEN_PX = 64
SWEEPS = 8

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" \
width="{width}" height="{height}" font-family="sans-serif" font-size="14">
<title>Rooms, floors and imports</title>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
orient="auto"><path d="M0 0 8 4 0 8Z" fill="#5b6b7c"/></marker>
<marker id="way" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="4" markerHeight="4" \
orient="auto"><path d="M0 0 8 4 0 8Z" fill="#b4552d"/></marker></defs>
<rect width="{width}" height="{height}" fill="#ffffff"/>
"""

Edge = tuple[str, str]
Point = tuple[float, float]


class Place(NamedTuple):
    """A box of a floor, or with an empty name a gap that the arrow of ``edge`` passes."""

    name: str
    edge: Edge | None = None
    step: int = 0

    @property
    def width(self) -> float:
        return max(44.0, len(self.name) * LETTER_PX + 16) if self.name else PASS_PX


def floors_of(package: str) -> list[list[str]]:
    """Return the floors of a package, top first; one without a contract has none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in project["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract.get("containers") == [package]:
            return [[room.strip() for room in floor.split("|")] for floor in contract["layers"]]
    return []


def imports_between(graph: grimp.ImportGraph, package: str, rooms: Sequence[str]) -> set[Edge]:
    """Return the pairs of rooms of which the first imports the second."""

    def room(module: str) -> str:
        top, _, rest = module.partition(".")
        return rest.partition(".")[0] if top == package else ""

    pairs = {
        (room(module), room(imported))
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    }
    return {pair for pair in pairs if {*pair} <= {*rooms} and pair[0] != pair[1]}


def reduced(edges: set[Edge]) -> set[Edge]:
    """Return the edges that do not follow from a longer way. There must be no circle."""

    def reaches(start: str, end: str) -> bool:
        return start == end or any(reaches(after, end) for one, after in edges if one == start)

    return {
        (start, end)
        for start, end in edges
        if not any(reaches(after, end) for one, after in edges if one == start and after != end)
    }


def arranged(
    floors: list[list[str]], edges: set[Edge]
) -> tuple[list[list[Place]], list[list[Place]]]:
    """Order the places of every floor so that few arrows cross; return floors and arrows' ways."""
    level = {room: number for number, floor in enumerate(floors) for room in floor}
    rows = [[Place(room) for room in floor] for floor in floors]
    ways = []
    for edge in sorted(edges):
        way = [Place(edge[0])]
        for number in range(level[edge[0]] + 1, level[edge[1]]):
            rows[number].append(Place("", edge, number))
            way.append(rows[number][-1])
        ways.append([*way, Place(edge[1])])
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        numbers = range(1, len(rows)) if downwards else range(len(rows) - 2, -1, -1)
        for number in numbers:
            beside = _centres(rows[number - 1 if downwards else number + 1])
            here = _centres(rows[number])

            def mean(place: Place, beside=beside, here=here) -> float:
                near = [
                    beside[other]
                    for way in ways
                    for one, two in pairwise(way)
                    for mine, other in ((one, two), (two, one))
                    if mine == place and other in beside
                ]
                return sum(near) / len(near) if near else here[place]

            rows[number].sort(key=mean)
    return rows, ways


def _centres(row: list[Place]) -> dict[Place, float]:
    """Return the middle of every place of a floor, 0 being the floor's middle."""
    across = -_width(row) / 2
    centres = {}
    for place in row:
        centres[place] = across + place.width / 2
        across += place.width + GAP_PX
    return centres


def _width(row: list[Place]) -> float:
    return sum(place.width for place in row) + GAP_PX * (len(row) - 1)


def draw_package(graph: grimp.ImportGraph, package: str) -> tuple[float, float, list[str]]:
    """Draw the floors of a package, the arrows behind the boxes; return width and height, too."""
    floors = floors_of(package)
    if not floors:
        return 160, 0, []
    rooms = [room for floor in floors for room in floor]
    rows, ways = arranged(floors, reduced(imports_between(graph, package, rooms)))
    width = max(map(_width, rows))
    at = {
        place: (width / 2 + across, number * FLOOR_PX)
        for number, row in enumerate(rows)
        for place, across in _centres(row).items()
    }
    lines = [_arrow([at[place] for place in way]) for way in ways]
    for place, (across, top) in at.items():
        if place.name:
            lines.append(
                f'<rect x="{across - place.width / 2:.1f}" y="{top:.1f}" width="{place.width:.1f}"'
                f' height="{BOX_PX}" rx="5" fill="#e9f0f7" stroke="#3c5a78"/>\n'
                f'<text x="{across:.1f}" y="{top + 20:.1f}" text-anchor="middle">'
                f"{place.name}</text>"
            )
    return width, (len(rows) - 1) * FLOOR_PX + BOX_PX, lines


def _arrow(points: list[Point]) -> str:
    """Draw an arrow from the bottom of the first place to the top of the last."""
    across, top = points[0]
    path = f"M{across:.1f} {top + BOX_PX:.1f}"
    bottom = top + BOX_PX
    for number, (right, below) in enumerate(points[1:], 1):
        middle = (bottom + below) / 2
        path += f"C{across:.1f} {middle:.1f} {right:.1f} {middle:.1f} {right:.1f} {below:.1f}"
        across, bottom = right, below
        if number < len(points) - 1:
            bottom = below + BOX_PX
            path += f"V{bottom:.1f}"
    return f'<path d="{path}" fill="none" stroke="#5b6b7c" marker-end="url(#tip)"/>'


def draw() -> str:
    """Return the whole picture."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    drawn = {package: draw_package(graph, package) for package in PACKAGES}
    frames: dict[str, list[float]] = {}
    """The left, the top, the width and the height of the rectangle around each package."""
    left = MARGIN_PX
    for column in COLUMNS:
        wide = max(drawn[package][0] for package in column) + 2 * MARGIN_PX
        top = MARGIN_PX
        for package in column:
            _, height, lines = drawn[package]
            high = TITLE_PX + height + (MARGIN_PX if lines else 8)
            frames[package] = [left, top, wide, high]
            top += high + MARGIN_PX
        left += wide + BETWEEN_PX
    width = round(left - BETWEEN_PX + MARGIN_PX)
    bottom = max(top + high for _, top, _, high in frames.values())
    for *_, package in COLUMNS:
        frames[package][3] = bottom - frames[package][1]
    body: list[str] = []
    for package, (left, top, wide, high) in frames.items():
        inside, _, lines = drawn[package]
        body += [
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}"'
            f' height="{high:.1f}" rx="9" fill="#f8f9fb" stroke="#9aa7b4"/>',
            f'<text x="{left + 12:.1f}" y="{top + 24:.1f}" font-size="17"'
            f' font-weight="bold">{package}</text>',
            f'<g transform="translate({left + (wide - inside) / 2:.1f} {top + TITLE_PX:.1f})">',
            *lines,
            "</g>",
        ]
    # The imports between packages: the first contract of pyproject.toml.
    for start, end in (("hw_sim", "firmware"), ("firmware", "game"), ("firmware", "drivers")):
        height = frames[end][1] + frames[end][3] / 2
        body.append(
            f'<path d="M{frames[start][0] + frames[start][2]:.1f} {height:.1f}'
            f'H{frames[end][0]:.1f}" stroke="#b4552d" stroke-width="4" marker-end="url(#way)"/>'
        )
    head = HEAD.format(width=width, height=round(bottom + MARGIN_PX))
    return head + "\n".join(body) + "\n</svg>\n"


def main() -> None:
    WHERE.write_text(draw(), encoding="utf-8")
    print(f"wrote {WHERE}")


if __name__ == "__main__":
    main()
