"""The session of a page from its hello to its goodbye, over a WebSocket or over events."""

import asyncio
from typing import Protocol

from aiohttp import WSCloseCode, web

from hw_sim.live.web import incoming
from hw_sim.live.web.access import check_origin, read_body
from hw_sim.live.web.client import Client
from hw_sim.live.web.page_connection import EventConnection, PageConnection, SocketConnection

HELLO_S = 5.0
"""The time within which a page says hello."""
SILENT_S = 45.0
"""A page that reads events and has posted nothing for this time is gone."""


class PageHandler(Protocol):
    """Handles the messages of pages; a `ServedTable`."""

    clients: list[Client]

    def handle(self, client: Client, message: incoming.AnyIncoming) -> None:
        """Do what a page asks for.

        Raises:
            RefusalError: it may not, and its connection ends.
        """

    def leave(self, client: Client) -> None:
        """Remove a page that is gone."""


class PageSessions:
    """Serves the pages of a table: the handlers of ``/socket``, ``/events`` and ``/post``."""

    def __init__(self, handler: PageHandler) -> None:
        self._handler = handler
        self.posts: dict[str, EventConnection] = {}
        """The connections of events, by name."""

    async def serve_socket(self, request: web.Request) -> web.StreamResponse:
        """Serve a page from its hello until its socket closes.

        Raises:
            HTTPForbidden: the page is none of this table.
        """
        check_origin(request)
        if (transport := request.transport) is None:
            return web.Response()
        # No heartbeat of aiohttp's: a socket that was closed here would be kept until it is through
        socket = web.WebSocketResponse(
            max_msg_size=incoming.MOST_BYTES, autoping=False, autoclose=False, compress=False
        )
        try:
            await socket.prepare(request)
        except ConnectionError:  # it is gone already, and was never open, so it cannot be closed
            return web.Response()
        await self.serve(SocketConnection(socket, transport), None)
        return socket

    async def serve_events(self, request: web.Request) -> web.StreamResponse:
        """Serve a page that is sent events, from its first post until it goes.

        Raises:
            HTTPForbidden: the page is none of this table.
        """
        if "Origin" in request.headers:
            check_origin(request)
        if request.transport is None:
            return web.Response()
        events = web.StreamResponse(headers={"Cache-Control": "no-store"})
        events.content_type = "text/event-stream"
        connection = EventConnection(events, request.transport)
        self.posts[connection.name] = connection
        try:
            await events.prepare(request)
            await connection.begin()
            await self.serve(connection, SILENT_S)
        except ConnectionError:  # it is gone already
            pass
        finally:
            del self.posts[connection.name]
        return events

    async def take_post(self, request: web.Request) -> web.Response:
        """Take the messages of a page that is sent events, one to a line.

        Raises:
            HTTPForbidden: the page is none of this table.
            HTTPNotFound: it is connected no longer.
            HTTPRequestEntityTooLarge, HTTPTooManyRequests: that is too much.
            HTTPBadRequest: the announced body did not come.
        """
        check_origin(request)
        connection = self.posts.get(request.query.get("line", ""))
        if connection is None:
            raise web.HTTPNotFound(text="You are connected no longer.\n")
        body = await read_body(request)
        if not connection.post(body.decode(errors="replace").split("\n")):
            raise web.HTTPTooManyRequests
        return web.Response(status=204)

    async def close(self) -> None:
        """Close the connections of all pages (1001, going away)."""
        code, why = WSCloseCode.GOING_AWAY, "the table is put away"
        await asyncio.gather(*(client.close(code, why) for client in self._handler.clients))

    async def serve(self, connection: PageConnection, silent_s: float | None) -> None:
        """Serve a connected page until it goes; disconnect it if it stays silent."""
        client = Client(connection)
        self._handler.clients.append(client)
        sending = asyncio.create_task(client.send_queued())
        refusal: incoming.RefusalError | None = None
        try:
            await self._receive(client, silent_s)
        except incoming.RefusalError as error:
            refusal = error
        finally:
            sending.cancel()
            self._handler.leave(client)
        if refusal is not None:
            await client.show_out(refusal.code, str(refusal))

    async def _receive(self, client: Client, silent_s: float | None) -> None:
        """Handle the messages of a page until it goes.

        Raises:
            RefusalError: it asked for what it may not, or too often.
        """
        try:
            async with asyncio.timeout(HELLO_S):
                text = await client.connection.receive()
        except TimeoutError:
            raise incoming.ProtocolError("no hello") from None
        while text is not None:
            self._handler.handle(client, incoming.parse(text))
            try:
                async with asyncio.timeout(silent_s):
                    text = await client.connection.receive()
            except TimeoutError:
                raise incoming.RefusalError(incoming.LATER, "nothing was posted") from None
