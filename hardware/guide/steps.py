"""The steps of the guide as data, and the board as far as each step has wired it."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from hardware.board.plan import BoardPlan, faults, plans
from hw_sim.board import NETS

STEPS: Final = Path(__file__).with_name("steps.toml")
EVENING: Final = "breadboard-gnd-first"
"""The plan that the drawings of the first evening show."""
Way = tuple[float, float, float]


class BuildStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the guide; ``steps.toml`` says what its fields hold."""

    name: str
    minutes: int
    parts: dict[str, int]
    tools: tuple[str, ...]
    check: str
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
        if not faults(without, NETS):
            plan = without
    return plan


def before(step: BuildStep) -> BuildStep | None:
    """Return the step before, if that one has a breadboard, too."""
    every = steps()
    last = every[every.index(step) - 1]
    return last if last.fitted else None
