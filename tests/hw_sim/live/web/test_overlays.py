"""One thing at a time lies over a phone's handheld, and a toggle says what a press does."""

import json
from itertools import pairwise
from typing import NamedTuple

import pytest

from firmware.display.text.language import section
from hw_sim.live.web.outgoing import LiesOffered
from tests.hw_sim.live.web.conftest import wait_until
from tests.support.played_pages import choose_short, says, script, sized
from tests.support.shown_pages import (
    ROOM,
    STATES,
    lobby_of,
    messages,
    next_state,
    show,
    stage,
    tell,
    watching,
)

UP = {"eyes": ".eyes-up", "lobby": "#lobby .lobby", "verdict": ".verdict", "confess": ".confession"}
SEEN = script("seen_overlays")
MOST_LOOKS = 150
"""So often a page is looked at before it is taken to stay as it is."""
LIES = LiesOffered(told=1, caught=0, hidden=1)


LOBBY = {"is_host": False, "place": 0}
PLAYS = LOBBY | {"plays": True}
WATCHES = PLAYS | {"screen": True}


class Phase(NamedTuple):
    """The messages to a phone in their order, then a press, and what the phone must show.

    ``told``: how the lobby stands, the name of a state of a match, or news. ``over``: what lies
    over the handheld; ``up``: what is shown beside; ``hands``: whether lid and pad are reached.
    """

    told: tuple
    over: str = ""
    up: tuple = ()
    hands: bool = True
    press: str = ""


WAITS = (WATCHES, "is offered", WATCHES, "waits")
"""A handheld that a press has shown is hidden again after the turn of another player."""
PHASES = {
    "plays": Phase((PLAYS, "begins")),
    "decides": Phase((WATCHES, "is offered")),
    "waits": Phase(WAITS, "eyes", ("eyes",), hands=False),
    "shows": Phase(WAITS, press="text=Gerät einblenden"),
    "looks at a lift": Phase(
        (WATCHES, "is offered", '{"is": "eyes", "up": true}'), "eyes", ("eyes",), hands=False
    ),
    "sees a verdict": Phase((PLAYS, "a lie"), "verdict", ("verdict",)),
    "gathers": Phase((LOBBY,), "lobby", ("lobby",), hands=False),
    "may confess": Phase((LOBBY | {"lies": LIES},), "lobby", ("lobby", "confess"), hands=False),
    "has not confessed": Phase((PLAYS | {"lies": LIES}, "begins")),
    "plans": Phase(
        (PLAYS, "begins", PLAYS | {"is_host": True}),
        "lobby",
        ("lobby",),
        hands=False,
        press="#anew",
    ),
    "is offline": Phase((), "offline"),
    "has left": Phase(('{"is": "left"}',), "ended", ("lobby",), hands=False),
}


def as_news(what):
    if isinstance(what, dict):
        return [lobby_of(**what)]
    return messages(STATES[what], "de") if what in STATES else [what]


def go_on(page, sockets, name):
    """Go on to a phase; returns what is seen, and what is to be."""
    was, known, phase = page.evaluate(SEEN, UP), len(sockets), PHASES[name]
    again = PHASES["plays"].told if was["over"] == "ended" else ()
    for each in (*again, *phase.told):
        tell(sockets, *as_news(each))
    if phase.press:
        page.locator(phase.press).dispatch_event("click")
    if name == "is offline":
        sockets[-1].close()
        wait_until(page, lambda: len(sockets) > known)
        if was["over"] == "lobby":
            phase = Phase((), "lobby", was["up"], hands=False)
    hands = [".lid", ".pad"] if phase.hands else []
    wanted = {"over": phase.over, "up": [*phase.up], "hands": hands, "told": name == "has left"}
    for _ in range(MOST_LOOKS):
        seen = page.evaluate(SEEN, UP)
        seen["told"] &= name == "has left"
        if seen == wanted:
            break
        page.wait_for_timeout(20)
    return seen, wanted


def every_pair(states):
    """Return a walk in which each state follows each, itself too."""
    walk = [
        each
        for place, state in enumerate(states)
        for each in (state, *(one for other in states[place + 1 :] for one in (state, other)))
    ]
    return [*walk, walk[0]]


def test_nothing_of_one_phase_lies_over_the_next(browser):
    walk = every_pair([*PHASES])
    assert len(set(pairwise(walk))) == len(PHASES) ** 2
    page, sockets = sized(browser, 320, 568, reduced_motion="reduce"), []
    stage(page, "/phone", (), "de", sockets=sockets)
    faults = []
    for before, phase in pairwise(["begin", *walk]):
        seen, wanted = go_on(page, sockets, phase)
        if seen != wanted:
            faults.append((before, phase, seen, wanted))
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


def labels(page):
    """The names of all buttons that are seen."""
    return page.evaluate(
        """[...document.querySelectorAll("button")]
          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width)
          .map((each) => each.getAttribute("aria-label") ?? each.textContent)"""
    )


def test_a_toggle_says_what_a_press_does(browser):
    texts = section("page", "fr")
    page = sized(browser, 390, 844, reduced_motion="reduce")
    off, on = texts["sound_off"], texts["sound_on"]
    show(page, "/seat", STATES["begins"], "fr", learned="")
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
    page.locator(".menu summary").click()
    assert page.locator("#teach").inner_text() == texts["hints_on"]
    page.locator("#teach").click()
    assert page.locator(".lesson").is_visible()


SAYS = section("page", "en")
FROM_WORKER = "([kind, what]) => self.shownWorker.tell(kind, JSON.stringify(what))"


def test_one_press_votes_to_go_on_without_a_guest_who_is_missing(browser):
    texts = section("page", "fr")
    page, sockets = sized(browser, 320, 568), []
    welcome, *news = messages(STATES["waits"], "fr")
    welcome = json.dumps(json.loads(welcome) | {"people": 4, "phones": True})
    stage(page, "/phone", [lobby_of(**WATCHES), welcome, *news], "fr", sockets=sockets)
    page.get_by_role("button", name=texts["handheld_on"], exact=True).click()
    assert page.locator(".pad").is_visible()
    assert page.inner_text("#notice") == texts["missing"].format(name="Dea")
    page.get_by_role("button", name=texts["handheld_off"], exact=True).click()
    assert page.inner_text(".eyes-up .before") == texts["missing"].format(name="Dea")
    page.get_by_role("button", name=texts["goOnWithout"].format(name="Dea"), exact=True).click()
    assert page.inner_text(".eyes-up .before") == texts["goOnVoted"].format(name="Dea")
    tell(sockets, *next_state("menu", "fr"))  # the hand votes there
    wait_until(page, lambda: says(page).startswith("Menu"))
    assert page.locator(".eyes-up").is_visible()
    state = json.loads(news[-1]) | {"here": [0, 1, 2, 3]}
    for status, line in (("", texts["before_0"]), ("left", "")):
        state["standing"]["scores"][0]["status"] = status
        tell(sockets, *next_state("waits", "fr")[:-1], json.dumps(state))
        wait_until(page, lambda line=line: page.inner_text(".eyes-up .before") == line)


@pytest.mark.parametrize("people", [4, 2])
def test_a_phone_whose_host_is_away_names_from_whom_the_cup_is_missing_and_votes(browser, people):
    page, name = sized(browser), {"name": "Cem"}
    page.clock.install()
    texts = [each for each in messages(STATES["waits"], "en") if isinstance(each, str)]
    welcome, *news = map(json.loads, texts)
    welcome |= {"people": people, "phones": True, "apart": True}
    news[-1]["here"] = [0, 1, 2, 3]
    lobby = json.loads(lobby_of(place=0, is_host=False, plays=True))
    lobby |= {"gathering": {"code": "123456", "host": "ab", "session": "cd"}}
    told = [*map(json.dumps, (lobby, welcome, *news))]
    sent = stage(page, "/phone", told, "en", sockets=[])
    page.locator(".score").first.wait_for(state="attached")
    page.evaluate(FROM_WORKER, ["plays", {"seat": 0, "session": "ab", "numbers": [1]}])
    page.evaluate(FROM_WORKER, ["line", {"open": False}])
    page.clock.run_for(9_000)
    page.get_by_text("Your game goes on without the big screen.").wait_for()
    button = page.get_by_role("button", name=SAYS["goOnWithout"].format(**name), exact=True)
    lost = SAYS["line_noHost"].format(room=ROOM)
    if people == 2:  # a bot, which is gone with its host; half of all seats cannot vote it out
        page.evaluate(FROM_WORKER, ["text", news[-1] | {"here": [0, 3]}])
        assert (page.inner_text("#notice"), button.is_visible()) == (lost, False)
    page.evaluate(FROM_WORKER, ["text", news[-1] | {"here": [0, 1, 3]}])
    missing = SAYS["missing"].format(**name) if people == 4 else lost
    assert page.inner_text("#notice") == missing
    button.click()
    assert page.inner_text("#notice") == SAYS["goOnVoted"].format(**name)
    assert {"do": "without", "seat": 0, "gone": 2} in sent


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


def test_the_sheet_of_a_host_keeps_its_words_chooses_a_handicap_and_refuses_old_rules(browser):
    page, sockets, words = sized(browser, 1280, 720), [], section("page", "en")
    kept = '{"game": "class", "options": {"gone": true}}'
    page.add_init_script(f"localStorage.setItem('maexchen.ours', '{kept}')")
    sent = stage(page, "/phone", [lobby_of(is_host=True, place=0)], "en", sockets=sockets)
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
    choose_short(page)
    assert page.locator("#lobby .again").inner_text().startswith("Start"), "a number is typed"


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
