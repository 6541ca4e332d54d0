"""The wiring as a picture (SVG), drawn from the netlist that the simulated board is tested with.

The header stands in the middle with its 40 pins, as one sees it with the card slot at the top.
Every part stands at its place with its legs; the wires between them follow from the netlist. A dot
is a joint; where two wires cross, one hops over the other. ``make drawing`` writes it.
"""

import tomllib
from collections.abc import Mapping, Sequence
from html import escape
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from hardware.board.wiring_lines import Point, Stroke, hops, joints, pieces
from hardware.board.wiring_symbols import (
    CAPACITOR_BODY,
    GREY,
    INK,
    LED_BODY,
    METAL,
    PIEZO_BODY,
    ROW,
    Symbol,
    Turn,
    called,
    leg,
    module,
    pill,
    resistor_body,
    text,
    transistor,
    two_legged,
)
from hw_sim.board import HEADER_BCM, HEADER_PINS, HEADER_POWER, NETS, ON_PI_5, PARTS, Kind

WIDTH: Final = 1220
HEIGHT: Final = 936


class _Module(NamedTuple):
    """The position of a part with a row of pins, and the text on it."""

    below: str
    note: str
    box: tuple[int, int, int]
    left: tuple[str, ...]
    right: tuple[str, ...]


class _Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of ``wiring.toml``, which says what each of them holds."""

    titles: tuple[tuple[int, int, str, str], ...]
    fields: tuple[tuple[int, int, int, int, str], ...]
    notes: tuple[tuple[int, int, tuple[str, ...]], ...]
    names: tuple[tuple[int, int, str, str], ...]
    leg_names: tuple[tuple[int, int, str], ...]
    colours: dict[str, str]
    lanes: dict[str, int]
    levels: dict[str, int]
    strips: dict[str, tuple[int, int, int, int]]
    first_to: dict[str, int]
    modules: dict[str, _Module]
    places: dict[str, tuple[Point, Turn]]


_TOML: Final = Path(__file__).with_name("wiring.toml")
_LAYOUT: Final = msgspec.convert(tomllib.loads(_TOML.read_text("utf-8")), _Layout)
COLOURS: Final = _LAYOUT.colours
_HEADER_X, _HEADER_Y, _PILL = 600, 170, 66
_THIN, _THICK = 2.4, 6


def drawing(nets: Mapping[str, Sequence[str]] = NETS) -> str:
    """Return the wiring as an SVG document; the same netlist gives the same text.

    Raises:
        KeyError: a part or signal has no place in the drawing.
    """
    signals = {one: signal for signal, legs in nets.items() for one in legs}
    symbols = {part: _symbol(part, signals) for part in PARTS}
    ends = {
        f"{part}.{name}": end
        for part, symbol in symbols.items()
        for name, end in symbol.legs.items()
    }
    wires = {signal: _wires(signal, legs, ends) for signal, legs in nets.items()}
    instead = {}
    for usual, other in ON_PI_5.items():
        signal = signals[usual]
        instead[signal] = pieces(
            [_route(signal, other, ends), _lane(signal, (other, *nets[signal][1:]), ends)]
        )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="Helvetica, Arial, sans-serif">',
        "<title>Wiring of one handheld</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *_grounds(),
        *chain.from_iterable(
            _net(signal, nets[signal], wires, instead.get(signal, [])) for signal in nets
        ),
        *chain.from_iterable(symbol.art for symbol in symbols.values()),
        *_words(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


# ---- wires -----------------------------------------------------------------------------------


def _wires(signal: str, legs: Sequence[str], ends: Mapping[str, Point]) -> list[Stroke]:
    routes = [_route(signal, one, ends) for one in legs]
    if signal in _LAYOUT.strips:
        level = _LAYOUT.strips[signal][-1]
        across = sorted(route[-1][0] for route in routes)
        routes.append([(across[0], level), (across[-1], level)])
    else:
        routes.append(_lane(signal, legs, ends))
    return pieces(routes)


def _route(signal: str, one: str, ends: Mapping[str, Point]) -> list[Point]:
    """The way of one leg's wire to the lane of its signal; of a supply on to its level strip."""
    x, y = ends[one]
    if signal in _LAYOUT.levels:
        return [(x, y), (x, _LAYOUT.levels[signal])]
    first = _LAYOUT.first_to.get(one, y)
    if signal not in _LAYOUT.strips:
        return [(x, y), (x, first), (_LAYOUT.lanes[signal], first)]
    left, middle, right, level = _LAYOUT.strips[signal]
    lane = middle if one.startswith("Pi.") else left if x < middle else right
    return [(x, y), (x, first), (lane, first), (lane, level)]


def _lane(signal: str, legs: Sequence[str], ends: Mapping[str, Point]) -> list[Point]:
    axis = 0 if signal in _LAYOUT.levels else 1
    along = sorted(ends[one][axis] for one in legs)
    if signal in _LAYOUT.levels:
        return [(along[0], _LAYOUT.levels[signal]), (along[-1], _LAYOUT.levels[signal])]
    return [(_LAYOUT.lanes[signal], along[0]), (_LAYOUT.lanes[signal], along[-1])]


def _net(
    signal: str,
    legs: Sequence[str],
    wires: Mapping[str, Sequence[Stroke]],
    instead: Sequence[Stroke],
) -> list[str]:
    """One net: its wires, those that a Pi 5 has instead (dashed), and its joints."""
    colour = COLOURS[signal]
    told = ", ".join(one.replace("Pi.", "header ").replace(".", " ") for one in legs)
    lines = [
        f'<g class="net" fill="none" stroke="{colour}"><title>{escape(f"{signal}: {told}")}</title>'
    ]
    for piece, kind in [(p, "wire") for p in wires[signal]] + [(p, "instead") for p in instead]:
        strip = signal in _LAYOUT.strips and (
            piece.start[0] in (_LAYOUT.strips[signal][0], _LAYOUT.strips[signal][2])
            if not piece.level
            else piece.start[1] == _LAYOUT.strips[signal][3]
        )
        dash = ' stroke-dasharray="7 5"' if kind == "instead" else ""
        lines.append(
            f'<path class="{kind}" d="{_path(piece, hops(piece, wires, signal))}" '
            f'stroke-width="{_THICK if strip else _THIN}" stroke-linecap="square"{dash}/>'
        )
    lines += [
        f'<circle class="joint" cx="{x}" cy="{y}" r="5" fill="{colour}" stroke="#ffffff"/>'
        for x, y in joints([*wires[signal], *instead])
    ]
    return [*lines, "</g>"]


def _path(piece: Stroke, over: Sequence[int]) -> str:
    """A piece as path data; where it crosses an upright wire, a half circle upwards."""
    (x, y), (end_x, end_y) = piece
    data = f"M{x} {y}"
    for crossed in over:
        data += f" H{crossed - 8} a8 8 0 0 1 16 0"
    return data + (f" H{end_x}" if piece.level else f" V{end_y}")


# ---- parts -----------------------------------------------------------------------------------


_BODIES: Final[Mapping[Kind, tuple[tuple[str, ...], int]]] = {
    "led": (LED_BODY, 22),
    "capacitor": (CAPACITOR_BODY, 7),
    "piezo": (PIEZO_BODY, 26),
}


def _symbol(part: str, signals: Mapping[str, str]) -> Symbol:
    kind, legs, _, value, _ = PARTS[part]
    if part == "Pi":
        return _header(signals)
    if part in _LAYOUT.modules:
        _, _, box, left, right = _LAYOUT.modules[part]
        colours = {one: COLOURS[signals[f"{part}.{one}"]] for one in (*left, *right)}
        return module(part, _LAYOUT.modules[part][:2], box, (left, right), colours)
    place, turn = _LAYOUT.places[part]
    if kind == "transistor":
        return transistor(part, place)
    if kind == "resistor" and value is not None:
        return two_legged(part, legs, resistor_body(value), 24, place, turn)
    body, reach = _BODIES[kind]
    return two_legged(part, legs, body, reach, place, turn)


def _header(signals: Mapping[str, str]) -> Symbol:
    """All 40 pins; what is used has the colour of its signal."""
    x, top, rows = _HEADER_X, _HEADER_Y, HEADER_PINS // 2
    art = [
        f'<rect x="{x - 31}" y="{top - 20}" width="62" height="{(rows - 1) * ROW + 40}" rx="6" '
        f'fill="#1b5e20" stroke="{INK}"/>'
    ]
    ends: dict[str, Point] = {}
    for place in range(1, HEADER_PINS + 1):
        side = -1 if place % 2 else 1
        y = top + (place - 1) // 2 * ROW
        name = HEADER_POWER.get(place) or f"BCM {HEADER_BCM[place]}"
        edge = x + side * (35 + _PILL)
        left = min(edge, edge - side * _PILL)
        signal = signals.get(f"Pi.{place}")
        instead = [usual for usual, other in ON_PI_5.items() if other == f"Pi.{place}"]
        if instead:
            signal = signals[instead[0]]
        rounded = 3 if place == 1 else 11  # pin 1 has the square pad
        art.append(
            f'<rect x="{x + side * 15 - 11}" y="{y - 11}" width="22" height="22" rx="{rounded}" '
            f'fill="#ffe082" stroke="{INK}"/>'
        )
        art.append(text(x + side * 15, y + 4, str(place), size=11, anchor="middle", bold=True))
        if signal:
            ends[str(place)] = edge + side * 8, y
            art.append(leg("Pi", str(place), (edge, y), ends[str(place)]))
        if signal and not instead:
            art.append(pill(left, y, _PILL, name, COLOURS[signal]))
            continue
        colour = COLOURS.get(signal or HEADER_POWER.get(place, ""), METAL)
        dash = ' stroke-dasharray="5 3"' if instead else ""
        art.append(
            f'<rect x="{left}" y="{y - 9}" width="{_PILL}" height="18" rx="7" fill="#ffffff" '
            f'stroke="{colour}"{dash}/>'
        )
        art.append(text(left + _PILL / 2, y + 4, name, size=11, anchor="middle", fill=colour))
    return Symbol(art, ends)


# ---- words -----------------------------------------------------------------------------------


def _grounds() -> list[str]:
    return [
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="#f7f3ea"/>'
        for x, y, width, height, _ in _LAYOUT.fields
    ]


def _words() -> list[str]:
    lines = [
        text(30, 42, "Wiring of one handheld", size=24, bold=True),
        f'<circle cx="392" cy="35" r="5" fill="{INK}"/>',
        text(406, 40, "a dot joins wires", fill=GREY),
        f'<path d="M566 38 h14 a8 8 0 0 1 16 0 h14 M588 20 v32" fill="none" stroke="{INK}" '
        'stroke-width="2"/>',
        text(624, 40, "a wire that hops over another does not touch it", fill=GREY),
        text(_HEADER_X, 128, "Raspberry Pi", size=14, anchor="middle", bold=True),
        text(
            _HEADER_X, 143, "from above, card slot at the top", size=11, anchor="middle", fill=GREY
        ),
    ]
    lines += [
        text(x, y, words, fill=COLOURS[net], bold=True) for x, y, words, net in _LAYOUT.titles
    ]
    lines += [
        text(x + 12, y + 24, title, size=14, bold=True) for x, y, _, _, title in _LAYOUT.fields
    ]
    for x, y, rows in _LAYOUT.notes:
        lines += [text(x, y + 16 * n, row, size=12, fill=GREY) for n, row in enumerate(rows)]
    for x, y, part, below in _LAYOUT.names:
        if part:
            lines.append(text(x, y, called(part), bold=True))
        if below:
            lines.append(text(x, y + 16, below, size=12, fill=GREY))
    lines += [text(x, y, name, size=12, bold=True) for x, y, name in _LAYOUT.leg_names]
    return lines


def main() -> None:
    """Print the drawing."""
    print(drawing(), end="")


if __name__ == "__main__":
    main()
