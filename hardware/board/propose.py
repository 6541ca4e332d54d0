"""Proposals of plans: parts are placed by hand, wires follow from the netlist.

``python -m hardware.board.propose`` writes ``plans``; `hardware.board.plan.faults` judges them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import hypot
from random import Random
from typing import Final

from hardware.board.nets import WITH_CELL, WITHOUT_CELL, Netlist
from hardware.board.plan import (
    LEFT,
    PITCH_MM,
    PLANS,
    RIGHT,
    BoardPlan,
    Joint,
    Side,
    holes_of,
    strip_of,
    written,
)
from hardware.texts import mark

DISPLAY_ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "gnd-first": ("GND", "VCC", "SCL", "SDA"),
    "vcc-first": ("VCC", "GND", "SCL", "SDA"),
}
"""Orders of the pins of display modules, from left to right, display towards you."""
ACCELEROMETER: Final = ("GND", "VCC", "CS", "INT1", "INT2", "SDO", "SDA", "SCL")
"""Print of a GY-291."""
LIGHT: Final = ("VCC", "GND", "SCL", "SDA")
PAD: Final = ("GND", "Q", "VCC")
TRANSISTORS: Final[Mapping[str, Side]] = {"bc337": "left", "pn2222a": "right"}
"""The side that its flat side looks to: the two have opposite legs."""


def _row(letters: str, first: int, legs: Iterable[str]) -> dict[str, str]:
    return {leg: f"{letters}{first + n}" for n, leg in enumerate(legs)}


# ---- breadboard ------------------------------------------------------------------------------


def breadboard(order: str, transistor: str) -> BoardPlan:
    """Return the plan of a breadboard for this display and transistor.

    Modules stand in column a and reach beyond the left edge, so the left rails stay empty.
    """
    holes = {
        "ADXL345": _row("a", 1, ACCELEROMETER),
        "SSD1306": _row("a", 13, DISPLAY_ORDERS[order]),
        "VEML7700": _row("a", 22, LIGHT),
        "TTP223": _row("a", 28, PAD),
        "TSOP38238": _row("f", 1, ("OUT", "GND", "VS")),
        "R4": {"1": "R+", "2": "g3"},
        "C1": {"+": "h3", "-": "h2"},
        "D1": {"A": "f7", "K": "f8"},
        "Q1": _row("h", 8, ("C", "B", "E")),
        "R1": {"1": "j12", "2": "j7"},
        "R2": {"1": "i13", "2": "i9"},
        "R3": {"1": "g9", "2": "g14"},
        "piezo": {"+": "f18", "-": "f20"},
        "R5": {"1": "j22", "2": "j18"},
    }
    name = ", ".join(DISPLAY_ORDERS[order])
    return BoardPlan(
        f"Breadboard: display {name}; transistor {transistor.upper()}",
        "breadboard", ("Pi",), holes, tuple(_jumpers(holes, WITHOUT_CELL)), (),
        TRANSISTORS[transistor],
    )  # fmt: skip


def _jumpers(holes: Mapping[str, Mapping[str, str]], nets: Netlist) -> Iterator[Joint]:
    """Wires that join the rows of each signal: supplies by a rail, others in a chain."""
    at = {f"{part}.{leg}": hole for part, legs in holes.items() for leg, hole in legs.items()}
    taken = set(at.values())

    def free(strip: str, last: str = "") -> tuple[str, str]:
        """Take a column that is free from row to row, so that no wire hides another."""
        side, _, row = strip.partition(" ")
        rows = range(int(row), int(last.partition(" ")[2] or row) + 1)
        under_piezo = 16 <= int(row) <= 22
        letters = LEFT[::-1] if side == "left" else RIGHT[::-1] if under_piezo else RIGHT
        for letter in letters:
            passed = {f"{letter}{each}" for each in rows}
            if not passed & taken:
                taken.update(passed)
                return f"{letter}{row}", f"{letter}{rows[-1]}"
        raise ValueError(f"no column is free from row {row} to {rows[-1]}")

    rails = {"3V3": "R+", "GND": "R-"}
    for signal, legs in nets.items():
        strips = sorted(
            {strip_of("breadboard", at[leg]) for leg in legs if leg in at},
            key=lambda strip: (strip.split()[0], int(strip.split()[-1]) if " " in strip else 0),
        )
        strips = [strip for strip in strips if " " in strip]
        header = [leg for leg in legs if leg.startswith("Pi.")]
        if signal in rails:
            yield header[0], rails[signal]
            yield from ((free(strip)[0], rails[signal]) for strip in strips)
            continue
        if header:
            yield header[0], free(strips[0])[0]
        for one, other in pairwise(strips):
            yield free(one, other)


# ---- perfboard -------------------------------------------------------------------------------


def _line(line: str, first: int, legs: Sequence[str], step: int = 1) -> dict[str, str]:
    return {leg: f"{line}{first + step * n}" for n, leg in enumerate(legs)}


def _header() -> dict[str, str]:
    """The holes of the Pi's header: pin 1 is at the right, and odd pins are at the far edge."""
    return {str(pin): f"{'B' if pin % 2 else 'C'}{22 - (pin - 1) // 2}" for pin in range(1, 41)}


PERFBOARD: Final[Mapping[str, Mapping[str, str]]] = {
    "Pi": _header(),
    "SSD1306": _line("E", 14, ("VCC", "GND", "SCL", "SDA")),
    "VEML7700": _line("G", 11, ("VCC", "GND", "SCL", "SDA")),
    "TTP223": _line("I", 11, PAD),
    "TSOP38238": _line("E", 4, ("OUT", "GND", "VS")),
    "C1": {"+": "F6", "-": "F5"},
    "R4": {"1": "E12", "2": "E8"},
    "D1": {"A": "F23", "K": "G23"},
    "Q1": {"C": "H22", "B": "I22", "E": "J22"},
    "R1": {"1": "E24", "2": "J24"},
    "R2": {"1": "I17", "2": "I21"},
    "R3": {"1": "J21", "2": "J17"},
    "R5": {"1": "K11", "2": "K15"},
    "piezo": {"+": "L15", "-": "L17"},
    "charger": {"5V": "D24", "GND": "L24", "LBO": "L22"},
    "R6": {"1": "K22", "2": "K18"},
}  # fmt: skip
"""Placement on the carrier, seen from above; cables of modules have a pad for each wire."""


def perfboard(turned: bool, transistor: str, tries: int = 200) -> BoardPlan:
    """Return the plan of the carrier; the best of ``tries`` orders of the signals.

    The accelerometer's arrow X points to the right. Its pins are then at the near edge in the order
    of the print; ``turned``: at the far edge, in the other order.
    """
    line, legs = ("G", ACCELEROMETER[::-1]) if turned else ("L", ACCELEROMETER)
    holes = {
        **{part: dict(legs) for part, legs in PERFBOARD.items()},
        "ADXL345": _line(line, 2, legs),
    }
    best = min((_routed(holes, seed) for seed in range(tries)), key=lambda found: found[0])
    _, wires, traces = best
    cables = [(leg, other) for leg, other in CABLES]
    edge = "far" if turned else "near"
    title = (
        f"{mark()}. Carrier: pins of the accelerometer at its {edge} edge; "
        f"transistor {transistor.upper()}"
    )
    return BoardPlan(
        title, "perfboard",
        ("cell", "switch", "charger"), holes, (*wires, *cables), traces,
        TRANSISTORS[transistor],
    )  # fmt: skip


CABLES: Final[tuple[Joint, ...]] = (
    ("cell.+", "charger.BAT"), ("cell.-", "charger.B-"), ("charger.EN", "switch.1"),
    ("switch.2", "charger.GND"),
)  # fmt: skip
"""Wires of the supply that never touch the carrier."""


def _routed(
    holes: Mapping[str, Mapping[str, str]], seed: int
) -> tuple[float, tuple[Joint, ...], tuple[Joint, ...]]:
    """Join every signal: by solder between neighbours where there is room, else by a wire."""
    places = holes_of("perfboard")
    at = {f"{part}.{leg}": hole for part, legs in holes.items() for leg, hole in legs.items()}
    owner: dict[str, str] = {}
    pins: dict[str, list[str]] = {}
    for signal, legs in WITH_CELL.items():
        pins[signal] = [at[leg] for leg in legs if leg in at]
        owner |= dict.fromkeys(pins[signal], signal)
    free_legs = set(at.values()) - set(owner)
    chance = Random(seed)
    order = [signal for signal in pins if len(pins[signal]) > 1]
    chance.shuffle(order)
    wires: list[Joint] = []
    traces: list[Joint] = []
    cost = 0.0
    for signal in order:
        first, *others = pins[signal]
        tree, left = {first}, set(others) - {first}
        while left:
            way = _nearest(places, owner, free_legs, signal, tree, left)
            for one, other in pairwise(way):
                (x, y), (to_x, to_y) = places[one], places[other]
                far = hypot(x - to_x, y - to_y)
                (traces if far < PITCH_MM * 1.1 else wires).append((one, other))
                cost += 1.0 if far < PITCH_MM * 1.1 else 8.0
            tree |= set(way)
            left -= tree
            owner |= dict.fromkeys(way, signal)
    return cost, tuple(wires), tuple(traces)


def _nearest(
    places: Mapping[str, tuple[float, float]], owner: Mapping[str, str], barred: set[str],
    signal: str, tree: set[str], left: set[str],
) -> list[str]:  # fmt: skip
    """The cheapest way from what is joined to one of the pins that are left."""
    by_place = {(round(x / PITCH_MM), round(y / PITCH_MM)): hole for hole, (x, y) in places.items()}
    queue: list[tuple[float, str, str]] = [(0.0, hole, "") for hole in sorted(tree)]
    came: dict[str, str] = {}
    while queue:
        cost, hole, before = heappop(queue)
        if hole in came:
            continue
        came[hole] = before
        if hole in left:
            way = [hole]
            while came[way[-1]]:
                way.append(came[way[-1]])
            return way[::-1]
        x, y = round(places[hole][0] / PITCH_MM), round(places[hole][1] / PITCH_MM)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            other = by_place.get((x + dx, y + dy), "")
            if other and other not in barred and owner.get(other, signal) == signal:
                crowd = sum(
                    owner.get(by_place.get((x + dx + a, y + dy + b), ""), signal) != signal
                    for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))
                )
                heappush(queue, (cost + 1 + 0.3 * crowd, other, hole))
        if hole in tree or hole in owner:
            for other in sorted(left):
                far = hypot(places[other][0] - places[hole][0], places[other][1] - places[hole][1])
                heappush(queue, (cost + 8 + 0.05 * far, other, hole))
    raise ValueError(f"{signal!r} cannot be joined")


def main() -> None:
    """Write every plan."""
    PLANS.mkdir(exist_ok=True)
    for transistor in TRANSISTORS:
        for order in DISPLAY_ORDERS:
            name = f"breadboard-{order}-{transistor}"
            (PLANS / f"{name}.toml").write_text(written(breadboard(order, transistor)), "utf-8")
        for turned in (False, True):
            name = f"carrier-{'turned' if turned else 'straight'}-{transistor}"
            (PLANS / f"{name}.toml").write_text(written(perfboard(turned, transistor)), "utf-8")


if __name__ == "__main__":
    main()
