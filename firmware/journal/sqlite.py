"""What a handheld keeps over a loss of power: one SQLite file, one transaction per write.

A write is on the disk when ``write`` returns (``synchronous = FULL``), or it is not there at all.
The file is in write-ahead mode: a commit is one append and one fsync to the ``-wal`` file beside,
where a rollback journal takes three or four, and a torn append is recognised by its checksum and
left out. The file is locked for as long as it is open: no second program can play the same cup.

Every value carries a CRC-32. A file that has been changed or damaged is refused: a handheld that
remembers wrongly could bring a second cup.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Self
from zlib import crc32

from firmware.journal.writes import Append, Begin, Cut, Put, Survived, Write

APPLICATION_ID = 0x4D41_4558
"""Marks the file as a journal: "MAEX"."""
VERSION = 1

_TABLES = """
CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE match (number INTEGER PRIMARY KEY, header BLOB NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE entry (
    match INTEGER NOT NULL REFERENCES match, place INTEGER NOT NULL,
    entry BLOB NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY (match, place)
) WITHOUT ROWID;
"""


class JournalError(Exception):
    """The journal cannot be used, or a write did not happen. One line that says what to do.

    ``damaged``: a check failed and the file is of no use; else it may work when tried again.
    """

    def __init__(self, problem: str, *, damaged: bool = False) -> None:
        super().__init__(problem)
        self.damaged = damaged


class Journal:
    """A journal, open and locked. Its calls block for as long as the disk takes.

    ``write`` and ``close`` wait for each other, from any thread.

    Args:
        path: the file; it is made if it does not exist, its folder is not.

    Raises:
        JournalError: the file or folder cannot be used, or the file is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._busy = Lock()
        self._database: sqlite3.Connection | None = None
        with self._explained():
            self._database = sqlite3.connect(
                path, isolation_level=None, timeout=0, check_same_thread=False
            )
        try:
            with self._explained():
                self._set_up()
                survived = self._read(self._count())
        except JournalError:
            self.close()
            raise
        self.survived: Survived = survived
        """What was there when it was opened."""
        self._number = survived.number
        self._place = len(survived.entries)

    def write(self, batch: tuple[Write, ...]) -> None:
        """Write a batch, in order, as one transaction. It is on the disk when this returns.

        Raises:
            JournalError: nothing of it was written; what was there before is unchanged.
            ValueError: an entry is not the next one of the current match; nothing was written.
        """
        number, place = self._number, self._place
        with self._busy, self._explained(), self._transaction() as database:
            for item in batch:
                match item:
                    case Put(key, value):
                        database.execute(
                            "INSERT OR REPLACE INTO state VALUES (?, ?, ?)",
                            (key, value, crc32(value, crc32(key.encode()))),
                        )
                    case Begin(header):
                        number, place = number + 1, 0
                        database.execute(
                            "INSERT INTO match VALUES (?, ?, ?)", (number, header, crc32(header))
                        )
                    case Append(at, entry):
                        if number == 0 or at != place:
                            raise ValueError(f"entry {at} is not the next one, {place}")
                        database.execute(
                            "INSERT INTO entry VALUES (?, ?, ?, ?)",
                            (number, place, entry, crc32(entry)),
                        )
                        place += 1
                    case Cut(at):
                        database.execute(
                            "DELETE FROM entry WHERE match = ? AND place >= ?", (number, at)
                        )
                        place = min(place, at)
        self._number, self._place = number, place

    def matches(self) -> tuple[tuple[int, bytes], ...]:
        """Return number (from 1) and header of every match, oldest first.

        Raises:
            JournalError: the file cannot be read, or a header fails its CRC.
        """
        with self._explained():
            return tuple(
                (number, self._checked(header, crc))
                for number, header, crc in self._open.execute("SELECT * FROM match ORDER BY number")
            )

    def entries(self, number: int) -> tuple[bytes, ...]:
        """Return the entries of a match in order; empty where there is no such match.

        Raises:
            JournalError: the file cannot be read, or an entry is missing or fails its CRC.
        """
        with self._explained():
            return self._entries(number)

    def close(self) -> None:
        """Close the file once a running write has ended; closing twice does nothing more."""
        with self._busy:
            if self._database is not None:
                self._database.close()
                self._database = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            raise JournalError(f"journal {self.path}: it is closed")
        return self._database

    def _set_up(self) -> None:
        database = self._open
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        if database.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise JournalError(
                f"journal {self.path}: this disk keeps no write-ahead log: choose another path"
            )
        database.execute("PRAGMA synchronous = FULL")
        with self._transaction():
            (application,) = database.execute("PRAGMA application_id").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if (application, version, tables) == (0, 0, 0):
                for statement in _TABLES.split(";"):
                    database.execute(statement)
                database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                database.execute(f"PRAGMA user_version = {VERSION}")
            elif application != APPLICATION_ID:
                raise JournalError(
                    f"journal {self.path}: this is another program's file: choose another path"
                )
            elif version != VERSION:
                raise JournalError(
                    f"journal {self.path}: version {version}, this program writes {VERSION}: "
                    "move the file away, or use the program that wrote it"
                )
        if database.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise self._damaged()

    def _count(self) -> int:
        (number,) = self._open.execute("SELECT coalesce(max(number), 0) FROM match").fetchone()
        return int(number)

    def _read(self, number: int) -> Survived:
        database = self._open
        state = {
            key: self._checked(value, crc, key.encode())
            for key, value, crc in database.execute("SELECT * FROM state ORDER BY key")
        }
        found = database.execute("SELECT header, crc FROM match WHERE number = ?", (number,))
        header = next((self._checked(header, crc) for header, crc in found), None)
        return Survived(state, number, header, self._entries(number))

    def _entries(self, number: int) -> tuple[bytes, ...]:
        rows = self._open.execute(
            "SELECT place, entry, crc FROM entry WHERE match = ? ORDER BY place", (number,)
        ).fetchall()
        if [place for place, _, _ in rows] != list(range(len(rows))):
            raise self._damaged()
        return tuple(self._checked(entry, crc) for _, entry, crc in rows)

    def _checked(self, value: bytes, crc: int, key: bytes = b"") -> bytes:
        if crc32(value, crc32(key)) != crc:
            raise self._damaged()
        return value

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        database = self._open
        database.execute("BEGIN IMMEDIATE")
        try:
            yield database
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(error) from error

    def _damaged(self) -> JournalError:
        return JournalError(
            f"journal {self.path}: the file is damaged: move it away, raise table.epoch at every "
            "seat and join the table anew",
            damaged=True,
        )

    def _error(self, error: sqlite3.Error) -> JournalError:
        # The low byte of an extended code is the primary one.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return self._damaged()
        advice = _ADVICE.get(code, "check the disk")
        return JournalError(f"journal {self.path}: {advice} ({error})")


_ADVICE = {
    sqlite3.SQLITE_FULL: "disk is full: free some space, nothing was lost",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check that its folder exists and may be written to",
    sqlite3.SQLITE_READONLY: "may not be written to: check the rights of the file and its folder",
    sqlite3.SQLITE_BUSY: "another program has it open: end that one first",
    sqlite3.SQLITE_IOERR: "the disk does not answer as it should: check it, nothing was lost",
}
