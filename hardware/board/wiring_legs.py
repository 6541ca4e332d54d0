"""The outlines of the parts without printed names, with the names of their legs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hardware.board.wiring_symbols import (
    GREY,
    INK,
    METAL,
    PALE,
    bands,
    called,
    pill,
    resistor_body,
    text,
)
from hw_sim.board.board import PARTS, TOLERANCE, TRANSISTOR_LEGS

HEIGHT: Final = 196
_GAP: Final = 10
_BODY_Y, _LEGS_Y = 82, 160
"""Distances from the upper edge of a card: a body's lower edge, and the names of its legs."""
_LONG: Final = 60
"""The longer leg of a part with two, in pixels; the shorter one has three quarters of it."""


def cards(left: int, top: int, colours: Mapping[str, str]) -> list[str]:
    """Return the cards in a row; ``colours`` of every leg (``D1.A``) are those of its wire."""
    lines: list[str] = []
    for width, title, note, draw in _cards():
        lines += [
            f'<rect x="{left}" y="{top}" width="{width}" height="{HEIGHT}" rx="8" '
            f'fill="#ffffff" stroke="{PALE}" stroke-width="2"/>',
            text(left + width / 2, top + 20, title, anchor="middle", bold=True),
            text(left + width / 2, top + HEIGHT - 10, note, size=11, anchor="middle", fill=GREY),
            f'<g transform="translate({left + width // 2} {top})">',
            *draw(colours),
            "</g>",
        ]
        left += width + _GAP
    return lines


_Draw = Callable[[Mapping[str, str]], list[str]]


def _cards() -> list[tuple[int, str, str, _Draw]]:
    """Width, title, note and picture of every card; a picture lies around x = 0."""
    transistors = [
        (158, f"Q1: {name}", "flat side towards you", _transistor(name, legs))
        for name, legs in TRANSISTOR_LEGS.items()
    ]
    return [
        (178, called("D1"), "K: the flat side of the rim", _led),
        *transistors,
        (202, "TSOP38238", "dome towards you", _receiver),
        (150, called("C1"), "the stripe is −", _capacitor),
        (270, "Resistors", f"last band: ±{TOLERANCE:.0%}", _resistors),
    ]


def _leg(x: float, length: float) -> str:
    return (
        f'<path d="M{x:g} {_BODY_Y} v{length:g}" stroke="{METAL}" stroke-width="3" '
        'stroke-linecap="round"/>'
    )


def _names(part: str, legs: Sequence[str], step: int, colours: Mapping[str, str]) -> list[str]:
    """The names below the legs, ``step`` pixels apart."""
    first = -step * (len(legs) - 1) / 2
    lines = []
    for number, name in enumerate(legs):
        width = 14 + 8 * len(name)
        x = first + number * step
        words = name.replace("-", "−")
        lines.append(pill(x - width / 2, _LEGS_Y, width, words, colours[f"{part}.{name}"]))
    return lines


def _led(colours: Mapping[str, str]) -> list[str]:
    return [
        _leg(-14, _LONG),
        _leg(14, _LONG * 0.75),
        f'<path d="M-22 {_BODY_Y - 6} v-22 a22 22 0 0 1 44 0 v22 z" fill="#d1c4e9" '
        f'stroke="{INK}"/>',
        f'<path d="M-28 {_BODY_Y - 6} H22 V{_BODY_Y} H-28 z" fill="#b39ddb" stroke="{INK}"/>',
        text(-30, 122, "long", size=11, anchor="end", fill=GREY),
        text(30, 112, "short", size=11, fill=GREY),
        *_names("D1", PARTS["D1"].legs, 34, colours),
    ]


def _transistor(name: str, legs: Sequence[str]) -> _Draw:
    def draw(colours: Mapping[str, str]) -> list[str]:
        return [
            *(_leg(x, _LONG) for x in (-30, 0, 30)),
            f'<path d="M-40 {_BODY_Y} v-38 l8 -8 h64 l8 8 v38 z" fill="#37474f" stroke="{INK}"/>',
            text(0, _BODY_Y - 17, name, size=12, anchor="middle", fill="#ffffff", bold=True),
            *_names("Q1", legs, 30, colours),
        ]

    return draw


def _receiver(colours: Mapping[str, str]) -> list[str]:
    return [
        *(_leg(x, _LONG) for x in (-44, 0, 44)),
        f'<rect x="-56" y="{_BODY_Y - 54}" width="112" height="54" rx="4" fill="#37474f" '
        f'stroke="{INK}"/>',
        f'<circle cx="0" cy="{_BODY_Y - 27}" r="22" fill="#607d8b" stroke="{INK}"/>',
        f'<path d="M-12 {_BODY_Y - 34} a14 14 0 0 1 12 -8" fill="none" stroke="#cfd8dc" '
        'stroke-width="3" stroke-linecap="round"/>',
        *_names("TSOP38238", PARTS["TSOP38238"].legs, 44, colours),
    ]


def _capacitor(colours: Mapping[str, str]) -> list[str]:
    return [
        _leg(-12, _LONG),
        _leg(12, _LONG * 0.75),
        f'<rect x="-24" y="{_BODY_Y - 54}" width="48" height="54" rx="5" fill="#303f9f" '
        f'stroke="{INK}"/>',
        f'<rect x="7" y="{_BODY_Y - 54}" width="11" height="54" fill="#e8eaf6"/>',
        *(
            f'<path d="M9.5 {_BODY_Y - 54 + y} h6" stroke="{INK}" stroke-width="2"/>'
            for y in (12, 27, 42)
        ),
        text(-28, 122, "long", size=11, anchor="end", fill=GREY),
        text(28, 112, "short", size=11, fill=GREY),
        *_names("C1", PARTS["C1"].legs, 30, colours),
    ]


def _resistors(_: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    y = 42
    for name, (kind, _legs, what, ohms, _free) in sorted(PARTS.items()):
        if kind != "resistor" or ohms is None:
            continue
        lines += [
            f'<path d="M-124 {y} h66" stroke="{METAL}" stroke-width="2.4"/>',
            f'<g transform="translate(-91 {y})">',
            *resistor_body(ohms),
            "</g>",
            text(-50, y - 2, f"{called(name)}, {what}", size=12, bold=True),
            text(-50, y + 11, " ".join(band for band, _ in bands(ohms)), size=11, fill=GREY),
        ]
        y += 28
    return lines
