"""A table and its pages: who comes in, who may do what, and one match after the other.

A person alone, people who pass one page on, and a party play at the same kind of table. They differ
in its seats: `OpenSeats` or `PartySeats`.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum, auto
from typing import Any, Final, NamedTuple, get_args

from firmware.cli.console import because
from firmware.display.text.language import Language
from firmware.lobby.one_handheld import names_of_bots
from game import SetupError
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.access import Rights, rights_of
from hw_sim.live.web.broadcaster import welcome_to
from hw_sim.live.web.client import Client
from hw_sim.live.web.evening_records import MatchCount
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.web.open_seats import OpenSeats
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.seating import names_of_characters
from hw_sim.live.world.commands import SetFault, SetLanguage
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.story.games import clash_in_words
from hw_sim.table.setup import NAMES, TableSetup

MOST_WATCHERS = 40
MOST_PAGES = 8
"""The most pages of one player."""
SHAKES_S = 4.0
"""The longest that a shake is heard whose end no page tells."""
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
        gather: soon begins a party's match with people of these names, whose handhelds are theirs.
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
        self.match: LiveMatch | None = None
        self._template, self._draw = template, draw
        self._count = MatchCount(store.folder, seats)
        self.gather: Callable[[tuple[str, ...]], None]
        if store.number is not None:
            self.play(store.world())

    def close(self) -> None:
        """Close the match; it goes on from its journals."""
        self.lobby.close()
        if self.match is not None:
            self.match.close()
        self.store.close()

    def handle(self, client: Client, message: incoming.AnyIncoming) -> None:
        """Do what a page asks for, as `HANDLERS` have it, or tell it why not.

        Raises:
            RefusalError: it may not, and its connection ends.
        """
        needs, work = HANDLERS[type(message)]
        if (needs is MessageNeeds.STRANGER) != (client.rights is None):
            raise incoming.ProtocolError("no hello" if client.rights is None else "hello again")
        try:
            if not self._may(client, message, needs):
                raise SeatingError("rights")
            work(self, client, message)
        except SeatingError as error:
            client.send(_refusal(error, client))
        except OSError:
            client.send(outgoing.RequestRefused("disk"))

    def _may(self, client: Client, message: Any, needs: "MessageNeeds") -> bool:
        """Whether a page has what a message needs.

        Raises:
            RefusalError: it speaks for another seat.
        """
        rights = client.rights
        match needs:
            case MessageNeeds.SEAT:
                if client.seat != message.seat:
                    raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your seat")
                return True
            case MessageNeeds.GUEST:
                return self.seats.is_party and client.player is not None
            case MessageNeeds.HOST:
                return self.lobby.is_host(client)
            case MessageNeeds.SCREEN:
                return rights is not None and rights.view == "screen"
            case MessageNeeds.BENCH:
                return rights is not None and rights.bench and self.match is not None
        return True

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

    # ---- what pages ask for ------------------------------------------------------------------

    def _answer_alive(self, client: Client, _message: incoming.AskAlive) -> None:
        client.send(outgoing.Alive())

    def _hide(self, client: Client, message: incoming.Hide) -> None:
        if client.player is not None:  # nobody sees a stranger
            client.is_hidden = message.on
            self.lobby.plan()

    def _shake(self, client: Client, message: incoming.Shake) -> None:
        if client.player is not None:
            now_s = asyncio.get_running_loop().time()
            client.shaken_until_s = now_s + SHAKES_S if message.on else 0.0

    def _verdict_shown(self, client: Client, _message: incoming.VerdictShown) -> None:
        if self.match is not None and self.match.scene.number != client.shown:
            client.shown = self.match.scene.number
            self.match.scene.shown()

    def _react(self, client: Client, message: incoming.React) -> None:
        if self.match is None or not self.match.scene.hides_verdict:
            self.lobby.react(client, message.reaction)

    def _confess(self, client: Client, message: incoming.Confess) -> None:
        if isinstance(self.seats, PartySeats) and client.player is not None:
            self.seats.confess(client.player, message)
            self.lobby.plan()

    def _set_room(self, client: Client, message: incoming.SetRoom) -> None:
        is_guest = client.player is not None and message.language is None
        if not (isinstance(self.seats, PartySeats) and (is_guest or self.lobby.is_host(client))):
            raise SeatingError("rights")
        self.seats.furnish(message)
        self.lobby.plan()

    def _leave_seat(self, client: Client, message: incoming.LeaveSeat) -> None:
        if client.player is None or message.seat not in (None, client.seat):
            raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your seat")
        self._free(client.player)

    def _take_seat(self, client: Client, message: incoming.TakeSeat) -> None:
        """Let a page play a seat; the pages that play it now watch from now on, and are told."""
        seats, seat = self.seats, message.seat
        if not isinstance(seats, OpenSeats):
            raise SeatingError("rights")
        if seat >= seats.people:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody plays there but a bot")
        if client.player is not None:
            return
        with _on_disk():
            if seat not in seats.free_seats():
                if not seats.is_alone:
                    raise SeatingError("seat")
                self._free(seat)
            token = seats.take(seat)
        client.player = seat
        self._show(client, token)
        self.lobby.plan()

    def _free_place(self, _client: Client, message: incoming.FreePlace) -> None:
        if not self.seats.is_party:
            raise SeatingError("rights")
        self._free(message.place)

    def _play_another(self, client: Client, _message: incoming.PlayAgain) -> None:
        is_player = client.player is not None and self.match is not None
        if not (is_player or self.lobby.is_host(client)):
            raise SeatingError("rights")
        self._order(client, self._play_again)

    def _choose(self, client: Client, message: incoming.ChooseMatch) -> None:
        self._order(client, lambda: self.seats.choose(message.plan))

    def _begin_match(self, client: Client, message: incoming.BeginMatch) -> None:
        self._order(client, lambda: self._begin(message.name))

    def _move(self, client: Client, message: incoming.SeatMessage) -> None:
        if (match := self.match) is not None:
            match.runner.do(lambda: match.move(client, message))

    def _change_bench(self, client: Client, message: incoming.BenchMessage) -> None:
        match = self.match
        assert match is not None, "its needs say so"
        if isinstance(message, SetFault) and message.seat >= match.world.setup.table.players:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "there is no such seat")
        self._order(client, lambda: match.change(message))

    # ---- players and matches -----------------------------------------------------------------

    def _rights(self, view: incoming.View, language: Language, seat: int | None) -> Rights:
        rights = rights_of(view, language, seat, alone=self.seats.is_alone)
        return replace(rights, entitled=frozenset()) if self.seats.is_party else rights

    def _order(self, client: Client, order: Callable[[], None]) -> None:
        """Soon change the match or the plan; tell the page why if that is not possible."""

        def carry_out() -> None:
            try:
                order()
            except SeatingError as error:
                client.send(_refusal(error, client))
            except SetupError:
                client.send(outgoing.RequestRefused("plan"))
            except STORE_ERRORS:
                client.send(outgoing.RequestRefused("disk"))
            self.lobby.plan()

        if self.match is None:
            carry_out()
        else:
            self.match.runner.do(carry_out)

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
        if seats.is_party:
            self.gather(people)
        else:
            self.play(store.turn_to(self.setup_of(people), is_over=self._playing() is None))

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
                self.store,
                world,
                self.clients,
                self.seats.claims,
                self._stepped,
                self.lobby.room,
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


class MessageNeeds(Enum):
    """The state of a page that a message needs."""

    STRANGER = auto()
    """It has not said hello."""
    NOTHING = auto()
    SEAT = auto()
    """It plays the seat of the message."""
    GUEST = auto()
    """It is that of a party's guest."""
    HOST = auto()
    """It may choose and begin the next match."""
    SCREEN = auto()
    BENCH = auto()
    """It may change the match for everybody."""


class Handler(NamedTuple):
    """The needs of a message, and what answers it: gets table, page and message."""

    needs: MessageNeeds
    work: Callable[[PagesTable, Client, Any], None]


HANDLERS: Final[Mapping[type, Handler]] = {
    incoming.Hello: Handler(MessageNeeds.STRANGER, PagesTable._welcome),
    incoming.AskAlive: Handler(MessageNeeds.NOTHING, PagesTable._answer_alive),
    incoming.Hide: Handler(MessageNeeds.NOTHING, PagesTable._hide),
    incoming.Shake: Handler(MessageNeeds.NOTHING, PagesTable._shake),
    incoming.VerdictShown: Handler(MessageNeeds.SCREEN, PagesTable._verdict_shown),
    incoming.React: Handler(MessageNeeds.GUEST, PagesTable._react),
    incoming.Confess: Handler(MessageNeeds.GUEST, PagesTable._confess),
    incoming.SetRoom: Handler(MessageNeeds.NOTHING, PagesTable._set_room),
    incoming.LeaveSeat: Handler(MessageNeeds.NOTHING, PagesTable._leave_seat),
    incoming.TakeSeat: Handler(MessageNeeds.NOTHING, PagesTable._take_seat),
    incoming.FreePlace: Handler(MessageNeeds.HOST, PagesTable._free_place),
    incoming.ChooseMatch: Handler(MessageNeeds.HOST, PagesTable._choose),
    incoming.BeginMatch: Handler(MessageNeeds.HOST, PagesTable._begin_match),
    incoming.PlayAgain: Handler(MessageNeeds.NOTHING, PagesTable._play_another),
    **dict.fromkeys(get_args(incoming.SeatMessage), Handler(MessageNeeds.SEAT, PagesTable._move)),
    **dict.fromkeys(
        get_args(incoming.BenchMessage), Handler(MessageNeeds.BENCH, PagesTable._change_bench)
    ),
}
"""The messages of a page. A handler raises SeatingError for a wish that cannot be granted."""


def _refusal(error: SeatingError, client: Client) -> outgoing.RequestRefused:
    """Return the answer to a wish that cannot be granted, in the language of the page."""
    if error.clash is None or client.rights is None:
        return outgoing.RequestRefused(error.why)
    return outgoing.RequestRefused(error.why, clash_in_words(error.clash, client.rights.language))


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
