"""The big screen in a real browser: legible from five metres, in every state and language."""

import pytest

from firmware.display.text.language import ENGLISH, say
from game.actions import FaultKind
from game.events import Mishandled
from hw_sim.live.web.director import told_events
from tests.hw_sim.live.web.test_shown_pages import offences
from tests.support.nights import nightly
from tests.support.played_pages import script, sized
from tests.support.shown_screens import STATES, show_screen

MUST_PX, MAY_PX, FINE_PX = 39, 33, 29
"""Least cap heights of 1080: what must be read, what may be, and what is read walking up."""
CAPS = script("cap_heights")
OVERLAPS = script("screen_overlaps")


def test_an_event_keeps_its_name_whatever_else_it_tells():
    assert told_events([Mishandled(3, FaultKind.OTHER)]) == [{"kind": "Mishandled", "seat": 3}]


LARGE = ("lobby of nine", "offered", "heckled of 9", "lie", "mistake")


@pytest.mark.parametrize("name", nightly(STATES, *LARGE))
def test_what_must_be_read_is_large_enough(browser, name):
    page = sized(browser, 1920, 1080)
    show_screen(page, name, "de")
    found = page.evaluate(CAPS)
    assert found
    for each in found:
        may = each["kind"] == "may" and each["long"]
        least = FINE_PX if each["kind"] == "fine" else MAY_PX if may else MUST_PX
        assert each["cap"] >= least, each
        assert not each.get("beyond"), each
    assert page.evaluate(OVERLAPS) == []
    page.clock.resume()  # axe waits
    assert offences(page) == []


SEES_LOBBY = """new MutationObserver(() => {
  if (document.querySelector(".poster")) globalThis.sawLobby = true;
}).observe(document, { childList: true, subtree: true });"""


def test_the_lobby_waits_until_the_end_of_a_match_has_been_shown(browser):
    page = sized(browser, 1280, 720)
    page.add_init_script(SEES_LOBBY)
    show_screen(page, "the end", "en")
    assert page.get_by_text("Konstantin pays", exact=True).is_visible()
    assert not page.evaluate("globalThis.sawLobby")


SAID = {
    "lobby, agreed": f"{say('game.class', ENGLISH).removesuffix('.')} · sticks: 5 · opens: next one"
    " · true Mäxchen: 2 · equal: anything · throws: 1",
    "card": "Cem und Jo verweigern die Aussage.",
    "believed": " has the cup",  # who does not shake yet
    "shakes": " shakes",
}
"""By state a line that the screen shows then."""


def test_a_screen_says_what_happens(browser):
    page = sized(browser, 1280, 720)
    for name, said in SAID.items():
        show_screen(page, name, "de" if name == "card" else "en")
        if said.startswith(" "):
            assert page.locator("#stage .headline").inner_text().endswith(said)
        else:
            assert page.get_by_text(said).first.is_visible(), name
