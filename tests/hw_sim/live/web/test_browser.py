"""A table in a real browser, played by mouse and by keys."""

import time
from math import pi, sin

import pytest

from firmware.display.text.language import ENGLISH, say
from firmware.display.text.rulebook import option_key, rules_of, sentence_of
from game import PRESETS, rule_set
from hw_sim.story.games import differences, options_of, table_title, value_in_words
from tests.hw_sim.live.web.conftest import PATIENCE_S, hosted, wait_until

MATCH_S = 110.0


def says(page):
    """Return the words on the display of the own handheld."""
    return page.locator(".mine > p.hidden").text_content() or ""


def until(page, told):
    """Wait until the display says something that ``told`` is content with."""
    ends_s = time.monotonic() + PATIENCE_S
    while not told(shown := says(page)):
        assert time.monotonic() < ends_s, shown
        page.wait_for_timeout(40)
    return shown


def is_over(page):
    return page.locator("button.again").count() > 0


def story(page):
    return page.locator("#story").inner_text()


class Mouse:
    """Plays with the mouse alone."""

    def __init__(self, page):
        self.page = page

    def _middle(self, selector):
        box = self.page.locator(selector).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def shake(self):
        x, y = self._middle(".mine .glass")
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        began_s = time.monotonic()
        while (since_s := time.monotonic() - began_s) < 1.8:
            swing = sin(2 * pi * 3.5 * since_s)
            mouse.move(x + 170 * swing, y + 30 * swing)
            self.page.wait_for_timeout(5)
        mouse.up()

    def press(self, selector, lasts_s):
        x, y = self._middle(selector)
        self.page.mouse.move(x, y)
        self.page.wait_for_timeout(1000)  # a finger that comes down in motion is a grip
        self.page.mouse.down()
        self.page.wait_for_timeout(lasts_s * 1000)
        self.page.mouse.up()

    def tap(self):
        self.press(".mine .pad", 0.3)

    def hold(self):
        self.press(".mine .pad", 1.2)

    def lift(self):
        x, y = self._middle(".mine .lid")
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        until(self.page, lambda text: text.startswith("Dice"))
        self.page.mouse.up()

    def left(self):
        self.page.get_by_role("button", name="Tilt left").click()

    def right(self):
        self.page.get_by_role("button", name="Tilt right").click()


def asked_for(text, last):
    """What the display asks for, after what was done last; None where there is nothing to do.

    A tap that a busy machine made a hold of opens the menu: it is left by way of the standings.
    """
    if text.startswith("Menu"):
        return "tap" if "Choice: scores" in text else "right" if "right: scores" in text else "left"
    if "Choice: done" in text:
        return "hold"
    if "Choice: go on" in text:
        return "hold" if "hold" in text else "tap"
    if "right: go on" in text:
        return "right"
    if "lift = show" in text:
        return {"shake": "lift", "tap": "shake"}.get(last, "left")
    if "shake ·" in text:
        return "shake"
    if text.startswith(("Dice", "Throw", "For the lead")) and "left: " in text:
        return "left"
    return "tap" if text.endswith("tap") else None


def play_sevens(page, hand, most_s=MATCH_S):
    """Throw, show and stop, as the display asks for, until the match is over."""
    ends_s = time.monotonic() + most_s
    done = []
    while not is_over(page):
        assert time.monotonic() < ends_s, (says(page), story(page), done)
        what = asked_for(says(page), done[-1] if done else None)
        if what is None:
            page.wait_for_timeout(60)
            continue
        before = says(page)
        getattr(hand, what)()
        done.append(what)
        for _ in range(30):
            if says(page) != before:
                break
            page.wait_for_timeout(60)
        page.wait_for_timeout(300)
    return done


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
