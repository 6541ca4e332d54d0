"""The plans are the netlist, and the checker finds every joint that is missing or too much."""

import re
from collections import Counter
from itertools import combinations

import msgspec
import pytest

from hardware.board.drawn import signal_of, value
from hardware.board.nets import ALL_PARTS, WITH_CELL, WITHOUT_CELL, signals
from hardware.board.plan import (
    PITCH_MM,
    RAILS,
    faults,
    holes_of,
    plans,
    read_plan,
    strip_of,
    written,
)
from hardware.board.propose import DISPLAY_ORDERS, TRANSISTORS, breadboard, perfboard
from hardware.board.sheet import SHEETS, sheet, title_of
from hardware.board.sketch import Label, Line, svg
from hardware.texts import LANGUAGES, text
from hw_sim.board.board import TRANSISTOR_LEGS
from tests.project.rooms import ROOT

PLANS = plans()
SIGNALS = signals(WITH_CELL)
BREADBOARD, CARRIER = "breadboard-gnd-first-bc337", "carrier-straight-bc337"
MOSTLY_LONG = [
    name if name in (BREADBOARD, CARRIER) else pytest.param(name, marks=pytest.mark.whole)
    for name in PLANS
]


def nets(plan):
    return WITHOUT_CELL if plan.board == "breadboard" else WITH_CELL


def with_holes(plan, part, **legs):
    return msgspec.structs.replace(plan, holes={**plan.holes, part: {**plan.holes[part], **legs}})


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_the_netlist(name):
    assert faults(PLANS[name], nets(PLANS[name])) == []


def test_there_is_a_plan_for_each_order_of_pins_and_each_transistor():
    assert {f"breadboard-{a}-{b}" for a in DISPLAY_ORDERS for b in TRANSISTORS} < set(PLANS)
    assert {part for plan in PLANS.values() for part in (*plan.holes, *plan.beside)} == set(
        ALL_PARTS
    )


@pytest.mark.parametrize("name", MOSTLY_LONG)
def test_every_joint_is_missed_when_it_is_gone(name):
    plan = PLANS[name]
    for field in ("wires", "traces"):
        joints = getattr(plan, field)
        for joint in joints:
            rest = tuple(one for one in joints if one != joint)
            found = faults(msgspec.structs.replace(plan, **{field: rest}), nets(plan))
            assert any("is open" in one for one in found), joint


@pytest.mark.parametrize("name", MOSTLY_LONG)
def test_every_pair_of_signals_is_found_when_it_is_short(name):
    plan = PLANS[name]
    where = {signal: end for end, signal in signal_of(plan).items() if end in holes_of(plan.board)}
    for one, other in combinations(sorted(where), 2):
        worse = msgspec.structs.replace(plan, traces=(*plan.traces, (where[one], where[other])))
        assert faults(worse, nets(plan)) != [], (one, other)


@pytest.mark.parametrize(
    ("name", "part", "one", "other"),
    [
        (name, part, one, other)
        for name in (BREADBOARD, CARRIER)
        for part in PLANS[name].holes
        if part != "Pi" and ALL_PARTS[part].kind not in ("resistor", "piezo")
        for one, other in combinations(PLANS[name].holes[part], 2)
        if SIGNALS.get(f"{part}.{one}") != SIGNALS.get(f"{part}.{other}")
    ],
)
def test_two_legs_that_change_places_are_found(name, part, one, other):
    holes = PLANS[name].holes[part]
    swapped = with_holes(PLANS[name], part, **{one: holes[other], other: holes[one]})
    assert faults(swapped, nets(swapped)) != []


@pytest.mark.parametrize(
    ("part", "legs", "told"),
    [
        ("R2", {"1": "z9"}, "R2.1 stands in z9, which the board does not have"),
        ("R2", {"1": "f12"}, "share the hole f12"),
        ("R2", {"1": "i30"}, "the legs of R2 are 53.3 mm apart"),
        ("R2", {"3": "i14"}, "R2 has no leg 3"),
    ],
)
def test_a_part_that_cannot_stand_there_is_told(part, legs, told):
    found = faults(with_holes(PLANS[BREADBOARD], part, **legs), WITHOUT_CELL)
    assert any(told in one for one in found), found


def test_a_leg_that_must_stay_free_is_told():
    plan = PLANS[BREADBOARD]
    worse = msgspec.structs.replace(plan, wires=(*plan.wires, ("b5", "b4")))
    assert "ADXL345.INT2, which must stay free, is on 'INT1'" in faults(worse, WITHOUT_CELL)


def test_a_trace_joins_neighbours_alone():
    plan = PLANS[CARRIER]
    worse = msgspec.structs.replace(plan, traces=(*plan.traces, ("A1", "A3")))
    assert faults(worse, WITH_CELL) == ["the trace A1 to A3 does not join neighbours"]


@pytest.mark.parametrize("name", [BREADBOARD, CARRIER])
def test_a_plan_is_read_as_it_was_written(name):
    assert read_plan(written(PLANS[name])) == PLANS[name]


def test_a_faulty_plan_is_refused_in_one_line():
    text = written(PLANS[CARRIER])
    with pytest.raises(ValueError, match="Invalid enum value 'cardboard'") as raised:
        read_plan(text.replace('board = "perfboard"', 'board = "cardboard"'))
    assert "\n" not in str(raised.value)


def test_no_wire_between_rows_hides_another():
    for plan in (one for one in PLANS.values() if one.board == "breadboard"):
        passed = Counter()
        for ends in plan.wires:
            if not any(end.startswith("Pi.") or end in RAILS for end in ends):
                (column, first), (other, last) = ((end[0], int(end[1:])) for end in ends)
                assert column == other, ends
                passed.update(f"{column}{row}" for row in range(first, last + 1))
        assert len(passed) == 38
        assert set(passed.values()) == {1}


def test_the_plans_are_those_that_are_proposed():
    assert breadboard("gnd-first", "bc337") == PLANS[BREADBOARD]
    quick = perfboard(False, "bc337", tries=3)
    assert faults(quick, WITH_CELL) == []
    assert quick.holes == PLANS[CARRIER].holes


def test_the_transistors_flat_side_turns_with_its_legs():
    first, second = (PLANS[f"breadboard-gnd-first-{name}"] for name in TRANSISTORS)
    assert first.holes["Q1"] == second.holes["Q1"]
    assert first.flat != second.flat
    assert TRANSISTOR_LEGS["BC337"] == TRANSISTOR_LEGS["PN2222A"][::-1]


def test_the_header_stands_as_on_a_pi_that_is_turned():
    holes, places = PLANS[CARRIER].holes["Pi"], holes_of("perfboard")
    (x, y), (x2, y2), (x3, y3) = (places[holes[pin]] for pin in ("1", "2", "3"))
    assert (x2 - x, y2 - y) == pytest.approx((0, PITCH_MM))
    assert (x3 - x, y3 - y) == pytest.approx((-PITCH_MM, 0))


def test_rows_and_rails_join_and_the_gap_parts():
    assert strip_of("breadboard", "a7") == strip_of("breadboard", "e7")
    assert strip_of("breadboard", "e7") != strip_of("breadboard", "f7")
    assert {strip_of("breadboard", rail) for rail in RAILS} == set(RAILS)


@pytest.mark.parametrize(
    ("part", "text"), [("R1", "47R"), ("R6", "470k"), ("C1", "4u7"), ("D1", "")]
)
def test_a_value_is_printed_short(part, text):
    assert value(part) == text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SHEETS)
def test_the_sheets_are_up_to_date_and_at_true_scale(name, language):
    marks = sheet(name, language)
    path = ROOT / "docs" / "build" / "boards" / f"{name}.{language}.svg"
    page = svg(marks, title=title_of(name, language))
    assert path.read_text(encoding="utf-8") == page, "run make kit"
    assert path.with_suffix(".pdf").exists()
    (ruler,) = [
        mark for mark in marks
        if isinstance(mark, Line) and abs(mark.points[1][0] - mark.points[0][0]) == 50
    ]  # fmt: skip
    assert ruler.points[0][1] == ruler.points[1][1]
    names = {mark.text.split()[0] for mark in marks if isinstance(mark, Label) and mark.text}
    assert {"R1", "R2", "R3", "R4", "R5"} < names


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_in_one_language_and_its_drawings_in_none(name):
    words = {
        language: {mark.text for mark in sheet(name, language) if isinstance(mark, Label)}
        for language in LANGUAGES
    }
    drawn = set.intersection(*words.values())
    assert {one for one in drawn if re.search("[a-z]{3}", one)} <= {"piezo"}  # a name, as R1 is
    for language in LANGUAGES:
        assert words[language] >= {title_of(name, language), text(language).sheet["scale"]}
