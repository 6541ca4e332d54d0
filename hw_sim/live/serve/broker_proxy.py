"""The broker of this machine, reached by pages at the address that they were loaded from.

One address, one port and one certificate do for the pages and for the broker: a WebSocket of a page
is passed on to the broker's own, which listens on this machine alone.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType, web

from firmware.cli.console import CommandError
from firmware.link.broker.access import GUESTS
from hw_sim.air.local_broker import LOOPBACK, LocalBroker, free_port, has_amqtt, mosquitto
from hw_sim.live.web.guarding import check_origin

PATH: Final = "/mqtt"
"""Where pages reach the broker."""
MOST_PACKET_BYTES: Final = 8192
"""The most bytes of a message of a guest: a frame has at most 4096, and 28 of its room's seal."""
MOST_BYTES: Final = 8 * MOST_PACKET_BYTES
"""The most bytes of a message of a guest's WebSocket, which may carry several of MQTT."""
MOST_ANSWER_BYTES: Final = 512 * 1024
PINGED_S: Final = 20.0
"""A page that is silent for this time is pinged, and cut if it does not answer."""
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

    It is mosquitto where that is installed and speaks over WebSockets, and amqtt else, or
    ``with_amqtt``.

    Raises:
        CommandError: none is installed, or none starts.
    """
    if mosquitto() is None and not has_amqtt():
        raise CommandError(MISSING)
    with TemporaryDirectory(prefix="maexchen-") as folder:
        broker = await _started(Path(folder), with_amqtt or mosquitto() is None)
        try:
            yield broker
        finally:
            broker.stop()


async def _started(folder: Path, with_amqtt: bool) -> LocalBroker:
    """Start a broker; amqtt if mosquitto, built without WebSockets, ends at once."""
    more = () if with_amqtt else _BOUNDS
    broker = LocalBroker(
        folder,
        free_port(),
        rules=(GUESTS,),
        more=more,
        with_amqtt=with_amqtt,
        sockets=free_port(),
    )
    try:
        await broker.start()
    except CommandError:
        if with_amqtt or not has_amqtt():
            raise
        return await _started(folder, True)
    return broker


class BrokerProxy:
    """Passes WebSockets of pages on to a broker.

    Args:
        broker: runs on this machine, with WebSockets.

    Attributes:
        path: where pages reach it, with the version of MQTT if that is not 5.
        transports: what carries the WebSockets that are open.
    """

    def __init__(self, broker: LocalBroker) -> None:
        self.path = PATH if broker.is_mosquitto else f"{PATH}?version=3"
        self._url = f"ws://{LOOPBACK}:{broker.sockets}{PATH}"
        self._session: ClientSession | None = None
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
            protocols=("mqtt",), max_msg_size=MOST_BYTES, heartbeat=PINGED_S, compress=False
        )
        ready = page.can_prepare(request)
        if not ready.ok or ready.protocol is None or (transport := request.transport) is None:
            raise web.HTTPBadRequest(text="This is the broker: open a WebSocket for mqtt.\n")
        self._session = self._session or ClientSession()
        try:
            broker = await self._session.ws_connect(
                self._url, protocols=("mqtt",), max_msg_size=MOST_ANSWER_BYTES
            )
        except (ClientError, OSError):
            raise web.HTTPBadGateway(text="The broker of this table has ended.\n") from None
        self.transports.add(transport)
        try:
            async with broker:
                await page.prepare(request)
                await _joined(page, broker)
        except ConnectionError:  # the page is gone already
            pass
        finally:
            self.transports.discard(transport)
        return page

    async def close(self, _app: web.Application) -> None:
        """Cut all WebSockets."""
        for each in list(self.transports):
            if isinstance(each, asyncio.Transport):
                each.abort()
        if self._session is not None:
            await self._session.close()


async def _joined(page: web.WebSocketResponse, broker: ClientWebSocketResponse) -> None:
    """Pass messages on in both directions until one end closes, then close the other."""
    ways = [asyncio.create_task(_passed(*each)) for each in ((page, broker), (broker, page))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in ways:
            each.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
    await broker.close()
    await page.close()


async def _passed(
    source: web.WebSocketResponse | ClientWebSocketResponse,
    sink: web.WebSocketResponse | ClientWebSocketResponse,
) -> None:
    """Pass binary messages on, each when the one before it is out of hand; ends with the source."""
    async for message in source:
        if message.type is not WSMsgType.BINARY:
            return
        await sink.send_bytes(message.data)
