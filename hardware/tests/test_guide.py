"""The guide: every step is proven, takes what the parts list has, and finds its own mistakes."""

import re
from collections import Counter
from itertools import chain, pairwise

import msgspec
import pytest

from firmware.display.text.language import LANGUAGES as FIRMWARE_LANGUAGES
from firmware.display.text.language import places
from firmware.upkeep.doctor import Diagnosis
from hardware.board.plan import faults, plans
from hardware.guide import pages
from hardware.guide.body import body_steps, fitted
from hardware.guide.pages import EVENING, pictures, printed_of, steps, taken, wired_so_far
from hardware.guide.symptoms import DEAD, anchor, mistakes
from hardware.parts import ROOT, bought
from hardware.texts import LANGUAGES, text
from hw_sim.board import HEADER_POWER, NETS
from hw_sim.cli.main import main
from hw_sim.trials.diagnosis.wiring import built, wired
from hw_sim.trials.faults import FAULTS

STEPS = {step.name: step for step in steps()}
EVERY = (*steps(), *body_steps())
PAGES, BODY, SYMPTOMS = (
    {each: (ROOT / "docs/build" / f"{name}.{each}.md").read_text("utf-8") for each in LANGUAGES}
    for name in ("guide", "body", "symptoms")
)
"""The pages as they are written, by language."""


def seen(step):
    """Return the parts that the doctor looks at in a step, of the breadboard or the body."""
    if step in steps():
        return pages.Fitted(step.check, step.fitted)
    return fitted(step, step.optional)


def section(step, language):
    """The text of one step on its page."""
    page, words = (PAGES, text(language).step) if step in steps() else (BODY, text(language).body)
    said = page[language].partition(f". {words[step.name].title}\n")[2]
    return said.partition("\n## ")[0]


def test_the_steps_take_all_that_the_netlist_has_and_nothing_of_the_supply_with_a_cell():
    assert taken(steps()) == Counter({name: bought().parts[name].one for name in taken(steps())})
    legs = {leg for name in taken(steps()) for leg in bought().parts[name].fits}
    assert legs == {leg.split(".")[0] for legs in NETS.values() for leg in legs}
    assert set(text("en").names) == {part for step in EVERY for part in step.parts}
    assert set(text("en").tools) == {tool for step in EVERY for tool in step.tools}


def test_each_step_of_the_evening_only_adds_and_the_last_is_the_plan():
    for last, step in pairwise(step for step in steps() if step.fitted):
        assert set(last.fitted) <= set(step.fitted)
        assert set(wired_so_far(last.fitted).wires) <= set(wired_so_far(step.fitted).wires)
    assert set(wired_so_far(STEPS["match"].fitted).wires) == set(plans()[EVENING].wires)


ASKED = {
    "ADXL345": "accelerometer", "SSD1306": "display", "VEML7700": "light", "TTP223": "touch",
    "D1": "infrared", "R4": "infrared",
}  # fmt: skip
"""By part of the netlist: the part of the doctor that misses it."""


@pytest.mark.parametrize("step", [one for one in EVERY if one.check], ids=lambda step: step.name)
def test_the_expected_text_of_a_step_is_that_of_its_parts_and_of_no_fewer(step):
    told, whole = printed_of(seen(step), "en"), seen(step)
    *lines, last = told.splitlines()
    assert last == "Everything is well."
    assert all(line[0] in "+>" or line == "- infrared: not fitted" for line in lines)
    assert f"```\n{told.rstrip()}\n```" in section(step, "en")
    for part in ASKED.keys() & whole.parts:
        fewer = whole._replace(parts=tuple(one for one in whole.parts if one != part))
        is_asked = step.check in ("all", ASKED[part])
        assert ("\n! " in f"\n{printed_of(fewer, 'en')}") is is_asked, part


@pytest.mark.parametrize(
    ("step", "name", "language"),
    [
        pytest.param(
            step, name, language, id=f"{step.name}-{name}-{language}",
            marks=[] if place == number % len(LANGUAGES) else pytest.mark.whole,
        )
        for step in EVERY
        for number, name in enumerate(step.mistakes)
        for place, language in enumerate(LANGUAGES)
    ],
)  # fmt: skip
def test_a_mistake_is_found_by_the_check_of_its_step_and_the_step_links_to_it(step, name, language):
    mistake = mistakes()[name]
    fault = wired(built(mistake.wires)) if mistake.wires else FAULTS[mistake.fault]
    complaint = re.search("^[!~].*", printed_of(seen(step), language, fault), re.MULTILINE)[0]
    said = section(step, language)
    rows = re.findall(r"^- (.+) → \[[a-z0-9-]+\]\((\S+)\)$", said, re.MULTILINE)
    rows = [(re.escape(row).replace("…", ".*"), place) for row, place in rows]
    linked = {place for row, place in rows if re.search(row, complaint)}
    leads = [lead.lower().replace("_", "-") for lead in mistake.leads]
    places = {f"symptoms.{language}.md#{lead}" for lead in leads}
    assert places & linked, complaint


SHOWN = {step.name: pictures(step) for step in steps()}
SHOWN |= {f"body-{step.name}": step.pictures for step in body_steps()}
COUNTED = {
    pages.picture_name(name, place): picture.new
    for name, shown in SHOWN.items()
    for place, picture in enumerate(shown, 1)
}
"""By picture: the actions that the drawing shows in colour."""
VERBS = "Close|Cover|Cut|Join|Lay|Open|Plug|Push|Screw|Set|Solder|Stick|Strip|Tin|Turn|Wrap|Write"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_has_at_most_three_actions_and_a_line_for_each(language):
    told = {}
    for part in (PAGES[language] + BODY[language]).split("![")[1:]:
        name = re.search(r"\((?:steps/)?(.*)\.svg\)", part)[1]
        told[name] = re.findall(r"^\d+\. (.*)$", part.partition("\n**")[0], re.MULTILINE)
    assert told.pop("supply") == []
    assert {name: len(lines) for name, lines in told.items()} == {
        name: len(actions) for name, actions in COUNTED.items()
    }
    assert told.pop("match") == []
    assert {*map(len, told.values())} == {1, 2, 3}
    for line in chain(*told.values()) if language == "en" else ():
        assert len(re.findall(rf"\b({VERBS})\b", line)) == 1, line
        assert not re.search(rf"\b(and|then) ({VERBS.lower()})\b", line), line


def test_all_parts_and_wires_of_the_plan_are_set_once():
    others = ("software", "accelerometer", *(name for name in COUNTED if "body-" in name))
    things = chain(*(COUNTED[name] for name in COUNTED.keys() - others))
    plan = plans()[EVENING]
    assert Counter([*things, "ADXL345"]) == Counter([*plan.holes, *plan.wires])


def test_the_wires_to_the_supply_of_the_header_are_set_last():
    for step in STEPS.values():
        wires = [thing[0] for picture in pictures(step) for thing in picture.new]
        assert not {"Pi.1", "Pi.2"} & {*wires[:-1]}


def test_a_display_with_vcc_first_is_wired_as_the_words_say():
    plan, other = (plans()[f"breadboard-{order}-first"] for order in ("gnd", "vcc"))
    assert set(other.wires) - set(plan.wires) == {("e14", "R-"), ("e13", "R+")}
    assert {part for part, legs in other.holes.items() if legs != plan.holes[part]} == {"SSD1306"}
    assert [other.holes["SSD1306"][leg] for leg in ("VCC", "GND")] == ["a13", "a14"]
    for language in LANGUAGES:
        said = section(STEPS["hello"], language)
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
        for what in carried:
            told = [str(pin) for pin, carries in HEADER_POWER.items() if carries == what]
            assert re.search("(, | (and|und|et) )".join(told), rules), (language, what)


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
    assert old.items() - five.items() == {("VCC", "a22")}
    wires = tuple(("e21", "R+") if wire == ("e22", "R+") else wire for wire in plan.wires)
    moved = plan.holes | {"VEML7700": old | {"VCC": five["VIN"]}}
    plan = msgspec.structs.replace(plan, holes=moved, wires=wires)
    assert faults(plan, NETS) == []
    joined = {*chain(*wires, *(legs.values() for legs in moved.values()))}
    assert not joined & {f"{column}22" for column in "abcde"}  # 3Vo stays open
    for page in PAGES.values():
        assert re.search(r"(rows|Reihen|rangées) 21 (to|bis|à) 25", page)
        assert "VIN, 3Vo, GND, SCL, SDA" in page


def flat(data, before=""):
    for key, value in data.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def braces(language):
    return {
        key: (places(said), bool(said)) for key, said in flat(msgspec.to_builtins(text(language)))
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_keys_and_braces_of_english(language):
    assert braces(language) == braces("en")


def test_the_guide_speaks_every_language_of_the_doctor():
    assert LANGUAGES == FIRMWARE_LANGUAGES


def test_every_step_and_mistake_has_its_words():
    assert set(text("en").step) == {step.name for step in steps()}
    assert set(text("en").mistake) == set(mistakes())


MOST_CAUSES = 10
"""Under one diagnosis: more would be no step."""


def doctor(mistake, *how):
    """The command examines a handheld with a mistake, and returns how it ended."""
    wires = ", ".join(" ".join(change) for change in mistake.wires)
    wrong = ["--wires", wires] if wires else ["--fault", mistake.fault]
    return main(["doctor", *how, *wrong])


def causes_at(page, place):
    """The text of a section of the page."""
    _, _, rest = page.partition(f"\n## {place}\n")
    assert rest, place
    return rest.partition("\n## ")[0]


def linked(page, line):
    """The place that the table of the page links for a line of the doctor: the longest row."""
    rows = re.findall(r"^\| (.+) \| \[[a-z0-9-]+\]\(#([a-z0-9-]+)\) \|$", page, re.MULTILINE)
    told = {row.replace("\\|", "|"): place for row, place in rows}
    fitting = [row for row in told if re.search(re.escape(row).replace("…", ".*"), line)]
    return told[max(fitting, key=lambda row: len(row.replace("…", "")))]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, language, marks=pytest.mark.whole if (number - place) % 3 else ())
        for number, name in enumerate(mistakes())
        for place, language in enumerate(LANGUAGES)
    ],
)
def test_the_page_leads_to_a_mistake_in_three_steps(name, language, capsys):
    mistake = mistakes()[name]
    if not mistake.leads:
        assert doctor(mistake) == 2
        assert "take the power off" in capsys.readouterr().err
        assert text(language).mistake[name] in causes_at(SYMPTOMS[language], DEAD)
        return
    doctor(mistake, "--hands", "--lang", language)  # one: run the doctor
    line = re.search("^[!~].*", capsys.readouterr().out, re.MULTILINE)[0]
    place = linked(SYMPTOMS[language], line)  # two: find its line in the table
    assert place in {anchor(Diagnosis[lead]) for lead in mistake.leads}
    causes = causes_at(SYMPTOMS[language], place)  # three: go through the causes
    assert text(language).mistake[name] in causes
    assert causes.count("\n- ") <= MOST_CAUSES


def test_there_are_enough_mistakes_and_each_is_one_of_wiring_or_of_the_simulator():
    assert len(mistakes()) >= 25
    assert all(bool(one.wires) != bool(one.fault) for one in mistakes().values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_diagnosis(language):
    for diagnosis in Diagnosis:
        assert len(causes_at(SYMPTOMS[language], anchor(diagnosis)).strip().splitlines()) >= 3
    assert "……" not in SYMPTOMS[language]
    assert all(
        causes_at(SYMPTOMS[language], anchor(Diagnosis[name])) for name in text(language).seen
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_burns_stands_first_at_every_symptom(language):
    mark = text(language).symptoms["burns"]
    burning = 0
    for part in SYMPTOMS[language].split("\n## "):
        causes = [line.startswith(f"- {mark}") for line in part.splitlines() if line[:2] == "- "]
        assert causes == sorted(causes, reverse=True)
        burning += sum(causes)
    assert burning >= 20
