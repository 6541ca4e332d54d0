"""A league: checks published results, keeps the valid ones, and rates their players."""

import csv
import io
from collections.abc import Callable, Collection
from hashlib import sha256

from firmware.audience.checking import DoubtedError, begun, follow
from firmware.audience.rating import RatedMatch, ranks, results, standings
from firmware.audience.store import LeagueMatch, LeagueStore, MatchSource
from firmware.device.feed import FeedError, Result
from firmware.link.broker.session import Message
from firmware.link.broker.topics import ROOT, result
from firmware.table.log.entries import decode_entries
from game import Outcome
from game.record import Record, RecordError, read, write

MOST_SEATS = 16
MOST_SAID = 1000
_SEATS = frozenset(map(str, range(MOST_SEATS)))


class League:
    """A league.

    Args:
        store: the file that holds its results.
        now: the time, as ISO 8601 has it.
        tables: the tags of the tables whose results it accepts; empty: all. A tag may be followed
            by a colon and the keys of its players, as `keys_of` names them: otherwise the first
            keys of a tag count.
    """

    def __init__(
        self, store: LeagueStore, now: Callable[[], str], tables: Collection[str] = ()
    ) -> None:
        self._store = store
        self._now = now
        self._named = dict(each.split(":") for each in tables if ":" in each)
        self._tables = tuple(dict.fromkeys(each.split(":")[0] for each in tables))
        self._kept: list[LeagueMatch] = []
        self._said: set[str] = set()
        self._rated: dict[str | None, list[RatedMatch]] = {}

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics to subscribe to, each with its kept messages."""
        return tuple(result(tag, "+") for tag in self._tables or ("+",))

    def take(self, message: Message) -> str | None:
        """Store a result; return a line on the outcome, or None if the result is known.

        Raises:
            StoreError: the result cannot be stored.
        """
        place = _place_of(message)
        if place is None:
            return None
        tag, seat = place
        of = f"{tag[:8]}, seat {seat}"
        try:
            told = Result.decode(message.payload)
            source = MatchSource(tag, told.match, seat, keys_of(told))
            known = self._store.told(source)
            if known == told.digest:
                return None
            if seat >= len(told.signers):
                raise DoubtedError("that seat has no key")
            record, outcome = checked(told)
        except (FeedError, DoubtedError) as error:
            return self._refused(f"refused, {of}: {error}")
        if known is not None:
            digest = f"{told.digest} now, {known} before"
            return self._refused(f"refused, {of}: it tells match {told.match} otherwise: {digest}")
        if self._store.is_elsewhere(source, told.digest):
            return self._refused(f"refused, {of}: match {told.match} was told of another table")
        before = self._store.digest(source)
        ranked = ranks(outcome, len(record.players))
        match = LeagueMatch(0, self._now(), record.rules.game, record.players, ranked)
        self._store.keep(source, told.digest, match, write(record))
        self._read()
        names = ", ".join(record.players)
        if before is None:
            first = self._named.get(tag) or self._store.keys(tag)
            if first != source.keys:
                keys = f"of keys {source.keys}, not {first}"
                return f"kept apart, {of}: match {told.match}, {names}, {keys}: --table TAG:KEYS"
            return f"taken, {of}: match {told.match}, {record.rules.game}, {names}"
        same = "the same" if before == told.digest else "another story: the match is disputed"
        return f"taken, {of}: match {told.match}, {same}"

    @property
    def matches(self) -> list[LeagueMatch]:
        """All valid matches, in the order in which they came."""
        if self._store.is_changed():  # several may keep one league
            self._read()
        return self._kept

    def rated(self, game: str | None = None) -> list[RatedMatch]:
        """Return the results of all rated matches, one per player; ``game`` selects one game."""
        matches = self.matches
        if game not in self._rated:
            self._rated[game] = results(matches, game)
        return self._rated[game]

    def record(self, number: int) -> str | None:
        """Return the record of a match, as ``game.record.write`` has it; None if unknown."""
        return self._store.record(number)

    def csv(self) -> str:
        """All of ``rated`` as a table for other programs."""
        out = io.StringIO()
        lines = csv.writer(out)
        lines.writerow(("match", "at", "game", "player", "others", "rank", "lost", "mu", "sigma"))
        for each in self.rated():
            match, names = each.match, (each.player, " ".join(each.others))
            told = (match.number, match.at, match.game, *map(_plain, names), each.rank)
            lines.writerow((*told, int(each.lost), f"{each.mu:.6f}", f"{each.sigma:.6f}"))
        return out.getvalue()

    def in_words(self) -> str:
        """Return the standings of all players, line by line."""
        rows = [("player", "rating", "matches", "lost")]
        for each in standings(self.rated()):
            rows.append((each.player, f"{each.rating:.2f}", str(each.matches), str(each.lost)))
        widths = [max(map(len, column)) for column in zip(*rows)]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def _refused(self, line: str) -> str | None:
        """Return the line unless it was returned before: a broker repeats what it keeps."""
        if line in self._said:
            return None
        if len(self._said) >= MOST_SAID:
            self._said.clear()
        self._said.add(line)
        return line

    def _read(self) -> None:
        self._kept = self._store.matches(self._named)
        self._rated.clear()


def checked(told: Result) -> tuple[Record, Outcome]:
    """Return the record of a result and how it ended, after checking all of it.

    Raises:
        DoubtedError: it fails a check.
    """
    start = begun(told)
    follow(start, told.log)
    match = start.log.match
    if match.outcome is None:
        raise DoubtedError("its match is not over")
    actions = decode_entries(told.log.entries)
    return Record(match.rules, match.players, start.first, actions), match.outcome


def keys_of(told: Result) -> str:
    """Return the name of the players' keys: 32 hexadecimal digits of their SHA-256.

    The name of an invalid result is undefined.
    """
    try:
        players = len(read(told.header).players)
    except RecordError:
        players = 0
    return sha256(":".join(told.signers[:players]).encode()).hexdigest()[:32]


def _place_of(message: Message) -> tuple[str, int] | None:
    """The table and the seat of a result, by its topic; None for anything else."""
    levels = message.topic.removeprefix(f"{ROOT}/").split("/")
    if len(levels) != 3 or levels[1] != "result" or levels[2] not in _SEATS:
        return None
    return (levels[0], int(levels[2])) if message.payload else None


def _plain(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@") else cell
