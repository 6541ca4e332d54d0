"""Plans of breadboards as data, and the proof that a plan is the netlist: no short, nothing open.

A plan says in which hole each leg stands and what joins the holes. The board itself joins some:
the rows and rails of a breadboard. `faults` compares all that hangs together with the netlist.
"""

import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from math import hypot
from pathlib import Path
from typing import Final

import msgspec

from hardware.board import Netlist, legs_of
from hw_sim.board import PARTS

PLANS: Final = Path(__file__).with_name("plans")
PITCH_MM: Final = 2.54
"""Between two holes of a breadboard: a tenth of an inch, by definition."""
RAILS: Final = ("L+", "L-", "R+", "R-")
"""Supply rails of a breadboard. Any hole of a rail will do, so it has one name."""
ROWS: Final = 30
"""Rows of a breadboard of half size; chosen."""
LEFT, RIGHT = "abcde", "fghij"

Joint = tuple[str, str]
"""Two holes, or a leg beside the board and a hole."""
SPANS_MM: Final[Mapping[str, tuple[float, float]]] = {
    "resistor": (7.6, 21.0), "capacitor": (2.5, 8.0), "led": (2.5, 8.0), "piezo": (4.9, 8.0),
}  # fmt: skip
"""The least and largest distance between the two legs of a part that is not bent by force."""


class BoardPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board with its parts and joints.

    Attributes:
        title: what it is for, one line.
        beside: parts that lie beside the board; joints name their legs.
        holes: by part, the hole of each of its legs.
        wires: insulated wires, also those from the Pi's header.
    """

    title: str
    beside: tuple[str, ...]
    holes: dict[str, dict[str, str]]
    wires: tuple[Joint, ...]


def read_plan(text: str) -> BoardPlan:
    """Return the plan in ``text``; `ValueError` in one line if it is none."""
    try:
        return msgspec.convert(tomllib.loads(text), BoardPlan)
    except msgspec.ValidationError as error:
        raise ValueError(f"plan: {error}") from None


@cache
def plans() -> dict[str, BoardPlan]:
    """Return every plan by the name of its file."""
    return {path.stem: read_plan(path.read_text("utf-8")) for path in sorted(PLANS.glob("*.toml"))}


# ---- holes -----------------------------------------------------------------------------------


def holes_of() -> dict[str, tuple[float, float]]:
    """Return the place of every hole in mm: x to the right, y down, from the first hole."""
    places: dict[str, tuple[float, float]] = {}
    for row in range(ROWS):
        for column, letter in enumerate(LEFT + RIGHT):
            across = (column + (2 if letter in RIGHT else 0)) * PITCH_MM
            places[f"{letter}{row + 1}"] = (across, row * PITCH_MM)
    middle = (ROWS - 1) / 2 * PITCH_MM
    for rail, column in zip(RAILS, (-4, -3, 14, 15), strict=True):
        places[rail] = (column * PITCH_MM, middle)
    return places


def strip_of(hole: str) -> str:
    """Return what the board itself joins a hole to: the row or rail of a breadboard."""
    if hole in RAILS:
        return hole
    return f"{'left' if hole[0] in LEFT else 'right'} {hole[1:]}"


class Groups:
    """Names that hang together: union and find."""

    def __init__(self) -> None:
        self._leader: dict[str, str] = {}

    def find(self, name: str) -> str:
        """Return the leader of the group that ``name`` is in."""
        leader = self._leader.setdefault(name, name)
        if leader != name:
            leader = self._leader[name] = self.find(leader)
        return leader

    def join(self, one: str, other: str) -> None:
        """Let two names and everything that hangs on them be one group."""
        self._leader[self.find(one)] = self.find(other)


# ---- proof -----------------------------------------------------------------------------------


def faults(plan: BoardPlan, nets: Netlist) -> list[str]:
    """Return every way in which a plan is not the netlist, or cannot be built."""
    found = [*_misplaced(plan), *_crowded(plan)]
    if not found:
        found = [*_spans(plan), *_shorts_and_opens(plan, nets)]
    return found


def _misplaced(plan: BoardPlan) -> Iterator[str]:
    """Names that do not exist."""
    holes = holes_of()
    for part, legs in plan.holes.items():
        if part not in PARTS:
            yield f"{part} is no part of the netlist"
            continue
        for leg, hole in legs.items():
            if leg not in PARTS[part].legs:
                yield f"{part} has no leg {leg}"
            if hole not in holes:
                yield f"{part}.{leg} stands in {hole}, which the board does not have"
    ends = {f"{part}.{leg}" for part in plan.beside for leg in PARTS[part].legs}
    for one, other in plan.wires:
        for end in (one, other):
            if end not in holes and end not in ends:
                yield f"the joint {one} to {other} ends nowhere at {end}"


def _crowded(plan: BoardPlan) -> Iterator[str]:
    """Holes with two things in them."""
    used: dict[str, list[str]] = defaultdict(list)
    for part, legs in plan.holes.items():
        for leg, hole in legs.items():
            used[hole].append(f"{part}.{leg}")
    for one, other in plan.wires:
        used[one].append(f"the wire to {other}")
        used[other].append(f"the wire to {one}")
    for hole, things in used.items():
        if len(things) > 1 and hole not in RAILS:
            yield f"{' and '.join(things)} share the hole {hole}"


def _spans(plan: BoardPlan) -> Iterator[str]:
    """Parts whose legs would have to be longer or shorter than they are."""
    holes = holes_of()
    for part, legs in plan.holes.items():
        kind = PARTS[part].kind
        if kind not in SPANS_MM or len(legs) != 2 or any(hole in RAILS for hole in legs.values()):
            continue
        (x, y), (to_x, to_y) = (holes[hole] for hole in legs.values())
        span = hypot(x - to_x, y - to_y)
        least, most = SPANS_MM[kind]
        if not least <= span <= most:
            yield f"the legs of {part} are {span:.1f} mm apart, not {least} to {most}"


def _shorts_and_opens(plan: BoardPlan, nets: Netlist) -> Iterator[str]:
    groups = Groups()
    for hole in holes_of():
        groups.join(hole, strip_of(hole))
    for one, other in plan.wires:
        groups.join(one, other)
    at = {f"{part}.{leg}": f"{part}.{leg}" for part in plan.beside for leg in PARTS[part].legs}
    for part, legs in plan.holes.items():
        for leg, hole in legs.items():
            at[f"{part}.{leg}"] = hole
            groups.join(f"{part}.{leg}", hole)
    yield from compare(at, groups, {*plan.holes, *plan.beside}, nets)


def compare(
    at: Mapping[str, str], groups: Groups, parts: Collection[str], nets: Netlist
) -> Iterator[str]:
    """Yield every way in which what hangs together is not the netlist.

    ``at`` has the name in ``groups`` of each leg that has a place; ``parts`` are those on a board.
    """
    wanted = legs_of(name for name in parts if name != "Pi")
    signal_at: dict[str, str] = {}
    for signal, joined_legs in nets.items():
        present = [leg for leg in joined_legs if leg.startswith("Pi.") or leg in wanted]
        missing = [leg for leg in present if leg not in at]
        yield from (f"{leg} of {signal!r} has no place" for leg in missing)
        leaders = {groups.find(at[leg]): leg for leg in present if leg in at}
        if len(leaders) > 1:
            yield f"{signal!r} is open: {' and '.join(sorted(leaders.values()))} are not joined"
        for leader, at_leg in leaders.items():
            if leader in signal_at:
                yield f"{signal_at[leader]!r} and {signal!r} are short at {at_leg}"
            signal_at[leader] = signal
    joined = {leg for legs in nets.values() for leg in legs}
    for leg, place in sorted(at.items()):
        if leg not in joined and groups.find(place) in signal_at:
            yield f"{leg}, which must stay free, is on {signal_at[groups.find(place)]!r}"
