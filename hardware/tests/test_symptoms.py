"""Every mistake of a builder is built into the simulator, and the page by symptom leads to it."""

import re

import pytest

from firmware.upkeep.doctor import Diagnosis
from hardware.guide.symptoms import DEAD, anchor, mistakes, symptoms_page
from hardware.texts import LANGUAGES, text
from hw_sim.cli.main import main

MISTAKES = mistakes()
MOST_CAUSES = 10
"""Under one diagnosis: more would be no step."""
PAGES = {language: symptoms_page(language) for language in LANGUAGES}


def complaints(mistake, language, capsys):
    """The lines with ``!`` or ``~`` that the command prints of a handheld with a mistake."""
    wires = ", ".join(" ".join(change) for change in mistake.wires)
    how = ["--wires", wires] if mistake.wires else ["--fault", mistake.fault]
    main(["doctor", "--hands", "--lang", language, *how])
    return [line for line in capsys.readouterr().out.splitlines() if line[0] in "!~"]


def section(page, place):
    """The text of a section of the page."""
    _, _, rest = page.partition(f"\n## {place}\n")
    assert rest, place
    return rest.partition("\n## ")[0]


def linked(page, line):
    """The place that the table of the page links for a line of the doctor: the longest row."""
    rows = re.findall(r"^\| (.+) \| \[[a-z0-9-]+\]\(#([a-z0-9-]+)\) \|$", page, re.MULTILINE)
    fitting = [
        (text, place)
        for text, place in rows
        if re.search(re.escape(text.replace("\\|", "|")).replace("…", ".*"), line)
    ]
    return max(fitting, key=lambda row: len(row[0].replace("…", "")))[1]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        (name, language)
        if place == number % len(LANGUAGES)
        else pytest.param(name, language, marks=pytest.mark.whole)
        for number, name in enumerate(MISTAKES)
        for place, language in enumerate(LANGUAGES)
    ],
)
def test_the_page_leads_to_a_mistake_in_three_steps(name, language, capsys):
    mistake = MISTAKES[name]
    if not mistake.leads:
        wires = ", ".join(" ".join(change) for change in mistake.wires)
        assert main(["doctor", "--wires", wires]) == 2
        assert "take the power off" in capsys.readouterr().err
        assert text(language).mistake[name] in section(PAGES[language], DEAD)
        return
    line = complaints(mistake, language, capsys)[0]  # one: run the doctor
    place = linked(PAGES[language], line)  # two: find its line in the table
    assert place in {anchor(Diagnosis[lead]) for lead in mistake.leads}
    causes = section(PAGES[language], place)  # three: go through the causes
    assert text(language).mistake[name] in causes
    assert causes.count("\n- ") <= MOST_CAUSES


def test_there_are_enough_mistakes_and_each_is_one_of_wiring_or_of_the_simulator():
    assert len(MISTAKES) >= 25
    assert all(bool(one.wires) != bool(one.fault) for one in MISTAKES.values())
    assert all(name in Diagnosis.__members__ for one in MISTAKES.values() for name in one.leads)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_diagnosis(language):
    for diagnosis in Diagnosis:
        assert len(section(PAGES[language], anchor(diagnosis)).strip().splitlines()) >= 3
    assert "……" not in PAGES[language]
    assert all(section(PAGES[language], anchor(Diagnosis[name])) for name in text(language).seen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_burns_stands_first_in_every_section(language):
    mark = text(language).symptoms["burns"]
    burning = 0
    for part in PAGES[language].split("\n## "):
        causes = [line.startswith(f"- {mark}") for line in part.splitlines() if line[:2] == "- "]
        assert causes == sorted(causes, reverse=True)
        burning += sum(causes)
    assert burning >= 20
