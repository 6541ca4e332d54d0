"""The seats of a party: guests with invitations, the next match, the tally of losses.

Kept in the table's folder as ``evening.json``, written whole at every change, so that it goes on
when the server was killed. The file keeps a digest of each guest's secret. It keeps the invitations
and the host's token as they are, since the server shows them again.
"""

from dataclasses import dataclass, field
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated

import msgspec
from msgspec import Meta

from firmware.lobby.names import alike
from hw_sim.live.web import incoming
from hw_sim.live.web.match_plan import MOST_PLAYERS, MatchPlan, SeatingError, readable_name
from hw_sim.live.web.private_files import replace_file
from hw_sim.live.web.seating import Admission, MatchTally, NamedPlace, digest_of

INVITATION_BYTES = 12
STORED_SEATINGS = 2
"""The seatings of the present match and of the one before, in case a new one cannot begin."""


class PartyGuest(msgspec.Struct, frozen=True):
    """A guest who has a place."""

    name: str
    digest: str


class PartyPlace(msgspec.Struct, frozen=True):
    """One of the places: its invitation as long as it is free, else its guest."""

    invitation: str
    guest: PartyGuest | None = None


class StoredParty(msgspec.Struct):
    """The content of the file.

    ``seatings``: which places the seats of people have, by the number of the match; ``counted``:
    the last match that is in the tally.
    """

    host: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{43}\Z")]
    places: Annotated[list[PartyPlace], Meta(min_length=MOST_PLAYERS, max_length=MOST_PLAYERS)]
    plan: MatchPlan = MatchPlan()
    tally: dict[str, MatchTally] = {}
    seatings: dict[int, list[int]] = {}
    counted: int = -1


def _invitation() -> str:
    return token_urlsafe(INVITATION_BYTES)


@dataclass
class PartySeats:
    """The places of a party, and the host's plan. A player is known by the number of their place.

    A missing or invalid file counts as a new party. If the file or a change cannot be written,
    OSError is raised, and the party stays as it was.

    Attributes:
        path: the file.
        stored: its content.
        is_party, is_alone, host: True, False and None; see `OpenSeats`.
    """

    path: Path
    stored: StoredParty = field(init=False)
    is_party = True
    is_alone = False
    host = None

    def __post_init__(self) -> None:
        try:
            self.stored = msgspec.json.decode(self.path.read_bytes(), type=StoredParty)
        except (OSError, msgspec.DecodeError, RecursionError):
            places = [PartyPlace(_invitation()) for _ in range(MOST_PLAYERS)]
            self._store(StoredParty(token_urlsafe(32), places))

    # ---- guests ------------------------------------------------------------------------------

    @property
    def guests(self) -> list[int]:
        """The places that somebody has."""
        return [place for place, each in enumerate(self.stored.places) if each.guest is not None]

    def is_host(self, token: str | None) -> bool:
        """Whether this is the host's token."""
        return token is not None and compare_digest(token, self.stored.host)

    def place_of(self, secret: str | None) -> int | None:
        """Return the place whose guest has this secret, or None."""
        digest = "" if secret is None else digest_of(secret)
        for place, each in enumerate(self.stored.places):
            if each.guest is not None and compare_digest(each.guest.digest, digest):
                return place
        return None

    def invited_to(self, invitation: str) -> int | None:
        """The free place of an invitation, None where it is used up or there is no such one."""
        for place, each in enumerate(self.stored.places):
            if each.guest is None and each.invitation == invitation:
                return place
        return None

    def sit(self, invitation: str, name: str) -> str:
        """Use an invitation up; returns the secret of the place, which is not kept here.

        Raises:
            SeatingError: "used" is an invitation that there is not, "name" a name that cannot be
                shown or is too long, "double" one that another guest has.
        """
        places, place = self.stored.places, self.invited_to(invitation)
        if place is None:
            raise SeatingError("used")
        name = readable_name(name)
        if alike(name) in (alike(each.guest.name) for each in places if each.guest):
            raise SeatingError("double")
        secret = token_urlsafe(32)
        self._put(place, PartyPlace("", PartyGuest(name, digest_of(secret))))
        return secret

    def free(self, place: int) -> None:
        """Free a place, for a new invitation."""
        self._put(place, PartyPlace(_invitation()))

    # ---- what the table asks of its seats ------------------------------------------------------

    def admit(self, hello: incoming.Hello) -> Admission:
        """Return the player of a page that says hello: by a guest's secret, or the host's token.

        Raises:
            RefusalError: it wants a seat without an invitation.
        """
        place = self.place_of(hello.token) if hello.view == "seat" else None
        if hello.view == "seat" and place is None:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody has invited you here")
        return Admission(place, self.is_host(hello.host))

    def seat_of(self, player: int | None, match: int | None) -> int | None:
        """Return the seat of a player in a match, by its number; None for none."""
        seating = self._seating(match)
        return seating.index(player) if player in seating else None

    def claimed(self, match: int | None) -> list[bool]:
        """Return for each seat of people in a match whether its place is still somebody's."""
        return [self.stored.places[place].guest is not None for place in self._seating(match)]

    def places(self) -> list[NamedPlace]:
        """Return all places."""
        return [
            NamedPlace(None if each.guest is None else each.guest.name, each.invitation)
            for each in self.stored.places
        ]

    @property
    def plan(self) -> MatchPlan:
        """The next match."""
        return self.stored.plan

    def choose(self, plan: MatchPlan) -> None:
        """Choose what is played next.

        Raises:
            SeatingError: "plan": there are no such rules.
        """
        _ = plan.rules
        self._store(msgspec.structs.replace(self.stored, plan=plan))

    @property
    def hindrance(self) -> str:
        """Why no match can be begun, as of a `MatchPlan`; empty if one can."""
        return self.plan.hindrance(len(self.guests))

    def seat_people(self, match: int, _typed: str) -> tuple[str, ...]:
        """Seat all guests at a match, by its number; returns their names."""
        seatings = {
            number: seats
            for number, seats in self.stored.seatings.items()
            if match - STORED_SEATINGS < number < match
        }
        seatings[match] = self.guests
        self._store(msgspec.structs.replace(self.stored, seatings=seatings))
        return tuple(each.guest.name for each in self.stored.places if each.guest is not None)

    @property
    def tally(self) -> dict[str, MatchTally]:
        """All who have played a match this evening, by name."""
        return self.stored.tally

    def count(self, match: int, names: tuple[str, ...], losers: tuple[str, ...]) -> None:
        """Add a match that is over to the tally of its people, once."""
        if match <= self.stored.counted:
            return
        tally = dict(self.tally)
        for name in names:
            was = tally.get(name, MatchTally())
            tally[name] = MatchTally(was.played + 1, was.lost + (name in losers))
        self._store(msgspec.structs.replace(self.stored, tally=tally, counted=match))

    def _seating(self, match: int | None) -> list[int]:
        return [] if match is None else self.stored.seatings.get(match, [])

    def _put(self, place: int, what: PartyPlace) -> None:
        places = [what if i == place else each for i, each in enumerate(self.stored.places)]
        self._store(msgspec.structs.replace(self.stored, places=places))

    def _store(self, stored: StoredParty) -> None:
        replace_file(self.path, msgspec.json.encode(stored).decode())
        self.stored = stored
