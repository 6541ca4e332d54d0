"""The text of a page beside a display says what the display asks for."""

from dataclasses import replace

import pytest

from firmware.display import screens
from firmware.display.screens import GestureKind, GestureOption, Meaning
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES
from game.actions import Announce
from hw_sim.panel.prompts import prompt_of, spoken
from tests.support.screens import closed_cup_screens, open_cup_screens

GESTURES = ("shake", "lift", "tilt", "tap", "hold")
ELSEWHERE = screens.AlertPage | screens.QuestionPage | screens.ShakingPage | screens.MatchOverPage
"""Pages that say themselves, in whole sentences, what they want."""


def hinted(screen):
    """The gestures in the last line of a display."""
    last = spoken(screen, "en").rsplit(". ", 1)[-1]
    return {gesture for gesture in GESTURES if gesture in last.replace("·", " ").split()}


@pytest.mark.whole
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_has_a_sentence_and_every_gesture_on_it_is_named(language):
    seen = set()
    for screen in (*closed_cup_screens(), *open_cup_screens()):
        if isinstance(screen, screens.StartingPage):
            continue
        told = prompt_of(screen, language)
        assert told.says.endswith((".", "?", "!", "…")), screen
        assert all(way.does for way in told.ways), screen
        waited_for = told.occasion == "turn" or (told.occasion == "offer" and screen.armed)
        drawn_only = told.dial is not None and told.dial.count == 1
        if waited_for and not drawn_only and not isinstance(screen, screens.ShakingPage):
            assert any(way.due for way in told.ways), screen
        if not isinstance(screen, ELSEWHERE):
            named = {"lift" if way.gesture == "open" else way.gesture for way in told.ways}
            missing = hinted(screen) - named
            assert not missing or missing == {"tilt"}, (screen, told)
            seen |= named
    assert seen >= set(GESTURES)


def test_a_display_that_is_off_asks_nothing():
    assert prompt_of(None, "en").ways == ()


def test_what_a_tap_believes_can_be_done_at_once_but_no_value_is_said_unchosen():
    def turns(right):
        dial = screens.DialStrip(Text.DOUBT, Text.NEUTRAL, right, 1, 3)
        offered = screens.OfferPage("Cem", Announce(62), dial, armed=True)
        return [(way.does, way.turn) for way in prompt_of(offered, "en").ways if way.turn]

    assert turns(Text.BELIEVE) == [("believe", 1)]
    assert turns(63) == []


def test_lessons_are_due_where_their_thing_is_and_learned_by_it():
    dial = screens.DialStrip(None, Text.NEUTRAL, 31, 0, 2)
    thrown = screens.ClosedPage(screens.CupKind.THROWN, dial, may_look=True)
    due = prompt_of(thrown, "de").lessons
    assert [(each.name, each.by_reading) for each in due] == [("peek", False), ("say", False)]
    assert due[0].title == "2 Nachsehen"
    assert prompt_of(screens.LookPage((6, 3), 63), "de").learned == ("peek",)
    assert prompt_of(None, "de").lessons == ()


def test_dice_that_nothing_proves_are_called_so_in_words():
    verdict = screens.Verdict(screens.Judgement.TRUE, "Ben", 1, screens.Tally(2))
    proven = screens.RevealPage(verdict, (5, 4), 54, "Ana", "Ben")
    unproven = replace(proven, unchecked=True)
    assert "54 = 54" in spoken(proven, "en")
    assert "no proof" not in spoken(proven, "en")
    assert "no proof" in spoken(unproven, "en")
    assert "?" not in spoken(unproven, "en")
    assert prompt_of(proven, "en").says == "The round is over."
    assert "Nothing proves these dice" in prompt_of(unproven, "en").says


def test_only_a_maexchen_that_lies_there_teaches_what_it_is():
    verdict = screens.Verdict(screens.Judgement.LIE, "Ben", 1, screens.Tally(2))
    taught = {
        dice: [each.name for each in prompt_of(screens.RevealPage(verdict, dice, 62), "en").lessons]
        for dice in ((6, 3), (2, 1), None)
    }
    assert taught == {(6, 3): [], (2, 1): ["maexchen"], None: []}


def test_equal_screens_over_different_pages_are_asked_apart():
    bare = screens.ShakingPage()
    over = replace(bare, under=(GestureOption(GestureKind.TAP, Meaning.SCORES),))
    assert bare == over
    assert [len(prompt_of(each, "en").ways) for each in (bare, over, bare)] == [0, 1, 0]


def test_the_end_of_a_match_names_who_lost():
    page = screens.MatchOverPage("Ben", "R-CLASS-2", ())
    assert prompt_of(page, "en").says == "The game is over. Ben loses."
    assert prompt_of(replace(page, of_reader=True), "en").says == "The game is over. You lose."
    question = screens.QuestionPage(Text.AGAIN_QUESTION, (Text.OTHERS_TOO,))
    assert prompt_of(question, "en").says == "Play again? new company."
