"""An evening of eight phones and the big screen in Chromium: the host's load, and frames a second.

The processor time is the system's for the server's process. Chromium here draws without a graphics
card, so its frames are fewer than those of a computer with one.
"""

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from aiohttp import ClientSession, WSMsgType
from playwright.async_api import async_playwright

from hw_sim.live.web.stored_party import StoredParty
from tests.hw_sim.live.web.conftest import CHROMIUM, PATIENCE_S, SWITCHES, served
from tests.labs.bench.in_a_tab import processor_s
from tests.support.pages import guest, hello

GUESTS = 8
PLAYED_S = 45.0
IDLE_S = 10.0
WANTED = (0.25, 0.01, 60)
"""Share of a core, share of one while nothing is done, frames a second."""
HELD_S = {"shake": 1.4, "tap": 0.06, "lift": 1.4}
THINKS_S = 0.5
FRAMES = """() => {
  const frames = window.frames_ = [];
  const count = (at) => { frames.push(at); requestAnimationFrame(count); };
  requestAnimationFrame(count);
}"""
RATE = """() => {
  const at = window.frames_, gaps = at.slice(1).map((each, i) => each - at[i]);
  gaps.sort((one, other) => one - other);
  return [1000 * gaps.length / (at.at(-1) - at[0]), gaps[Math.floor(.99 * gaps.length)]];
}"""
"""Frames a second in the mean, and how long 99 of 100 take at most, in ms."""


class Guest:
    """A guest's phone that does the first thing which is asked of it."""

    def __init__(self, socket):
        self._socket = socket
        self._seat = None
        self._due = None

    async def listen(self):
        """Remember what is asked last, until cancelled."""
        async for message in self._socket:
            if message.type is not WSMsgType.TEXT:
                continue
            told = json.loads(message.data)
            if told["is"] == "welcome":
                self._seat = told["seat"]
            elif told["is"] == "asked":
                ways = [each for each in told["asked"]["ways"] if each["due"]]
                self._due = ways[0]["gesture"] if ways else None

    async def play(self):
        """Do it, until cancelled."""
        while True:
            await asyncio.sleep(THINKS_S)
            gesture = "lift" if self._due in ("open", "cover") else self._due
            if gesture not in HELD_S:
                continue
            for on in (True, False):
                key = {"do": "lift"} if gesture == "lift" else {"do": "key", "key": gesture}
                with suppress(ConnectionError):
                    await self._socket.send_json({**key, "seat": self._seat, "on": on})
                await asyncio.sleep(HELD_S[gesture] if on else 0)


async def evening(table, browser):
    """Print the load of the host's process and the frames of the big screen."""
    stored = msgspec.json.decode(
        (Path(table.folder) / "evening.json").read_bytes(), type=StoredParty
    )
    headers = {"Origin": table.address}
    async with ClientSession(table.address) as session, asyncio.TaskGroup() as tasks:
        guests, running = [], []
        for number in range(GUESTS):
            wanted = {"invitation": stored.code, "name": f"guest {number}"}
            async with session.post("/sit", json=wanted, headers=headers) as answer:
                secret = (await answer.json())["secret"]
            socket = await session.ws_connect("/socket", headers=headers)
            await socket.send_json(guest(secret))
            guests.append(Guest(socket))
            running.append(tasks.create_task(guests[-1].listen()))
        page = await browser.new_page(viewport={"width": 1920, "height": 1080})
        page.set_default_timeout(PATIENCE_S * 1000)
        await page.goto(f"{table.address}screen#{stored.host}")
        await page.locator(".poster").wait_for()
        share = await load(table.pid, IDLE_S)
        print(f"party: all of them wait, {share:.2%} of a core (wanted: {WANTED[1]:.0%})")
        host = await session.ws_connect("/socket", headers=headers)
        await host.send_json(hello() | {"host": stored.host})
        running.append(tasks.create_task(Guest(host).listen()))
        await host.send_json({"do": "begin"})
        await page.locator(".felt").wait_for()
        running += [tasks.create_task(each.play()) for each in guests]
        await page.evaluate(FRAMES)
        share = await load(table.pid, PLAYED_S)
        rate, worst_ms = await page.evaluate(RATE)
        print(
            f"party: eight phones play before the big screen, {share:.1%} of a core "
            f"(wanted: {WANTED[0]:.0%})\n"
            f"party: the big screen draws {rate:.0f} frames a second (wanted: {WANTED[2]}), "
            f"99 of 100 within {worst_ms:.0f} ms"
        )
        for each in running:
            each.cancel()


async def load(process, seconds):
    """Return the share of a core that a process takes in a while."""
    before, began_s = processor_s(process), time.perf_counter()
    await asyncio.sleep(seconds)
    return (processor_s(process) - before) / (time.perf_counter() - began_s)


async def main():
    with TemporaryDirectory() as folder, served(folder, "--phones", "--host", "127.0.0.1") as table:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
            await evening(table, browser)
            await browser.close()


if __name__ == "__main__":
    if CHROMIUM is None:
        print("party: no Chromium, so the big screen is not measured: on Debian install chromium")
    else:
        asyncio.run(main())
