"""How a page is connected: by a WebSocket, or by events that it is sent and posts that it sends.

The second is for browsers that open no socket: over a certificate that was only clicked through, or
through a proxy. Both carry the same messages; see ``docs/pages.md``.
"""

import asyncio
from abc import ABC, abstractmethod
from base64 import b64encode
from contextlib import suppress
from secrets import token_urlsafe

import msgspec
from aiohttp import WSMsgType, web

from hw_sim.live.web.news import Closed, Line
from hw_sim.live.web.protocol import MOST_BYTES

PINGED_S = 20.0
"""Who has been silent for so long on a socket is pinged, and gone after as long again."""
LOOKS_S = 1.0
"""A connection of events that is gone is noticed within so long."""
MOST_POSTS = 1024
"""So many messages of posts may wait to be read."""


class PageLine(ABC):
    """A connection to a page. ``transport`` is what carries it."""

    def __init__(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    @abstractmethod
    async def send(self, message: str | bytes) -> None:
        """Send a message: JSON, or the bytes of a panel.

        Raises:
            ConnectionError, RuntimeError: the page is gone.
        """

    @abstractmethod
    async def receive(self) -> str | None:
        """The next text; empty for one that is none or too long; None when the page is gone."""

    @abstractmethod
    async def close(self, code: int, reason: str) -> None:
        """Say goodbye."""

    def cut(self) -> None:
        """Cut the connection."""
        if isinstance(self.transport, asyncio.Transport):
            self.transport.abort()


class SocketLine(PageLine):
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
        """The next text. Who is silent is pinged, and gone if he does not answer (5.5.2)."""
        pinged = False
        while True:
            try:
                message = await self._socket.receive(timeout=PINGED_S)
                if message.type is WSMsgType.PING:
                    await self._socket.pong(message.data)
            except (TimeoutError, ConnectionError) as error:
                if pinged or isinstance(error, ConnectionError):
                    return None
                pinged = True
                with suppress(ConnectionError):
                    await self._socket.ping()
                continue
            pinged = False
            if message.type is WSMsgType.TEXT and len(message.data) <= MOST_BYTES:
                return str(message.data)
            if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                return ""
            if message.type not in (WSMsgType.PING, WSMsgType.PONG):
                return None

    async def close(self, code: int, reason: str) -> None:
        """Close the socket with a code and as much of a reason as goes into a frame."""
        told = reason.encode()[:120].decode(errors="ignore").encode()
        await self._socket.close(code=code, message=told)


class EventsLine(PageLine):
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
        await self.send(msgspec.json.encode(Line(self.name)).decode())

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
                    return await self._posted.get()
            except TimeoutError:
                continue
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
        await self.send(msgspec.json.encode(Closed(code, reason)).decode())
        await self._events.write_eof()

    def cut(self) -> None:
        """Cut the connection."""
        super().cut()
        self._posted.put_nowait(None)
