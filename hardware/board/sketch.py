"""Drawings at true scale, in mm, as SVG."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

A4_MM = (210.0, 297.0)
"""Width and height of a sheet of paper (ISO 216)."""


class Line(NamedTuple):
    """A stroke through points."""

    points: tuple[tuple[float, float], ...]
    colour: str
    wide: float = 0.4


class Disc(NamedTuple):
    """A filled circle with an edge."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str = ""
    wide: float = 0.2


class Dots(NamedTuple):
    """Many discs of one size and colour."""

    places: tuple[tuple[float, float], ...]
    radius: float
    fill: str


class Plate(NamedTuple):
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str = ""
    corner: float = 0.6
    clear: float = 1.0


class Label(NamedTuple):
    """Text; ``anchor`` as in SVG: start, middle or end. ``upright`` turns it by a quarter."""

    x: float
    y: float
    text: str
    size: float = 2.2
    colour: str = "#222222"
    anchor: str = "start"
    bold: bool = False
    upright: bool = False


Mark = Line | Disc | Dots | Plate | Label


def moved(marks: Iterable[Mark], dx: float, dy: float) -> list[Mark]:
    """Return the marks at another place."""
    found: list[Mark] = []
    for mark in marks:
        if isinstance(mark, Line):
            shifted = tuple((x + dx, y + dy) for x, y in mark.points)
            found.append(mark._replace(points=shifted))
        elif isinstance(mark, Dots):
            found.append(mark._replace(places=tuple((x + dx, y + dy) for x, y in mark.places)))
        else:
            found.append(mark._replace(x=mark.x + dx, y=mark.y + dy))
    return found


def scaled(marks: Iterable[Mark], by: float) -> list[Mark]:
    """Return the marks larger by a factor, around the origin."""
    found: list[Mark] = []
    for mark in marks:
        if isinstance(mark, Line):
            points = tuple((x * by, y * by) for x, y in mark.points)
            found.append(mark._replace(points=points, wide=mark.wide * by))
            continue
        if isinstance(mark, Dots):
            places = tuple((x * by, y * by) for x, y in mark.places)
            found.append(Dots(places, mark.radius * by, mark.fill))
            continue
        sizes: dict[str, float] = {"x": mark.x * by, "y": mark.y * by}
        if isinstance(mark, Disc):
            sizes |= {"radius": mark.radius * by, "wide": mark.wide * by}
        elif isinstance(mark, Plate):
            sizes |= {"width": mark.width * by, "height": mark.height * by}
            sizes["corner"] = mark.corner * by
        else:
            sizes["size"] = mark.size * by
        found.append(mark._replace(**sizes))  # type: ignore[arg-type]
    return found


def svg(marks: Sequence[Mark], size: tuple[float, float] = A4_MM, title: str = "") -> str:
    """Return marks as an SVG document of this size in mm; a drawing without words has no title."""
    width, height = size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="Helvetica, Arial, sans-serif">',
        *([f"<title>{escape(title)}</title>"] if title else []),
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *(_element(mark) for mark in marks),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(mark: Mark) -> str:
    if isinstance(mark, Line):
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in mark.points)
        return (
            f'<polyline points="{points}" fill="none" stroke="{mark.colour}" '
            f'stroke-width="{mark.wide:g}" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    if isinstance(mark, Disc):
        edge = f' stroke="{mark.edge}" stroke-width="{mark.wide:g}"' if mark.edge else ""
        return (
            f'<circle cx="{mark.x:.2f}" cy="{mark.y:.2f}" r="{mark.radius:g}" '
            f'fill="{mark.fill}"{edge}/>'
        )
    if isinstance(mark, Dots):
        path = "".join(f"M{x:.2f} {y:.2f}h0" for x, y in mark.places)
        return (
            f'<path d="{path}" stroke="{mark.fill}" stroke-width="{2 * mark.radius:g}" '
            'stroke-linecap="round"/>'
        )
    if isinstance(mark, Plate):
        edge = f' stroke="{mark.edge}" stroke-width="0.25"' if mark.edge else ""
        clear = f' fill-opacity="{mark.clear:g}"' if mark.clear < 1 else ""
        return (
            f'<rect x="{mark.x:.2f}" y="{mark.y:.2f}" width="{mark.width:.2f}" '
            f'height="{mark.height:.2f}" rx="{mark.corner:g}" fill="{mark.fill}"{edge}{clear}/>'
        )
    turn = f' transform="rotate(-90 {mark.x:.2f} {mark.y:.2f})"' if mark.upright else ""
    weight = ' font-weight="bold"' if mark.bold else ""
    return (
        f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" font-size="{mark.size:g}" fill="{mark.colour}" '
        f'text-anchor="{mark.anchor}"{weight}{turn}>{escape(mark.text)}</text>'
    )
