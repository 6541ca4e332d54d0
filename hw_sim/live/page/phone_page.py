"""A phone's handheld in a worker: its streams, its store and its page, as JavaScript has them."""

import asyncio
import json
from base64 import urlsafe_b64decode
from collections.abc import Awaitable, Callable
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final
from urllib.parse import urlsplit

from firmware.display.text.language import Language
from firmware.effects import Room
from firmware.journal.sqlite import JournalError
from firmware.table.protocol.room_line import room_of
from game import rule_set
from hw_sim.live.page.evening_line import EveningLine
from hw_sim.live.page.phone_handheld import PhoneHandheld
from hw_sim.live.page.streams import PageStreams
from hw_sim.live.web.access import NOBODY
from hw_sim.live.web.answers import Asker
from hw_sim.live.web.match_plan import SeatingError, readable_name

ANSWERED_HERE: Final = ("/games", "/card.svg")
"""The answers that need no host."""


class PhonePage:
    """The side of a worker that its JavaScript calls.

    Args:
        post: gets what the page is told, as of an `PhoneHandheld`; a dict comes as JSON.
        keep: keeps bytes in the browser's store; what it returns fails if another tab has it.
        dial, say, hang_up: open a stream of a number to an address, send a text over it, and close
            it.
        brokers: the addresses of one or more, with blanks in between; the usual one is the first.
        secret: of the guest's place at an evening; empty before there is one.
        language: of the panel.
        stored: what was kept last, or nothing.
        code, host: the room of an evening, and its host's public key in base64url; the secret is
            the host's alone. Empty: there is no such evening.
        entropy: returns that many random bytes; the only source of chance.
    """

    def __init__(
        self,
        post: Callable[[str, Any], None],
        keep: Callable[[bytes], Awaitable[None]],
        dial: Callable[[int, str], None],
        say: Callable[[int, str], None],
        hang_up: Callable[[int], None],
        brokers: str,
        secret: str,
        language: Language,
        stored: bytes | None,
        code: str = "",
        host: str = "",
        entropy: Callable[[int], bytes] = token_bytes,
    ) -> None:
        self._post, self._secret = post, secret
        streams = PageStreams(dial, say, hang_up)
        reached = streams.to(brokers.split(), entropy, seeks=not code)
        self.opened, self.heard, self.ended = streams.opened, streams.heard, streams.ended

        async def kept(data: bytes) -> None:
            try:
                await keep(data)
            except Exception as error:  # whatever a browser's store throws
                raise JournalError(str(error)) from None

        def told(kind: str, what: Any) -> None:
            post(kind, json.dumps(what) if isinstance(what, dict) else what)

        def say_in_lobby(frame: bytes) -> None:
            assert self._line is not None, "there is an evening"
            self._line.say_in_lobby(self._secret, frame)

        self._line: EveningLine | None = None
        before = None if stored is None else bytes(stored)
        own = self._own = PhoneHandheld(
            told, kept, reached, language, before, entropy, say_in_lobby if code else None
        )
        if code:
            key = urlsafe_b64decode(f"{host}=")
            session, room = reached.session(), room_of(code, key, own.device)
            reaches, is_apart = (lambda: session.is_connected), (lambda: session.is_apart)
            ways = own.receive, reaches, reached.widen, is_apart
            self._line = EveningLine(room, key, own.device, session, told, entropy, *ways)
            self._starting = asyncio.ensure_future(self._line.start())
        self.gather, self.take, self.show = self._own.gather, self._own.take, self._own.show
        self.look_here = self._own.look_here
        self.recall, self.confess = self._own.witness.recall, self._own.witness.confess
        self._own.begin()

    def invite(
        self, name: str, code: str, key: str, game: str, options: str, players: int, stands: bool
    ) -> None:
        """Invite others into a room; see `PhoneHandheld.invite`.

        ``key``: in hex; ``options``: of the game, as JSON. The page is told ``refused`` if one of
        them cannot be used: with ``why`` for a name, as in `readable_name`, and with a ``line``.
        """

        def begin() -> None:
            rules = rule_set(game, json.loads(options))
            room = Room(code, key=bytes.fromhex(key))
            self._own.invite(readable_name(name), room, rules, players, stands=stands)

        self._try(begin)

    def come(self, name: str, code: str, key: str) -> None:
        """Come into a room; see `invite`."""
        self._try(lambda: self._own.come(readable_name(name), Room(code, key=bytes.fromhex(key))))

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except (ValueError, SeatingError) as error:
            why = error.why if isinstance(error, SeatingError) else ""
            self._post("refused", json.dumps({"why": why, "line": str(error)}))

    def let_in(self, secret: str) -> None:
        """Take the secret of the guest's place."""
        self._secret = secret

    def ask(self, number: int, path: str, body: str) -> None:
        """Ask for something; the page is told ``answer`` with this number.

        This handheld answers for games and cards, and a host, if there is one, for all else.
        ``path``: of an `Asker`, with a query; ``body`` is JSON.
        """
        if urlsplit(path).path in ANSWERED_HERE or self._line is None:
            status, _, found = Asker(self._own.match, Path(), NOBODY, is_party=True).answer(path)
            answer = {"number": number, "status": status, "body": found.decode()}
            self._post("answer", json.dumps(answer))
        else:
            self._line.ask(number, path, body)

    def open_line(self, number: int) -> None:
        """Open the stream of the page to the host; see `EveningLine.open_page`."""
        if self._line is not None:
            self._line.open_page(number)

    def say_on_line(self, number: int, text: str) -> None:
        """Say a text to the host."""
        if self._line is not None:
            self._line.say(number, text)

    def cut_line(self, number: int) -> None:
        """End the stream of the page to the host."""
        if self._line is not None:
            self._line.cut_page(number)

    def look_up(self, screen: bool) -> None:
        """Note whether there is a big screen."""
        self._own.screens = int(screen)
