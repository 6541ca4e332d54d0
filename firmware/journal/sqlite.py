"""The journal as a SQLite file: one transaction per write, safe over a power loss.

SQLite takes a write-ahead log that was cut, damaged or lost for one that ends there. This module
therefore counts every write, after it is on the disk and before anything that depends on it leaves.
A power cut in between leaves the journal one write ahead of its counter, with nothing sent since.

The file, ``-count`` beside the journal, has two slots, 4096 bytes apart, that are written in turn:
a torn write of one leaves the other.

======  =====  =====================================================
offset  bytes  field
======  =====  =====================================================
0       8      which journal: drawn when it was made
8       8      its writes so far, big-endian, from 1
16      16     digest of what it holds then (BLAKE2b)
32      4      CRC-32 of these, big-endian
======  =====  =====================================================

A write is on the disk when ``write`` returns (``synchronous = FULL``), or it is not there at all.
The file is in write-ahead mode. A commit is one append and one fsync to the ``-wal`` file beside
it; a rollback journal takes three or four. A checksum reveals a torn append, which is left out. The
open file is locked: no second program can play the same cup.

A journal that has been changed or damaged, or has lost some of its writes, is refused: a handheld
that remembers wrongly could bring a second cup. Every value carries a CRC-32. Each write also
stores a `Mark` (number of writes, digest of all contents): within the transaction and, once that is
on the disk, in the counter beside the file. The contents must match the first mark and be no older
than the second (``firmware.journal.sqlite``).

All numbers of the two files are chosen.
"""

import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Self
from zlib import crc32

from firmware.journal import MARK_KEY, Append, BeginLog, Cut, Put, Survived, Write

NAME_BYTES = 8
DIGEST_BYTES = 16
_MARK = struct.Struct(f">{NAME_BYTES}sQ{DIGEST_BYTES}s")
_CRC = struct.Struct(">I")
_SLOT_BYTES = 4096


class Mark(NamedTuple):
    """The state of a journal: ``name``, number of ``writes``, ``digest`` of its contents."""

    name: bytes
    writes: int
    digest: bytes

    def encode(self) -> bytes:
        """Return the 32 bytes of the mark."""
        return _MARK.pack(*self)

    @classmethod
    def decode(cls, data: bytes) -> Self | None:
        """Read what ``encode`` wrote; None for bytes of another length."""
        return cls(*_MARK.unpack(data)) if len(data) == _MARK.size else None


class Counter:
    """The counter of one journal; its calls block for as long as the disk takes.

    Attributes:
        exists: whether there was a file when it was read.
        mark: its content then; None without a whole slot.

    Args:
        path: the file; it is made by the first ``write``.
    """

    def __init__(self, path: Path) -> None:
        self.exists = False
        self.mark: Mark | None = None
        self._path = path
        self._file: int | None = None

    def read(self) -> None:
        """Read the file before the first ``write``; no file equals one without whole slots.

        Raises:
            OSError: it is there, but cannot be read.
        """
        self.exists = self._path.exists()
        if self.exists:
            self.mark = _newest(self._path.read_bytes())

    def write(self, mark: Mark) -> None:
        """Count a write. The count is on the disk on return.

        Raises:
            OSError: the count may be on the disk or not.
        """
        if self._file is None:
            self._file = self._opened()
        data = mark.encode()
        slot = data + _CRC.pack(crc32(data))
        os.pwrite(self._file, slot, mark.writes % 2 * _SLOT_BYTES)
        os.fdatasync(self._file)

    def close(self) -> None:
        """Close the file; closing twice does nothing more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _opened(self) -> int:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        if not self.exists:
            os.pwrite(file, bytes(2 * _SLOT_BYTES), 0)  # no later write needs room on the disk
            os.fsync(file)
            folder = os.open(self._path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return file


def _newest(data: bytes) -> Mark | None:
    """Return the whole slot with the most writes."""
    marks = (_whole(data[at : at + _SLOT_BYTES]) for at in (0, _SLOT_BYTES))
    return max((mark for mark in marks if mark), key=lambda mark: mark.writes, default=None)


def _whole(slot: bytes) -> Mark | None:
    data, crc = slot[: _MARK.size], slot[_MARK.size : _MARK.size + _CRC.size]
    return Mark.decode(data) if crc == _CRC.pack(crc32(data)) else None


APPLICATION_ID = 0x4D41_4558
"""Marks the file as a journal: "MAEX"."""
VERSION = 2
"""The version of the file's tables."""
_PAGE_BYTES = 1024
"""Small pages wear the card less, since a write changes only a few values."""

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

    ``damaged``: a check failed and the file is useless; else another try may work.
    """

    def __init__(self, problem: str, *, damaged: bool = False) -> None:
        super().__init__(problem)
        self.damaged = damaged


class Journal:
    """An open and locked journal. Its calls block for as long as the disk takes.

    ``write`` and ``close`` wait for each other, from any thread.

    Attributes:
        survived: its contents when it was opened.

    Args:
        path: the file; it is created if needed, its folder is not.

    Raises:
        JournalError: the file or folder cannot be used, or the file is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._busy = Lock()
        self._database: sqlite3.Connection | None = None
        self._counter = Counter(path.with_name(path.name + "-count"))
        with self._explained():
            self._database = sqlite3.connect(
                path, isolation_level=None, timeout=0, check_same_thread=False
            )
        try:
            with self._explained():
                self._set_up()
                self.survived, self._mark = self._read()
            self._now = self.survived
            self.write(())  # what can be read, but not written, is to be known now
        except JournalError:
            self.close()
            raise
        except (TypeError, UnicodeError):  # of values that are none of ours, and of a bent schema
            self.close()
            raise self._damaged() from None

    @property
    def length(self) -> int:
        """Number of entries of the current match on the disk."""
        return len(self._now.entries)

    def write(self, batch: tuple[Write, ...]) -> None:
        """Write a batch, in order, as one transaction. It is on the disk on return.

        Raises:
            JournalError: nothing of it was written; what was there before is unchanged.
            ValueError: an entry is not the next one of the current match; nothing was written.
        """
        now = self._now
        with self._busy, self._explained():
            with self._transaction():
                for item in batch:
                    now = now.after(item)
                    self._execute(item, now.number)
                mark = Mark(self._mark.name, self._mark.writes + 1, _digest(now))
                self._execute(Put(MARK_KEY, mark.encode()), now.number)
            self._now, self._mark = now, mark
            self._count(mark)

    def _execute(self, item: Write, number: int) -> None:
        """Write one item. ``number`` is that of the current match with it."""
        database = self._open
        match item:
            case Put(key, value):
                database.execute(
                    "INSERT OR REPLACE INTO state VALUES (?, ?, ?)",
                    (key, value, crc32(value, crc32(key.encode()))),
                )
            case BeginLog(header):
                database.execute(
                    "INSERT INTO match VALUES (?, ?, ?)", (number, header, crc32(header))
                )
            case Append(place, entry):
                database.execute(
                    "INSERT INTO entry VALUES (?, ?, ?, ?)", (number, place, entry, crc32(entry))
                )
            case Cut(place):
                database.execute(
                    "DELETE FROM entry WHERE match = ? AND place >= ?", (number, place)
                )

    def _count(self, mark: Mark) -> None:
        """Count a write that is on the disk. If that fails, every later write fails."""
        try:
            self._counter.write(mark)
        except OSError:
            self._shut()
            raise

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
        """Return the entries of a match in order; empty if there is no such match.

        Raises:
            JournalError: the file cannot be read, or an entry is missing or fails its CRC.
        """
        with self._explained():
            return self._entries(number)

    def close(self) -> None:
        """Close the file once a running write has ended; closing twice does nothing more."""
        with self._busy:
            self._shut()

    def _shut(self) -> None:
        self._counter.close()
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
        database.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        if database.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise JournalError(
                f"journal {self.path}: this disk keeps no write-ahead log: choose another path"
            )
        database.execute("PRAGMA synchronous = FULL")
        with self._transaction():  # locked from here on: nobody else counts any more
            self._counter.read()
            (application,) = database.execute("PRAGMA application_id").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if (application, version, tables) == (0, 0, 0):
                if self._counter.exists:
                    raise self._damaged()
                for statement in _TABLES.split(";"):
                    database.execute(statement)
                mark = Mark(os.urandom(NAME_BYTES), 1, _digest(Survived.nothing()))
                self._execute(Put(MARK_KEY, mark.encode()), 0)
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

    def _read(self) -> tuple[Survived, Mark]:
        database = self._open
        (number,) = database.execute("SELECT coalesce(max(number), 0) FROM match").fetchone()
        state = {
            key: self._checked(value, crc, key.encode())
            for key, value, crc in database.execute("SELECT * FROM state ORDER BY key")
        }
        found = database.execute("SELECT header, crc FROM match WHERE number = ?", (number,))
        header = next((self._checked(header, crc) for header, crc in found), None)
        mark = Mark.decode(state.pop(MARK_KEY, b""))
        survived = Survived(state, number, header, self._entries(number))
        if mark is None or mark.digest != _digest(survived) or not self._is_newest(mark):
            raise self._damaged()
        if self._counter.mark != mark:
            self._count(mark)
        return survived, mark

    def _is_newest(self, mark: Mark) -> bool:
        """Return whether a journal is exactly what its counter has seen, or one write ahead."""
        counted = self._counter.mark
        if counted is None:
            return mark.writes == 1
        return counted == mark or (counted.name, counted.writes) == (mark.name, mark.writes - 1)

    def _entries(self, number: int) -> tuple[bytes, ...]:
        rows = self._open.execute(
            "SELECT place, entry, crc FROM entry WHERE match = ? ORDER BY place", (number,)
        ).fetchall()
        if [place for place, _, _ in rows] != list(range(len(rows))):
            raise self._damaged()
        return tuple(self._checked(entry, crc) for _, entry, crc in rows)

    def _checked(self, value: bytes, crc: int, key: bytes = b"") -> bytes:
        if not isinstance(value, bytes) or crc32(value, crc32(key)) != crc:
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
        except OSError as error:
            raise JournalError(
                f"journal {self.path}: its counter {self.path.name}-count cannot be used "
                f"({error.strerror}): check the disk and the file's rights, and start again"
            ) from error

    def _damaged(self) -> JournalError:
        return JournalError(
            f"journal {self.path}: it is damaged, or older than what was played: move "
            f"{self.path.name}* away and start again; the others are asked to go on alone then",
            damaged=True,
        )

    def _error(self, error: sqlite3.Error) -> JournalError:
        # The low byte of an extended code is the primary one.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGE:
            return self._damaged()
        if code == sqlite3.SQLITE_IOERR and not os.access(self.path, os.W_OK):
            code = sqlite3.SQLITE_READONLY  # the lock of a file that can only be read fails first
        advice = _ADVICE.get(code, "check the disk")
        return JournalError(f"journal {self.path}: {advice} ({error})")


def _digest(contents: Survived) -> bytes:
    """Return a digest of all contents, each part with its length before it."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    state = (part for key in sorted(contents.state) for part in (key, contents.state[key]))
    for part in (
        contents.number,
        contents.header or b"",
        *contents.entries,
        len(contents.entries),
        *state,
    ):
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(data).to_bytes(4, "big") + data)
    return digest.digest()


_DAMAGE = (
    sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_MISMATCH,
)  # fmt: skip
_ADVICE = {
    sqlite3.SQLITE_FULL: "disk is full: free some space, nothing was lost",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check that its folder exists and may be written to",
    sqlite3.SQLITE_READONLY: "may not be written to: check the rights of the file and its folder, "
    "and whether the disk is read-only; nothing was lost",
    sqlite3.SQLITE_BUSY: "another program has it open: end that one first",
    sqlite3.SQLITE_IOERR: "the disk does not answer as it should: check it, nothing was lost",
}
