"""The room of a party: what pages want of its big screen."""

import asyncio
from typing import Final

from hw_sim.live.web import incoming
from hw_sim.live.web.client import Client
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.open_seats import OpenSeats
from hw_sim.live.web.outgoing import RequestRefused
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.scene import LiftScene

SHAKES_S: Final = 4.0
"""The longest that a shake is heard whose end no page tells."""


def change_room(
    seats: OpenSeats | PartySeats,
    lobby: LobbyFeed,
    scene: LiftScene | None,
    client: Client,
    message: incoming.RoomMessage,
) -> None:
    """Do what a page wants of the big screen, or refuse it if the page may not.

    A change that cannot be written down is refused, too. ``scene`` is that of the match; None
    before the first.
    """
    try:
        _change(seats, lobby, scene, client, message)
    except SeatingError as error:
        client.send(RequestRefused(error.why))
    except OSError:
        client.send(RequestRefused("disk"))


def _change(
    seats: OpenSeats | PartySeats,
    lobby: LobbyFeed,
    scene: LiftScene | None,
    client: Client,
    message: incoming.RoomMessage,
) -> None:
    place, is_screen = client.player, client.rights is not None and client.rights.view == "screen"
    match message:
        case incoming.Hide() | incoming.Shake() if place is None and client.seat is None:
            pass  # nobody sees a stranger
        case incoming.Hide(on):
            client.is_hidden = on
            lobby.plan()
        case incoming.Shake(on):
            client.shaken_until_s = asyncio.get_running_loop().time() + SHAKES_S if on else 0.0
        case incoming.VerdictShown() if is_screen:
            if scene is not None and scene.number != client.shown:
                client.shown = scene.number
                scene.shown()
        case incoming.React(reaction) if place is not None and seats.is_party:
            closed = scene is not None and scene.hushes
            lobby.react(client, place, reaction, closed=closed)
        case incoming.Confess() if place is not None and isinstance(seats, PartySeats):
            seats.confess(place, message)
            lobby.plan()
        case incoming.SetRoom(language) if isinstance(seats, PartySeats) and (
            lobby.is_host(client) or (place is not None and language is None)
        ):
            seats.furnish(message)
            lobby.plan()
        case _:
            client.send(RequestRefused("rights"))
