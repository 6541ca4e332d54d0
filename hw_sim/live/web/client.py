"""A connected page: its connection, its hand, and what it has been sent."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Protocol

import msgspec

from firmware.table.protocol import Budget
from hw_sim.hand.control.browser_hand import Pacer, drag_samples, phone_samples
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.access import Rights
from hw_sim.live.web.incoming import BURST, MESSAGES_PER_S, TOO_MANY, RefusalError
from hw_sim.live.web.page_view import NO_VIEW, PageView, changes
from hw_sim.live.world.commands import Command, Drag, FollowPhone

GONE = 1006
"""The code of a line that ended without a goodbye (RFC 6455, 7.4.1)."""


def now_us() -> int:
    """Return real time in µs, which never runs back."""
    return round(monotonic() * 1e6)


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
        self._texts: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._budget = Budget(BURST, MESSAGES_PER_S, now_us())

    def take(self, text: str | bytes | None) -> None:
        """Take a message of the page; None when the page is gone."""
        self._texts.put_nowait(text)

    async def receive(self) -> str | bytes | None:
        """The next message of the page; None when it is gone.

        Raises:
            RefusalError: the page sends too much.
        """
        text = await self._texts.get()
        if text is not None and not self._budget.take(now_us()):
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

    def command(self, message: incoming.SeatMessage, now_us: int, rate: float) -> Command:
        """Return the command of a message.

        ``now_us`` is virtual time in µs, which goes ``rate`` times as fast as real time.
        """
        match message:
            case incoming.DragMessage(seat, rows):
                return Drag(seat, drag_samples(self._drag, rows, now_us, rate))
            case incoming.PhoneMotionMessage(seat, rows):
                return FollowPhone(seat, phone_samples(self._phone, rows, now_us, rate))
            case command:
                return command


ASLEEP_S = 30.0
"""A page that has sent nothing for this time sleeps: one that is awake asks every 12 s."""
REACTIONS_PER_S, MOST_REACTIONS = 0.5, 3
"""The reactions of a page: so many in the long run, and so many at once."""


class Client:
    """A connected page: its connection, what it has said of itself, and what it has been sent.

    ``rights`` are None until it has said hello. ``player`` tells players apart; None for a watcher.
    ``is_host``: whether it is the page of a party's host. ``reactions``: what it may still send.
    ``is_hidden``: whether it says that nobody sees it. ``heard_s``: when it last sent something.
    ``shaken_until_s``: the end, on the loop's clock, of a shake of a handheld of its own.
    ``shown``: the number of the `RevealPause` whose verdict it has shown last. ``view``: all that
    it has been sent.
    """

    def __init__(self, connection: LineConnection, *, is_host: bool = False) -> None:
        self.connection = connection
        self.rights: Rights | None = None
        self.player: int | None = None
        self.is_host = is_host
        self.hand = HandInput()
        self.reactions = Budget(MOST_REACTIONS, REACTIONS_PER_S, now_us())
        self.is_hidden = False
        self.heard_s = monotonic()
        self.shaken_until_s = 0.0
        self.shown = 0
        self.forget()

    def forget(self) -> None:
        """Forget what the page has, so that it gets everything anew."""
        self.view = NO_VIEW

    @property
    def seat(self) -> int | None:
        """The seat that it plays, if any."""
        return None if self.rights is None else self.rights.seat

    @property
    def is_new(self) -> bool:
        """Whether it has not been sent how the match stands."""
        return not self.view.table

    @property
    def is_screen(self) -> bool:
        """Whether it is a big screen."""
        return self.rights is not None and self.rights.view == "screen"

    @property
    def is_awake(self) -> bool:
        """Whether it may be seen: it is not hidden, and a page that shows a seat is heard of."""
        is_phone = self.rights is not None and self.rights.view == "seat"
        return not self.is_hidden and not (is_phone and monotonic() - self.heard_s > ASLEEP_S)

    def send(self, message: outgoing.AnyOutgoing) -> None:
        """Send an object as JSON."""
        self.connection.send(msgspec.json.encode(message).decode())

    def show(self, view: PageView) -> None:
        """Send what a view has that the page has not been sent."""
        for each in changes(self.view, view):
            if isinstance(each, bytes):
                self.connection.send(each)
            else:
                self.send(each)
        self.view = view


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


async def serve(handler: PageHandler, connection: LineConnection, *, is_host: bool = False) -> None:
    """Serve a connected page until it goes, or asks for what it may not.

    ``is_host``: it is one of the host's own browser, which may do what a host may.
    """
    client = Client(connection, is_host=is_host)
    handler.clients.append(client)
    try:
        while (text := await connection.receive()) is not None:
            client.heard_s = monotonic()
            handler.handle(client, incoming.parse(text))
    except RefusalError as error:
        connection.close(error.code, str(error))
    finally:
        handler.leave(client)
