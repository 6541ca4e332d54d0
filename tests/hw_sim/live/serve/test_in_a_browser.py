"""The built site as it is sent, in Chromium: it plays, and its pages meet at the broker."""

import asyncio
import threading
import time
from contextlib import AsyncExitStack, contextmanager

import msgspec

from hw_sim.live.serve.broker_proxy import BrokerProxy, running_broker
from hw_sim.live.serve.certificates import Authority
from hw_sim.live.serve.site_server import SiteServer
from tests.hw_sim.live.web.conftest import PATIENCE_S
from tests.hw_sim.live.web.test_browser import until
from tests.hw_sim.live.web.test_site import SEVENS, awake
from tests.support.brokers import SOON_S, needs_amqtt, needs_mosquitto


class Home:
    """Where the site is, and its broker: what `Tab` wants to know."""

    def __init__(self, home, secure, broker_path):
        self.home, self.secure = home, secure
        self.url = f"{home.replace('http', 'ws', 1)}{broker_path[1:]}"


WORKER = """([home, broker]) => {
  self.told = [];
  self.worker?.terminate();
  const name = JSON.stringify({ language: "en", brokers: [broker] });
  self.worker = new Worker(`${home}own_worker.js`, { type: "module", name });
  const shown = (what) => (typeof what === "string" ? what : "");
  self.worker.onmessage = ({ data }) => self.told.push([data.kind, shown(data.what)]);
}"""
ROOM = {"code": "4711", "key": "00112233445566778899aabbccddeeff"}
INVITES = {"game": "sevens", "options": {"rounds": 1}, "players": 2, "stands": False}


class Tab:
    """A page of the site with a handheld of its own, in a browser that knows nobody."""

    def __init__(self, here, browser):
        self.here = here
        self.page = browser.new_context().new_page()
        self.page.goto(f"{here.home}NOTICE.txt")
        self.load()

    def load(self):
        self.page.evaluate(WORKER, [self.here.home, self.here.url])

    def tell(self, kind, **what):
        self.page.evaluate("(told) => self.worker.postMessage(told)", {"kind": kind, "what": what})

    def until(self, kind):
        """Wait until the page was told something of a kind; return what was told first."""
        ends_s = time.monotonic() + 3 * PATIENCE_S
        while True:
            told = self.page.evaluate("self.told")
            if found := [what for each, what in told if each == kind]:
                return found[0]
            assert time.monotonic() < ends_s, [each for each, _ in told]
            self.page.wait_for_timeout(100)

    @property
    def plays(self):
        return msgspec.json.decode(self.until("plays"))


@contextmanager
def at_home(site, folder, with_amqtt=False):
    """The site and a broker on a loop of their own, for as long as the block runs."""
    loop, found, ends = asyncio.new_event_loop(), [], asyncio.Event()
    ready = threading.Event()

    async def serve():
        async with AsyncExitStack() as stack:
            broker = await stack.enter_async_context(running_broker(with_amqtt=with_amqtt))
            authority = Authority(folder)
            proxy = BrokerProxy(broker)
            server = SiteServer(site, "127.0.0.1", proxy, authority)
            stack.push_async_callback(server.close)
            home = f"http://127.0.0.1:{await server.start(0)}/"
            secure = await server.start(0, authority.context("127.0.0.1"))
            server.tell([home], [f"https://127.0.0.1:{secure}/"])
            found.append(Home(home, server.sites.secure[0], proxy.path))
            ready.set()
            await ends.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert ready.wait(SOON_S)
        yield found[0]
    finally:
        loop.call_soon_threadsafe(ends.set)
        thread.join()
        loop.close()


@needs_mosquitto
def test_the_site_plays_a_throw_and_its_page_of_trust_leads_on(site, browser, opened, tmp_path):
    with at_home(site, tmp_path) as here:
        context = browser.new_context(locale="en-US", ignore_https_errors=True)
        page = opened(f"{here.home}{SEVENS}", context=context)
        awake(page)
        until(page, lambda text: "For the lead" in text)
        page.get_by_role("button", name="Shake", exact=True).click()
        until(page, lambda text: "lift = show" in text)
        page = context.new_page()
        page.goto(f"{here.home}trust.html")
        kept = f"room=HKUR&key=k&broker={here.url}"
        page.evaluate("(kept) => localStorage.setItem('maexchen.evening', kept)", kept)
        page.get_by_role("button", name="Go on, encrypted").click()
        page.wait_for_url(f"{here.secure}join.html#**")
        broker = f"{here.secure.replace('http', 'ws', 1)}mqtt"
        assert page.evaluate("new URLSearchParams(location.hash.slice(1)).get('broker')") == broker
        context.close()


@needs_amqtt
def test_two_browsers_meet_over_the_broker_and_one_that_is_loaded_anew_goes_on(
    site, browser, tmp_path
):
    with at_home(site, tmp_path, with_amqtt=True) as here:
        host, guest = Tab(here, browser), Tab(here, browser)
        guest.tell("come", name="Bo", code="4711", key="00")
        assert "16 bytes" in guest.until("refused")
        host.tell("invite", name="Ada", **ROOM, **INVITES)
        guest.tell("come", name="Bo", **ROOM)
        seats = [each.plays for each in (host, guest)]
        assert [each["seat"] for each in seats] == [0, 1]
        assert seats[0]["session"] == seats[1]["session"]
        assert seats[0]["numbers"] == seats[1]["numbers"]
        guest.until("panel")
        guest.load()
        guest.tell("come", name="Bo", **ROOM)
        assert guest.plays == seats[1]
        guest.until("panel")
