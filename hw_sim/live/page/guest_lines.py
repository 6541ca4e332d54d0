"""The lines of an evening's guests, at the tab that hosts it: their pages, lobby and requests."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from firmware.link.broker.link import BrokerLink
from firmware.table.protocol import Budget
from firmware.table.protocol.invitations import EVERYBODY
from firmware.table.protocol.room_line import HostLines
from hw_sim.live.page.evening_line import (
    LOBBY,
    MOST_BYTES,
    PAGE,
    Answer,
    Ask,
    Cuts,
    Frame,
    Opens,
    Says,
    Talk,
    Wide,
    decode,
    encode,
)
from hw_sim.live.page.streams import RunningTasks, Serve
from hw_sim.live.web.client import LineConnection

TICK_S: Final = 0.25
ASKS_PER_S, ASKS_AT_ONCE = 2, 30
"""The requests of one line: so many in the long run, and so many at once."""
Answers = Callable[[str, str], Awaitable[tuple[int, str]]]
"""Answers a path and a body: the status as in HTTP, and JSON or a text."""


class _Guest:
    """One line: its streams, and how many requests it may still make."""

    def __init__(self, now_us: int) -> None:
        self.streams: dict[int, LineConnection] = {}
        self.told_wide = False
        self.asks = Budget(ASKS_AT_ONCE, ASKS_PER_S, now_us)

    def end(self, stream: int) -> None:
        """End a stream that its guest has ended."""
        if (connection := self.streams.pop(stream, None)) is not None:
            connection.take(None)


class GuestLines:
    """Serves the lines of guests in a room, on the running loop.

    Args:
        lines: the sealed lines.
        answers: see `Answers`.
        serve_page, serve_lobby: serve a stream of a guest until it ends; that in the lobby is one
            of the line's device, six bytes.
        release: of the host's site; each answer names it.
        widen: listens at all brokers; called once a guest is missed, or is at another one.

    Attributes:
        link: to the room; it gets the frames of the lines. To be set before anything else is done.
    """

    link: BrokerLink

    def __init__(
        self,
        lines: HostLines,
        answers: Answers,
        serve_page: Serve,
        serve_lobby: Callable[[LineConnection, bytes], Coroutine[Any, Any, None]],
        release: str = "",
        widen: Callable[[], None] = lambda: None,
    ) -> None:
        self._widen, self._is_wide = widen, False
        self._release = release
        self._lines = lines
        self._answers = answers
        self._serve = {PAGE: lambda page, _device: serve_page(page), LOBBY: serve_lobby}
        self._loop = asyncio.get_running_loop()
        self._guests: dict[bytes, _Guest] = {}
        self._tasks = RunningTasks()

    def receive(self, frame: bytes) -> None:
        """Take a frame of the room."""
        for line, message in self._lines.receive(frame, self._now_us):
            if message is None:
                self._forget(line)
            elif message:  # the one that opens a line may be empty
                self._hear(line, decode(message))
        self._pump()

    def tick(self) -> None:
        """Let go of lines that went silent; call it every `TICK_S`."""
        for line in self._lines.tick(self._now_us):
            self._forget(line)
            self._widen()
        for line, guest in self._guests.items() if self._is_wide else ():
            if not guest.told_wide:
                guest.told_wide = True
                self._say(line, Wide())
        self._pump()

    def drop(self) -> None:
        """End all lines: their broker is gone, and guests call again once it is back."""
        for line in tuple(self._guests):
            self._lines.end(line)
            self._forget(line)

    def close(self) -> None:
        """End all streams; nothing is said."""
        for line in tuple(self._guests):
            self._forget(line)
        self._tasks.cancel()

    def _hear(self, line: bytes, said: Talk | None) -> None:
        """Do what a guest says; the line ends of one who says what no guest does, or too much."""
        guest = self._guests.setdefault(line, _Guest(self._now_us))
        do = _HEARD.get(type(said))
        if do is None or do(self, line, guest, said) is False:
            self._lines.end(line)
            self._forget(line)

    def _ask(self, line: bytes, guest: _Guest, ask: Ask) -> bool:
        is_few = guest.asks.take(self._now_us)
        if is_few:
            self._tasks.run(self._answer(line, ask.number, ask.path, ask.body))
        return is_few

    def _open(self, line: bytes, guest: _Guest, opens: Opens) -> bool:
        """Open a stream of a guest, in place of an earlier one."""
        stream = opens.stream
        if (serve := self._serve.get(stream)) is None:
            return False
        guest.end(stream)

        def post(message: str | bytes) -> None:
            if guest.streams.get(stream) is connection:
                said = Frame(message) if isinstance(message, bytes) else Says(stream, message)
                self._say(line, said)

        def ended(code: int, reason: str) -> None:
            if guest.streams.get(stream) is connection:
                del guest.streams[stream]
                self._say(line, Cuts(stream, code, reason))

        connection = LineConnection(post, ended)
        guest.streams[stream] = connection
        self._tasks.run(serve(connection, line[: len(EVERYBODY)]))
        return True

    def _take(self, _line: bytes, guest: _Guest, said: Says | Frame) -> None:
        stream, what = (LOBBY, said.data) if isinstance(said, Frame) else (said.stream, said.text)
        if (connection := guest.streams.get(stream)) is not None:
            connection.take(what)

    def _hear_wide(self, *_: object) -> None:
        self._is_wide = True
        self._widen()

    async def _answer(self, line: bytes, number: int, path: str, body: str) -> None:
        status, told = await self._answers(path, body)
        self._say(line, Answer(number, status, told, self._release))

    def _say(self, line: bytes, what: Talk) -> None:
        """Say something on a line, unless it is gone; nothing longer than `MOST_BYTES` crosses."""
        message = encode(what)
        if line in self._guests and len(message) <= MOST_BYTES:
            self._lines.send(line, message)
            self._loop.call_soon(self._pump)

    def _forget(self, line: bytes) -> None:
        if (guest := self._guests.pop(line, None)) is not None:
            for stream in tuple(guest.streams):
                guest.end(stream)

    def _pump(self) -> None:
        for device, frame in self._lines.take():
            self.link.send(device, frame)

    @property
    def _now_us(self) -> int:
        return round(self._loop.time() * 1e6)


_HEARD: Final[dict[type, Callable[[GuestLines, bytes, _Guest, Any], bool | None]]] = {
    Ask: GuestLines._ask,
    Opens: GuestLines._open,
    Says: GuestLines._take,
    Frame: GuestLines._take,
    Cuts: lambda _lines, _line, guest, cuts: guest.end(cuts.stream),
    Wide: GuestLines._hear_wide,
}
"""Deeds by message of a guest; False ends the line."""
