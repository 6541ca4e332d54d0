"""The broker of this machine, reached by pages at the address that they were loaded from.

One address, one port and one certificate do for the pages and for the broker, which listens on this
machine alone. It needs no WebSockets of its own: what comes over one of a page is passed on as the
bytes that it is (MQTT 5.0, 6).
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from aiohttp import WSMsgType, web

from firmware.cli.console import CommandError
from firmware.link.broker.access import GUESTS
from hw_sim.air.local_broker import LOOPBACK, LocalBroker, free_port, has_amqtt, mosquitto
from hw_sim.live.serve.guarding import check_origin

PATH: Final = "/mqtt"
"""The path at which pages reach the broker."""
MOST_PACKET_BYTES: Final = 8192
"""The most bytes of a message of a guest: a frame has at most 4096, and 28 of its room's seal."""
MOST_BYTES: Final = 8 * MOST_PACKET_BYTES
"""The most bytes of a message of a WebSocket, which may carry several of MQTT."""
PINGED_S: Final = 20.0
"""A page that is silent for this time is pinged, and cut if it does not answer."""
MOST_PINGS, PINGS_S = 30, 30.0
"""The most pings and pongs of a page in so many s: browsers answer pings, and send none."""
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
    """Passes WebSockets of pages on to a broker.

    Args:
        broker: runs on this machine.

    Attributes:
        path: where pages reach it, with the version of MQTT if that is not 5.
        transports: what carries the WebSockets that are open.
    """

    def __init__(self, broker: LocalBroker) -> None:
        self.path = PATH if broker.is_mosquitto else f"{PATH}?version=3"
        self._port = broker.port
        self.transports: set[asyncio.BaseTransport] = set()

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
            ways = [asyncio.create_task(_passed_on(page, writer, transport))]
            ways.append(asyncio.create_task(_passed_back(reader, page)))
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in ways:
                    each.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
            await page.close()
        except ConnectionError:  # it is gone already
            pass
        finally:
            self.transports.discard(transport)
            writer.close()
        return page

    async def close(self, _app: web.Application) -> None:
        """Cut all WebSockets."""
        for each in list(self.transports):
            if isinstance(each, asyncio.Transport):
                each.abort()


async def _passed_on(
    page: web.WebSocketResponse, writer: asyncio.StreamWriter, transport: asyncio.Transport
) -> None:
    """Pass on what a page says, each message when the one before it is out of hand.

    A page that sends too many pings or pongs is cut: reading on would hold all others up.
    """
    pings: deque[float] = deque(maxlen=MOST_PINGS)
    async for message in page:
        if message.type in (WSMsgType.PING, WSMsgType.PONG):
            now_s = monotonic()
            if len(pings) == MOST_PINGS and now_s - pings[0] < PINGS_S:
                transport.abort()
                return
            pings.append(now_s)
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
