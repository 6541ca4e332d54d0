"""Files that a host sends wrongly: no browser keeps one, and all is well once the host is."""

import json
import re
from functools import partial
from itertools import cycle
from pathlib import Path

import pytest

from tests.hw_sim.live.web.conftest import hosted, settled, wait_until
from tests.hw_sim.live.web.test_site import awake
from tests.hw_sim.live.web.test_site_trouble import (  # noqa: F401
    NEXT,
    copy,
    release,
    visited,
)
from tests.support.played_pages import until

ROLES = ("static/first.js", "static/line.js", "pyodide.asm.wasm", "static/icon-192.png")
"""The first script of a page, one that others import, what a worker loads, and what no table needs.
A worker, an archive and a page's script come to a match in a test of their own."""
FORMS = (
    *("seat.html", "worker.js", "app.zip", "pyodide.asm.mjs", "static/style.css"),
    *("site.webmanifest", "static/icon.svg", *ROLES),
)
"""Files of a release of every role, and of every form but those in ``PLAIN``."""
PLAIN = {".txt", ".mp4"}
PAGE = b"<!doctype html><title>404</title><h1>Not found</h1>"
DAMAGES = {
    "a page": lambda body: PAGE,
    "a half": lambda body: body[: len(body) // 2],
    "an old one": lambda body: body.replace(b"a", b"b", 1) if b"a" in body else body + b"\n",
}
UPDATED = """async () => {
  const kept = await navigator.serviceWorker.ready;
  await kept.update().catch(() => {});
}"""
"""Asks the host for another release; a browser may join that to what it already asks."""
STATES = """async () => {
  const { installing, waiting } = await navigator.serviceWorker.ready;
  return [installing, waiting].map((worker) => worker?.state ?? "");
}"""
"""The states of a worker that loads the files of another release, and of one that has them."""
SPOILED = """async (names) => {
  const cache = await caches.open((await caches.keys())[0]);
  const type = { headers: { "Content-Type": "text/javascript" } };
  for (const name of names) await cache.put(name, new Response("<!doctype html>", type));
}"""


def listed(folder):
    """The names of all files that are kept at once."""
    files = json.loads(re.search(r"FILES = (\{.*?\});", (folder / "sw.js").read_text())[1])
    return files.keys() - {"./"}


def forms(names):
    """The forms of files: the ends of their names."""
    return {Path(name).suffix for name in names}


def sent_as(folder, name):
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


def updated(page, heard=lambda: True):
    """Have a page look for another release until ``heard``; return whether it has that as a whole.

    It asks again where the browser has joined that to what the page asked before.
    """

    def has_ended():
        if not settled(page, STATES)[0]:
            if heard():
                return True
            settled(page, UPDATED)
        return False

    settled(page, UPDATED)
    wait_until(page, has_ended)
    return settled(page, STATES)[1] == "installed"


def spoil(damaged, name, body):
    """Damage a file alone; at no moment all are well."""
    damaged[name] = body
    for other in damaged.keys() - {name}:
        del damaged[other]


@pytest.mark.whole
def test_no_damaged_file_of_a_new_release_is_kept(copy, browser):  # noqa: F811
    damaged, sent = {}, []
    with hosted(copy, damaged=damaged, sent=sent) as address:
        page = visited(browser, address)
        awake(page)
        was = page.locator("#waking").get_attribute("data-release")
        assert forms(listed(copy)) - PLAIN == forms(FORMS)
        damaged["worker.js"] = PAGE
        release(copy, was)
        for name, (what, damage) in zip(FORMS, cycle(DAMAGES.items())):
            name = sent_as(copy, name)
            spoil(damaged, name, damage((copy / name).read_bytes()))
            sent.clear()
            assert not updated(page, lambda name=name: f"/{name}" in sent), (name, what)
        spoil(damaged, "worker.js", PAGE)
        page.reload()
        awake(page)
        assert page.locator("#waking").get_attribute("data-release") == was
        assert page.locator("#told-by-site p").count() == 0
        damaged.clear()
        assert updated(page)


@pytest.mark.whole
def test_a_first_visit_tells_of_a_damaged_file_and_is_well_when_the_host_is(site, browser):
    damaged, kinds = {}, list(DAMAGES.values())
    with hosted(site, damaged=damaged) as address:
        for place, name in enumerate(ROLES):
            name = sent_as(site, name)
            damaged[name] = kinds[place % len(kinds)]((site / name).read_bytes())
            page = visited(browser, address)
            told(page, name)
            del damaged[name]
            page.reload()
            wait_until(page, partial(is_kept, page))
            page.context.close()


@pytest.mark.parametrize("name", ["worker.js", "app.zip", "static/table.js"])
def test_a_first_visit_plays_once_the_host_is_well(site, browser, name):
    name = sent_as(site, name)
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
            settled(page, SPOILED, names)
            page.reload()
            awake(page)
            until(page, lambda text: text != "")
        settled(page, SPOILED, ["worker.js"])
    page.reload()
    page.locator("#waking p", has_text="The table cannot be loaded here").wait_for()


def test_a_new_release_takes_the_place_of_one_that_is_damaged(copy, browser):  # noqa: F811
    with hosted(copy) as address:
        page = visited(browser, address)
        awake(page)
        was = page.locator("#waking").get_attribute("data-release")
        settled(page, SPOILED, ["static/line.js"])  # the host has that of the next release alone
        release(copy, was)
        page.reload()
        page.locator(f'#waking[data-release="{NEXT}"]').wait_for(state="attached")
        awake(page)
