"""The steps of the guide as data, and the board as far as each step has wired it."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

from hardware.board.nets import WITHOUT_CELL
from hardware.board.plan import BoardPlan, faults, plans
from hw_sim.board.netlist import ON_PI_5

STEPS: Final = Path(__file__).with_name("steps.toml")
EVENING: Final = "breadboard-gnd-first-bc337"
"""The plan that the drawings of the first evening show."""
CARRIER: Final = "carrier-straight-bc337"
"""The plan of the carrier that a drawing shows; the meter's holes are those of both."""
Way = tuple[float, float, float]


class StepDrawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drawing of a step; ``turn`` and ``rise`` in degrees as in `Camera`.

    Attributes:
        kind: a breadboard so far, the carrier, printed parts on a bed, or bodies of the case.
        there, new: names of bodies.
        way: from where a body comes, in mm from its place.
        is_turned: everything lies on its face.
    """

    kind: Literal["breadboard", "carrier", "bed", "case"]
    there: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    way: dict[str, Way] = {}
    turn: float = -28.0
    rise: float = 34.0
    is_turned: bool = False


class BuildStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the guide; ``steps.toml`` says what its fields hold."""

    name: str
    minutes: int
    parts: dict[str, int]
    tools: tuple[str, ...]
    draw: StepDrawing
    check: str = ""
    fitted: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()


@cache
def steps() -> tuple[BuildStep, ...]:
    """Return the steps."""
    return msgspec.convert(tomllib.loads(STEPS.read_text("utf-8"))["step"], tuple[BuildStep, ...])


@cache
def wired_so_far(parts: tuple[str, ...]) -> BoardPlan:
    """Return the breadboard of the first evening with these parts alone, and no wire too many."""
    whole = plans()[EVENING]
    holes = {part: legs for part, legs in whole.holes.items() if part in parts}
    plan = msgspec.structs.replace(whole, holes=holes)
    for wire in reversed(whole.wires):
        fewer = tuple(one for one in plan.wires if one != wire)
        without = msgspec.structs.replace(plan, wires=fewer)
        if not faults(without, WITHOUT_CELL):
            plan = without
    return plan


def before(step: BuildStep) -> BuildStep | None:
    """Return the step before, if that one has a breadboard, too."""
    every = steps()
    last = every[every.index(step) - 1]
    return last if last.fitted else None


def wires_to_large_pi() -> Iterator[tuple[str, int, int]]:
    """Yield the signals between a carrier and a Pi outside: header pin of a Pi 4, and of a Pi 5."""
    for signal, legs in WITHOUT_CELL.items():
        for leg in legs:
            if leg.startswith("Pi."):
                yield signal, int(leg[3:]), int(ON_PI_5.get(leg, leg)[3:])


def meter_rows(nets: Mapping[str, Collection[str]]) -> Iterator[tuple[str, str, bool]]:
    """Yield two holes or legs to hold a meter to, and whether it beeps.

    Each signal on a header pin is measured at one other leg, and the supplies and neighbours on the
    header against each other.
    """
    for legs in nets.values():
        pins = [leg for leg in legs if leg.startswith("Pi.")]
        others = [
            leg for leg in legs
            if not leg.startswith(("Pi.", "charger", "switch", "cell", "ADXL345"))
        ]  # fmt: skip
        if pins and others:
            yield pins[0], others[-1], True
    supplies = [nets[name] for name in ("3V3", "5V", "GND", "SDA", "SCL")]
    for number, one in enumerate(supplies):
        for other in supplies[number + 1 :]:
            yield (
                next(leg for leg in one if leg.startswith("Pi.")),
                next(leg for leg in other if leg.startswith("Pi.")),
                False,
            )
