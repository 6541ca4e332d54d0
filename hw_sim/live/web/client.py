"""A connected page: its connection, its hand, what it may see and do, and what it has been sent.

The view of a page is one value, of which the page is sent what has changed.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from firmware.display.text.language import Language
from firmware.table.protocol import Budget
from hw_sim.hand.control.browser_hand import Pacer, drag_samples, phone_samples
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.incoming import BURST, MESSAGES_PER_S, TOO_MANY, RefusalError
from hw_sim.live.world.session import Command, Drag, FollowPhone

NOT_OVER: Final = "The game is not over: come back when it is.\n"


class NoAnswerError(Exception):
    """There is no answer: a status of HTTP, and the reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Rights:
    """The rights of a page.

    Attributes:
        view: what it shows.
        language: of what it is sent.
        seat: the seat it plays, None if it only watches.
        entitled: seats whose panels it may see.
        bench: whether it may pause the table, break things and so on.
    """

    view: incoming.View
    language: Language
    seat: int | None
    entitled: frozenset[int]
    bench: bool


NOBODY: Final = Rights("seat", "en", None, frozenset(), bench=False)
"""The rights of whoever only reads what all may."""


Lasting = dict[Hashable, bytes | outgoing.AnyOutgoing]
"""Messages by name; each lasts till the next one of its name: a panel, a prompt, the lobby."""


class PageView(NamedTuple):
    """How a match looks from all pages of a language.

    Attributes:
        table: the values of a `TableState` by name, but for the looks.
        looks: of the handhelds, by seat, as `handheld_look` has them.
        lines: of the story so far.
    """

    table: Mapping[str, Any]
    looks: Mapping[int, Mapping[str, Any]]
    lines: tuple[str, ...] = ()


NO_VIEW: Final = PageView({}, {})
"""The view of a page that has been sent nothing."""


def changes(was: PageView, now: PageView) -> Iterator[outgoing.AnyOutgoing]:
    """Yield the messages that change one view into another."""
    table = _changed(was.table, now.table)
    looks = {seat: _changed(was.looks.get(seat, {}), look) for seat, look in now.looks.items()}
    seats = {str(seat): outgoing.HandheldLook(**look) for seat, look in looks.items() if look}
    if table or seats:
        yield outgoing.TableState(**table, seats=seats)
    if len(now.lines) > len(was.lines):
        yield outgoing.StoryLines(list(now.lines[len(was.lines) :]))


def _changed(was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in now.items() if was.get(key) != value}


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


ASLEEP_S = 30.0
"""A page that has sent nothing for this time sleeps: one that is awake asks every 12 s; chosen."""
REACTIONS_PER_S, MOST_REACTIONS = 0.5, 3
"""The reactions of a page: so many in the long run, and so many at once; chosen."""


class Client:
    """A connected page: its connection, what it has said of itself, and what it has been sent.

    ``rights`` are None until it has said hello. ``player`` tells players apart; None for a watcher.
    ``is_host``: whether it is the page of a party's host. ``reactions``: what it may still send.
    ``is_hidden``: whether it says that nobody sees it. ``heard_s``: when it last sent something.
    ``shaken_until_s``: the end, on the loop's clock, of a shake of a handheld of its own.
    ``shown``: the number of the `RevealPause` whose verdict it has shown last. ``view``: what it
    has been sent of the match.
    """

    def __init__(self, connection: LineConnection, *, is_host: bool = False) -> None:
        self.connection = connection
        self.rights: Rights | None = None
        self.player: int | None = None
        self.is_host = is_host
        self._drag, self._phone = Pacer(), Pacer()
        self.reactions = Budget(MOST_REACTIONS, REACTIONS_PER_S, now_us())
        self.is_hidden = False
        self.heard_s = monotonic()
        self.shaken_until_s = 0.0
        self.shown = 0
        self.forget()

    def forget(self) -> None:
        """Forget what the page has, so that it gets everything anew."""
        self.view = NO_VIEW
        self._lasting: Lasting = {"eyes": outgoing.EyesUp(False)}

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

    def command(self, message: incoming.SeatMessage, now_us: int, rate: float) -> Command:
        """Return the command of a message of its hand, with times on the table's clock.

        ``now_us`` is virtual time in µs, which goes ``rate`` times as fast as real time.
        """
        match message:
            case incoming.DragMessage(seat, rows):
                return Drag(seat, drag_samples(self._drag, rows, now_us, rate))
            case incoming.PhoneMotionMessage(seat, rows):
                return FollowPhone(seat, phone_samples(self._phone, rows, now_us, rate))
            case command:
                return command

    def send(self, message: bytes | outgoing.AnyOutgoing) -> None:
        """Send a panel as bytes, an object as JSON."""
        if isinstance(message, bytes):
            self.connection.send(message)
        else:
            self.connection.send(msgspec.json.encode(message).decode())

    def tell(self, lasting: Lasting) -> None:
        """Send the messages that differ from the last ones of their names."""
        for name, message in lasting.items():
            if self._lasting.get(name) != message:
                self._lasting[name] = message
                self.send(message)

    def show(self, view: PageView) -> None:
        """Send what a view has that the page has not been sent."""
        for each in changes(self.view, view):
            self.send(each)
        self.view = view


def screens_among(clients: Iterable[Client]) -> list[Client]:
    """Return the big screens among pages."""
    return [each for each in clients if each.is_screen]


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
