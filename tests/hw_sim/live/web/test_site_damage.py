"""Files that a host sends wrongly: no browser keeps one, and all is well once the host is."""

import json
import re
from functools import partial
from itertools import cycle

import pytest

from tests.hw_sim.live.web.conftest import hosted, wait_until
from tests.hw_sim.live.web.test_browser import until
from tests.hw_sim.live.web.test_site import awake
from tests.hw_sim.live.web.test_site_trouble import (  # noqa: F401
    NEXT,
    copy,
    release,
    visited,
)

ROLES = (
    *("seat.html", "static/first.js", "static/line.js"),
    *("pyodide.asm.wasm", "static/style.css", "static/icon-192.png"),
)
"""Another page, its first script, one that others import, what a worker loads, and what is seen.
A worker, an archive and a page's script come to a match in a test of their own."""
PAGE = b"<!doctype html><title>404</title><h1>Not found</h1>"
DAMAGES = {
    "a page": lambda body: PAGE,
    "a half": lambda body: body[: len(body) // 2],
    "an old one": lambda body: body.replace(b"a", b"b", 1) if b"a" in body else body + b"\n",
}
UPDATED = """async () => {
  const kept = await navigator.serviceWorker.ready;
  const { installing } = await kept.update();
  if (!installing) return "none";
  return new Promise((done) => {
    const told = () => installing.state !== "installing" && done(installing.state);
    installing.onstatechange = told;
    told();
  });
}"""
"""Ends with the state of the new worker; with "none" if there is no other one."""
SPOILED = """async (names) => {
  const cache = await caches.open((await caches.keys())[0]);
  const type = { headers: { "Content-Type": "text/javascript" } };
  for (const name of names) await cache.put(name, new Response("<!doctype html>", type));
}"""


def listed(folder):
    """The names of all files that are kept at once."""
    files = json.loads(re.search(r"FILES = (\{.*?\});", (folder / "sw.js").read_text())[1])
    return sorted(files.keys() - {"./"})


def sent(folder, name):
    """The name by which a host sends a file."""
    packed = f"{name}.packed"
    return packed if (folder / packed).exists() else name


def told(page, name):
    """The line that says which file is damaged; there is one."""
    line = page.locator("p", has_text=re.compile(rf"sends a damaged file.*: {re.escape(name)}"))
    line.first.wait_for()
    assert line.count() == 1


def is_kept(page):
    """Whether the service worker, which has compared all files, gives them to the page."""
    from playwright.sync_api import Error

    try:
        return page.evaluate("navigator.serviceWorker.controller !== null")
    except Error:  # the page loads itself anew
        return False


@pytest.mark.whole
def test_no_damaged_file_of_a_new_release_is_kept(copy, browser):  # noqa: F811
    damaged = {}
    with hosted(copy, damaged=damaged) as address:
        page = visited(browser, address)
        awake(page)
        was = page.locator("#waking").get_attribute("data-release")
        release(copy, was)
        for name, (what, damage) in zip(listed(copy), cycle(DAMAGES.items())):
            name = sent(copy, name)
            damaged[name] = damage((copy / name).read_bytes())
            assert page.evaluate(UPDATED) == "redundant", (name, what)
            del damaged[name]
        damaged["worker.js"] = PAGE
        page.reload()
        awake(page)
        assert page.locator("#waking").get_attribute("data-release") == was
        assert page.locator("#told-by-site p").count() == 0
        del damaged["worker.js"]
        assert page.evaluate(UPDATED) == "installed"


@pytest.mark.whole
def test_a_first_visit_tells_of_a_damaged_file_and_is_well_when_the_host_is(site, browser):
    damaged, kinds = {}, list(DAMAGES.values())
    with hosted(site, damaged=damaged) as address:
        for place, name in enumerate(ROLES):
            name = sent(site, name)
            damaged[name] = kinds[place % len(kinds)]((site / name).read_bytes())
            page = visited(browser, address)
            told(page, name)
            del damaged[name]
            page.reload()
            wait_until(page, partial(is_kept, page))
            page.context.close()


@pytest.mark.parametrize("name", ["worker.js", "app.zip", "static/table.js"])
def test_a_first_visit_plays_once_the_host_is_well(site, browser, name):
    name = sent(site, name)
    damaged = {name: PAGE}
    with hosted(site, damaged=damaged) as address:
        page = visited(browser, address)
        told(page, name)
        del damaged[name]
        page.reload()
        awake(page)
        until(page, lambda text: text != "")


def test_kept_files_that_are_damaged_are_loaded_anew(site, browser):
    with hosted(site) as address:
        page = visited(browser, address)
        awake(page)
        for names in (["worker.js", "app.zip"], ["static/waking.js"]):
            page.evaluate(SPOILED, names)
            page.reload()
            awake(page)
            until(page, lambda text: text != "")
        page.evaluate(SPOILED, ["worker.js"])
    page.reload()
    page.locator("#waking p", has_text="The table cannot be loaded here").wait_for()


def test_a_new_release_takes_the_place_of_one_that_is_damaged(copy, browser):  # noqa: F811
    with hosted(copy) as address:
        page = visited(browser, address)
        awake(page)
        was = page.locator("#waking").get_attribute("data-release")
        page.evaluate(SPOILED, ["static/line.js"])  # the host has that of the next release alone
        release(copy, was)
        page.reload()
        page.locator(f'#waking[data-release="{NEXT}"]').wait_for(state="attached")
        awake(page)
