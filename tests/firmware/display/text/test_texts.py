"""The texts: every language says the same, in letters that the fonts have, where it fits."""

import re
from typing import get_args

import pytest

from firmware.display import screens
from firmware.display.oled import font
from firmware.display.oled.canvas import WIDTH
from firmware.display.oled.draw import draw
from firmware.display.screens import AlertPage, Judgement
from firmware.display.text.labels import ABOUT, ABOUT_ROOMS, ANY_GAME, HOW, Alert, LessonText, Text
from firmware.display.text.language import (
    ENGLISH,
    LANGUAGES,
    LanguageError,
    book,
    decimal,
    from_file,
    key_of,
    name_of,
    parsed,
    preferred,
    say,
    say_count,
    section,
)
from firmware.story import Clause, Counted
from firmware.upkeep.calibrate import Complaint, GuideStep
from firmware.upkeep.doctor import Check, Diagnosis
from firmware.upkeep.doctor.patient import Request
from firmware.upkeep.recording import Cue
from game.actions import FaultKind, Flourish, Words
from game.coaster.rules import Kind
from game.events import Event
from game.rules import Reach
from game.status import Unit
from hw_sim.hand.control.keyboard_hand import Doing
from tests.project.words import ROOT

ENUMS = (
    *(Text, Alert, LessonText, FaultKind, Flourish, Words, Clause, Counted, Check, Request),
    *(Diagnosis, GuideStep, Complaint, Cue, Doing),
    *(Judgement, screens.Delivery, screens.CupKind, screens.ThrowStage, screens.DieState, Kind),
)
"""Enumerations whose members all have texts."""
FROM_RULES = (
    "value",
    "rule",
    "option",
    "choice",
    "preset",
    "told",
    *("game", "game_name"),
    "Event",
    "action",
    *("short", "Unit", "ending"),
)
"""The sections whose keys are made from what the rules have."""
PANEL = (
    *("Text", "Judgement", "Alert", "LessonText", "about", "row", "Unit", "ending"),
    *("Delivery", "CupKind", "ThrowStage", "DieState", "Kind"),
    *("game", "game_name", "option", "rule", "value"),
)
"""The sections that a panel shows."""
SOURCE = (ROOT / "firmware/display/text/en.toml").read_text(encoding="utf-8")
NAMES = ("Ana", "WWWWWWWWWW", "Karl-Friedrich von Weizsäcker")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_texts_of_english_about_the_same_places(language):
    assert book(language).texts.keys() == book(ENGLISH).texts.keys()
    assert name_of(language)


@pytest.mark.parametrize("enum", ENUMS)
def test_every_member_has_texts_and_nothing_else_has(enum):
    keys = {key.partition(".")[0] for key in section(enum.__name__, ENGLISH)}
    assert keys == {member.name for member in enum}
    events = {event.__name__ for event in get_args(Event)}
    assert section("Event", ENGLISH).keys() <= events
    about = {key.removeprefix("about.") for key in (HOW, ANY_GAME, ABOUT_ROOMS, *ABOUT.values())}
    assert section("about", ENGLISH).keys() == about


def test_every_other_text_is_used_by_its_name():
    code = "".join(
        path.read_text(encoding="utf-8")
        for room in ("firmware", "hw_sim")
        for path in (ROOT / room).rglob("*.*")
        if path.suffix in (".py", ".js", ".html")
    )
    names = set(re.findall(r"\w+", code))
    enums = {each.__name__ for each in ENUMS} | set(FROM_RULES)
    keys = [key.split(".") for key in book(ENGLISH).texts if key.partition(".")[0] not in enums]
    toggles = re.findall(r'sayToggle\("(\w+)"', code)
    made = {f"{name}_{state}" for name in toggles for state in ("on", "off")}
    made |= {f"ADVICE_{reach.name}" for reach in Reach}
    made |= {"ones", *Unit, *(f"{unit}_many" for unit in Unit)}  # of ``sayCount``
    prefixes = {"page": r"why_|option_|said_|task\d|react_", "screen": r"card_|die_|kind_|react_"}
    for name, prefix in prefixes.items():
        made |= {key for key in section(name, ENGLISH) if re.match(prefix, key)}
    assert [key for key in keys if not {key[1], key[-1]} & (names | made)] == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('HELP = "help"\n', "", "Text.HELP is missing"),
        ("[Text]\n", '[Text]\nFLY = "fly"\n', "Text.FLY is too much"),
        ('"{name}\'s turn"', '"Turn of {nmae}"', "Text.TURN_OF has the places ['nmae'] instead of"),
        ('"{name}\'s turn"', '"{name\'s turn"', "Text.TURN_OF: "),
        ('HELP = "help"\n', 'HELP = " "\n', "Text.HELP is empty"),
        ('HELP = "help"\n', "HELP = 1\n", "Text.HELP is no text"),
        ('HELP = "help"\n', 'HELP = "Too\n', "(at line "),
        ("[grammar]\n", "[other]\n", "'grammar'"),
    ],
)
def test_a_fault_in_a_language_file_is_one_line(old, new, fault):
    assert SOURCE.count(old) == 1
    with pytest.raises(LanguageError) as raised:
        parsed("xx", SOURCE.replace(old, new), from_file(ENGLISH))
    assert str(raised.value).startswith("xx.toml: ")
    assert fault in str(raised.value)
    assert "\n" not in str(raised.value)


def test_many_faults_are_counted():
    with pytest.raises(LanguageError, match=r"is missing; and \d+ more"):
        parsed("xx", SOURCE.partition("[Alert]")[0], book(ENGLISH))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fonts_have_every_letter(language):
    letters = set("".join(text for name in PANEL for text in section(name, language).values()))
    for name in (font.SMALL, font.BOLD, font.STRONG, font.HEADING):
        missing = {letter for letter in letters if not font.load(name).has(letter)}
        assert missing == set(), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hint_fits_its_line(language):
    hints = [say(text, language, name=99, pips=99) for text in Text if "HINT_" in text.name]
    assert len(hints) > 20
    assert [hint for hint in hints if font.load(font.SMALL).width(hint) > WIDTH - 2] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_alert_fits_the_panel_even_about_a_long_name(language):
    pages = [AlertPage(alert, name) for alert in (*Alert, *LessonText) for name in NAMES]
    assert all(draw(page, language).bits for page in pages)


def test_say_fills_the_places():
    assert say(Text.TURN_OF, "de", name="Ben") == "Ben ist dran"
    assert say("card.LOSES", "en", names="Ana") == "Ana loses"
    with pytest.raises(KeyError, match="name"):
        say(Text.TURN_OF, "de")


def test_grammar_differs_by_language():
    assert [say_count(Counted.TAKES, "en", n, name="Ana") for n in (1, 2)] == [
        "Ana takes 1 coaster", "Ana takes 2 coasters",
    ]  # fmt: skip
    assert [decimal("1.5", language) for language in ("de", "en")] == ["1,5", "1.5"]


@pytest.mark.parametrize(
    ("tag", "language"),
    [("de_AT.UTF-8", "de"), ("en-GB,en;q=0.9", "en"), ("C", "en"), ("", "en"), (None, "en")],
)
def test_a_tag_chooses_a_language(tag, language):
    assert preferred(tag) == language


def test_an_unknown_language_is_refused():
    with pytest.raises(LanguageError, match="language 'tlh': use one of de, en"):
        say(Text.THROW, "tlh")


def test_a_key_names_its_part():
    assert key_of(Alert.STORE, "title") == "Alert.STORE.title"
