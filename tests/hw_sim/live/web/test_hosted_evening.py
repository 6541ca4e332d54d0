"""An evening that a page of the built site hosts, over mosquitto; and Firefox on that site.

Its guests are pages, too.
"""

import json
import re
import shutil
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from firmware.link.broker.topics import password_line
from hw_sim.live.site.build import ROOT, fetch_npm, listed, policy
from tests.hw_sim.live.web.conftest import hosted, wait_until
from tests.support.brokers import SocketBroker, needs_mosquitto
from tests.support.played_pages import MATCH_S, PHONE, WIDE, choose_short, play, script, sized

pytestmark = pytest.mark.whole
NAMES = ("Annabella", "Benedikta")


@contextmanager
def a_broker(folder):
    broker = SocketBroker(folder)
    broker.begin()
    try:
        yield broker
    finally:
        broker.kill()


def allowing(site, folder, brokers):
    """Return a copy of a site whose pages may speak to these brokers."""
    shutil.copytree(site, folder)
    before = policy(listed())
    for page in folder.glob("*.html"):
        page.write_text(page.read_text("utf-8").replace(before, policy(brokers)), "utf-8")
    script = f"export const BROKERS = {json.dumps(brokers)};"
    (folder / "static" / "brokers.js").write_text(script, "utf-8")
    return folder


@pytest.fixture
def opens(browser, opened):
    """Opens pages without a service worker, which keeps none of another policy."""
    return lambda address, size=WIDE: opened(
        address, context=browser.new_context(service_workers="block", viewport=size)
    )


class Evening:
    """An evening at some brokers: its big screen, the guests' link, and its site.

    ``folder``: of the site; ``home``: its address.
    """

    def __init__(self, folder, home, brokers, opens):
        self.folder, self.home, self.brokers, self.opens = folder, home, brokers, opens
        named = "&".join(f"broker={each.socket_url}" for each in brokers)
        self.screen = page = opens(f"{home}screen.html?table=evening#{named}")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator(".poster .letters").wait_for()
        page.locator(".poster button").first.click()
        self.link = wait_until(page, lambda: page.evaluate("navigator.clipboard.readText()"))

    def guest(self, name):
        """The phone of a guest who has sat down."""
        page = self.opens(self.link, PHONE)
        page.fill("#name", name)
        page.click("#form button.again")
        page.locator("#lobby .places").wait_for()
        return page

    def begin_with(self, *names):
        """Begin the match once these guests have come, and their handhelds."""
        sitting, page = self.screen.locator(".guest .name"), self.screen
        wait_until(page, lambda: sitting.all_inner_texts()[: len(names)] == [*names])
        wait_until(page, lambda: page.locator(".guest.wakes").count() == 0)
        page.locator(".poster button:enabled:last-child").click()


@pytest.fixture
def hosts(site, opens, tmp_path):
    """Hosts an evening at so many brokers, which end with the test."""
    with ExitStack() as ends:

        def host(count=1):
            brokers = [ends.enter_context(a_broker(tmp_path)) for _ in range(count)]
            folder = allowing(site, tmp_path / "site", ["ws://127.0.0.1:*"])
            return Evening(folder, ends.enter_context(hosted(folder)), brokers, opens)

        yield host


HOST = "Host an evening"


def test_the_first_page_leads_to_the_big_screen_of_a_broker_if_the_site_allows_any(
    site, opens, tmp_path
):
    allowed = ["wss://broker.example:8884/mqtt", "ws://127.0.0.1:*"]
    with hosted(allowing(site, tmp_path / "none", [])) as home:
        page = opens(home)
        page.get_by_role("button", name=HOST).click()
        assert "BROKERS=" in page.get_by_role("dialog").inner_text()
        page.close()
    with hosted(allowing(site, tmp_path / "site", allowed)) as home:
        page = opens(home)
        dialled = []
        page.on("websocket", lambda socket: dialled.append(socket.url))
        page.get_by_role("button", name=HOST).click()
        dialog, begin = page.get_by_role("dialog"), page.get_by_role("button", name="big screen")
        assert dialog.locator("option").all_inner_texts() == ["broker.example:8884", "Another one"]
        dialog.locator("select").select_option("")
        for address in ("wss://elsewhere.example", "https://127.0.0.1:1", "", "wss://127.0.0.1:1"):
            dialog.locator("input").fill(address)
            begin.click()
            assert "These" in dialog.locator(".why").inner_text().title(), address
        dialog.locator("input").fill("ws://127.0.0.1:9")
        assert dialled == []
        begin.click()
        page.wait_for_url(f"{home}screen.html?table=evening#broker=ws%3A%2F%2F127.0.0.1%3A9")
        page.locator(".toast").wait_for()
        assert "127.0.0.1:9 does not answer" in page.inner_text(".toast")
        assert {*dialled} == {"ws://127.0.0.1:9/"}


@needs_mosquitto
def test_a_page_hosts_two_guests_is_loaded_anew_and_its_broker_ends_in_a_match(hosts):
    evening = hosts(2)
    page = evening.screen
    code = page.inner_text(".poster .letters")
    assert re.search(rf"join.html#broker=.*&room={code}&key=[\w-]{{43}}$", evening.link)
    named = parse_qs(urlsplit(evening.link).fragment)["broker"]
    assert named == [each.socket_url for each in evening.brokers]
    phones = [evening.guest(name) for name in NAMES]
    choose_short(phones[0])
    evening.begin_with(*NAMES)
    page.locator(".felt").wait_for()
    ends, thrown = ".end button.again", page.locator(".throw")
    play(phones, thrown.count)
    page.reload()
    page.locator(".felt").wait_for()
    evening.brokers[0].kill()
    play(phones, lambda: all(phone.locator(ends).count() for phone in phones), 2 * MATCH_S)
    page.locator(".poster .letters").wait_for()
    assert page.inner_text(".poster .letters") == code
    assert page.locator(".guest .name").all_inner_texts()[: len(NAMES)] == [*NAMES]


@needs_mosquitto
def test_a_broker_that_lets_nobody_in_is_named_by_one_line_on_the_big_screen_and_a_phone(
    site, browser, tmp_path
):
    folder = allowing(site, tmp_path / "site", ["ws://127.0.0.1:*"])
    screen, phone = (sized(browser, service_workers="block", locale="en-US") for _ in range(2))
    broker = SocketBroker(tmp_path, accounts=[password_line("ada", "secret", bytes(12))])
    broker.begin()
    url, dialled = broker.socket_url, []
    with hosted(folder) as home:
        screen.on("websocket", lambda socket: dialled.append(socket.url))
        screen.goto(f"{home}screen.html?table=evening#broker={url}")
        phone.goto(f"{home}join.html#broker={url}&room=HKUR&key={'B' * 43}")
        refused = screen.locator("#told-by-site p", has_text="The broker refuses this evening.")
        refused.wait_for()
        assert f"broker {url}: " in refused.inner_text()
        told = phone.get_by_text(f"The broker {url} refuses: ")
        told.wait_for()
        wait_until(screen, lambda: len(dialled) >= 4)  # for guests and for the lobby, twice
        assert (refused.count(), told.count()) == (1, 1)
    broker.kill()


ROWS = script("handheld_rows")
"""Puts rows into the store of a phone's handhelds, and returns the keys of all."""


@needs_mosquitto
def test_a_page_of_another_release_is_loaded_again_and_then_the_host_has_the_older_one(
    hosts, opens
):
    evening = hosts()
    worker = evening.folder / "own_worker.js"
    text = worker.read_text()
    release = evening.screen.get_attribute("#waking", "data-release")
    assert release in text
    worker.unlink()  # it may be a link to that of the built site
    worker.write_text(text.replace(release, "f" * 12))
    page = opens(evening.link, PHONE)
    page.get_by_text("Load this page again").wait_for()
    assert "handheld" in page.evaluate(ROWS, {"friends old": {"at": 1}, "friends new": {}})
    page.get_by_role("button", name="Load it").click()
    page.get_by_text("The host has an older version").wait_for()
    assert page.evaluate(ROWS, {}) == ["friends new", "handheld"]


JOURNEY = Path(__file__).parents[3] / "support" / "journey"
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
JOURNEY_S = 250
MATCH = "#game=class&seed=7&lang=en"


@pytest.fixture(scope="module")
def packages():
    """The folder of the packages that drive Firefox."""
    if FIREFOX is None:
        pytest.skip("no Firefox: on Debian install firefox-esr")
    if shutil.which("npm") is None:
        pytest.skip("no npm: call make node, or install Node 20 or newer")
    folder = ROOT / "build" / "journey"
    fetch_npm(JOURNEY, folder)
    return folder


def travel(packages, profile, address, what):
    """The state of the page after a part of the journey, and the titles of the lessons.

    Nothing went wrong on the way.
    """
    command = ("node", JOURNEY / "journey.mjs", packages, FIREFOX, profile, address, what)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=JOURNEY_S)
    told = json.loads(done.stdout)
    assert told["complaints"] == []
    assert {host for host in told["hosts"] if host} == {address.split("/")[2]}
    return told["state"], {*told["taught"]}


def test_class_is_begun_and_goes_on_without_a_server(site, packages, tmp_path):
    with hosted(site) as address:
        played, taught = travel(packages, tmp_path, f"{address}{MATCH}", "begin")
    assert taught >= {"Shake", "Peek", "Say"}
    assert played["seen"].startswith("Dice")
    assert len(set(played["scores"])) > 1
    assert travel(packages, tmp_path, address, "return")[0] == played
