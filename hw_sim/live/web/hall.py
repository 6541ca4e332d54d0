"""Admission of pages: their rights, and which of them are closed when there are too many."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import msgspec

from firmware.cli.console import because
from firmware.lobby.names import names_of_bots
from game import SetupError, to_plain
from hw_sim.live.web import incoming
from hw_sim.live.web.access import admit, is_local, rights_of
from hw_sim.live.web.broadcaster import welcome_to
from hw_sim.live.web.client import Client
from hw_sim.live.web.connection_limit import A_PAGE, A_SEAT, NO_PAGE
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.web.outgoing import LobbyPlace, LobbyState, RequestRefused, SeatLost
from hw_sim.live.web.page_connection import EventConnection
from hw_sim.live.web.party_seats import MatchPlan, SeatingError, readable_name
from hw_sim.live.world.commands import SetLanguage
from hw_sim.live.world.setup import WorldSetup
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table.setup import NAMES

MOST_WATCHERS = 40
MOST_PAGES = 8
"""The most pages of one player."""


class Hall(ABC):
    """The pages of a table, and its match if there is one. On the server's loop.

    Attributes:
        keeper: what is played, and where it is kept.
        clients: the pages, as they come and go.
        open_table: whether every page sees every panel and may do everything.
        posts: the connections of events, by name.
    """

    def __init__(self, keeper: MatchStore, *, open_table: bool = False) -> None:
        self.keeper = keeper
        self.clients: list[Client] = []
        self.open_table = open_table
        self.posts: dict[str, EventConnection] = {}

    @property
    @abstractmethod
    def room(self) -> LiveMatch | None:
        """The match that is played, None where none was begun yet."""

    @abstractmethod
    def welcome(self, client: Client, hello: incoming.Hello) -> None:
        """Let a page come in.

        Raises:
            RefusalError: it may not.
        """

    @abstractmethod
    def ask(self, client: Client, message: incoming.TableMessage) -> None:
        """Do what a page asks for that has come in.

        Raises:
            RefusalError: it may not.
        """

    def worth(self, transport: asyncio.BaseTransport) -> int:
        """Return the worth of a connection to the `Doors`."""
        for client in self.clients:
            if client.line.transport is transport:
                return A_SEAT if client.player is not None or client.is_host else A_PAGE
        return NO_PAGE

    def leave(self, client: Client) -> None:
        """A page is gone."""
        self.clients.remove(client)
        if self.room is not None:
            self.room.leave(client.seat)

    def close(self) -> None:
        """Close the match; it goes on from its journals."""
        if self.room is not None:
            self.room.close()
        self.keeper.close()

    def order(self, client: Client, order: Callable[[], None]) -> None:
        """Soon do a task that needs the disk; tell the page if there is no room on it."""

        def carried_out() -> None:
            try:
                order()
            except STORE_ERRORS:
                client.send(RequestRefused("disk"))

        if self.room is None:
            carried_out()
        else:
            self.room.pace.do(carried_out)

    def speak(self, client: Client, room: LiveMatch) -> None:
        """Let the display of a page's seat speak the language of the page."""
        rights = client.rights
        if rights is None or rights.seat is None:
            return
        seat, language = rights.seat, rights.language
        if room.world.languages[seat] != language:
            room.pace.do(lambda: room.world.do(SetLanguage(seat, language)))

    def make_room(self, player: int | None) -> None:
        """Close the oldest page of a player who has too many.

        Raises:
            RefusalError: there are too many watchers.
        """
        others = [each for each in self.clients if each.player == player and each.rights]
        if player is None and len(others) >= MOST_WATCHERS:
            raise incoming.RefusalError(incoming.LATER, "the room is full")
        if player is not None and len(others) >= MOST_PAGES:
            others[0].cut()


class OpenHall(Hall):
    """A table where the first page that opens a free seat takes it."""

    def __init__(self, keeper: MatchStore, *, open_table: bool = False) -> None:
        super().__init__(keeper, open_table=open_table)
        setup = keeper.setup
        bots = [each for each in setup.bots if each in KINDS]
        self._plan = msgspec.convert({**to_plain(setup.table.rules), "bots": bots}, MatchPlan)
        self._room = LiveMatch(keeper, keeper.world(), self.clients, self._claimed, self._stepped)

    @property
    def room(self) -> LiveMatch:
        """The match that is played."""
        return self._room

    def welcome(self, client: Client, hello: incoming.Hello) -> None:
        """Let a page come in, and take the seat that it wants if that is free."""
        keeper, room = self.keeper, self.room
        with on_disk():
            rights, token = admit(hello, keeper.setup, keeper.claims, open_table=self.open_table)
        self.make_room(rights.seat)
        client.rights, client.player = rights, rights.seat
        room.wake()
        self.speak(client, room)
        client.send(welcome_to(keeper.setup, rights, token))
        self._tell()

    def ask(self, client: Client, message: incoming.TableMessage) -> None:
        """Play another match, choose which, or free a seat."""
        match message:
            case incoming.PlayAgain():
                if client.seat is not None:
                    self.order(client, self._play_again)
            case incoming.LeaveSeat(seat):
                if seat is None or seat != client.seat:
                    raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your seat")
                with on_disk():
                    self._free(seat)
            case incoming.TakeSeat(seat):
                self._take(client, seat)
            case incoming.ChooseMatch(plan) if self._chooses(client):
                with telling_why(client):
                    _ = plan.rules  # raises where there are none
                    self._plan = plan
                self._tell()
            case incoming.BeginMatch(name) if self._chooses(client):
                self.order(client, lambda: self._begin(client, name))
            case _:
                client.send(RequestRefused("rights"))

    def _claimed(self) -> list[bool]:
        free = self.keeper.claims.free()
        return [seat not in free for seat in range(self.keeper.setup.people)]

    def _play_again(self) -> None:
        """Begin the next match of the same people, if this one is over."""
        if self.room.world.is_over:
            self.room.play(self.keeper.next())
            for client in self.clients:
                self.speak(client, self.room)

    def _chooses(self, client: Client) -> bool:
        """Whether a page is that of the lone player, with built-in bots in all other seats."""
        setup = self.keeper.setup
        is_here = setup.table.broker is None and setup.table.here is None
        return setup.people == 1 and client.seat == 0 and is_here and {*setup.bots} <= {*KINDS}

    def _begin(self, client: Client, typed: str) -> None:
        """Begin the match that was chosen, or go on with it, for somebody of that name."""
        plan, keeper, room = self._plan, self.keeper, self.room
        with telling_why(client):
            if why := plan.hindrance(1):
                raise SeatingError(why)
            name = readable_name(typed or keeper.setup.table.names[0])
            names = (name, *names_of_bots((name,), len(plan.bots)))
            called = () if names == NAMES[: len(names)] else names
            table = replace(keeper.setup.table, rules=plan.rules, players=len(names), called=called)
            wanted = WorldSetup(table, 1, plan.bots).drawn()
            world = keeper.turn_to(wanted, is_over=room.world.is_over)
            if world is not None:
                room.play(world)
            for each in self.clients:
                self._show(each, each.seat)
            self._tell()

    def _take(self, client: Client, seat: int) -> None:
        """Let a page play a seat; the pages that play it now watch from now on, and are told."""
        claims, people = self.keeper.claims, self.keeper.setup.people
        if seat >= people:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody plays there but a bot")
        if client.seat is not None:
            return
        with on_disk():
            if seat not in claims.free():
                if people > 1 or not is_local(client.line.transport):
                    client.send(RequestRefused("seat"))
                    return
                self._free(seat)
            token = claims.take(seat)
        self._show(client, seat, token)
        self._tell()

    def _show(self, client: Client, seat: int | None, token: str | None = None) -> None:
        """Show a page that is in the match from its beginning, as that of a seat or (None) none.

        ``token``: of the seat, if it has just taken it.
        """
        rights, setup = client.rights, self.keeper.setup
        if rights is None:
            return
        client.player = seat
        client.rights = rights_of(
            rights.view, rights.language, seat, setup, open_table=self.open_table
        )
        client.forget()
        self.speak(client, self.room)
        client.send(welcome_to(setup, client.rights, token))

    def _stepped(self) -> None:
        if self.room.world.is_over:
            self._tell()

    def _tell(self) -> None:
        """Send the lone player their choice, and whether that match can begin."""
        for client in self.clients:
            if client.rights is None or client.rights.view != "table" or not self._chooses(client):
                continue
            name = self.keeper.setup.table.names[0]
            lobby = LobbyState(
                host=True,
                place=0,
                places=[LobbyPlace(name, here=True, plays=True, link=None, code=None)],
                plan=self._plan,
                playing=not self.room.world.is_over,
                hindrance=self._plan.hindrance(1),
                tally=[],
                secure=None,
                alone=True,
            )
            client.send_lobby(lobby)

    def _free(self, seat: int) -> None:
        """Free a seat: all its pages are those of a stranger from now on.

        Raises:
            OSError: that cannot be written down; then the seat is still taken.
        """
        setup = self.keeper.setup
        self.keeper.claims.leave(seat)
        self.room.let_go(seat)
        for client in self.clients:
            if client.seat == seat:
                self._show(client, None)
                client.send(SeatLost())
        if setup.people == 1 and not self.open_table:
            self.room.pace.do(self.room.be_as_usual)


@contextmanager
def telling_why(client: Client) -> Iterator[None]:
    """Tell a page why the match that it asks for is not played."""
    try:
        yield
    except SeatingError as error:
        client.send(RequestRefused(error.why))
    except SetupError:
        client.send(RequestRefused("plan"))


@contextmanager
def on_disk() -> Iterator[None]:
    """Turn a failed write into a refusal: a page can ask again later.

    Raises:
        RefusalError: the disk takes no write. The page is told.
    """
    try:
        yield
    except OSError as error:
        why = f"the table cannot keep that now: {because(error)}"
        raise incoming.RefusalError(incoming.LATER, why) from None
