"""People who play on real pages: they do what is lit on their phone. Cases of the night."""

import time
from pathlib import Path

from tests.hw_sim.live.web.conftest import PATIENCE_S, wait_until

MATCH_S = 110.0
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 720}
PRESSES_MS = {"shake": 1500, "lift": 1500, "open": 50, "cover": 50, "tap": 50, "hold": 1300}
"""How long a finger stays on what is lit."""
HEEDS = 40
"""So often a page is looked at after a press, before it is pressed again."""
DUE = """() => [...document.querySelectorAll(".guide .due button[data-gesture]")]
  .map((one) => [one.dataset.gesture, one.textContent])"""

MIDDLE = """(lit) => {
  const button = document.querySelector(lit), box = button?.getBoundingClientRect();
  return button ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""


def script(name):
    """Return a function of JavaScript that a test calls in a page: a file of scripts/."""
    return Path(__file__).with_name("scripts").joinpath(f"{name}.js").read_text("utf-8").rstrip()


DAMAGE = script("damaged_file")
"""Damages a kept file of a page's table, by its path."""


def sized(browser, width=390, height=844, **more):
    """A page of a new context, as patient as a busy machine needs."""
    page = browser.new_page(viewport={"width": width, "height": height}, **more)
    page.set_default_timeout(PATIENCE_S * 1000)
    return page


def says(page):
    """Return the words on the display of the own handheld."""
    return page.locator(".mine > p.hidden").text_content() or ""


def leaves_menu(text):
    """The key that leaves the menu, by way of the standings."""
    goes_on = "ArrowRight" if "right: scores" in text else "ArrowLeft"
    return "Enter" if "Choice: scores" in text else goes_on


def play(pages, until_so, most_s=MATCH_S):
    """Do on each page what is lit there: throw, say the least, and doubt."""
    ends_s = time.monotonic() + most_s
    done = []
    while not until_so():
        assert time.monotonic() < ends_s, (done[-9:], [says(each) for each in pages])
        for page in pages:
            done += take_turn(page)
        pages[0].wait_for_timeout(50)
    return done


def take_turn(page):
    """Do one thing that is lit, if any is; return what it was."""
    if says(page).startswith("Menu"):  # a busy machine made a hold of a tap
        page.keyboard.press(leaves_menu(says(page)), delay=100)
        return ["menu"]
    due = dict(page.evaluate(DUE))
    if "doubt" in due.get("lift", ""):
        press(page, "lift")
        return ["doubt"]
    for gesture in ("tap", "hold"):
        if gesture in due:
            press(page, gesture)
            return [gesture]
    value = page.locator(".ladder.offered button:enabled")
    if value.count():
        chosen = value.nth(0)
        said = chosen.inner_text()
        chosen.dispatch_event("click")
        wait_until(page, lambda: page.locator(".ladder .at").all_inner_texts() == [said])
        return ["value"]
    for gesture in ("shake", "lift", "open", "cover"):
        if gesture in due:
            press(page, gesture)
            return [gesture]
    return []


def press(page, gesture):
    """Press a lit button with a mouse, if it is still there, until the handheld heeds that."""
    where, before = page.evaluate(MIDDLE, f".guide .due button[data-gesture={gesture}]"), says(page)
    if where is None:
        return
    page.mouse.move(*where)
    page.mouse.down()
    page.wait_for_timeout(PRESSES_MS[gesture])
    page.mouse.up()
    for _ in range(HEEDS):
        if says(page) != before:
            break
        page.wait_for_timeout(50)


def until(page, told):
    """Wait until the display says something that ``told`` is content with."""
    ends_s = time.monotonic() + PATIENCE_S
    while not told(shown := says(page)):
        assert time.monotonic() < ends_s, shown
        page.wait_for_timeout(40)
    return shown


def choose_short(page):
    """Choose one round of sevens, as the first guest may."""
    page.get_by_role("button", name="Sevens", exact=True).click()
    page.get_by_label("So many rounds").fill("1")
    page.get_by_label("So many rounds").dispatch_event("change")
