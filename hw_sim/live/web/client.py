"""One page in one browser: what it has been sent, and what comes next."""

import asyncio
import json
from typing import Any

import msgspec
from aiohttp import WSMsgType, web

from hw_sim.live.web.access import Rights
from hw_sim.live.web.protocol import MOST_BYTES
from hw_sim.live.web.told import AskedOf

PANEL = 1
"""First byte of a binary message: a panel follows."""
SLOW_S = 10.0
"""A page that does not take a message for so long is gone."""
GOODBYE_S = 1.0
"""A page that is shown out has so long to say goodbye, too."""
_MOST_WAITING, _FULL = 64, 32


class Client:
    """A page that is connected, and what is new to it.

    ``rights`` are None until it has said hello.
    """

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.BaseTransport) -> None:
        self.socket = socket
        self.transport = transport
        self.rights: Rights | None = None
        self._queue: asyncio.Queue[str | bytes] = asyncio.Queue(maxsize=_MOST_WAITING)
        self.forget()

    def forget(self) -> None:
        """Forget what was sent, so that all of it is sent anew."""
        self._panels: dict[int, bytes] = {}
        self._spoken: dict[int, str] = {}
        self._outside: dict[int, dict[str, Any]] = {}
        self._table: dict[str, Any] = {}
        self._lines = 0
        self._asked: dict[int, AskedOf] = {}

    @property
    def is_full(self) -> bool:
        """Whether more than 32 messages wait: then wait, and send the newest only."""
        return self._queue.qsize() > _FULL

    def send(self, what: dict[str, Any]) -> None:
        """Queue an object as JSON; where 64 messages wait already it is dropped."""
        self._put(json.dumps(what, ensure_ascii=False, separators=(",", ":")))

    def send_panel(self, seat: int, picture: bytes, spoken: str) -> None:
        """Send a panel and its words, each if it has changed.

        ``picture``: a byte of contrast (0 is dark), then the 1024 of the memory.
        """
        if self._panels.get(seat) != picture:
            self._panels[seat] = picture
            self._put(bytes((PANEL, seat)) + picture)
        if self._spoken.get(seat) != spoken:
            self._spoken[seat] = spoken
            self.send({"is": "says", "seat": seat, "text": spoken})

    def send_state(self, table: dict[str, Any], seats: dict[int, dict[str, Any]]) -> None:
        """Send the keys of ``table``, and of each seat, whose values have changed."""
        news = {key: value for key, value in table.items() if self._table.get(key) != value}
        changed: dict[int, dict[str, Any]] = {}
        for seat, state in seats.items():
            last = self._outside.setdefault(seat, {})
            fresh = {key: value for key, value in state.items() if last.get(key) != value}
            if fresh:
                last.update(fresh)
                changed[seat] = fresh
        self._table.update(news)
        if news or changed:
            self.send({"is": "state", **news, "seats": changed})

    def send_asked(self, asked: AskedOf) -> None:
        """Send what the display of a seat asks, if it has changed."""
        if self._asked.get(asked.seat) != asked:
            self._asked[asked.seat] = asked
            self.send(msgspec.to_builtins(asked))

    def send_story(self, lines: list[str]) -> None:
        """Send those of all lines so far that were not sent yet."""
        if len(lines) > self._lines:
            self.send({"is": "heard", "lines": lines[self._lines :]})
            self._lines = len(lines)

    async def pass_on(self) -> None:
        """Send what is queued, until cancelled or gone; who takes nothing for `SLOW_S` is cut."""
        while True:
            message = await self._queue.get()
            try:
                async with asyncio.timeout(SLOW_S):
                    if isinstance(message, bytes):
                        await self.socket.send_bytes(message)
                    else:
                        await self.socket.send_str(message)
            except (TimeoutError, ConnectionError, RuntimeError):
                self.cut()
                return

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye with a code and a reason, and cut the connection after `GOODBYE_S`."""
        told = reason.encode()[:120].decode(errors="ignore").encode()
        try:
            async with asyncio.timeout(GOODBYE_S):
                await self.socket.close(code=code, message=told)
        except (TimeoutError, ConnectionError):
            self.cut()

    def cut(self) -> None:
        """Cut the connection."""
        if isinstance(self.transport, asyncio.Transport):
            self.transport.abort()

    async def next_text(self) -> str | None:
        """The next text; empty for one that is none or too long; None when the page is gone."""
        message = await self.socket.receive()
        if message.type is WSMsgType.TEXT and len(message.data) <= MOST_BYTES:
            return str(message.data)
        if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
            return ""
        return None

    def _put(self, message: str | bytes) -> None:
        if not self._queue.full():
            self._queue.put_nowait(message)
