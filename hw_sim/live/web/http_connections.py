"""Connections of pages over HTTP: a WebSocket; or events that a page is sent, and its posts.

The second is for browsers that open no socket: over a certificate that was only clicked through, or
through a proxy. Both carry the same messages; see ``docs/pages.md``.
"""

import asyncio
from base64 import b64encode
from secrets import token_urlsafe
from time import monotonic

import msgspec
from aiohttp import WSMsgType, web

from hw_sim.live.web.incoming import MOST_BYTES
from hw_sim.live.web.outgoing import ConnectionClosed, ConnectionName
from hw_sim.live.web.page_connection import SLOW_S, PageConnection

PINGED_S = 20.0
"""A socket that is silent for this time is pinged, and closed after as long again."""
CONTROL = 10
"""The number of messages that a ping or a pong counts: a page sends one every `PINGED_S`."""
LOOKS_S = 1.0
"""The time within which a lost connection of events is noticed."""
MOST_POSTS = 1024
"""The most messages of posts that may wait to be read."""


class SocketConnection(PageConnection):
    """A WebSocket (RFC 6455)."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.BaseTransport) -> None:
        super().__init__(transport)
        self._socket = socket

    async def send(self, message: str | bytes) -> None:
        """Send a message."""
        if isinstance(message, bytes):
            await self._socket.send_bytes(message)
        else:
            await self._socket.send_str(message)

    async def receive(self) -> str | None:
        """The next text. A silent page is pinged, and gone if it does not answer (5.5.2).

        Every frame counts, whatever its kind. While one is dealt with nothing more is read, and the
        others of the loop have their turn: what lies in memory already is had without waiting.
        """
        pinged = False
        while True:
            try:
                message = await self._socket.receive(timeout=PINGED_S)
            except TimeoutError:
                if pinged or not await self._send_control(WSMsgType.PING):
                    return None
                pinged = True
                continue
            except ConnectionError:
                return None
            pinged = False
            self._hear(on=False)
            self._count(CONTROL if message.type in _CONTROLS else 1)
            await asyncio.sleep(0)
            if message.type is WSMsgType.PING and not await self._send_control(
                WSMsgType.PONG, message.data
            ):
                return None
            self._hear(on=True)
            if message.type is WSMsgType.TEXT and len(message.data) <= MOST_BYTES:
                return str(message.data)
            if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                return ""
            if message.type not in _CONTROLS:
                return None

    async def _send_control(self, kind: WSMsgType, data: bytes = b"") -> bool:
        """Send a control frame; returns whether the page took it in time."""
        try:
            async with asyncio.timeout(SLOW_S):
                await self._socket.send_frame(data, kind)
        except (TimeoutError, ConnectionError):
            return False
        return True

    async def close(self, code: int, reason: str) -> None:
        """Close the socket with a code and as much of a reason as goes into a frame."""
        await self._socket.close(code=code, message=_fitting(reason))

    async def show_out(self, code: int, reason: str) -> None:
        """Say goodbye, and cut the connection after the page's goodbye.

        That comes behind what the page has sent already. A page that sends too much is not heard.
        """
        # Not `close`: while that waits, the loop stands still as long as frames lie in memory.
        await self._socket.send_frame(code.to_bytes(2, "big") + _fitting(reason), WSMsgType.CLOSE)
        while (await self._socket.receive()).type in _FRAMES:
            if not self._allowance.take(monotonic()):
                self._hear(on=False)
            await asyncio.sleep(0)
        self.cut()

    def _hear(self, *, on: bool) -> None:
        """Read on, or leave what comes to the system."""
        if isinstance(self.transport, asyncio.ReadTransport) and not self.transport.is_closing():
            (self.transport.resume_reading if on else self.transport.pause_reading)()


_CONTROLS = (WSMsgType.PING, WSMsgType.PONG)
_FRAMES = (WSMsgType.TEXT, WSMsgType.BINARY, *_CONTROLS)


def _fitting(reason: str) -> bytes:
    """As much of a reason as goes into a frame."""
    return reason.encode()[:120].decode(errors="ignore").encode()


class EventConnection(PageConnection):
    """Server-sent events (HTML, 9.2) to the page, and its posts from it.

    ``name`` is what a post has to know to belong to it.
    """

    def __init__(self, events: web.StreamResponse, transport: asyncio.BaseTransport) -> None:
        super().__init__(transport)
        self.name = token_urlsafe(16)
        self._events = events
        self._posted: asyncio.Queue[str | None] = asyncio.Queue()

    async def begin(self) -> None:
        """Tell the page its name."""
        await self.send(msgspec.json.encode(ConnectionName(self.name)).decode())

    async def send(self, message: str | bytes) -> None:
        """Send a message as an event: a panel in base64, as an event ``panel``."""
        if isinstance(message, bytes):
            event = b"event: panel\ndata: " + b64encode(message)
        else:
            event = b"data: " + message.encode()
        await self._events.write(event + b"\n\n")

    async def receive(self) -> str | None:
        """The next text that was posted."""
        while not self.transport.is_closing():
            try:
                async with asyncio.timeout(LOOKS_S):
                    text = await self._posted.get()
            except TimeoutError:
                continue
            self._count()
            return text
        return None

    def post(self, texts: list[str]) -> bool:
        """Take texts of the page; returns whether there was room for them."""
        if self._posted.qsize() + len(texts) >= MOST_POSTS:
            return False
        for text in texts:
            self._posted.put_nowait(text)
        return True

    async def close(self, code: int, reason: str) -> None:
        """Tell the code and the reason, and end the events."""
        await self.send(msgspec.json.encode(ConnectionClosed(code, reason)).decode())
        await self._events.write_eof()

    def cut(self) -> None:
        """Cut the connection."""
        super().cut()
        self._posted.put_nowait(None)
