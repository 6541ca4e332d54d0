"""The case: the chosen one has no fault, and every fault that is put in is found by its check."""

from dataclasses import fields, replace

import pytest

pytest.importorskip("manifold3d", reason="the case needs manifold3d: pip install -e '.[kit]'")

from hardware.case.checks import CHECKS, build
from hardware.case.light import covered_share, display_lux, open_share
from hardware.case.sizes import CUP, DEEP, FORMS, Sizes
from hardware.parts import bought

MUTANTS = {
    "a screw of 16 mm": ("screws", {"screw": 16.0}),
    "a screw of 8 mm": ("screws", {"screw": 8.0}),
    "a thumb 7 mm off": ("light", {"thumb_off": 7.0}),
    "white plastic": ("light", {"colour": "white"}),
    "a wide hole": ("light", {"hole": 9.0}),
    "a shallow well": ("light", {"well_deep": 1.2}),
    "thick plastic over the pad": ("pad", {"pad_plastic": 2.8}),
    "thin plastic over the pad": ("pad", {"pad_plastic": 0.8}),
    "round corners into the Pi": ("interference", {"far_corner": 17.0}),
    "a cell 2 mm higher": ("clearance", {"cell_lift": 2.5, "joints": 0.0}),
    "the Pi 2 mm too far": ("interference", {"pi_back": -0.8}),
    "a flat case": ("interference", {"thick": 18.0}),
    "a sender 8 mm back": ("interference", {"sender_back": 8.0}),
    "a receiver beside the sender": ("interference", {"receiver_x": 13.0}),
    "a thin wall": ("walls", {"wall": 1.6}),
    "a narrow case": ("interference", {"near": 58.0}),
    "a split through the Pi": ("interference", {"split": 5.0}),
    "a thin front": ("walls", {"front": 2.2}),
    "a round belly": ("printing", {"round_belly": True}),
    "a hole wider than its well": ("pieces", {"hole": 30.0}),
    "a window smaller than the display": ("skin", {"window_long": 13.0}),
    "eyes in the plugs": ("skin", {"eyes_z": 24.0}),
    "the well in the wall": ("interference", {"well_x": -26.0}),
    "a display at the near edge": ("axes", {"display_y": 40.0}),
    "a display in the header": ("clearance", {"display_y": 78.5}),
    "a turned accelerometer": ("axes", {"accelerometer_turn": 90.0}),
    "a large case": ("printing", {"long": 185.0}),
    "no air in the joint": ("assembly", {"fit": -0.1}),
}
"""By name: the check that must find it, and the sizes that are changed."""
DEEP_MUTANTS = {
    "2 mm flatter": ("interference", {"thick": 31.0}),
    "a pad close to the sockets": ("pad", {"thick": 32.5}),
    "three slots in a side": ("air", {"vents": 3}),
    "the Pi 3 mm back": ("interference", {"pi_back": 4.2}),
    "a carrier on the wires": ("clearance", {"joints": -2.0}),
    "bosses into the lid's module": ("interference", {"bosses": 25.5}),
    "a screw of 16 mm": ("screws", {"screw": 16.0}),
    "columns in the wall": ("assembly", {"near": 60.0}),
    "a card on the floor": ("skin", {"pi_lift": 1.0}),
    "a Pi that the bosses press": ("interference", {"pi_lift": 5.0}),
    "a thumb 7 mm off": ("light", {"thumb_off": 7.0}),
    "a thin front": ("walls", {"front": 2.2}),
}
"""The same for the case of a Pi 4 or 5."""
QUICK = ("a screw of 16 mm", "white plastic", "a round belly")


@pytest.fixture(scope="module")
def cup():
    return build(CUP)


@pytest.fixture(scope="module")
def deep():
    return build(DEEP)


@pytest.mark.parametrize("name", CHECKS)
def test_the_chosen_case_has_no_fault(cup, name):
    assert list(CHECKS[name](cup)) == []


@pytest.mark.parametrize(
    "name",
    [
        one
        if one in ("interference", "clearance", "air")
        else pytest.param(one, marks=pytest.mark.whole)
        for one in CHECKS
    ],
)
def test_the_deep_case_has_no_fault(deep, name):
    assert list(CHECKS[name](deep)) == []


@pytest.mark.whole
@pytest.mark.parametrize("name", DEEP_MUTANTS)
def test_a_fault_of_the_deep_case_is_found_by_its_check(name):
    check, changed = DEEP_MUTANTS[name]
    assert list(CHECKS[check](build(replace(DEEP, **changed)))) != []


@pytest.mark.parametrize(
    "name", [one if one in QUICK else pytest.param(one, marks=pytest.mark.whole) for one in MUTANTS]
)
def test_a_fault_is_found_by_its_check(name):
    check, changed = MUTANTS[name]
    assert list(CHECKS[check](build(replace(CUP, **changed)))) != []


def test_every_check_has_a_fault_that_it_finds():
    every = (*MUTANTS.values(), *DEEP_MUTANTS.values())
    assert {check for check, _ in every} == set(CHECKS)
    assert {name for _, changed in every for name in changed} <= {
        field.name for field in fields(Sizes)
    }


def test_the_forms_that_were_not_chosen_can_be_built():
    assert set(FORMS) == {"slab", "cup", "pebble"}


def test_a_deeper_hole_lets_in_less_light():
    assert open_share(replace(CUP, well_deep=4.0)) < open_share(CUP) < 1
    assert display_lux(replace(CUP, well_deep=4.0)) < display_lux(CUP)


def test_more_light_passes_the_further_the_thumb_is_off():
    shares = [covered_share(replace(CUP, thumb_off=off)) for off in (0.0, 5.0, 7.0, 9.0)]
    assert shares == sorted(shares)
    assert shares[1] < bought().limit("lid_light_most_share") < shares[2]
