"""How the table in the browser does: reaction, load, and what an idle table costs."""

import asyncio
import json
import time
from contextlib import suppress
from math import pi, sin
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import WSMsgType

from hw_sim.table.headless import journal_folder
from tests.support.pages import connected, guest, hello, partying, seated, serving

PRESSES = 60
LOAD_S = 10.0
IDLE_S = 10.0
SHAKEN_S = 2.0


async def reaction_ms(session, address):
    """Times from a lid that is pressed to the first message that shows it moving, in ms."""
    headers = {"Origin": address}
    async with session.ws_connect("/socket", headers=headers) as socket:
        await socket.send_json(hello())
        await asyncio.sleep(1.0)
        times = []
        for turn in range(PRESSES):
            sent_s = time.perf_counter()
            await socket.send_json({"do": "lift", "seat": 0, "on": turn % 2 == 0})
            while True:
                message = await socket.receive()
                if message.type is not WSMsgType.TEXT:
                    continue
                if "lid" in json.loads(message.data).get("seats", {}).get("0", {}):
                    break
            times.append((time.perf_counter() - sent_s) * 1000)
            await asyncio.sleep(0.35)
            while True:  # what came meanwhile
                try:
                    async with asyncio.timeout(0.01):
                        await socket.receive()
                except TimeoutError:
                    break
        return sorted(times)


async def served(players, folder, measure):
    async with serving(Path(folder), players=players, seed=5) as (server, session):
        return await measure(session, server.address)


async def load(session, address):
    """Share of a core, and bytes a second that a phone is sent and sends, shaken now and then."""
    async with session.ws_connect("/socket", headers={"Origin": address}) as socket:
        await socket.send_json(hello("seat", 0))
        await asyncio.sleep(1.0)
        began, cpu = time.perf_counter(), time.process_time()
        taken = 0

        async def drag():
            nonlocal taken
            for turn in range(round(SHAKEN_S * 60)):
                row = [round(turn / 60 * 1000, 2), round(60 * sin(turn / 60 * 7 * pi), 2), 0.0]
                told = json.dumps({"do": "drag", "seat": 0, "at": [row]}, separators=(",", ":"))
                taken += len(told)
                await socket.send_str(told)
                await asyncio.sleep(1 / 60)

        dragging = asyncio.create_task(drag())
        while time.perf_counter() - began < LOAD_S:
            try:
                async with asyncio.timeout(0.5):
                    message = await socket.receive()
                taken += len(message.data)
            except TimeoutError:
                continue
        await dragging
        passed = time.perf_counter() - began
        return (time.process_time() - cpu) / passed, taken / passed


async def idle(_session, _address):
    """Share of a core while nobody looks."""
    await asyncio.sleep(5.0)
    began, cpu = time.perf_counter(), time.process_time()
    await asyncio.sleep(IDLE_S)
    return (time.process_time() - cpu) / (time.perf_counter() - began)


async def gathering(folder):
    """Share of a core, and bytes, while eight phones wait in the lobby of a party."""
    async with partying(Path(folder)) as (server, session):
        secrets = [await seated(server, session, f"guest {i}", i) for i in range(8)]
        pages = [await connected(server, session, guest(secret)) for secret in secrets]
        await asyncio.sleep(1.0)

        async def take(page):
            with suppress(TimeoutError):
                async with asyncio.timeout(IDLE_S):
                    while True:
                        taken.append(len((await page.receive()).data))

        for page in pages:  # what came while all sat down
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    while True:
                        await page.receive()
        taken = []
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*map(take, pages))
        return (time.process_time() - cpu) / (time.perf_counter() - began), sum(taken)


def main():
    with journal_folder() as folder:
        times = asyncio.run(served(8, folder, reaction_ms))
    p95 = times[int(0.95 * len(times))]
    print(
        f"table: lid to picture with 8 handhelds, median {times[len(times) // 2]:.0f} ms, "
        f"95 % within {p95:.0f} ms (wanted: 60)"
    )
    with journal_folder() as folder:
        share, rate = asyncio.run(served(8, folder, load))
    print(
        f"table: 8 handhelds in real time take {share:.1%} of a core (wanted: 50 %), "
        f"{rate / 1000:.1f} kB/s from and to a phone (wanted: 10)"
    )
    with TemporaryDirectory() as folder:
        share = asyncio.run(served(4, folder, idle))
    print(f"table: nobody there, {share:.2%} of a core (wanted: 1 %)")
    with TemporaryDirectory() as folder:
        share, sent = asyncio.run(gathering(folder))
    print(f"party: eight phones wait, {share:.2%} of a core (wanted: 1 %), {sent} bytes sent")


if __name__ == "__main__":
    main()
