"""Every state of every game on the pages and the big screen: in the sheet, and fit for all."""

import json
from importlib import resources
from itertools import accumulate
from typing import get_args

import pytest
from PIL import Image

from firmware.display.screens import CupScreen, OpenDiceScreen, Overlay, StartingPage
from firmware.display.text.language import ENGLISH, LANGUAGES, say
from game import RULES
from game.actions import FaultKind
from game.events import Mishandled
from hw_sim.live.web.director import told_events
from hw_sim.panel.prompts import prompt_of
from hw_sim.story.card import WIDE
from tests.hw_sim.live.web.conftest import settled, wait_until
from tests.labs.pictures.pages import DIGESTS
from tests.support import shown_pages as shown
from tests.support.nights import nightly
from tests.support.played_pages import script, sized
from tests.support.shown_screens import STATES as SCREENS
from tests.support.shown_screens import show_screen

AXE = resources.files("axe_core_python") / "axe.min.js"
SIZES = ((390, 844), (360, 640), (844, 390), (1440, 900))
LEAST_PX = 44
SMALL = """least => [...document.querySelectorAll("button:enabled, a, summary, input, select")]
  .map((each) => [each, (each.closest("label.option") ?? each).getBoundingClientRect()])
  .filter(([each, box]) => each.checkVisibility({ visibilityProperty: true }) && box.width > 2
    && (box.width < least - 0.5 || box.height < least - 0.5))
  .map(([each, box]) => `${each.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)"""
BESIDE = "[document.documentElement.scrollWidth - innerWidth]"
LONG_NAMES = ["Wilhelmina-Marie", "Maximilian-Georg", "Konstantin-Jakob", "Annabella-Sophie"]
BEYOND = """() => [document.documentElement.scrollWidth - innerWidth,
  document.querySelector(".front").getBoundingClientRect().bottom - innerHeight]"""


def test_the_sheet_of_all_pages_has_every_state_as_it_is():
    kept = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert kept == shown.digests(), "docs/pages.jpg is out of date: run make screens and look at it"
    kinds = {type(state.screen) for state in shown.STATES.values()}
    screens = {*get_args(CupScreen), *get_args(OpenDiceScreen), *get_args(Overlay)}
    assert kinds == screens - {StartingPage}
    assert {state.game for state in shown.STATES.values()} == set(RULES)


def resize(page, wide, high):
    """Change the window of a page, and wait until everything lies where it is to lie."""
    page.set_viewport_size({"width": wide, "height": high})
    wait_until(page, lambda: page.evaluate("[innerWidth, innerHeight]") == [wide, high])
    page.evaluate(shown.SETTLED)


def measured(page, sizes, where, beyond):
    """Measure a page at some sizes: targets for a thumb, nothing beyond the window, no offence."""
    for wide, high in sizes:
        resize(page, wide, high)
        here = (*where, wide, high)
        assert (here, page.evaluate(SMALL, LEAST_PX)) == (here, [])
        assert (here, max(page.evaluate(beyond)) <= 0) == (here, True)
        assert (here, offences(page)) == (here, [])


def touched(browser, wide=1280, high=720, **seen):
    """A page for a thumb."""
    return sized(browser, wide, high, has_touch=True, reduced_motion="reduce", **seen)


def offences(page):
    """What is wrong with a page for those who hear it, or see little of it."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [(each["id"], [node["html"][:99] for node in each["nodes"]]) for each in found]


CROSSING = script("crossing_seats")


def test_nine_people_lie_beside_each_other(browser):
    page = sized(browser, 1280, 720, reduced_motion="reduce")
    shown.stage(page, "/", shown.crowd("en", 0), "en")
    page.locator(".caption", has_text="lifts the cup").last.wait_for(state="attached")
    for wide, high in ((390, 844), (1024, 768), (1440, 900), (2560, 1440)):
        resize(page, wide, high)
        assert page.evaluate(CROSSING) == [], (wide, high)


@pytest.mark.whole
@pytest.mark.smoke
def test_who_touches_again_while_the_hand_is_at_it_means_the_same(browser):
    page = sized(browser, 1280, 720)
    sent = shown.show(page, "/", shown.STATES["hands on"], "en")
    for where in (page.locator(".mine .pad"), page.locator(".ways .due button", has_text="go on")):
        where.click()
    page.keyboard.press("d")
    wait_until(page, lambda: any(each["do"] == "drop" for each in sent))
    done = [(each["do"], each.get("by", each.get("key"))) for each in sent]
    assert [each for each in done if each[1]] == [("turn", 1), ("key", "tap"), ("key", "tap")]


SHARE_SHEET = """
  navigator.canShare = ({ files }) => files.length > 0;
  navigator.share = async ({ files }) => { window.shared = `${files[0].name} ${files[0].type}`; };
"""
"""A browser of a desk has no share sheet: one that notes what it is given."""


def test_the_card_of_a_match_is_saved_as_a_picture_or_goes_to_a_share_sheet(browser):
    page = sized(browser, 1280, 720)
    shown.show(page, "/seat", shown.STATES["the end"], "en")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a picture").click()
    with Image.open(download.value.path()) as picture:
        assert (picture.format, picture.width) == ("PNG", 2 * WIDE)
        assert len(picture.convert("RGB").getcolors(1 << 24)) > 20, "it is blank"
    page.add_init_script(SHARE_SHEET)
    page.reload()
    page.get_by_role("button", name="Share the picture").click()
    shared = wait_until(page, lambda: page.evaluate("window.shared"))
    assert shared == "maexchen.png image/png"


def test_who_trusts_this_computer_goes_on_encrypted_at_the_same_broker(browser):
    page = sized(browser)
    shown.show_page(page, "trust", "en")
    kept = shown.LINK.partition("#")[2]
    page.evaluate("link => localStorage.setItem('maexchen.evening', link)", kept)
    page.get_by_role("button", name="Go on, encrypted").click()
    page.wait_for_url(f"{shown.ADDRESS}/join.html#**")
    named = "new URLSearchParams(location.hash.slice(1)).get('broker')"
    assert page.evaluate(named) == shown.BROKER.replace("ws", "wss", 1)


class Finger:
    """A finger on the glass of a phone."""

    def __init__(self, page):
        self._page = page
        self._touches = page.context.new_cdp_session(page)
        box = page.locator(".glass").bounding_box()
        self._x, self._y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self._send("touchStart", self._at(0, 0))

    def _at(self, right, down):
        return [{"x": self._x + right, "y": self._y + down}]

    def _send(self, kind, points):
        self._touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def go(self, right, down=0):
        for part in (1 / 3, 2 / 3, 1):
            self._send("touchMove", self._at(part * right, part * down))
        return self

    def lift(self):
        self._send("touchEnd", [])


MOST_STEPS = 1_500
"""So often a page is asked what it has sent, before it is taken to send nothing."""


def test_a_swipe_turns_the_dial_one_that_stays_tilts_and_one_up_does_what_it_shows(browser):
    page = touched(browser, 390, 844)
    page.clock.install(time=0)
    sent = shown.show(page, "/seat", shown.STATES["chooses"], "en")
    page.clock.pause_at(3_600_000)

    def done():
        return [each for each in sent if each["do"] not in ("hello", "alive")]

    def until_sent(*wanted):
        for _ in range(MOST_STEPS):
            if len(done()) >= len(wanted):
                break
            page.wait_for_timeout(20)
            page.clock.run_for(20)  # a touch may reach the page after the call that makes it
        assert done() == [{"seat": 0, **each} for each in wanted]
        sent.clear()

    Finger(page).go(90).lift()
    until_sent({"do": "turn", "by": 2})
    staying = Finger(page).go(-60)
    page.clock.run_for(300)
    assert done() == []
    until_sent({"do": "key", "key": "left", "on": True})
    staying.lift()
    until_sent({"do": "key", "key": "left", "on": False})
    turning = Finger(page).go(60)
    until_sent({"do": "key", "key": "right", "on": True})
    turning.go(10)
    until_sent({"do": "key", "key": "right", "on": False})
    turning.lift()
    Finger(page).go(0, -80).lift()
    tap = {"do": "key", "key": "tap"}
    until_sent({**tap, "on": True}, {**tap, "on": False})


PLAYED = script("heard_sounds")
"""What is heard in four spans of a second, as Web Audio renders it: Hz, and how loud it is."""


def test_what_piezos_play_and_dice_in_a_cup_are_heard_as_loud_as_was_chosen(browser):
    page = sized(browser, 1280, 720)
    shown.show_page(page, "trust", "en")

    def heard(volume, *, shaken=False):
        return settled(page, PLAYED, [str(volume), shaken])

    before, low, high, after = heard(1)
    assert (before[1], after[1] < 1e-4) == (0, True)
    assert (low[0], high[0]) == (pytest.approx(1000, rel=0.02), pytest.approx(3000, rel=0.02))
    assert low[1] == pytest.approx(high[1], rel=0.2)
    assert heard(0.5)[1][1] == pytest.approx(low[1] / 2, rel=0.05)
    assert [loud for _, loud in heard(0)] == [0, 0, 0, 0]
    assert heard(1, shaken=True)[0][1] > 1e-3
    assert heard(0, shaken=True)[0][1] == 0


@pytest.mark.parametrize("forced_colors", nightly(["none", "active"], "none"))
def test_every_page_is_for_everybody(browser, forced_colors):
    """A page that who touches, hears or sees little of can use."""
    for number, name in enumerate(shown.PAGES):
        language = LANGUAGES[number % len(LANGUAGES)]
        page = touched(browser, forced_colors=forced_colors)
        shown.show_page(page, name, language)
        assert page.evaluate("document.documentElement.lang") == language
        measured(page, [SIZES[number % len(SIZES)]], (name, language), BESIDE)


@pytest.mark.parametrize("language", nightly(LANGUAGES, "fr"))
def test_lid_and_pad_are_in_the_window_of_the_smallest_phone(browser, language):
    """In each state, at each lesson of it, and without any."""
    page = sized(browser, 320, 568, reduced_motion="reduce")
    sockets, beyond = [], {}
    shown.stage(
        page, "/seat", shown.messages(shown.STATES["begins"], language), language, sockets=sockets
    )
    for name, state in shown.STATES.items():
        asked = prompt_of(state.screen, language)
        lessons = [each.name for each in asked.lessons]
        for learned in (*accumulate(lessons, "{},{}".format, initial=""), "all"):
            page.evaluate("all => localStorage.setItem('maexchen.learned', all)", learned)
            welcome, *told = shown.messages(state._replace(moment=None), language)
            welcome = json.dumps(json.loads(welcome) | {"names": LONG_NAMES})
            shown.tell(sockets, welcome, *told)
            page.locator(".says", has_text=asked.says).wait_for(state="attached")
            page.evaluate(shown.SETTLED)
            found = page.evaluate(BEYOND), page.evaluate(OVER_EACH_OTHER)
            if max(found[0]) > 0 or found[1]:
                beyond[learned, name] = found
    assert beyond == {}


OVER_EACH_OTHER = script("over_each_other")
OF_DAY = [("/", 1024, 768, "de"), ("/", 360, 640, "fr"), ("/phone", 844, 390, "fr")]
"""The narrowest of a table at a desk, and of each page on a phone."""
DAILY = [*OF_DAY, ("/", 1920, 1080, "de"), ("/", 1280, 720, "en"), ("/phone", 360, 640, "de")]


@pytest.mark.parametrize(("path", "wide", "high", "language"), nightly(DAILY, *OF_DAY))
def test_nothing_lies_over_anything_else(browser, path, wide, high, language):
    """Show every state, one after the other, and measure."""
    page = sized(browser, wide, high, reduced_motion="reduce", has_touch=wide < 900)
    sockets, found = [], []
    shown.stage(page, path, (), language, learned="", sockets=sockets)
    wait_until(page, lambda: sockets and page.title() != "Mäxchen")
    for name, state in shown.STATES.items():
        shown.tell(sockets, *shown.messages(state._replace(moment=None), language))
        if path == "/phone":
            shown.tell(sockets, shown.lobby_of(is_host=False, place=0, plays=not state.over))
        says = prompt_of(state.screen, language).says
        wait_until(page, lambda says=says: says in page.locator(".says").all_text_contents()[:1])
        if state.over:
            page.locator(".match-card img").wait_for()
        page.evaluate(shown.SETTLED)
        found += [(name, language, wide, high, each) for each in page.evaluate(OVER_EACH_OTHER)]
        assert max(page.evaluate(BESIDE)) <= 0, name
    assert found == []


# ---- the big screen: legible from five metres, in every state and language ---------------------

MUST_PX, MAY_PX, FINE_PX = 39, 33, 29
"""Least cap heights of 1080: what must be read, what may be, and what is read walking up."""
CAPS = script("cap_heights")
OVERLAPS = script("screen_overlaps")


def test_an_event_keeps_its_name_whatever_else_it_tells():
    assert told_events([Mishandled(3, FaultKind.OTHER)]) == [{"kind": "Mishandled", "seat": 3}]


LARGE = ("lobby of nine", "heckled of 9", "lie")


@pytest.mark.parametrize("name", nightly(SCREENS, *LARGE))
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
