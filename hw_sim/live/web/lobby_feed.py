"""The lobby on pages: who has a place, what comes next, who may begin it; and the big screen.

Guests without a place ask over sealed lines, and are answered. A line opens only for a phone that
knows the room's code and its host's key.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import astuple

from firmware.cli.console import because
from firmware.display.text.language import ENGLISH
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.client import Client, now_us, screens_among
from hw_sim.live.web.gathering import Gathering
from hw_sim.live.web.match_plan import SeatingError, drawn_faces
from hw_sim.live.web.seats import OpenSeats, PartySeats

EVERY_S = 0.05
"""Least real time between two looks at the lobby; chosen."""


@dataclass
class LobbyFeed:
    """Sends each page the state of the lobby whenever it has changed.

    At a party every page gets it. At another table only a lone player's page of the table does.

    Args:
        seats: the places, the plan and the tally.
        clients: the pages, as they come and go.
        playing: returns the number of the match that is played, None if none is.

    Attributes:
        guests_link: the one link for all guests. ``secure``: an address over TLS, with a slash at
            the end; None if there is none. ``others``: more addresses without TLS.
        unreached: the address of the guests' broker while it does not answer; else empty.
        gathering: gathers handhelds that are not here; None where there are none.
    """

    seats: OpenSeats | PartySeats
    clients: list[Client]
    playing: Callable[[], int | None]

    def __post_init__(self) -> None:
        self.others: tuple[str, ...] = ()
        self.secure: str | None = None
        self.guests_link = ""
        self.unreached = ""
        self.gathering: Gathering | None = None
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def here(self) -> set[int]:
        """The players of pages that may be seen."""
        awake = (each.player for each in self.clients if each.is_awake)
        return {player for player in awake if player is not None}

    def refuse(self, why: str) -> None:
        """Refuse all hosts what they have asked for; ``why`` as of a `RequestRefused`."""
        for client in self.clients:
            if self.is_host(client):
                client.send(outgoing.RequestRefused(why))

    def plan(self) -> None:
        """Send the lobby soon."""
        if self._timer is None:
            self._timer = self._loop.call_later(EVERY_S, self._send)

    def close(self) -> None:
        """Send nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def react(self, client: Client, reaction: str) -> None:
        """Show a guest's reaction on the screens, unless it is one too many."""
        if client.player is not None and client.reactions.take(now_us()):
            for screen in screens_among(self.clients):
                screen.send(outgoing.ReactionMessage(client.player, reaction))

    def is_host(self, client: Client) -> bool:
        """Whether a page may choose and begin the next match."""
        return client.is_host or (client.player is not None and client.player == self.first)

    @property
    def first(self) -> int | None:
        """The player who may choose and begin: at a party the first guest of those here."""
        return self.seats.first_of(self.here)

    def _send(self) -> None:
        self._timer = None
        for client in self.clients:
            if client.rights is not None and (
                self.seats.is_party or (client.rights.view == "table" and self.is_host(client))
            ):
                client.tell({"lobby": self._state(client)})

    def _state(self, client: Client) -> outgoing.LobbyState:
        seats, playing, gathering, here = self.seats, self.playing(), self.gathering, self.here
        is_host = self.is_host(client)
        own = client.rights.language if client.rights else ENGLISH
        language = (client.is_screen and seats.stored.room.language) or own
        sentence, differences = seats.plan.told(language)
        return outgoing.LobbyState(
            host=is_host,
            place=client.player,
            places=[self._place(place, playing, here) for place in range(len(seats.places))],
            plan=seats.plan,
            sentence=sentence,
            differences=differences,
            playing=playing is not None,
            hindrance=seats.hindrance,
            tally=[outgoing.LobbyTally(name, *astuple(one)) for name, one in seats.tally.items()],
            secure=self.secure,
            alone=seats.is_alone,
            gathering=gathering.room if gathering else None,
            comparing=gathering.lobby.comparing if gathering else None,
            first=self.first,
            door=self._door(client) if is_host or client.player is not None else None,
            room=seats.stored.room,
            card=seats.stored.card,
            lies=self._offered(client.player),
            screen=bool(screens_among(self.clients)),
            unreached=self.unreached if client.is_screen else "",
        )

    def _offered(self, player: int | None) -> outgoing.LiesOffered | None:
        """Return what a player may confess; None where the table knows of no hidden lie."""
        lies = self.seats.lies_at(player)
        if lies is None or not (lies.hidden or lies.unopened):
            return None
        session = None if lies.unopened is None else lies.unopened.session
        return outgoing.LiesOffered(lies.told, lies.caught, lies.hidden, session)

    def _door(self, client: Client) -> outgoing.LobbyDoor | None:
        """Return the way in; None at another table. The screen alone shows picture and addresses.

        A page is sent its lobby again only if something has changed that it shows.
        """
        if not self.seats.is_party:
            return None
        room = self.gathering.code if self.gathering else ""
        link, code = self.guests_link, self.seats.stored.code
        if not client.is_screen:
            return outgoing.LobbyDoor(code, link, "", room)
        others = tuple(f"{each}{code}".lower() for each in self.others)
        return outgoing.LobbyDoor(code, link, _code(link), room, others)

    def _place(self, place: int, playing: int | None, awake: set[int]) -> outgoing.LobbyPlace:
        guest, here = self.seats.places[place], place in awake
        plays = self.seats.seat_of(place, playing) is not None
        if guest is None:
            return outgoing.LobbyPlace(None, here, plays)
        own = bool(self.gathering and self.gathering.device_of(place))
        here |= bool(guest.device) and (own or plays)
        return outgoing.LobbyPlace(guest.name, here, plays, guest.face, own, bool(guest.device))


@lru_cache(maxsize=2)
def _code(link: str) -> str:
    """Return the QR code of an address, as a data URI."""
    import segno  # few tables show a code

    code: str = segno.make(link, micro=False, error="m").svg_data_uri(border=2)
    return code


FOUND, NO_WISH, UNKNOWN, REFUSED, FULL = 200, 400, 404, 409, 507
"""Statuses of an answer, as in HTTP."""


class PartyReply(NamedTuple):
    """An answer: a status as in HTTP, and what becomes JSON; or a text with a line break."""

    status: int
    body: dict[str, Any] | str


@dataclass
class PartyAnswers:
    """Answers guests.

    Args:
        seats: their places.
        lobby: tells the pages who has come.
    """

    seats: PartySeats
    lobby: LobbyFeed

    def answer(self, path: str, body: bytes | str) -> PartyReply:
        """Return the answer to a request: a path of `WISHES`, and JSON of its wish.

        A wish that cannot be granted gets ``why``, as of a SeatingError.
        """
        if path not in WISHES:
            return PartyReply(UNKNOWN, "This table has no such answer.\n")
        decoder, work = WISHES[path]
        try:
            told = work(self, decoder.decode(body))
        except (msgspec.DecodeError, RecursionError):
            return PartyReply(NO_WISH, "This is no wish for a place.\n")
        except SeatingError as error:
            return PartyReply(REFUSED, {"why": error.why})
        except OSError as error:
            return PartyReply(FULL, f"The table cannot keep that now: {because(error)}.\n")
        return PartyReply(FOUND, told)

    def _invited(self, wish: incoming.Invited) -> dict[str, Any]:
        """Answer whether there is a free place, which faces are taken, and who is away."""
        seats, here = self.seats, self.lobby.here
        guests = {at: each for at, each in enumerate(seats.places) if each is not None}
        away = [
            {"place": at, "name": each.name, "face": each.face}
            for at, each in guests.items()
            if not each.device and at not in here
        ]
        is_invited = seats.sat_with(wish.once) is not None or seats.free_place is not None
        faces = [each.face for each in guests.values() if each.face]
        return {"invited": is_invited, "faces": faces, "away": away}

    def _sit(self, wish: incoming.Sit) -> dict[str, Any]:
        """Give a place: answer its secret, and the three faces with which its guest comes back."""
        back = drawn_faces()
        secret = self.seats.sit(wish.name, wish.face, back, wish.once)
        self.lobby.plan()
        return {"secret": secret, "back": back}

    def _return(self, wish: incoming.Return) -> dict[str, Any]:
        """Give a guest's place to another phone: answers as `_sit` does."""
        if wish.place in self.lobby.here:
            raise SeatingError("here")
        back = drawn_faces()
        secret = self.seats.come_back(wish.place, wish.faces, back)
        self.lobby.plan()
        return {"secret": secret, "back": back}


WISHES: Final[
    Mapping[str, tuple[msgspec.json.Decoder[Any], Callable[[PartyAnswers, Any], dict[str, Any]]]]
] = {
    "/invited": (msgspec.json.Decoder(incoming.Invited), PartyAnswers._invited),
    "/sit": (msgspec.json.Decoder(incoming.Sit), PartyAnswers._sit),
    "/return": (msgspec.json.Decoder(incoming.Return), PartyAnswers._return),
}
"""By path: what guests wish, and what answers it."""
