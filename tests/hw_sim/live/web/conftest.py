"""A served table, and real browsers in front of it."""

import asyncio
import inspect
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE_S = 180


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test that is a coroutine runs in real time: so does the web."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


class Served:
    """A table of its own process; ``start`` again goes on with the same folder and port."""

    def __init__(self, folder, *arguments):
        self.folder = folder
        self._arguments = arguments
        self._process = None
        self.port = 0

    def start(self):
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "hw_sim.cli.main", "table", "--folder", str(self.folder)),
                *("--port", str(self.port), *self._arguments),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=Path(__file__).parents[4],
            env=os.environ | {"MAEXCHEN_TRACEBACK": "1"},
        )
        line = self._process.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)/", line)
        assert found, line
        self.address, self.port = found[0], int(found[1])
        return self

    @property
    def pid(self):
        return self._process.pid

    def kill(self):
        """End it as a power cut does."""
        self._process.kill()
        self._process.communicate(timeout=PATIENCE_S)

    def stop(self):
        self._process.terminate()
        told, _ = self._process.communicate(timeout=PATIENCE_S)
        assert self._process.returncode == 0, told


@contextmanager
def served(folder, *arguments):
    table = Served(folder, *arguments).start()
    try:
        yield table
    finally:
        table.stop()


@pytest.fixture
def browser():
    """A browser for one test: as long as Playwright runs, so does a loop, in which no other can."""
    if CHROMIUM is None:
        pytest.skip("no Chromium: on Debian install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


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
    )
    assert not [each for each in complaints if not any(one in each for one in known)]
