"""The printed board as a file of KiCad 6, with its parts list; KiCad itself is not needed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from hardware.board.copper import (
    DRILL_MM,
    PAD_MM,
    SIDES,
    STEP_MM,
    TRACK_MM,
    VIA_DRILL_MM,
    VIA_MM,
    Copper,
    CopperPad,
    leg_of,
    pads,
)
from hardware.board.drawn import CABLE, value
from hardware.board.nets import ALL_PARTS, WITH_CELL, signals
from hardware.board.plan import COLUMNS, LINES, PITCH_MM
from hardware.parts import bought
from hardware.texts import mark

AT_MM: Final = 50.0
"""The place of hole A1 on KiCad's page, across and down."""
LAYERS: Final = {"top": "F.Cu", "bottom": "B.Cu"}
TEXT_MM, STROKE_MM = 0.8, 0.12
MARK_AT_MM: Final = (26.67, 0.5)
"""The middle of the mark on the lower side, across and down from hole A1."""
_HEAD: Final = """(kicad_pcb (version 20211014) (generator maexchen)
  (general (thickness 1.6))
  (paper "A4")
  (title_block (title "{mark}") (rev "1") (comment 1 "Mäxchen carrier"))
  (layers
    (0 "F.Cu" signal) (31 "B.Cu" signal)
    (36 "B.SilkS" user "B.Silkscreen") (37 "F.SilkS" user "F.Silkscreen")
    (38 "B.Mask" user) (39 "F.Mask" user) (44 "Edge.Cuts" user)
    (46 "B.CrtYd" user "B.Courtyard") (47 "F.CrtYd" user "F.Courtyard") (49 "F.Fab" user)
  )
  (setup (pad_to_mask_clearance 0))"""
NAMES: Final[Mapping[str, str]] = {"ADXL345 turned": "X", "Pi": "PI"}
"""Short names on the board, of parts that have long ones."""


def kicad_board(drawn: Copper) -> str:
    """Return the board; the same copper gives the same bytes."""
    named = signals(WITH_CELL)
    numbers = {signal: number for number, signal in enumerate(WITH_CELL, 1)}
    lines = [_HEAD.replace("{mark}", mark()), '  (net 0 "")']
    lines += [f'  (net {number} "{signal}")' for signal, number in numbers.items()]
    for part in dict.fromkeys(pad.part for pad in pads()):
        lines += _footprint(part, [pad for pad in pads() if pad.part == part], named, numbers)
    lines += _labels()
    wide, high = (COLUMNS - 1) * PITCH_MM, (len(LINES) - 1) * PITCH_MM
    low, right, bottom = AT_MM - STEP_MM, AT_MM + wide + STEP_MM, AT_MM + high + STEP_MM
    lines.append(_warned())
    corners = [(low, low), (right, low), (right, bottom), (low, bottom)]
    for (x, y), (to_x, to_y) in zip(corners, [*corners[1:], corners[0]], strict=True):
        lines.append(
            f'  (gr_line (start {x:g} {y:g}) (end {to_x:g} {to_y:g}) (layer "Edge.Cuts") '
            f"(width 0.1) (tstamp {stamp('edge', x, y)}))"
        )
    at = {pad.place: numbers[named[leg_of(pad)]] for pad in pads() if leg_of(pad) in named}
    net_at = _nets(drawn, at)
    for side, start, end in drawn.tracks:
        lines.append(
            f"  (segment (start {_at(start)}) (end {_at(end)}) (width {TRACK_MM:g}) "
            f'(layer "{LAYERS[side]}") (net {net_at[side, start]}) '
            f"(tstamp {stamp('track', side, start, end)}))"
        )
    for via in drawn.vias:
        lines.append(
            f"  (via (at {_at(via)}) (size {VIA_MM:g}) (drill {VIA_DRILL_MM:g}) "
            f'(layers "F.Cu" "B.Cu") (net {net_at["top", via]}) (tstamp {stamp("via", via)}))'
        )
    return "\n".join([*lines, ")"]) + "\n"


def _nets(
    drawn: Copper, at: Mapping[tuple[int, int], int]
) -> dict[tuple[str, tuple[int, int]], int]:
    """The number of the signal at every end of a track and at every via, spread from the pads."""
    found: dict[tuple[str, tuple[int, int]], int] = {
        (side, place): number for place, number in at.items() for side in SIDES
    }
    grown = True
    while grown:
        grown = False
        for side, start, end in drawn.tracks:
            points = [(side, place) for place in _along(start, end)]
            number = next((found[point] for point in points if point in found), None)
            missing = [point for point in points if point not in found]
            if number is not None and missing:
                found |= dict.fromkeys(missing, number)
                grown = True
        for via in drawn.vias:
            ends = [(side, via) for side in SIDES]
            number = next((found[end] for end in ends if end in found), None)
            if number is not None and any(end not in found for end in ends):
                found |= dict.fromkeys(ends, number)
                grown = True
    return found


def _along(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Every place of a straight track."""
    for x in range(min(start[0], end[0]), max(start[0], end[0]) + 1):
        for y in range(min(start[1], end[1]), max(start[1], end[1]) + 1):
            yield x, y


def _footprint(
    part: str, its_pads: list[CopperPad], named: Mapping[str, str], numbers: Mapping[str, int]
) -> Iterator[str]:
    first = its_pads[0].place
    name = NAMES.get(part, part)
    text = value(part) if part in ALL_PARTS else ""
    yield f'  (footprint "maexchen:{name}" (layer "F.Cu") (tedit 0) (tstamp {stamp(part)})'
    yield f"    (at {_at(first)}) (attr through_hole)"
    for kind, said in (("reference", name), ("value", text or name)):
        yield (
            f'    (fp_text {kind} "{said}" (at 0 {-STEP_MM:g}) (layer "F.Fab") {_font()} '
            f"(tstamp {stamp(part, kind)}))"
        )
    for pad in its_pads:
        x, y = ((pad.place[n] - first[n]) * STEP_MM for n in (0, 1))
        shape = "rect" if pad.leg in ("1", "+", "A") else "circle"
        signal = named.get(leg_of(pad))
        net = f' (net {numbers[signal]} "{signal}")' if signal else ""
        yield (
            f'    (pad "{pad.leg}" thru_hole {shape} (at {x:g} {y:g}) (size {PAD_MM:g} {PAD_MM:g}) '
            f"(drill {DRILL_MM:g}) (layers *.Cu *.Mask){net} (tstamp {stamp(part, pad.leg)}))"
        )
    yield "  )"


SHOWN: Final[Mapping[str, tuple[float, float]]] = {
    "SSD1306": (-1.0, 1.0), "VEML7700": (-1.0, 1.0), "TTP223": (-1.0, 1.0),
    "TSOP38238": (-1.0, 1.0), "ADXL345": (-2.4, -1.0), "ADXL345 turned": (2.4, 1.0),
}  # fmt: skip
"""How far the name and the names of the wires are from the pads, in halves of a pitch."""


def _labels() -> Iterator[str]:
    """Names on the board: of parts beside their pads, and of the wires of modules and cables."""
    for part in dict.fromkeys(pad.part for pad in pads()):
        its_pads = [pad for pad in pads() if pad.part == part]
        (left, right), (top, low) = (
            (min(ends), max(ends)) for ends in zip(*(pad.place for pad in its_pads), strict=True)
        )
        x, y = (left + right) / 2, (top + low) / 2
        name = f"{part.removesuffix(' turned')} {value(part) if part in ALL_PARTS else ''}".strip()
        if part in SHOWN:
            over, under = SHOWN[part]
            yield _text(name, x, top + over, 0)
            yield from (_text(pad.leg, pad.place[0], top + under, 0) for pad in its_pads)
        elif part == "Pi":
            yield _text("1", right + 1.4, top, 0)
        elif part == "charger":
            yield from (_text(pad.leg, pad.place[0], pad.place[1] - 1.0, 0) for pad in its_pads)
        elif part == "Q1":
            yield _text(name, x + 1.5, y, 90)
        elif part == "C1":
            yield _text(name, right + 3.2, y, 0)
        elif left == right and part in CABLE:
            yield _text(name, x - 1.5, y, 90)
        else:
            yield _text(name, x, y, 90 if left == right else 0)


def _warned() -> str:
    """The mark on the side without parts, where no pad is; ``justify mirror`` reads well there."""
    x, y = (AT_MM + place for place in MARK_AT_MM)
    return (
        f'  (gr_text "{mark()}" (at {x:g} {y:g} 0) (layer "B.SilkS") '
        f"(effects (font (size 1.4 1.4) (thickness 0.2)) (justify mirror)) "
        f"(tstamp {stamp('mark')}))"
    )


def _text(said: str, x: float, y: float, turn: int) -> str:
    return (
        f'  (gr_text "{said}" (at {AT_MM + x * STEP_MM:g} {AT_MM + y * STEP_MM:g} {turn}) '
        f'(layer "F.SilkS") {_font()} (tstamp {stamp("text", said, x, y)}))'
    )


def _font() -> str:
    return f"(effects (font (size {TEXT_MM:g} {TEXT_MM:g}) (thickness {STROKE_MM:g})))"


def _at(place: tuple[int, int]) -> str:
    return f"{AT_MM + place[0] * STEP_MM:g} {AT_MM + place[1] * STEP_MM:g}"


def stamp(*what: object) -> str:
    """A name that KiCad wants of everything; the same thing always has the same one."""
    return str(uuid5(NAMESPACE_URL, repr(what)))


def bill() -> str:
    """Return the parts that are soldered to the board as CSV: name, value, what to buy."""
    lines = [f"# {mark()}", "part,value,buy,holes"]
    fitted = {one: part for part in bought().parts.values() for one in part.fits}
    for part in dict.fromkeys(pad.part for pad in pads()):
        if part in fitted:
            count = sum(pad.part == part for pad in pads())
            lines.append(f'{part},{value(part)},"{fitted[part].take}",{count}')
    return "\n".join(lines) + "\n"


def places() -> str:
    """Return where each part stands as CSV: middle in mm from hole A1, and its angle."""
    lines = [f"# {mark()}", "part,x_mm,y_mm,turn_deg,side"]
    for part in dict.fromkeys(pad.part for pad in pads()):
        its_places = [pad.place for pad in pads() if pad.part == part]
        x, y = (_middle(place[n] for place in its_places) for n in (0, 1))
        turn = 90 if len({place[0] for place in its_places}) == 1 else 0
        lines.append(f"{part},{x:.2f},{y:.2f},{turn},top")
    return "\n".join(lines) + "\n"


def _middle(numbers: Iterable[int]) -> float:
    every = list(numbers)
    return (min(every) + max(every)) / 2 * STEP_MM
