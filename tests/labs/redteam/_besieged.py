"""A party of its own process that is attacked: its memory, and what others notice of it."""

import asyncio
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

from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType

from tests.labs.redteam._machine import LateError
from tests.support.brokers import packet

FILES = {"index.html": 200, "join.html": 200, "handheld.glb": 4 << 20}
"""The bytes of a small site, by the name of the file."""
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
    """A party of its own process, with a small site in a folder that is empty before."""

    def __init__(self, folder: Path) -> None:
        for name, size in FILES.items():
            (folder / name).write_bytes(size * b"x")
        (folder / "_headers").write_text("/*\n  X-Content-Type-Options: nosniff\n")
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "hw_sim.cli.main", "party", "--site", str(folder)),
                *("--host", "127.0.0.1", "--port", "0", "--no-tls"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
            env=os.environ | {"MAEXCHEN_TRACEBACK": "1"},
        )
        assert self._process.stdout is not None
        lines = iter(self._process.stdout.readline, "")
        told = "".join(iter(lambda: next(lines, "The party is ready\n"), "The party is ready\n"))
        found = re.search(r"http://[\d.]+:(\d+)/", told)
        assert found, f"no address: {told}"
        self.address, self.port = found[0].rstrip("/"), int(found[1])
        tasks = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        (self._broker,) = map(int, tasks.read_text().split())

    @property
    def kilobytes(self) -> int:
        """The memory of the server."""
        return _kilobytes(self._process.pid)

    @property
    def of_broker_kb(self) -> int:
        """The memory of its broker, which has bounds of its own."""
        return _kilobytes(self._broker)

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


def _kilobytes(process: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1])


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


def come_from(address: str) -> TCPConnector:
    """Return what lets a session's connections come from an address of this machine."""
    return TCPConnector(local_addr=(address, 0), limit=0, force_close=True)


class Phone:
    """A guest's connection to the broker (MQTT 3.1.1), over a WebSocket of the site."""

    def __init__(self, socket: ClientWebSocketResponse, topic: str) -> None:
        self.socket, self._topic, self._count = socket, topic.encode(), 0

    @classmethod
    async def come(cls, session: ClientSession, address: str, topic: str) -> "Phone":
        """Connect, and ask for a topic."""
        headers = {"Origin": address}
        socket = await session.ws_connect(f"{address}/mqtt", protocols=("mqtt",), headers=headers)
        phone = cls(socket, topic)
        await socket.send_bytes(CONNECT)
        await phone._heard(b"\x20\x02\x00\x00")
        await socket.send_bytes(packet(0x82, b"\x00\x01" + _counted(phone._topic) + b"\x00"))
        await phone._heard(b"\x90\x03\x00\x01\x00")
        return phone

    async def echo(self) -> None:
        """Publish something, and wait until it comes back."""
        self._count += 1
        told = f"echo {self._count:08}".encode()
        await self.socket.send_bytes(published(self._topic, told))
        await self._heard(told)

    async def _heard(self, wanted: bytes) -> None:
        heard = b""
        while wanted not in heard:
            message = await self.socket.receive()
            assert message.type is WSMsgType.BINARY, f"who plays was shown out: {message}"
            heard += message.data


def published(topic: bytes, told: bytes, *, retained: bool = False) -> bytes:
    """Return a message under a topic, of QoS 0."""
    return packet(0x31 if retained else 0x30, _counted(topic) + told)


def _counted(text: bytes) -> bytes:
    return len(text).to_bytes(2) + text


CONNECT = packet(0x10, b"\x00\x04MQTT\x04\x02\x00\x3c\x00\x00")
"""Says hello with a clean session, and asks for a name of the broker's choice."""
