"""The guide that closes a handheld: each joint is told and proven once, each body placed once."""

import re
from collections import Counter

import msgspec
import pytest

from hardware.case.checks import build
from hardware.case.sizes import CUP
from hardware.guide.body import body_page, body_steps, stands, untold
from hardware.guide.drawings import NAMES
from hardware.guide.pages import picture_name
from hardware.kit import DOCS
from hardware.parts import bought
from hardware.texts import LANGUAGES, text

STEPS = {step.name: step for step in body_steps()}
CASE = build(CUP)


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


def test_each_body_is_placed_and_no_other_stands_before():
    bodies = {one.name for one in (*CASE.printed, *CASE.inside) if "room" not in one.kind}
    placed = set()
    for step in body_steps():
        for picture in step.pictures:
            whole = {name.rpartition(" of ")[2] for name in stands(picture)}
            assert whole <= placed | {"base", "top", "carrier"}, step.name
            new = {name for action in picture.new for name in action}
            assert not new & set(stands(picture))
            assert set(picture.way) <= new
            placed |= {name.rpartition(" of ")[2] for name in new if "loose" not in name}
    assert placed == bodies - {"base", "tips pi"}


def test_infrared_is_in_no_picture_of_the_other_steps():
    parts = ("carrier", "receiver", "sender", *(f"wire {leg}" for leg in STEPS["eyes"].wires))
    for step in body_steps():
        if not step.optional:
            shown = {name for picture in step.pictures for name in stands(picture)}
            assert not shown & set(parts), step.name


def test_the_pictures_have_the_names_of_their_parts_and_the_pins_of_their_wires():
    for step in body_steps():
        for place, picture in enumerate(step.pictures, 1):
            name = picture_name(f"body-{step.name}", place)
            drawing = (DOCS / "steps" / f"{name}.svg").read_text(encoding="utf-8")
            letters = set(re.findall("<text [^>]*>([^<]*)</text>", drawing))
            new = {one for action in picture.new for one in action}
            if "screw 1" in new:
                assert letters == set(), "the top hides everything"
                continue
            drawn = {*new, *stands(picture)}
            assert {NAMES[one] for one in drawn & set(NAMES)} <= letters, name
            assert {one.split(" of ")[0] for one in drawn if " of " in one} <= letters, name
            if "pi" in drawn:
                pins = {pin for leg, pin in step.wires.items() if f"wire {leg}" in new}
                assert {"1", "2", "PWR", *pins} <= letters, name
            for leg in step.solder:
                if any(one.startswith("joint") and leg in one.split() for one in new):
                    assert leg in letters or leg.partition(".")[2] in letters, (name, leg)


def test_as_many_screws_and_cables_are_taken_as_are_bought():
    taken = Counter()
    for step in body_steps():
        taken.update(step.parts)
    for part in ("board_screw", "screw", "qt", "shim", "qt_display", "qt_light"):
        assert taken[part] == bought().parts[part].one, part


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
