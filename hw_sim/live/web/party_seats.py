"""An evening at a table of phones: the guests' places, the next match, the tally of losses.

Kept in the table's folder as ``evening.json``, written whole at every change, so that it goes on
when the server was killed. The file keeps a digest of each guest's secret. It keeps the invitations
and the host's token as they are, since the server shows them again.
"""

from dataclasses import dataclass, field
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated, Final
from unicodedata import normalize

import msgspec
from msgspec import Meta

from firmware.lobby.names import alike, names_of_bots
from game import AnyRules, SetupError, rule_set
from game.names import is_readable
from hw_sim.live.web.open_seats import digest_of
from hw_sim.live.web.private_files import replace_file
from hw_sim.players.bot_kinds import USUAL_KINDS, BotKind
from hw_sim.table.setup import NAMES

PLACES = len(NAMES)
MOST_LETTERS: Final = 12
"""The most letters of a guest's name."""
INVITATION_BYTES = 12
STORED_SEATINGS = 2
"""The seatings of the present match and of the one before, in case a new one cannot begin."""


class SeatingError(Exception):
    """A wish of a guest or the host that cannot be granted; ``why`` is one word for the reason."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


_Word = Annotated[str, Meta(max_length=32)]


class MatchPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The next match: a game with its options, and the bots that sit down, too."""

    game: _Word = "class"
    options: Annotated[dict[_Word, bool | int | _Word], Meta(max_length=8)] = {}
    bots: Annotated[tuple[BotKind, ...], Meta(max_length=PLACES)] = USUAL_KINDS[:2]

    @property
    def rules(self) -> AnyRules:
        """The rules.

        Raises:
            SetupError: there is no such game or option, or it has no such value.
        """
        return rule_set(self.game, self.options)

    def hindrance(self, people: int) -> str:
        """Why this number of people cannot begin: "plan", "nobody", "few", "many"; else empty."""
        try:
            rules = self.rules
        except SetupError:
            return "plan"
        if not people:
            return "nobody"
        players = people + len(self.bots)
        if players < rules.fewest_players:
            return "few"
        return "many" if players > min(rules.most_players, PLACES) else ""


class PartyGuest(msgspec.Struct, frozen=True):
    """A guest who has a place."""

    name: str
    digest: str


class PartyPlace(msgspec.Struct, frozen=True):
    """One of the places: its invitation as long as it is free, else its guest."""

    invitation: str
    guest: PartyGuest | None = None


class MatchTally(msgspec.Struct, frozen=True):
    """The matches that a guest has played this evening, and those that they have lost."""

    played: int = 0
    lost: int = 0


class StoredParty(msgspec.Struct):
    """The content of the file.

    ``seatings``: which places the seats of people have, by the number of the match; ``counted``:
    the last match that is in the tally.
    """

    host: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{43}\Z")]
    places: Annotated[list[PartyPlace], Meta(min_length=PLACES, max_length=PLACES)]
    plan: MatchPlan = MatchPlan()
    tally: dict[str, MatchTally] = {}
    seatings: dict[int, list[int]] = {}
    counted: int = -1


def readable_name(typed: str) -> str:
    """A name as somebody typed it, without needless spaces, each letter one where it can be (NFC).

    Raises:
        EveningError: "name": it cannot be shown, or is longer than `MOST_LETTERS`.
    """
    name = normalize("NFC", " ".join(typed.split()))
    if not is_readable(name) or len(name) > MOST_LETTERS:
        raise SeatingError("name")
    return name


def _invitation() -> str:
    return token_urlsafe(INVITATION_BYTES)


@dataclass
class PartySeats:
    """The evening whose file is ``path``. A missing or invalid file counts as a new evening.

    If the file or a change cannot be written, OSError is raised, and the evening stays as it was.
    """

    path: Path
    kept: StoredParty = field(init=False)

    def __post_init__(self) -> None:
        try:
            self.kept = msgspec.json.decode(self.path.read_bytes(), type=StoredParty)
        except (OSError, msgspec.DecodeError, RecursionError):
            places = [PartyPlace(_invitation()) for _ in range(PLACES)]
            self._keep(StoredParty(token_urlsafe(32), places))

    @property
    def guests(self) -> list[int]:
        """The places that somebody has."""
        return [place for place, each in enumerate(self.kept.places) if each.guest is not None]

    def is_host(self, token: str | None) -> bool:
        """Whether this is the host's token."""
        return token is not None and compare_digest(token, self.kept.host)

    def place_of(self, secret: str | None) -> int | None:
        """Return the place whose guest has this secret, or None."""
        digest = "" if secret is None else digest_of(secret)
        for place, each in enumerate(self.kept.places):
            if each.guest is not None and compare_digest(each.guest.digest, digest):
                return place
        return None

    def invited_to(self, invitation: str) -> int | None:
        """The free place of an invitation, None where it is used up or there is no such one."""
        for place, each in enumerate(self.kept.places):
            if each.guest is None and each.invitation == invitation:
                return place
        return None

    def sit(self, invitation: str, name: str) -> str:
        """Use an invitation up; returns the secret of the place, which is not kept here.

        Raises:
            EveningError: "used" is an invitation that there is not, "name" a name that cannot be
                shown or is longer than `MOST_LETTERS`, "double" one that another guest has.
        """
        places, place = self.kept.places, self.invited_to(invitation)
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

    def choose(self, plan: MatchPlan) -> None:
        """Choose what is to be played next."""
        self._keep(msgspec.structs.replace(self.kept, plan=plan))

    @property
    def hindrance(self) -> str:
        """Why no match can be begun, as of a `MatchPlan`; empty if one can."""
        return self.kept.plan.hindrance(len(self.guests))

    def seat(self, match: int) -> tuple[str, ...]:
        """Seat all guests at a match, by its number; returns the names of all, the bots' too.

        Raises:
            EveningError: for a `hindrance`.
        """
        if self.hindrance:
            raise SeatingError(self.hindrance)
        guests = [each.guest.name for each in self.kept.places if each.guest is not None]
        names = (*guests, *names_of_bots(guests, len(self.kept.plan.bots)))
        seatings = {
            number: seats
            for number, seats in self.kept.seatings.items()
            if match - STORED_SEATINGS < number < match
        }
        self._keep(msgspec.structs.replace(self.kept, seatings={**seatings, match: self.guests}))
        return names

    def seat_of(self, place: int | None, match: int) -> int | None:
        """The seat that a place has in a match, None for none."""
        seating = self.kept.seatings.get(match, [])
        return seating.index(place) if place in seating else None

    def count(self, match: int, names: tuple[str, ...], losers: tuple[str, ...]) -> None:
        """Add a match that is over to the tally of its people, once."""
        if match <= self.kept.counted:
            return
        tally = dict(self.kept.tally)
        for name in names:
            was = tally.get(name, MatchTally())
            tally[name] = MatchTally(was.played + 1, was.lost + (name in losers))
        self._keep(msgspec.structs.replace(self.kept, tally=tally, counted=match))

    def _put(self, place: int, what: PartyPlace) -> None:
        places = [what if i == place else each for i, each in enumerate(self.kept.places)]
        self._keep(msgspec.structs.replace(self.kept, places=places))

    def _keep(self, kept: StoredParty) -> None:
        replace_file(self.path, msgspec.json.encode(kept).decode())
        self.kept = kept
