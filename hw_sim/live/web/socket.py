"""One connection of a page: hello, allowance, dispatch, goodbye."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from aiohttp import WSCloseCode, web

from firmware.cli.console import because
from hw_sim.hand.control.pointer import Pacer, drag_samples, felt_samples
from hw_sim.live.web import protocol
from hw_sim.live.web.access import admit, is_same_origin
from hw_sim.live.web.client import Client
from hw_sim.live.web.frames import welcome
from hw_sim.live.web.keeper import NOT_KEPT
from hw_sim.live.web.room import Room
from hw_sim.live.world.commands import Drag, Feel, SetFault, SetLanguage

HELLO_S = 5.0
"""A page says hello within so long."""


async def serve_socket(room: Room, request: web.Request) -> web.StreamResponse:
    """Serve a page from its hello until its socket closes.

    Raises:
        HTTPForbidden: the page is none of this table.
    """
    if not is_same_origin(request) or request.transport is None:
        raise web.HTTPForbidden(text="This table talks to its own pages only.\n")
    socket = web.WebSocketResponse(max_msg_size=protocol.MOST_BYTES, heartbeat=20.0, compress=False)
    client = Client(socket, request.transport)
    try:
        await socket.prepare(request)
    except ConnectionError:  # it is gone already
        return socket
    room.clients.append(client)
    passing_on = asyncio.create_task(client.pass_on())
    goodbye: protocol.RefusalError | None = None
    try:
        await _Connection(room, client).serve()
    except protocol.RefusalError as refusal:
        goodbye = refusal
    finally:
        passing_on.cancel()
        room.leave(client)
    if goodbye is not None:
        await client.close(goodbye.code, str(goodbye))
    return socket


async def close_all(room: Room) -> None:
    """Close the sockets of all pages (1001, going away)."""
    code, why = WSCloseCode.GOING_AWAY, "the table is put away"
    await asyncio.gather(*(client.close(code, why) for client in room.clients))


class _Connection:
    """What one page asks for, message by message."""

    def __init__(self, room: Room, client: Client) -> None:
        self._room = room
        self._client = client
        self._drag, self._phone = Pacer(), Pacer()
        now_s = monotonic()
        self._messages = protocol.Allowance(protocol.MESSAGES_PER_S, protocol.BURST, now_s)
        self._samples = protocol.Allowance(protocol.SAMPLES_PER_S, protocol.SAMPLES_PER_S, now_s)

    async def serve(self) -> None:
        """Do what the page asks for until it goes.

        Raises:
            protocol.RefusalError: it asked for what it may not, or too often.
        """
        try:
            async with asyncio.timeout(HELLO_S):
                text = await self._client.next_text()
        except TimeoutError:
            raise protocol.ProtocolError("no hello") from None
        while text is not None:
            if not self._messages.take(monotonic()):
                raise protocol.RefusalError(protocol.TOO_MANY, "too many messages")
            self._do(protocol.parse(text))
            text = await self._client.next_text()

    def _do(self, message: protocol.AnyMessage) -> None:
        room, rights = self._room, self._client.rights
        if isinstance(message, protocol.Hello):
            if rights is not None:
                raise protocol.ProtocolError("hello again")
            self._welcome(message)
        elif rights is None:
            raise protocol.ProtocolError("no hello")
        elif isinstance(message, protocol.BenchMessage):
            if not rights.bench:
                self._refuse("rights")
            elif isinstance(message, SetFault) and message.seat >= room.keeper.setup.table.players:
                raise protocol.RefusalError(protocol.WRONG_SEAT, "there is no such seat")
            else:
                self._order(lambda: room.bench.do(message))
        elif isinstance(message, protocol.Again):
            if rights.seat is not None:
                self._order(room.play_again)
        elif message.seat != rights.seat:
            raise protocol.RefusalError(protocol.WRONG_SEAT, "this is not your seat")
        elif isinstance(message, protocol.Leave):
            with _on_disk():
                room.free(message.seat)
        else:
            room.pace.do(lambda: self._move(message))

    def _order(self, order: Callable[[], None]) -> None:
        """Do soon what needs the disk; tell the page if there is no room on it."""

        def carried_out() -> None:
            try:
                order()
            except NOT_KEPT:
                self._refuse("disk")

        self._room.pace.do(carried_out)

    def _refuse(self, why: str) -> None:
        self._client.send({"is": "refused", "why": why})

    def _move(self, message: protocol.SeatMessage) -> None:
        """Do something to the handheld, if the seat is still this page's.

        What was cannot be changed.
        """
        room, rights = self._room, self._client.rights
        if room.bench.past is not None or rights is None or rights.seat != message.seat:
            return
        now_us, speed = room.world.now_us, room.pace.rate
        match message:
            case protocol.Dragged(seat, rows):
                if self._samples.take(monotonic(), len(rows)):
                    room.world.do(Drag(seat, drag_samples(self._drag, rows, now_us, speed)))
            case protocol.Felt(seat, rows):
                if self._samples.take(monotonic(), len(rows)):
                    room.world.do(Feel(seat, felt_samples(self._phone, rows, now_us, speed)))
            case protocol.Leave():
                pass
            case command:
                room.world.do(command)

    def _welcome(self, hello: protocol.Hello) -> None:
        room, client = self._room, self._client
        keeper = room.keeper
        with _on_disk():
            rights, token = admit(hello, keeper.setup, keeper.claims, open_table=room.open_table)
        room.welcome(client, rights)
        seat, language = rights.seat, hello.language
        if seat is not None and room.world.languages[seat] != language:
            room.pace.do(lambda: room.world.do(SetLanguage(seat, language)))
        client.send(welcome(keeper, rights, token))


@contextmanager
def _on_disk() -> Iterator[None]:
    """What cannot be written down now can be asked for again later."""
    try:
        yield
    except OSError as error:
        why = f"the table cannot keep that now: {because(error)}"
        raise protocol.RefusalError(protocol.LATER, why) from None
