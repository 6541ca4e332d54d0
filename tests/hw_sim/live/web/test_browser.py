"""A table in a real browser, played by mouse and by keys."""

import pytest

from firmware.display.text.language import ENGLISH, say
from firmware.display.text.rulebook import option_key, rules_of, sentence_of
from game import PRESETS, rule_set
from hw_sim.story.games import differences, options_of, table_title, value_in_words
from tests.hw_sim.live.web.conftest import hosted, wait_until
from tests.support.played_pages import says, until


@pytest.mark.night
def test_a_page_says_what_can_be_done_lights_it_and_begins_another_game(site, opened):
    with hosted(site) as address:
        page = opened(f"{address}#game=class&seed=7&lang=en")
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
        wanted = differences(rules, ENGLISH)
        lines = self.page.locator(".sheet .differences li")
        wait_until(self.page, lambda: lines.all_inner_texts() == wanted)

    def begin(self):
        self.taps += 1
        self.page.get_by_role("button", name="Start").click()

    def plays(self, rules):
        """Wait until a match under these rules is played, and its page tells just these."""
        wanted = [say(sentence_of(rules), ENGLISH)]
        wanted += [rule.text(ENGLISH) for rule in rules_of(rules)]
        told = self.page.locator("#rules p")
        wait_until(self.page, lambda: told.all_text_contents()[: len(wanted)] == wanted)
        assert self.taps < FEW_TAPS


FEW_TAPS = 25


@pytest.mark.whole
def test_three_people_set_their_own_maexchen_up_and_read_it_in_the_rules(site, opened):
    with hosted(site) as address:
        mia = Thumb(opened(f"{address}#game=class&seed=7&lang=en"))
        mia.open_lobby()
        mia.tap("Wikipedia")
        mia.differs_by(rule_set("wikipedia", {}))
        mia.begin()
        mia.plays(rule_set("wikipedia", {}))
        danish = rule_set("meyer", {"credit": 3, "give_in": False})
        meyer = Thumb(opened(f"{address}#game=meyer&credit=3&give_in=no&seed=7&lang=en"))
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
