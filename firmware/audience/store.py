"""What a league keeps: one SQLite file, one transaction for each result.

``told`` has every result as a seat told it, once; ``matches`` every match that held, in the order
in which they came. A match is named by its number and by the keys that its players sign with, for
anybody may write under a table's tag. A match of which those keys signed different stories is
disputed, and stays so.
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
"""A file of before knows no keys: those of a table are named by its tag."""
MOST_RECORD = 1 << 20
"""A match has some 100 kB; nothing longer is read."""
_Players = Annotated[tuple[str, ...], msgspec.Meta(min_length=2, max_length=16)]
_Ranks = tuple[Annotated[int, msgspec.Meta(ge=1, le=16)], ...] | None


class StoreError(Exception):
    """The file of a league cannot be used; the text is one line that says what to do."""


class Kept(NamedTuple):
    """A match that held.

    Attributes:
        number: in the order in which they came, from 1.
        at: when it came, as ISO 8601 has it.
        game: its name.
        players: by seat.
        ranks: by seat, how well everybody did, 1 for best; None for a match that nobody lost.
        disputed: its seats tell different stories of it.
        apart: its players' keys are not those of its table: the first ones, or those named.
    """

    number: int
    at: str
    game: str
    players: tuple[str, ...]
    ranks: tuple[int, ...] | None
    disputed: bool = False
    apart: bool = False


class Source(NamedTuple):
    """Who told of what: a table's tag, the number of its match, the seat that told, its keys."""

    tag: str
    match: int
    seat: int
    keys: str = ""


class Store:
    """The file of a league. ``path`` is made if need be.

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
        """What others had written when `is_changed` was asked last, as SQLite counts it."""

    def close(self) -> None:
        """Close the file."""
        self._disk.close()

    def is_changed(self) -> bool:
        """Whether another program has written to the file since this was asked last."""
        with self._complaining():
            (now,) = self._disk.execute("PRAGMA data_version").fetchone()
        before, self._seen = self._seen, now
        return bool(now != before)

    def told(self, source: Source) -> str | None:
        """The digest of what a seat has told of a match; None where it has not."""
        ask = "SELECT digest FROM told WHERE tag = ? AND match = ? AND seat = ? AND keys = ?"
        return self._text(ask, source)

    def digest(self, source: Source) -> str | None:
        """The digest of a match as it is kept, whoever told it; None where it is not."""
        ask = "SELECT digest FROM matches WHERE keys = ? AND match = ?"
        return self._text(ask, (source.keys, source.match))

    def is_elsewhere(self, source: Source, digest: str) -> bool:
        """Whether another table, another match of it, or other keys have the very same entries."""
        ask = (
            "SELECT tag FROM matches WHERE digest = ? AND NOT (tag = ? AND match = ? AND keys = ?)"
        )
        return self._text(ask, (digest, source.tag, source.match, source.keys)) is not None

    def keys(self, tag: str) -> str | None:
        """The keys of the first match of a table; None before there is one."""
        return self._text("SELECT keys FROM matches WHERE tag = ? ORDER BY id LIMIT 1", (tag,))

    def _text(self, ask: str, of: tuple[object, ...]) -> str | None:
        with self._complaining():
            found = self._disk.execute(ask, of).fetchone()
        return None if found is None else str(found[0])

    def keep(self, source: Source, digest: str, match: Kept, record: str) -> None:
        """Keep what a seat told; where the same keys signed otherwise, the match is disputed.

        ``record`` as ``game.record.write`` has it, without covered dice. The number of ``match`` is
        not asked for.
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

    def matches(self, named: Mapping[str, str]) -> list[Kept]:
        """All matches, in the order in which they came; ``named``: the keys of tables by tag."""
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
        """The record of a match by its number; None where there is none."""
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
                f"league {self._path}: {why}: name a file of a league that may be written, with "
                "--file"
            ) from None


def _kept(number: int, at: str, game: str, players: str, ranks: str, disputed: int) -> Kept:
    """A match as it is kept. Raises ValueError for what no league has written."""
    names = msgspec.json.decode(players, type=_Players)
    by_seat = msgspec.json.decode(ranks, type=_Ranks)
    whole = isinstance(at, str) and game in RULES and len({*names}) == len(names)
    whole = whole and (by_seat is None or len(by_seat) == len(names))
    if not whole or not all(map(is_readable, names)):
        raise ValueError(f"match {number} is none of a league")
    return Kept(number, at, game, names, by_seat, bool(disputed))
