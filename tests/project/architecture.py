"""Draws docs/architecture.svg: the rooms on their floors, and the imports between them.

``python -m tests.project.architecture`` writes the file; a test compares it. The floors are the
layer contracts of import-linter in pyproject.toml. Within a package an arrow is drawn where one
room imports another and no chain of other arrows says so already.
"""

import tomllib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import grimp

ROOT = Path(__file__).parents[2]
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


class Frame(NamedTuple):
    """The rectangle around a package, in px."""

    left: float
    top: float
    wide: float
    high: float


class Drawing(NamedTuple):
    """A package as SVG, without its frame."""

    width: float
    height: float
    lines: list[str]


def floors_of(package: str) -> list[list[str]]:
    """Return the floors of a package, top first; one without a contract has none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in project["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract.get("containers") == [package]:
            return [[room.strip() for room in floor.split("|")] for floor in contract["layers"]]
    return []


def imports_between(graph: grimp.ImportGraph, package: str, rooms: Sequence[str]) -> set[Edge]:
    """Return the pairs of rooms of which the first imports the second."""
    found = set()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            pair = [name.split(".")[1:2] for name in (module, imported)]
            inside = all(name.split(".")[0] == package for name in (module, imported))
            if inside and all(one and one[0] in rooms for one in pair) and pair[0] != pair[1]:
                found.add((pair[0][0], pair[1][0]))
    return found


def reduced(edges: set[Edge]) -> set[Edge]:
    """Return the edges that do not follow from a longer way. There must be no circle."""

    def reaches(start: str, end: str) -> bool:
        return any(
            after == end or reaches(after, end) for before, after in edges if before == start
        )

    return {
        (start, end)
        for start, end in edges
        if not any(
            reaches(after, end) for before, after in edges if before == start and after != end
        )
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


def draw_package(graph: grimp.ImportGraph, package: str) -> Drawing:
    """Draw the floors of a package, with the arrows behind the boxes."""
    floors = floors_of(package)
    if not floors:
        return Drawing(160, 0, [])
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
                f' height="{BOX_PX}" rx="5" fill="#e9f0f7" stroke="#3c5a78"/>'
            )
            lines.append(
                f'<text x="{across:.1f}" y="{top + 20:.1f}" text-anchor="middle">'
                f"{place.name}</text>"
            )
    return Drawing(width, (len(rows) - 1) * FLOOR_PX + BOX_PX, lines)


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
    drawings = {package: draw_package(graph, package) for package in PACKAGES}
    body: list[str] = []
    frames: dict[str, Frame] = {}
    left = MARGIN_PX
    for column in COLUMNS:
        wide = max(drawings[package].width for package in column) + 2 * MARGIN_PX
        top = MARGIN_PX
        for package in column:
            drawing = drawings[package]
            high = TITLE_PX + drawing.height + (MARGIN_PX if drawing.lines else 8)
            frames[package] = Frame(left, top, wide, high)
            top += high + MARGIN_PX
        left += wide + BETWEEN_PX
    width = round(left - BETWEEN_PX + MARGIN_PX)
    bottom = max(top + high for _, top, _, high in frames.values())
    for *_, package in COLUMNS:
        frames[package] = frames[package]._replace(high=bottom - frames[package].top)
    height = round(bottom + MARGIN_PX)
    for package, frame in frames.items():
        body += _framed(package, drawings[package], frame)
    body += _ways_between(frames)
    return HEAD.format(width=width, height=height) + "\n".join(body) + "\n</svg>\n"


def _framed(package: str, drawing: Drawing, frame: Frame) -> Iterator[str]:
    yield (
        f'<rect x="{frame.left:.1f}" y="{frame.top:.1f}" width="{frame.wide:.1f}"'
        f' height="{frame.high:.1f}" rx="9" fill="#f8f9fb" stroke="#9aa7b4"/>'
    )
    yield (
        f'<text x="{frame.left + 12:.1f}" y="{frame.top + 24:.1f}" font-size="17"'
        f' font-weight="bold">{package}</text>'
    )
    inner = frame.left + (frame.wide - drawing.width) / 2
    yield f'<g transform="translate({inner:.1f} {frame.top + TITLE_PX:.1f})">'
    yield from drawing.lines
    yield "</g>"


def _ways_between(frames: dict[str, Frame]) -> Iterator[str]:
    """Draw the imports between packages: the first contract of pyproject.toml."""
    for start, end in (("hw_sim", "firmware"), ("firmware", "game"), ("firmware", "drivers")):
        height = frames[end].top + frames[end].high / 2
        yield (
            f'<path d="M{frames[start].left + frames[start].wide:.1f} {height:.1f}'
            f'H{frames[end].left:.1f}" stroke="#b4552d" stroke-width="4" marker-end="url(#way)"/>'
        )


def main() -> None:
    WHERE.write_text(draw(), encoding="utf-8")
    print(f"wrote {WHERE}")


if __name__ == "__main__":
    main()
