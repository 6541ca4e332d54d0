"""One connection of a page: hello, allowance, dispatch, goodbye."""

import asyncio
from time import monotonic

from aiohttp import WSCloseCode, web

from hw_sim.hand.control.pointer import Pacer, drag_samples, felt_samples
from hw_sim.live.web import protocol
from hw_sim.live.web.access import admit, is_same_origin
from hw_sim.live.web.client import Client
from hw_sim.live.web.frames import welcome
from hw_sim.live.web.room import Room
from hw_sim.live.world.commands import Drag, Feel

MOST_CLIENTS = 40
HELLO_S = 10.0
"""A page says hello within so long."""


async def serve_socket(room: Room, request: web.Request) -> web.StreamResponse:
    """Serve a page from its hello until its socket closes.

    Raises:
        HTTPForbidden: the page is none of this table.
        HTTPServiceUnavailable: there are as many as the table can bear.
    """
    if not is_same_origin(request):
        raise web.HTTPForbidden(text="This table talks to its own pages only.\n")
    if len(room.clients) >= MOST_CLIENTS:
        raise web.HTTPServiceUnavailable(text="The room is full.\n")
    socket = web.WebSocketResponse(max_msg_size=protocol.MOST_BYTES, heartbeat=20.0, compress=False)
    await socket.prepare(request)
    client = Client(socket)
    room.clients.append(client)
    passing_on = asyncio.create_task(client.pass_on())
    try:
        await _Connection(room, client).serve()
    except protocol.RefusalError as refusal:
        await socket.close(code=refusal.code, message=str(refusal).encode()[:120])
    finally:
        passing_on.cancel()
        room.leave(client)
    return socket


async def close_all(room: Room) -> None:
    """Close the sockets of all pages (1001, going away)."""
    for client in list(room.clients):
        await client.socket.close(code=WSCloseCode.GOING_AWAY, message=b"the table is put away")


class _Connection:
    """What one page asks for, message by message."""

    def __init__(self, room: Room, client: Client) -> None:
        self._room = room
        self._client = client
        self._drag, self._phone = Pacer(), Pacer()

    async def serve(self) -> None:
        """Do what the page asks for until it goes.

        Raises:
            protocol.RefusalError: it asked for what it may not, or too often.
        """
        allowance = protocol.Allowance(monotonic())
        try:
            async with asyncio.timeout(HELLO_S):
                text = await self._client.next_text()
        except TimeoutError:
            raise protocol.ProtocolError("no hello") from None
        while text is not None:
            if not allowance.take(monotonic()):
                raise protocol.RefusalError(protocol.TOO_MANY, "too many messages")
            self._do(protocol.parse(text))
            text = await self._client.next_text()

    def _do(self, message: protocol.Message) -> None:
        room, rights = self._room, self._client.rights
        if isinstance(message, protocol.Hello):
            if rights is not None:
                raise protocol.ProtocolError("hello again")
            self._welcome(message)
        elif rights is None:
            raise protocol.ProtocolError("no hello")
        elif isinstance(message, protocol.BenchMessage):
            if rights.bench:
                room.pace.do(lambda: room.bench.do(message))
            else:
                self._client.send({"is": "refused", "why": "rights"})
        elif isinstance(message, protocol.Again):
            if rights.seat is not None:
                room.pace.do(room.play_again)
        elif message.seat != rights.seat:
            raise protocol.RefusalError(protocol.WRONG_SEAT, "this is not your seat")
        elif isinstance(message, protocol.Leave):
            room.keeper.claims.leave(message.seat)
            self._client.rights = rights.without_seat()
            self._client.send({"is": "left"})
        else:
            room.pace.do(lambda: self._move(message))

    def _move(self, message: protocol.SeatMessage) -> None:
        """Do something to the handheld; what was cannot be changed."""
        room = self._room
        if room.bench.past is not None:
            return
        now_us, speed = room.world.now_us, room.pace.speed
        match message:
            case protocol.Dragged(seat, rows):
                room.world.do(Drag(seat, drag_samples(self._drag, rows, now_us, speed)))
            case protocol.Felt(seat, rows):
                room.world.do(Feel(seat, felt_samples(self._phone, rows, now_us, speed)))
            case protocol.Leave():
                pass
            case command:
                room.world.do(command)

    def _welcome(self, hello: protocol.Hello) -> None:
        room, client = self._room, self._client
        client.rights, token = admit(
            hello, room.keeper.setup, room.keeper.claims, open_table=room.open_table
        )
        client.send(welcome(room.keeper, client.rights, token))
        room.wake()
