"""The built site, and real browsers in front of it."""

import asyncio
import inspect
import shutil
import threading
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hw_sim.live.site.build import SITE, build

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE_S = 100
"""The longest wait for one thing, on a busy machine."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test that is a coroutine runs in real time: so does the web."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def wait_until(page, is_so):
    """Wait until a call finds something that is true, and return that.

    Playwright's ``wait_for_function`` polls with ``eval``, which our pages forbid.
    """
    ends_s = time.monotonic() + PATIENCE_S
    while not (found := is_so()):
        assert time.monotonic() < ends_s, inspect.getsource(is_so) + page.inner_text("body")[:500]
        page.wait_for_timeout(40)
    return found


SETTLED = """async ([given, most_ms]) => {
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("in vain")), most_ms));
  return await Promise.race([(%s)(given), late]);
}"""


def settled(page, function, given=None):
    """Call a function in a page, and return what its promise comes to.

    Playwright's ``evaluate`` waits without end for a promise that never settles.
    """
    return page.evaluate(SETTLED % function, [given, PATIENCE_S * 1000])


SWITCHES = ["--no-sandbox", "--enable-unsafe-swiftshader"]
"""Those of Chromium: it draws in 3D without a graphics card, too."""


class Quiet(SimpleHTTPRequestHandler):
    """A plain web server, as ``python -m http.server`` has it; and the headers that it sends.

    ``sent``: the paths of all files that it has sent. ``damaged``: by path what it sends instead,
    with an old date, so that browsers may keep it for long.
    """

    def __init__(self, *arguments, headers, sent, damaged, **rest):
        self._added, self._sent, self._damaged = headers, sent, damaged
        super().__init__(*arguments, **rest)

    def do_GET(self):
        name = self.path.split("?")[0].removeprefix("/") or "index.html"
        if name not in self._damaged:
            return super().do_GET()
        body = self._damaged[name]
        self._sent.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(name))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", "Mon, 05 Jan 2026 12:00:00 GMT")
        self.end_headers()
        self.wfile.write(body)
        return None

    def copyfile(self, source, outputfile):
        self._sent.append(self.path)
        super().copyfile(source, outputfile)

    def end_headers(self):
        for name, value in self._added:
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_args):
        pass


@pytest.fixture(scope="session")
def site():
    """The folder of the built site."""
    if shutil.which("npm") is None:
        pytest.skip("no npm: call make node, or install Node 20 or newer")
    build()
    return SITE


@contextmanager
def hosted(folder, headers=(), sent=None, damaged=None):
    """A plain web server of a folder; yields its address. ``sent``, ``damaged``: as in `Quiet`."""
    sent = [] if sent is None else sent
    damaged = {} if damaged is None else damaged
    handler = partial(Quiet, directory=folder, headers=headers, sent=sent, damaged=damaged)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def home(site):
    """The address of a plain web server of the built site."""
    with hosted(site) as address:
        yield address


class Shared:
    """A browser that tests share as long as they follow each other; each has contexts of its own.

    As long as Playwright runs, so does a loop, in which no other can.
    """

    def __init__(self):
        self._open, self._browser = ExitStack(), None

    def browser(self):
        """Return Chromium, started if there is none or it is gone."""
        if self._browser is None or not self._browser.is_connected():
            from playwright.sync_api import sync_playwright

            self.end()
            chromium = self._open.enter_context(sync_playwright()).chromium
            self._browser = chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
            self._open.callback(self._browser.close)
        return self._browser

    def end(self):
        """End it, if it runs."""
        self._open.close()
        self._browser = None


SHARED = Shared()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem):
    """The browser ends before a test that wants none."""
    try:
        return (yield)
    finally:
        if "browser" not in getattr(nextitem, "fixturenames", ()):
            SHARED.end()


@pytest.fixture
def browser():
    """A browser, as good as new: what a test opens in it ends with the test."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: on Debian install chromium")
    chromium = SHARED.browser()
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def opened(browser):
    """Opens pages, each in a browser of its own; fails if one of them complains."""
    contexts, complaints = [], []

    def open_page(address, width=1440, height=900, language="en-US", context=None):
        if context is None:
            context = browser.new_context(
                viewport={"width": width, "height": height}, locale=language
            )
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on(
            "console",
            lambda message: (
                complaints.append(message.text) if message.type in ("error", "warning") else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    # When the table is put away while a page is open, the page tries to come back.
    known = (
        *("WebSocket connection", "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING"),
        *("ERR_CONNECTION_RESET", "ERR_INTERNET_DISCONNECTED"),
        "Service Worker registration blocked",  # of a context that has none
    )
    assert not [each for each in complaints if not any(one in each for one in known)]
