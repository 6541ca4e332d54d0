"""The sealed line of a guest to the tab that hosts an evening: its messages, and its two ends.

A guest opens the line (`firmware.table.protocol.room_line`). Once it is lost, the guest's end opens
another one by itself. Over it go requests, the stream of the page, and the stream of the handheld
in the lobby.

Numbers without a source are chosen.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, Final

import msgspec

from firmware.link.broker.brokers import SILENT_S, Brokers
from firmware.link.broker.link import BrokerLink
from firmware.table.protocol import Budget
from firmware.table.protocol.invitations import EVERYBODY
from firmware.table.protocol.room_line import GuestLine, HostLines, host_key_of, room_of
from hw_sim.live.page.streams import PageLines, Serve, WorkLoop
from hw_sim.live.web.client import GONE, LineConnection
from hw_sim.live.web.gathering import TICK_S

PAGE, LOBBY = 0, 1
"""The two streams of a guest: of the page, and of the handheld in the lobby. Each stream has a
number."""
MOST_BYTES: Final = 64 * 1024
"""No longer message crosses a line."""


class Ask(msgspec.Struct, tag="ask", frozen=True):
    """From a guest: a request with a number, such as to sit down; ``body`` is JSON."""

    number: int
    path: str
    body: str = ""


class Reply(msgspec.Struct, tag="answer", frozen=True):
    """From the host: the answer to a request, with a status as in HTTP; ``body`` is JSON.

    ``release``: of the host's site, empty for one that is not known.
    """

    number: int
    status: int
    body: str
    release: str = ""


class Opens(msgspec.Struct, tag="opens", frozen=True):
    """From a guest: a stream begins, `PAGE` or `LOBBY`; one that was open ends before."""

    stream: int


class Says(msgspec.Struct, tag="says", frozen=True):
    """Either way: a text on a stream, as on a WebSocket.

    On `PAGE` it is JSON of `hw_sim.live.web.incoming` or `outgoing`. On `LOBBY` it is the secret of
    a guest's place, said once and before all frames.
    """

    stream: int
    text: str


class Frame(msgspec.Struct, tag="frame", frozen=True):
    """Either way: a clear frame on `LOBBY`."""

    data: bytes


class Cuts(msgspec.Struct, tag="cuts", frozen=True):
    """Either way: a stream ends, with a code and a reason as those of a WebSocket."""

    stream: int
    code: int = 1006
    reason: str = ""


class Wide(msgspec.Struct, tag="wide", frozen=True):
    """Either way: a guest misses the first broker alone, so all talk at all from now on."""


Talk = Ask | Reply | Opens | Says | Frame | Cuts | Wide
_decoder: Final = msgspec.msgpack.Decoder(Talk)


def encode(message: Talk) -> bytes:
    """Return a message as it crosses a line."""
    return msgspec.msgpack.encode(message)


def decode(data: bytes) -> Talk | None:
    """Read a message; None for malformed data, and for more than `MOST_BYTES`."""
    try:
        return _decoder.decode(data) if len(data) <= MOST_BYTES else None
    except msgspec.DecodeError:
        return None


SEEK_S: Final = 10.0
"""The time after which a host that has not answered may be at another broker."""
UNREACHED_S: Final = 4.0
"""The time after which brokers that have not answered count as lost."""
ENTERS_S: Final = 0.5
"""The time after which a handheld comes into the lobby again."""
LOST: Final = 503
"""The status of a request whose line was lost before its answer (HTTP, RFC 9110: Service
Unavailable)."""


@dataclass
class EveningLine:
    """A guest's end, on the running loop.

    Args:
        code: of the evening's room.
        host_key: the host's public key, 32 bytes.
        device: of the guest's handheld, six bytes.
        brokers: where the host is: at the first one, or at others once that is lost.
        post: gets what the page is told, each a dict: ``line`` whether the host answers, ``answer``
            to a request, ``opened``, ``heard`` and ``closed`` of the page's stream.
        entropy: returns that many random bytes.
        on_frame: gets each frame of the lobby.

    Attributes:
        is_open: whether the host answers.
    """

    code: str
    host_key: bytes
    device: bytes
    brokers: Brokers
    post: Callable[[str, dict[str, Any]], None]
    entropy: Callable[[int], bytes]
    on_frame: Callable[[bytes], None]

    def __post_init__(self) -> None:
        self._secret, self._entered_s = "", -inf
        self._is_wide = self._told_wide = self._is_in = False
        self._loop = WorkLoop()
        self._answered_s = self._reached_s = self._met_s = self._loop.now_s
        """The times when the host answered last, a broker, and the first one, or this end began."""
        self._line = self._new_line()
        self._session = self.brokers.session()
        self._link = BrokerLink(self._session, self._receive, entropy=self.entropy)
        self._link.listen_at(room_of(self.code, self.host_key, self.device))
        self._opened = asyncio.Event()
        self._waiting: dict[int, Ask] = {}
        self._asked: set[int] = set()
        self._page: int | None = None
        """The number of the page's stream; None without one."""

    async def start(self) -> None:
        """Begin to call the host, for as long as it takes."""
        self._loop.every(TICK_S, self._tick)
        await self._link.start()

    def close(self) -> None:
        """Leave the room without a word."""
        self._loop.cancel()
        self._link.abandon()
        self._end_streams()

    @property
    def is_open(self) -> bool:
        """Whether the host answers."""
        return self._opened.is_set()

    def ask(self, number: int, path: str, body: str) -> None:
        """Ask the host as soon as it answers; the page is told the answer with this number.

        The status is `LOST` if the line was lost meanwhile, and nobody knows what the host did.
        """
        self._waiting[number] = Ask(number, path, body)
        self._pump()

    def open_page(self, number: int) -> None:
        """Open the stream of the page, under a number, in place of an earlier one."""
        self._page = number
        if self.is_open:
            self._begin_page()
        self._pump()

    def say(self, number: int, text: str) -> None:
        """Say a text on the page's stream of a number; it is lost on one that has ended."""
        if number == self._page and self.is_open:
            self._send(Says(PAGE, text))

    def cut_page(self, number: int) -> None:
        """End the page's stream of a number."""
        if number == self._page:
            self._page = None
            if self.is_open:
                self._send(Cuts(PAGE))

    def let_in(self, secret: str) -> None:
        """Take the secret of the guest's place at the evening; empty before there is one."""
        self._secret = secret

    def say_in_lobby(self, frame: bytes) -> None:
        """Say a frame of the handheld in the lobby, as the guest there; it can be lost."""
        self._enter()
        if self._is_in:
            self._send(Frame(frame))

    def _enter(self) -> None:
        """Come into the lobby, if the guest has a place and the host answers."""
        now_s = self._loop.now_s
        is_late = now_s - self._entered_s >= ENTERS_S
        if self.is_open and self._secret and is_late and not self._is_in:
            self._is_in, self._entered_s = True, now_s
            self._send(Opens(LOBBY))
            self._send(Says(LOBBY, self._secret))

    def _begin_page(self) -> None:
        self._send(Opens(PAGE))
        self.post("opened", {"line": self._page})

    def _send(self, what: Talk) -> None:
        message = encode(what)
        if len(message) <= MOST_BYTES:
            self._line.send(message)
            self._pump()

    def _tick(self) -> None:
        self._line.tick(self._loop.now_us)
        self._pump()
        self._enter()
        now_s = self._loop.now_s
        if not self._session.is_apart:
            self._met_s = now_s
        if self._session.is_connected or not self.is_open:
            self._reached_s = now_s
        if now_s - self._reached_s > UNREACHED_S:
            self._renew()  # as the host does
        if self.is_open:
            self._answered_s = now_s
            self._is_wide |= now_s - self._met_s > SEEK_S
            if self._is_wide and not self._told_wide:
                self._told_wide = True
                self._send(Wide())
        elif now_s - self._answered_s > SEEK_S:
            self.brokers.widen()

    def _new_line(self) -> GuestLine:
        return GuestLine(self.device, self.host_key, self.entropy)

    def _renew(self) -> None:
        """Begin another line in place of one that is lost."""
        self._line, self._told_wide = self._new_line(), False
        self._line.tick(self._loop.now_us)
        self._end_streams()

    def _pump(self) -> None:
        """Send what there is to send, and note that the line has opened, or is lost."""
        if self._line.is_lost:
            self._renew()
        elif self._line.is_open and not self.is_open:
            self._opened.set()
            self.post("line", {"open": True})
            if self._page is not None:
                self._begin_page()
        if self.is_open:
            for number in tuple(self._waiting):
                self._asked.add(number)
                self._line.send(encode(self._waiting.pop(number)))
        for frame in self._line.take():
            self._link.send(None, frame)

    def _end_streams(self) -> None:
        """End all that went over a line that is lost."""
        if not self.is_open:
            return
        self._opened.clear()
        self.post("line", {"open": False})
        asked, self._asked = self._asked, set()
        for number in asked:
            self.post("answer", {"number": number, "status": LOST, "body": ""})
        self._end_page(GONE, "")
        self._is_in, self._entered_s = False, -inf

    def _end_page(self, code: int, reason: str) -> None:
        if (number := self._page) is not None:
            self._page = None
            self.post("closed", {"line": number, "code": code, "reason": reason})

    def _receive(self, frame: bytes) -> None:
        line = self._line
        for message in line.receive(frame, self._loop.now_us):
            self._hear(decode(message))
        self._pump()

    def _hear(self, came: Talk | None) -> None:
        match came:
            case Reply(number) if number in self._asked:
                self._asked.discard(number)
                self.post("answer", msgspec.to_builtins(came))
            case Says(stream, text) if stream == PAGE and self._page is not None:
                self.post("heard", {"line": self._page, "text": text})
            case Frame(frame):
                self.on_frame(frame)
            case Cuts(stream, code, reason) if stream == PAGE:
                self._end_page(code, reason)
            case Cuts(stream) if stream == LOBBY:
                self._is_in = False
            case Wide():
                self._is_wide = True  # a host that is loaded anew is told
                self.brokers.widen()


ASKS_PER_S, ASKS_AT_ONCE = 2, 30
"""The requests of one line: so many in the long run, and so many at once."""
Answers = Callable[[str, str], Awaitable[tuple[int, str]]]
"""Answers a path and a body: the status as in HTTP, and JSON or a text."""


@dataclass
class _Guest:
    """One line: its streams, and how many requests it may still make."""

    streams: PageLines[int]
    asks: Budget
    told_wide: bool = False


@dataclass
class GuestLines:
    """The host's ends of its guests' lines in an evening's room, on the running loop.

    Args:
        code: of the room.
        device: of this end, six bytes.
        private: the host's key, 32 bytes.
        brokers: where the guests are; all talk at all once a guest is missed at the first one.
        answers: see `Answers`.
        serve_page, serve_lobby: serve a stream of a guest until it ends; that in the lobby is one
            of the line's device, six bytes.
        entropy: returns that many random bytes.
        release: of the host's site; each answer names it.
    """

    code: str
    device: bytes
    private: bytes
    brokers: Brokers
    answers: Answers
    serve_page: Serve
    serve_lobby: Callable[[LineConnection, bytes], Coroutine[Any, Any, None]]
    entropy: Callable[[int], bytes]
    release: str = ""

    def __post_init__(self) -> None:
        self._is_wide = False
        self._lines = HostLines(self.device, self.private, self.entropy)
        self._loop = WorkLoop()
        self._reached_s = self._loop.now_s
        self._guests: dict[bytes, _Guest] = {}
        self._session = self.brokers.session(silent_s=SILENT_S)
        self._link = BrokerLink(self._session, self._receive, entropy=self.entropy)
        self._link.listen_at(room_of(self.code, host_key_of(self.private), self.device))

    async def start(self) -> None:
        """Begin to answer."""
        self._loop.every(TICK_S, self._tick)
        await self._link.start()

    @property
    def is_unreached(self) -> bool:
        """Whether no broker has answered for `UNREACHED_S`: all lines have ended."""
        return self._loop.now_s - self._reached_s > UNREACHED_S

    def _receive(self, frame: bytes) -> None:
        for line, message in self._lines.receive(frame, self._loop.now_us):
            if message is None:
                self._forget(line)
            elif message:  # the one that opens a line may be empty
                self._hear(line, decode(message))
        self._pump()

    def _tick(self) -> None:
        """Let go of lines that went silent, and of all where no broker is: guests call again."""
        for line in self._lines.tick(self._loop.now_us):
            self._forget(line)
            self.brokers.widen()
        if self._session.is_connected:
            self._reached_s = self._loop.now_s
        elif self.is_unreached:
            for line in tuple(self._guests):
                self._end(line)
        self._is_wide |= self.brokers.is_split
        for line, guest in self._guests.items() if self._is_wide else ():
            if not guest.told_wide:
                guest.told_wide = True
                self._say(line, Wide())
        self._pump()

    def close(self) -> None:
        """End all streams, and leave the room; nothing is said."""
        for line in tuple(self._guests):
            self._forget(line)
        self._loop.cancel()
        self._link.abandon()

    def _hear(self, line: bytes, said: Talk | None) -> None:
        """Do what a guest says; the line ends of one who says what no guest does, or too much."""
        if (guest := self._guests.get(line)) is None:
            streams = PageLines(partial(self._post, line))
            asks = Budget(ASKS_AT_ONCE, ASKS_PER_S, self._loop.now_us)
            guest = self._guests[line] = _Guest(streams, asks)
        match said:
            case Ask() if guest.asks.take(self._loop.now_us):
                self._loop.run(self._answer(line, said))
            case Opens(stream) if stream == PAGE:
                guest.streams.open(PAGE, self.serve_page)
            case Opens(stream) if stream == LOBBY:
                serve, device = self.serve_lobby, line[: len(EVERYBODY)]
                guest.streams.open(LOBBY, lambda connection: serve(connection, device))
            case Says(stream, text) if stream in guest.streams:
                guest.streams.take(stream, text)
            case Frame(data) if LOBBY in guest.streams:
                guest.streams.take(LOBBY, data)
            case Says() | Frame():  # of a stream that has ended
                pass
            case Cuts(stream):
                guest.streams.take(stream, None)
            case Wide():
                self._is_wide = True
                self.brokers.widen()
            case _:
                self._end(line)

    def _post(self, line: bytes, stream: int, kind: str, what: Any) -> None:
        """Say on a line what a stream brings; see `Post`."""
        if kind == "ended":
            self._say(line, Cuts(stream, *what))
        else:
            self._say(line, Says(stream, what) if kind == "text" else Frame(what))

    async def _answer(self, line: bytes, ask: Ask) -> None:
        status, told = await self.answers(ask.path, ask.body)
        self._say(line, Reply(ask.number, status, told, self.release))

    def _say(self, line: bytes, what: Talk) -> None:
        """Say something on a line, unless it is gone; nothing longer than `MOST_BYTES` crosses."""
        message = encode(what)
        if line in self._guests and len(message) <= MOST_BYTES:
            self._lines.send(line, message)
            self._loop.soon(self._pump)

    def _end(self, line: bytes) -> None:
        self._lines.end(line)
        self._forget(line)

    def _forget(self, line: bytes) -> None:
        if (guest := self._guests.pop(line, None)) is not None:
            guest.streams.close()

    def _pump(self) -> None:
        for device, frame in self._lines.take():
            self._link.send(device, frame)
