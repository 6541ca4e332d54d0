"""Pages that the site alone has: a phone's handheld, tasks as links, a handheld in a page."""

import re

import pytest

from firmware.display.text.language import ENGLISH, LANGUAGES, say, section
from firmware.display.text.rulebook import option_key, rules_of, sentence_key, sentence_of
from game import PRESETS, nearest_table, rule_set
from hw_sim.live.page.link_setup import setup_of
from hw_sim.live.site.build import FRONT
from hw_sim.story.games import differences, options_of, table_title, value_in_words
from tests.hw_sim.live.web.conftest import wait_until
from tests.hw_sim.live.web.test_site import awake, stored
from tests.support.played_pages import says, until

SEATED = "#game=class&bots=honest,honest&seed=1"
OPENS = "#game=class&seed=7"
"""Ana opens, and nothing happens until she does."""


def test_the_usual_tasks_are_links_of_tables_each_with_words():
    links = re.findall(r'^  "(.*)",$', (FRONT / "tasks.js").read_text("utf-8"), re.MULTILINE)
    assert len(links) == 10
    for number, link in enumerate(links, 1):
        carried = setup_of(link, "en")
        assert carried is not None
        assert not carried[1], "everybody meets the same dice"
        assert all(section("page", language)[f"task{number}"] for language in LANGUAGES)


def phone(browser, language="en-US"):
    return browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale=language
    )


def test_a_phone_that_opens_a_link_is_the_handheld(home, browser, opened):
    context = phone(browser)
    context.add_init_script("delete Navigator.prototype.wakeLock;")
    page = awake(opened(f"{home}{SEATED}", context=context))
    assert page.url == f"{home}seat.html{SEATED}"
    wait_until(page, lambda: page.locator("video.awake").evaluate("film => film.readyState"))
    until(page, lambda text: "sixty-four" in text)
    page.locator(".menu summary").tap()
    page.get_by_role("link", name="To the table").tap()
    awake(page)
    until(page, lambda text: "sixty-four" in text)
    page.get_by_role("link", name="As a handheld").tap()
    page.wait_for_url(f"{home}seat.html")
    awake(page)


def test_tasks_of_ones_own_are_handed_on_in_a_link(home, opened):
    page = opened(f"{home}tasks.html")
    page.get_by_text("A page of your own tasks").click()
    page.get_by_label("Title of the page").fill("Monday")
    for text, link in (("Nothing", "https://example.org/"), ("Win.", f"{home}{SEATED}")):
        page.get_by_label("What is to be done").fill(text)
        page.get_by_label("Link of a table").fill(link)
        page.get_by_role("button", name="Add the task").click()
        is_told = page.locator("#notice").text_content()
        assert ("no link of a table" in is_told) == (text == "Nothing")
    handed = opened(page.url)
    assert handed.locator("h1").text_content() == "Monday"
    assert handed.locator("#tasks li").count() == 1
    handed.get_by_role("link", name="Play: Win.").click()
    awake(handed)
    until(handed, lambda text: "sixty-four" in text)


ANOTHER = """() => {
  const other = document.createElement("maexchen-handheld");
  for (const [name, value] of [["game", "sevens"], ["players", "2"], ["lang", "en"]])
    other.setAttribute(name, value);
  document.querySelector("main").append(other);
}"""


def test_a_page_around_two_handhelds_hears_them_and_each_has_a_table_of_its_own(home, opened):
    page = opened(f"{home}example.html")
    page.evaluate(ANOTHER)
    frames = [page.frame_locator("maexchen-handheld iframe").nth(each) for each in (0, 1)]
    for frame, told in zip(frames, ("cup is empty", "For the lead")):
        frame.locator(".mine > p.hidden", has_text=told).wait_for(state="attached")
    heard = page.locator("#events")
    heard.get_by_text("You open the round: throw").first.wait_for()
    page.locator("#gestures").get_by_role("button", name="Shake").click()
    heard.get_by_text("Look, then say").first.wait_for()
    # Another language shows the same match, and not another one.
    page.locator("maexchen-handheld").first.evaluate("each => { each.language = 'fr'; }")
    heard.get_by_text("regarde").first.wait_for()


def test_the_trainer_works_without_a_record_and_remembers(home, opened):
    page = awake(opened(f"{home}train.html"))
    page.locator(":is(#ways, #ladder .beats) button").first.click()
    page.locator("#solution table").wait_for()
    page.locator("#next").click()
    page.locator("#solution table").wait_for(state="detached")
    stored(page)
    page.reload()
    awake(page)
    page.locator("#weeks summary").click()
    page.locator("#weeks td").first.wait_for()
    assert page.locator("#weeks td").nth(3).text_content() == "1"
    page.goto(f"{home}evening.html")
    awake(page)
    page.get_by_text("No game of this evening is over yet.").wait_for()


def test_two_people_pass_one_handheld_on_and_neither_sees_the_others_dice(home, opened):
    page = awake(opened(home))
    page.get_by_role("button", name="Another game").click()
    assert page.get_by_label("Several on this device").is_visible()
    page.get_by_label("Or their names").fill("Zoe, Kim")
    page.keyboard.press("Tab")
    page.wait_for_url(f"{home}seat.html#*people=2*names=Zoe%2CKim")
    page = awake(opened(f"{home}seat.html{OPENS}&names=Zoe,Kim&lang=en"))
    until(page, lambda text: "shake ·" in text)
    page.keyboard.press(" ")
    until(page, lambda text: "Throw 1" in text)
    page.keyboard.press("ArrowRight")
    until(page, lambda text: "Choice: 31" in text)
    page.keyboard.press("Enter")
    cover = page.locator("dialog.passing[open]")
    cover.get_by_text("Pass the handheld to Kim.").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    cover.wait_for()
    assert "Zoe says" not in says(page), "it is Zoe's display yet"
    top = "document.elementFromPoint(innerWidth / 2, innerHeight / 4).className"
    assert page.evaluate(top) == "passing"
    cover.get_by_role("button", name="I am Kim").click()
    until(page, lambda text: "Zoe says. thirty-one" in text)
    assert page.locator("#name").text_content() == "Kim"
    assert cover.count() == 0


@pytest.mark.night
def test_a_page_says_what_can_be_done_lights_it_and_begins_another_game(home, opened):
    page = opened(f"{home}#game=class&seed=7&lang=en")
    page.locator("#waking").wait_for(state="hidden")
    page.locator(".guide.yours .says", has_text="You open the round: throw.").wait_for()
    page.locator(".own.due-shake").wait_for()
    page.locator(".device.turn.mine").wait_for()
    page.keyboard.press(" ")
    until(page, lambda text: "Throw 1" in text)
    page.locator(".own.due-lift").wait_for()
    page.locator(".mine .lid").dblclick()
    until(page, lambda text: text.startswith("Dice"))
    page.wait_for_timeout(1500)
    assert says(page).startswith("Dice"), "it stays open"
    page.locator(".mine .lid").click()
    until(page, lambda text: not text.startswith("Dice"))
    page.get_by_role("button", name="Another game").press("Enter")
    page.get_by_role("button", name="Sevens").press("Enter")
    page.get_by_label("So many rounds").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Sevens"
    sheet, room = [page.locator(each).bounding_box() for each in (".sheet", "#lobby")]
    assert sheet["width"] > room["width"] / 2, "nobody else is beside it"
    page.get_by_label("What is your name?").fill("Eva")
    page.get_by_role("button", name="Start").press("Enter")
    page.get_by_role("region", name="Handheld of Eva").wait_for()
    until(page, lambda text: "For the lead" in text or "round begins" in text)


class Thumb:
    """Sets up a match in the lobby of a page and counts the taps; a typed number counts as one."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, name, within=None):
        self.taps += 1
        where = self.page if within is None else self.page.get_by_role("group", name=within)
        where.get_by_role("button", name=name, exact=True).click()

    def open_lobby(self):
        self.page.locator("#waking").wait_for(state="hidden")
        self.tap("Another game")

    def set(self, game, name, value):
        """Set an option as its sentence and the label of its value ask for."""
        (option,) = (each for each in options_of(game) if each.name == name)
        sentence = say(option_key(name), ENGLISH)
        if option.choices:
            self.tap(value_in_words(value, ENGLISH), sentence)
            return
        self.taps += 1
        field = self.page.get_by_label(sentence, exact=True)
        field.fill(str(value))
        field.press("Enter")

    def unfold(self):
        self.taps += 1
        self.page.get_by_text(say("page.houseRules", ENGLISH), exact=True).click()

    def differs_by(self, rules):
        """Wait until the sheet tells what these rules differ by."""
        lines = self.page.locator(".sheet .differences li")
        wait_until(self.page, lambda: lines.all_inner_texts() == differences(rules, ENGLISH))

    def begin(self):
        self.taps += 1
        self.page.get_by_role("button", name="Start").click()

    def plays(self, rules):
        """Wait until a match under these rules is played, and its page tells just these."""
        keys = dict.fromkeys((sentence_key(nearest_table(rules).table), sentence_of(rules)))
        wanted = [say(key, ENGLISH) for key in keys] + [it.text(ENGLISH) for it in rules_of(rules)]
        told = self.page.locator("#rules p")
        wait_until(self.page, lambda: told.all_text_contents()[: len(wanted)] == wanted)
        assert self.taps < FEW_TAPS


FEW_TAPS = 25


@pytest.mark.night
def test_three_people_set_their_own_maexchen_up_and_read_it_in_the_rules(home, opened):
    mia = Thumb(opened(f"{home}#game=class&seed=7&lang=en"))
    mia.open_lobby()
    mia.tap("Wikipedia")
    mia.differs_by(rule_set("wikipedia", {}))
    mia.begin()
    mia.plays(rule_set("wikipedia", {}))
    danish = rule_set("meyer", {"credit": 3, "give_in": False})
    meyer = Thumb(opened(f"{home}#game=meyer&credit=3&give_in=no&seed=7&lang=en"))
    meyer.plays(danish)
    meyer.open_lobby()
    meyer.differs_by(danish)

    plain = PRESETS["plain"]
    physicist = Thumb(mia.page)
    physicist.open_lobby()
    physicist.tap(table_title("physicist", ENGLISH))
    physicist.unfold()
    for name, value in plain.options.items():
        physicist.set("physicist", name, value)
    physicist.differs_by(rule_set("plain", {}))
    physicist.tap(say("page.keepRules", ENGLISH))
    physicist.begin()
    physicist.plays(rule_set("plain", {}))

    physicist.page.reload()
    again = Thumb(physicist.page)
    again.open_lobby()
    again.tap("Wikipedia")
    again.differs_by(rule_set("wikipedia", {}))
    again.tap(say("page.ourRules", ENGLISH))
    again.begin()
    again.plays(rule_set("plain", {}))
