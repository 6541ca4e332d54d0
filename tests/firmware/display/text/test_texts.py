"""The texts: both languages say the same things, in letters that the fonts have, where they fit."""

from string import Formatter

import pytest

from firmware.display.oled import font
from firmware.display.screens import WIDTH, AlertPage, draw
from firmware.display.text.alerts import ALERTS, Alert
from firmware.display.text.labels import ENDINGS, TEXTS, Text, say
from firmware.display.text.words import LANGUAGES, Words, words
from game.bluff.values import RANKING
from game.spoken import Language, spoken

ALL_WORDS = [
    *TEXTS.values(),
    *(saying.title for saying in ALERTS.values()),
    *(saying.body for saying in ALERTS.values()),
]


def places(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_every_text_and_every_message_is_in_the_table() -> None:
    assert set(TEXTS) == set(Text)
    assert set(ALERTS) == set(Alert)


@pytest.mark.parametrize("both", ALL_WORDS)
def test_both_languages_have_the_same_places(both: Words) -> None:
    assert both.de.strip()
    assert both.en.strip()
    assert places(both.de) == places(both.en)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fonts_have_every_letter(language: Language) -> None:
    texts = [words(both, language) for both in ALL_WORDS]
    texts += [spoken(value, language) for value in RANKING]
    for name in (font.SMALL, font.BOLD, font.HEADING):
        for text in texts:
            assert all(font.load(name).has(letter) for letter in text), (name, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hint_fits_its_line(language: Language) -> None:
    hints = [text for text in Text if text.name.startswith("HINT_")]
    assert len(hints) > 10
    for hint in hints:
        assert font.load(font.SMALL).width(say(hint, language)) <= WIDTH - 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("message", Alert)
def test_every_message_fits_the_panel_even_about_a_long_name(
    message: Alert, language: Language
) -> None:
    for name in ("Ana", "WWWWWWWWWW", "Karl-Friedrich von Weizsäcker"):
        picture = draw(AlertPage(message, name), language)
        assert picture.getbbox() is not None


@pytest.mark.parametrize("rule", ["R-CLASS-2", "B-8", "B-10"])
def test_every_end_of_a_match_has_its_words(rule: str) -> None:
    assert TEXTS[ENDINGS[rule]].de


def test_say_fills_the_places() -> None:
    assert say(Text.LIED, "de", announcer="Ben") == "Ben hat gelogen"
    assert say(Text.TRUE, "en", payer="Ana") == "It is true: Ana pays"
    with pytest.raises(KeyError, match="announcer"):
        say(Text.LIED, "de")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="use one of de, en"):
        say(Text.THROW, "fr")  # type: ignore[arg-type]
