"""A connected page: its connection, its hand, its session, and the messages that wait for it."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Protocol

import msgspec

from hw_sim.hand.control.felt_acceleration import Pacer, drag_samples, phone_samples
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.access import Rights
from hw_sim.live.web.incoming import BURST, MESSAGES_PER_S, TOO_MANY, Allowance, RefusalError
from hw_sim.live.web.page_view import NO_VIEW, PageView, changes
from hw_sim.live.world.commands import Command, Drag, FollowPhone

GONE = 1006
"""The code of a line that ended without a goodbye (RFC 6455, 7.4.1)."""


class LineConnection:
    """A line to a page. Its messages are those of a socket.

    Args:
        post: gets each message to the page: JSON, or the bytes of a panel.
        ended: gets the code and the reason once the table has ended the line.
    """

    def __init__(
        self, post: Callable[[str | bytes], None], ended: Callable[[int, str], None]
    ) -> None:
        self.send = post
        self._ended = ended
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self._allowance = Allowance(MESSAGES_PER_S, BURST, monotonic())

    def take(self, text: str | None) -> None:
        """Take a message of the page; None when the page is gone."""
        self._texts.put_nowait(text)

    async def receive(self) -> str | None:
        """The next message of the page; None when it is gone.

        Raises:
            RefusalError: the page sends too much.
        """
        text = await self._texts.get()
        if text is not None and not self._allowance.take(monotonic()):
            raise RefusalError(TOO_MANY, "too many messages")
        return text

    def close(self, code: int, reason: str) -> None:
        """End the line with a code and a reason."""
        self._ended(code, reason)
        self.take(None)


class HandInput:
    """Turns the messages of one page's hand into commands, with times on the table's clock."""

    def __init__(self) -> None:
        self._drag, self._phone = Pacer(), Pacer()
        most = incoming.SAMPLES_PER_S
        self._samples = incoming.Allowance(most, most, monotonic())

    def command(self, message: incoming.SeatMessage, now_us: int, rate: float) -> Command | None:
        """Return the command of a message; None if the page sends too many samples.

        ``now_us`` is virtual time in µs, which goes ``rate`` times as fast as real time.
        """
        match message:
            case incoming.DragMessage(seat, rows):
                if self._samples.take(monotonic(), len(rows)):
                    return Drag(seat, drag_samples(self._drag, rows, now_us, rate))
            case incoming.PhoneMotionMessage(seat, rows):
                if self._samples.take(monotonic(), len(rows)):
                    return FollowPhone(seat, phone_samples(self._phone, rows, now_us, rate))
            case command:
                return command
        return None


ASLEEP_S = 30.0
"""A page that has sent nothing for this time sleeps: one that is awake asks every 12 s."""
_MOST_WAITING, _FULL = 64, 32
REACTIONS_PER_S, MOST_REACTIONS = 0.5, 3
"""The reactions of a page: so many in the long run, and so many at once."""


class Client:
    """A connected page, and the messages that it has not got yet.

    ``rights`` are None until it has said hello. ``player`` tells players apart; None for a watcher.
    ``is_host``: whether it is the page of a party's host. ``reactions``: what it may still send.
    ``is_hidden``: whether it says that nobody sees it. ``heard_s``: when it last sent something.
    ``shaken_until_s``: the end, on the loop's clock, of a shake of a handheld of its own.
    ``shown``: the number of the `RevealPause` whose verdict it has shown last.
    """

    def __init__(self, connection: LineConnection) -> None:
        self.connection = connection
        self.rights: Rights | None = None
        self.player: int | None = None
        self.is_host = False
        self.hand = HandInput()
        self.reactions = Allowance(REACTIONS_PER_S, MOST_REACTIONS, monotonic())
        self.is_hidden = False
        self.heard_s = monotonic()
        self.shaken_until_s = 0.0
        self.shown = 0
        self._queue: asyncio.Queue[str | bytes] = asyncio.Queue(maxsize=_MOST_WAITING)
        self.forget()

    def forget(self) -> None:
        """Forget what the page has, so that it gets everything anew."""
        self._view = NO_VIEW
        self._lobby: outgoing.LobbyState | None = None

    @property
    def seat(self) -> int | None:
        """The seat that it plays, if any."""
        return None if self.rights is None else self.rights.seat

    @property
    def is_new(self) -> bool:
        """Whether it has not been sent how the match stands."""
        return self._view is NO_VIEW

    @property
    def is_awake(self) -> bool:
        """Whether it may be seen: it is not hidden, and a page that shows a seat is heard of."""
        is_phone = self.rights is not None and self.rights.view == "seat"
        return not self.is_hidden and not (is_phone and monotonic() - self.heard_s > ASLEEP_S)

    @property
    def is_full(self) -> bool:
        """Whether more than 32 messages wait: then wait, and send the newest only."""
        return self._queue.qsize() > _FULL

    def send(self, message: outgoing.AnyOutgoing) -> None:
        """Queue an object as JSON; drop it if 64 messages wait already."""
        self.send_text(msgspec.json.encode(message).decode())

    def send_text(self, text: str) -> None:
        """Queue a text; drop it if 64 messages wait already."""
        self._put(text)

    def show(self, view: PageView) -> None:
        """Send what a view has that the page has not been sent."""
        for each in changes(self._view, view):
            if isinstance(each, bytes):
                self._put(each)
            else:
                self.send(each)
        self._view = view

    def send_lobby(self, lobby: outgoing.LobbyState) -> None:
        """Send how a party stands, if that has changed."""
        if self._lobby != lobby:
            self._lobby = lobby
            self.send(lobby)

    async def send_queued(self) -> None:
        """Send queued messages until cancelled."""
        while True:
            self.connection.send(await self._queue.get())

    def cut(self) -> None:
        """Cut the connection."""
        self.connection.close(GONE, "")

    def _put(self, message: str | bytes) -> None:
        if not self._queue.full():
            self._queue.put_nowait(message)


HELLO_S = 5.0
"""The time within which a page says hello; a phone that froze meanwhile connects again."""


class PageHandler(Protocol):
    """Handles the messages of pages; a `PagesTable`."""

    clients: list[Client]

    def handle(self, client: Client, message: incoming.AnyIncoming) -> None:
        """Do what a page asks for.

        Raises:
            RefusalError: it may not, and its connection ends.
        """

    def leave(self, client: Client) -> None:
        """Remove a page that is gone."""


class PageSessions:
    """Serves the pages of a table, each over a connection.

    ``are_hosts``: whether they are pages of the host's own browser, which may do what a host may.
    """

    def __init__(self, handler: PageHandler, *, are_hosts: bool = False) -> None:
        self._handler = handler
        self._are_hosts = are_hosts

    async def serve(self, connection: LineConnection) -> None:
        """Serve a connected page until it goes."""
        client = Client(connection)
        client.is_host = self._are_hosts
        self._handler.clients.append(client)
        sending = asyncio.create_task(client.send_queued())
        refusal: incoming.RefusalError | None = None
        try:
            await self._receive(client)
        except incoming.RefusalError as error:
            refusal = error
        finally:
            sending.cancel()
            self._handler.leave(client)
        if refusal is not None:
            connection.close(refusal.code, str(refusal))

    async def _receive(self, client: Client) -> None:
        """Handle the messages of a page until it goes.

        Raises:
            RefusalError: it asked for what it may not, or too often.
        """
        try:
            async with asyncio.timeout(HELLO_S):
                text = await client.connection.receive()
        except TimeoutError:
            raise incoming.RefusalError(incoming.LATER, "no hello") from None
        while text is not None:
            client.heard_s = monotonic()
            self._handler.handle(client, incoming.parse(text))
            text = await client.connection.receive()
