"""A table in a real browser, played by mouse and by keys."""

import time
from math import pi, sin

import pytest

from tests.hw_sim.live.web.conftest import PATIENCE_S, hosted

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
