"""The words on pages and panels: one word for one thing, and sentences with an actor."""

import re
from itertools import chain

from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text
from firmware.display.text.lessons import LessonText
from firmware.display.text.rulebook import GAME_TEXTS
from hw_sim.live.web.page_server import STATIC
from hw_sim.panel.asked import asked
from tests.support.screens import closed_cup_screens, open_cup_screens

PAGES = {
    name: (de, en)
    for name, de, en in re.findall(
        r'^  (\w+): \["(.*?)", "(.*?)"\],$', (STATIC / "words.js").read_text("utf-8"), re.MULTILINE
    )
}
"""The pages' own texts, by name."""
SCREENS = [*closed_cup_screens(), *open_cup_screens()]
BESIDE = {
    (told[0].says, told[1].says)
    for told in ([asked(screen, language) for language in ("de", "en")] for screen in SCREENS)
}
PANELS = [(text.value.de, text.value.en) for text in Text]
ALERTS = [(" ".join(each.value.de), " ".join(each.value.en)) for each in chain(Alert, LessonText)]
RULES = [
    (one.de, one.en)
    for texts in GAME_TEXTS.values()
    for one in (
        texts.sentence, *texts.options.values(), *(rule.words for rule in texts.rules)
    )
]  # fmt: skip
EVERYTHING = [*PAGES.values(), *BESIDE, *PANELS, *ALERTS, *RULES]
HEADLESS = re.compile(r"(?:^|[.!?:;] )(?:Who|What|Where)\b[^.?!]*[.!;](?: |$)")
"""A sentence that begins with a question word, and is none: "Who errs pays."."""


def test_everything_was_found():
    lines = (STATIC / "words.js").read_text("utf-8").partition("const KEY")[0].count('", "')
    assert len(PAGES) == lines > 150
    assert len(EVERYTHING) > 500


def test_a_lid_and_a_beer_mat_have_different_names():
    mats = {name for name, (de, _) in PAGES.items() if "Deckel" in de}
    assert mats == {"coaster", "coasters"}
    for de, en in (*BESIDE, *PANELS, *ALERTS):
        assert ("Deckel" in de) == ("coaster" in en), (de, en)


def test_a_handheld_has_one_german_name():
    assert not [de for de, _ in EVERYTHING if "Handheld" in de]


def test_pages_ask_nobody_to_tilt_a_keyboard():
    assert not [de for de, _ in (*PAGES.values(), *BESIDE) if re.search(r"\b[Nn]eige", de)]


def test_english_sentences_begin_with_their_subject():
    assert HEADLESS.search("Lift it. Who errs pays.")
    assert not [en for _, en in EVERYTHING if HEADLESS.search(en)]
