"""One connection of a page: hello, allowance, dispatch, goodbye."""

import asyncio
from time import monotonic

from aiohttp import WSCloseCode, web

from hw_sim.hand.control.pointer import Pacer, drag_samples, felt_samples
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.access import is_same_origin
from hw_sim.live.web.client import Client
from hw_sim.live.web.hall import Hall
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.live.web.page_connection import EventConnection, PageConnection, SocketConnection
from hw_sim.live.web.request_body import read_body
from hw_sim.live.world.commands import Drag, FollowPhone, SetFault

HELLO_S = 5.0
"""The time within which a page says hello."""
SILENT_S = 45.0
"""A page that reads events and has posted nothing for this time is gone."""


async def serve_socket(hall: Hall, request: web.Request) -> web.StreamResponse:
    """Serve a page from its hello until its socket closes.

    Raises:
        HTTPForbidden: the page is none of this table.
    """
    if not is_same_origin(request) or request.transport is None:
        raise web.HTTPForbidden(text="This table talks to its own pages only.\n")
    # No heartbeat of aiohttp's: a socket that was closed here would be kept until it is through.
    socket = web.WebSocketResponse(
        max_msg_size=incoming.MOST_BYTES, autoping=False, autoclose=False, compress=False
    )
    try:
        await socket.prepare(request)
    except ConnectionError:  # it is gone already, and a socket that was never open cannot be closed
        return web.Response()
    await _serve(hall, SocketConnection(socket, request.transport), None)
    return socket


async def serve_events(hall: Hall, request: web.Request) -> web.StreamResponse:
    """Serve a page that is sent events, from its first post until it goes.

    Raises:
        HTTPForbidden: the page is none of this table.
    """
    if ("Origin" in request.headers and not is_same_origin(request)) or request.transport is None:
        raise web.HTTPForbidden(text="This table talks to its own pages only.\n")
    events = web.StreamResponse(headers={"Cache-Control": "no-store"})
    events.content_type = "text/event-stream"
    line = EventConnection(events, request.transport)
    hall.posts[line.name] = line
    try:
        await events.prepare(request)
        await line.begin()
        await _serve(hall, line, SILENT_S)
    except ConnectionError:  # it is gone already
        pass
    finally:
        del hall.posts[line.name]
    return events


async def take_post(hall: Hall, request: web.Request) -> web.Response:
    """Take the messages of a page that is sent events, one to a line.

    Raises:
        HTTPForbidden: the page is none of this table.
        HTTPNotFound: it is connected no longer.
        HTTPRequestEntityTooLarge, HTTPTooManyRequests: that is too much.
        HTTPBadRequest: what was announced did not come.
    """
    if not is_same_origin(request):
        raise web.HTTPForbidden(text="This table talks to its own pages only.\n")
    line = hall.posts.get(request.query.get("line", ""))
    if line is None:
        raise web.HTTPNotFound(text="You are connected no longer.\n")
    body = await read_body(request)
    if not line.post(body.decode(errors="replace").split("\n")):
        raise web.HTTPTooManyRequests
    return web.Response(status=204)


async def close_all(hall: Hall) -> None:
    """Close the connections of all pages (1001, going away)."""
    code, why = WSCloseCode.GOING_AWAY, "the table is put away"
    await asyncio.gather(*(client.close(code, why) for client in hall.clients))


async def _serve(hall: Hall, line: PageConnection, silent_s: float | None) -> None:
    """Serve a connected page until it goes; disconnect it if it stays silent."""
    client = Client(line)
    hall.clients.append(client)
    passing_on = asyncio.create_task(client.pass_on())
    goodbye: incoming.RefusalError | None = None
    try:
        await _Connection(hall, client, silent_s).serve()
    except incoming.RefusalError as refusal:
        goodbye = refusal
    finally:
        passing_on.cancel()
        hall.leave(client)
    if goodbye is not None:
        await client.show_out(goodbye.code, str(goodbye))


class _Connection:
    """One page's connection; it handles the page's messages one by one."""

    def __init__(self, hall: Hall, client: Client, silent_s: float | None) -> None:
        self._hall = hall
        self._client = client
        self._silent_s = silent_s
        self._drag, self._phone = Pacer(), Pacer()
        now_s = monotonic()
        self._samples = incoming.Allowance(incoming.SAMPLES_PER_S, incoming.SAMPLES_PER_S, now_s)

    async def serve(self) -> None:
        """Do what the page asks for until it goes.

        Raises:
            protocol.RefusalError: it asked for what it may not, or too often.
        """
        try:
            async with asyncio.timeout(HELLO_S):
                text = await self._client.line.receive()
        except TimeoutError:
            raise incoming.ProtocolError("no hello") from None
        while text is not None:
            self._do(incoming.parse(text))
            try:
                async with asyncio.timeout(self._silent_s):
                    text = await self._client.line.receive()
            except TimeoutError:
                raise incoming.RefusalError(incoming.LATER, "nothing was posted") from None

    def _do(self, message: incoming.AnyIncoming) -> None:
        hall, client = self._hall, self._client
        room, rights = hall.room, client.rights
        if isinstance(message, incoming.Hello):
            if rights is not None:
                raise incoming.ProtocolError("hello again")
            hall.welcome(client, message)
        elif rights is None:
            raise incoming.ProtocolError("no hello")
        elif isinstance(message, incoming.AskAlive):
            client.send(outgoing.Alive())
        elif isinstance(message, incoming.TableMessage):
            hall.ask(client, message)
        elif isinstance(message, incoming.BenchMessage):
            if not rights.bench or room is None:
                client.send(outgoing.RequestRefused("rights"))
            else:
                self._change(room, message)
        elif message.seat != rights.seat:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your seat")
        elif room is not None:
            room.pace.do(lambda: self._move(room, message))

    def _change(self, room: LiveMatch, message: incoming.BenchMessage) -> None:
        players = room.world.setup.table.players
        if isinstance(message, SetFault) and message.seat >= players:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "there is no such seat")
        self._hall.order(self._client, lambda: room.bench.do(message))

    def _move(self, room: LiveMatch, message: incoming.SeatMessage) -> None:
        """Do something to the handheld, if the seat is still this page's.

        The past cannot be changed.
        """
        if room.bench.past is not None or self._client.seat != message.seat:
            return
        now_us, speed = room.world.now_us, room.pace.rate
        match message:
            case incoming.DragMessage(seat, rows):
                if self._samples.take(monotonic(), len(rows)):
                    room.world.do(Drag(seat, drag_samples(self._drag, rows, now_us, speed)))
            case incoming.PhoneMotionMessage(seat, rows):
                if self._samples.take(monotonic(), len(rows)):
                    room.world.do(FollowPhone(seat, felt_samples(self._phone, rows, now_us, speed)))
            case command:
                room.world.do(command)
