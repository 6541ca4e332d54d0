"""The steps of the guide as data, the board as far as each has wired it, and its pictures."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from hardware.board.plan import BoardPlan, Joint, faults, plans
from hw_sim.board import NETS

STEPS: Final = Path(__file__).with_name("steps.toml")
EVENING: Final = "breadboard-gnd-first"
"""The plan that the drawings of the first evening show."""
MOST_ACTIONS: Final = 3
"""In one picture."""
LAST: Final = ("Pi.39", "Pi.1", "Pi.2")
"""Wires that are set last: GND, then what gives power."""
Way = tuple[float, float, float]
Thing = str | Joint
"""A part or a wire."""


class BuildStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the guide; ``steps.toml`` says what its fields hold."""

    name: str
    minutes: int
    parts: dict[str, int]
    tools: tuple[str, ...]
    check: str
    fitted: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()


class BoardPicture(NamedTuple):
    """A picture of the breadboard.

    Attributes:
        new: the part or wire of each action, in order; it is coloured.
        old: the parts and wires that are there already.
    """

    new: tuple[Thing, ...]
    old: tuple[Thing, ...]


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
        if not faults(without, NETS):
            plan = without
    return plan


def pictures(step: BuildStep) -> Iterator[BoardPicture]:
    """Yield the pictures of a step: what hands do to a part, then each new part and wire."""
    number = steps().index(step)
    old = _things(steps()[number - 1]) if number else ()
    if step.hands:
        yield BoardPicture(step.hands, old)
        old += tuple(part for part in _things(step) if part in step.hands)
    new = tuple(thing for thing in _things(step) if thing not in old)
    for start in range(0, len(new) or not step.hands, MOST_ACTIONS):
        yield BoardPicture(new[start : start + MOST_ACTIONS], old + new[:start])


def _things(step: BuildStep) -> tuple[Thing, ...]:
    """The parts and wires of a step and of all before it, in the order in which hands set them."""
    plan = wired_so_far(step.fitted)

    def late(wire: Joint) -> tuple[int, bool]:
        stage = 2 + LAST.index(wire[0]) if wire[0] in LAST else int(wire[0].startswith("Pi."))
        return stage, wire[1] != "R-"

    return (*plan.holes, *sorted(plan.wires, key=late))


def shown(picture: BoardPicture) -> BoardPlan:
    """Return the breadboard of a picture."""
    plan, things = plans()[EVENING], {*picture.old, *picture.new}
    holes = {part: legs for part, legs in plan.holes.items() if part in things}
    wires = tuple(wire for wire in plan.wires if wire in things)
    return msgspec.structs.replace(plan, holes=holes, wires=wires)
