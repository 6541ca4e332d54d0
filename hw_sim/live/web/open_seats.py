"""The seats of a tab's table: of a lone player, or of people who pass one page on.

All pages are those of one browser, so a page plays the seat that it shows.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from game import to_plain
from hw_sim.live.web import incoming, replace_file
from hw_sim.live.web.evening_card import UNOPENED, EveningCard, MatchResult, OwnThrows
from hw_sim.live.web.seating import (
    Claims,
    MatchPlan,
    MatchTally,
    NamedPlace,
    RoomSettings,
    counted,
    readable_name,
)
from hw_sim.live.world.setup import WorldSetup
from hw_sim.players.bot_kinds import KINDS


class StoredSeats(msgspec.Struct, frozen=True):
    """The content of the file: the seats that a page has shown, and a tally by name.

    ``counted``: the number of the last match in the tally. Older files have other keys, too.
    """

    shown: tuple[int, ...] = ()
    tally: dict[str, MatchTally] = {}
    counted: int = -1


class OpenSeats:
    """The seats of people, and the plan of a lone player. A player is known by the seat's number.

    Args:
        path: the file, as `StoredSeats`; it need not exist. An invalid one counts as none.
        setup: the first match; its first seats are people's.

    Attributes:
        is_party, room, card, code: as if nobody had furnished a party; see `PartySeats`.
        people: how many of the first seats are people's.
        is_alone: whether one person plays here.
        plan: the next match, as a lone player chose it.
    """

    is_party = False
    room, card, code = RoomSettings(), EveningCard(), ""

    def __init__(self, path: Path, setup: WorldSetup) -> None:
        self._path = path
        self.people = setup.people
        self._name = setup.table.names[0]
        self.is_alone = setup.people == 1
        self._host = 0 if self.is_alone and {*setup.bots} <= {*KINDS} else None
        bots = [each for each in setup.bots if each in KINDS]
        self.plan = msgspec.convert({**to_plain(setup.table.rules), "bots": bots}, MatchPlan)
        self._stored = _read(path)

    def _store(self, **changes: Any) -> None:
        stored = msgspec.structs.replace(self._stored, **changes)
        replace_file(self._path, msgspec.json.encode(stored).decode())
        self._stored = stored

    def player_of(self, hello: incoming.Hello, *, is_host: bool = False) -> int | None:
        """Return the player of a page that says hello; None watches.

        Raises:
            RefusalError: it wants a seat that is not a person's.
        """
        del is_host  # nobody hosts such a table
        people, seat, view = self.people, hello.seat, hello.view
        if view == "seat" and (seat is None or seat >= people):
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody plays there but a bot")
        if view != "seat":
            seat = 0 if people == 1 and view != "screen" else None
        if seat is not None and seat not in self._stored.shown:
            with suppress(OSError):  # the seat is played all the same
                self._store(shown=(*self._stored.shown, seat))
        return seat

    def first_of(self, _here: Collection[int]) -> int | None:
        """Return who may choose the match: a lone player among built-in bots, else None."""
        return self._host

    def lies_at(self, _place: int | None) -> None:
        """Return what a guest may confess: nothing here."""

    def seat_of(self, player: int | None, _match: int | None) -> int | None:
        """Return the seat of a player in a match: the same in all."""
        return player

    def claims(self, _match: int | None) -> Claims:
        """Return which seats of people a page has shown."""
        return Claims([seat in self._stored.shown for seat in range(self.people)])

    def places(self) -> list[NamedPlace]:
        """Return the place of a lone player."""
        return [NamedPlace(self._name)]

    def choose(self, plan: MatchPlan) -> None:
        """Choose what is played next.

        Raises:
            SeatingError: as `MatchPlan.rules`.
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

    def count(self, match: int, result: MatchResult, _unopened: OwnThrows = UNOPENED) -> None:
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
        return msgspec.json.decode(path.read_bytes(), type=StoredSeats)
    except (OSError, msgspec.DecodeError, RecursionError):
        return StoredSeats()
