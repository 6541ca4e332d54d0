"""Guests of an evening in browsers: a tab hosts it, phones come by its link, over mosquitto."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.hw_sim.live.web.conftest import hosted, wait_until
from tests.hw_sim.live.web.test_hosted_evening import WIDE, a_broker, allowing
from tests.support.brokers import needs_mosquitto

pytestmark = [needs_mosquitto, pytest.mark.whole]
PHONE = {"width": 390, "height": 844}
NAMES = ("Ada", "Bo")
ROWS = """rows => new Promise((done, fail) => {
  const asked = indexedDB.open("maexchen.own", 1);
  asked.onerror = fail;
  asked.onsuccess = () => {
    const kept = asked.result.transaction("kept", "readwrite").objectStore("kept");
    for (const [key, row] of Object.entries(rows)) kept.put(row, key);
    const found = kept.getAllKeys();
    found.onsuccess = () => { asked.result.close(); done(found.result); };
  };
})"""
"""Puts rows into the store of a phone's handhelds, and returns the keys of all."""


def sit(page, name):
    """Say a name while Python still loads; return once the page is a seat."""
    page.fill("#name", name)
    page.click("#form button.again")
    page.locator("body.seat-page").wait_for()
    page.locator("#lobby .places").wait_for()


def choose_short(page):
    """Choose one round of sevens, as the first guest may."""
    page.get_by_role("button", name="Sevens", exact=True).click()
    page.get_by_label("So many rounds").fill("1")
    page.get_by_label("So many rounds").dispatch_event("change")


def test_a_page_of_another_release_is_loaded_again_and_then_the_host_has_the_older_one(
    site, browser, opened, tmp_path
):
    folder = allowing(site, tmp_path / "site", ["ws://127.0.0.1:*"])
    with (
        ThreadPoolExecutor() as pool,
        a_broker(tmp_path, pool) as broker,
        hosted(folder) as home,
    ):
        context = browser.new_context(service_workers="block", viewport=WIDE)
        host = opened(f"{home}screen.html?table=evening#broker={broker.url}", context=context)
        host.context.grant_permissions(["clipboard-read", "clipboard-write"])
        host.locator(".poster .letters").wait_for()
        host.locator(".poster button").first.click()
        link = wait_until(host, lambda: host.evaluate("navigator.clipboard.readText()"))
        worker = folder / "own_worker.js"
        text = worker.read_text()
        release = host.get_attribute("#waking", "data-release")
        assert release in text
        worker.unlink()  # it may be a link to that of the built site
        worker.write_text(text.replace(release, "f" * 12))
        context = browser.new_context(service_workers="block", viewport=PHONE)
        page = opened(link, context=context)
        page.get_by_text("Load this page again").wait_for()
        assert "handheld" in page.evaluate(ROWS, {"friends old": {"at": 1}, "friends new": {}})
        page.get_by_role("button", name="Load it").click()
        page.get_by_text("The host has an older version").wait_for()
        assert page.evaluate(ROWS, {}) == ["friends new", "handheld"]
