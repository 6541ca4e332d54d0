"""A session as it was played: the commands to the handhelds, with their virtual times.

One JSON object per line. The first one holds the setup and the journals at the beginning. Every
command follows as ``[t_us, seat, kind, values]`` (`hw_sim.live.world.commands`). On request a line
holds the time and the digest of all traffic on buses, panels and air until then. The last line
holds the end. A replay is the same to the byte. The file is written during play, so a table that
runs for days keeps none of it in memory.
"""

import base64
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from firmware.cli.console import CommandError, because
from hw_sim.live.world import stored_files
from hw_sim.live.world.commands import Command, SetFault, decode, encode

MOST_BYTES = 64 * 1024 * 1024
"""No session is longer, nor lasts longer than `kept.MOST_US`: what is done then is not kept."""
CUTS = ("brownout", "battery")
"""The faults after which a handheld starts anew."""
ENDS = ("", "-wal", "-count")
"""The endings of the names of a journal's files."""
_log = logging.getLogger(__name__)


class Stimulus(NamedTuple):
    """A command and the virtual time in µs at which it was done."""

    t_us: int
    command: Command


class SessionRecorder:
    """Writes a session as it is played.

    Args:
        path: its file, which is begun anew.
        setup: what was set up, as JSON.
        journals: those it begins with, by file name.

    If the disk takes no more writes, a warning says so once; the file then ends with its last whole
    line.
    """

    def __init__(self, path: Path, setup: dict[str, Any], journals: dict[str, bytes]) -> None:
        self.path = path
        self._file: FileIO | None = None
        self._size = 0
        files = {name: base64.b64encode(data).decode() for name, data in journals.items()}
        head = {"format": stored_files.FORMAT, "setup": setup, "journals": files}
        try:
            path.touch(mode=0o600)
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            self._give_up(because(error))
        self._write(json.dumps(head, sort_keys=True))

    @property
    def is_open(self) -> bool:
        """Whether what is done is still kept."""
        return self._file is not None

    def add(self, t_us: int, command: Command) -> None:
        """Add a command at its virtual time in µs."""
        self._write(json.dumps((t_us, *encode(command))), t_us)

    def mark(self, t_us: int, digest: str) -> None:
        """Add the digest of everything at a virtual time in µs."""
        self._write(json.dumps([t_us, stored_files.NO_SEAT, stored_files.END, [digest]]), t_us)

    def close(self) -> None:
        """Write nothing more."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: str, t_us: int = 0) -> None:
        if self._file is None:
            return
        data = f"{line}\n".encode()
        if self._size + len(data) > MOST_BYTES or t_us > stored_files.MOST_US:
            self._give_up("it is as long as a session may be")
            return
        try:
            written = self._file.write(data)
            why = "" if written == len(data) else "there is no room for a whole line"
        except OSError as error:
            why = because(error)
        if why:
            with suppress(OSError):
                self._file.truncate(self._size)
            self._give_up(why)
        else:
            self._size += len(data)

    def _give_up(self, why: str) -> None:
        _log.warning("session %s: %s: what hands do from here on is not kept", self.path, why)
        self.close()
        if not self._size:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class RecordedSession:
    """A session that was kept: its file, its set-up as JSON, its journals by file name.

    ``count`` is how many stimuli it has, ``cuts`` how many of them take or give power. ``digest``
    is the world's at ``end_us``, empty where that is not known.
    """

    path: Path
    setup: dict[str, Any]
    journals: dict[str, bytes]
    count: int
    end_us: int
    digest: str
    cuts: int = 0

    def stimuli(self) -> Iterator[Stimulus]:
        """Its stimuli, read from the file one by one.

        Raises:
            CommandError: as `load` does.
        """
        for t_us, what in _lines(self.path):
            if not isinstance(what, str):
                yield Stimulus(t_us, what)

    def unpack(self, folder: Path) -> None:
        """Write the journals that it began with into a folder that exists."""
        for name, data in self.journals.items():
            (folder / name).write_bytes(data)


def journals_in(folder: Path, seats: int) -> dict[str, bytes]:
    """The bytes of the journals in a folder by file name, with what lies beside them."""
    names = [f"seat{seat}.sqlite{end}" for seat in range(seats) for end in ENDS]
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}


def load(path: Path) -> RecordedSession:
    """Read a session from a file, and all its lines once.

    Raises:
        CommandError: it cannot be read or is none.
    """
    with _complaining(path):
        if path.stat().st_size > MOST_BYTES:
            raise CommandError(f"session {path}: too long for a session: give another file")
        with path.open("rb") as file:
            head = stored_files.head_decoder.decode(file.readline(MOST_BYTES))
    setup = head.setup
    if setup.get("broker") is not None or setup.get("here") is not None:
        raise CommandError(f"session {path}: what others did elsewhere is in no session")
    count = cuts = end_us = 0
    digest = ""
    for t_us, what in _lines(path):
        end_us = max(end_us, t_us)
        digest = what if isinstance(what, str) else ""
        count += not isinstance(what, str)
        cuts += isinstance(what, SetFault) and what.fault in CUTS
    return RecordedSession(path, setup, head.journals, count, end_us, digest, cuts)


def _lines(path: Path) -> Iterator[tuple[int, Command | str]]:
    """All that follows the head: a time in µs, and a command, or the digest of a mark."""
    before_us = 0
    with _complaining(path), path.open("rb") as file:
        file.readline()
        for line in file:
            try:
                t_us, seat, kind, values = stored_files.line_decoder.decode(line)
            except msgspec.ValidationError:
                raise
            except msgspec.DecodeError:
                if line.endswith(b"\n"):
                    raise
                return  # the table was killed while it wrote this
            if t_us < before_us:
                raise ValueError("time runs back")
            before_us = t_us
            if kind == stored_files.END:
                yield t_us, str(values[0]) if values else ""
            else:
                yield t_us, decode(seat, kind, values)


@contextmanager
def _complaining(path: Path) -> Iterator[None]:
    try:
        yield
    except (msgspec.DecodeError, ValueError, LookupError, TypeError, RecursionError):
        raise CommandError(
            f"session {path}: no session of a table: give a file that the table has kept"
        ) from None
    except OSError as error:
        raise CommandError(f"session {path}: {because(error)}: name a file to read") from None
