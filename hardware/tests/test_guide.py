"""The guide: every step is proven, takes what the parts list has, and finds its own mistakes."""

import re
from collections import Counter

import msgspec
import pytest

from firmware.upkeep.doctor import PARTS
from hardware.board.plan import faults, plans
from hardware.guide.body import body_steps
from hardware.guide.pages import guide_page, printed, taken
from hardware.guide.steps import EVENING, before, steps, wired_so_far
from hardware.guide.symptoms import mistakes
from hardware.parts import ROOT, bought
from hardware.texts import LANGUAGES, text
from hw_sim.board import NETS
from hw_sim.trials.diagnosis import FAULTS
from hw_sim.trials.diagnosis.wiring import built, wired

STEPS = {step.name: step for step in steps()}
WIRED = {name: step for name, step in STEPS.items() if step.fitted}
PAGES = {language: guide_page(language) for language in LANGUAGES}
MADE_HERE = [(step, mistake) for step in STEPS.values() for mistake in step.mistakes]


def test_the_steps_take_all_that_the_netlist_has_and_nothing_of_the_supply_with_a_cell():
    assert taken() == Counter({name: bought().parts[name].one for name in taken()})
    fitted = {leg for name in taken() for leg in bought().parts[name].fits}
    assert fitted == {leg.split(".")[0] for legs in NETS.values() for leg in legs}
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
    for name, step in WIRED.items():
        last = before(step)
        assert last is None or set(last.fitted) <= set(step.fitted)
        if last is not None:
            assert set(wired_so_far(last.fitted).wires) <= set(wired_so_far(step.fitted).wires)
        assert name == "hello" or last is not None
    assert set(wired_so_far(STEPS["match"].fitted).wires) == set(plans()[EVENING].wires)


@pytest.mark.parametrize(
    "step", [step for step in STEPS.values() if step.check], ids=lambda s: s.name
)
def test_a_step_that_went_well_prints_no_complaint(step):
    assert step.check == "all" or step.check in PARTS
    lines = printed(step, "en").splitlines()
    assert lines[-1] == "Everything is well."
    assert all(line[0] in "+>" for line in lines[:-1])


@pytest.mark.parametrize(("step", "name"), MADE_HERE, ids=lambda one: getattr(one, "name", one))
def test_a_mistake_is_found_by_the_check_of_its_step_and_the_step_links_to_it(step, name):
    mistake = mistakes()[name]
    fault = wired(built(mistake.wires)) if mistake.wires else FAULTS[mistake.fault]
    for language, page in PAGES.items():
        complaint = next(
            line for line in printed(step, language, fault).splitlines() if line[0] in "!~"
        )
        said = section(page, text(language).step[step.name].title)
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


def test_rows_in_the_words_are_those_of_the_plan():
    holes = plans()[EVENING].holes
    rows = {part: [int(hole[1:]) for hole in legs.values()] for part, legs in holes.items()
            if not {"R+", "R-"} & set(legs.values())}  # fmt: skip
    assert abs(rows["R5"][0] - rows["R5"][1]) == 4
    assert rows["piezo"] == [18, 20]
    assert rows["ADXL345"] == list(range(1, 9))
    for language, words in (
        ("en", ("R5 four rows apart", "rows 18 and 20", "rows 1 to 8")),
        ("de", ("R5 im Abstand von vier Reihen", "Reihen 18 und 20", "Reihen 1 bis 8")),
        ("fr", ("R5 à quatre rangées", "rangées 18 et 20", "rangées 1 à 8")),
    ):
        assert [one for one in words if one not in PAGES[language]] == []


def test_no_drawing_of_a_step_has_words():
    for path in (ROOT / "docs" / "build" / "steps").glob("*.svg"):
        told = re.findall("<(?:text|title)[^>]*>([^<]*)<", path.read_text(encoding="utf-8"))
        assert {one for one in told if re.search("[a-z]{3}", one)} <= {"piezo"}


def test_every_mistake_can_be_made_in_a_step():
    assert {name for _, name in MADE_HERE} == {
        name for name, mistake in mistakes().items() if mistake.leads
    }


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
