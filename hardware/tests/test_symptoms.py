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


def doctor(mistake, *how):
    """The command examines a handheld with a mistake, and returns how it ended."""
    wires = ", ".join(" ".join(change) for change in mistake.wires)
    wrong = ["--wires", wires] if wires else ["--fault", mistake.fault]
    return main(["doctor", *how, *wrong])


def section(page, place):
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
        for number, name in enumerate(MISTAKES)
        for place, language in enumerate(LANGUAGES)
    ],
)
def test_the_page_leads_to_a_mistake_in_three_steps(name, language, capsys):
    mistake = MISTAKES[name]
    if not mistake.leads:
        assert doctor(mistake) == 2
        assert "take the power off" in capsys.readouterr().err
        assert text(language).mistake[name] in section(PAGES[language], DEAD)
        return
    doctor(mistake, "--hands", "--lang", language)  # one: run the doctor
    line = re.search("^[!~].*", capsys.readouterr().out, re.MULTILINE)[0]
    place = linked(PAGES[language], line)  # two: find its line in the table
    assert place in {anchor(Diagnosis[lead]) for lead in mistake.leads}
    causes = section(PAGES[language], place)  # three: go through the causes
    assert text(language).mistake[name] in causes
    assert causes.count("\n- ") <= MOST_CAUSES


def test_there_are_enough_mistakes_and_each_is_one_of_wiring_or_of_the_simulator():
    assert len(MISTAKES) >= 25
    assert all(bool(one.wires) != bool(one.fault) for one in MISTAKES.values())


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
