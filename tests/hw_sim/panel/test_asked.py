"""What a page says beside a display is what the display asks for."""

import pytest

from firmware.display import screens
from hw_sim.panel.asked import asked
from hw_sim.panel.spoken import spoken
from tests.support.screens import closed_cup_screens, open_cup_screens

GESTURES = ("shake", "lift", "tilt", "tap", "hold")
ELSEWHERE = screens.AlertPage | screens.QuestionPage | screens.ShakingPage | screens.MatchOverPage
"""Pages that say themselves, in whole sentences, what they want."""


def hinted(screen):
    """The gestures in the last line of a display."""
    last = spoken(screen, "en").rsplit(". ", 1)[-1]
    return {gesture for gesture in GESTURES if gesture in last.replace("·", " ").split()}


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_screen_has_a_sentence_and_every_gesture_on_it_is_named(language):
    seen = set()
    for screen in (*closed_cup_screens(), *open_cup_screens()):
        if isinstance(screen, screens.StartingPage):
            continue
        told = asked(screen, language)
        assert told.says.endswith((".", "?")), screen
        assert all(way.does for way in told.ways), screen
        if not isinstance(screen, ELSEWHERE):
            named = {way.gesture for way in told.ways}
            missing = hinted(screen) - named
            assert not missing or missing == {"tilt"}, (screen, told)
            seen |= named
    assert seen >= set(GESTURES)


def test_a_display_that_is_off_asks_nothing():
    assert asked(None, "en").ways == ()


def test_only_who_is_to_act_is_told_that_it_is_his_turn():
    dial = screens.DialStrip(None, 31, None, 0, 1)
    kind = next(iter(screens.CupKind))
    assert asked(screens.ClosedPage(kind, dial), "en").occasion == "turn"
    assert asked(screens.WaitingPage("Ben"), "en").occasion == ""
    assert asked(screens.WaitingPage("Ben"), "de").says == "Ben ist dran."
