"""The memory of a handheld over a power loss: one SQLite file, one transaction a write.

These keys are written; several seats can share one journal.

============  =====================================================================================
key           bytes
============  =====================================================================================
mark          how far the journal itself is: ``Mark.encode``; not among what survives
device        the six bytes that name this handheld to others, where it has made them up
volume        the volume that the player chose last: one byte, 0 (silence) to 3
rules         the player's own house rules: ``packed`` of ``firmware.lobby.choices``; empty for none
table         the standing table: ``StandingTable.encode``; empty where it was forgotten
one handheld  the match on this handheld alone: ``OneHandheld.encode``; empty for none
seat          whose match it is: the table's number, two bytes, and the seat
cup           where the cup is: ``Cup.encode``
votes         the votes for new epochs that are known, 81 bytes each: ``packed_votes``
learning      1 while entries of the log may be ones that this epoch began without, else 0
fair          the own part in fair dice: ``CommitterState.encode``
caught        who was caught: accuser, accused and charge, a byte each; empty for nobody
lost          1 if this handheld has lost its memory of the match, else 0
============  =====================================================================================

From ``seat`` on they are the state of one seat (``firmware.table.seat.memory``). If several seats
share one journal, a space and the seat's number follow each of these (``SharedJournal``).

Other files are written here as a whole, and never in place of a device, a pipe or a link.

May import: nothing of ours. Then read ``sqlite``. ``firmware.device.open`` resumes a match from it.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from errno import EACCES, EISDIR, ENXIO, EPERM
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_IRGRP, S_ISBLK, S_ISDIR, S_ISREG
from typing import Final, NamedTuple, Self

MARK_KEY: Final = "mark"
DEVICE_KEY: Final = "device"
VOLUME_KEY: Final = "volume"
RULES_KEY: Final = "rules"
TABLE_KEY: Final = "table"
ONE_HANDHELD_KEY: Final = "one handheld"
SEAT_KEY: Final = "seat"
CUP_KEY: Final = "cup"
VOTES_KEY: Final = "votes"
LEARNING_KEY: Final = "learning"
FAIR_KEY: Final = "fair"
CAUGHT_KEY: Final = "caught"
LOST_KEY: Final = "lost"


class Put(NamedTuple):
    """Keep ``value`` under ``key``, instead of an older one."""

    key: str
    value: bytes

    def __repr__(self) -> str:
        """Return the text for logs: dice and keys are among the values."""
        return f"Put({self.key!r}, {len(self.value)} bytes)"


class Append(NamedTuple):
    """Append an entry to the log of the current match. ``place`` counts from 0, without a gap."""

    place: int
    entry: bytes

    def __repr__(self) -> str:
        """Return the text for logs: an entry may have covered dice."""
        return f"Append({self.place}, {len(self.entry)} bytes)"


class BeginLog(NamedTuple):
    """Begin the log of a new match, with its header. Older logs stay."""

    header: bytes


class Cut(NamedTuple):
    """Delete the entries of the current match from ``place`` on, where a new epoch begins."""

    place: int


Write = Put | Append | BeginLog | Cut


class Survived(NamedTuple):
    """The contents of a journal when it is opened.

    ``state`` by key (``firmware.journal``); the current match's ``number`` (from 1; 0 before
    the first), ``header`` (None before the first) and ``entries`` in order.
    """

    state: dict[str, bytes]
    number: int
    header: bytes | None
    entries: tuple[bytes, ...]

    def __repr__(self) -> str:
        """Return the text for logs: the keys alone, and the number of entries."""
        return f"Survived({sorted(self.state)}, match {self.number}, {len(self.entries)} entries)"

    @classmethod
    def nothing(cls) -> Self:
        """Return the contents of a new journal."""
        return cls({}, 0, None, ())

    def after(self, item: Write) -> Self:
        """Return the contents after another write; this object stays unchanged.

        Raises:
            ValueError: an entry is not the next one of the current match.
        """
        match item:
            case Put(key, value):
                return self._replace(state={**self.state, key: value})
            case BeginLog(header):
                return self._replace(number=self.number + 1, header=header, entries=())
            case Append(place, entry):
                if self.number == 0 or place != len(self.entries):
                    raise ValueError(f"entry {place} is not the next one, {len(self.entries)}")
                return self._replace(entries=(*self.entries, entry))
            case Cut(place):
                return self._replace(entries=self.entries[:place])


class SharedJournal:
    """Merges the writes of all seats of one handheld into one journal.

    Args:
        entries: number of entries in the log of the current match.
    """

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._batch: list[Write] = []

    def add(self, seat: int, batch: Iterable[Write]) -> None:
        """Add a seat's batch: each Put under "key seat", each Append that is the next entry.

        A BeginLog counts only from seat 0 and before the first entry. The acting seat must write
        its entry first: only its copy has the dice.
        """
        for write in batch:
            match write:
                case Put(key, value):
                    self._batch.append(Put(f"{key} {seat}", value))
                case Append(place) if place == self._entries:
                    self._entries += 1
                    self._batch.append(write)
                case BeginLog() if self._entries == seat == 0:
                    self._batch.append(write)
                case _:
                    pass

    def take(self) -> tuple[Write, ...]:
        """Return what was added since the last call, for one ``Journal.write``; may be empty."""
        batch, self._batch = tuple(self._batch), []
        return batch


def state_of_seat(state: Mapping[str, bytes], seat: int) -> dict[str, bytes]:
    """Return the state of ``seat``, by key without its number; empty if it stored nothing."""
    end = f" {seat}"
    return {key.removesuffix(end): value for key, value in state.items() if key.endswith(end)}


def who_may_read(path: Path) -> str:
    """Return who owns a path that this process may not read, and what its user has to do.

    The owner is that of the path, or of the nearest folder above it that can be seen.
    """
    seen = next(at for at in (path, *path.absolute().parents) if os.access(at, os.F_OK))
    status = seen.stat()
    if status.st_uid == os.geteuid():
        return f"{seen} is yours: chmod u+rX {seen}"
    try:
        owner, group = seen.owner(), seen.group()
    except KeyError:  # nobody here has these numbers
        owner = group = f"'#{status.st_uid}'"
    is_user = os.path.expanduser(f"~{group}") != f"~{group}"
    reader = group if status.st_mode & S_IRGRP and is_user else owner
    return f"{seen} belongs to {owner}:{group}: put sudo -u {reader} before the command"


def target_of(path: Path) -> Path | None:
    """Return the file that `write_file` replaces; None if it writes into what is there.

    Nothing is written.

    Raises:
        OSError: it cannot be written, as far as that is known before.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        target = path.resolve()  # of a link whose target is missing
    else:
        if S_ISDIR(status.st_mode):
            raise _error(EISDIR)
        if S_ISBLK(status.st_mode):
            raise _error(EPERM)  # a disk
        if not os.access(path, os.W_OK):
            raise _error(EACCES)
        if not S_ISREG(status.st_mode) or _own_output(status) is not None:
            return None
        target = path.resolve()
    target.parent.stat()
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise _error(EACCES)
    return target


def write_file(path: Path, data: bytes | str, mode: int = 0o666) -> None:
    """Write a file as a whole, or leave the one that is there as it was.

    A link stays, and its target is written. A file that is there keeps its mode and its owner. A
    device, a pipe, or the output of this process is written into.

    Args:
        path: the file.
        data: the contents; text is written as UTF-8.
        mode: the permissions of a new file, less the umask.

    Raises:
        OSError: it cannot be written. A folder, a disk, a socket, and a pipe that nobody reads are
            refused.
    """
    whole = data.encode() if isinstance(data, str) else data
    target = target_of(path)
    if target is None:
        _write_into(path, whole)
        return
    draft = target.with_name(f".{token_hex(8)}.new")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(whole)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            _keep(target.stat(), draft)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _keep(before: os.stat_result, draft: Path) -> None:
    """Give a draft the owner and the mode of the file that it replaces."""
    made = draft.stat()
    if (made.st_uid, made.st_gid) != (before.st_uid, before.st_gid):
        os.chown(draft, before.st_uid, before.st_gid)
    if made.st_mode != before.st_mode:
        draft.chmod(S_IMODE(before.st_mode))


def _write_into(path: Path, data: bytes) -> None:
    own = _own_output(path.stat())
    if own is not None:
        into = os.dup(own)
    else:
        try:  # without O_NONBLOCK a pipe would wait for a reader
            into = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        except OSError as error:
            if error.errno == ENXIO:
                raise OSError(ENXIO, "nobody reads it") from None
            raise
        os.set_blocking(into, True)
    with open(into, "wb", buffering=0) as file:
        while data:
            data = data[file.write(data) :]


def _own_output(status: os.stat_result) -> int | None:
    """Return 1 or 2 if a file is this process's output or error, as ``/dev/stdout`` is; or None."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if os.path.samestat(status, os.fstat(descriptor)):
                return descriptor
    return None


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
