"""A worker's ways out: to brokers and to the store by its JavaScript, to the pages beside it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from random import Random
from secrets import token_bytes
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urlsplit

import msgspec

from firmware.journal.sqlite import JournalError
from firmware.link.broker import Attendance, Failure, Message, WireSession
from firmware.link.broker.brokers import Brokers
from firmware.link.broker.relay import Crossing, RelayWire, Stream
from hw_sim.live.web.client import GONE, LineConnection
from hw_sim.table import CHANCE_BYTES

LINE: Final = "the table's computer or its broker cannot be reached"
log = logging.getLogger(__name__)
_decoder: Final = msgspec.json.Decoder(Crossing)


class PageStream(Stream):
    """A stream of texts: each is a `Crossing` as JSON.

    ``say`` sends a text, ``hang_up`` closes at once; what comes is put into `came`, None at the
    end.
    """

    def __init__(self, say: Callable[[str], None], hang_up: Callable[[], None]) -> None:
        self._say, self._hang_up = say, hang_up
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.came: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, what: Crossing) -> None:
        """Send a message."""
        self._say(msgspec.json.encode(what).decode())

    async def read(self) -> Crossing | None:
        """Return the next message; None at the end, and for malformed data."""
        text = await self.came.get()
        try:
            return None if text is None else _decoder.decode(text)
        except msgspec.DecodeError:
            return None

    def abort(self) -> None:
        """Close at once."""
        self._hang_up()
        self.came.put_nowait(None)


@dataclass
class Browser:
    """The JavaScript of a worker: WebSockets to brokers by number, a store, and chance.

    Args:
        dial, say, hang_up: open a stream of a number to an address, send a text over it, and close
            it.
        store: keeps a phone's bytes, or a host's folder; what it returns fails if it does not.
        entropy: returns that many random bytes; the only source of chance.
    """

    dial: Callable[[int, str], None]
    say: Callable[[int, str], None]
    hang_up: Callable[[int], None]
    store: Callable[..., Awaitable[None]]
    entropy: Callable[[int], bytes] = token_bytes
    _numbers: "count[int]" = field(default_factory=count)
    _streams: dict[int, PageStream] = field(default_factory=dict)

    def opened(self, number: int) -> None:
        """Note that a WebSocket is open."""
        if (stream := self._streams.get(number)) is not None and not stream.opened.done():
            stream.opened.set_result(None)

    def heard(self, number: int, text: str) -> None:
        """Take a text that came over a WebSocket."""
        if (stream := self._streams.get(number)) is not None:
            stream.came.put_nowait(text)

    def ended(self, number: int) -> None:
        """Note that a WebSocket has ended, or was never open."""
        if (stream := self._streams.pop(number, None)) is not None:
            if not stream.opened.done():
                stream.opened.set_exception(ConnectionError("it does not open"))
                stream.opened.exception()  # nobody may wait for it any more
            stream.came.put_nowait(None)

    async def keep(self, *what: bytes) -> None:
        """Keep something in the store.

        Raises:
            JournalError: that is not possible, such as where another tab has the store.
        """
        try:
            await self.store(*what)
        except Exception as error:  # whatever a browser's store throws
            raise JournalError(str(error)) from None

    async def connect(self, address: str) -> Stream:
        """Open a stream to an address.

        Raises:
            OSError: it does not open.
        """
        number = next(self._numbers)
        stream = self._streams[number] = PageStream(
            partial(self.say, number), partial(self.hang_up, number)
        )
        self.dial(number, address)
        await stream.opened
        return stream

    def to(self, addresses: Sequence[str], *, seeks: bool = False) -> Brokers:
        """Return the brokers at addresses, the usual one first; see `Brokers`."""
        return Brokers([partial(self._session, each) for each in addresses], seeks)

    def _session(self, address: str, failed: Callable[[], None]) -> WireSession:
        """Return a session at a broker that is shown nobody's account.

        ``failed`` is called whenever a connection ends, or none begins.
        """

        def wire(attendance: Attendance, take: Callable[[Message], None]) -> RelayWire:
            nobodys = replace(attendance, user="", password="")
            return RelayWire(partial(self.connect, address), log.warning, nobodys, take)

        def trouble_of(_failure: Failure) -> str:
            failed()
            return LINE

        return WireSession(wire, trouble_of, log.info, Random(self.entropy(CHANCE_BYTES)).random)


class WorkLoop:
    """The running loop: its time, and work that goes on there by itself; a failure is logged."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def now_s(self) -> float:
        """The loop's time in s."""
        return self._loop.time()

    @property
    def now_us(self) -> int:
        """The loop's time in µs."""
        return round(self._loop.time() * 1e6)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin some work."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def soon(self, work: Callable[[], object]) -> None:
        """Do some work in the loop's next round; what runs on another loop may ask for it."""
        self._loop.call_soon(work)

    def after(self, seconds: float, work: Callable[[], None]) -> None:
        """Do some work once, after some time."""

        async def wait() -> None:
            await asyncio.sleep(seconds)
            work()

        self.run(wait())

    def every(self, seconds: float, work: Callable[[], None]) -> None:
        """Do some work now, and again after each such time."""
        self.after(seconds, lambda: self.every(seconds, work))
        work()

    def cancel(self) -> None:
        """End all work."""
        for task in tuple(self._tasks):
            task.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task failed", exc_info=error)


def is_broker(address: str) -> bool:
    """Whether this is an address of a WebSocket, such as ``wss://host:8884/mqtt``."""
    try:
        parts = urlsplit(address)
        return parts.scheme in ("ws", "wss") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


Post = Callable[[str, str, Any], None]
"""Gets the name of a line, the kind of a message and its content: ``text`` with JSON, ``panel``
with bytes, ``ended`` with a code and a reason."""
Serve = Callable[[LineConnection], Coroutine[Any, Any, None]]
"""Serves a line until it ends."""
Name = TypeVar("Name", bound=Hashable)


class PageLines(Generic[Name]):
    """Lines of pages, or the streams on the line of a guest, by name.

    Args:
        post: gets what is sent; see `Post`.
    """

    def __init__(self, post: Callable[[Name, str, Any], None]) -> None:
        self._post = post
        self._lines: dict[Name, LineConnection] = {}
        self._loop = WorkLoop()

    def __contains__(self, line: Name) -> bool:
        """Whether a line of this name is open."""
        return line in self._lines

    def open(self, line: Name, serve: Serve) -> None:
        """Open a line of this name, in place of an earlier one, and serve it."""
        self.take(line, None)

        def send(message: str | bytes) -> None:
            if self._lines.get(line) is connection:
                self._post(line, "text" if isinstance(message, str) else "panel", message)

        def ended(code: int, reason: str) -> None:
            if self._lines.get(line) is connection:
                self.end(line, code, reason)

        connection = LineConnection(send, ended)
        self._lines[line] = connection
        self._loop.run(serve(connection))

    def take(self, line: Name, text: str | bytes | None) -> None:
        """Take a message that came; None when the other end is gone."""
        connection = self._lines.get(line)
        if connection is not None:
            connection.take(text)
            if text is None:
                del self._lines[line]
        elif text is not None:
            self.end(line, GONE, "")

    def close(self) -> None:
        """Let go of all lines; nothing is said."""
        for line in tuple(self._lines):
            self.take(line, None)

    def end(self, line: Name, code: int, reason: str) -> None:
        """Tell the other end that its line has ended, or never began."""
        self._lines.pop(line, None)
        self._post(line, "ended", (code, reason))
