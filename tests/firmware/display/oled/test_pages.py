"""The pages, pixel for pixel."""

import pytest

from firmware.display.oled import font
from firmware.display.oled.draw import DoesNotFitError, draw, readable
from firmware.display.oled.lettering import image_of
from firmware.display.oled.page import PageCanvas
from firmware.display.oled.pages import lists as help_pages
from firmware.display.screens import (
    MatchOverPage,
    Phrase,
    QuestionPage,
    StandingsPage,
)
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES, Language, say
from firmware.display.text.rulebook import rules_of
from game import RULES
from tests.support.screens import drawn, reads, rows


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", RULES)
def test_the_help_tells_all_rules_of_a_game(game: str, language: Language) -> None:
    told = " ".join(line for page in help_pages.pages(RULES[game], language) for line in page)
    for rule in rules_of(RULES[game]):
        assert rule.text(language) in told


@pytest.mark.parametrize(
    ("text", "why"), [("check its plug " * 12, "no room"), ("x" * 60, "wider")]
)
def test_running_text_that_is_too_long_is_a_misfit(text: str, why: str) -> None:
    page = PageCanvas("en")
    page.paragraph(text, 26, 10)
    assert why in page.misfits[0]


def test_more_than_eight_rows_are_refused() -> None:
    with pytest.raises(DoesNotFitError, match="9 rows"):
        draw(StandingsPage(rows(8) + rows(1)), "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_that_does_not_fit_is_cut_and_told_of(language: Language) -> None:
    whole = drawn(StandingsPage(rows(8)), language)
    drawing = readable(StandingsPage(rows(8) + rows(1)), language)
    assert image_of(drawing.image).tobytes() == whole.tobytes(), "as much of it as fits"
    assert drawing.flaw == "StandingsPage does not fit: report it"
    assert readable(StandingsPage(rows(8)), language).flaw is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_with_a_defect_says_so_without_its_dice(language: Language) -> None:
    drawing = readable(MatchOverPage("Ana", "no such rule", rows(3)), language)
    title = say("Alert.CANNOT_BE_DRAWN.title", language)
    assert reads(image_of(drawing.image), title, font.HEADING)
    assert drawing.flaw == "MatchOverPage cannot be drawn (KeyError): report it"
    with pytest.raises(ValueError, match="use one of de, en"):
        readable(MatchOverPage("Ana", "R-CLASS-2", rows(3)), "tlh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_of_people_keep_their_words(language: Language) -> None:
    """With eight people, each line says who watches, wants another match or has lost."""
    for text in (Text.WATCHES, Text.WANTS_AGAIN, Text.HAS_LOST):
        end = say(text, language, name="", pips=12)
        lines = tuple(Phrase(text, "Katharina", 12) for _ in range(8))
        picture = drawn(QuestionPage(Text.SEATS, lines), language)
        assert reads(picture, end.strip())
        assert reads(drawn(QuestionPage(Text.SEATS, lines[:4]), language), f"Katharina{end}")
