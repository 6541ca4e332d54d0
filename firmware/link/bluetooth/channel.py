"""A channel to a peer: one LE connection with one L2CAP channel on it, opened by the central.

Channels work around three properties of bumble 0.0.236:

- One table keeps the requests of all connections, by an identifier that counts per connection. Two
  connections that open their channels at once collide. A request that the loss of its link aborts
  stays for good, and blocks later ones. Here channels are opened one at a time, and an aborted
  request is taken out.
- A channel gets its sink only after the task that opened it has woken up. Data that arrived
  together with the response is dropped. Here the sink is there before the request goes out.
- The loss of a link shows as a cancellation of the task that waits for the channel. Here it is an
  error.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from bumble.l2cap import LeCreditBasedChannel, LeCreditBasedChannelSpec


class Tasks:
    """The tasks of one owner. A task that fails without being cancelled ends the loop's run."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
        """Start ``work``; after ``cancel``, start nothing and return None."""
        if self._closed:
            work.close()
            return None
        task = asyncio.ensure_future(work)
        self._tasks.append(task)
        task.add_done_callback(self._done)
        return task

    def cancel(self) -> None:
        """Cancel all tasks, and start no more."""
        self._closed = True
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()

    def _done(self, task: asyncio.Task[None]) -> None:
        if task in self._tasks:
            self._tasks.remove(task)
        if not task.cancelled():
            task.result()


async def whole(command: Awaitable[Any]) -> Any:
    """Await a command to the controller to its end, even if the waiting task is cancelled.

    bumble would take the answer to a cancelled command for that of the next one. Raises the
    command's exceptions.
    """
    task = asyncio.ensure_future(command)
    task.add_done_callback(_retrieve)
    await asyncio.wait((task,))
    return task.result()


def _retrieve(task: asyncio.Task[Any]) -> None:
    """Retrieve a failure that nobody waits for."""
    if not task.cancelled():
        task.exception()


PSM = 0x00D1
"""The channel's number, chosen in the range that LE leaves to applications (0x80 to 0xFF)."""

MTU = 512
"""Largest unit (SDU) of a channel in bytes; chosen: a GIVE has 69."""
MPS = 247
"""Largest piece of a channel in bytes. With a 4-byte header it fills one LE packet of 251, the most
that the specification has (Core 5.4, Vol 6, Part B, 2)."""
CREDITS = 64
"""Pieces of `MPS` bytes that a peer may send before it gets new credits; chosen."""

OPEN_S = 3.0
"""Time limit for opening a channel; longer than `SUPERVISION_MS`, which comes first."""
DRAIN_S = 2.0
"""Time limit for a closing channel to deliver what was sent; chosen."""

CHANNEL = LeCreditBasedChannelSpec(psm=PSM, mtu=MTU, mps=MPS, max_credits=CREDITS)
"""A handheld's offer to devices that connect to it."""

Disconnect = Callable[[Any], Awaitable[None]]

_log = logging.getLogger(__name__)


class ConnectError(Exception):
    """No channel was opened.

    ``crossed``: the peer connected to this device in the meantime. ``full``: the controller has no
    connection left.
    """

    def __init__(self, reason: str, *, crossed: bool = False, full: bool = False) -> None:
        super().__init__(reason)
        self.crossed = crossed
        self.full = full


class Channel:
    """A channel to one peer. ``outgoing``: this side is the central and opened it.

    ``address``: the peer's, as the settings write it. Data that arrives before listen() is kept.
    """

    def __init__(
        self, address: str, connection: Any, *, outgoing: bool, disconnect: Disconnect
    ) -> None:
        self.address = address
        self.outgoing = outgoing
        self.is_open = False
        self.connection = connection
        self._disconnect = disconnect
        self._channel: Any = None
        self._early: list[bytes] = []
        self._on_data: Callable[[bytes], None] = self._early.append
        self._on_lost: Callable[[str], None] = ignore

    def listen(self, on_data: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Give the stream to ``on_data`` in pieces, and the reason to ``on_lost`` at the end.

        ``on_lost`` is called once, on whichever side the channel is closed.
        """
        self._on_data = on_data
        self._on_lost = on_lost
        for data in self._early:
            on_data(data)
        self._early.clear()

    def write(self, data: bytes) -> None:
        """Queue ``data`` for the peer, cut into MPS; drop it if the channel is not open."""
        if self.is_open:
            self._channel.write(data)

    @property
    def is_sending(self) -> bool:
        """Whether written data has not yet crossed the air, on this channel or another."""
        return not self._channel.drained.is_set() or self.connection.data_packet_queue.pending > 0

    @property
    def waiting(self) -> int:
        """Number of bytes that wait here until the peer takes more."""
        return sum(map(len, self._channel.out_queue))

    async def close(self) -> None:
        """Wait up to DRAIN_S until written data has arrived, and disconnect."""
        if self.is_open:
            try:
                async with asyncio.timeout(DRAIN_S):
                    await self._channel.drain()
                    await self.connection.drain()
            except TimeoutError:
                _log.info("%s did not take everything before closing", self.address)
        await self._disconnect(self.connection)

    def opened(self, channel: Any) -> None:
        """Carry the stream over bumble's ``channel``, which is open, from now on."""
        self._channel = channel
        self.is_open = True
        channel.once(channel.EVENT_CLOSE, lambda: self.lose("the peer closed the channel"))

    def take(self, data: bytes) -> None:
        """Hand received bytes, cut anywhere, to ``on_data``; the sink of bumble's channel."""
        self._on_data(data)

    def lose(self, reason: str) -> None:
        """Mark as closed and call ``on_lost(reason)``; do nothing if it is not open."""
        if self.is_open:
            self.is_open = False
            self._on_lost(reason)


def ignore(_: object) -> None:
    """Drop the argument: the default of unset callbacks."""


async def open_channel(manager: Any, connection: Any, ours: Channel) -> Any:
    """Open a bumble channel on ``connection`` for ``ours``, which gets its data, within OPEN_S.

    One at a time. Returns the ``LeCreditBasedChannel``. Raises ConnectError if the peer refuses or
    the connection is lost.
    """
    channels = manager.channels.setdefault(connection.handle, {})
    source_cid = manager.find_free_le_cid(channels)
    channel = LeCreditBasedChannel(
        manager=manager,
        connection=connection,
        psm=PSM,
        source_cid=source_cid,
        destination_cid=0,
        mtu=MTU,
        mps=MPS,
        credits=0,
        peer_mtu=0,
        peer_mps=0,
        peer_credits=CREDITS,
        connected=False,
    )
    channel.sink = ours.take
    channels[source_cid] = channel

    def register() -> None:
        opened = manager.le_coc_channels.setdefault(connection.handle, {})
        opened[channel.destination_cid] = channel

    channel.once(channel.EVENT_OPEN, register)
    opening = asyncio.ensure_future(channel.connect())
    try:
        await asyncio.wait((opening,), timeout=OPEN_S)
    finally:
        if opening.cancelled() or not opening.done():
            opening.cancel()
            manager.le_coc_requests.clear()
    if not opening.done() or opening.cancelled():
        raise ConnectError(f"{ours.address} was lost before its channel was open")
    if (problem := opening.exception()) is not None:
        raise ConnectError(f"{ours.address} refused the channel: {problem}") from problem
    return channel
