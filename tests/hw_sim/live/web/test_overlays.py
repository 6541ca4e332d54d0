"""One thing at a time lies over a phone's handheld, and a toggle says what a press does."""

import json
import re
from itertools import pairwise

import pytest

from firmware.display.text.language import LANGUAGES, section
from hw_sim.live.site.build import STATIC
from hw_sim.live.web.outgoing import LiesOffered
from tests.hw_sim.live.web.conftest import PATIENCE_S, wait_until
from tests.support.nights import nightly
from tests.support.played_pages import choose_short, script, sized
from tests.support.shown_pages import STATES, lobby_of, messages, show, stage, tell, watching

SIZES = ((390, 844), (320, 568))
UP = {"eyes": ".eyes-up", "lobby": "#lobby .lobby", "verdict": ".verdict", "confess": ".confession"}
SEEN = script("seen_overlays")
BOTH = [".lid", ".pad"]
MOST_LOOKS = 150
"""So often a page is looked at before it is taken to stay as it is."""
LIES = LiesOffered(told=1, caught=0, hidden=1)


class Phone:
    """A guest's phone whose table says what is to be seen; each state is reached from any other."""

    def __init__(self, page, language):
        self._page, self._language, self._sockets = page, language, []
        self._is_out = False
        page.set_default_timeout(PATIENCE_S * 1000)
        stage(page, "/phone", (), language, sockets=self._sockets)

    def _say(self, *told):
        tell(self._sockets, *told)

    def _lobby(self, *, is_host=False, **how):
        self._say(lobby_of(is_host=is_host, place=0, **how))

    def _plays(self, state, *, screen=False):
        self._lobby(plays=True, screen=screen)
        self._say(*messages(STATES[state], self._language))

    def plays(self):
        self._plays("begins")
        return "", [], BOTH

    def decides(self):
        self._plays("is offered", screen=True)
        return "", [], BOTH

    def waits(self):
        self._plays("is offered", screen=True)  # what was shown by hand is dark again after it
        self._plays("waits", screen=True)
        return "eyes", ["eyes"], []

    def shows(self):
        self.waits()
        shows = section("page", self._language)["handheld_on"]
        self._page.get_by_text(shows, exact=True).click()
        return "", [], BOTH

    def looks_at_a_lift(self):
        self._plays("is offered", screen=True)
        self._say('{"is": "eyes", "up": true}')
        return "eyes", ["eyes"], []

    def sees_a_verdict(self):
        self._plays("a lie")
        return "verdict", ["verdict"], BOTH

    def gathers(self):
        self._lobby()
        return "lobby", ["lobby"], []

    def may_confess(self):
        self._lobby(lies=LIES)
        return "lobby", ["lobby", "confess"], []

    def has_not_confessed(self):
        self._lobby(plays=True, lies=LIES)
        self._say(*messages(STATES["begins"], self._language))
        return "", [], BOTH

    def plans(self):
        self._plays("begins")
        self._lobby(is_host=True, plays=True)
        self._page.evaluate("document.querySelector('#anew').click()")
        return "lobby", ["lobby"], []

    def is_offline(self):
        was = self._page.evaluate(SEEN, UP)
        known = len(self._sockets)
        self._sockets[-1].close()
        wait_until(self._page, lambda: len(self._sockets) > known)
        if was["over"] == "lobby":
            return "lobby", was["up"], []
        return "offline", [], BOTH

    def has_left(self):
        self._say('{"is": "left"}')
        self._is_out = True
        return "ended", ["lobby"], []

    def go(self, state):
        """Go on to a state; returns what is seen, and what is to be."""
        if self._is_out:
            self._plays("begins")
            self._is_out = False
        over, up, hands = getattr(self, state)()
        wanted = {"over": over, "up": up, "hands": hands} | ({"told": True} if self._is_out else {})
        for _ in range(MOST_LOOKS):
            seen = {key: self._page.evaluate(SEEN, UP)[key] for key in wanted}
            if seen == wanted:
                break
            self._page.wait_for_timeout(20)
        return seen, wanted


def every_pair(states):
    """Return a walk in which each state follows each, itself too."""
    walk = [
        each
        for place, state in enumerate(states)
        for each in (state, *(one for other in states[place + 1 :] for one in (state, other)))
    ]
    return [*walk, walk[0]]


PHASES = [name for name in vars(Phone) if name[0] != "_" and name != "go"]
OF_DAY = ("de", *SIZES[-1])
"""The language and the smallest window of the long run; the night has all."""


@pytest.mark.parametrize(
    ("language", "wide", "high"),
    nightly([(language, *size) for size in SIZES for language in LANGUAGES], OF_DAY),
)
def test_nothing_of_one_phase_lies_over_the_next(browser, language, wide, high):
    walk = every_pair(PHASES)
    assert len(set(pairwise(walk))) == len(PHASES) ** 2
    page = sized(browser, wide, high, reduced_motion="reduce")
    phone, faults = Phone(page, language), []
    for before, state in pairwise(["begin", *walk]):
        seen, wanted = phone.go(state)
        if seen != wanted:
            faults.append((before, state, seen, wanted))
    assert faults == []


def test_who_waits_reaches_the_menu_and_calls_nobody_a_liar_where_nobody_can_lie(browser):
    for state, names in (("Ben has thrown", 0), ("waits", 1)):
        page = sized(browser, 390, 844, reduced_motion="reduce")
        lobby = lobby_of(place=0, plays=True, screen=True, is_host=True)
        stage(page, "/phone", [lobby, *messages(STATES[state], "en")], "en")
        page.locator(".eyes-up").wait_for()
        said = page.locator(".reactions button").filter(visible=True).all_inner_texts()
        assert (len(said), said.count("Liar!")) == (3 + names, names)
    page.locator(".menu summary").click()
    page.locator(".eyes-up").wait_for(state="hidden")
    page.locator(".menu summary").click()
    page.locator(".eyes-up").wait_for()
    page.locator(".menu summary").click()
    page.locator("#anew").click()
    page.locator("#lobby .sheet").wait_for()


PAIRS = {"hints", "sound", "handheld", "match"}
"""The keys of all toggles of the pages."""
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("*.js")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_toggle_has_a_text_for_each_of_its_two_states(language):
    found = set(re.findall(r'sayToggle\("(\w+)"', "".join(SCRIPTS.values())))
    assert found == PAIRS
    texts = section("page", language)
    said = [texts[f"{name}_{way}"] for name in PAIRS for way in ("off", "on")]
    assert len(set(said)) == len(said)
    alone = [
        (name, key)
        for name, script in SCRIPTS.items()
        for key in re.findall(r'say\("(\w+)_(?:on|off)"', script)
        if key in PAIRS
    ]
    assert alone == [], "a toggle says by its state what a press does"


def labels(page):
    """The names of all buttons that are seen."""
    return page.evaluate(
        """[...document.querySelectorAll("button")]
          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width)
          .map((each) => each.getAttribute("aria-label") ?? each.textContent)"""
    )


@pytest.mark.parametrize("language", nightly(LANGUAGES, "fr"))
def test_a_toggle_says_what_a_press_does(browser, language):
    texts = section("page", language)
    page = sized(browser, 390, 844, reduced_motion="reduce")
    off, on = texts["sound_off"], texts["sound_on"]
    show(page, "/seat", STATES["begins"], language, learned="")
    page.locator(".menu summary").click()
    for press, then, volume in ((off, on, 0), (on, off, 0.5)):
        page.get_by_role("button", name=press, exact=True).click()
        assert then in labels(page)
        assert press not in labels(page)
        kept = page.evaluate("Number(localStorage.getItem('maexchen.volume'))")
        assert kept == pytest.approx(volume, abs=0.5)
    page.locator(".menu summary").click()
    page.get_by_role("button", name=texts["hints_off"], exact=True).click()
    assert not page.locator(".lesson").is_visible()
    for press, then in (("hints_on", True), ("hints_off", False), ("hints_on", True)):
        page.locator(".menu summary").click()
        assert page.locator("#teach").inner_text() == texts[press]
        page.locator("#teach").click()
        assert page.locator(".lesson").is_visible() == then
    page.close()
    page, sockets = sized(browser, 1280, 720), []
    lobby = lobby_of(is_host=False, place=0, plays=True, screen=True)
    welcome, *news = messages(STATES["waits"], language)
    welcome = json.dumps(json.loads(welcome) | {"people": 4, "phones": True})
    stage(page, "/phone", [lobby, welcome, *news], language, sockets=sockets)
    page.get_by_role("button", name=texts["handheld_on"], exact=True).click()
    assert page.locator(".pad").is_visible()
    assert page.inner_text("#notice") == texts["missing"].format(name="Dea")
    page.get_by_role("button", name=texts["handheld_off"], exact=True).click()
    assert page.locator(".eyes-up .before").inner_text() == texts["missing"].format(name="Dea")
    page.get_by_role("button", name=texts["goOnWithout"].format(name="Dea"), exact=True).click()
    assert page.inner_text(".eyes-up .before") == texts["goOnVoted"].format(name="Dea")
    page.close()
    page = sized(browser, 1440, 900)
    sockets.clear()
    stage(page, "/", messages(STATES["begins"], language), language, sockets=sockets)
    page.locator(".score").first.wait_for(state="attached")
    for paused, name in ((True, "match_on"), (False, "match_off")):
        sockets[-1].send(json.dumps({"is": "state", "seats": {}, "paused": paused}))
        page.get_by_role("button", name=texts[name], exact=True).wait_for()


CARD = "document.querySelector('.match-card img')?.naturalWidth"


def test_a_phone_after_a_match_has_one_primary_button_and_confesses_only_a_hidden_lie(browser):
    page, sockets = sized(browser, 390, 844, reduced_motion="reduce"), []
    told = [*messages(STATES["the end"], "en"), lobby_of(is_host=False, place=0, lies=LIES)]
    stage(page, "/phone", told, "en", sockets=sockets)
    page.route("**/card.svg*", lambda route: route.fulfill(status=404), times=1)
    page.reload()
    wait_until(page, lambda: page.evaluate(CARD))  # it is asked for again
    page.locator(".confession").wait_for()
    caught = LiesOffered(told=1, caught=1, hidden=0)
    for is_host in (False, True):
        sockets[-1].send(lobby_of(is_host=is_host, place=0, lies=caught))
        page.locator(".confession").wait_for(state="detached")
        page.locator(".end .again").wait_for(state="attached")
        primary = page.locator(".again").filter(visible=True)
        assert primary.count() == 1, primary.all_inner_texts()


@pytest.mark.parametrize("language", nightly(LANGUAGES, "en"))
def test_the_sheet_of_a_host_keeps_its_words_chooses_a_handicap_and_refuses_old_rules(
    browser, language
):
    page, sockets, words = sized(browser, 1280, 720), [], section("page", language)
    kept = '{"game": "class", "options": {"gone": true}}'
    page.add_init_script(f"localStorage.setItem('maexchen.ours', '{kept}')")
    sent = stage(page, "/phone", [lobby_of(is_host=True, place=0)], language, sockets=sockets)
    page.locator("#lobby .sheet").get_by_text(words["handicap"], exact=True).click()
    field = page.get_by_label("Ben", exact=True)
    field.fill("2")
    field.press("Enter")
    chosen = wait_until(page, lambda: [each for each in sent if each["do"] == "choose"])
    assert chosen[-1]["plan"]["handicap"] == {"Ben": 2}
    page.get_by_role("button", name="Chicago").click()
    wait_until(page, lambda: sent[-1]["plan"]["game"] == "chicago")
    assert sent[-1]["plan"]["handicap"] == {}
    sent.clear()
    page.get_by_role("button", name=words["ourRules"], exact=True).click()
    wait_until(page, lambda: sent and sent[-1]["do"] == "choose")
    sockets[-1].send('{"is": "refused", "why": "plan", "between": []}')
    page.get_by_text(words["why_old"], exact=True).wait_for()


def test_a_number_that_is_still_typed_leaves_the_start_its_words(browser):
    page = sized(browser)
    stage(page, "/phone", [lobby_of(is_host=True, place=0)], "en")
    choose_short(page)
    assert page.locator("#lobby .again").inner_text().startswith("Start")


def test_a_page_that_reconnects_says_so(browser):
    page, sockets = sized(browser, 1280, 720), []
    sent = stage(page, "/", messages(STATES["believes?"], "en"), "en", sockets=sockets)
    page.locator(".guide.yours").wait_for()
    page.evaluate(script("reads_titles"))
    for _ in range(2):  # a match is begun again: one dot is enough
        tell(sockets, *messages(STATES["believes?"], "en"))
    sockets[-1].close(code=1001)
    titles = ["● Mäxchen – the table", *("Mäxchen – the table", "● Mäxchen – the table") * 3]
    wait_until(page, lambda: len(page.evaluate("titles")) >= len(titles))
    assert page.evaluate("titles") == titles
    assert len([each for each in sent if each["do"] == "hello"]) == 2


def test_a_page_that_watches_an_evening_says_how_to_play_but_to_no_host(browser):
    page, sockets = sized(browser, 1280, 720), []
    told = [*watching("en", phones=True), lobby_of(is_host=False, plays=True)]
    stage(page, "/", told, "en", sockets=sockets)
    page.get_by_text("You are watching.").wait_for()
    page.get_by_text("scan the code").wait_for()
    assert page.get_by_text("you play in the next").count() == 0
    tell(sockets, lobby_of(is_host=True, plays=True))
    page.locator("#gather[aria-pressed=false]").wait_for()
    page.locator("#watching").wait_for(state="hidden")
