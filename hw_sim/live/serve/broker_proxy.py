"""The broker of this machine, reached by pages at the address that they were loaded from.

One address, one port and one certificate do for the pages and for the broker, which listens on this
machine alone. It needs no WebSockets of its own: what comes over one of a page is passed on as the
bytes that it is (MQTT 5.0, 6). Handhelds have a port of their own, and speak MQTT over plain TCP.

Numbers without a source are chosen.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic_ns
from typing import Any, Final

from aiohttp import WSMsgType, web

from firmware.cli.console import CommandError
from firmware.link.broker.topics import GUESTS
from firmware.table.protocol import Budget
from hw_sim.air.local_broker import LOOPBACK, LocalBroker, free_port, has_amqtt, mosquitto
from hw_sim.live.serve.guarding import BACKLOG, check_origin, make_room

PATH: Final = "/mqtt"
"""The path at which pages reach the broker."""
MOST_PACKET_BYTES: Final = 8192
"""The most bytes of a message of a guest: a frame has at most 4096, and 28 of its room's seal."""
MOST_BYTES: Final = 8 * MOST_PACKET_BYTES
"""The most bytes of a message of a WebSocket, which may carry several of MQTT."""
PINGED_S: Final = 20.0
"""A page that is silent for this time is pinged, and cut if it does not answer."""
PINGS_AT_ONCE, PINGS_PER_S = 30, 1
"""The pings and pongs of a page: so many at once, and so many in the long run. Browsers answer
pings, and send none."""
MOST_HANDHELDS: Final = 32
"""The most connections of handhelds at once."""
CHUNK_BYTES: Final = 4096
"""The bytes of a handheld that are passed on at once."""
_BOUNDS: Final = (
    f"max_packet_size {MOST_PACKET_BYTES}",
    "max_connections 512",  # more than the server lets in
    "max_queued_messages 1000",
    "memory_limit 67108864",
)
MISSING: Final = (
    "no broker is installed, over which phones play: on Debian install mosquitto, "
    "or pip install 'maexchen-handheld[party]'"
)


@asynccontextmanager
async def running_broker(*, with_amqtt: bool = False) -> AsyncIterator[LocalBroker]:
    """Run a broker for guests on this machine alone; it ends with the block.

    It is mosquitto where that is installed, and amqtt else, or ``with_amqtt``.

    Raises:
        CommandError: none is installed, or it does not start.
    """
    if mosquitto() is None and not has_amqtt():
        raise CommandError(MISSING)
    with TemporaryDirectory(prefix="maexchen-") as folder:
        more = () if with_amqtt or mosquitto() is None else _BOUNDS
        broker = LocalBroker(
            Path(folder), free_port(), rules=(GUESTS,), more=more, with_amqtt=with_amqtt
        )
        try:
            await broker.start()
            yield broker
        finally:
            broker.stop()


class BrokerProxy:
    """Passes WebSockets of pages, and connections of handhelds, on to a broker.

    Args:
        broker: runs on this machine.

    Attributes:
        path: where pages reach it, with the version of MQTT if that is not 5.
        transports: what carries the WebSockets that are open.
        query: what stands behind the address that handhelds dial.
    """

    def __init__(self, broker: LocalBroker) -> None:
        self.query = "" if broker.is_mosquitto else "?version=3"
        self.path = f"{PATH}{self.query}"
        self._port = broker.port
        self.transports: set[asyncio.BaseTransport] = set()
        self._handhelds: dict[asyncio.WriteTransport, str] = {}
        """The addresses of those that are connected, oldest first."""
        self._listening: asyncio.Server | None = None

    async def listen(self, host: str, port: int) -> int:
        """Let handhelds in at a port, 0 for any that is free; returns which it is.

        Raises:
            OSError: that is not possible.
        """
        self._listening = await asyncio.start_server(
            self._admit, host, port, limit=CHUNK_BYTES, backlog=BACKLOG
        )
        found: int = self._listening.sockets[0].getsockname()[1]
        return found

    async def _admit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a handheld until one of both ends closes."""
        handheld = writer.transport
        make_room(((of, False, each) for each, of in self._handhelds.items()), MOST_HANDHELDS)
        self._handhelds[handheld] = str((handheld.get_extra_info("peername") or [""])[0])
        with suppress(OSError):  # of the broker that has ended, too
            from_broker, to_broker = await asyncio.open_connection(LOOPBACK, self._port)
            await _carry(_copied(reader, to_broker), _copied(from_broker, writer), broker=to_broker)
        handheld.abort()
        del self._handhelds[handheld]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Serve a WebSocket with the subprotocol ``mqtt`` until one of both ends closes.

        Raises:
            HTTPForbidden: a page of another address wants it.
            HTTPBadRequest: no WebSocket for MQTT is wanted.
            HTTPBadGateway: the broker does not answer.
        """
        if "Origin" in request.headers:  # programs send none
            check_origin(request)
        page = web.WebSocketResponse(
            protocols=("mqtt",),
            max_msg_size=MOST_BYTES,
            heartbeat=PINGED_S,
            compress=False,
            autoping=False,
        )
        ready = page.can_prepare(request)
        if not ready.ok or ready.protocol is None or (transport := request.transport) is None:
            raise web.HTTPBadRequest(text="This is the broker: open a WebSocket for mqtt.\n")
        try:
            reader, writer = await asyncio.open_connection(LOOPBACK, self._port)
        except OSError:
            raise web.HTTPBadGateway(text="The broker of this table has ended.\n") from None
        self.transports.add(transport)
        try:
            await page.prepare(request)
            ways = _passed_on(page, writer, transport), _passed_back(reader, page)
            await _carry(*ways, broker=writer)
            await page.close()
        except ConnectionError:  # it is gone already
            pass
        finally:
            self.transports.discard(transport)
            writer.close()
        return page

    async def close(self, _app: web.Application) -> None:
        """Cut all WebSockets and handhelds, and let no more in."""
        if self._listening is not None:
            self._listening.close()
        for each in (*self.transports, *self._handhelds):
            if isinstance(each, asyncio.WriteTransport):
                each.abort()


async def _carry(*ways: Coroutine[Any, Any, None], broker: asyncio.StreamWriter) -> None:
    """Pass on both ways until one of them ends, and leave the broker."""
    tasks = [asyncio.create_task(each) for each in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        broker.close()


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what is read, each piece when the one before it is out of hand."""
    while said := await reader.read(CHUNK_BYTES):
        writer.write(said)
        await writer.drain()


async def _passed_on(
    page: web.WebSocketResponse, writer: asyncio.StreamWriter, transport: asyncio.Transport
) -> None:
    """Pass on what a page says, each message when the one before it is out of hand.

    A page that sends too many pings or pongs is cut: reading on would hold all others up.
    """
    pings = Budget(PINGS_AT_ONCE, PINGS_PER_S, monotonic_ns() // 1_000)
    async for message in page:
        if message.type in (WSMsgType.PING, WSMsgType.PONG):
            if not pings.take(monotonic_ns() // 1_000):
                transport.abort()
                return
            if message.type is WSMsgType.PING:
                await page.pong(message.data)
            continue
        if message.type is not WSMsgType.BINARY:
            return
        writer.write(message.data)
        await writer.drain()


async def _passed_back(reader: asyncio.StreamReader, page: web.WebSocketResponse) -> None:
    """Pass back what the broker answers, as fast as the page reads."""
    while said := await reader.read(MOST_BYTES):
        await page.send_bytes(said)
