"""A server of its own process that is attacked: its memory, and what others notice of it."""

import asyncio
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from statistics import median

from aiohttp import ClientError, WSMsgType

from tests.labs.redteam._machine import LateError

MESSAGES_PER_S = 140.0
"""Just below what a page may send for long."""
MOST_GROWTH_KB = 20 * 1024
WARM_S = 60.0
"""After so long, or a fifth of the time, the server has loaded all that it needs."""
CALM_TIMES = 9
MOST_LATER_S = 0.5
"""What is done is seen within twice the time that it takes in calm, and so much more."""
PATIENCE_S = 60.0
PUT_AWAY_S = 5.0
"""Of a processor's time: others may want it as well."""
Figures = dict[str, int | float | str]
GONE = (ConnectionError, ClientError, TimeoutError)
"""What is raised where the server has cut a connection."""


def beset(
    served: "Served",
    how: Callable[["Served", float, Random], Coroutine[None, None, Figures]],
    seconds: float,
    seed: int,
) -> Figures:
    """Attack a server, and put it away: it has told of nothing, and its work for that is short."""
    try:
        figures = asyncio.run(how(served, seconds, Random(seed)))
    finally:
        told, took_s, status = served.stop()
    assert status == 0, f"the server ended with {status}: {told[-500:]}"
    if took_s >= PUT_AWAY_S:
        raise LateError(f"the server worked for {took_s:.1f} s to put itself away")
    assert "Traceback" not in told, told[:2000]
    assert "Error" not in told, told[:2000]
    return figures | {"s to put away": round(took_s, 2), "bytes on stderr": len(told)}


class Served:
    """A table server of its own process."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "hw_sim.cli.main", "table", "--folder", str(folder)),
                *("--port", "0", *arguments),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
            env=os.environ | {"MAEXCHEN_TRACEBACK": "1"},
        )
        assert self._process.stdout is not None
        found = re.search(r"http://[\d.]+:(\d+)/", self._process.stdout.readline())
        assert found, "no address"
        self.address, self.port = found[0].rstrip("/"), int(found[1])

    @property
    def kilobytes(self) -> int:
        """The memory of the process."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    @property
    def files(self) -> int:
        """How many files and connections it has open."""
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    @property
    def worked_s(self) -> float:
        """The processor's time that it has taken so far, in s."""
        found = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(found[11]) + int(found[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> tuple[str, float, int]:
        """Put it away: what it told on stderr, how long it worked for that, its exit status."""
        before_s = _of_children_s() + self.worked_s
        self._process.send_signal(signal.SIGTERM)
        try:
            _, told = self._process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            _, told = self._process.communicate()
        return told, _of_children_s() - before_s, self._process.returncode


def _of_children_s() -> float:
    """The processor's time of all processes that were started here and have ended, in s."""
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of_children.ru_utime + of_children.ru_stime


class Memory:
    """What a server has in memory at the beginning, when it is warm, and at the end."""

    def __init__(self, served: Served, seconds: float) -> None:
        self._served = served
        self.warm_after_s = min(WARM_S, seconds / 5)
        self._start_kb = served.kilobytes

    async def grows(self) -> None:
        """Wait until the server is warm: it has loaded all that it needs."""
        await asyncio.sleep(self.warm_after_s)
        self._warm_kb = self._served.kilobytes

    def end(self) -> Figures:
        """Its figures; it has hardly grown since it was warm."""
        end_kb = self._served.kilobytes
        grown_kb = end_kb - self._warm_kb
        assert grown_kb < MOST_GROWTH_KB, f"the server grew by {grown_kb / 1024:.0f} MB"
        kept = {"at the start": self._start_kb, f"after {self.warm_after_s:.0f} s": self._warm_kb}
        shown = {
            f"MB {when}": round(kb / 1024, 1)
            for when, kb in (kept | {"at the end": end_kb}).items()
        }
        return shown | {"MB grown": round(grown_kb / 1024, 1)}


class Seen:
    """How long it takes until somebody sees what he did: before an attack, and during it."""

    def __init__(self, do: Callable[[], Coroutine[None, None, None]]) -> None:
        self._do = do
        self._calm_s: list[float] = []
        self._beset_s: list[float] = []

    async def calm(self) -> None:
        """Do something a few times while nobody attacks."""
        for _ in range(CALM_TIMES):
            self._calm_s.append(await self._timed())

    async def beset(self, ends_s: float) -> None:
        """Do it again and again until a monotonic time."""
        while time.monotonic() < ends_s:
            self._beset_s.append(await self._timed())
            await asyncio.sleep(0.5)

    async def _timed(self) -> float:
        began_s = time.monotonic()
        async with asyncio.timeout(PATIENCE_S):
            await self._do()
        return time.monotonic() - began_s

    def end(self) -> Figures:
        """Its figures; nobody has noticed anything."""
        calm_s, beset_s = median(self._calm_s), median(self._beset_s)
        if beset_s >= 2 * calm_s + MOST_LATER_S:
            raise LateError(f"{beset_s:.2f} s instead of {calm_s:.2f} s")
        return {
            "s until seen, calm, in the middle": round(calm_s, 2),
            "s until seen, beset, in the middle": round(beset_s, 2),
            "s until seen, beset, at most": round(max(self._beset_s), 2),
            "seen, times": len(self._beset_s),
        }


async def news_of(socket: object, what: str) -> dict[str, object]:
    """The next news of a kind; who plays is never shown out."""
    while True:
        message = await socket.receive()
        shown_out = f"who plays was shown out: {message.data} {message.extra}"
        assert message.type in (WSMsgType.TEXT, WSMsgType.BINARY), shown_out
        if message.type is WSMsgType.TEXT and json.loads(message.data)["is"] == what:
            return json.loads(message.data)


async def flood(
    socket: object, message: Callable[[int], object], until_s: float, reading: asyncio.Task[None]
) -> int:
    """Send what comes of a count, as often as a page may, until it is shown out; how often."""
    began_s, sent = time.monotonic(), 0
    with contextlib.suppress(*GONE):
        while (now_s := time.monotonic()) < until_s and not reading.done():
            while sent < (now_s - began_s) * MESSAGES_PER_S and not reading.done():
                await socket.send_json(message(sent))
                sent += 1
            await asyncio.sleep(0.02)
    return sent


async def read_all(socket: object) -> None:
    """Read what a page is sent until it is shown out."""
    with contextlib.suppress(*GONE):
        while (await socket.receive()).type in (WSMsgType.TEXT, WSMsgType.BINARY):
            pass
