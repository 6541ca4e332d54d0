"""The file of a league: one SQLite file, one transaction for each result.

``told`` holds every result as a seat published it, once. ``matches`` holds every valid match, in
the order of arrival. A match is named by its number and by the keys that its players sign with, for
anybody may write under a table's tag. A match is disputed for good if those keys signed different
stories of it.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from game import RULES
from game.names import is_readable

VERSION = 2
_TOLD = """CREATE TABLE told (
    tag TEXT NOT NULL, match INTEGER NOT NULL, seat INTEGER NOT NULL, keys TEXT NOT NULL,
    digest TEXT NOT NULL, PRIMARY KEY (tag, match, seat, keys)
)"""
_MATCHES = """CREATE TABLE matches (
    id INTEGER PRIMARY KEY, tag TEXT NOT NULL, match INTEGER NOT NULL, keys TEXT NOT NULL,
    digest TEXT NOT NULL, at TEXT NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL,
    ranks TEXT NOT NULL, record TEXT NOT NULL, disputed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (keys, match)
)"""
_ANEW = f"BEGIN; {_TOLD}; {_MATCHES}; PRAGMA user_version = {VERSION}; COMMIT;"
_FROM_1 = f"""BEGIN; ALTER TABLE told RENAME TO old_told; ALTER TABLE matches RENAME TO old_matches;
{_TOLD}; {_MATCHES};
INSERT INTO told SELECT tag, match, seat, 'of ' || tag, digest FROM old_told;
INSERT INTO matches SELECT id, tag, match, 'of ' || tag, digest, at, game, players, ranks, record,
    disputed FROM old_matches;
DROP TABLE old_told; DROP TABLE old_matches; PRAGMA user_version = {VERSION}; COMMIT;"""
"""An older file has no keys; the keys of a table are named by its tag."""
MOST_RECORD = 1 << 20
"""A match has some 100 kB; a longer record is not read."""
_Players = Annotated[tuple[str, ...], msgspec.Meta(min_length=2, max_length=16)]
_Ranks = tuple[Annotated[int, msgspec.Meta(ge=1, le=16)], ...] | None


class StoreError(Exception):
    """The file of a league cannot be used; the text is one line that says what to do."""


class LeagueMatch(NamedTuple):
    """A valid match.

    Attributes:
        number: in the order in which they came, from 1.
        at: when it came, as ISO 8601 has it.
        game: its name.
        players: by seat.
        ranks: by seat, how well each player did, 1 for best; None for a match without a loser.
        disputed: its seats publish different stories of it.
        apart: its players' keys are not those of its table: the first ones, or those named.
    """

    number: int
    at: str
    game: str
    players: tuple[str, ...]
    ranks: tuple[int, ...] | None
    disputed: bool = False
    apart: bool = False


class MatchSource(NamedTuple):
    """A source of a result: table tag, number of the match, publishing seat, and its keys."""

    tag: str
    match: int
    seat: int
    keys: str = ""


class LeagueStore:
    """The file of a league. ``path`` is created if it does not exist.

    Raises:
        StoreError: here, and at every call: the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._complaining():
            self._disk = sqlite3.connect(path, isolation_level=None)
            self._disk.execute("PRAGMA journal_mode = WAL")
            (version,) = self._disk.execute("PRAGMA user_version").fetchone()
            if version not in (0, 1, VERSION):
                raise StoreError(f"league {path}: of version {version}: name another file")
            if version != VERSION:
                self._disk.executescript(_FROM_1 if version else _ANEW)
            ask = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
            if {sql for (sql,) in self._disk.execute(ask)} != {_TOLD, _MATCHES}:
                raise StoreError(f"league {path}: its tables are none of a league: name another")
        self._seen: int | None = None
        """SQLite's change counter at the last `is_changed`."""

    def close(self) -> None:
        """Close the file."""
        self._disk.close()

    def is_changed(self) -> bool:
        """Whether another program has written to the file since this was asked last."""
        with self._complaining():
            (now,) = self._disk.execute("PRAGMA data_version").fetchone()
        before, self._seen = self._seen, now
        return bool(now != before)

    def told(self, source: MatchSource) -> str | None:
        """Return the digest of what a seat published of a match; None if it published nothing."""
        ask = "SELECT digest FROM told WHERE tag = ? AND match = ? AND seat = ? AND keys = ?"
        return self._text(ask, source)

    def digest(self, source: MatchSource) -> str | None:
        """Return the digest of a stored match from any seat; None if it is not stored."""
        ask = "SELECT digest FROM matches WHERE keys = ? AND match = ?"
        return self._text(ask, (source.keys, source.match))

    def is_elsewhere(self, source: MatchSource, digest: str) -> bool:
        """Return whether another table, match number or set of keys has the very same entries."""
        ask = (
            "SELECT tag FROM matches WHERE digest = ? AND NOT (tag = ? AND match = ? AND keys = ?)"
        )
        return self._text(ask, (digest, source.tag, source.match, source.keys)) is not None

    def keys(self, tag: str) -> str | None:
        """Return the keys of the first match of a table; None before there is one."""
        return self._text("SELECT keys FROM matches WHERE tag = ? ORDER BY id LIMIT 1", (tag,))

    def _text(self, ask: str, of: tuple[object, ...]) -> str | None:
        with self._complaining():
            found = self._disk.execute(ask, of).fetchone()
        return None if found is None else str(found[0])

    def keep(self, source: MatchSource, digest: str, match: LeagueMatch, record: str) -> None:
        """Store a seat's result; a match is disputed if the same keys signed otherwise.

        ``record`` as ``game.record.write`` has it, without covered dice. The number of ``match`` is
        ignored.
        """
        tag, number, seat, keys = source
        with self._complaining(), self._disk:
            self._disk.execute("BEGIN IMMEDIATE")
            told = (tag, number, seat, keys, digest)
            self._disk.execute("INSERT OR IGNORE INTO told VALUES (?, ?, ?, ?, ?)", told)
            self._disk.execute(
                "INSERT INTO matches (tag, match, keys, digest, at, game, players, ranks, record) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET disputed = disputed OR digest != excluded.digest",
                (
                    tag, number, keys, digest, match.at, match.game, json.dumps(match.players),
                    json.dumps(match.ranks), record,
                ),
            )  # fmt: skip

    def matches(self, named: Mapping[str, str]) -> list[LeagueMatch]:
        """Return all matches in order of arrival; ``named``: the keys of tables by tag."""
        with self._complaining():
            rows = self._disk.execute(
                "SELECT tag, keys, id, at, game, players, ranks, disputed FROM matches ORDER BY id"
            ).fetchall()
            first = dict(named)
            return [
                _kept(*row)._replace(apart=first.setdefault(tag, keys) != keys)
                for tag, keys, *row in rows
            ]

    def record(self, number: int) -> str | None:
        """Return the record of a match by its number; None if there is none."""
        with self._complaining():
            ask = "SELECT record FROM matches WHERE id = ? AND length(record) <= ?"
            found = self._disk.execute(ask, (number, MOST_RECORD)).fetchone()
        return None if found is None else str(found[0])

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError, RecursionError) as error:
            why = " ".join(str(error).split())
            raise StoreError(
                f"league {self._path}: {why}: name a file of a league that may be written"
            ) from None


def _kept(number: int, at: str, game: str, players: str, ranks: str, disputed: int) -> LeagueMatch:
    """Return a stored match. Raise ValueError for a row that no league has written."""
    names = msgspec.json.decode(players, type=_Players)
    by_seat = msgspec.json.decode(ranks, type=_Ranks)
    whole = isinstance(at, str) and game in RULES and len({*names}) == len(names)
    whole = whole and (by_seat is None or len(by_seat) == len(names))
    if not whole or not all(map(is_readable, names)):
        raise ValueError(f"match {number} is none of a league")
    return LeagueMatch(number, at, game, names, by_seat, bool(disputed))
