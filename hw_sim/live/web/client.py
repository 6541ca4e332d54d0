"""One page in one browser: what it may see, what it has been sent, and what comes next."""

import asyncio
import json
from typing import Any

from aiohttp import WSMsgType, web

from hw_sim.live.web.protocol import MOST_BYTES

PANEL = 1
"""First byte of a binary message: a panel follows."""
SLOW_S = 10.0
"""A page that does not take a message for so long is gone."""


class Client:
    """A page that is connected.

    Attributes:
        view: "table", "seat" or "bench".
        seat: the seat it plays, None if it only watches.
        language: of what is told.
        entitled: seats whose panels it may see.
        rights: whether it may pause the table, break things and so on.
    """

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.view = "table"
        self.seat: int | None = None
        self.language = "en"
        self.entitled: frozenset[int] = frozenset()
        self.rights = False
        self.welcome = False
        self.bytes_sent = 0
        self._socket = socket
        self._panels: dict[int, bytes] = {}
        self._says: dict[int, str] = {}
        self._outside: dict[int, dict[str, Any]] = {}
        self._table: dict[str, Any] = {}
        self._heard = 0
        self._queue: asyncio.Queue[str | bytes] = asyncio.Queue(maxsize=64)

    def forget(self) -> None:
        """Send everything anew: another match is shown."""
        self._panels, self._says, self._outside, self._table = {}, {}, {}, {}
        self._heard = 0

    @property
    def full(self) -> bool:
        """Whether it is slow, so that it is better to wait and send the newest only."""
        return self._queue.qsize() > 32

    def tell(self, what: dict[str, Any]) -> None:
        """Send an object; a page that takes nothing loses it and is closed in time."""
        self._put(json.dumps(what, ensure_ascii=False, separators=(",", ":")))

    def panel(self, seat: int, picture: bytes) -> None:
        """Send a panel if it has changed and may be seen: its contrast (0 is dark), its memory."""
        if seat in self.entitled and self._panels.get(seat) != picture:
            self._panels[seat] = picture
            self._put(bytes((PANEL, seat)) + picture)

    def says(self, seat: int, text: str) -> None:
        """Send what a display says, if it is new and may be seen."""
        if seat in self.entitled and self._says.get(seat) != text:
            self._says[seat] = text
            self.tell({"is": "says", "seat": seat, "text": text})

    def table(self, known: dict[str, Any], seats: dict[int, dict[str, Any]]) -> None:
        """Send what has changed of the table, and of the outside of its handhelds."""
        news = {key: value for key, value in known.items() if self._table.get(key) != value}
        changed: dict[int, dict[str, Any]] = {}
        for seat, state in seats.items():
            last = self._outside.setdefault(seat, {})
            fresh = {key: value for key, value in state.items() if last.get(key) != value}
            if fresh:
                last.update(fresh)
                changed[seat] = fresh
        self._table.update(news)
        if news or changed:
            self.tell({"is": "state", **news, "seats": changed})

    def heard(self, lines: list[str]) -> None:
        """Send what was said at the table since the last time."""
        if len(lines) > self._heard:
            self.tell({"is": "heard", "lines": lines[self._heard :]})
            self._heard = len(lines)

    async def send(self) -> None:
        """Pass on what is to be sent, until cancelled or the page is gone."""
        while True:
            message = await self._queue.get()
            self.bytes_sent += len(message)
            try:
                async with asyncio.timeout(SLOW_S):
                    if isinstance(message, bytes):
                        await self._socket.send_bytes(message)
                    else:
                        await self._socket.send_str(message)
            except (TimeoutError, ConnectionError, RuntimeError):
                return

    async def next_text(self) -> str | None:
        """The next message, None at the end. One that is no text is an empty one."""
        message = await self._socket.receive()
        if message.type is WSMsgType.TEXT and len(message.data) <= MOST_BYTES:
            return str(message.data)
        if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
            return ""
        return None

    def _put(self, message: str | bytes) -> None:
        if not self._queue.full():
            self._queue.put_nowait(message)
