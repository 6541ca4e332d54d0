"""The built site as it is sent, in Chromium."""

import asyncio
import threading
from contextlib import AsyncExitStack, contextmanager

from hw_sim.live.serve.broker_proxy import BrokerProxy, running_broker
from hw_sim.live.serve.certificates import Authority
from hw_sim.live.serve.site_server import SiteServer
from tests.hw_sim.live.web.test_site import SEVENS, awake
from tests.support.brokers import SOON_S, needs_mosquitto
from tests.support.played_pages import until


class Home:
    """The addresses of the site and of its broker."""

    def __init__(self, home, secure, broker_path):
        self.home, self.secure = home, secure
        self.url = f"{home.replace('http', 'ws', 1)}{broker_path[1:]}"


@contextmanager
def at_home(site, folder):
    """The site and a broker on a loop of their own, for as long as the block runs."""
    loop, found, ends = asyncio.new_event_loop(), [], asyncio.Event()
    ready = threading.Event()

    async def serve():
        async with AsyncExitStack() as stack:
            broker = await stack.enter_async_context(running_broker(with_amqtt=False))
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
