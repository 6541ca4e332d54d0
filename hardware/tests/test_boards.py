"""The plans are the netlist, and the checker finds every joint that is missing or too much."""

import re
from collections import Counter, defaultdict
from itertools import combinations
from xml.etree import ElementTree

import msgspec
import pytest

from hardware.board import legs_of, signals
from hardware.board.drawn import SHEETS, sheet, signal_of, title_of
from hardware.board.plan import RAILS, Groups, faults, holes_of, plans, strip_of
from hardware.board.sketch import Label, Line, svg
from hardware.guide.pages import EVENING, steps, wired_so_far
from hardware.parts import ROOT, bought, bus_faults, bus_levels, power_states
from hw_sim.board import NETS, ON_PI_5, PARTS

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


DRAWING = (ROOT / "docs" / "wiring.svg").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"


def ends(path):
    """The ends of a straight wire; it may hop over another one."""
    begin, *moves = re.findall(r"([A-Za-z])([^A-Za-z]*)", path.get("d"))
    x, y = start = tuple(map(int, begin[1].split()))
    for letter, numbers in moves:
        match letter:
            case "H":
                x = int(numbers)
            case "V":
                y = int(numbers)
            case "a":
                x += int(numbers.split()[-2])  # it hops over another wire
    return start, (x, y)


def runs_through(line, place):
    return all(min(along) <= at <= max(along) for at, *along in zip(place, *line))


def joined(svg, *kinds):
    """The legs that wires of these kinds join: ends that meet, and what has a dot."""
    tree = ElementTree.fromstring(svg)
    found = [path for kind in kinds for path in tree.iterfind(f".//{SVG}path[@class='{kind}']")]
    lines = [ends(path) for path in found]
    joints = tree.iterfind(f".//{SVG}circle[@class='joint']")
    dots = [(int(dot.get("cx")), int(dot.get("cy"))) for dot in joints]
    groups, legs = Groups(), defaultdict(set)
    for one, other in combinations(lines, 2):
        dotted = any(runs_through(one, dot) and runs_through(other, dot) for dot in dots)
        if dotted or {*one} & {*other}:
            groups.join(str(one), str(other))
    for leg in tree.iterfind(f".//{SVG}path[@class='leg']"):
        end = tuple(map(int, re.findall(r"\d+", leg.get("d"))[-2:]))
        for one in (line for line in lines if end in line):
            legs[groups.find(str(one))].add(leg.get("data-leg"))
    return {frozenset(each) for each in legs.values()}


def wanted(dashed):
    """The legs that are joined; ``dashed``: pins of a Pi 5 by those that they replace."""
    return {frozenset((*legs, *map(dashed.get, dashed.keys() & legs))) for legs in NETS.values()}


@pytest.mark.parametrize("dashed", [{}, ON_PI_5], ids=["usual", "Pi 5"])
def test_read_line_by_line_the_drawing_is_the_netlist(dashed):
    assert joined(DRAWING, "wire", *(["instead"] if dashed else [])) == wanted(dashed)


def test_each_wire_and_each_dot_is_missed_when_it_is_gone():
    strokes = re.findall(r'<path class="wire"[^>]*/>|<circle class="joint"[^>]*/>', DRAWING)
    assert len(strokes) > 80
    for stroke in strokes[::7]:
        assert joined(DRAWING.replace(stroke, "", 1), "wire") != wanted({}), stroke


def test_every_source_is_used_and_every_number_has_one():
    parts = bought()
    used = {one.source for one in parts.figures().values()}
    used |= {one.sheet for one in parts.parts.values()}
    assert used == set(parts.sources)


def test_a_number_that_is_remembered_is_of_low_certainty():
    sources = bought().sources
    remembered = {name for name, told in sources.items() if "from memory" in told}
    assert remembered
    for place, one in bought().figures().items():
        assert one.certainty == "low" or one.source not in remembered, place


def test_each_part_of_the_netlist_is_on_one_line_of_the_list():
    fitted = [name for part in bought().parts.values() for name in part.fits]
    assert sorted(fitted) == sorted(PARTS)


def test_as_many_are_bought_as_the_netlist_has():
    for name, part in bought().parts.items():
        if part.fits:
            assert part.one == len(part.fits), name
            assert part.four == 4 * part.one, name


@pytest.mark.parametrize("name", ["R1", "R2", "R3", "R4", "R5", "C1"])
def test_what_is_bought_has_the_value_of_the_netlist(name):
    (part,) = [one for one in bought().parts.values() if name in one.fits]
    found = re.match(r"([\d.]+) (µ|k)?[ΩF]", part.take)
    scale = {"k": 1e3, "µ": 1e-6, None: 1}[found[2]]
    assert float(found[1]) * scale == pytest.approx(PARTS[name].value)


def test_every_leg_is_joined_once():
    joined = {leg for leg in signals(NETS) if not leg.startswith("Pi.")}
    assert joined == legs_of(name for name in PARTS if name != "Pi")


def test_a_leg_with_two_signals_is_refused():
    with pytest.raises(ValueError, match=r"Pi\.3 belongs to 'SDA' and to 'oops'"):
        signals({**NETS, "oops": ("Pi.3", "Pi.7")})


def test_the_states_go_from_the_least_current_to_the_largest_and_name_the_parts_list():
    currents = [state.current_ma() for state in power_states()]
    assert currents == sorted(currents)
    assert currents[0] == pytest.approx(121)
    assert {name for state in power_states() for name in state.takes} < set(bought().power)


def test_the_weakest_sensor_pulls_the_bus_as_low_as_the_pi_needs_and_the_page_says_so():
    levels, cut, per_kohm = bus_levels(), bus_levels(5), 1 / 1.8 + 6 / 10
    assert (3.3 - levels.usual_volt) * per_kohm == pytest.approx(3)
    assert (3.3 * 1.015 - levels.most_volt) * per_kohm / 0.95 == pytest.approx(3)
    assert (3.3 - 0.4) * per_kohm == pytest.approx(levels.sink_ma)
    assert list(bus_faults()) == []
    assert list(bus_faults(pulls=8)) != []
    page = (ROOT / "docs" / "build" / "README.md").read_text(encoding="utf-8")
    told = [f"{one.sink_ma:.1f} mA" for one in (levels, cut)]
    told += [f"{volt:.2f} V" for volt in (levels.usual_volt, levels.most_volt, cut.most_volt)]
    assert all(one in page for one in told), told
