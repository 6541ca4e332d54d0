"""The wiring as a picture (SVG), drawn from the netlist that the simulated board is tested with.

The header stands in the middle with its 40 pins, as one sees it with the card slot at the top.
Every part stands at its place with its legs; the wires between them follow from the netlist. A dot
is a joint; where two wires cross, one hops over the other. ``make drawing`` writes it.
"""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import chain
from typing import Final, NamedTuple

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
COLOURS: Final[Mapping[str, str]] = {
    "3V3": "#c62828", "5V": "#e65100", "GND": "#212121", "SDA": "#1565c0", "SCL": "#2e7d32",
    "INT1": "#6a1b9a", "touch": "#b26a00", "IR receive": "#00838f", "IR supply": "#00695c",
    "IR transmit": "#ad1457", "base": "#ad1457", "anode": "#bf360c", "cathode": "#5d4037",
    "piezo": "#795548", "piezo +": "#795548",
}  # fmt: skip

_HEADER_X, _HEADER_Y, _PILL = 600, 170, 66
_LANES: Final[Mapping[str, int]] = {
    "5V": 1010, "SDA": 352, "SCL": 388, "INT1": 450, "touch": 424, "IR receive": 740,
    "IR transmit": 770, "anode": 1010, "cathode": 1010, "piezo": 466,
}  # fmt: skip
"""The x of a signal's vertical line."""
_LEVELS: Final[Mapping[str, int]] = {"IR supply": 698, "base": 442, "piezo +": 836}
"""The y of the signals that have a horizontal line instead."""
_STRIPS: Final[Mapping[str, tuple[int, int, int, int]]] = {
    "3V3": (34, 474, 1192, 108),
    "GND": (66, 480, 1164, 892),
}
"""By supply: x of its strips at the left, beside the header, at the right; y of its level one."""
_FIRST_TO: Final[Mapping[str, int]] = {
    "R3.2": 576, "Q1.E": 576, "TSOP38238.GND": 822, "C1.-": 822,
}  # fmt: skip
"""Level that the wire of a leg goes to before it turns to its lane."""
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
    if signal in _STRIPS:
        level = _STRIPS[signal][-1]
        across = sorted(route[-1][0] for route in routes)
        routes.append([(across[0], level), (across[-1], level)])
    else:
        routes.append(_lane(signal, legs, ends))
    return pieces(routes)


def _route(signal: str, one: str, ends: Mapping[str, Point]) -> list[Point]:
    """The way of one leg's wire to the lane of its signal; of a supply on to its level strip."""
    x, y = ends[one]
    if signal in _LEVELS:
        return [(x, y), (x, _LEVELS[signal])]
    first = _FIRST_TO.get(one, y)
    if signal not in _STRIPS:
        return [(x, y), (x, first), (_LANES[signal], first)]
    left, middle, right, level = _STRIPS[signal]
    lane = middle if one.startswith("Pi.") else left if x < middle else right
    return [(x, y), (x, first), (lane, first), (lane, level)]


def _lane(signal: str, legs: Sequence[str], ends: Mapping[str, Point]) -> list[Point]:
    axis = 0 if signal in _LEVELS else 1
    along = sorted(ends[one][axis] for one in legs)
    if signal in _LEVELS:
        return [(along[0], _LEVELS[signal]), (along[-1], _LEVELS[signal])]
    return [(_LANES[signal], along[0]), (_LANES[signal], along[-1])]


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
        strip = signal in _STRIPS and (
            piece.start[0] in (_STRIPS[signal][0], _STRIPS[signal][2])
            if not piece.level
            else piece.start[1] == _STRIPS[signal][3]
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


class _Module(NamedTuple):
    """The position of a part with a row of pins, and the text on it."""

    below: str
    note: str
    box: tuple[int, int, int]
    left: tuple[str, ...]
    right: tuple[str, ...]


_MODULES: Final[Mapping[str, _Module]] = {
    "ADXL345": _Module(
        "accelerometer", "CS high: I²C. SDO low: 0x53", (110, 196, 180),
        ("VCC", "CS", "SDO", "GND"), ("SDA", "SCL", "INT1"),
    ),
    "SSD1306": _Module(
        "display, 0x3C", "printed as 0x78: the same", (110, 386, 180),
        ("VCC", "GND"), ("SDA", "SCL"),
    ),
    "VEML7700": _Module(
        "light sensor, 0x10", "on a cable, under the thumb", (110, 524, 180),
        ("VCC", "GND"), ("SDA", "SCL"),
    ),
    "TTP223": _Module(
        "touch pad", "leave pads A and B open", (110, 662, 180), ("VCC", "GND"), ("Q",),
    ),
    "TSOP38238": _Module(
        "infrared receiver", "", (846, 646, 156), ("OUT",), ("VS", "GND"),
    ),
}  # fmt: skip
_PLACES: Final[Mapping[str, tuple[Point, Turn]]] = {
    "R1": ((1010, 196), "down"),
    "D1": ((1010, 296), "down"),
    "Q1": ((948, 442), "right"),
    "R2": ((806, 442), "right"),
    "R3": ((908, 466), "down"),
    "R4": ((1146, 698), "left"),
    "C1": ((1044, 714), "down"),
    "R5": ((446, 836), "left"),
    "piezo": ((276, 836), "left"),
}
"""The end of the first leg of every other part, and the direction of the part from there."""
_BODIES: Final[Mapping[Kind, tuple[tuple[str, ...], int]]] = {
    "led": (LED_BODY, 22),
    "capacitor": (CAPACITOR_BODY, 7),
    "piezo": (PIEZO_BODY, 26),
}


def _symbol(part: str, signals: Mapping[str, str]) -> Symbol:
    kind, legs, _, value, _ = PARTS[part]
    if part == "Pi":
        return _header(signals)
    if part in _MODULES:
        _, _, box, left, right = _MODULES[part]
        colours = {one: COLOURS[signals[f"{part}.{one}"]] for one in (*left, *right)}
        return module(part, _MODULES[part][:2], box, (left, right), colours)
    place, turn = _PLACES[part]
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


_TITLES: Final = (
    (34, 90, "3V3 strip: one wire from header 1, and every 3V3 from here", "3V3"),
    (66, 918, "GND strip: one wire from header 39, and every GND from here", "GND"),
    (730, 160, "5 V: to R1, and to nothing else", "5V"),
)
_FIELDS: Final = (
    (802, 184, 356, 412, "Infrared sender"),
    (802, 614, 356, 228, "Infrared receiver"),
    (110, 796, 352, 80, "Sound"),
)
"""The background of the parts of one purpose: left, top, width, height, title."""
_NOTES: Final = (
    (110, 162, ("Modules differ in the order", "of their pins: read the print.")),
    (814, 232, ("Current flows from 5 V", "through R1, D1 and Q1", "to GND. The LED never")),
    (814, 280, ("touches a BCM pin.",)),
    (814, 548, ("Dashed: for", "a Pi 5, in", "place of 12.")),
    (820, 776, ("Other TSOP families", "have their legs in", "another order.")),
)  # fmt: skip
_NAMES: Final = (
    (1038, 234, "R1", "½ W"),
    (1036, 328, "D1", "A: long leg"),
    (1036, 344, "", "K: short leg"),
    (1050, 438, "Q1", "legs: see table"),
    (816, 420, "R2", ""),
    (926, 514, "R3", ""),
    (1072, 678, "R4", ""),
    (1072, 752, "C1", ""),
    (374, 818, "R5", ""),
    (292, 822, "piezo", ""),
)
"""The position and name of a part without printed pins, and the text below the name."""
_LEG_NAMES: Final = (
    (996, 306, "A"), (996, 382, "K"), (1022, 400, "C"), (946, 434, "B"), (1022, 484, "E"),
)  # fmt: skip


def _grounds() -> list[str]:
    return [
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="#f7f3ea"/>'
        for x, y, width, height, _ in _FIELDS
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
    lines += [text(x, y, words, fill=COLOURS[net], bold=True) for x, y, words, net in _TITLES]
    lines += [text(x + 12, y + 24, title, size=14, bold=True) for x, y, _, _, title in _FIELDS]
    for x, y, rows in _NOTES:
        lines += [text(x, y + 16 * n, row, size=12, fill=GREY) for n, row in enumerate(rows)]
    for x, y, part, below in _NAMES:
        if part:
            lines.append(text(x, y, called(part), bold=True))
        if below:
            lines.append(text(x, y + 16, below, size=12, fill=GREY))
    lines += [text(x, y, name, size=12, bold=True) for x, y, name in _LEG_NAMES]
    return lines


def main() -> None:
    """Print the drawing."""
    print(drawing(), end="")


if __name__ == "__main__":
    main()
