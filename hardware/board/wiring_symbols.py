"""Parts as they are drawn in the wiring: a body, and legs that end where a wire begins.

A leg is a line of the class ``leg`` that names its part and leg; it runs from the body outwards.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final, Literal, NamedTuple

from hardware.board.wiring_lines import Point
from hw_sim.board import PARTS

Turn = Literal["right", "down", "left"]

INK: Final = "#263238"
GREY: Final = "#546e7a"
METAL: Final = "#78909c"
_BANDS: Final = (
    "#000000", "#6d4c41", "#d32f2f", "#ff9800", "#fdd835",
    "#388e3c", "#1976d2", "#8e24aa", "#9e9e9e", "#ffffff",
)  # fmt: skip
"""The colours of the digits on resistors, from 0: black, brown, red and so on."""
_GOLD: Final = "#c9a227"
TWO_LEGS: Final = 84
"""From the end of one leg to that of the other, of every part with two legs, in pixels."""
ROW: Final = 26
"""From one pin of a module to the next, in pixels."""
MODULE_HEAD: Final = 52
"""From the upper edge of a module to its first row."""


class Symbol(NamedTuple):
    """A drawn part: lines of SVG, and where each of its legs ends."""

    art: list[str]
    legs: dict[str, Point]


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float = 13,
    anchor: str = "start",
    fill: str = INK,
    bold: bool = False,
) -> str:
    """Return ``words`` with their baseline at ``y``."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{fill}"{weight}>{escape(words)}</text>'
    )


def leg(part: str, name: str, inner: Point, outer: Point) -> str:
    """Return the line of one leg, from the body to where its wire begins."""
    return (
        f'<path class="leg" data-leg="{part}.{name}" d="M{inner[0]} {inner[1]} L{outer[0]} '
        f'{outer[1]}" stroke="{METAL}" stroke-width="2.6" stroke-linecap="round"/>'
    )


def called(part: str) -> str:
    """Return the name of ``part`` with what is written on its bag: ``R3 10 kΩ``, ``C1 4.7 µF``."""
    kind, _, what, value, _ = PARTS[part]
    match kind:
        case "resistor" if value is not None:
            return f"{part} {value / 1000:g} kΩ" if value >= 1000 else f"{part} {value:g} Ω"
        case "capacitor" if value is not None:
            return f"{part} {value * 1e6:g} µF"
        case "piezo":
            return part
        case _:
            return f"{part} {what}"


def resistor_body(ohms: float) -> list[str]:
    """Return a resistor's body around (0, 0), 48 long, with its four bands (IEC 60062).

    They are two digits, the number of zeros, and gold for ±5 %.
    """
    digits = f"{ohms:.0f}"
    bands = (_BANDS[int(digits[0])], _BANDS[int(digits[1])], _BANDS[len(digits) - 2], _GOLD)
    lines = [
        '<rect x="-24" y="-9" width="48" height="18" rx="8" fill="#f3e0bd" stroke="#8d6e63"/>',
    ]
    lines += [
        f'<rect x="{x}" y="-9" width="5" height="18" fill="{colour}"/>'
        for x, colour in zip((-15, -6, 3, 13), bands, strict=True)
    ]
    return lines


def two_legged(
    part: str, names: Sequence[str], body: Sequence[str], reach: int, at: Point, turn: Turn
) -> Symbol:
    """Return a part with two legs; ``body`` lies around (0, 0), ``reach`` to either side.

    The first leg ends at ``at``, the second `TWO_LEGS` farther in the direction of ``turn``.
    """
    dx, dy = {"right": (1, 0), "down": (0, 1), "left": (-1, 0)}[turn]
    angle = {"right": 0, "down": 90, "left": 180}[turn]

    def place(along: int) -> Point:
        return at[0] + dx * along, at[1] + dy * along

    middle = TWO_LEGS // 2
    x, y = place(middle)
    return Symbol(
        [
            leg(part, names[0], place(middle - reach), place(0)),
            leg(part, names[1], place(middle + reach), place(TWO_LEGS)),
            f'<g transform="translate({x} {y}) rotate({angle})">',
            *body,
            "</g>",
        ],
        {names[0]: place(0), names[1]: place(TWO_LEGS)},
    )


LED_BODY: Final = (
    f'<circle r="22" fill="#ede7f6" stroke="{INK}" stroke-width="1.5"/>',
    f'<path d="M-22 0 H-11 M11 0 H22" stroke="{INK}" stroke-width="2"/>',
    f'<path d="M-11 -12 V12 L11 0 Z" fill="#ad1457" stroke="{INK}"/>',
    f'<path d="M11 -12 V12" stroke="{INK}" stroke-width="3"/>',
    '<path d="M-6 26 L4 38 m-7 -2 l7 2 l-1 -7 M6 21 L16 33 m-7 -2 l7 2 l-1 -7" '
    'stroke="#ad1457" stroke-width="1.6" fill="none"/>',
)
CAPACITOR_BODY: Final = (
    f'<rect x="-6" y="-18" width="5" height="36" fill="#ffffff" stroke="{INK}" '
    'stroke-width="1.5"/>',
    f'<rect x="3" y="-18" width="5" height="36" fill="{INK}"/>',
    f'<path d="M-17 -12 h8 m-4 -4 v8" stroke="{INK}" stroke-width="1.6"/>',
)
PIEZO_BODY: Final = (
    '<circle r="26" fill="#d7b46a" stroke="#8d6e63" stroke-width="1.5"/>',
    '<circle r="17" fill="#f5f5f5" stroke="#8d6e63"/>',
)


def transistor(part: str, at: Point) -> Symbol:
    """Return an NPN transistor; its base ends at ``at``, collector and emitter right of it."""
    x, y = at
    bar, right = x + 38, x + 62
    ends = {"B": at, "C": (right, y - 46), "E": (right, y + 46)}
    return Symbol(
        [
            f'<circle cx="{bar + 10}" cy="{y}" r="30" fill="#e3f2fd" stroke="{INK}" '
            'stroke-width="1.5"/>',
            leg(part, "B", (bar, y), at),
            leg(part, "C", (right, y - 20), ends["C"]),
            leg(part, "E", (right, y + 20), ends["E"]),
            f'<path d="M{bar} {y - 18} V{y + 18}" stroke="{INK}" stroke-width="4"/>',
            f'<path d="M{bar} {y - 7} L{right} {y - 20} M{bar} {y + 7} L{right} {y + 20}" '
            f'stroke="{INK}" stroke-width="2"/>',
            f'<path d="M{right} {y + 20} l-11 -1 l5 -8 z" fill="{INK}"/>',
        ],
        ends,
    )


def pill(x: float, y: float, width: float, words: str, colour: str) -> str:
    """Return ``words`` in white on a rounded field whose left edge is ``x`` and middle ``y``."""
    return (
        f'<rect x="{x:g}" y="{y - 9:g}" width="{width:g}" height="18" rx="7" fill="{colour}"/>'
        + text(x + width / 2, y + 4, words, size=11, anchor="middle", fill="#ffffff", bold=True)
    )


def module(
    part: str,
    words: tuple[str, str],
    box: tuple[int, int, int],
    sides: tuple[Sequence[str], Sequence[str]],
    colours: Mapping[str, str],
) -> Symbol:
    """Return a board with its pins at the left and the right edge, from the top.

    ``words`` stand below its name and at its lower edge, where "" is nothing; ``box`` is left, top
    and width in pixels; ``sides`` are the legs at the left and at the right, ``colours`` those of
    every leg.
    """
    left, top, width = box
    rows = max(len(side) for side in sides)
    height = MODULE_HEAD + (rows - 1) * ROW + (38 if words[1] else 22)
    art = [
        f'<rect class="body" x="{left}" y="{top}" width="{width}" height="{height}" rx="8" '
        f'fill="#fafafa" stroke="{INK}" stroke-width="1.5"/>',
        text(left + width / 2, top + 20, part, size=14, anchor="middle", bold=True),
        text(left + width / 2, top + 36, words[0], size=11.5, anchor="middle", fill=GREY),
    ]
    if words[1]:
        art.append(
            text(left + width / 2, top + height - 8, words[1], size=11, anchor="middle", fill=GREY)
        )
    ends: dict[str, Point] = {}
    for side, names in zip((-1, 1), sides, strict=True):
        edge = left if side < 0 else left + width
        for row, name in enumerate(names):
            y = top + MODULE_HEAD + row * ROW
            ends[name] = edge + side * 10, y
            art.append(leg(part, name, (edge, y), ends[name]))
            across = 14 + 8 * len(name)
            x = edge + 5 if side < 0 else edge - 5 - across
            art.append(pill(x, y, across, name, colours[name]))
    return Symbol(art, ends)
