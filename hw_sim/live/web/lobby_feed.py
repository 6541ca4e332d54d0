"""The lobby on the pages: who has a place, what is played next, and who may begin it."""

import asyncio
from collections.abc import Callable
from functools import lru_cache

from hw_sim.live.web.client import Client
from hw_sim.live.web.match_plan import MOST_PLAYERS
from hw_sim.live.web.open_seats import OpenSeats
from hw_sim.live.web.outgoing import LobbyPlace, LobbyState, LobbyTally
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.seating import NamedPlace

EVERY_S = 0.05
"""Least real time between two looks at the lobby."""


class LobbyFeed:
    """Sends each page the state of the lobby whenever it has changed.

    At a party every page gets it. At another table only a lone player's page of the table does.

    Args:
        seats: the places, the plan and the tally.
        clients: the pages, as they come and go.
        playing: returns the number of the match that is played, None if none is.

    Attributes:
        address, secure: the addresses of a party's pages, without and with TLS, with a slash at the
            end; ``secure`` is None if there is none.
    """

    def __init__(
        self,
        seats: OpenSeats | PartySeats,
        clients: list[Client],
        playing: Callable[[], int | None],
    ) -> None:
        self.address = ""
        self.secure: str | None = None
        self._seats = seats
        self._clients = clients
        self._playing = playing
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def link(self, invitation: str) -> str:
        """Return a guest's address; browsers send no server the invitation behind the #."""
        return f"{self.address}join#{invitation}"

    def plan(self) -> None:
        """Send the lobby soon."""
        if self._timer is None:
            self._timer = self._loop.call_later(EVERY_S, self._send)

    def close(self) -> None:
        """Send nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def is_host(self, client: Client) -> bool:
        """Whether a page may choose and begin the next match."""
        return client.is_host or (client.player is not None and client.player == self._seats.host)

    def _send(self) -> None:
        self._timer = None
        for client in self._clients:
            if client.rights is None or not (
                self._seats.is_party or (client.rights.view == "table" and self.is_host(client))
            ):
                continue
            if client.is_full:
                self.plan()
            else:
                client.send_lobby(self._state(client))

    def _state(self, client: Client) -> LobbyState:
        seats, playing = self._seats, self._playing()
        here = {each.player for each in self._clients}
        is_host = self.is_host(client)
        return LobbyState(
            host=is_host,
            place=client.player,
            places=[
                self._place(each, is_host, place in here, seats.seat_of(place, playing) is not None)
                for place, each in enumerate(seats.places())
            ],
            plan=seats.plan,
            playing=playing is not None,
            hindrance=seats.hindrance,
            tally=[LobbyTally(name, one.played, one.lost) for name, one in seats.tally.items()],
            secure=self.secure,
            alone=seats.is_alone,
        )

    def _place(self, place: NamedPlace, is_host: bool, here: bool, plays: bool) -> LobbyPlace:
        link = self.link(place.invitation) if is_host and place.name is None else None
        return LobbyPlace(place.name, here, plays, link, link and _code(link))


@lru_cache(maxsize=2 * MOST_PLAYERS)
def _code(link: str) -> str:
    """Return the QR code of an address, as a data URI."""
    import segno  # what a page loads has none

    code: str = segno.make(link, micro=False, error="m").svg_data_uri(border=2)
    return code
