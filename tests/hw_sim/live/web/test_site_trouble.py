"""The built site where something is wrong: one clear line each, and a table if there can be one."""

import os
import re
import shutil
from functools import partial
from hashlib import sha256

import pytest

from tests.hw_sim.live.web.conftest import PATIENCE_S, hosted, settled, wait_until
from tests.hw_sim.live.web.test_site import KEPT, awake, light, stored
from tests.support.nights import nightly
from tests.support.played_pages import DAMAGE, script, until

NO_TABLE = {
    "noWasm": ("delete self.WebAssembly;", "runs no WebAssembly"),
    "noMemory": (
        "WebAssembly.instantiate = WebAssembly.instantiateStreaming = async () => {"
        ' throw new RangeError("WebAssembly.instantiate(): Out of memory: Cannot allocate"); };',
        "There is not enough memory for the table",
    ),
    "notLoaded": ('throw new Error("torn");', "The table cannot be loaded here"),
}
FULL = (
    "IDBObjectStore.prototype.put = () => {"
    ' throw new DOMException("full", "QuotaExceededError"); };'
)
REFUSED = (
    "ServiceWorkerContainer.prototype.register = async () => {"
    ' throw new DOMException("denied", "SecurityError"); };'
)
FOLDERS = script("kept_folders")
NEXT, LAST = "0123456789ab", "ba9876543210"
"""The names of other releases."""
SHOWN = 'document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))'
"""The page is looked at again."""
SETTINGS = {"speed": "-5", "learned": ",,x", "language": "xx", "sound": "{", "volume": "loud"}


@pytest.fixture
def copy(site, tmp_path):
    """A copy of the site, which a test may alter."""
    return shutil.copytree(site, tmp_path / "site")


def visited(browser, address, script=""):
    """A page of a browser of its own, whose console may complain."""
    context = browser.new_context(locale="en-US")
    context.add_init_script(script)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(address)
    return page


def alter(folder, name, script):
    """Let a script of the site do something first."""
    imports, sign, rest = (folder / name).read_text().partition("\n\n")
    rewrite(folder, name, f"{imports}\n{script}{sign}{rest}")


def rewrite(folder, name, text):
    """Change a file of the release, and its digest in the list of all files."""
    path, worker = folder / name, folder / "sw.js"
    listed = worker.read_text()
    was = sha256(path.read_bytes()).hexdigest()
    assert was in listed
    path.write_text(text)
    worker.write_text(listed.replace(was, sha256(path.read_bytes()).hexdigest()))


def release(folder, was, now):
    """Make the release that was of this name another one."""
    line = (folder / "static" / "line.js").read_text()
    rewrite(folder, "static/line.js", line.replace(was, now))
    worker = folder / "sw.js"
    worker.write_text(worker.read_text().replace(was, now))


def test_where_there_can_be_no_table_a_line_says_why(copy, browser):
    with hosted(copy) as address:
        page = visited(browser, address, "delete window.WebAssembly;")
        page.locator("#waking p", has_text="runs no WebAssembly").wait_for()
        whole = (copy / "worker.js").read_text()
        for script, told in NO_TABLE.values():
            alter(copy, "worker.js", script)
            page = visited(browser, address)
            page.locator("#waking p", has_text=told).wait_for()
            page.context.close()
            rewrite(copy, "worker.js", whole)
        alter(copy, "worker.js", "await new Promise(() => {});")
        context = browser.new_context(locale="en-US")
        context.clock.install()
        page = context.new_page()
        page.goto(address)
        page.locator("#waking p", has_text="wake up").wait_for()
        settled(page, KEPT)
        context.clock.fast_forward(20_000)
        page.locator("#waking p", has_text="This takes long. Close other tabs").wait_for()
        assert page.locator("#waking progress").is_visible()


def test_where_nothing_can_be_kept_a_line_says_so_once_and_the_table_is_there(copy, browser):
    alter(copy, "worker.js", FULL)
    sent = []
    with hosted(copy, sent=sent) as address:
        page = awake(visited(browser, address, REFUSED))
        line = page.locator("#told-by-site p", has_text="keeps nothing for this page")
        line.wait_for()
        line.get_by_role("button").click()
        stored(page)
        assert line.count() == 0
        until(page, lambda text: text != "")
        assert page.evaluate("navigator.serviceWorker.controller") is None
    assert light(copy, sent)


def test_a_damaged_store_is_told_of_and_a_new_match_is_there(home, browser):
    page = awake(visited(browser, home))
    until(page, lambda text: text != "")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").wait_for()
    stored(page)
    settled(page, DAMAGE, "/kept/table/match0/seat0.sqlite-wal")
    page.evaluate(
        "all => { for (const [key, value] of Object.entries(all))"
        " localStorage.setItem(`maexchen.${key}`, value); }",
        SETTINGS,
    )
    page.reload()
    awake(page)
    page.locator("#told-by-site p", has_text="cannot read what was kept here").wait_for()
    until(page, lambda text: text != "")


def test_files_are_kept_as_they_are_at_one_moment_or_not_at_all(site, opened):
    lock = re.search(r"LOCK = (\{.*\});", (site / "python.js").read_text())[1]
    with hosted(site) as address:
        seen = settled(opened(f"{address}tasks.html"), FOLDERS, ["/kept-test", lock])
    assert seen == ["2 1", "3 3", "full", "3 3", "4 4"]


def test_a_new_version_is_offered_and_the_match_goes_on_in_it_also_if_the_old_one_is_damaged(
    copy, browser
):
    with hosted(copy) as address:
        page = awake(visited(browser, f"{address}#game=sevens&players=2&rounds=1&seed=3&lang=en"))
        until(page, lambda text: "For the lead" in text)
        page.get_by_role("button", name="Shake", exact=True).click()
        before = until(page, lambda text: "lift = show" in text)
        stored(page)
        settled(page, KEPT)
        was = page.locator("#waking").get_attribute("data-release")
        release(copy, was, NEXT)
        page.evaluate(SHOWN)
        offer = page.locator("#told-by-site p", has_text="There is a new version.")
        offer.wait_for()
        assert page.locator("#waking").get_attribute("data-release") == was
        awake(page)
        offer.get_by_role("button").click()
        goes_on_in(page, NEXT, before)
        settled(page, KEPT)
        settled(page, SPOILED, ["static/line.js"])  # the host has that of the next release alone
        release(copy, NEXT, LAST)
        page.reload()
        goes_on_in(page, LAST, before)


NEWS = script("news_told")


def test_a_page_that_stays_open_hears_of_a_new_version_as_somebody_comes_but_not_in_a_match(
    copy, browser
):
    sent, late = [], copy / "static" / "friend.js"
    os.utime(late, (0, 0))  # a browser that sees such a date asks for the file no more
    with hosted(copy, sent=sent) as address:
        page = visited(browser, f"{address}friend.html")
        wait_until(page, partial(is_kept, page))
        release(copy, re.search(r"maexchen (\w{12})", (copy / "sw.js").read_text())[1], NEXT)
        before = sent.count("/sw.js")
        lobby = {"is": "lobby", "playing": True, "places": [{"name": "Ada"}, {"name": None}]}
        for news in (lobby, {"is": "state", "over": False}, lobby | {"playing": False}):
            settled(page, NEWS, news)
        assert sent.count("/sw.js") == before
        rewrite(copy, "static/friend.js", f"{late.read_text()}\ndocument.body.id = 'next';")
        came = [{"name": "Ada"}, {"name": "Bo"}]
        settled(page, NEWS, {"is": "lobby", "playing": False, "places": came})
        offer = page.locator("#told-by-site p", has_text="There is a new version.")
        offer.wait_for()
        looks = sent.count("/sw.js")
        release(copy, NEXT, LAST)
        settled(page, NEWS, {"is": "state", "over": True})
        wait_until(page, lambda: sent.count("/sw.js") > looks)
        offer.first.get_by_role("button").click()
        page.locator("body#next").wait_for()


def goes_on_in(page, release, before):
    """Wait until a page of a release shows what was shown before."""
    page.locator(f'#waking[data-release="{release}"]').wait_for(state="attached")
    awake(page)
    until(page, lambda text: text == before)


PAGE = b"<!doctype html><title>404</title><h1>Not found</h1>"
DAMAGES = {
    "static/first.js": lambda body: PAGE,
    "app.zip": lambda body: body[: len(body) // 2],
    "static/icon-192.png": lambda body: body.replace(b"a", b"b", 1),
}
"""Files of a page, of a worker, and that no table needs; what a host sends of them instead."""
SPOILED = script("spoiled_files")


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


@pytest.mark.parametrize("listed", nightly(DAMAGES, "static/first.js"))
def test_a_first_visit_tells_of_a_damaged_file_and_plays_once_the_host_is_well(
    site, browser, listed
):
    name = sent_as(site, listed)
    damaged = {name: DAMAGES[listed]((site / name).read_bytes())}
    with hosted(site, damaged=damaged) as address:
        page = visited(browser, address)
        told(page, name)
        damaged.clear()
        page.reload()
        wait_until(page, partial(is_kept, page))
        awake(page)
        until(page, lambda text: text != "")


OF_WORKER = ["worker.js", "app.zip"]
KEPT_FILES = [OF_WORKER, ["static/waking.js"], ["app.zip", "page_table"]]


@pytest.mark.parametrize("names", nightly(KEPT_FILES, OF_WORKER))
def test_kept_files_that_are_damaged_are_loaded_anew(site, browser, names):
    with hosted(site) as address:
        page = awake(visited(browser, address))
        settled(page, SPOILED, names)
        page.reload()
        awake(page)
        until(page, lambda text: text != "")
        settled(page, SPOILED, ["worker.js"])
    page.reload()
    page.locator("#waking p", has_text="The table cannot be loaded here").wait_for()
