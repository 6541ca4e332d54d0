"""A judged match as one curve: everybody's worth from action to action, as SVG."""

from html import escape
from itertools import pairwise
from typing import Final

from firmware.display.text.language import Language, say
from game.coach import Analysis
from game.coach.analysis import FREE

_WIDE: Final = 640
_HIGH: Final = 280
_EDGE: Final = 16
_TOP: Final = 64
COLOURS: Final = (
    *("#1565c0", "#c62828", "#2e7d32", "#6a1b9a", "#ef6c00", "#00838f", "#5d4037", "#455a64"),
)
"""The colours of the lines, by seat."""


def match_curve(analysis: Analysis, language: Language) -> str:
    """Draw the curve with the dearest decisions as numbered dots; "" for less than two actions."""
    points = analysis.curve
    if len(points) <= 1:
        return ""
    every = [worth for point in points for worth in point.worths]
    least, most = (0.0, 1.0) if analysis.unit == "chance" else (min(every), max(every))

    def at(place: int, worth: float) -> tuple[float, float]:
        across = (_WIDE - 2 * _EDGE) * place / (len(points) - 1)
        down = (_HIGH - _TOP - _EDGE) * (most - worth) / max(FREE, most - least)
        return _EDGE + across, _TOP + down

    parts = [
        f'<rect width="{_WIDE}" height="{_HIGH}" fill="#fff"/>',
        _text(_EDGE, 22, say("judged.CURVE", language), "#222", 13),
    ]
    for place, (before, now) in enumerate(pairwise(points), start=1):
        if before.round != now.round:
            x = at(place, most)[0]
            parts.append(f'<path d="M{x:.1f} {_TOP}V{_HIGH - _EDGE}" stroke="#ddd"/>')
    for seat, name in enumerate(analysis.players):
        colour = COLOURS[seat % len(COLOURS)]
        parts.append(_text(_EDGE + 76 * seat, 46, name, colour, 15))
        spots = [at(place, point.worths[seat]) for place, point in enumerate(points)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
    places = {point.line: place for place, point in enumerate(points)}
    for number, judged in enumerate(analysis.dearest, start=1):
        place, colour = places[judged.line], COLOURS[judged.seat % len(COLOURS)]
        x, y = at(place, points[place].worths[judged.seat])
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{colour}"/>')
        parts.append(_text(x - 4, y + 5, str(number), "#fff", 13))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" '
        f'height="{_HIGH}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, fill: str, size: int) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-family="DejaVu Sans,sans-serif" font-size="{size}" '
        f'fill="{fill}">{escape(text, quote=False)}</text>'
    )
