"""A match of a table that is over: its record, and the tally of its people."""

import logging
from pathlib import Path

from firmware.cli.console import because
from firmware.table.log.covered_throws import CoveredThrows
from hw_sim.live.web.coach_report import record_of
from hw_sim.live.web.evening_card import MatchResult
from hw_sim.live.web.evening_records import keep_record
from hw_sim.live.web.open_seats import OpenSeats
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.testimony import Unopened
from hw_sim.live.world.world import World

log = logging.getLogger(__name__)


class MatchCount:
    """Counts each match of a table once.

    Args:
        folder: where the records of matches are kept.
        seats: keep the tally. A full disk loses record or tally, and the log says so.
    """

    def __init__(self, folder: Path, seats: OpenSeats | PartySeats) -> None:
        self._folder = folder
        self._seats = seats
        self._number: int | None = None

    def begin(self, number: int | None) -> None:
        """Count the next match that ends, by its number; None counts none."""
        self._number = number

    def end(self, world: World) -> bool:
        """Count the match if it has ended in its world; returns whether this is the first time."""
        number = self._number
        if number is None or not world.is_over:
            return False
        self._number = None
        result = _result_of(world)
        keep_record(self._folder, number, result.record)
        try:
            if isinstance(self._seats, PartySeats):
                self._seats.count(number, result, _unopened(world))
            else:
                self._seats.count(number, result)
        except OSError as error:
            log.warning("the tally cannot be kept now: %s", because(error))
        return True


def _result_of(world: World) -> MatchResult:
    """Return the result of a match that is over."""
    names, outcome = world.setup.table.names, world.table.here[0].handheld.match.outcome
    people = names[: world.setup.people]
    if outcome is None:
        return MatchResult(record_of(world), people, (), ())
    stayed = {*range(len(names))}.difference(outcome.losers, outcome.left)
    least = min((outcome.tally[seat] for seat in stayed), default=0)
    crowned = tuple(names[seat] for seat in sorted(stayed) if outcome.tally[seat] == least)
    return MatchResult(
        record_of(world), people, tuple(names[seat] for seat in outcome.losers), crowned
    )


def _unopened(world: World) -> dict[str, Unopened]:
    """Return the throws of a match that only handhelds elsewhere can open, by player."""
    setup, watcher = world.setup, world.table.seats[-1]
    standing = watcher.device.standing
    if setup.table.here is None or standing is None:
        return {}
    session = standing.agreed.session.hex()
    elsewhere = {*range(setup.people)}.difference(setup.table.here)
    found = {seat: CoveredThrows.of(watcher.log, seat) for seat in sorted(elsewhere)}
    return {
        setup.table.names[seat]: Unopened(session, covered)
        for seat, covered in found.items()
        if covered.throws
    }
