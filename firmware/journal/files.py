"""Files that are written as a whole, and never in place of a device, a pipe or a link."""

import os
from contextlib import suppress
from errno import EACCES, EISDIR, ENXIO, EPERM
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_IRGRP, S_ISBLK, S_ISDIR, S_ISREG


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
