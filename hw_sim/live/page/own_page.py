"""A phone's handheld in a worker: its streams, its store and its page, as JavaScript has them."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import msgspec

from firmware.display.text.language import Language
from firmware.effects.places import Room
from firmware.journal.sqlite import JournalError
from firmware.link.broker.relay import Crossing, Stream
from game import rule_set
from hw_sim.live.page.own_handheld import OwnHandheld

_decoder: msgspec.json.Decoder[Crossing] = msgspec.json.Decoder(Crossing)


class _PageStream(Stream):
    """A stream over a WebSocket of the page, known by its number."""

    def __init__(self, say: Callable[[str], None], hang_up: Callable[[], None]) -> None:
        self._say = say
        self._hang_up = hang_up
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.came: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, what: Crossing) -> None:
        """Send a message."""
        self._say(msgspec.json.encode(what).decode())

    async def read(self) -> Crossing | None:
        """Return the next message; None at the end, and for malformed data."""
        text = await self.came.get()
        try:
            return None if text is None else _decoder.decode(text)
        except msgspec.DecodeError:
            return None

    def abort(self) -> None:
        """Close at once."""
        self._hang_up()
        self.came.put_nowait(None)


class OwnPage:
    """The side of a worker that its JavaScript calls.

    Args:
        post: gets what the page is told, as of an `OwnHandheld`; a dict comes as JSON.
        keep: keeps bytes in the browser's store; what it returns fails if another tab has it.
        dial, say, hang_up: open a stream of a number, send a text over it, and close it.
        secret: of the guest's place at a party; empty: the streams lead to a broker.
        language: of the panel.
        stored: what was kept last, or nothing.
    """

    def __init__(
        self,
        post: Callable[[str, Any], None],
        keep: Callable[[bytes], Awaitable[None]],
        dial: Callable[[int], None],
        say: Callable[[int, str], None],
        hang_up: Callable[[int], None],
        secret: str,
        language: Language,
        stored: bytes | None,
    ) -> None:
        self._dial, self._say, self._hang_up, self._post = dial, say, hang_up, post
        self._numbers = count()
        self._streams: dict[int, _PageStream] = {}

        async def kept(data: bytes) -> None:
            try:
                await keep(data)
            except Exception as error:  # whatever a browser's store throws
                raise JournalError(str(error)) from None

        def told(kind: str, what: Any) -> None:
            post(kind, json.dumps(what) if isinstance(what, dict) else what)

        self._own = OwnHandheld(
            told, kept, self._connect, secret, language, None if stored is None else bytes(stored)
        )
        self.gather, self.take, self.show = self._own.gather, self._own.take, self._own.show
        self.look_here = self._own.look_here
        self.recall, self.confess = self._own.witness.recall, self._own.witness.confess
        self._own.begin()

    def invite(
        self, name: str, code: str, key: str, game: str, options: str, players: int, stands: bool
    ) -> None:
        """Invite others into a room; see `OwnHandheld.invite`.

        ``key``: in hex; ``options``: of the game, as JSON. The page is told ``refused``, with a
        line, if one of them cannot be used.
        """
        try:
            rules = rule_set(game, json.loads(options))
            room = Room(code, key=bytes.fromhex(key))
            self._own.invite(name, room, rules, players, stands=stands)
        except ValueError as error:
            self._post("refused", str(error))

    def come(self, name: str, code: str, key: str) -> None:
        """Come into a room; see `invite`."""
        try:
            self._own.come(name, Room(code, key=bytes.fromhex(key)))
        except ValueError as error:
            self._post("refused", str(error))

    def look_up(self, screen: bool) -> None:
        """Note whether there is a big screen."""
        self._own.screens = int(screen)

    def opened(self, number: int) -> None:
        """Note that a WebSocket is open."""
        if (stream := self._streams.get(number)) is not None and not stream.opened.done():
            stream.opened.set_result(None)

    def heard(self, number: int, text: str) -> None:
        """Take a text that came over a WebSocket."""
        if (stream := self._streams.get(number)) is not None:
            stream.came.put_nowait(text)

    def ended(self, number: int) -> None:
        """Note that a WebSocket has ended, or was never open."""
        if (stream := self._streams.pop(number, None)) is not None:
            if not stream.opened.done():
                stream.opened.set_exception(ConnectionError("it does not open"))
                stream.opened.exception()  # nobody may wait for it any more
            stream.came.put_nowait(None)

    async def _connect(self) -> Stream:
        number = next(self._numbers)
        stream = self._streams[number] = _PageStream(
            lambda text: self._say(number, text), lambda: self._hang_up(number)
        )
        self._dial(number)
        await stream.opened
        return stream
