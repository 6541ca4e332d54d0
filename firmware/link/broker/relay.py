"""A relay has a network and no keys; the handheld has keys and no network.

A local socket connects them. The messages on it are those of a broker, each after its length: the
relay passes them on, and can open none.
"""

import asyncio
import os
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable
from pathlib import Path
from struct import Struct
from typing import Final, Protocol

import msgspec

from firmware.link.broker import (
    Attendance,
    BrokerError,
    ConnectionRefused,
    Failure,
    Message,
    Session,
    WireSession,
)

USUAL_SOCKET: Final = Path("/run/maexchen-relay/socket")
MOST_BYTES = 512 * 1024
"""No longer message crosses the socket: a finished match has some 100 kB (measured)."""
_LENGTH = Struct(">I")


class Attends(msgspec.Struct, tag="attends", frozen=True):
    """To the relay, first: the attendance."""

    topics: tuple[str, ...]
    kept: tuple[str, ...]
    will: Message | None
    user: str
    password: str


class Published(msgspec.Struct, tag="says", frozen=True):
    """To the relay: publish this. From it: this was published."""

    message: Message


class Farewell(msgspec.Struct, tag="parts", frozen=True):
    """To the relay, last: say farewell."""


class Trouble(msgspec.Struct, tag="tells", frozen=True):
    """From the relay: a trouble, in one line."""

    line: str


Crossing = Attends | Published | Farewell | Trouble


class Stream(Protocol):
    """The way between a handheld and its relay."""

    def send(self, what: Crossing) -> None:
        """Send a message, unless the reader does not keep up."""

    async def read(self) -> Crossing | None:
        """Return the next message; None at the end, and for malformed data."""

    def abort(self) -> None:
        """Close at once."""


class _LocalStream:
    """A ``Stream`` over a socket."""

    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def send(self, what: Crossing) -> None:
        """Send a message, unless the reader does not keep up."""
        data = msgspec.msgpack.encode(what)
        if len(data) + self._writer.transport.get_write_buffer_size() <= MOST_BYTES:
            self._writer.write(_LENGTH.pack(len(data)) + data)

    async def read(self) -> Crossing | None:
        """Return the next message; None at the end, and for malformed data."""
        try:
            (size,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            if size > MOST_BYTES:
                return None
            data = await self._reader.readexactly(size)
            came: Crossing = msgspec.msgpack.decode(data, type=Crossing)
            return came
        except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
            return None

    def abort(self) -> None:
        """Close at once."""
        self._writer.transport.abort()


class RelayWire:
    """A ``Wire`` to a relay.

    Args:
        connect: opens a stream to the relay; raises OSError.
        report: gets the relay's troubles.
        attendance: topics and account.
        take: gets each message.
    """

    def __init__(
        self,
        connect: Callable[[], Awaitable[Stream]],
        report: Callable[[str], None],
        attendance: Attendance,
        take: Callable[[Message], None],
    ) -> None:
        self._connect = connect
        self._report = report
        self._attendance = attendance
        self._take = take
        self._stream: Stream | None = None
        self._reading: asyncio.Task[None] | None = None
        self.ended: asyncio.Future[ConnectionRefused] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Connect to the relay, which connects to the broker. Raises OSError."""
        stream = self._stream = await self._connect()
        here = self._attendance
        stream.send(Attends(here.topics, here.kept, here.will, here.user, here.password))
        self._reading = asyncio.ensure_future(self._read(stream))

    def publish(self, message: Message) -> None:
        """Hand a message to the relay."""
        if self._stream is not None:
            self._stream.send(Published(message))

    async def close(self) -> None:
        """Make the relay say farewell."""
        if self._stream is not None:
            self._stream.send(Farewell())
            await self.ended

    def break_off(self) -> None:
        """Vanish for the relay, and so for the broker."""
        if self._stream is not None:
            self._stream.abort()

    async def _read(self, stream: Stream) -> None:
        while (came := await stream.read()) is not None:
            match came:
                case Published(message):
                    self._take(message)
                case Trouble(line):
                    self._report(line)
        stream.abort()
        self.ended.set_result(ConnectionRefused(None))


class RelaySession(WireSession):
    """A ``Session`` at the broker of a relay.

    Args:
        path: of the relay's socket.
        report: gets one line on each trouble, here or at the relay.
        chance: returns a number from 0 to 1, below 1.
    """

    def __init__(
        self, path: Path, report: Callable[[str], None], chance: Callable[[], float]
    ) -> None:
        async def connect() -> Stream:
            return _LocalStream(*await asyncio.open_unix_connection(str(path)))

        def trouble_of(_failure: Failure) -> str:
            return f"the relay at {path} is not there: systemctl status maexchen-relay says why"

        super().__init__(
            lambda attendance, take: RelayWire(connect, report, attendance, take),
            trouble_of,
            report,
            chance,
        )


class Relay:
    """Passes messages between one handheld at a time and a broker.

    Args:
        path: of the socket, which is made anew.
        new_session: creates a session at the broker; gets a callback for its troubles.

    Raises:
        BrokerError: the socket cannot be made, by ``start``.
    """

    def __init__(self, path: Path, new_session: Callable[[Callable[[str], None]], Session]) -> None:
        self._path = path
        self._new_session = new_session
        self._server: asyncio.Server | None = None
        self._served: tuple[Stream, asyncio.Task[None] | None] | None = None
        """The handheld that came last, and the task that serves it."""

    async def start(self) -> None:
        """Listen; the socket is for the relay's user and group. Raises BrokerError."""
        try:
            self._path.unlink(missing_ok=True)
            before = os.umask(0o117)
            try:
                self._server = await asyncio.start_unix_server(self._came, str(self._path))
            finally:
                os.umask(before)
        except OSError as error:
            why = error.strerror or error
            raise BrokerError(f"socket {self._path}: {why}: make its folder writable") from None

    async def stop(self) -> None:
        """Stop listening, and vanish for the broker."""
        if self._server is not None:
            self._server.close()
        await self._end()
        self._path.unlink(missing_ok=True)

    async def _came(self, reader: StreamReader, writer: StreamWriter) -> None:
        await self._end()
        stream = _LocalStream(reader, writer)
        self._served = stream, asyncio.current_task()
        session = self._new_session(lambda line: stream.send(Trouble(line)))
        try:
            await pass_on(stream, session)
        finally:
            session.abandon()
            stream.abort()

    async def _end(self) -> None:
        served, self._served = self._served, None
        if served is not None:
            stream, task = served
            stream.abort()
            if task is not None:
                await asyncio.wait((task,))


async def pass_on(stream: Stream, session: Session) -> None:
    """Pass messages between a handheld, which comes over a stream, and a broker until it parts."""
    first = await stream.read()
    if not isinstance(first, Attends):
        return
    session.attend(Attendance(first.topics, first.kept, first.will, first.user, first.password))
    await session.start(lambda message: stream.send(Published(message)))
    while (came := await stream.read()) is not None:
        match came:
            case Published(message):
                session.publish(message)
            case Farewell():
                await session.stop()
                return
