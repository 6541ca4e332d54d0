"""The plans are the netlist, and the checker finds every joint that is missing or too much."""

from collections import Counter
from itertools import combinations

import msgspec
import pytest

from hardware.board.drawn import signal_of
from hardware.board.nets import signals
from hardware.board.plan import RAILS, faults, holes_of, plans, strip_of
from hardware.board.sheet import SHEETS, sheet, title_of
from hardware.board.sketch import Label, Line, svg
from hardware.guide.steps import EVENING, steps, wired_so_far
from hardware.parts import ROOT
from hw_sim.board import NETS, PARTS

PLANS = plans()
SIGNALS = signals(NETS)
BOARDS = PLANS | {step.name: wired_so_far(step.fitted) for step in steps() if step.fitted}
"""The plans, and the breadboard after each step of the guide."""
OTHER = pytest.param("breadboard-vcc-first", marks=pytest.mark.whole)


def free_hole(plan, hole):
    """A hole of the same row or rail that nothing is in."""
    used = {end for joint in plan.wires for end in joint}
    used |= {one for legs in plan.holes.values() for one in legs.values()}
    same = [one for one in holes_of() if strip_of(one) == strip_of(hole)]
    return next(one for one in same if one in RAILS or one not in used)


@pytest.mark.parametrize("name", BOARDS)
def test_a_plan_is_the_netlist(name):
    assert faults(BOARDS[name], NETS) == []


def test_there_is_a_plan_for_each_order_of_pins_with_every_part():
    assert set(PLANS) == {EVENING, *OTHER.values}
    assert all({*plan.holes, *plan.beside} == set(PARTS) for plan in PLANS.values())


@pytest.mark.parametrize("name", [OTHER, *sorted(BOARDS.keys() - {*OTHER.values})])
def test_every_joint_is_missed_when_it_is_gone(name):
    plan = BOARDS[name]
    for joint in plan.wires:
        rest = tuple(one for one in plan.wires if one != joint)
        found = faults(msgspec.structs.replace(plan, wires=rest), NETS)
        assert any("is open" in one for one in found), joint


@pytest.mark.parametrize("name", [EVENING, OTHER])
def test_every_pair_of_signals_is_found_when_it_is_short(name):
    plan = PLANS[name]
    where = {signal: end for end, signal in signal_of(plan).items() if end in holes_of()}
    for one, other in combinations(sorted(where), 2):
        holes = (free_hole(plan, where[end]) for end in (one, other))
        worse = msgspec.structs.replace(plan, wires=(*plan.wires, tuple(holes)))
        assert faults(worse, NETS) != [], (one, other)


def test_no_wire_between_rows_hides_another():
    for plan in PLANS.values():
        passed = Counter()
        for ends in plan.wires:
            if not any(end.startswith("Pi.") or end in RAILS for end in ends):
                (column, first), (other, last) = ((end[0], int(end[1:])) for end in ends)
                assert column == other, ends
                passed.update(f"{column}{row}" for row in range(first, last + 1))
        assert len(passed) == 38
        assert set(passed.values()) == {1}


@pytest.mark.parametrize("name", SHEETS)
def test_the_sheets_are_up_to_date_and_at_true_scale(name):
    marks = sheet(name)
    path = ROOT / "docs" / "build" / "boards" / f"{name}.svg"
    assert path.read_text(encoding="utf-8") == svg(marks, title=title_of(name)), "run make kit"
    (ruler,) = [
        mark for mark in marks
        if isinstance(mark, Line) and abs(mark.points[1][0] - mark.points[0][0]) == 50
    ]  # fmt: skip
    assert ruler.points[0][1] == ruler.points[1][1]
    names = {mark.text.split()[0] for mark in marks if isinstance(mark, Label) and mark.text}
    assert {"R1", "R2", "R3", "R4", "R5"} < names
