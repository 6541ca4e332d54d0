"""What a league keeps: one SQLite file, one transaction for each result.

``told`` has every result as a seat told it, once; ``matches`` every match that held, in the order
in which they came. A match of which its seats tell different stories is disputed, and stays so.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

VERSION = 1
_TABLES = """
CREATE TABLE told (
    tag TEXT NOT NULL, match INTEGER NOT NULL, seat INTEGER NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (tag, match, seat)
);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY, tag TEXT NOT NULL, match INTEGER NOT NULL, digest TEXT NOT NULL,
    at TEXT NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL, ranks TEXT NOT NULL,
    record TEXT NOT NULL, disputed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tag, match)
);
"""


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
    """

    number: int
    at: str
    game: str
    players: tuple[str, ...]
    ranks: tuple[int, ...] | None
    disputed: bool = False


class Source(NamedTuple):
    """Who told of what: a table's tag, the number of its match, and the seat that told."""

    tag: str
    match: int
    seat: int


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
            if version not in (0, VERSION):
                raise StoreError(f"league {path}: of version {version}: name another file")
            if version == 0:
                self._disk.executescript(
                    f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;"
                )
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
        ask = "SELECT digest FROM told WHERE tag = ? AND match = ? AND seat = ?"
        return self._digest(ask, source)

    def digest(self, source: Source) -> str | None:
        """The digest of a match as it is kept, whoever told it; None where it is not."""
        ask = "SELECT digest FROM matches WHERE tag = ? AND match = ?"
        return self._digest(ask, source[:2])

    def is_elsewhere(self, source: Source, digest: str) -> bool:
        """Whether another table, or another match of it, has told the very same entries."""
        with self._complaining():
            ask = "SELECT 1 FROM matches WHERE digest = ? AND NOT (tag = ? AND match = ?)"
            return self._disk.execute(ask, (digest, *source[:2])).fetchone() is not None

    def _digest(self, ask: str, of: tuple[object, ...]) -> str | None:
        with self._complaining():
            found = self._disk.execute(ask, of).fetchone()
        return None if found is None else str(found[0])

    def keep(self, source: Source, digest: str, match: Kept, record: str) -> None:
        """Keep what a seat told; where another told otherwise, the match is disputed.

        ``record`` as ``game.record.write`` has it, without covered dice. The number of ``match`` is
        not asked for.
        """
        tag, number, seat = source
        with self._complaining(), self._disk:
            self._disk.execute("BEGIN IMMEDIATE")
            told = (tag, number, seat, digest)
            self._disk.execute("INSERT OR IGNORE INTO told VALUES (?, ?, ?, ?)", told)
            self._disk.execute(
                "INSERT INTO matches (tag, match, digest, at, game, players, ranks, record) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET disputed = disputed OR digest != excluded.digest",
                (
                    tag, number, digest, match.at, match.game, json.dumps(match.players),
                    json.dumps(match.ranks), record,
                ),
            )  # fmt: skip

    def matches(self) -> list[Kept]:
        """All matches, in the order in which they came."""
        with self._complaining():
            rows = self._disk.execute(
                "SELECT id, at, game, players, ranks, disputed FROM matches ORDER BY id"
            ).fetchall()
        return [_kept(*row) for row in rows]

    def record(self, number: int) -> str | None:
        """The record of a match by its number; None where there is none."""
        with self._complaining():
            ask = "SELECT record FROM matches WHERE id = ?"
            found = self._disk.execute(ask, (number,)).fetchone()
        return None if found is None else str(found[0])

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                f"league {self._path}: {error}: name a file of a league that may be written, with "
                "--file"
            ) from None


def _kept(number: int, at: str, game: str, players: str, ranks: str, disputed: int) -> Kept:
    by_seat = json.loads(ranks)
    ranked = None if by_seat is None else tuple(by_seat)
    return Kept(number, at, game, tuple(json.loads(players)), ranked, bool(disputed))
