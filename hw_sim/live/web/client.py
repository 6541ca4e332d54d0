"""One page in one browser: what it has been sent, and what comes next."""

import asyncio
import json
from typing import Any

from aiohttp import WSMsgType, web

from hw_sim.live.web.access import Rights
from hw_sim.live.web.protocol import MOST_BYTES

PANEL = 1
"""First byte of a binary message: a panel follows."""
SLOW_S = 10.0
"""A page that does not take a message for so long is gone."""
_MOST_WAITING, _FULL = 64, 32


class Client:
    """A page that is connected, and what is new to it.

    ``rights`` are None until it has said hello.
    """

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.rights: Rights | None = None
        self._queue: asyncio.Queue[str | bytes] = asyncio.Queue(maxsize=_MOST_WAITING)
        self.forget()

    def forget(self) -> None:
        """Send everything anew: another match is shown."""
        self._panels: dict[int, bytes] = {}
        self._spoken: dict[int, str] = {}
        self._outside: dict[int, dict[str, Any]] = {}
        self._table: dict[str, Any] = {}
        self._lines = 0

    @property
    def is_full(self) -> bool:
        """Whether it is slow, so that it is better to wait and send the newest only."""
        return self._queue.qsize() > _FULL

    def send(self, what: dict[str, Any]) -> None:
        """Send an object; a page that takes nothing loses it and is closed in time."""
        self._put(json.dumps(what, ensure_ascii=False, separators=(",", ":")))

    def send_panel(self, seat: int, picture: bytes, spoken: str) -> None:
        """Send a panel if it has changed: its contrast (0 is dark), its memory; and its texts."""
        if self._panels.get(seat) != picture:
            self._panels[seat] = picture
            self._put(bytes((PANEL, seat)) + picture)
        if self._spoken.get(seat) != spoken:
            self._spoken[seat] = spoken
            self.send({"is": "says", "seat": seat, "text": spoken})

    def send_state(self, table: dict[str, Any], seats: dict[int, dict[str, Any]]) -> None:
        """Send what has changed of the table, and of the outside of its handhelds."""
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

    def send_story(self, lines: list[str]) -> None:
        """Send what was said at the table since the last time."""
        if len(lines) > self._lines:
            self.send({"is": "heard", "lines": lines[self._lines :]})
            self._lines = len(lines)

    async def pass_on(self) -> None:
        """Pass on what is to be sent, until cancelled or the page is gone."""
        while True:
            message = await self._queue.get()
            try:
                async with asyncio.timeout(SLOW_S):
                    if isinstance(message, bytes):
                        await self.socket.send_bytes(message)
                    else:
                        await self.socket.send_str(message)
            except (TimeoutError, ConnectionError, RuntimeError):
                return

    async def next_text(self) -> str | None:
        """The next message, None at the end. One that is no text is an empty one."""
        message = await self.socket.receive()
        if message.type is WSMsgType.TEXT and len(message.data) <= MOST_BYTES:
            return str(message.data)
        if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
            return ""
        return None

    def _put(self, message: str | bytes) -> None:
        if not self._queue.full():
            self._queue.put_nowait(message)
