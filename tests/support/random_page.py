"""Somebody at a page who does anything, comes and goes, and then touches what is lit."""

import time
from random import Random

WHIMS = 0.15
"""The chance of any message at all."""
MOST_S = 3600.0
LIT = (
    ".guide .ways .due button, .ladder.offered button:enabled, .due-tilt .controls button[data-key]"
)
DARK_S = 60.0
"""The longest time without light for the seat to act, on a busy machine."""
KEYS = (" ", "l", "u", "ArrowLeft", "ArrowRight", "Enter", "h", "d", "Escape", "Tab")
HELD_S = {"hold": 1.4, "lift": 1.6, "left": 0.6, "right": 0.6}


class RandomPage:
    """Plays at ``page``, which shows the table of ``address``."""

    def __init__(self, page, address, seed):
        self.page = page
        self.address = address
        self.rng = Random(seed)
        self.touches = 0

    def wait(self, seconds):
        self.page.wait_for_timeout(1000 * seconds)

    def press(self, x, y, seconds):
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        self.wait(seconds)
        mouse.up()

    def somewhere(self):
        size = self.page.viewport_size
        return self.rng.uniform(0, size["width"]), self.rng.uniform(0, size["height"])

    def whim(self):
        rng, page = self.rng, self.page
        match rng.randrange(7):
            case 0:
                self.press(*self.somewhere(), rng.choice([0.02, 0.2, 1.5]))
            case 1:
                page.mouse.move(*self.somewhere())
                page.mouse.down()
                for _ in range(rng.randrange(20)):
                    page.mouse.move(*self.somewhere(), steps=4)
                page.mouse.up()
            case 2:
                page.reload()
            case 3:
                page.context.set_offline(True)
                self.wait(rng.choice([0.2, 3.0]))
                page.context.set_offline(False)
            case 4:
                page.keyboard.press(rng.choice(KEYS), delay=rng.choice([20, 300, 2000]))
            case 5:
                page.mouse.move(*self.somewhere())
                page.mouse.wheel(0, rng.choice([-300, 300]))
            case 6:
                page.goto(f"{self.address}bench")
                self.wait(1)
        if page.url.split("?")[0] != self.address or len(page.context.pages) > 1:
            for other in page.context.pages[1:]:
                other.close()
            page.goto(self.address)

    def obey(self):
        """Touch one of the things that are lit, if there are any."""
        lit = self.page.locator(LIT).locator("visible=true").element_handles()
        if not lit:
            self.wait(0.2)
            return False
        chosen = self.rng.choice(lit)
        box = chosen.bounding_box()
        if box is None:  # the table went on
            return True
        does = chosen.get_attribute("data-gesture") or chosen.get_attribute("data-key")
        where = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.press(*where, HELD_S.get(does, 0.08))
        self.touches += 1
        self.wait(1.5)
        return True

    def is_over(self):
        return self.page.locator("button.again").count() > 0

    def play(self):
        ends_s = lit_s = time.monotonic()
        ends_s += MOST_S
        while not self.is_over():
            now_s = time.monotonic()
            assert now_s < ends_s, self.page.locator(".says").inner_text()
            if self.rng.random() < WHIMS:
                self.whim()
                lit_s = time.monotonic()
            elif self.obey() or not self.page.locator(".guide.yours").count():
                lit_s = now_s
            assert now_s - lit_s < DARK_S, self.page.locator(".says").inner_text()
