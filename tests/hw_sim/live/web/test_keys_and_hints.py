"""What a page sends for keys, presses and motion; what it speaks once; hints that come and go."""

import msgspec
import pytest

from firmware.display.text.language import say
from game import RULES, apply, new_match
from game.actions import Announce, Believe, Roll
from hw_sim.live.web.outgoing import StoryLines, scoreboard_of
from tests.hw_sim.live.web.conftest import wait_until
from tests.support.nights import nightly
from tests.support.played_pages import script, sized
from tests.support.shown_pages import (
    NAMES,
    STATES,
    messages,
    news_text,
    next_state,
    show,
    stage,
    tell,
)


@pytest.fixture
def page(browser):
    return sized(browser, 1440, 900, reduced_motion="reduce")


FOCUS = """() => [document.activeElement.tagName, document.activeElement.className
  || document.activeElement.id || document.activeElement.textContent]"""
FIELDS = ("SELECT", "INPUT")
STOPS = 40


def done(page, sent, *keys):
    """What the handheld is told when these keys are pressed."""
    before = len(sent)
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("d")  # a drop comes last, wherever the focus is
    wait_until(page, lambda: any(each["do"] == "drop" for each in sent[before:]))
    told = [each for each in sent[before:] if each["do"] not in ("drop", "alive")]
    return [(each["do"], each.get("key")) for each in told if each.get("on", True)]


PLAYS = {"lid": [("lift", None)], "pad": [("turn", None), ("key", "tap")]}
"""The effect of the space key on each: the pad turns a waiting dial and taps."""


def test_keys_play_wherever_the_focus_is_and_escape_gives_them_back(page):
    page.set_viewport_size({"width": 1600, "height": 900})  # narrower headers have no slider
    sent = show(page, "/", STATES["begins"], "en")
    seen = set()
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        kind, name = page.evaluate(FOCUS)
        seen.add((kind, name))
        if kind == "BODY":
            break
        if page.evaluate("'language' in document.activeElement.dataset"):
            continue  # another language loads the page again
        if kind in FIELDS:
            before = len(sent)
            page.evaluate("() => { self.was = document.activeElement; }")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Escape")
            assert page.evaluate(FOCUS)[0] == "BODY", name
            assert [each for each in sent[before:] if each["do"] == "key"] == []
            assert done(page, sent, " ") == [("key", "shake")]
            page.evaluate("self.was.focus()")
            continue
        assert done(page, sent, " ") == PLAYS.get(name, [("key", "shake")]), name
        assert done(page, sent, "ArrowRight") == [("key", "right")], name
        if kind == "DIV":
            assert done(page, sent, "Enter") == [("key", "tap")], name
    assert {"SELECT", "INPUT", "BUTTON", "A", "DIV", "SUMMARY"} <= {kind for kind, _ in seen}
    assert ("DIV", "story") in seen


LETTERS = (("д", "KeyL"), ("Д", "KeyL"), ("λ", "KeyL"), ("l", "KeyN"))
TYPES = """(of) => { for (const kind of ["keydown", "keyup"])
  document.body.dispatchEvent(new KeyboardEvent(kind, { ...of, bubbles: true })); }"""


def test_letters_lift_enter_presses_and_what_was_chosen_is_kept(page):
    sent = show(page, "/", STATES["begins"], "en")
    for key, code in LETTERS:
        sent.clear()
        page.evaluate(TYPES, {"key": key, "code": code})
        wait_until(page, lambda: {"do": "lift", "seat": 0, "on": False} in sent)
        assert {"do": "lift", "seat": 0, "on": True} in sent, "under every alphabet"
    page.get_by_role("button", name="Pause").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_until(page, lambda: {"do": "pause", "on": True} in sent)
    page.keyboard.press("Escape")
    assert done(page, sent, "Enter") == [("key", "tap")]
    mute, slider = page.locator("button.mute"), page.locator(".sound input")
    assert (mute.get_attribute("class"), slider.input_value()) == ("mute", "50")
    page.locator("#speed").select_option("50")
    mute.click()
    sent = show(page, "/", STATES["begins"], "en")
    done(page, sent)
    assert [each["x"] for each in sent if each["do"] == "speed"] == [50]
    assert (mute.get_attribute("class"), slider.input_value()) == ("mute muted", "0")


def test_the_shortest_press_lifts_and_lets_go(browser):
    page = sized(browser, 1280, 720, has_touch=True)
    sent, lid = show(page, "/", STATES["believes?"], "en"), page.locator(".mine .lid")
    chip = page.locator(".guide .ways .due [data-gesture=lift]")
    for press in (lid.click, lid.tap, lambda: page.keyboard.press("l"), chip.click):
        sent.clear()
        press()
        done(page, sent)
        assert [each["on"] for each in sent if each["do"] == "lift"] == [True, False], press


SHAKEN_PHONE = script("shaken_phone")


def test_a_phone_that_is_shaken_tells_what_it_feels(browser):
    page = sized(browser, 1280, 720, has_touch=True)
    sent = show(page, "/seat", STATES["begins"], "en")
    page.evaluate(SHAKEN_PHONE)
    done(page, sent)
    felt = [sample for each in sent if each["do"] == "felt" for sample in each["at"]]
    assert max(abs(x) for _, x, *_ in felt) > 20
    assert [at for at, *_ in felt] == sorted(at for at, *_ in felt)


SPOKEN = script("spoken")


@pytest.mark.parametrize("path", nightly(["/", "/seat"], "/seat"))
def test_one_live_region_speaks_an_event_once(page, path):
    sockets = []
    stage(page, path, messages(STATES["waits"], "en"), "en", learned="", sockets=sockets)
    page.locator(".says", has_text="It is Ben’s turn.").wait_for()
    page.evaluate(SPOKEN)

    def go_on(name, *more):
        page.evaluate("window.spoken = []")
        tell(sockets, *next_state(name), *more)

    go_on("believes?", news_text(StoryLines(["Cem says 62."])))
    page.locator(".says", has_text="Do you believe it?").wait_for()
    page.locator("#story, #last").get_by_text("Cem says 62.").wait_for()
    said = page.evaluate("window.spoken")
    assert len([each for each in said if "Cem" in each]) == 1, said
    assert len(said) == len(set(said)), said
    go_on("the end", news_text(StoryLines(["Ben loses."])))
    page.locator(".says", has_text="The game is over.").wait_for()
    said = page.evaluate("window.spoken")
    assert len([each for each in said if "loses" in each or "over" in each]) == 1, said


def test_of_a_dial_that_moves_only_what_is_new_is_spoken(page):
    sockets = []
    stage(page, "/", messages(STATES["chooses"], "en"), "en", sockets=sockets)
    page.locator(".case.lighted").first.wait_for()
    heard = page.locator(".mine > p.hidden")
    heard.get_by_text("Choice: 63.").wait_for(state="attached")
    page.evaluate(SPOKEN)
    before = heard.text_content()
    moved = before.replace("Choice: 63", "Choice: 64").replace("left: 62", "left: 63")
    sockets[-1].send(news_text({"is": "says", "seat": 0, "text": moved}))
    heard.get_by_text("Choice: 64.").wait_for(state="attached")
    assert heard.text_content() == moved
    assert page.evaluate("window.spoken") == ["Choice: 64.", "left: 63."]


def test_hints_are_numbered_as_they_come_and_go_when_they_were_followed(page):
    page.clock.install(time=0)
    sockets = []
    stage(page, "/", messages(STATES["believes?"], "en"), "en", learned="", sockets=sockets)
    card = page.locator(".lesson")

    def at(name, title):
        """Show a state; a hint of that title is there, or (None) none."""
        tell(sockets, *next_state(name, hides_moment=True))
        if title is None:
            card.wait_for(state="hidden")
        else:
            page.locator(".lesson b").get_by_text(title, exact=True).wait_for()

    at("believes?", "1 Doubt")  # a bot has opened the match
    at("has believed", "2 Shake")
    at("rattles", None)
    at("has thrown", "3 Peek")
    at("peeks", None)
    at("chooses", "4 Say")
    at("says", None)
    at("on its way", None)
    at("waits", "5 Pass")
    page.clock.run_for(3_500)
    at("a lie", None)
    at("waits", None)
    at("a Mäxchen", "6 Mäxchen")
    page.clock.run_for(3_500)
    at("waits", None)
    at("a Mäxchen", None)


def test_the_dial_goes_where_the_last_touch_of_a_value_points_and_no_further(page):
    sockets = []
    sent = stage(page, "/seat", messages(STATES["chooses"], "en"), "en", sockets=sockets)
    page.locator(".ladder .at", has_text="63").wait_for()
    page.get_by_role("button", name="65", exact=True).dblclick()
    page.get_by_role("button", name="64", exact=True).click()
    stands = page.locator(".ladder [aria-current] button")
    assert stands.is_disabled()
    match = new_match(RULES["holy-family"], NAMES, 2)
    for action in (Roll((3, 1)), Announce(62), Believe(), Roll((3, 1))):
        match = apply(match, action).match
    board = msgspec.to_builtins(scoreboard_of(match))
    tell(sockets, news_text({"is": "state", "seats": {}, "standing": board}))
    wait_until(page, stands.is_enabled)  # it may be said again
    stands.click()
    page.keyboard.press("d")
    wait_until(page, lambda: any(each["do"] == "drop" for each in sent))
    assert [each["by"] for each in sent if each["do"] == "turn"] == [2, -1, -2]


def answering(status):
    return lambda route: route.fulfill(status=status, body="no")


def test_the_judged_page_says_what_takes_so_long_or_why_there_is_nothing(page):
    page.clock.install(time=0)
    stage(page, "/", (), "en")
    address = page.url.rsplit("/", 1)[0] + "/judged.html"
    page.route("**/judged.json*", lambda route: None)  # it is being worked out
    page.goto(address, wait_until="commit")
    page.get_by_text("Every decision is compared with the best one.").wait_for()
    page.locator("#reckoning").wait_for()
    page.clock.run_for(6_000)
    page.get_by_text("a long game takes up to half a minute").wait_for()
    for status, told in ((404, "The game is not over"), (403, "Only in single-player.")):
        page.route("**/judged.json*", answering(status))
        page.goto(address, wait_until="commit")
        page.get_by_text(told).wait_for()
    page.route("**/evening.json*", answering(404))
    page.goto(address.replace("judged", "evening"), wait_until="commit")
    page.get_by_text("No game of this evening is over yet.").wait_for()


DRAWN = script("drawn_shake")


def test_a_shake_of_a_finger_that_is_too_slow_says_so(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.clock.install(time=0)
    show(page, "/seat", STATES["begins"], "en")
    page.clock.pause_at(3_600_000)
    advice = page.locator(".advice")
    for hz, lasts_s, told in (
        (2, 2, ""),  # it throws, as far as the page can tell
        (0.2, 2.5, ""),  # the picture is moved
        (1, 2, "Faster: shake it to and fro."),
    ):
        page.locator(".glass").hover()
        page.mouse.down()
        page.evaluate(DRAWN, [hz, lasts_s])
        assert advice.text_content() == told
        page.mouse.up()
    assert advice.is_visible()


LEARNED = "shake,peek,say,pass,doubt,maexchen"


def test_a_game_says_what_it_is_about_until_its_first_round_is_over(page):
    sockets, aim = [], page.locator(".aim")
    told = messages(STATES["who leads"]._replace(game="sevens"), "en")
    stage(page, "/", told, "en", learned=LEARNED, sockets=sockets)
    wait_until(page, lambda: aim.text_content() == say("game.sevens", "en"))
    for later in ("sevens end", "to throw"):
        tell(sockets, next_state(later)[2])
    wait_until(page, lambda: aim.text_content() == "")
