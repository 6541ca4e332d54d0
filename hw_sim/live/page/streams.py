"""The streams of a worker to a broker or a relay, over WebSockets that its JavaScript opens."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from firmware.link.broker import Attendance, Failure, Message, WireSession
from firmware.link.broker.brokers import Brokers
from firmware.link.broker.relay import Crossing, RelayWire, Stream
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
        self._say = say
        self._hang_up = hang_up
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
class PageStreams:
    """The streams of a worker, by number.

    Args:
        dial, say, hang_up: open a stream of a number to an address, send a text over it, and close
            it.
    """

    dial: Callable[[int, str], None]
    say: Callable[[int, str], None]
    hang_up: Callable[[int], None]
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

    async def connect(self, address: str) -> Stream:
        """Open a stream to an address.

        Raises:
            OSError: it does not open.
        """
        number = next(self._numbers)
        stream = self._streams[number] = PageStream(
            lambda text: self.say(number, text), lambda: self.hang_up(number)
        )
        self.dial(number, address)
        await stream.opened
        return stream

    def to(
        self, addresses: Sequence[str], entropy: Callable[[int], bytes], *, seeks: bool = False
    ) -> Brokers:
        """Return the brokers at addresses, the usual one first; see `Brokers`."""
        ways = [partial(self.connect, each) for each in addresses]
        return Brokers([partial(session_over, each, entropy) for each in ways], seeks)


class RunningTasks:
    """Work that goes on by itself, on the running loop; a failure is logged."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin some work."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def cancel(self) -> None:
        """End all work."""
        for task in self._tasks:
            task.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task failed", exc_info=error)


def session_over(
    connect: Callable[[], Awaitable[Stream]],
    entropy: Callable[[int], bytes],
    failed: Callable[[], None] = lambda: None,
) -> WireSession:
    """Return a session over streams.

    Nobody's account is shown there. ``failed`` is called whenever a connection ends, or none
    begins.
    """

    def wire(attendance: Attendance, take: Callable[[Message], None]) -> RelayWire:
        nobodys = replace(attendance, user="", password="")
        return RelayWire(connect, log.warning, nobodys, take)

    def trouble_of(_failure: Failure) -> str:
        failed()
        return LINE

    return WireSession(wire, trouble_of, log.info, Random(entropy(CHANCE_BYTES)).random)


def is_broker(address: str) -> bool:
    """Whether this is an address of a WebSocket, such as ``wss://host:8884/mqtt``."""
    try:
        parts = urlsplit(address)
        return parts.scheme in ("ws", "wss") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
