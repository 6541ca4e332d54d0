"""A guest's sealed line to the tab that hosts an evening, and the messages that cross it.

A guest opens the line (`firmware.table.protocol.room_line`); what crosses it is one of these.

Once a line is lost, another one is opened by itself. Over it go requests, the stream of the page,
and the stream of the handheld in the lobby (`hw_sim.live.page.evening_line`).
"""

import asyncio
from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any, Final

import msgspec

from firmware.effects import Room
from firmware.link.broker import Session
from firmware.link.broker.link import BrokerLink
from firmware.table.protocol.room_line import GuestLine

PAGE, LOBBY = 0, 1
"""The two streams of a guest: that of the page, and that of the handheld in the lobby."""
MOST_BYTES: Final = 64 * 1024
"""No longer message crosses a line."""


class Ask(msgspec.Struct, tag="ask", frozen=True):
    """From a guest: a request with a number, such as to sit down; ``body`` is JSON."""

    number: int
    path: str
    body: str = ""


class Answer(msgspec.Struct, tag="answer", frozen=True):
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


Talk = Ask | Answer | Opens | Says | Frame | Cuts | Wide
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


TICK_S: Final = 0.25
SEEK_S: Final = 10.0
"""The time after which a host that has not answered may be at another broker."""
UNREACHED_S: Final = 4.0
"""The time after which brokers that have not answered count as lost."""
ENTERS_S: Final = 0.5
"""The time after which a handheld comes into the lobby again."""
LOST: Final = 503
"""The status of a request whose line was lost before its answer."""
GONE: Final = 1006
"""The code of a stream that ended with its line (RFC 6455, 7.4.1)."""


class EveningLine:
    """The line of a guest, on the running loop.

    Args:
        room: of the evening, with its key.
        host_key: the host's public key, 32 bytes.
        device: of the guest's handheld, six bytes.
        session: at the brokers; not started.
        post: gets what the page is told, each a dict: ``line`` whether the host answers, ``answer``
            to a request, ``opened``, ``heard`` and ``closed`` of the page's stream.
        entropy: returns that many random bytes.
        on_frame: gets each frame of the lobby.
        reaches: whether a broker is there.
        seek: looks for the host at other brokers; called once it has not answered for `SEEK_S`.
        is_apart: whether this end reaches other brokers alone; the host is told after `SEEK_S`.

    Attributes:
        is_open: whether the host answers.
    """

    def __init__(
        self,
        room: Room,
        host_key: bytes,
        device: bytes,
        session: Session,
        post: Callable[[str, dict[str, Any]], None],
        entropy: Callable[[int], bytes],
        on_frame: Callable[[bytes], None],
        reaches: Callable[[], bool] = lambda: True,
        seek: Callable[[], None] = lambda: None,
        is_apart: Callable[[], bool] = lambda: False,
    ) -> None:
        self._post, self._reaches, self._seek, self._is_apart = post, reaches, seek, is_apart
        self._on_frame, self._secret, self._entered_s = on_frame, "", -inf
        self._is_wide = self._told_wide = self._is_in = False
        self._loop = asyncio.get_running_loop()
        self._answered_s = self._reached_s = self._met_s = self._loop.time()
        """The times when the host answered last, a broker, and the first one, or this end began."""
        self._new_line = partial(GuestLine, device, host_key, entropy)
        self._line = self._new_line()
        self._link = BrokerLink(session, self._receive, entropy=entropy)
        self._link.listen_at(room)
        self._opened = asyncio.Event()
        self._waiting: dict[int, Ask] = {}
        self._asked: set[int] = set()
        self._page: int | None = None
        """The number of the page's stream; None without one."""
        self._timer: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        """Begin to call the host, for as long as it takes."""
        self._tick()
        await self._link.start()

    def close(self) -> None:
        """Leave the room without a word."""
        if self._timer is not None:
            self._timer.cancel()
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

    def say_in_lobby(self, secret: str, frame: bytes) -> None:
        """Say a frame of the handheld in the lobby, as the guest with a secret; it can be lost."""
        self._secret = secret
        self._enter()
        if self._is_in:
            self._send(Frame(frame))

    def _enter(self) -> None:
        """Come into the lobby, if the guest has a place and the host answers."""
        is_late = self._loop.time() - self._entered_s >= ENTERS_S
        if self.is_open and self._secret and is_late and not self._is_in:
            self._is_in, self._entered_s = True, self._loop.time()
            self._send(Opens(LOBBY))
            self._send(Says(LOBBY, self._secret))

    def _begin_page(self) -> None:
        self._send(Opens(PAGE))
        self._post("opened", {"line": self._page})

    def _send(self, what: Talk) -> None:
        message = encode(what)
        if len(message) <= MOST_BYTES:
            self._line.send(message)
            self._pump()

    def _tick(self) -> None:
        self._timer = self._loop.call_later(TICK_S, self._tick)
        self._line.tick(self._now_us)
        self._pump()
        self._enter()
        now_s = self._loop.time()
        if not self._is_apart():
            self._met_s = now_s
        if self._reaches() or not self.is_open:
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
            self._seek()

    def _renew(self) -> None:
        """Begin another line in place of one that is lost."""
        self._line, self._told_wide = self._new_line(), False
        self._line.tick(self._now_us)
        self._end_streams()

    def _pump(self) -> None:
        """Send what there is to send, and note that the line has opened, or is lost."""
        if self._line.is_lost:
            self._renew()
        elif self._line.is_open and not self.is_open:
            self._opened.set()
            self._post("line", {"open": True})
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
        self._post("line", {"open": False})
        asked, self._asked = self._asked, set()
        for number in asked:
            self._post("answer", {"number": number, "status": LOST, "body": ""})
        self._end_page(GONE, "")
        self._is_in, self._entered_s = False, -inf

    def _end_page(self, code: int, reason: str) -> None:
        if (number := self._page) is not None:
            self._page = None
            self._post("closed", {"line": number, "code": code, "reason": reason})

    def _receive(self, frame: bytes) -> None:
        line = self._line
        for message in line.receive(frame, self._now_us):
            self._hear(decode(message))
        self._pump()

    def _hear(self, came: Talk | None) -> None:
        match came:
            case Answer(number) if number in self._asked:
                self._asked.discard(number)
                self._post("answer", msgspec.to_builtins(came))
            case Says(stream, text) if stream == PAGE and self._page is not None:
                self._post("heard", {"line": self._page, "text": text})
            case Frame(frame):
                self._on_frame(frame)
            case Cuts(stream, code, reason) if stream == PAGE:
                self._end_page(code, reason)
            case Cuts(stream) if stream == LOBBY:
                self._is_in = False
            case Wide():
                self._is_wide = True  # a host that is loaded anew is told
                self._seek()

    @property
    def _now_us(self) -> int:
        return round(self._loop.time() * 1e6)
