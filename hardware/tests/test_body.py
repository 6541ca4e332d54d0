"""The guide that closes a handheld: each joint is told and proven once, each body placed once."""

import re
from collections import Counter
from itertools import combinations
from math import inf

import numpy as np
import pytest

from hardware.case.checks import build
from hardware.case.sizes import CUP
from hardware.guide.body import body_page, body_steps, dropped, fitted, stands, untold
from hardware.guide.drawings import NAMES
from hardware.guide.pages import picture_name, printed_of, taken
from hardware.kit import DOCS
from hardware.parts import bought
from hardware.texts import LANGUAGES, text
from hw_sim.board import NETS, PARTS
from hw_sim.trials.diagnosis.wiring import built, wired
from hw_sim.trials.faults import FAULTS

STEPS = {step.name: step for step in body_steps()}
CASE = build(CUP)
LONG = pytest.mark.whole
MARKS = dict.fromkeys(("piezo.-", "C1.+", "R3.1", "Q1.B Q1.C", "SJ3"), ())
"""The marks of the joints that the short run breaks: none."""


def test_each_joint_is_told_and_proven_once():
    assert list(untold(body_steps())) == []
    joints = Counter(step.optional for step in body_steps() for _ in step.solder)
    assert joints == {False: 8, True: 14}


FARADS = {"C1": PARTS["C1"].value, "piezo": 5.5e-9}
HERTZ = 100.0
"""The frequency at which the meter measures capacitance."""
WIRED = {leg for step in body_steps() for leg in step.wires}


def impedance(nets, parts, red, black, hertz):
    """The complex ohms between two legs, by these parts alone; diodes block with this polarity."""
    names = sorted({min(net) for net in nets.values()})
    siemens = np.eye(len(names), dtype=complex) * 1e-13
    for name in parts:
        kind, (one, other, *_), *_ = PARTS[name]
        value = 1 / PARTS[name].value if kind == "resistor" else 0
        value = value or 2j * np.pi * hertz * FARADS.get(name, 0)
        a, b = (names.index(min(nets[f"{name}.{leg}"])) for leg in (one, other))
        siemens[[a, b], [a, b]] += value
        siemens[[a, b], [b, a]] -= value
    ends = [names.index(min(nets[leg])) for leg in (red, black)]
    flow = np.zeros(len(names))
    np.add.at(flow, ends, (1, -1))
    volts = np.linalg.solve(siemens, flow)
    return volts[ends[0]] - volts[ends[1]]


def probe(leg):
    """The end of a wire that goes to the header, or the leg itself."""
    net = next(net for net in NETS.values() if leg in net)
    return next(one for one in net if one[:3] == "Pi.") if leg in WIRED else leg


def meter_is_right(reading, step, nets):
    """Whether the meter shows what the guide tells, of the parts that the step takes."""
    legs = {*step.wires, *step.solder, *(leg for link in step.links for leg in link)}
    parts = {leg.partition(".")[0] for leg in legs}
    ends = probe(reading.red), probe(reading.black)
    found = impedance(nets, parts, *ends, HERTZ if reading.unit == "F" else 0.0)
    if reading.least == inf:
        return abs(found) > 1e6
    if reading.unit == "F":
        found = -1 / (2 * np.pi * HERTZ * found.imag) if found.imag else inf
    return reading.least <= abs(found) <= reading.most


def wrong(joint):
    """The first reading that turns wrong: its step, and the reading or what its line names.

    Nothing that burns may get as far as the header.
    """
    nets, fault, burns = dict(built(())), None, ""
    one, *other = joint.split() or [""]
    if other:
        both = nets[one] | nets[other[0]]
        nets |= dict.fromkeys(both, both)
    try:
        if other or one in nets:
            nets |= built([("short" if other else "open", one, *other)])
            fault = wired(nets)
    except ValueError as error:
        burns = str(error)
    if one == "SJ3":
        fault = FAULTS["display strapped"]
    for step in body_steps():
        for reading in step.meter:
            if not meter_is_right(reading, step, nets):
                return step.name, reading
        if not step.proves:
            continue
        seen = fitted(step, has_infrared=True)
        assert not burns or not {leg.partition(".")[0] for leg in (one, *other)} <= {*seen.parts}
        for line in printed_of(seen, "en", fault).splitlines():
            if line[0] in "!~":
                return step.name, line[2:].partition(":")[0]
    return None


TOLD = [
    pytest.param(step.name, reading, joint, id=joint, marks=MARKS.get(joint, LONG))
    for step in body_steps()
    for reading, joints in (*((one, one.proves) for one in step.meter), *step.proves.items())
    for joint in joints
]


@pytest.mark.parametrize(("name", "reading", "joint"), TOLD)
def test_the_reading_that_is_told_is_the_first_that_turns_wrong(name, reading, joint):
    assert wrong(joint) == (name, reading)


def test_no_reading_is_wrong_when_each_joint_is_made():
    assert wrong("") is None


@pytest.mark.whole
def test_after_each_step_a_body_is_held_or_the_step_says_that_it_is_loose():
    assert list(dropped(body_steps(), CASE)) == []


def test_each_body_is_placed_and_no_other_stands_before():
    bodies = {one.name for one in (*CASE.printed, *CASE.inside) if "room" not in one.kind}
    placed = set()
    for step in body_steps():
        for picture in step.pictures:
            whole = {name.rpartition(" of ")[2] for name in stands(picture)}
            assert whole <= placed | {"base", "top", "carrier"}, step.name
            new = {*picture.bodies}
            assert not new & set(stands(picture))
            assert set(picture.way) <= new
            placed |= {name.rpartition(" of ")[2] for name in new if "loose" not in name}
    assert placed == bodies - {"base", "tips pi"}


def test_a_wire_that_leads_to_the_top_is_seen_there_and_on_the_base():
    _, top, base = STEPS["sound"].pictures
    leading = {"wire cable 2", "wire cable 3", "wire TTP223.Q"}
    assert {one for one in stands(top) if one[:4] == "wire"} >= leading
    assert {one for one in stands(base) if one[:4] == "wire"} >= {*leading, "wire cable 1"}
    assert not {"wire cable 1", "wire ADXL345.INT1"} & {*stands(top)}


def test_infrared_is_in_no_picture_of_the_other_steps():
    parts = ("carrier", "receiver", "sender", *(f"wire {leg}" for leg in STEPS["eyes"].wires))
    for step in body_steps():
        for picture in step.pictures:
            shown = {*stands(picture), *picture.bodies}
            assert not shown & set(parts) or step.optional or picture.optional, step.name


def test_the_pictures_have_the_names_of_their_parts_and_the_pins_of_their_wires():
    for step in body_steps():
        for place, picture in enumerate(step.pictures, 1):
            name = picture_name(f"body-{step.name}", place)
            drawing = (DOCS / "steps" / f"{name}.svg").read_text(encoding="utf-8")
            letters = set(re.findall("<text [^>]*>([^<]*)</text>", drawing))
            new = {*picture.bodies}
            if "screw 1" in new:
                assert letters == set(), "the top hides everything"
                continue
            drawn = {*new, *stands(picture)}
            named = drawn & set(NAMES) - ({"card"} - new)
            assert {NAMES[one] for one in named} <= letters, name
            assert {one.split(" of ")[0] for one in drawn if " of " in one} <= letters, name
            if "pi" in drawn:
                pins = {pin for leg, pin in step.wires.items() if f"wire {leg}" in new}
                assert {"1", "2", "PWR", *pins} <= letters, name
            for leg in step.solder:
                if any(one.startswith("joint") and leg in one.split() for one in new):
                    assert leg in letters or leg.partition(".")[2] in letters, (name, leg)


LETTERS = re.compile(r'<text x="(\d+)" y="(\d+)" font-size="(\d+)"[^>]*>([^<]*)</text>')
RIM_PX = 1.5


def place_of(x, y, size, letters):
    """Left, top, right and bottom of letters with their white rim, in px; Arial's are so wide."""
    half = 0.3 * size * len(letters) + RIM_PX
    return x - half, y - 0.75 * size - RIM_PX, x + half, y + RIM_PX


def test_no_name_in_a_picture_covers_another():
    for path in (DOCS / "steps").glob("body-*.svg"):
        named = [
            (place_of(*map(int, numbers), letters), letters)
            for *numbers, letters in LETTERS.findall(path.read_text(encoding="utf-8"))
        ]
        for (one, name), (other, second) in combinations(named, 2):
            apart = one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
            assert apart, f"{path.stem}: {name} and {second}"


def test_as_many_screws_and_cables_are_taken_as_are_bought():
    for part in ("board_screw", "screw", "qt", "shim", "qt_display", "qt_light"):
        assert taken(body_steps())[part] == bought().parts[part].one, part


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_check_has_a_line_for_those_with_infrared_and_one_for_those_without(language):
    page = body_page(language)
    assert {*STEPS, "all"} == set(text(language).body)
    assert not re.search(r"^[!~] ", page, re.MULTILINE), "the doctor complains"
    last = page.split("\n## ")[-2]
    assert last.count("0x23") == 2
    without, infrared = last.split("```")[1:4:2]
    assert len(re.findall("^- ", without, re.MULTILINE)) == 1
    assert (without.count("µs"), infrared.count("µs")) == (0, 1)
    assert text(language).guide["infrared"] in last
