"""The matches in a journal, and their totals."""

from collections.abc import Sequence
from dataclasses import fields
from typing import NamedTuple

from firmware.cli.console import CommandError
from firmware.journal.sqlite import Journal
from firmware.table.log.entries import EntryError, decode_entries
from game.record import Record, RecordError, read, replay
from game.statistics import Statistics, statistics


class PastMatch(NamedTuple):
    """One match of the past.

    ``losers``: names; None while the match has not ended. ``counted`` is by seat.
    """

    number: int
    record: Record
    rounds: int
    losers: tuple[str, ...] | None
    counted: tuple[Statistics, ...]


def past_matches(journal: Journal) -> list[PastMatch]:
    """Return the matches of a journal, oldest first.

    Raises:
        CommandError: an entry cannot be decoded, or breaks the rules.
        JournalError: the journal cannot be read.
    """
    found = []
    for number, header in journal.matches():
        try:
            empty = read(header.decode())
            actions = tuple(
                action for entry in journal.entries(number) for action in decode_entries(entry)
            )
            record = Record(empty.rules, empty.players, empty.first, actions)
            steps = list(replay(record))
            counted = statistics(len(record.players), steps)
        except (RecordError, EntryError, UnicodeDecodeError) as error:
            raise CommandError(
                f"journal {journal.path}: match {number}: {error}: move the file away"
            ) from None
        match = steps[-1].match if steps else None
        ended = match.outcome if match is not None else None
        losers = tuple(record.players[seat] for seat in ended.losers) if ended else None
        found.append(PastMatch(number, record, match.round if match else 1, losers, counted))
    return found


def totals(matches: Sequence[PastMatch]) -> dict[str, dict[str, int]]:
    """Return counts over all matches by name, then by what is counted; matches and losses too."""
    summed: dict[str, dict[str, int]] = {}
    for match in matches:
        for name, counted in zip(match.record.players, match.counted):
            mine = summed.setdefault(name, {"matches": 0, "lost": 0})
            mine["matches"] += 1
            mine["lost"] += name in (match.losers or ())
            for field in fields(Statistics):
                mine[field.name] = mine.get(field.name, 0) + getattr(counted, field.name)
    return summed
