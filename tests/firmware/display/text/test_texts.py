"""The texts: both languages say the same things, in letters that the fonts have, where they fit."""

from string import Formatter

import pytest

from firmware.display.oled import font
from firmware.display.oled.canvas import WIDTH
from firmware.display.oled.draw import draw
from firmware.display.screens import AlertPage
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text, say
from firmware.display.text.lessons import LessonText
from firmware.display.text.words import LANGUAGES, words
from game.bluff.values import RANKING
from game.spoken import spoken

ALL_WORDS = [
    *((text.name, text.value.de, text.value.en) for text in Text),
    *(
        (alert.name, *both)
        for alert in (*Alert, *LessonText)
        for both in zip(alert.value.de, alert.value.en)
    ),
]
"""What every text and every part of an alert says: its name, in German, in English."""
NAMES = ("Ana", "WWWWWWWWWW", "Karl-Friedrich von Weizsäcker")


def places(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_both_languages_say_something_about_the_same_places() -> None:
    assert not [
        name
        for name, de, en in ALL_WORDS
        if not de.strip() or not en.strip() or places(de) != places(en)
    ]


def test_the_fonts_have_every_letter() -> None:
    texts = [text for _, *both in ALL_WORDS for text in both]
    texts += [spoken(value, language) for value in RANKING for language in LANGUAGES]
    letters = set("".join(texts))
    for name in (font.SMALL, font.BOLD, font.HEADING):
        assert not {letter for letter in letters if not font.load(name).has(letter)}, name


def test_every_hint_fits_its_line() -> None:
    hints = [words(text.value, each) for text in Text if "HINT_" in text.name for each in LANGUAGES]
    assert len(hints) > 20
    assert not [hint for hint in hints if font.load(font.SMALL).width(hint) > WIDTH - 2]


def test_every_alert_fits_the_panel_even_about_a_long_name() -> None:
    pages = [AlertPage(alert, name) for alert in (*Alert, *LessonText) for name in NAMES]
    assert all(draw(page, language).getbbox() for page in pages for language in LANGUAGES)


def test_say_fills_the_places() -> None:
    assert say(Text.LIED, "de", announcer="Ben") == "Ben hat gelogen"
    assert say(Text.TRUE, "en", payer="Ana") == "It is true: Ana pays"
    with pytest.raises(KeyError, match="announcer"):
        say(Text.LIED, "de")


def test_words_that_say_the_same_are_no_aliases() -> None:
    assert Text.CHICAGO is not Text.GAME_CHICAGO


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="use one of de, en"):
        say(Text.THROW, "fr")  # type: ignore[arg-type]
