"""One handheld that a phone keeps for itself: its keys, its dice and its journal are nowhere else.

It joins the lobby of an evening at the tab that hosts it, and plays at the evening's broker. Or it
invites others, or is invited, into a room with a key at any broker. Host or broker get sealed
frames. The page shows the panel, and is the hand.
Its streams, its store and its page are those that JavaScript has.
"""

import asyncio
import json
import logging
from base64 import urlsafe_b64decode
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from firmware.device.open import own_device
from firmware.display.text.language import Language
from firmware.effects import Room
from firmware.journal import Survived
from firmware.journal.sqlite import JournalError
from firmware.link.broker.brokers import MISSED_S, Brokers
from firmware.link.broker.link import BrokerLink
from firmware.lobby.host import AutoLobby
from firmware.settings import SettingsError
from firmware.table.pairing.standing import StandingTable
from game import rule_set
from hw_sim.live.page.evening_line import EveningLine
from hw_sim.live.page.friends import FriendsLobby, RoomOfFriends
from hw_sim.live.page.kept_handheld import (
    JOURNAL,
    KeptHandheld,
    OpenConfession,
    over_brokers,
    standing_in,
    until_kept,
)
from hw_sim.live.page.streams import Browser, WorkLoop
from hw_sim.live.web import incoming
from hw_sim.live.web.answers import Asker
from hw_sim.live.web.client import NOBODY, Client, LineConnection, Rights
from hw_sim.live.web.gathering import TICK_S
from hw_sim.live.web.live_match import LiveMatch, welcome_to
from hw_sim.live.web.match_plan import Claims, SeatingError, readable_name
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table import CHANCE_BYTES, TablePart, TableSetup
from hw_sim.table.handheld import MemoryJournal, SharedServices

log = logging.getLogger(__name__)


@dataclass
class PhoneHandheld:
    """The handheld of a phone, on the running loop.

    Args:
        post: gets what the page is told: ``text`` with JSON of the table, ``panel`` with bytes,
            ``compares`` and ``plays`` with a dict, ``friends`` with that of a `RoomOfFriends`.
        browser: has the store.
        brokers: where the tables are, and the rooms of friends.
        language: of the panel.
        stored: what was kept last; None for nothing.
        lobby: says a frame in the lobby of an evening's host; None without an evening.
    """

    post: Callable[[str, Any], None]
    browser: Browser
    brokers: Brokers
    language: Language
    stored: bytes | None = None
    lobby: Callable[[bytes], None] | None = None

    def __post_init__(self) -> None:
        self._loop, self.entropy = WorkLoop(), self.browser.entropy
        self.numbers: tuple[int, ...] = ()
        """Those to compare, of the match that is played."""
        self._shelf: dict[Path, Survived] = {}
        self.witness = OpenConfession(self.post)
        if (kept := KeptHandheld.decode(self.stored)) is not None:
            self.numbers, self.witness.testimony = kept.numbers, kept.testimony
            self._shelf[JOURNAL] = Survived(kept.state, kept.number, kept.header, kept.entries)
        journal = MemoryJournal(JOURNAL, self._shelf)
        self.device = own_device(None, journal, self.entropy)
        self._room = BrokerLink(self.brokers.session(), self.receive, entropy=self.entropy)
        """The room of friends."""
        self.stood = standing_in(self._shelf)
        """The last table that was formed."""
        self._lobby = AutoLobby.guest(self.device, "", self.entropy, self.stood, finds=False)
        self._told: RoomOfFriends | None = None
        self._entered_us = 0
        """The time when this one came into the room of friends."""
        self._compared: tuple[int, ...] = ()
        self._met: StandingTable | None = None
        """A table that has just been formed; it is in the journal once it is played at."""
        self.match: LiveMatch | None = None
        """The match that it plays; None before the first."""
        self.screens = 0
        """The big screens, before which it shows no verdict."""
        self._client = Client(LineConnection(self._send, lambda _code, _reason: None))
        self._client.heard_s = inf  # a page that is gone takes this handheld with it

    def begin(self) -> None:
        """Go on with the match that was kept, if there is one; gather when the page says where.

        A guest of an evening keeps its device at once: the host may know it still.
        """
        if self.lobby is not None and self.stored is None:
            self._loop.run(self._keep_device())
        self._loop.run(self._room.start())
        self._loop.every(TICK_S, self._tick)
        if self._standing is not None:
            self._loop.run(self._play())

    def close(self) -> None:
        """Put it away; its match goes on from what is kept."""
        self._loop.cancel()
        self._room.abandon()
        if self.match is not None:
            self.match.close()

    def take(self, text: str) -> None:
        """Do what the page's hand does until the match is over, and answer a page of a table.

        Anything else is ignored.
        """
        try:
            message = incoming.parse(text)
        except incoming.ProtocolError as error:
            log.warning("not understood: %s", error)
            return
        match, client = self.match, self._client
        if match and isinstance(message, incoming.SeatMessage) and not match.world.is_over:
            match.runner.do(lambda: match.move(client, message))
        elif isinstance(message, incoming.Hello):
            _welcome(self._client, self.match)
        elif isinstance(message, incoming.PlayAgain):
            self._want_another()

    def show(self) -> None:
        """Tell the page all of the panel again: it shows it anew."""
        self._client.forget()
        if self.match is not None:
            self.match.wake()

    def look_here(self) -> None:
        """Show the verdict: the big screen has."""
        if self.match is not None and self.match.scene.hides_verdict:
            self.match.scene.end()

    def gather(self, name: str, host: str, session: str) -> None:
        """Join the next table of an evening's host, in hex with its session.

        A table that this one has tapped for comes first, for a while: it may stand already.
        """
        self._lobby.name = name
        self._lobby.meet(bytes.fromhex(host), bytes.fromhex(session), self._loop.now_us)
        self._pump()

    def enter(self, lobby: FriendsLobby, room: Room) -> None:
        """Come into a room of friends with a key, as the host or a guest of its tables."""
        self._room.listen_at(room)
        self._lobby, self._told, self._entered_us = lobby, None, self._loop.now_us
        self._loop.run(self._keep_device())  # a page that is loaded anew is no stranger
        self._pump()

    def _want_another(self) -> None:
        """Tell the friends, once a match is over, that this player wants another one."""
        match, standing, lobby = self.match, self._standing, self._lobby
        if match is None or standing is None or not isinstance(lobby, FriendsLobby):
            return
        outcome = match.world.table.seats[0].log.match.outcome
        if outcome is not None:
            lobby.want(standing.after(outcome.losers))
            self._pump()

    # ---- the table that stands ---------------------------------------------------------------

    def again(self) -> World:
        """Set the match up once more, from what is kept."""
        standing = self._met or self._standing
        assert standing is not None, "there was a match"
        setup = _setup_of(standing, self.language, self.entropy(CHANCE_BYTES).hex())
        met = {} if self._met is None else {standing.agreed.me: self._met}
        own = f"seat{standing.agreed.me}.sqlite"

        def journal(path: Path) -> MemoryJournal:
            if path.name == own:
                return MemoryJournal(JOURNAL, self._shelf)
            return MemoryJournal(path, {})  # of one elsewhere, which is never switched on

        def customise(services: SharedServices) -> SharedServices:
            services = replace(services, journal=journal)
            return over_brokers(services, self.brokers, met, self._kept)

        return World(setup, Path(), None, customise)

    async def _play(self) -> None:
        """Play at the table that has just been formed, or go on at the one that was kept."""
        self.witness.remember(self._shelf, self.match)
        if self.match is not None:
            self.match.runner.paused = True
            self.match.world.close()
        try:
            world = self.again()
        except SettingsError as error:
            log.warning("what was kept cannot be used: %s", error)
            return
        self._met = None
        with ExitStack() as unkept:  # a match that is not kept, or no longer wanted, is closed
            unkept.callback(world.close)
            await self.browser.keep(self._encoded())
            unkept.pop_all()
        standing = self._standing
        assert standing is not None, "it is in the journal"
        me, self._claims = standing.agreed.me, _claims_at(standing)
        self._client.rights = Rights("seat", self.language, me, frozenset((me,)), bench=False)
        if self.match is None:
            claims, screens = (lambda: self._claims), (lambda: self.screens)
            self.match = LiveMatch(self.again, world, [self._client], claims, screens=screens)
        else:
            self.match.play(world)
        self.match.runner.paused = False
        self.match.runner.speed = 1.0  # the others' clocks go as in life
        _welcome(self._client, self.match)
        session = standing.agreed.session.hex()
        self.post("plays", {"seat": me, "session": session, "numbers": list(self.numbers)})

    # ---- the lobby ---------------------------------------------------------------------------

    def _tick(self) -> None:
        self.witness.answer(self._shelf, self.match)
        self._lobby.tick(self._loop.now_us)
        self._pump()
        is_late = self._loop.now_us - self._entered_us > MISSED_S * 1e6
        if self._told and not self._told.stands and is_late:
            self.brokers.widen()  # the others may have met at another one

    def receive(self, frame: bytes) -> None:
        """Take a frame of the lobby, or of the room of friends."""
        self._lobby.receive(frame, self._loop.now_us)
        self._pump()

    def _pump(self) -> None:
        """Send what there is to send, and sit down at a table that stands."""
        lobby, stood = self._lobby, self.stood
        if lobby.numbers and lobby.numbers != self._compared:
            self._compared = lobby.numbers
            self.post("compares", {"numbers": list(lobby.numbers)})
        for device, frame in lobby.take():
            if self.lobby is None:
                self._room.send(device, frame)
            else:
                self.lobby(frame)
        if lobby.stood is not None and lobby.stood is not stood:
            self.stood = self._met = lobby.stood
            self.numbers = lobby.numbers
            if isinstance(lobby, FriendsLobby):
                lobby.begun()
            self._loop.run(self._play())
        if isinstance(lobby, FriendsLobby) and lobby.room != self._told:
            self._told = lobby.room
            self.post("friends", msgspec.to_builtins(self._told))

    @property
    def _standing(self) -> StandingTable | None:
        return standing_in(self._shelf)

    def _encoded(self) -> bytes:
        return msgspec.msgpack.encode(
            KeptHandheld(*self._shelf[JOURNAL], self.numbers, self.witness.testimony)
        )

    async def _keep_device(self) -> None:
        """Keep the device before the first match; one that is not kept is drawn anew."""
        try:
            await self.browser.keep(self._encoded())
        except JournalError as error:
            log.warning("nothing is kept: %s", error)

    async def _kept(self) -> None:
        """Wait, on the world's loop, until the journal is kept; raise JournalError if it is not."""
        assert self.match is not None, "a match writes"
        await until_kept(self.match, partial(self.browser.keep, self._encoded()), self._loop)

    def _send(self, message: str | bytes) -> None:
        self.post("text" if isinstance(message, str) else "panel", message)


def _welcome(client: Client, match: LiveMatch | None) -> None:
    """Tell a page all of a match, if there is one."""
    client.forget()
    if match is not None:
        setup, rights = match.world.setup, client.rights
        assert rights is not None, "whoever plays has some"
        welcome = welcome_to(setup, rights, phones=True)
        client.send(msgspec.structs.replace(welcome, apart=False))  # from no host
        match.wake()


def _claims_at(standing: StandingTable) -> Claims:
    """Return the seats at a table, all taken; pages and handhelds of the others are elsewhere."""
    seats = range(len(standing.names))
    return Claims([True] * len(seats), frozenset(seats) - {standing.agreed.me})


def _setup_of(standing: StandingTable, language: Language, chance: str) -> WorldSetup:
    """Return the setup of the match at a table; its player here is the only one."""
    names = standing.names
    table = TableSetup(
        standing.agreed.rules,
        len(names),
        language=language,
        player_names=names,
        link=("mqtt",),
        part=TablePart((standing.agreed.me,), standing.first),
        chance=chance,
    )
    return WorldSetup(table, len(names), ())


ANSWERED_HERE: Final = ("/games", "/card.svg")
"""The answers that need no host."""


class PhonePage(PhoneHandheld):
    """The side of a worker that its JavaScript calls.

    Args:
        post: gets what the page is told, as of an `PhoneHandheld`; a dict comes as JSON.
        browser: has the store, and the streams to brokers.
        brokers: the addresses of one or more, with blanks in between; the usual one is the first.
        secret: of the guest's place at an evening; empty before there is one.
        language: of the panel.
        stored: what was kept last, or nothing.
        code, host: the room of an evening, and its host's public key in base64url; the secret is
            the host's alone. Empty: there is no such evening.

    Attributes:
        let_in, open_line, say_on_line, cut_line: of the `EveningLine`, at an evening alone.
    """

    def __init__(
        self,
        post: Callable[[str, Any], None],
        browser: Browser,
        brokers: str,
        secret: str,
        language: Language,
        stored: bytes | None,
        code: str = "",
        host: str = "",
    ) -> None:
        def told(kind: str, what: Any) -> None:
            post(kind, json.dumps(what) if isinstance(what, dict) else what)

        there = browser.to(brokers.split(), seeks=not code)
        super().__init__(told, browser, there, language, None if stored is None else bytes(stored))
        self.recall, self.confess = self.witness.recall, self.witness.confess
        self._line: EveningLine | None = None
        if code:
            key = urlsafe_b64decode(f"{host}=")
            line = EveningLine(*(code, key, self.device, there, told, self.entropy, self.receive))
            self._line, self.lobby = line, line.say_in_lobby
            self.let_in, self.open_line = line.let_in, line.open_page
            self.say_on_line, self.cut_line = line.say, line.cut_page
            self.let_in(secret)
            self._starting = asyncio.ensure_future(line.start())
        self.begin()

    def invite(
        self, name: str, code: str, key: str, game: str, options: str, players: int, stands: bool
    ) -> None:
        """Open a table in a room; begin once so many players, with this one, are there.

        ``key``: in hex; ``options``: of the game, as JSON; ``stands``: the table of this room was
        formed before, and its match goes on. The page is told ``refused`` if one of them cannot be
        used: with ``why`` for a name, as in `readable_name`, and with a ``line``.
        """
        stood = self.stood if stands else None
        self._enter(
            lambda called: FriendsLobby.host(
                *(self.device, called, rule_set(game, json.loads(options)), players),
                *(self.entropy, stood),
            ),
            *(name, code, key),
        )

    def come(self, name: str, code: str, key: str) -> None:
        """Come to each table that is open in a room; see `invite`."""
        self._enter(
            lambda called: FriendsLobby.guest(self.device, called, self.entropy, self.stood),
            *(name, code, key),
        )

    def _enter(self, lobby: Callable[[str], FriendsLobby], name: str, code: str, key: str) -> None:
        try:
            self.enter(lobby(readable_name(name)), Room(code, key=bytes.fromhex(key)))
        except (ValueError, SeatingError) as error:
            why = error.why if isinstance(error, SeatingError) else ""
            self.post("refused", {"why": why, "line": str(error)})

    def ask(self, number: int, path: str, body: str) -> None:
        """Ask for something; the page is told ``answer`` with this number.

        This handheld answers for games and cards, and a host, if there is one, for all else.
        ``path``: of an `Asker`, with a query; ``body`` is JSON.
        """
        if urlsplit(path).path in ANSWERED_HERE or self._line is None:
            status, _, found = Asker(self.match, Path(), NOBODY, is_party=True).answer(path)
            self.post("answer", {"number": number, "status": status, "body": found.decode()})
        else:
            self._line.ask(number, path, body)

    def look_up(self, screen: bool) -> None:
        """Note whether there is a big screen."""
        self.screens = int(screen)
