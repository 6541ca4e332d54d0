"""An evening that a page of the built site hosts, over mosquitto; its guests are played here."""

import asyncio
import json
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random

import pytest

from firmware.link.broker import BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from hw_sim.air.local_broker import LOOPBACK, LocalBroker, free_port
from hw_sim.live.site.build import listed, policy
from tests.hw_sim.live.web.conftest import PATIENCE_S, hosted, wait_until
from tests.support.brokers import needs_mosquitto
from tests.support.evenings import LOOK_S, Guest

pytestmark = [needs_mosquitto, pytest.mark.whole]
NAMES = ("Annabella", "Benedikta")
SEVENS = {"game": "sevens", "options": {"rounds": 1}, "bots": []}


class Mosquitto:
    """A broker with WebSockets, and what a native guest makes of it."""

    is_up = True

    def __init__(self, folder):
        self.sockets = free_port()
        self.url = f"ws://{LOOPBACK}:{self.sockets}"
        more = (f"listener {self.sockets} {LOOPBACK}", "protocol websockets")
        self.own = LocalBroker(folder, free_port(), (), more=more)

    def session(self):
        address = BrokerAddress.of(self.own.url, open_wire=True)
        return MqttSession(address, print, Random().random, most_bytes=None)

    def end(self):
        self.is_up = False
        self.own.kill()


class Guests:
    """Guests in a thread of their own, in real time, who play whatever is begun."""

    def __init__(self, brokers, pool):
        self.brokers = {each.url: each for each in brokers}
        self._pool, self.chance = pool, Random("guests")
        self.guests, self._tasks = [], set()
        self.is_told_to_end = False

    def come(self, link, names):
        """Sit down, and play until `end`."""
        self._serving = self._pool.submit(asyncio.run, self._serve(link, names))

    def end(self):
        self.is_told_to_end = True
        self._serving.result()

    def run(self, work):
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def until(self, is_so, seconds=PATIENCE_S):
        ends_s = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < ends_s, f"in vain for {seconds} s"
            for guest in self.guests:
                guest.follow()
                for url, broker in self.brokers.items():
                    if not broker.is_up:
                        guest.lose(url)
            await asyncio.sleep(LOOK_S)

    @property
    def heard(self):
        """How much all have heard of the match."""
        worlds = [guest.world for guest in self.guests]
        return 0 if None in worlds else min(guest.seat.log.at.index for guest in self.guests)

    @property
    def are_over(self):
        return all(guest.world.is_over for guest in self.guests)

    async def _serve(self, link, names):
        for name in names:
            guest = Guest(self, name, link)
            assert guest.brokers == [*self.brokers]
            self.guests.append(guest)
            guest.open()
            await guest.sit()
        await self.until(lambda: self.guests[0].lobby)
        self.guests[0].tell(do="choose", plan=SEVENS)
        await self.until(lambda: self.is_told_to_end, 4 * PATIENCE_S)
        for guest in self.guests:
            guest.close()
        await asyncio.sleep(0.1)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()


@contextmanager
def a_broker(folder, pool):
    broker = Mosquitto(folder)
    pool.submit(asyncio.run, broker.own.start()).result()
    try:
        yield broker
    finally:
        broker.own.kill()


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
    return lambda address: opened(
        address, context=browser.new_context(service_workers="block", viewport=WIDE)
    )


WIDE = {"width": 1280, "height": 720}
HOST = "Host an evening"


def test_the_first_page_leads_to_the_big_screen_of_a_broker_that_the_site_allows(
    site, opens, tmp_path
):
    allowed = ["wss://broker.example:8884/mqtt", "ws://127.0.0.1:*"]
    with hosted(allowing(site, tmp_path / "site", allowed)) as home:
        page = opens(home)
        page.locator("#waking").wait_for(state="hidden")
        dialled = []
        page.on("websocket", lambda socket: dialled.append(socket.url))
        page.get_by_role("button", name=HOST).click()
        dialog, begin = page.get_by_role("dialog"), page.get_by_role("button", name="big screen")
        assert dialog.locator("option").all_inner_texts() == [allowed[0], "Another one"]
        assert not dialog.locator("input").is_visible()
        dialog.locator("select").select_option("")
        for address in ("wss://elsewhere.example", "https://127.0.0.1:1", "", "wss://127.0.0.1:1"):
            dialog.locator("input").fill(address)
            begin.click()
            assert "These" in dialog.locator(".why").inner_text().title(), address
        assert page.url == home
        dialog.locator("input").fill("ws://127.0.0.1:9")
        assert dialled == []
        begin.click()
        page.wait_for_url(f"{home}screen.html?table=evening#broker=ws%3A%2F%2F127.0.0.1%3A9")
        page.locator(".toast").wait_for()
        assert "127.0.0.1:9 does not answer" in page.inner_text(".toast")
        assert {*dialled} == {"ws://127.0.0.1:9/"}


def test_a_site_without_brokers_says_how_it_gets_one(site, opens, tmp_path):
    with hosted(allowing(site, tmp_path / "site", [])) as home:
        page = opens(home)
        page.get_by_role("button", name=HOST).click()
        dialog = page.get_by_role("dialog")
        assert "BROKERS=" in dialog.inner_text()
        assert dialog.get_by_role("button").all_inner_texts() == ["Close"]


def test_a_page_hosts_two_guests_is_loaded_anew_and_its_broker_ends_in_a_match(
    site, opens, tmp_path
):
    with (
        ThreadPoolExecutor() as pool,
        a_broker(tmp_path, pool) as broker,
        a_broker(tmp_path, pool) as other,
        hosted(allowing(site, tmp_path / "site", ["ws://127.0.0.1:*"])) as home,
    ):
        named = f"broker={broker.url}&broker={other.url}"
        page = opens(f"{home}screen.html?table=evening#{named}")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator(".poster .letters").wait_for()
        code = page.inner_text(".poster .letters")
        page.locator(".poster button").first.click()
        link = wait_until(page, lambda: page.evaluate("navigator.clipboard.readText()"))
        assert link.startswith(f"{home}join.html#room={code}&key=")
        guests = Guests([broker, other], pool)
        guests.come(link, NAMES)
        begin = page.locator(".poster button:enabled:last-child")
        wait_until(page, lambda: page.locator(".guest .name").all_inner_texts() == [*NAMES])
        wait_until(page, lambda: page.locator(".guest.wakes").count() == 0)
        begin.click()
        page.locator(".felt").wait_for()
        wait_until(page, lambda: guests.heard > 3)
        assert not guests.are_over
        page.reload()
        page.locator(".felt").wait_for()
        broker.end()
        wait_until(page, lambda: guests.are_over)
        page.locator(".poster .letters").wait_for()
        assert page.inner_text(".poster .letters") == code
        assert page.locator(".guest .name").all_inner_texts() == [*NAMES]
        guests.end()
