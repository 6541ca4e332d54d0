"""The routes of a server by which pages are connected to its table."""

from collections.abc import Awaitable, Callable

from aiohttp import web

from hw_sim.live.web import incoming
from hw_sim.live.web.guarding import check_origin, read_body
from hw_sim.live.web.http_connections import EventConnection, SocketConnection
from hw_sim.live.web.page_session import PageSessions

SILENT_S = 45.0
"""A page that reads events and has posted nothing for this time is gone."""


class SessionRoutes:
    """The handlers of ``/socket``, ``/events`` and ``/post``."""

    def __init__(self, sessions: PageSessions) -> None:
        self._sessions = sessions
        self.posts: dict[str, EventConnection] = {}
        """The connections of events, by name."""

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Add the routes to a server's."""
        router.add_get("/socket", self.serve_socket)
        router.add_get("/events", self.serve_events)
        router.add_post("/post", self.take_post)

    async def serve_socket(self, request: web.Request) -> web.StreamResponse:
        """Serve a page from its hello until its socket closes.

        Raises:
            HTTPForbidden: the page is none of this table.
        """
        return await serve_socket(request, lambda each: self._sessions.serve(each, None))

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
            await self._sessions.serve(connection, SILENT_S)
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


async def serve_socket(
    request: web.Request, serve: Callable[[SocketConnection], Awaitable[None]]
) -> web.StreamResponse:
    """Open a socket for a page of this table, and serve it until it closes.

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
    await serve(SocketConnection(socket, transport))
    return socket
