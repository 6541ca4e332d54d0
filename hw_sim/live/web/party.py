"""A table of phones: guests with invitations, a host who chooses, one match after the other."""

import asyncio
import logging
from collections.abc import Callable

import segno

from firmware.cli.console import because
from firmware.display.text.language import Language
from hw_sim.live.web import incoming
from hw_sim.live.web.access import Rights
from hw_sim.live.web.broadcaster import welcome_to
from hw_sim.live.web.client import Client
from hw_sim.live.web.hall import Hall, on_disk, telling_why
from hw_sim.live.web.live_match import LiveMatch
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.outgoing import LobbyPlace, LobbyState, LobbyTally, RequestRefused, SeatLost
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table.setup import TableSetup

TELLS_S = 0.05
"""Least real time between two news of how the party stands."""
log = logging.getLogger(__name__)


class Party(Hall):
    """The pages of an evening, in its lobby and at its matches.

    Args:
        keeper: where its matches are kept.
        evening: the guests' places and the next match.
        language: of the panels until their page has chosen one.
        draw: draws the chance of a match.

    Attributes:
        address, secure: the addresses of its pages, without and with TLS, with a slash at the end;
            ``secure`` is None if there is none.
    """

    def __init__(
        self,
        keeper: MatchStore,
        evening: PartySeats,
        language: Language,
        draw: Callable[[WorldSetup], WorldSetup] = WorldSetup.drawn,
    ) -> None:
        super().__init__(keeper)
        self.evening = evening
        self.address = ""
        self.secure: str | None = None
        self._language = language
        self._draw = draw
        self._loop = asyncio.get_running_loop()
        self._telling: asyncio.TimerHandle | None = None
        self._codes: dict[str, str] = {}
        self._room = None if keeper.number is None else self._room_of(keeper.world())

    @property
    def room(self) -> LiveMatch | None:
        """The match that is played, or was last; None before the first."""
        return self._room

    @property
    def is_playing(self) -> bool:
        """Whether a match is played and not over."""
        return self._room is not None and not self._room.world.is_over

    def link(self, invitation: str) -> str:
        """Return a guest's address; browsers send no server the invitation behind the #."""
        return f"{self.address}join#{invitation}"

    def close(self) -> None:
        """Put everything away; it goes on from what was kept."""
        if self._telling is not None:
            self._telling.cancel()
        super().close()

    # ---- guests ------------------------------------------------------------------------------

    def welcome(self, client: Client, hello: incoming.Hello) -> None:
        """Let a page come in: by a guest's secret, by the host's token, or to watch."""
        place = self.evening.place_of(hello.token) if hello.view == "seat" else None
        if hello.view == "seat" and place is None:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody has invited you here")
        is_host = self.evening.is_host(hello.host)
        if not is_host or place is not None:
            self.make_room(place)
        client.player, client.is_host = place, is_host
        client.rights = self._rights(hello.view, hello.language, place)
        self._show_match(client)
        self.tell()

    def leave(self, client: Client) -> None:
        """A page is gone."""
        super().leave(client)
        self.tell()

    def sit(self, wanted: incoming.Sit) -> str:
        """Give somebody a place; returns its secret.

        Raises:
            EveningError: the guest cannot have one.
            OSError: it cannot be written down.
        """
        secret = self.evening.sit(wanted.invitation, wanted.name)
        self.tell()
        return secret

    def ask(self, client: Client, message: incoming.TableMessage) -> None:
        """Do what a guest or the host asks for."""
        match message:
            case incoming.LeaveSeat():
                if client.player is not None:
                    self._free(client.player)
                return
            case incoming.PlayAgain():
                is_guest = client.player is not None
                allowed = client.is_host or (is_guest and self._room is not None)
            case _:
                allowed = client.is_host
        if not allowed:
            client.send(RequestRefused("rights"))
            return
        match message:
            case incoming.FreePlace(place):
                self._free(place)
            case _:
                self.order(client, lambda: self._carry_out(client, message))

    def _carry_out(self, client: Client, message: incoming.TableMessage) -> None:
        with telling_why(client):
            match message:
                case incoming.ChooseMatch(plan):
                    _ = plan.rules  # raises where there are none
                    self.evening.choose(plan)
                case incoming.BeginMatch():
                    self._begin()
                case incoming.PlayAgain() if not self.is_playing:
                    self._begin()
        self.tell()

    def _free(self, place: int) -> None:
        """Free a place: all its pages are those of a stranger from now on."""
        with on_disk():
            self.evening.free(place)
        for client in self.clients:
            if client.player == place and client.rights is not None:
                seat = client.seat
                client.player = None
                client.rights = self._rights(client.rights.view, client.rights.language, None)
                client.forget()
                client.send(SeatLost())
                if seat is not None and self._room is not None:
                    self._room.let_go(seat)
        self.tell()

    # ---- matches -----------------------------------------------------------------------------

    def _begin(self) -> None:
        """Begin a match with all guests and the bots of the plan."""
        evening, keeper = self.evening, self.keeper
        names = evening.seat(keeper.next_number)
        plan, people = evening.kept.plan, len(evening.guests)
        table = TableSetup(plan.rules, len(names), language=self._language, called=names)
        world = keeper.next(self._draw(WorldSetup(table, people, plan.bots)))
        if self._room is None:
            self._room = self._room_of(world)
        else:
            self._room.play(world)
        for client in self.clients:
            if client.rights is not None:
                rights = client.rights
                client.rights = self._rights(rights.view, rights.language, client.player)
                self._show_match(client)

    def _room_of(self, world: World) -> LiveMatch:
        return LiveMatch(self.keeper, world, self.clients, self._claimed, self._stepped)

    def _rights(self, view: incoming.View, language: Language, place: int | None) -> Rights:
        number = self.keeper.number
        seat = None if number is None else self.evening.seat_of(place, number)
        entitled = frozenset(() if seat is None else (seat,))
        return Rights(view, language, seat, entitled, bench=False)

    def _show_match(self, client: Client) -> None:
        """Let a page see the match that is played, if there is one."""
        room, rights = self._room, client.rights
        if room is None or rights is None:
            return
        self.speak(client, room)
        client.send(welcome_to(room.world.setup, rights, None, phones=True))
        room.wake()

    def _claimed(self) -> list[bool]:
        number, places = self.keeper.number, self.evening.kept.places
        seating = self.evening.kept.seatings.get(-1 if number is None else number, [])
        return [places[place].guest is not None for place in seating]

    def _stepped(self) -> None:
        """The match went on: count it once it is over."""
        number = self.keeper.number
        if number is None or number <= self.evening.kept.counted or self.is_playing:
            return
        assert self._room is not None, "it is played"
        setup = self._room.world.setup
        ended = self._room.world.table.seats[0].handheld.match.outcome
        names, losers = setup.table.names, () if ended is None else ended.losers
        try:
            self.evening.count(number, names[: setup.people], tuple(names[seat] for seat in losers))
        except OSError as error:
            log.warning("the tally cannot be kept now: %s", because(error))
            self.evening.kept.counted = number
        self.tell()

    # ---- news --------------------------------------------------------------------------------

    def tell(self) -> None:
        """Tell all pages soon how the party stands."""
        if self._telling is None:
            self._telling = self._loop.call_later(TELLS_S, self._tell)

    def _tell(self) -> None:
        self._telling = None
        for client in self.clients:
            if client.rights is None:
                continue
            if client.is_full:
                self.tell()
            else:
                client.send_lobby(self._lobby(client))

    def _lobby(self, client: Client) -> LobbyState:
        kept, number = self.evening.kept, self.keeper.number
        here = {each.player for each in self.clients}
        seating = kept.seatings.get(-1 if number is None else number, [])
        places = []
        for place, each in enumerate(kept.places):
            shown = client.is_host and each.guest is None
            places.append(
                LobbyPlace(
                    name=None if each.guest is None else each.guest.name,
                    here=place in here,
                    plays=self.is_playing and place in seating,
                    link=self.link(each.invitation) if shown else None,
                    code=self._code(self.link(each.invitation)) if shown else None,
                )
            )
        return LobbyState(
            host=client.is_host,
            place=client.player,
            places=places,
            plan=kept.plan,
            playing=self.is_playing,
            hindrance=self.evening.hindrance,
            tally=[LobbyTally(name, one.played, one.lost) for name, one in kept.tally.items()],
            secure=self.secure,
        )

    def _code(self, link: str) -> str:
        if link not in self._codes:
            if len(self._codes) > 2 * len(self.evening.kept.places):
                self._codes.clear()
            self._codes[link] = segno.make(link, micro=False, error="m").svg_data_uri(border=2)
        return self._codes[link]
