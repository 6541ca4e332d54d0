"""A count of a journal's writes, kept outside it: a journal alone can go back in time.

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
"""

import os
import struct
from pathlib import Path
from typing import NamedTuple, Self
from zlib import crc32

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
