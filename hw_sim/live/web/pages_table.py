"""A table and its pages: who comes in, who may do what, and one match after the other.

A person alone, people who pass one page on, and a party play at the same kind of table. They differ
in its seats: `OpenSeats` or `PartySeats`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from firmware.cli.console import because
from firmware.display.text.language import Language
from firmware.lobby.one_handheld import names_of_bots
from game import SetupError
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.access import Rights, rights_of
from hw_sim.live.web.broadcaster import elsewhere_of, welcome_to
from hw_sim.live.web.client import Client
from hw_sim.live.web.evening_records import MatchCount
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.live.web.lobby_feed import LobbyFeed, change_room
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.web.open_seats import OpenSeats
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.seating import names_of_characters
from hw_sim.live.world.commands import SetFault, SetLanguage
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table.setup import NAMES, TableSetup

MOST_WATCHERS = 40
MOST_PAGES = 8
"""The most pages of one player."""
SEATS = "claims.json"
"""The file of `OpenSeats` in a table's folder."""


class PagesTable:
    """The pages of a table, and its match if there is one. On the running loop.

    Args:
        store: the matches, of which one may have begun.
        seats: the seats of people.
        template: the table of each match that is begun here, but for rules, players and chance.
        draw: draws the chance of a match.

    Attributes:
        clients: the pages, as they come and go.
        match: the match that is played, or was last; None before the first.
        lobby: tells the pages how the lobby is.
        gather: soon begins a match of guests with handhelds elsewhere; False if none are there.
    """

    def __init__(
        self,
        store: MatchStore,
        seats: OpenSeats | PartySeats,
        template: TableSetup,
        *,
        draw: Callable[[WorldSetup], WorldSetup] = WorldSetup.drawn,
    ) -> None:
        self.store = store
        self.seats = seats
        self.clients: list[Client] = []
        self.lobby = LobbyFeed(seats, self.clients, self._playing)
        self.lobby.elsewhere = lambda: elsewhere_of(_table_of(self.match))
        self.match: LiveMatch | None = None
        self._template, self._draw = template, draw
        self._count = MatchCount(store.folder, seats)
        self.gather: Callable[[tuple[str, ...]], bool] | None = None
        if store.number is not None:
            self.play(store.world())

    def close(self) -> None:
        """Close the match; it goes on from its journals."""
        self.lobby.close()
        if self.match is not None:
            self.match.close()
        self.store.close()

    def handle(self, client: Client, message: incoming.AnyIncoming) -> None:
        """Do what a page asks for.

        Raises:
            RefusalError: it may not, and its connection ends.
        """
        match, rights = self.match, client.rights
        if isinstance(message, incoming.Hello):
            if rights is not None:
                raise incoming.ProtocolError("hello again")
            self._welcome(client, message)
        elif rights is None:
            raise incoming.ProtocolError("no hello")
        elif isinstance(message, incoming.AskAlive):
            client.send(outgoing.Alive())
        elif isinstance(message, incoming.RoomMessage):
            change_room(self.seats, self.lobby, match.scene if match else None, client, message)
        elif isinstance(message, incoming.TableMessage):
            self._change_table(client, message)
        elif isinstance(message, incoming.BenchMessage):
            if not rights.bench or match is None:
                client.send(outgoing.RequestRefused("rights"))
                return
            if isinstance(message, SetFault) and message.seat >= match.world.setup.table.players:
                raise incoming.RefusalError(incoming.WRONG_SEAT, "there is no such seat")
            self._order(client, lambda: match.change(message))
        elif message.seat != rights.seat:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your seat")
        elif match is not None:
            match.runner.do(lambda: match.move(client, message))

    def leave(self, client: Client) -> None:
        """Remove a page that is gone."""
        self.clients.remove(client)
        if self.match is not None:
            self.match.leave(client.seat)
        self.lobby.plan()

    def rights_of_token(self, token: str) -> Rights:
        """Return the rights of a request with the token of a lone player's seat, or another one."""
        seats = self.seats
        is_own = isinstance(seats, OpenSeats) and seats.is_alone and seats.holds(0, token)
        return self._rights("bench", "en", 0 if is_own else None)

    def _welcome(self, client: Client, hello: incoming.Hello) -> None:
        """Let a page come in."""
        with _on_disk():
            player, token = self.seats.admit(hello, is_host=client.is_host)
        if player is not None or not client.is_host:
            _make_room(self.clients, player)
        client.player = player
        client.rights = self._rights(hello.view, hello.language, None)
        self._show(client, token)
        self.lobby.plan()

    def _show(self, client: Client, token: str | None = None) -> None:
        """Show a page the match from its beginning, with the rights that its player has now.

        ``token``: of the seat that it has just taken, else None.
        """
        match, rights, seats = self.match, client.rights, self.seats
        client.forget()
        if match is None or rights is None:
            return
        setup = match.world.setup
        seat = seats.seat_of(client.player, self.store.number)
        rights = client.rights = self._rights(rights.view, rights.language, seat)
        if seat is not None and match.world.languages[seat] != rights.language:
            match.do(SetLanguage(seat, rights.language))
        phones, afar = seats.is_party, seats.claims(self.store.number).afar
        client.send(welcome_to(setup, rights, token, phones=phones, handhelds=sorted(afar)))
        match.wake()

    def _change_table(self, client: Client, message: incoming.TableMessage) -> None:
        """Change the players or the game, if the page may."""
        seats, is_host = self.seats, self.lobby.is_host(client)
        match message:
            case incoming.LeaveSeat(seat):
                if client.player is None or seat not in (None, client.seat):
                    raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your seat")
                self._free(client.player)
            case incoming.TakeSeat(seat) if isinstance(seats, OpenSeats):
                self._take(client, seats, seat)
            case incoming.FreePlace(place) if is_host and seats.is_party:
                self._free(place)
            case incoming.PlayAgain() if is_host or (client.player is not None and self.match):
                self._order(client, self._play_again)
            case incoming.ChooseMatch(plan) if is_host:
                self._order(client, lambda: seats.choose(plan))
            case incoming.BeginMatch(name) if is_host:
                self._order(client, lambda: self._begin(name))
            case _:
                client.send(outgoing.RequestRefused("rights"))

    def _rights(self, view: incoming.View, language: Language, seat: int | None) -> Rights:
        table = _table_of(self.match)
        players = 0 if table is None else table.players
        rights = rights_of(view, language, seat, players, alone=self.seats.is_alone)
        return replace(rights, entitled=rights.entitled - elsewhere_of(table))

    def _order(self, client: Client, order: Callable[[], None]) -> None:
        """Soon change the match or the plan; tell the page why if that is not possible."""

        def carry_out() -> None:
            try:
                order()
            except (SeatingError, SetupError) as error:
                why = error.why if isinstance(error, SeatingError) else "plan"
                client.send(outgoing.RequestRefused(why))
            except STORE_ERRORS:
                client.send(outgoing.RequestRefused("disk"))
            self.lobby.plan()

        if self.match is None:
            carry_out()
        else:
            self.match.runner.do(carry_out)

    def _take(self, client: Client, seats: OpenSeats, seat: int) -> None:
        """Let a page play a seat; the pages that play it now watch from now on, and are told."""
        if seat >= seats.people:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody plays there but a bot")
        if client.player is not None:
            return
        with _on_disk():
            if seat not in seats.free_seats():
                if not seats.is_alone:
                    client.send(outgoing.RequestRefused("seat"))
                    return
                self._free(seat)
            token = seats.take(seat)
        client.player = seat
        self._show(client, token)
        self.lobby.plan()

    def _free(self, player: int) -> None:
        """Free a player's seat: all its pages are those of a stranger from now on."""
        match, seat = self.match, self.seats.seat_of(player, self.store.number)
        with _on_disk():
            self.seats.free(player)
        if match is not None and seat is not None:
            match.let_go(seat)
        for client in self.clients:
            if client.player == player:
                client.player = None
                self._show(client)
                client.send(outgoing.SeatLost())
        if match is not None and self.seats.is_alone:
            match.runner.do(match.be_as_usual)
        self.lobby.plan()

    def _begin(self, typed: str) -> None:
        """Begin the match of the plan, or go on with it.

        At a party it replaces the present one, which else waits until it is begun again. ``typed``
        is the new name of a lone player; empty keeps the old one.
        """
        seats, store = self.seats, self.store
        if seats.hindrance:
            raise SeatingError(seats.hindrance)
        people = seats.seat_people(store.next_number, typed)
        if self.gather is None or not self.gather(people):
            is_over = seats.is_party or self._playing() is None
            self.play(store.turn_to(self.setup_of(people), is_over=is_over))

    def setup_of(self, people: tuple[str, ...]) -> WorldSetup:
        """Return the setup of the planned match for people of these names, all chance drawn."""
        return self._draw(_setup_of(self.seats, people, self._template))

    def _play_again(self) -> None:
        """Begin another match if this one is over: of all guests, or of the same people."""
        if self._playing() is not None:
            return
        if self.seats.is_party:
            self._begin("")
        else:
            self.play(self.store.next())

    def play(self, world: World | None) -> None:
        """Play in a world, and show it to all pages; None shows them the present one."""
        if self.match is not None and world is not None:
            self._count.end(self.match.world)  # the screens may still be showing that
        if world is not None:
            self._count.begin(self.store.number)
        if self.match is None:
            assert world is not None, "there is no present one"
            self.match = LiveMatch(
                self.store, world, self.clients, self.seats.claims, self._stepped, self.lobby.room
            )
        elif world is not None:
            self.match.play(world)
        for client in self.clients:
            self._show(client)

    def _playing(self) -> int | None:
        """Return the number of the match that is played; None if there is none, or it is over.

        It is over once the big screens have shown its end: till then nobody learns who has lost.
        """
        return None if self.match is None or self.match.is_over else self.store.number

    def _stepped(self) -> None:
        if self.match and self.match.is_over and self._count.end(self.match.world):
            self.lobby.plan()


def _table_of(match: LiveMatch | None) -> TableSetup | None:
    return None if match is None else match.world.setup.table


def open_table(store: MatchStore) -> PagesTable:
    """Return a table whose match has begun; the first page that opens a free seat takes it."""
    return PagesTable(store, OpenSeats(store.folder / SEATS, store.setup), store.setup.table)


def _make_room(clients: list[Client], player: int | None) -> None:
    """Close the oldest page of a player who has too many.

    Raises:
        RefusalError: there are too many watchers.
    """
    others = [each for each in clients if each.player == player and each.rights]
    if player is None and len(others) >= MOST_WATCHERS:
        raise incoming.RefusalError(incoming.LATER, "the room is full")
    if player is not None and len(others) >= MOST_PAGES:
        others[0].cut()


def _setup_of(
    seats: OpenSeats | PartySeats, people: tuple[str, ...], template: TableSetup
) -> WorldSetup:
    """Return the setup of a planned match for people of these names, and bots."""
    plan = seats.plan
    spare = names_of_bots(people, len(plan.bots))
    names = (*people, *(names_of_characters(plan.bots, spare) if seats.is_party else spare))
    called = () if names == NAMES[: len(names)] else names
    table = replace(template, rules=plan.rules, players=len(names), called=called)
    return WorldSetup(table, len(people), plan.bots)


@contextmanager
def _on_disk() -> Iterator[None]:
    """Turn a failed write into a refusal: a page can ask again later.

    Raises:
        RefusalError: the disk takes no write. The page is told.
    """
    try:
        yield
    except OSError as error:
        why = f"the table cannot keep that now: {because(error)}"
        raise incoming.RefusalError(incoming.LATER, why) from None
