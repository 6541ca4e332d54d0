"""The case: the chosen one has no fault, and every fault that is put in is found by its check."""

from dataclasses import fields, replace

import msgspec
import pytest

from hardware.case.bodies import Body
from hardware.case.checks import CHECKS, build
from hardware.case.hands import guessed, held, load
from hardware.case.light import covered_share, display_lux, open_share
from hardware.case.sizes import CUP, Sizes
from hardware.case.solids import box
from hardware.parts import ROOT, bought

MUTANTS = {
    "a screw of 7 mm": ("screws", {"screw": 7.0}),
    "long screws in the boards": ("screws", {"board_screw": 8.0}),
    "short screws in the boards": ("screws", {"board_screw": 3.5}),
    "a thumb 8 mm off": ("light", {"thumb_off": 8.0}),
    "white plastic": ("light", {"colour": "white"}),
    "a shallow hole": ("light", {"light_post": 3.2, "hole": 5.0}),
    "thick plastic over the pad": ("pad", {"pad_plastic": 2.6}),
    "thin plastic over the pad": ("pad", {"pad_plastic": 0.8}),
    "round corners into the Pi": ("interference", {"far_corner": 19.0}),
    "the Pi 2 mm too far": ("interference", {"pi_back": -0.8}),
    "a flat case": ("interference", {"thick": 26.0}),
    "the accelerometer at the Pi": ("clearance", {"accelerometer_y": 59.1}),
    "a thin wall": ("walls", {"wall": 1.6}),
    "a narrow case": ("interference", {"near": 54.0}),
    "thin posts": ("walls", {"post": 3.2}),
    "screws through the face": ("skin", {"board_screw": 9.0}),
    "the light in the wall": ("interference", {"light_x": -26.0}),
    "a display in the far wall": ("interference", {"display_y": 86.0}),
    "a turned accelerometer": ("axes", {"accelerometer_turn": 90.0}),
    "a large case": ("printing", {"long": 185.0}),
    "no air in the joint": ("assembly", {"fit": -0.1}),
    "slots in the near wall": ("air", {"pi_back": 82.0}),
    "a light under a screw of the case": ("reach", {"light_y": 12.0}),
    "a screw that holds nothing": ("shake", {"screw": 4.6}),
    "a base without a bevel": ("foot", {"belly": 0.01}),
    "a loose shim": ("held", {"gap": 7.0}),
    "a carrier on the bar of the piezo": ("interference", {"carrier_post": 6.5}),
    "a carrier that meets the Pi": ("assembly", {"carrier_post": 21.0}),
}
"""By name: the check that must find it, and the sizes that are changed."""
SLOW = ("held", "opening")
QUICK = ("a screw of 7 mm", "thick plastic over the pad", "a turned accelerometer")
LOOSE = {
    "bar pad": "nothing stops pad when it is pushed 6 mm down",
    "bar piezo": "nothing stops piezo when it is pushed 6 mm down",
    "screws light": "nothing stops light when it is pushed 6 mm down",
    "screws display": "nothing stops display when it is pushed 6 mm to the left",
    "screws accelerometer": "nothing stops accelerometer when it is pushed 6 mm up",
    "screws bar pad": "nothing stops bar pad when it is pushed 6 mm down",
    "screws carrier": "nothing stops carrier when it is pushed 6 mm down",
    "screw 1": "nothing stops top when it is pushed 6 mm up",
}
"""Each part that a maker may forget, and the part that falls out then."""


@pytest.fixture(scope="module")
def cup():
    return build(CUP)


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=pytest.mark.whole) if one in SLOW else one for one in CHECKS],
)
def test_the_chosen_case_has_no_fault(cup, name):
    assert list(CHECKS[name](cup)) == []


@pytest.mark.parametrize(
    "name", [one if one in QUICK else pytest.param(one, marks=pytest.mark.whole) for one in MUTANTS]
)
def test_a_fault_is_found_by_its_check(name):
    check, changed = MUTANTS[name]
    assert list(CHECKS[check](build(replace(CUP, **changed)))) != []


@pytest.mark.whole
@pytest.mark.parametrize("name", LOOSE)
def test_what_is_forgotten_lets_something_fall_out(cup, name):
    without = cup._replace(
        printed=[body for body in cup.printed if body.name != name],
        inside=[body for body in cup.inside if body.name != name],
    )
    assert LOOSE[name] in list(held(without))


def test_every_check_has_a_fault_that_it_finds():
    assert {check for check, _ in MUTANTS.values()} | {"pieces", "hole", "opening", "sharp"} == set(
        CHECKS
    )
    assert {name for _, changed in MUTANTS.values() for name in changed} <= {
        field.name for field in fields(Sizes)
    }


CELLS = {
    "under the header": (box((-30, 66, 2), (30, 96, 3.2)), "tips pi"),
    "under the accelerometer": (box((0, 30, 2), (30, 50, 3.5)), "joint accelerometer"),
    "under the display": (box((-9, 55, 20), (-3, 75, 27)), "joint display"),
    "beside a wire": (box((0, 45, 14), (6, 65, 22)), "wire TTP223.VCC"),
    "under the piezo": (box((-8, 84, 10), (8, 95, 19.5)), "joint piezo"),
    "far from all": (box((-30, 12, 2), (15, 35, 10)), ""),
}
"""By place: a cell that somebody adds, and the first thing that is too near to it."""


@pytest.mark.parametrize("place", CELLS)
def test_a_cell_near_a_joint_or_a_wire_is_found(cup, place):
    solid, told = CELLS[place]
    worse = cup._replace(inside=[*cup.inside, Body("cell", solid, (0, 0, 0), "cell")])
    found = list(CHECKS["sharp"](worse))
    assert any(one.startswith(f"{told} is ") for one in found) if told else found == []


def test_bare_metal_against_foreign_metal_is_found(cup):
    joint = cup.solid("joint display").translate([0, 0, -0.7])
    worse = cup._replace(inside=[*cup.inside, Body("clip", joint, (0, 0, 0), metal=True)])
    assert list(CHECKS["sharp"](worse)) == ["joint display is 0.10 mm from clip, less than 0.5 mm"]


def test_two_nets_that_touch_below_the_carrier_are_found(cup):
    name = "joint D1.K Q1.C sender carrier"
    near = Body(name, cup.solid(name).translate([0.9, 0, 0]), (0, 0, 0), "joint", metal=True)
    worse = cup._replace(inside=[near if one.name == name else one for one in cup.inside])
    assert any(one.startswith(f"{name} is ") for one in CHECKS["sharp"](worse))


def test_a_part_in_two_pieces_is_found(cup):
    top = cup.printed[1]
    worse = top._replace(solid=top.solid + top.solid.translate([0, 0, 100]))
    assert list(CHECKS["pieces"](cup._replace(printed=[worse]))) == ["top is in 2 pieces"]


GUESSES = {
    "plug.wide": "base, top", "pi.card_y": "base, top", "qt_display.picture_up": "top",
    "screw.head": "base", "qt.hole_inset": "base, top", "pi.header_plastic": "top",
    "shim.board": "top", "receiver.drill": "", "qt_light.parts_high": "",
}  # fmt: skip
"""By number: the printed parts that it decides."""


@pytest.mark.whole
@pytest.mark.parametrize("name", GUESSES)
def test_a_guess_that_decides_an_opening_is_refused_in_one_line(name):
    part, _, dimension = name.partition(".")
    old = bought().parts[part]
    guess = {**old.mm, dimension: old.mm[dimension]._replace(source="own", certainty="low")}
    changed = {**bought().parts, part: msgspec.structs.replace(old, mm=guess)}
    found = list(guessed(CUP, msgspec.structs.replace(bought(), parts=changed)))
    assert [line.partition(" decides ")[2].partition(", and its")[0] for line in found] == (
        [GUESSES[name]] if GUESSES[name] else []
    )
    assert all(line.startswith(f"parts.{part}.mm.{dimension} = ") for line in found)


def test_the_page_has_the_load_at_4_g(cup):
    page = (ROOT / "docs" / "build" / "checks.md").read_text(encoding="utf-8")
    pull, bears = load(cup)
    assert f"pulls with {pull:.1f} N; one screw bears {bears:.0f} N" in page


def test_a_board_below_a_screw_keeps_the_driver_away(cup):
    board = cup.solid("display").translate([0, 0, -6])
    worse = [one._replace(solid=board) if one.name == "pad" else one for one in cup.inside]
    assert "no driver reaches the screw of display" in next(
        CHECKS["reach"](cup._replace(inside=worse))
    )


def test_a_deeper_hole_lets_in_less_light():
    deeper = replace(CUP, light_post=6.0)
    assert open_share(deeper) < open_share(CUP) < 1
    assert display_lux(deeper) < display_lux(CUP)


def test_more_light_passes_the_further_the_thumb_is_off():
    shares = [covered_share(replace(CUP, thumb_off=off)) for off in (0.0, 5.0, 8.0, 9.0)]
    assert shares == sorted(shares)
    assert shares[1] < bought().limit("lid_light_most_share") < shares[2]
