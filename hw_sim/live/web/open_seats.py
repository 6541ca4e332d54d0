"""The seats of a tab's table: of a lone player, or of people who pass one page on.

The first page that opens a free seat takes it. It gets a token with it, which its browser keeps,
and only its holder may play the seat.
"""

from collections.abc import Mapping
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import msgspec

from game import to_plain
from hw_sim.live.web import incoming
from hw_sim.live.web.evening_card import MatchResult
from hw_sim.live.web.match_plan import MatchPlan, readable_name
from hw_sim.live.web.private_files import replace_file
from hw_sim.live.web.seating import Admission, Claims, MatchTally, NamedPlace, counted, digest_of
from hw_sim.live.world.setup import WorldSetup
from hw_sim.players.bot_kinds import KINDS


class StoredSeats(msgspec.Struct, frozen=True):
    """The content of the file: digests of the tokens by seat, and a tally by name.

    ``counted``: the number of the last match in the tally. Older files are the digests alone.
    """

    digests: dict[int, str]
    tally: dict[str, MatchTally] = {}
    counted: int = -1


class OpenSeats:
    """The seats of people, and the plan of a lone player. A player is known by the seat's number.

    Args:
        path: the file, as `StoredSeats`; it need not exist. An invalid one counts as none.
        setup: the first match; its first seats are people's.

    Attributes:
        is_party: False; see `PartySeats`.
        people: how many of the first seats are people's.
        is_alone: whether one person plays here.
        host: the player who may choose the match: a lone one among built-in bots, else None.
        plan: the next match, as a lone player chose it.
    """

    is_party = False

    def __init__(self, path: Path, setup: WorldSetup) -> None:
        self._path = path
        self.people = setup.people
        self._name = setup.table.names[0]
        self.is_alone = setup.people == 1
        self.host = 0 if self.is_alone and {*setup.bots} <= {*KINDS} else None
        bots = [each for each in setup.bots if each in KINDS]
        self.plan = msgspec.convert({**to_plain(setup.table.rules), "bots": bots}, MatchPlan)
        self._stored = _read(path)

    # ---- seats -------------------------------------------------------------------------------

    def free_seats(self) -> list[int]:
        """Return the seats of people that nobody has."""
        return [seat for seat in range(self.people) if seat not in self._stored.digests]

    def holds(self, seat: int, token: str | None) -> bool:
        """Whether this is the token of a seat; None never is."""
        digest = self._stored.digests.get(seat)
        return digest is not None and token is not None and compare_digest(digest, digest_of(token))

    def take(self, seat: int) -> str:
        """Take a free seat; returns its token, which is not kept here.

        Raises:
            ValueError: it is not free.
            OSError: it cannot be written down; then it is still free.
        """
        if seat not in self.free_seats():
            raise ValueError(f"seat {seat} is not free")
        token = token_urlsafe(32)
        self._store(digests={**self._stored.digests, seat: digest_of(token)})
        return token

    def free(self, seat: int) -> None:
        """Free a seat.

        Raises:
            OSError: it cannot be written down; then it is still taken.
        """
        digests = self._stored.digests
        self._store(digests={other: digests[other] for other in digests if other != seat})

    def _store(self, **changes: Any) -> None:
        stored = msgspec.structs.replace(self._stored, **changes)
        replace_file(self._path, msgspec.json.encode(stored).decode())
        self._stored = stored

    # ---- what the table asks of its seats ------------------------------------------------------

    def admit(self, hello: incoming.Hello, *, is_host: bool = False) -> Admission:
        """Return the player of a page that says hello; it takes the seat that it wants if free.

        Raises:
            RefusalError: it wants a seat that it cannot have.
            OSError: the seat that it takes cannot be written down.
        """
        del is_host  # nobody hosts such a table
        people, seat = self.people, hello.seat
        if hello.view == "screen":
            if not any(self.holds(each, hello.token) for each in range(people)):
                raise incoming.RefusalError(incoming.WRONG_SEAT, "you have no seat here")
            return Admission()
        if hello.view != "seat" and people == 1:
            seat = 0
        if hello.view == "seat" and (seat is None or seat >= people):
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody plays there but a bot")
        if seat is None or seat >= people or (hello.view == "table" and people > 1):
            return Admission()
        if self.holds(seat, hello.token):
            return Admission(seat)
        if seat in self.free_seats():
            return Admission(seat, token=self.take(seat)) if hello.sit else Admission()
        if hello.view == "seat":
            raise incoming.RefusalError(incoming.TAKEN, "somebody sits there")
        return Admission()

    def seat_of(self, player: int | None, _match: int | None) -> int | None:
        """Return the seat of a player in a match: the same in all."""
        return player

    def claims(self, _match: int | None) -> Claims:
        """Return which seats of people somebody has."""
        return Claims([seat in self._stored.digests for seat in range(self.people)])

    def places(self) -> list[NamedPlace]:
        """Return the place of a lone player."""
        return [NamedPlace(self._name)]

    def choose(self, plan: MatchPlan) -> None:
        """Choose what is played next.

        Raises:
            SeatingError: "plan": there are no such rules.
        """
        _ = plan.rules
        self.plan = plan

    @property
    def hindrance(self) -> str:
        """Why a lone player cannot begin a match, as of a `MatchPlan`; empty if they can."""
        return self.plan.hindrance(1)

    def seat_people(self, _match: int, typed: str) -> tuple[str, ...]:
        """Return the lone player's name, as typed; empty keeps the old one.

        Raises:
            SeatingError: as `readable_name`.
        """
        self._name = readable_name(typed or self._name)
        return (self._name,)

    @property
    def tally(self) -> Mapping[str, MatchTally]:
        """All who have played a match here, by name."""
        return self._stored.tally

    def count(self, match: int, result: MatchResult) -> None:
        """Add a match that is over to the tally of its people, once.

        Raises:
            OSError: it cannot be written down.
        """
        if match != self._stored.counted:
            self._store(
                tally=counted(self.tally, result.people, result.losers, result.crowned),
                counted=match,
            )


def _read(path: Path) -> StoredSeats:
    try:
        text = path.read_bytes()
        try:
            return msgspec.json.decode(text, type=StoredSeats)
        except msgspec.ValidationError:
            return StoredSeats(msgspec.json.decode(text, type=dict[int, str]))
    except (OSError, msgspec.DecodeError, RecursionError):
        return StoredSeats({})
