"""Boards drawn from their plans, in mm from the first hole: as pictures, and as sheets to print."""

from collections.abc import Collection, Iterator, Mapping
from math import hypot
from typing import Final

from hardware.board import signals
from hardware.board.plan import (
    LEFT,
    PITCH_MM,
    RAILS,
    RIGHT,
    ROWS,
    BoardPlan,
    Groups,
    Joint,
    holes_of,
    plans,
    strip_of,
)
from hardware.board.sketch import A4_MM, Disc, Dots, Label, Line, Mark, Plate, moved, scaled
from hw_sim.board import NETS, PARTS

COLOURS: Final[Mapping[str, str]] = {
    "3V3": "#c62828", "5V": "#e65100", "GND": "#212121", "SDA": "#1565c0", "SCL": "#2e7d32",
    "INT1": "#6a1b9a", "touch": "#b26a00", "IR receive": "#00838f", "IR supply": "#00695c",
    "IR transmit": "#ad1457", "base": "#ad1457", "anode": "#bf360c", "cathode": "#5d4037",
    "piezo": "#795548", "piezo +": "#795548",
}  # fmt: skip
"""By signal, as in docs/wiring.svg."""
INK, GREY, PALE = "#222222", "#8a8a8a", "#c9c7c0"
WOOD, COPPER = "#f1e6cf", "#c9a06a"
BODIES: Final[Mapping[str, str]] = {
    "resistor": "#e6d8b8", "capacitor": "#5a6b7a", "led": "#cdd6e4", "transistor": "#4a4a4a",
    "receiver": "#3f3f46", "piezo": "#6a6a6a", "module": "#c7d3e8", "header": "#e3e3df",
}  # fmt: skip
MODULE_MM: Final[Mapping[str, tuple[float, float]]] = {
    "ADXL345": (20.3, 15.2), "SSD1306": (27.5, 28.0), "VEML7700": (17.8, 16.6),
    "TTP223": (11.0, 15.0),
}  # fmt: skip
"""Length along the pins, and how far a module reaches from them."""
ROUND_MM: Final[Mapping[str, float]] = {"capacitor": 4.2, "led": 5.2, "piezo": 12.6}
Places = Mapping[str, tuple[float, float]]


def value(part: str) -> str:
    """Return the value of a part as drawings print it: 47R, 10k, 4u7; nothing if it has none."""
    number = PARTS[part].value
    if number is None:
        return ""
    if PARTS[part].kind == "capacitor":
        return f"{number * 1e6:.1f}".replace(".", "u")
    return f"{number / 1000:.0f}k" if number >= 1000 else f"{number:.0f}R"


def colour_of(signal: str) -> str:
    """Return the colour of a signal's wires."""
    return COLOURS.get(signal, GREY)


def signal_of(plan: BoardPlan) -> dict[str, str]:
    """Return the signal of every hole and leg that a plan joins to one."""
    groups = Groups()
    for hole in holes_of():
        groups.join(hole, strip_of(hole))
    for one, other in plan.wires:
        groups.join(one, other)
    named = signals(NETS)
    ends = {end for joint in plan.wires for end in joint}
    leaders = {groups.find(end): named[end] for end in ends if end in named}
    for part, legs in plan.holes.items():
        for leg, hole in legs.items():
            groups.join(hole, f"{part}.{leg}")
            if f"{part}.{leg}" in named:
                leaders[groups.find(hole)] = named[f"{part}.{leg}"]
    ends |= {hole for legs in plan.holes.values() for hole in legs.values()}
    found = {end: leaders[groups.find(end)] for end in ends if groups.find(end) in leaders}
    return found | {end: named[end] for end in ends if end in named}


# ---- breadboard ------------------------------------------------------------------------------


def draw_breadboard(plan: BoardPlan, done: Collection[Joint | str] = ()) -> Iterator[Mark]:
    """Yield the marks of a breadboard; parts and wires in ``done`` are pale."""
    holes = holes_of()
    signal = signal_of(plan)
    high = (ROWS - 1) * PITCH_MM
    left, right = holes["L+"][0] - 3, holes["R-"][0] + 3
    yield Plate(left, -5, right - left, high + 10, "#fbfaf6", "#bbbbbb", 1.5)
    for rail, colour in zip(RAILS, ("#d9534f", "#3b6fb6", "#d9534f", "#3b6fb6"), strict=True):
        yield Line(((holes[rail][0], -3), (holes[rail][0], high + 3)), colour, 0.3)
        yield Label(
            holes[rail][0] + (-0.7 if rail[1] == "+" else 0.7), -5.6, rail, 1.8, colour, "middle"
        )
    yield Dots(tuple(at for hole, at in holes.items() if hole not in RAILS), 0.45, "#d5d2c8")
    for letter in LEFT + RIGHT:
        yield Label(holes[f"{letter}1"][0], -2.4, letter, 2, GREY, "middle")
    flags: list[Mark] = []
    for wire in sorted(plan.wires, key=lambda wire: wire not in done):
        one, other = wire
        colour = PALE if wire in done else colour_of(signal.get(one) or signal.get(other, ""))
        if one.startswith("Pi."):
            flags += _from_pi(one, other, holes, colour)
            continue
        (x, y), (to_x, to_y) = holes[one], holes[other]
        bend = (x + to_x) / 2 + (1.2 if x == to_x else 0), (y + to_y) / 2
        if other in RAILS:  # two wires of one row lie side by side
            to_y = y + (0.5 if other.endswith("-") else -0.5)
            bend = x + 1.6, to_y
        yield Line(((x, y), bend, (to_x, to_y)), colour, 0.7)
        yield Disc(to_x, to_y, 0.7, colour)
        yield Disc(x, y, 0.7, colour)
    for row in range(1, ROWS + 1):
        x, y = holes[f"e{row}"][0] + 3.8, holes[f"e{row}"][1]
        yield Plate(x - 1.3, y - 1, 2.6, 2, "#fbfaf6", corner=0.5)
        yield Label(x, y + 0.65, str(row), 1.8, GREY, "middle")
    yield from _parts(plan, holes, done)
    yield from flags


def _from_pi(leg: str, hole: str, holes: Places, colour: str) -> Iterator[Mark]:
    """The end of a wire from the Pi's header: a flag at the hole with the pin's number."""
    pin = leg.removeprefix("Pi.")
    x, y = holes[hole]
    if hole in RAILS:
        y = (ROWS - 1) * PITCH_MM + (6 if hole.endswith("+") else 11)
        yield Line(((x, y - 3), (x, y)), colour, 0.9)
        anchor = "end" if hole.endswith("+") else "middle"  # clear of the wire beside it
        yield Label(
            x + (0.9 if anchor == "end" else 0), y + 2.6, f"Pi {pin}", 2.2, colour, anchor, True
        )
        return
    yield Disc(x, y, 1.3, colour, "#ffffff", 0.25)
    yield Label(x, y + 0.62, pin, 1.75, "#ffffff", "middle", True)


# ---- parts -----------------------------------------------------------------------------------


def _parts(plan: BoardPlan, holes: Places, done: Collection[Joint | str]) -> Iterator[Mark]:
    """Bodies of parts with their names and leads; those that are done first, in grey."""
    for part, legs in sorted(plan.holes.items(), key=lambda item: item[0] not in done):
        ends = [holes[hole] for hole in legs.values()]
        rails = [hole for hole in legs.values() if hole in RAILS]
        if rails:
            inner = next(holes[hole] for hole in legs.values() if hole not in RAILS)
            ends = [inner, (holes[rails[0]][0], inner[1])]
        kind = PARTS[part].kind
        fill = "#eeece6" if part in done else BODIES[kind]
        if part in MODULE_MM:
            yield from _module(part, legs, holes, fill)
        elif len(ends) == 2:
            yield from _two_legs(part, ends, kind, fill, part in done)
        else:
            yield from _row(part, ends, fill)


def _module(part: str, legs: Mapping[str, str], holes: Places, fill: str) -> Iterator[Mark]:
    """A module whose pins stand in column a, and which reaches beyond the left edge."""
    long, deep = MODULE_MM[part]
    ys = [holes[hole][1] for hole in legs.values()]
    x, y = holes[next(iter(legs.values()))][0], sum(ys) / len(ys)
    yield Plate(x - deep + 1.3, y - long / 2, deep, long, fill, "#7d8fb3", clear=0.85)
    is_narrow = deep < 20
    across = 3 if is_narrow else (deep - 6) / 2
    yield Label(x - deep + 1.3 + across, y, part, 1.75, INK, "middle", True, is_narrow)
    for leg, hole in legs.items():
        at = holes[hole]
        yield Disc(*at, 0.6, "#ffffff", INK, 0.25)
        yield Label(at[0] - 1.1, at[1] + 0.6, leg, 1.5, INK, "end")


def _row(part: str, ends: list[tuple[float, float]], fill: str) -> Iterator[Mark]:
    """The transistor, whose flat side is red and to the left, or the receiver."""
    xs, ys = zip(*ends, strict=True)
    pad = 1.2
    left, top = min(xs) - pad, min(ys) - pad
    wide, high = max(xs) - min(xs) + 2 * pad, max(ys) - min(ys) + 2 * pad
    is_receiver = PARTS[part].kind == "receiver"
    if is_receiver:  # its dome looks to the left
        yield Disc(left - 0.6, top + high / 2, 2.1, fill, INK)
        left, wide = left - 1.2, wide + 1.2
    yield Plate(left, top, wide, high, fill, INK)
    ink = "#ffffff" if fill in BODIES.values() else INK
    if is_receiver:
        yield Label(left + 1.15, top + high / 2, part, 1.15, ink, "middle", True, True)
    else:
        yield Line(((left, top), (left, top + high)), "#d32f2f", 0.6)
        yield Label(left + wide / 2, top - 0.5, part, 1.6, INK, "middle", True)
    for leg, (x, y) in zip(PARTS[part].legs, ends, strict=True):
        yield Label(x + 0.1, y + 0.45, leg, 1.15, ink, "middle", True)


def _two_legs(
    part: str, ends: list[tuple[float, float]], kind: str, fill: str, is_done: bool
) -> Iterator[Mark]:
    (x, y), (to_x, to_y) = ends
    span = hypot(to_x - x, to_y - y)
    middle = (x + to_x) / 2, (y + to_y) / 2
    upright = abs(to_y - y) > abs(to_x - x)
    if kind == "resistor":
        length, thick = min(9.2 if part == "R1" else 6.4, span + 2), 2.5
    else:
        length = thick = ROUND_MM[kind]
    wide, high = (thick, length) if upright else (length, thick)
    yield Line(((x, y), (to_x, to_y)), GREY, 0.5)
    corner = thick / 2 if kind in ROUND_MM else 0.8
    yield Plate(
        middle[0] - wide / 2, middle[1] - high / 2, wide, high,
        fill, INK, corner, 0.9,
    )  # fmt: skip
    dark = kind in ("capacitor", "piezo") and not is_done
    ink = "#ffffff" if dark else INK
    text = f"{part} {value(part)}".strip()
    size = 1.0 if kind == "capacitor" else 1.4
    shift = size / 3
    is_turned = upright and kind != "capacitor"  # its signs stand at the ends
    signs_low = 0.65 if kind == "capacitor" and not upright else 0.0  # and below its name
    yield Label(
        middle[0] + (shift if is_turned else 0),
        middle[1] + (0 if is_turned else shift - signs_low), text, size, ink, "middle", True,
        is_turned,
    )  # fmt: skip
    if kind in ("capacitor", "led"):
        reach = thick / 2 - 0.75
        for sign, leg in zip((1, -1), ("+", "−") if kind == "capacitor" else "AK", strict=True):
            away = sign * reach / (span / 2)
            yield Label(
                middle[0] + (x - middle[0]) * away,
                middle[1] + (y - middle[1]) * away + 0.45 + signs_low, leg, 1.25, ink, "middle",
                True,
            )  # fmt: skip


SHEETS: Final = tuple(plans())


def title_of(name: str) -> str:
    """Return the title of the sheet of a plan: the display's pins in their order."""
    rows = {int(hole[1:]): leg for leg, hole in plans()[name].holes["SSD1306"].items()}
    return "SSD1306: " + ", ".join(rows[row] for row in sorted(rows))


def sheet(name: str) -> list[Mark]:
    """Return a plan as the marks of one page A4: large to read, and at true scale to lay under.

    Raises:
        KeyError: the plan has no sheet.
    """
    plan = plans()[name]
    board = list(draw_breadboard(plan))
    return [
        Label(15, 15, title_of(name), 3.9, bold=True),
        Label(165, 15, "50 mm", 2.6, INK, "middle"),
        Line(((140, 19), (190, 19)), INK, 0.3),
        Line(((140, 18), (140, 20)), INK, 0.3),
        Line(((190, 18), (190, 20)), INK, 0.3),
        *moved(scaled(board, 1.85), 72, 42),
        *_list(plan, 148, 40),
        Label(15, 208, "1 : 1", 3.2, bold=True),
        *moved(board, 72, 208),
    ]


def _list(plan: BoardPlan, left: float, top: float) -> Iterator[Mark]:
    """The wires by signal, two in a line."""
    signal = signal_of(plan)
    by_signal: dict[str, list[str]] = {}
    for one, other in plan.wires:
        key = signal.get(one) or signal.get(other, "")
        by_signal.setdefault(key, []).append(f"{one.replace('.', ' ')} – {other}")
    rows = [
        (key, key if start == 0 else "", ",  ".join(wires[start : start + 2]))
        for key, wires in by_signal.items()
        for start in range(0, len(wires), 2)
    ]
    for number, (key, named, words) in enumerate(rows):
        y = top + number * 3.5
        yield Disc(left + 1, y - 0.8, 0.8, colour_of(key))
        yield Label(left + 3, y, named, 2.3, INK, bold=True)
        yield Label(left + 21, y, words, 2.3)
        if y > A4_MM[1] - 10:
            raise ValueError(f"the list of {plan.title} does not fit the page")
