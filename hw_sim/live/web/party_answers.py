"""The answers to what guests ask for before they have a place, over their sealed lines.

A line opens only for a phone that knows the room's code and its host's key.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from firmware.cli.console import because
from hw_sim.live.web import incoming
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.seating import drawn_faces

FOUND, NO_WISH, UNKNOWN, REFUSED, FULL = 200, 400, 404, 409, 507
"""Statuses of an answer, as in HTTP."""


class Told(NamedTuple):
    """An answer: a status as in HTTP, and what becomes JSON; or a text with a line break."""

    status: int
    body: dict[str, Any] | str


class PartyAnswers:
    """Answers guests.

    Args:
        seats: their places.
        lobby: tells the pages who has come.
    """

    def __init__(self, seats: PartySeats, lobby: LobbyFeed) -> None:
        self._seats = seats
        self._lobby = lobby

    def answer(self, path: str, body: bytes | str) -> Told:
        """Return the answer to a request: a path of `WISHES`, and JSON of its wish."""
        if path not in WISHES:
            return Told(UNKNOWN, "This table has no such answer.\n")
        decoder, work = WISHES[path]
        try:
            wish = decoder.decode(body)
        except (msgspec.DecodeError, RecursionError):
            return Told(NO_WISH, "This is no wish for a place.\n")
        return work(self, wish)

    def _invited(self, wish: incoming.Invited) -> Told:
        """Answer whether there is a free place, which faces are taken, and who is away."""
        seats, here = self._seats, self._lobby.here
        places = seats.places()
        away = [
            {"place": at, "name": each.name, "face": each.face}
            for at, each in enumerate(places)
            if each.name is not None and not each.device and at not in here
        ]
        is_invited = seats.sat_with(wish.once) is not None or seats.free_place is not None
        faces = [each.face for each in places if each.face]
        return Told(FOUND, {"invited": is_invited, "faces": faces, "away": away})

    def _sit(self, wish: incoming.Sit) -> Told:
        """Give a place: 200 with its secret, or 409 with ``why`` there is none."""
        back, sit = drawn_faces(), self._seats.sit
        return self._placed(lambda: sit(wish.name, wish.face, back, wish.once), back)

    def _return(self, wish: incoming.Return) -> Told:
        """Give a guest's place to another phone: answers as `_sit` does."""
        if wish.place in self._lobby.here:
            return Told(REFUSED, {"why": "here"})
        back, come_back = drawn_faces(), self._seats.come_back
        return self._placed(lambda: come_back(wish.place, wish.faces, back), back)

    def _placed(self, place: Callable[[], str], back: list[str]) -> Told:
        """Answer with the secret of a place and its three faces, or with ``why`` not."""
        try:
            secret = place()
        except SeatingError as error:
            return Told(REFUSED, {"why": error.why})
        except OSError as error:
            return Told(FULL, f"The table cannot keep that now: {because(error)}.\n")
        self._lobby.plan()
        return Told(FOUND, {"secret": secret, "back": back})


WISHES: Final[
    Mapping[str, tuple[msgspec.json.Decoder[Any], Callable[[PartyAnswers, Any], Told]]]
] = {
    "/invited": (msgspec.json.Decoder(incoming.Invited), PartyAnswers._invited),
    "/sit": (msgspec.json.Decoder(incoming.Sit), PartyAnswers._sit),
    "/return": (msgspec.json.Decoder(incoming.Return), PartyAnswers._return),
}
"""By path: what guests wish, and what answers it."""
