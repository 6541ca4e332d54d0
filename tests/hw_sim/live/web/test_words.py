"""The words on pages and panels: one word for one thing, and sentences with an actor."""

import re

import pytest

from firmware.display.text.language import LANGUAGES, book, name_of, section
from hw_sim.live.site.build import FRONT, STATIC, texts_script

LIVE = STATIC.parents[1]
VOICES = LIVE / "web" / "voices"
HEADLESS = r"(?:^|[.!?:;] )(?:Who|What|Where)\b[^.?!]*[.!;](?: |$)"
"""A sentence that begins with a question word, and is none: "Who errs pays."."""
SECTIONS = ("page", "prompt", "Text", "Judgement", "Alert", "LessonText", "game", "option", "rule")


def test_a_lid_and_a_beer_mat_have_different_names():
    german, english = book("de").texts, book("en").texts
    mats = {key for key in section("page", "de") if "Deckel" in german[f"page.{key}"]}
    assert mats == {"coaster", "coaster_many"}
    beside = ("prompt.", "Text.", "Alert.", "LessonText.", "Counted.", "worth.")
    for key in german:
        if key.startswith(beside):
            assert ("Deckel" in german[key]) == ("coaster" in english[key]), key


def test_what_is_lost_and_what_is_played_have_different_names():
    english, french = book("en").texts, book("fr").texts
    lost = {key for key, text in french.items() if "allumette" in text}
    assert "page.match" in lost
    assert {key for key, text in english.items() if re.search(r"\bsticks?\b", text)} == lost


PLAYED = re.compile(r"\b[Mm]atch(?:es)?\b")
"""A second word for a game, or for a stick."""


def test_no_text_calls_a_game_or_a_stick_a_match():
    for language in LANGUAGES:
        shown = {key: re.sub(r"\{\w+\}", "", text) for key, text in book(language).texts.items()}
        shown |= {f"{language}.toml": VOICES.joinpath(f"{language}.toml").read_text("utf-8")}
        assert {key for key, text in shown.items() if PLAYED.search(text)} == set(), language
    for page in (*STATIC.glob("*.html"), *FRONT.glob("*.html")):
        assert not PLAYED.search(re.sub(r"<[^>]*>", "", page.read_text("utf-8"))), page


EVERYWHERE = (*SECTIONS, "Meaning", "Doing", "screen")
BOARD = (
    r"thumb|sensor|handhelds? on|switched|plug|Daumen|Sensor|Geräte? an\b|eingeschaltet"
    r"|Stecker|pouce|capteur|allumé|sa prise|[A-Z]{2,}\d{3,}"
)
"""The parts of a board, which no tab of a browser has."""
OF_PARTS = (
    r"(page\.(light|accelerometer|display_|plots|why_here)|Alert\.(ACCELEROMETER|DISPLAY"
    r"|LIGHT_SENSOR|WRONG_PART|RADIO|INFRARED|STORE|JOURNAL_DAMAGED|OTHER_TABLE|MEMORY_LOST))(\.|$)"
)
"""The texts about faults of parts, which somebody makes at the bench; and of phones."""
ON_PAGES = ("page", "prompt", "Text", "Alert", "LessonText", "screen", "rule")
AVOIDED = {
    "a second German name of a handheld": ("de", SECTIONS, "Handheld"),
    "a keyboard that is tilted": ("de", ("page", "prompt"), r"\b[Nn]eige"),
    "a sentence without its subject": ("en", SECTIONS, HEADLESS),
    "a second word for a gesture": ("en", EVERYWHERE, r"\b[Tt]ouch(?:es|ing)?\b|\bhide$"),
    "the same in German": (
        "de",
        EVERYWHERE,
        r"\b[Ww](?:erf|irf)(?:en|t|st)?\b|[Gg]eworfen|[Vv]erberg|[Aa]bdecken|\b[Bb]erührt\b",
    ),
    "the same in French": ("fr", EVERYWHERE, r"à relire|\bcacher\b"),
    **{f"a board ({language})": (language, ON_PAGES, BOARD) for language in LANGUAGES},
}


@pytest.mark.parametrize(("language", "sections", "avoided"), AVOIDED.values(), ids=AVOIDED)
def test_no_text_has_a_word_that_is_avoided(language, sections, avoided):
    assert re.search(HEADLESS, "Lift it. Who errs pays.")
    exempt = OF_PARTS if avoided == BOARD else r"page\.plotTouch$"
    for name in sections:
        for key, text in section(name, language).items():
            assert re.match(exempt, f"{name}.{key}") or not re.search(avoided, text), (key, text)


def test_the_script_of_the_pages_has_every_language():
    script = texts_script().decode()
    for language in LANGUAGES:
        assert f'"{language}": {{"name": "{name_of(language)}"' in script


@pytest.mark.parametrize(
    "page", sorted((*STATIC.glob("*.html"), *FRONT.glob("*.html"))), ids=lambda page: page.name
)
def test_every_label_of_a_page_has_a_text(page):
    names = re.findall(r'data-(?:say|label)="(\w+)"', page.read_text(encoding="utf-8"))
    assert set(names) <= section("page", "en").keys()


SOURCES = "".join(
    path.read_text("utf-8")
    for folder in (LIVE / "web" / "static", LIVE / "site" / "front", LIVE)
    for path in (folder.rglob("*.py") if folder == LIVE else folder.iterdir())
    if path.suffix in (".js", ".html", ".py")
)
COMPLETED = r"task|why_|said_|option_|react_|(?:hints|sound|handheld|match)_"
"""Begins texts whose names a script puts together."""


def test_a_page_uses_every_text_of_pages():
    words = set(re.findall(r"\w+", SOURCES))
    texts = section("page", "en")
    unused = [key for key in texts if key not in words and key.removesuffix("_many") not in words]
    assert [key for key in unused if not re.match(COMPLETED, key)] == []
