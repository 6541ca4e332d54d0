"""The guide: every step is proven, takes what the parts list has, and finds its own mistakes."""

import re
from collections import Counter
from itertools import pairwise

import msgspec
import pytest

from firmware.upkeep.doctor import PARTS
from hardware.board.plan import faults, plans
from hardware.guide.body import body_page, body_steps, fitted
from hardware.guide.pages import Fitted, guide_page, picture_name, printed, printed_of, taken
from hardware.guide.steps import EVENING, pictures, steps, wired_so_far
from hardware.guide.symptoms import mistakes
from hardware.parts import ROOT, bought
from hardware.texts import LANGUAGES, text
from hw_sim.board import HEADER_POWER, NETS
from hw_sim.trials.diagnosis import FAULTS
from hw_sim.trials.diagnosis.wiring import built, wired

STEPS = {step.name: step for step in steps()}
WIRED = {name: step for name, step in STEPS.items() if step.fitted}
PAGES = {language: guide_page(language) for language in LANGUAGES}
BODY = {language: body_page(language) for language in LANGUAGES}
MADE_HERE = [
    (step, mistake) for step in (*STEPS.values(), *body_steps()) for mistake in step.mistakes
]


def test_the_steps_take_all_that_the_netlist_has_and_nothing_of_the_supply_with_a_cell():
    assert taken(steps()) == Counter({name: bought().parts[name].one for name in taken(steps())})
    legs = {leg for name in taken(steps()) for leg in bought().parts[name].fits}
    assert legs == {leg.split(".")[0] for legs in NETS.values() for leg in legs}
    both = (*STEPS.values(), *body_steps())
    assert set(text("en").names) == {part for step in both for part in step.parts}
    assert set(text("en").tools) == {tool for step in both for tool in step.tools}


@pytest.mark.parametrize("name", WIRED)
def test_the_breadboard_of_a_step_is_proven_and_has_no_wire_too_many(name):
    plan = wired_so_far(WIRED[name].fitted)
    assert faults(plan, NETS) == []
    for wire in plan.wires:
        fewer = tuple(one for one in plan.wires if one != wire)
        assert faults(msgspec.structs.replace(plan, wires=fewer), NETS) != []


def test_each_step_of_the_evening_only_adds_and_the_last_is_the_plan():
    every = list(WIRED.values())
    for last, step in pairwise(every):
        assert set(last.fitted) <= set(step.fitted)
        assert set(wired_so_far(last.fitted).wires) <= set(wired_so_far(step.fitted).wires)
    assert set(wired_so_far(STEPS["match"].fitted).wires) == set(plans()[EVENING].wires)


@pytest.mark.parametrize(
    "step", [step for step in STEPS.values() if step.check], ids=lambda s: s.name
)
def test_a_step_that_went_well_prints_no_complaint(step):
    assert step.check == "all" or step.check in PARTS
    lines = printed(step, "en").splitlines()
    assert lines[-1] == "Everything is well."
    assert all(line[0] in "+>" for line in lines[:-1])


ASKED = {
    "ADXL345": "accelerometer", "SSD1306": "display", "VEML7700": "light", "TTP223": "touch",
    "D1": "infrared", "R4": "infrared",
}  # fmt: skip
"""By part of the netlist: the part of the doctor that misses it."""
CHECKED = [
    (Fitted(step.check, step.fitted), printed(step, "en"), PAGES["en"]) for step in STEPS.values()
] + [
    (fitted(step, step.optional), printed_of(fitted(step, step.optional), "en"), BODY["en"])
    for step in body_steps() if step.check
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CHECKED)))
def test_the_expected_text_of_a_step_is_that_of_its_parts_and_of_no_fewer(number):
    seen, told, page = CHECKED[number]
    assert f"```\n{told.rstrip()}\n```" in page
    for part in {*ASKED} & {*seen.parts}:
        fewer = seen._replace(parts=tuple(one for one in seen.parts if one != part))
        is_asked = seen.check in ("all", ASKED[part])
        assert ("\n! " in f"\n{printed_of(fewer, 'en')}") is is_asked, part


@pytest.mark.parametrize(
    ("step", "name", "language"),
    [
        pytest.param(
            step, name, language, id=f"{step.name}-{name}-{language}",
            marks=[] if place == number % len(LANGUAGES) else pytest.mark.whole,
        )
        for number, (step, name) in enumerate(MADE_HERE)
        for place, language in enumerate(LANGUAGES)
    ],
)  # fmt: skip
def test_a_mistake_is_found_by_the_check_of_its_step_and_the_step_links_to_it(step, name, language):
    mistake = mistakes()[name]
    fault = wired(built(mistake.wires)) if mistake.wires else FAULTS[mistake.fault]
    if step in body_steps():
        seen = printed_of(fitted(step, step.optional), language, fault)
        said = section(BODY[language], text(language).body[step.name].title)
    else:
        seen = printed(step, language, fault)
        said = section(PAGES[language], text(language).step[step.name].title)
    complaint = next(line for line in seen.splitlines() if line[0] in "!~")
    rows = re.findall(r"^- (.+) → \[[a-z0-9-]+\]\((\S+)\)$", said, re.MULTILINE)
    linked = [
        where for text, where in rows
        if re.search(re.escape(text).replace("…", ".*"), complaint)
    ]  # fmt: skip
    leads = [lead.lower().replace("_", "-") for lead in mistake.leads]
    places = {f"symptoms.{language}.md#{lead}" for lead in leads}
    assert places & set(linked), complaint


def section(page, title):
    """The text of one step."""
    return re.split(r"\n## ", page.partition(f". {title}\n")[2])[0]


COUNTED = {
    "guide": {
        picture_name(step.name, place): picture.new
        for step in STEPS.values() for place, picture in enumerate(pictures(step), 1)
    },
    "body": {
        picture_name(f"body-{step.name}", place): picture.new
        for step in body_steps() for place, picture in enumerate(step.pictures, 1)
    },
}  # fmt: skip
"""By guide and picture: the actions that the drawing shows in colour."""
VERBS = "Close|Cover|Cut|Join|Lay|Open|Plug|Push|Screw|Set|Solder|Stick|Strip|Tin|Turn|Wrap|Write"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("guide", COUNTED)
def test_a_picture_has_at_most_three_actions_and_a_line_for_each(guide, language):
    page = PAGES[language] if guide == "guide" else BODY[language]
    told = {}
    for part in page.split("![")[1:]:
        name = re.search(r"\((?:steps/)?(.*)\.svg\)", part)[1]
        told[name] = re.findall(r"^\d+\. (.*)$", part.partition("\n**")[0], re.MULTILINE)
    assert told.pop("supply") == []
    assert {name: len(lines) for name, lines in told.items()} == {
        name: len(actions) for name, actions in COUNTED[guide].items()
    }
    assert max(map(len, told.values())) == 3
    assert all(lines for name, lines in told.items() if name != "match")
    for lines in told.values() if language == "en" else ():
        for line in lines:
            assert len(re.findall(rf"\b({VERBS})\b", line)) == 1, line
            assert not re.search(rf"\b(and|then) ({VERBS.lower()})\b", line), line


def test_all_parts_and_wires_of_the_plan_are_set_once():
    things = [
        thing for name, actions in COUNTED["guide"].items() for thing in actions
        if name not in ("software", "accelerometer")
    ]  # fmt: skip
    plan = plans()[EVENING]
    assert Counter([*things, "ADXL345"]) == Counter([*plan.holes, *plan.wires])


def test_the_wires_to_the_supply_of_the_header_are_set_last():
    for step in STEPS.values():
        wires = [thing[0] for picture in pictures(step) for thing in picture.new]
        for pin in ("Pi.1", "Pi.2"):
            assert pin not in wires[:-1]


def test_a_display_with_vcc_first_is_wired_as_the_words_say():
    plan, other = (plans()[f"breadboard-{order}-first"] for order in ("gnd", "vcc"))
    assert set(other.wires) - set(plan.wires) == {("e14", "R-"), ("e13", "R+")}
    assert {part for part, legs in other.holes.items() if legs != plan.holes[part]} == {"SSD1306"}
    assert [other.holes["SSD1306"][leg] for leg in ("VCC", "GND")] == ["a13", "a14"]
    for language, page in PAGES.items():
        said = section(page, text(language).step["hello"].title)
        note, order = said.partition("![")[0], re.compile("VCC.*a13.*GND.*a14.*GND.*e14.*3V3.*e13")
        assert order.search(note), language


def test_the_picture_of_the_supply_has_the_pins_of_the_header():
    drawn = (ROOT / "docs" / "build" / "supply.svg").read_text(encoding="utf-8")
    pins = set(re.findall(r">(\d+) ([+−].*?)</text>", drawn))
    carried = {"5V": "+5 V", "3V3": "+3.3 V", "GND": "−"}
    assert pins == {(str(pin), carried[HEADER_POWER[pin]]) for pin in (1, 2, 4, 6)}
    for language, page in PAGES.items():
        rules = text(language).guide["supplied"].strip()
        assert rules in page
        assert rules in BODY[language]
        for what, pins in (
            ("5V", "2, 4"),
            ("3V3", "1, 17"),
            ("GND", "6, 9, 14, 20, 25, 30, 34, 39"),
        ):
            told = {int(pin) for pin in pins.split(", ")}
            assert told == {pin for pin, carries in HEADER_POWER.items() if carries == what}
            assert re.search(pins.replace(", ", "(, | (and|und|et) )"), rules), (language, what)


def test_no_drawing_of_a_step_has_words():
    for path in (ROOT / "docs" / "build" / "steps").glob("*.svg"):
        told = re.findall("<(?:text|title)[^>]*>([^<]*)<", path.read_text(encoding="utf-8"))
        assert {one for one in told if re.search("[a-z]{3}", one)} <= {"piezo"}


def test_every_mistake_can_be_made_in_a_step_and_is_marked_where_that_is():
    breadboard = {name for step in STEPS.values() for name in step.mistakes}
    body = {name for step in body_steps() for name in step.mistakes}
    assert breadboard | body == {name for name, one in mistakes().items() if one.leads}
    for name in breadboard | body:
        only = "" if name in breadboard & body else "body" if name in body else "breadboard"
        assert mistakes()[name].only == only, name


def test_a_light_sensor_with_five_pins_is_wired_as_the_words_say():
    plan = plans()[EVENING]
    five = {"VIN": "a21", "3Vo": "a22", "GND": "a23", "SCL": "a24", "SDA": "a25"}
    old = plan.holes["VEML7700"]
    assert {leg: old[leg] for leg in old if leg != "VCC"} == {
        leg: five[leg] for leg in old if leg != "VCC"
    }
    wires = tuple(("e21", "R+") if wire == ("e22", "R+") else wire for wire in plan.wires)
    moved = {**plan.holes, "VEML7700": {**old, "VCC": five["VIN"]}}
    plan = msgspec.structs.replace(plan, holes=moved, wires=wires)
    assert faults(plan, NETS) == []
    joined = {hole for legs in moved.values() for hole in legs.values()}
    joined |= {end for wire in wires for end in wire}
    assert not joined & {f"{column}22" for column in "abcde"}  # 3Vo stays open
    for page in PAGES.values():
        assert re.search(r"(rows|Reihen|rangées) 21 (to|bis|à) 25", page)
        assert "VIN, 3Vo, GND, SCL, SDA" in page
