"""The answers to what guests ask for before they are connected, whatever carries them."""

from collections import Counter
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final, NamedTuple

import msgspec

from firmware.cli.console import because
from hw_sim.live.web import incoming
from hw_sim.live.web.incoming import Allowance
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.party_seats import CODE_LENGTH, PartySeats
from hw_sim.live.web.seating import MOST_WRONG_HERE, drawn_faces

FOUND, NO_WISH, UNKNOWN, REFUSED, TOO_OFTEN, FULL = 200, 400, 404, 409, 429, 507
"""Statuses of an answer, as in HTTP."""
TRIES_A_MINUTE, TRIES_OF_ALL = 20, 100
"""The most wrong codes of the room in a minute: from one asker, and from everybody together."""
MOST_ADDRESSES = 1024
"""The addresses whose tries are counted; those that were heard of last."""


class Told(NamedTuple):
    """An answer: a status as in HTTP, and what becomes JSON; or a text with a line break."""

    status: int
    body: dict[str, Any] | str


class Tries:
    """Counts wrong tries: a bucket for each address, and a larger one for all.

    An address that tries too often is not answered; others are.

    Args:
        per_minute: the tries of one address.
        of_all: those of all addresses together.
        now_s: returns a time in s that never runs back.
    """

    def __init__(
        self, per_minute: int, of_all: int, now_s: Callable[[], float] = monotonic
    ) -> None:
        self._per_minute, self._now_s = per_minute, now_s
        self._all = Allowance(of_all / 60, of_all, now_s())
        self._each: dict[str, Allowance] = {}

    def take(self, address: str, *, is_wrong: bool) -> bool:
        """Return whether an address may try now; count it if the try is wrong."""
        now_s, most = self._now_s(), self._per_minute
        each = self._each.pop(address, None) or Allowance(most / 60, most, now_s)
        self._each[address] = each
        if len(self._each) > MOST_ADDRESSES:
            del self._each[next(iter(self._each))]
        if not each.take(now_s):
            return False
        may_try = self._all.take(now_s)
        if not is_wrong:
            each.take(now_s, -1)
            self._all.take(now_s, -1 if may_try else 0)
        return may_try


class PartyAnswers:
    """Answers guests.

    Args:
        seats: their places.
        lobby: tells the pages who has come.
    """

    def __init__(self, seats: PartySeats, lobby: LobbyFeed) -> None:
        self._seats = seats
        self._lobby = lobby
        self._tries = Tries(TRIES_A_MINUTE, TRIES_OF_ALL)
        self._wrong: Counter[tuple[str, int]] = Counter()
        """The wrong faces that an asker has tried for a guest."""

    def answer(self, path: str, body: bytes | str, asker: str) -> Told:
        """Return the answer to a request.

        Args:
            path: of `WISHES`.
            body: JSON of its wish.
            asker: who asks: an address, or a line. Wrong codes and faces count for them.
        """
        if path not in WISHES:
            return Told(UNKNOWN, "This table has no such answer.\n")
        decoder, work = WISHES[path]
        try:
            wish = decoder.decode(body)
        except (msgspec.DecodeError, RecursionError):
            return Told(NO_WISH, "This is no wish for a place.\n")
        if not self._may_try(asker, wish.invitation):
            return Told(TOO_OFTEN, "Wait a minute, and try the code again.\n")
        return work(self, wish, asker)

    def _invited(self, wish: incoming.Invited, _asker: str) -> Told:
        """Answer whether a code leads to a free place, and what its page shows."""
        place = self._seats.sat_with(wish.once)
        if place is None:
            place = self._seats.invited_to(wish.invitation)
        taken = (
            [each.face for each in self._seats.places() if each.face] if place is not None else []
        )
        away = []
        known = self._seats.is_door(wish.invitation)
        if known:
            here = self._lobby.here
            away = [
                {"place": at, "name": each.name, "face": each.face}
                for at, each in enumerate(self._seats.places())
                if each.name is not None and not each.device and at not in here
            ]
        answer = {
            "invited": place is not None,
            "known": known,
            "faces": taken,
            "away": away,
        }
        return Told(FOUND, answer)

    def _sit(self, wish: incoming.Sit, _asker: str) -> Told:
        """Give a place: 200 with its secret, or 409 with ``why`` there is none."""
        back, sit = drawn_faces(), self._seats.sit
        return self._placed(
            lambda: sit(wish.invitation, wish.name, wish.face, back, wish.once), back
        )

    def _return(self, wish: incoming.Return, asker: str) -> Told:
        """Give a guest's place to another phone: answers as `_sit` does."""
        if not self._seats.is_door(wish.invitation):
            return Told(REFUSED, {"why": "used"})
        if wish.place in self._lobby.here:
            return Told(REFUSED, {"why": "here"})
        back, tried = drawn_faces(), (asker, wish.place)
        if self._wrong[tried] >= MOST_WRONG_HERE:
            return Told(REFUSED, {"why": "faces"})
        come_back = self._seats.come_back
        answer = self._placed(lambda: come_back(wish.place, wish.faces, back), back)
        if answer.status != FULL:
            self._wrong[tried] = 0 if answer.status == FOUND else self._wrong[tried] + 1
        return answer

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

    def _may_try(self, asker: str, invitation: str) -> bool:
        """Count a wrong code of the room; False if there were too many: right or wrong."""
        if len(invitation) > CODE_LENGTH:
            return True
        return self._tries.take(asker, is_wrong=invitation != self._seats.stored.code)


WISHES: Final[
    Mapping[str, tuple[msgspec.json.Decoder[Any], Callable[[PartyAnswers, Any, str], Told]]]
] = {
    "/invited": (msgspec.json.Decoder(incoming.Invited), PartyAnswers._invited),
    "/sit": (msgspec.json.Decoder(incoming.Sit), PartyAnswers._sit),
    "/return": (msgspec.json.Decoder(incoming.Return), PartyAnswers._return),
}
"""By path: what guests wish, and what answers it."""
