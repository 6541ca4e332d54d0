"""What a page sends for keys, presses and motion; what it speaks once; hints that come and go."""

import pytest

from firmware.display.text.language import say
from game import RULES
from hw_sim.live.web.outgoing import StoryLines
from tests.hw_sim.live.web.conftest import wait_until
from tests.support.nights import nightly
from tests.support.played_pages import script, sized
from tests.support.shown_pages import (
    PAGES,
    STATES,
    messages,
    news_text,
    next_state,
    show,
    show_page,
    stage,
    tell,
    trained,
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


def test_the_bench_sends_what_its_controls_say(page):
    path, news, seen = PAGES["bench"]
    sent = stage(page, path, news("en"), "en")
    page.locator(seen).first.wait_for()
    page.get_by_role("button", name="Drop the link").first.click()
    page.locator("#seek").fill("1.5")
    done(page, sent)
    asked = [each for each in sent if each["do"] in ("fault", "seek")]
    assert asked == [
        {"do": "fault", "seat": 0, "name": "link", "on": True},
        {"do": "seek", "s": 1.5},
    ]


SPOKEN = script("spoken")


@pytest.mark.parametrize("path", ["/", "/seat"])
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


def test_the_menu_is_in_the_window_of_the_smallest_phone(page):
    page.set_viewport_size({"width": 320, "height": 568})
    stage(page, "/", messages(STATES["chooses"], "fr"), "fr")
    page.locator(".case.lighted").first.wait_for()
    page.evaluate("document.querySelector('h1 small').textContent = 'La Sainte Famille'")
    box = page.locator("#menu").bounding_box()
    assert box["x"] + box["width"] <= 320


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


STYLE = "each => ['color', 'textDecorationLine'].map((name) => getComputedStyle(each)[name])"


def test_without_colours_a_value_that_is_barred_differs_from_one_that_is_allowed(browser):
    page = sized(browser, 1440, 900, forced_colors="active")
    show(page, "/seat", STATES["chooses"], "en")
    allowed, barred = (
        page.locator(".ladder button", has_text=value).evaluate(STYLE) for value in ("64", "31")
    )
    assert (allowed[1], barred[1]) == ("none", "line-through")
    assert allowed[0] != barred[0]


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


def test_a_hint_that_nobody_had_time_to_read_comes_again(page):
    page.clock.install(time=0)
    page.clock.pause_at(1_000)  # a busy machine is no reader
    sockets = []
    stage(page, "/", messages(STATES["waits"], "en"), "en", learned="", sockets=sockets)
    title = page.locator(".lesson b").get_by_text("1 Pass", exact=True)
    title.wait_for()
    for name, visible in (("a lie", "hidden"), ("waits", "visible")):
        page.clock.run_for(500)
        tell(sockets, *next_state(name, hides_moment=True))
        title.wait_for(state=visible)


def test_a_match_that_is_over_leads_to_its_judged_page_beside_it(page):
    show(page, "/", STATES["the end"], "en")
    page.context.route("**/judged.html", lambda route: route.fulfill(body="judged"))
    with page.expect_popup() as popup:
        page.locator(".end a", has_text=say("page.judged", "en")).click()
    wait_until(page, lambda: popup.value.url.endswith("/judged.html"))
    assert page.locator(".end .again").is_visible()


def test_the_trainer_draws_the_table_and_a_value_of_the_ladder_is_an_answer(page):
    show_page(page, "train", "en")
    assert page.locator("#scene .sitter.own :is(.die, .cup)").count() == 3
    assert page.locator("#scene .others .sitter").count() == 2
    with page.expect_request("**/train.json*number=1*") as asked:
        page.locator("#ladder .beats button", has_text="65").click()
    place = int(asked.value.url.rpartition("=")[2])
    assert trained("en").ways[place].value == 65


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


DRAWN = script("drawn_shake")
FASTER = {
    "en": "Faster: shake it to and fro.",
    "de": "Schneller: hin und her schütteln.",
    "fr": "Plus vite : secoue d’un côté à l’autre.",
}


@pytest.mark.parametrize("language", nightly(FASTER, "de"))
def test_a_shake_of_a_finger_that_is_too_slow_says_so(page, language):
    page.set_viewport_size({"width": 390, "height": 844})
    page.clock.install(time=0)
    show(page, "/seat", STATES["begins"], language)
    page.clock.pause_at(3_600_000)
    advice = page.locator(".advice")

    def draw(hz, lasts_s):
        page.locator(".glass").hover()
        page.mouse.down()
        page.evaluate(DRAWN, [hz, lasts_s])
        told = advice.text_content()
        page.mouse.up()
        return told

    assert draw(2, 2) == ""  # it throws, as far as the page can tell
    assert draw(0.2, 2.5) == ""  # the picture is moved
    assert draw(1, 2) == FASTER[language]
    assert page.locator(".advice").is_visible()


def test_a_shake_that_threw_nothing_says_so_once_it_has_come_to_rest(page):
    page.clock.install(time=0)
    show(page, "/seat", STATES["begins"], "en")
    page.locator(".glass").hover()
    page.mouse.down()
    page.evaluate(DRAWN, [2, 0.8])
    page.mouse.up()
    page.clock.run_for(1_300)
    page.get_by_text(FASTER["en"]).wait_for()


OPEN = ("maxen", "chicago", "sevens")
FIRST_SEEN = {game: "who leads" if game in OPEN else "waits" for game in RULES}
LEARNED = "shake,peek,say,pass,doubt,maexchen"


@pytest.mark.parametrize("path", ["/", "/seat"])
def test_every_game_says_what_it_is_about_until_its_first_round_is_over(page, path):
    """A phone says it where no hint is there, and no value is chosen."""
    for game, name in [*FIRST_SEEN.items()][path == "/" :: 2]:
        sockets, about = [], say(f"game.{game}", "en")
        told = messages(STATES[name]._replace(game=game), "en")
        stage(page, path, told, "en", learned=LEARNED, sockets=sockets)
        page.get_by_text(about.strip()).first.wait_for(state="attached")
        wait_until(page, lambda about=about: page.locator(".aim").text_content() == about)
        for later in ("sevens end", "to throw"):
            tell(sockets, next_state(later)[2])
        wait_until(page, lambda: page.locator(".aim").text_content() == "")
        page.unroute_all()
