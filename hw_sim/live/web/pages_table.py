"""A table and its pages: who comes in, who may do what, and one match after the other.

A person alone, people who pass one page on, and a party play at the same kind of table. They differ
in its seats: `OpenSeats` or `PartySeats`.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, get_args

from firmware.display.text.language import Language
from firmware.lobby.choices import names_of_bots
from game import SetupError
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.client import Client, Rights
from hw_sim.live.web.coach_pages import HintsAhead
from hw_sim.live.web.live_match import LiveMatch, welcome_to
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.match_plan import ALONE, SeatingError, bot_key, names_of_characters
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.web.matches_over import count_match
from hw_sim.live.web.seats import OpenSeats, PartySeats
from hw_sim.live.world.session import SetFault, SetLanguage
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.story.games import clash_in_words
from hw_sim.table import NAMES, TableSetup

SHAKES_S = 4.0
"""The longest that a shake is heard whose end no page tells; chosen."""
ALONE_SEAT = 0
"""The seat of a lone player; chosen."""
SEATS = "claims.json"
"""The file of `OpenSeats` in a table's folder."""


@dataclass
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

    store: MatchStore
    seats: OpenSeats | PartySeats
    template: TableSetup
    draw: Callable[[WorldSetup], WorldSetup] = field(kw_only=True, default=WorldSetup.drawn)
    match: LiveMatch | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.clients: list[Client] = []
        self.lobby = LobbyFeed(self.seats, self.clients, self._playing)
        self._hints = HintsAhead()
        self._uncounted: int | None = None
        """The number of the match that is played, until it is over and in the tally."""
        self.gather: Callable[[tuple[str, ...]], None]
        if self.store.number is not None:
            self.play(self.store.world())

    def close(self) -> None:
        """Close the match; it goes on from its journals."""
        self.lobby.close()
        if self.match is not None:
            self.match.close()

    def handle(self, client: Client, message: incoming.AnyIncoming) -> None:
        """Do what a page asks for, as `HANDLERS` have it, or tell it why not.

        Raises:
            RefusalError: it may not, and its connection ends.
        """
        if isinstance(message, incoming.Hello) != (client.rights is None):
            raise incoming.ProtocolError("no hello" if client.rights is None else "hello again")
        if isinstance(message, incoming.Hello):
            self._welcome(client, message)
            return
        may, work = HANDLERS[type(message)]

        def carry_out() -> None:
            if not may(self, client, message):
                raise SeatingError("rights")
            work(self, client, message)

        _try(client, carry_out)

    def leave(self, client: Client) -> None:
        """Remove a page that is gone."""
        self.clients.remove(client)
        if self.match is not None:
            self.match.leave(client.seat)
        self.lobby.plan()

    @property
    def asking(self) -> Rights:
        """The rights of a request, of whatever page of this browser."""
        return self._rights("bench", "en", 0 if self.seats.is_alone else None)

    def _welcome(self, client: Client, hello: incoming.Hello) -> None:
        """Let a page come in."""
        client.player = self.seats.player_of(hello, is_host=client.is_host)
        client.rights = self._rights(hello.view, hello.language, None)
        self._show(client)
        self.lobby.plan()

    def _show(self, client: Client) -> None:
        """Show a page the match from its beginning, with the rights that its player has now."""
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
        client.send(welcome_to(setup, rights, phones=phones, handhelds=sorted(afar)))
        match.wake()

    def _rights(self, view: incoming.View, language: Language, seat: int | None) -> Rights:
        """Return the rights of a page that plays a seat, or (None) none.

        A party's page shows the handheld of its own phone; who plays alone may do everything.
        """
        seen = () if seat is None or self.seats.is_party else (seat,)
        may_all = self.seats.is_alone and seat is not None
        return Rights(view, language, seat, frozenset(seen), may_all)

    def order(self, client: Client, order: Callable[[], None]) -> None:
        """Soon change the match or the plan; tell the page why if that is not possible."""

        def carry_out() -> None:
            _try(client, order)
            self.lobby.plan()

        if self.match is None:
            carry_out()
        else:
            self.match.runner.do(carry_out)

    def free(self, player: int) -> None:
        """Free a guest's place: all its pages are those of a stranger from now on."""
        match, seats = self.match, _party(self)
        seat = seats.seat_of(player, self.store.number)
        seats.free(player)
        if match is not None and seat is not None:
            match.let_go(seat)
        for client in self.clients:
            if client.player == player:
                client.player = None
                self._show(client)
                client.send(outgoing.SeatLost())
        self.lobby.plan()

    def begin(self, typed: str) -> None:
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
        seats, plan = self.seats, self.seats.plan
        spare = names_of_bots(people, len(plan.bots))
        names = (*people, *(names_of_characters(plan.bots, spare) if seats.is_party else spare))
        player_names = () if names == NAMES[: len(names)] else names
        keys = [ALONE] if seats.is_alone else [*people]
        rules = plan.rules_for([*keys, *map(bot_key, range(len(plan.bots)))])
        table = replace(self.template, rules=rules, players=len(names), player_names=player_names)
        return self.draw(WorldSetup(table, len(people), plan.bots))

    def play_again(self) -> None:
        """Begin another match if this one is over: of all guests, or of the same people."""
        if self._playing() is not None:
            return
        if self.seats.is_party:
            self.begin("")
        else:
            self.play(self.store.next())

    def play(self, world: World | None) -> None:
        """Play in a world, and show it to all pages; None shows them the present one."""
        if world is not None:
            self._count()  # the screens may still be showing the end of this one
            self._uncounted = self.store.number
        if self.match is None:
            assert world is not None, "there is no present one"
            self.match = LiveMatch(
                self.store.again,
                world,
                self.clients,
                lambda: self.seats.claims(self.store.number),
                self._stepped,
                lambda: self.seats.stored.room,
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

    def _count(self) -> None:
        """Count the match if it is over, once."""
        match, number = self.match, self._uncounted
        if match is not None and match.world.is_over and number is not None:
            self._uncounted = None
            count_match(self.store.folder, self.seats, number, match.world)
            self.lobby.plan()

    def _stepped(self) -> None:
        if self.match is not None and self.match.is_over:
            self._count()
        elif self.match is not None and self.seats.is_alone:
            self._hints.step(self.match.world, ALONE_SEAT)


def _party(table: PagesTable) -> PartySeats:
    assert isinstance(table.seats, PartySeats), "whoever may do that is at one"
    return table.seats


# ---- who may ask ---------------------------------------------------------------------------------


def _anybody(_table: PagesTable, _client: Client, _message: Any) -> bool:
    return True


def _has_seat(_table: PagesTable, client: Client, message: Any) -> bool:
    """Whether a page plays the seat of a message; one that does not is shown out."""
    if client.seat != message.seat:
        raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your seat")
    return True


def _is_guest(table: PagesTable, client: Client, _message: Any) -> bool:
    return table.seats.is_party and client.player is not None


def _is_host(table: PagesTable, client: Client, _message: Any) -> bool:
    return table.lobby.is_host(client)


def _hosts_party(table: PagesTable, client: Client, _message: Any) -> bool:
    return table.seats.is_party and table.lobby.is_host(client)


def _plays_or_hosts(table: PagesTable, client: Client, _message: Any) -> bool:
    is_player = client.player is not None and table.match is not None
    return is_player or table.lobby.is_host(client)


def _may_furnish(table: PagesTable, client: Client, message: incoming.SetRoom) -> bool:
    is_guest = message.language is None and _is_guest(table, client, message)
    return is_guest or _hosts_party(table, client, message)


def _is_screen(_table: PagesTable, client: Client, _message: Any) -> bool:
    return client.is_screen


def _has_bench(table: PagesTable, client: Client, _message: Any) -> bool:
    return client.rights is not None and client.rights.bench and table.match is not None


# ---- what follows --------------------------------------------------------------------------------


def _hide(table: PagesTable, client: Client, message: incoming.Hide) -> None:
    if client.player is not None:  # nobody sees a stranger
        client.is_hidden = message.on
        table.lobby.plan()


def _shake(_table: PagesTable, client: Client, message: incoming.Shake) -> None:
    if client.player is not None:
        now_s = asyncio.get_running_loop().time()
        client.shaken_until_s = now_s + SHAKES_S if message.on else 0.0


def _verdict_shown(table: PagesTable, client: Client, _message: incoming.VerdictShown) -> None:
    if table.match is not None and table.match.scene.number != client.shown:
        client.shown = table.match.scene.number
        table.match.scene.shown()


def _react(table: PagesTable, client: Client, message: incoming.React) -> None:
    if table.match is None or not table.match.scene.hides_verdict:
        table.lobby.react(client, message.reaction)


def _confess(table: PagesTable, client: Client, message: incoming.Confess) -> None:
    assert client.player is not None, "a guest has a place"
    _party(table).confess(client.player, message)
    table.lobby.plan()


def _furnish(table: PagesTable, _client: Client, message: incoming.SetRoom) -> None:
    _party(table).furnish(message)
    table.lobby.plan()


def _leave_seat(table: PagesTable, client: Client, message: incoming.LeaveSeat) -> None:
    assert client.player is not None, "a guest has a place"
    if message.seat is not None:
        _has_seat(table, client, message)
    table.free(client.player)


def _move(table: PagesTable, client: Client, message: incoming.SeatMessage) -> None:
    if (match := table.match) is not None:
        match.runner.do(lambda: match.move(client, message))


def _change_bench(table: PagesTable, client: Client, message: incoming.BenchMessage) -> None:
    match = table.match
    assert match is not None, "a bench has one"
    if isinstance(message, SetFault) and message.seat >= match.world.setup.table.players:
        raise incoming.RefusalError(incoming.WRONG_SEAT, "there is no such seat")
    table.order(client, lambda: match.change(message))


class Handler(NamedTuple):
    """The work that answers a message, and who may ask: both get table, page and message."""

    may: Callable[[PagesTable, Client, Any], bool]
    work: Callable[[PagesTable, Client, Any], None]


HANDLERS: Final[Mapping[type, Handler]] = {
    incoming.StayAwake: Handler(_anybody, lambda *_: None),  # it was heard of
    incoming.Hide: Handler(_anybody, _hide),
    incoming.Shake: Handler(_anybody, _shake),
    incoming.VerdictShown: Handler(_is_screen, _verdict_shown),
    incoming.React: Handler(_is_guest, _react),
    incoming.Confess: Handler(_is_guest, _confess),
    incoming.SetRoom: Handler(_may_furnish, _furnish),
    incoming.LeaveSeat: Handler(_is_guest, _leave_seat),
    incoming.FreePlace: Handler(_hosts_party, lambda table, _, told: table.free(told.place)),
    incoming.ChooseMatch: Handler(
        _is_host,
        lambda table, page, told: table.order(page, lambda: table.seats.choose(told.plan)),
    ),
    incoming.BeginMatch: Handler(
        _is_host, lambda table, page, told: table.order(page, lambda: table.begin(told.name))
    ),
    incoming.PlayAgain: Handler(
        _plays_or_hosts, lambda table, page, _: table.order(page, table.play_again)
    ),
    **dict.fromkeys(get_args(incoming.SeatMessage), Handler(_has_seat, _move)),
    **dict.fromkeys(get_args(incoming.BenchMessage), Handler(_has_bench, _change_bench)),
}
"""The messages of a page that has said hello. ``work`` raises SeatingError for a wish that cannot
be granted."""


def _try(client: Client, work: Callable[[], None]) -> None:
    """Do what a page asks for, or tell it why that cannot be done, in its language."""
    why, between = "", list[str]()
    try:
        work()
    except SeatingError as error:
        why = error.why
        if error.clash is not None and client.rights is not None:
            between = clash_in_words(error.clash, client.rights.language)
    except SetupError:
        why = "plan"
    except STORE_ERRORS:
        why = "disk"
    if why:
        client.send(outgoing.RequestRefused(why, between))
