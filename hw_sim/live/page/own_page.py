"""A phone's handheld in a worker: its streams, its store and its page, as JavaScript has them."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from firmware.display.text.language import Language
from firmware.effects.places import Room
from firmware.journal.sqlite import JournalError
from game import rule_set
from hw_sim.live.page.own_handheld import OwnHandheld
from hw_sim.live.page.streams import PageStreams
from hw_sim.live.web.access import Rights
from hw_sim.live.web.answers import NoAnswerError, work_for
from hw_sim.live.web.match_plan import SeatingError, readable_name

FOUND: Final = 200


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
        self._post, self._language = post, language
        streams = PageStreams(dial, say, hang_up)
        self.opened, self.heard, self.ended = streams.opened, streams.heard, streams.ended

        async def kept(data: bytes) -> None:
            try:
                await keep(data)
            except Exception as error:  # whatever a browser's store throws
                raise JournalError(str(error)) from None

        def told(kind: str, what: Any) -> None:
            post(kind, json.dumps(what) if isinstance(what, dict) else what)

        self._own = OwnHandheld(
            told, kept, streams.connect, secret, language, None if stored is None else bytes(stored)
        )
        self.gather, self.take, self.show = self._own.gather, self._own.take, self._own.show
        self.look_here = self._own.look_here
        self.recall, self.confess = self._own.witness.recall, self._own.witness.confess
        self._own.begin()

    def invite(
        self, name: str, code: str, key: str, game: str, options: str, players: int, stands: bool
    ) -> None:
        """Invite others into a room; see `OwnHandheld.invite`.

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

    def ask(self, number: int, path: str, body: str) -> None:
        """Ask for something that this handheld knows; the page is told ``answer`` with this number.

        ``path``: of `work_for`, with a query; ``body`` is not used.
        """
        del body
        asked = urlsplit(path)
        rights = Rights("seat", self._language, None, frozenset(), bench=False)
        try:
            name, query = asked.path.removeprefix("/"), dict(parse_qsl(asked.query))
            work = work_for(self._own.match, Path(), rights, name, query, hides_lies=True)
            status, found = FOUND, work().body.decode()
        except NoAnswerError as error:
            status, found = error.status, str(error)
        self._post("answer", json.dumps({"number": number, "status": status, "body": found}))

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except (ValueError, SeatingError) as error:
            why = error.why if isinstance(error, SeatingError) else ""
            self._post("refused", json.dumps({"why": why, "line": str(error)}))

    def look_up(self, screen: bool) -> None:
        """Note whether there is a big screen."""
        self._own.screens = int(screen)
