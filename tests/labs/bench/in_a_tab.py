"""The table of the built site in a browser, side by side with that of ``make play``.

Processor time is what Chromium counts for its processes, and the system for a server's: a busy
machine changes it less than wall time. Memory is what the renderer has in RAM, with its share of
what other processes have, too.
"""

import re
import shutil
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from hw_sim.live.site.build import SITE, build
from tests.hw_sim.live.web.conftest import CHROMIUM, hosted, served, wait_until

SETUP = {"game": "class", "players": "3", "seed": "5", "lang": "en"}
LINK = "#" + "&".join(f"{name}={value}" for name, value in SETUP.items())
STEADY_S = 20.0
PLAYED_S = 40.0
PRESSES = 30
VISITS = 2
QUIET_S, QUIET = 1.0, 0.01
"""A browser is ready once its pages take at most such a share of a core for so long."""
FIRST_PICTURE = """() => {
  const glass = document.querySelector(".mine .glass");
  if (!glass) return false;
  const { data } = glass.getContext("2d").getImageData(0, 0, glass.width, glass.height);
  for (let i = 1; i < data.length; i += 4) if (data[i] > 150) return true;
  return false;
}"""
"""Whether the own panel shows something."""
ALIVE_MS = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN"""
TOUCHED_MS = """async (presses) => {
  const pad = document.querySelector(".mine .pad"), times = [];
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const lit = (on) => new Promise((done, failed) => {
    const check = () => {
      const is = document.querySelector(".mine .case").classList.contains("lit") === on;
      return is && done(performance.now());
    };
    const seen = new MutationObserver(check);
    seen.observe(document.querySelector(".mine .case"), { attributes: true });
    setTimeout(() => failed(new Error("the pad's light does not change")), 10000);
  });
  const at = { bubbles: true, pointerId: 1, button: 0 };
  const touch = (kind) => pad.dispatchEvent(new PointerEvent(kind, at));
  touch("pointerdown");  // believes: turns the dial first
  await wait(60);
  touch("pointerup");
  await wait(3000);
  for (let press = 0; press < presses; press++) {
    await wait(400);
    const before = performance.now(), seen = lit(press % 2 === 0);
    touch(press % 2 ? "pointerup" : "pointerdown");
    times.push(await seen - before);
  }
  return times;
}"""
"""Times from a finger on the pad, or off it, until the page shows the pad's light so, in ms."""
PLAYS = """() => setInterval(() => {
  const due = document.querySelector(".ways .due button, .end .again");
  if (!due) return;
  const at = { bubbles: true, pointerId: 1, button: 0 };
  due.dispatchEvent(new PointerEvent("pointerdown", at));
  const lasts_ms = due.dataset.gesture === "tap" ? 60 : 1400;
  setTimeout(() => dispatchEvent(new PointerEvent("pointerup", at)), lasts_ms);
}, 2000)"""
"""A person who does every two seconds the first thing that can be done."""


class Load(NamedTuple):
    """Processor time in seconds: of the renderer with its worker, and of a server."""

    page_s: float
    server_s: float

    @property
    def whole_s(self) -> float:
        """Both: what a table takes."""
        return self.page_s + self.server_s


class Tab:
    """A page, and what it takes. ``server``: the process that serves it, if it has the table."""

    def __init__(self, context: BrowserContext, address: str, server: int | None) -> None:
        self._server = server
        assert context.browser is not None
        self._processes = context.browser.new_browser_cdp_session()
        self.page: Page = context.new_page()
        self.page.set_default_timeout(180_000)
        self._before = self._quiet()
        self.page.goto(address, wait_until="commit")

    def renderers(self) -> list[dict[str, float]]:
        """Return what Chromium says of the processes that have pages."""
        told = self._processes.send("SystemInfo.getProcessInfo")["processInfo"]
        return [each for each in told if each["type"] == "renderer"]

    def load(self) -> Load:
        """Return the processor time so far."""
        page_s = sum(each["cpuTime"] for each in self.renderers())
        return Load(page_s, 0.0 if self._server is None else processor_s(self._server))

    def _quiet(self) -> Load:
        """Wait until the pages of which the browser's own window is made are there."""
        while self.share(QUIET_S).page_s > QUIET:
            pass
        return self.load()

    def first_picture(self) -> Load:
        """Wait for the first picture of the own panel; return what it took."""
        wait_until(self.page, lambda: self.page.evaluate(FIRST_PICTURE))
        return _less(self.load(), self._before)

    def share(self, seconds: float) -> Load:
        """Return shares of a core for a while."""
        before, began_s = self.load(), time.perf_counter()
        self.page.wait_for_timeout(1000 * seconds)
        passed_s = time.perf_counter() - began_s
        return Load(*(each / passed_s for each in _less(self.load(), before)))

    def memory_mb(self) -> float:
        """Return the most that a renderer has in RAM, in MB (PSS)."""
        return max(_memory_mb(int(each["id"])) for each in self.renderers())


def _less(one: Load, other: Load) -> Load:
    return Load(*(mine - its for mine, its in zip(one, other, strict=True)))


def processor_s(process: int) -> float:
    """Return the processor time of a process so far, in s."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _memory_mb(process: int) -> float:
    told = Path(f"/proc/{process}/smaps_rollup").read_text("utf-8")
    found = re.search(r"^Pss: +(\d+) kB", told, re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024 / 1e6


class Steady(NamedTuple):
    """A table that has begun: its load while it waits and while it is played, memory, touches."""

    waits: Load
    played: Load
    memory_mb: float
    touch_ms: float


def steady(tab: Tab) -> Steady:
    """Measure a table once its first picture is there."""
    tab.page.wait_for_timeout(12_000)  # all handhelds are on, and nothing blinks any more
    waits = tab.share(STEADY_S)
    touch_ms = median(tab.page.evaluate(TOUCHED_MS, PRESSES))
    tab.page.evaluate(PLAYS)
    return Steady(waits, tab.share(PLAYED_S), tab.memory_mb(), touch_ms)


def browsing(browser: Browser) -> BrowserContext:
    """Return a fresh profile."""
    return browser.new_context(locale="en-US", viewport={"width": 1280, "height": 800})


def visits(browser: Browser) -> tuple[Load, float, list[Load]]:
    """Return a first visit, when something was seen in it (ms), and those that follow.

    The last one is without a server.
    """
    context = browsing(browser)
    later = []

    def again() -> None:
        page = context.pages[0]
        page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        page.wait_for_timeout(6_000)  # the browser keeps what it has compiled
        page.close()

    with hosted(SITE) as address:
        tab = Tab(context, address + LINK, None)
        first = tab.first_picture()
        alive_ms = tab.page.evaluate(ALIVE_MS)
        for _ in range(VISITS):
            again()
            later.append(Tab(context, address, None).first_picture())
        again()
    later.append(Tab(context, address, None).first_picture())
    context.close()
    return first, alive_ms, later


def main() -> None:
    """Print all figures, each with what is wanted."""
    if CHROMIUM is None or shutil.which("npm") is None:
        sys.exit("the table in a tab is not measured: it needs Chromium and npm")
    build()
    size = int(re.search(r"BYTES = (\d+)", (SITE / "sw.js").read_text())[1])
    print(f"tab: a first visit loads {size / 1e6:.2f} MB (wanted: 6.5)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        first, alive_ms, later = visits(browser)
        with hosted(SITE) as address:
            context = browsing(browser)
            in_tab = Tab(context, address + LINK, None)
            in_tab.first_picture()
            here = steady(in_tab)
            context.close()
        options = [part for name, value in SETUP.items() for part in (f"--{name}", value)]
        with TemporaryDirectory() as folder, served(Path(folder), *options) as table:
            context = browsing(browser)
            of_server = Tab(context, table.address, table.pid)
            play_s = of_server.first_picture()
            there = steady(of_server)
            context.close()
        browser.close()
    told = ", ".join(f"{each.page_s:.1f}" for each in later)
    print(f"tab: something is seen after {alive_ms:.0f} ms (wanted: 500)")
    print(f"tab: first picture takes {first.page_s:.1f} s of processor time (wanted: 5)")
    print(
        f"tab: on later visits, the last without a server, {told} s (wanted: 3); "
        f"of make play {play_s.whole_s:.1f} s"
    )
    for word, mine, its in (
        ("waits", here.waits, there.waits),
        ("is played", here.played, there.played),
    ):
        print(
            f"tab: a table of three that {word} takes {mine.page_s:.2f} of a core (wanted: 0.2); "
            f"make play {its.whole_s:.2f}, {its.server_s:.2f} of it the server"
        )
    print(
        f"tab: renderer {here.memory_mb:.0f} MB (wanted: 300); make play {there.memory_mb:.0f} MB"
    )
    more_ms = here.touch_ms - there.touch_ms
    beside = f"{more_ms:+.0f} beside make play (wanted: +40)"
    print(f"tab: touch to picture {here.touch_ms:.0f} ms, {beside}")


if __name__ == "__main__":
    main()
