"""The guide that closes a handheld: each joint is told and proven once, each body placed once."""

import re
from collections import Counter

import msgspec
import pytest

from hardware.case.checks import build
from hardware.case.sizes import CUP
from hardware.guide.body import body_page, body_steps, untold
from hardware.parts import bought
from hardware.texts import LANGUAGES, text

STEPS = {step.name: step for step in body_steps()}
CASE = build(CUP)
MOST_ACTIONS = 3


def changed(name, **fields):
    """The steps, one of them with other fields."""
    return [
        msgspec.structs.replace(step, **fields) if step.name == name else step
        for step in body_steps()
    ]


def test_each_joint_is_told_and_proven_once():
    assert list(untold(body_steps())) == []
    joints = {False: 0, True: 0}
    for step in body_steps():
        joints[step.optional] += len(step.solder)
    assert joints == {False: 8, True: 14}


@pytest.mark.parametrize(
    ("name", "fields", "told"),
    [
        ("tap", {"solder": ("TTP223.VCC", "TTP223.GND")}, "TTP223.Q is soldered in 0 steps"),
        ("sound", {"solder": ("R5.1", "piezo.-")}, "R5.2 is joined in 0 steps"),
        ("base", {"solder": ()}, "ADXL345.INT1 is soldered in 0 steps"),
        ("lid", {"cables": ("VEML7700", "SSD1306")}, "SSD1306.SDA is joined in 2 steps"),
        ("screen", {"cables": ()}, "SSD1306.VCC is joined in 0 steps"),
        ("shim", {"wires": {}}, "ADXL345.INT1 is joined in 0 steps"),
        ("shim", {"wires": {"ADXL345.INT1": "13"}}, "header 13, which carries None"),
        ("sound", {"wires": {"R5.1": "33", "piezo.-": "2"}}, "header 2, which carries 5V"),
        ("tap", {"check": ""}, "TTP223 is proven in 0 steps"),
        ("base", {"check": "accelerometer"}, "base: ADXL345 is examined before it is joined"),
        ("close", {"solder": tuple(f"x.{n}" for n in range(9))}, "17 joints are soldered"),
        ("eyes", {"solder": tuple(f"x.{n}" for n in range(19))}, "41 joints are soldered"),
        ("sender", {"links": (("R1.2", "D1.K"),)}, "R1.2 and D1.K are not on one net"),
        ("eyes", {"check": ""}, "D1 is proven in 0 steps"),
    ],
)
def test_a_joint_that_no_step_makes_or_proves_is_found(name, fields, told):
    assert any(told in one for one in untold(changed(name, **fields)))


def test_each_body_is_placed_in_one_step_and_no_other_stands_before():
    placed = Counter(name for step in body_steps() for name in step.new)
    bodies = {one.name for one in (*CASE.printed, *CASE.inside) if "room" not in one.kind}
    assert placed == Counter(bodies - {"base", "tips pi"})
    stands = {"base", "top", "carrier"}
    for step in body_steps():
        assert set(step.old) <= stands, step.name
        stands |= set(step.new)


def test_as_many_screws_and_cables_are_taken_as_are_bought():
    taken = Counter()
    for step in body_steps():
        taken.update(step.parts)
    for part in ("board_screw", "screw", "qt", "shim", "qt_display", "qt_light"):
        assert taken[part] == bought().parts[part].one, part


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_has_at_most_three_actions(language):
    page = body_page(language)
    assert {*STEPS, "all"} == set(text(language).body)
    for part in page.split("\n## ")[1:]:
        assert part.count("![") == 1
        assert 1 <= len(re.findall(r"\n\d\. ", part)) <= MOST_ACTIONS
    assert not re.search(r"^[!~] ", page, re.MULTILINE), "the doctor complains"
    assert "0x23" in page
