"""A doubt by one press on the page, however short: by mouse, touch, key and chip."""

import re
import time

import pytest

from tests.hw_sim.live.web.conftest import served
from tests.hw_sim.live.web.test_browser import says

ASKED = "Do you believe it?"
CLICKS = """([where, asked]) => {
  if (document.querySelector(".guide .says").textContent.includes(asked)) return false;
  const it = document.querySelector(where);
  it?.click();
  return Boolean(it);
}"""
QUICK = (("touch", 60), ("key", 30), ("chip", 0))
WAYS = ("mouse", "touch", "key", "chip")
MANY = tuple((WAYS[place % 4], 5 + round(795 * place / 49)) for place in range(50))
MOST_S = 240.0
"""Longest way to the next offer: matches begin anew meanwhile."""
DOUBTED_S = 8.0
DUE = '.guide .ways .due [data-gesture="{}"]'


class Page:
    """A person who doubts all that he is offered, and says what costs him the least time."""

    def __init__(self, page, table):
        self.page, self.table = page, table
        self.touching = page.context.new_cdp_session(page)

    def guide(self):
        return self.page.locator(".guide .says").text_content() or ""

    def due(self, gesture):
        return self.page.locator(DUE.format(gesture))

    def click(self, where):
        """Click on what may be gone in the next moment, but answer no offer by it.

        Returns whether it was there.
        """
        return self.page.evaluate(CLICKS, [where, ASKED])

    def until_offered(self):
        """Play as quickly as it goes until there is something to be doubted."""
        ends_s = time.monotonic() + MOST_S
        while ASKED not in self.guide():
            assert time.monotonic() < ends_s, says(self.page)
            before = self.guide()
            if self.click("button.again"):
                pass
            elif "throw" in before and self.due("shake").count():
                self.page.keyboard.press(" ")
            elif "say what you have" in before or "Say a value" in before:
                self.page.keyboard.press("ArrowRight")
                self.page.wait_for_timeout(1200)
                self.page.keyboard.press("Enter")
            elif not self.click(DUE.format("tap")):
                self.page.wait_for_timeout(50)
                continue
            for _ in range(40):
                if self.guide() != before:
                    break
                self.page.wait_for_timeout(50)

    def doubt(self, way, lasts_ms):
        """Press once; returns whether that was a doubt."""
        getattr(self, way)(lasts_ms)
        ends_s = time.monotonic() + DOUBTED_S
        while time.monotonic() < ends_s:
            if re.search("was lying|It is true|You doubt|saves", says(self.page)):
                return True
            self.page.wait_for_timeout(20)
        return False

    def _middle(self, where):
        box = where.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _click(self, where, lasts_ms):
        self.page.mouse.move(*self._middle(where))
        self.page.mouse.down()
        self._keep(lasts_ms)
        self.page.mouse.up()

    def _keep(self, lasts_ms):
        if lasts_ms > 5:
            self.page.wait_for_timeout(lasts_ms)

    def mouse(self, lasts_ms):
        self._click(self.page.locator(".mine .lid"), lasts_ms)

    def chip(self, lasts_ms):
        self._click(self.due("lift"), lasts_ms)

    def touch(self, lasts_ms):
        x, y = self._middle(self.page.locator(".mine .lid"))
        points = [{"x": x, "y": y}]
        self.touching.send(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points}
        )
        self._keep(lasts_ms)
        self.touching.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def key(self, lasts_ms):
        self.page.keyboard.press("l", delay=lasts_ms)


@pytest.fixture
def person(browser, opened, tmp_path):
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, locale="en-US", has_touch=True
    )
    with served(tmp_path, "--players", "3", "--seed", "2", "--lang", "en") as table:
        page = opened(table.address, context=context)
        page.locator("#speed").select_option("50")
        yield Page(page, table)
    context.close()


def failed(person, presses):
    """The presses that were no doubt."""
    wrong = []
    for way, lasts_ms in presses:
        person.until_offered()
        if not person.doubt(way, lasts_ms):
            wrong.append((way, lasts_ms))
    return wrong


def test_a_press_on_the_page_doubts_however_short_and_the_speed_is_kept(person):
    assert failed(person, QUICK) == []
    person.table.kill()
    person.table.start()
    person.page.reload()
    person.page.locator("body.playing").wait_for()
    ends_s = time.monotonic() + MOST_S
    while person.page.locator("#speed").input_value() != "50":
        assert time.monotonic() < ends_s
        person.page.wait_for_timeout(50)


@pytest.mark.soak
def test_fifty_presses_on_the_page_are_fifty_doubts(person):
    assert failed(person, MANY) == []
