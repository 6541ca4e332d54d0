"""The wiring as a picture (SVG), drawn from the netlist that the simulated board is tested with.

The header stands on the left with its 40 pins; every part is a box on the right, with a wire from
each of its pins to the header's. What carries the same signal shares a colour and a lane: a dot is
a joint, a crossing without one is none. ``make drawing`` writes it.
"""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final, NamedTuple

from hw_sim.board.netlist import NETLIST, Net

HEADER_BCM: Final[Mapping[int, int]] = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10,
    21: 9, 22: 25, 23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19,
    36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""Place on the 40-pin header to BCM number (Raspberry Pi, 40-pin header)."""
POWER: Final[Mapping[int, str]] = {
    1: "3V3", 2: "5V", 4: "5V", 6: "GND", 9: "GND", 14: "GND", 17: "3V3", 20: "GND", 25: "GND",
    30: "GND", 34: "GND", 39: "GND",
}  # fmt: skip
V33_PIN, V5_PIN, GND_PIN = 1, 2, 6
_PINS: Final = 40

_NOTES: Final[Mapping[str, str]] = {
    "ADXL345": "CS to 3V3, SDO to GND",
    "SSD1306": "jumper on 0x78",
    "VEML7700": "on a wire, under the thumb",
    "TTP223": "pads A and B open",
    "TSOP38238": "100 Ω and 4.7 µF at VS",
    "IR LED": "33 Ω, NPN, 470 Ω at its base",
    "piezo": "1 kΩ in series",
}
_UNPOWERED: Final = frozenset({"piezo"})
_COLOURS: Final[Mapping[str, str]] = {
    "3V3": "#c62828", "5V": "#f9a825", "GND": "#212121", "SDA": "#1565c0", "SCL": "#2e7d32",
    "INT1": "#6a1b9a", "touch": "#ef6c00", "IR receive": "#00838f", "IR transmit": "#ad1457",
    "piezo": "#6d4c41",
}  # fmt: skip

_WIDTH = 880
_ROW = 18
_TOP = 56
_HEADER_LEFT, _HEADER_WIDTH = 150, 64
_BOX_LEFT, _BOX_WIDTH, _BOX_GAP = 640, 220, 18
_FIRST_BOX, _HEAD = 27, 42  # with rows of 18, no wire of a box lies on one of the header
_LANE = 30
_FIRST_LANE = 300
_FROM_5_V: Final = frozenset({"IR LED"})


class _End(NamedTuple):
    """One pin of a part, at a height of the picture, and the header's pin it goes to."""

    part_pin: str
    signal: str
    header: int
    y: int


def header_of(bcm: int) -> int:
    """Return the header pin, 1 to 40, of a BCM number."""
    return next(place for place, number in HEADER_BCM.items() if number == bcm)


def drawing(nets: Iterable[Net] = NETLIST) -> str:
    """Return the wiring as an SVG document; the same netlist gives the same text."""
    parts: dict[str, list[Net]] = {}
    for net in nets:
        parts.setdefault(net.part, []).append(net)
    boxes: list[str] = []
    wires: list[str] = []
    y = _FIRST_BOX
    lanes = {signal: _FIRST_LANE + number * _LANE for number, signal in enumerate(_COLOURS)}
    for part, own in parts.items():
        ends = _ends(part, own, y + _HEAD)
        height = _HEAD - 6 + len(ends) * _ROW
        boxes.append(_box(part, y, height, ends))
        wires += [_wire(end, lanes[end.signal]) for end in ends]
        y += height + _BOX_GAP
    bottom = max(y, _TOP + _PINS // 2 * _ROW + 20)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom}" '
        f'width="{_WIDTH}" height="{bottom}" font-family="sans-serif" font-size="11">',
        "<title>Wiring of one handheld</title>",
        f'<rect width="{_WIDTH}" height="{bottom}" fill="#ffffff"/>',
        *_header(),
        *wires,
        *boxes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _ends(part: str, own: list[Net], y: int) -> list[_End]:
    found: list[tuple[str, str, int]] = []
    if part in _FROM_5_V:
        found.append(("anode", "5V", V5_PIN))
    elif part not in _UNPOWERED:
        found.append(("VCC", "3V3", V33_PIN))
    found.append(("GND", "GND", GND_PIN))
    found += [(net.part_pin, net.signal, header_of(net.bcm)) for net in own]
    return [_End(*one, y + number * _ROW) for number, one in enumerate(found)]


def _header() -> list[str]:
    left, width = _HEADER_LEFT, _HEADER_WIDTH
    lines = [
        f'<rect x="{left}" y="{_TOP - 16}" width="{width}" height="{_PINS // 2 * _ROW + 12}" '
        'rx="4" fill="#e8f5e9" stroke="#1b5e20"/>',
        f'<text x="{left + width // 2}" y="{_TOP - 24}" text-anchor="middle" '
        'font-weight="bold">Raspberry Pi</text>',
    ]
    for place in range(1, _PINS + 1):
        x, y = _pin(place)
        odd = place % 2
        name = POWER.get(place) or f"BCM {HEADER_BCM[place]}"
        label_x = left - 6 if odd else left + width + 6
        anchor = "end" if odd else "start"
        lines.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#fff59d" stroke="#616161"/>')
        lines.append(f'<text x="{x}" y="{y + 3}" text-anchor="middle" font-size="7">{place}</text>')
        if odd:
            lines.append(
                f'<text x="{label_x}" y="{y + 4}" text-anchor="{anchor}" fill="#424242">'
                f"{name}</text>"
            )
    return lines


def _pin(place: int) -> tuple[int, int]:
    column, row = (place - 1) % 2, (place - 1) // 2
    return _HEADER_LEFT + 16 + 32 * column, _TOP + row * _ROW


def _wire(end: _End, lane_x: int) -> str:
    x, y = _pin(end.header)
    colour = _COLOURS[end.signal]
    out_x, out_y = _HEADER_LEFT + _HEADER_WIDTH + 8, y + (7 if end.header % 2 else 0)
    return (
        f'<path d="M{x} {y} V{out_y} H{out_x} H{lane_x} V{end.y} H{_BOX_LEFT}" fill="none" '
        f'stroke="{colour}" stroke-width="1.6"><title>{escape(end.signal)}: header {end.header} '
        f'to {escape(end.part_pin)}</title></path><circle cx="{lane_x}" cy="{end.y}" r="3" '
        f'fill="{colour}"/>'
    )


def _box(part: str, y: int, height: int, ends: list[_End]) -> str:
    lines = [
        f'<rect x="{_BOX_LEFT}" y="{y}" width="{_BOX_WIDTH}" height="{height}" rx="6" '
        'fill="#f5f5f5" stroke="#424242"/>',
        f'<text x="{_BOX_LEFT + 10}" y="{y + 16}" font-weight="bold">{escape(part)}</text>',
        f'<text x="{_BOX_LEFT + 10}" y="{y + 29}" font-size="9" fill="#616161">'
        f"{escape(_NOTES[part])}</text>",
    ]
    for end in ends:
        colour = _COLOURS[end.signal]
        bcm = f", BCM {HEADER_BCM[end.header]}" if end.header in HEADER_BCM else ""
        lines.append(f'<circle cx="{_BOX_LEFT}" cy="{end.y}" r="3" fill="{colour}"/>')
        lines.append(
            f'<text x="{_BOX_LEFT + 10}" y="{end.y + 4}">{escape(end.part_pin)} '
            f'<tspan fill="#616161">header {end.header}{bcm}</tspan></text>'
        )
    return "\n".join(lines)


def main() -> None:
    """Print the drawing."""
    print(drawing(), end="")


if __name__ == "__main__":
    main()
