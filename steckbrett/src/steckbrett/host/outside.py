"""Files whose other end is outside the program: a peer, a child process, a pipe of somebody else.

An answer from outside comes in real time. While a thread waits for such a file, virtual time is
no faster than real time, for all threads; a run with such a peer cannot be repeated to the byte.
"""

import os
import select
import socket
import stat
import time
from collections.abc import Mapping
from typing import Any, Final

_OWN: Final = "/proc/self/fd"
_NET: Final = "/proc/self/net/"
_WITHOUT_PEER: Final = (7, 10)  # TCP_CLOSE, TCP_LISTEN (include/net/tcp_states.h)
_ANSWERS_ANYBODY: Final = ("0A", "07")  # in /proc: a listener, and UDP that is not connected
_WRITES: Final = os.O_WRONLY | os.O_RDWR
_fstat, _readlink, _listdir = os.fstat, os.readlink, os.listdir
_open, _monotonic_ns = open, time.monotonic_ns
_poll: Any = getattr(select, "poll", None)
_wait: Any = _poll and type(_poll()).poll
"""As they are in real time."""
_known: dict[tuple[int, int], bool] = {}
"""Whether a file is outside, by its number and its inode."""
_asked: dict[tuple[int, int], int] = {}
"""The port to which a socket of UDP sent last, by the same."""


def outside(files: Mapping[int, int]) -> dict[int, int]:
    """Return those of ``files`` whose other end is outside this process.

    ``files``: what is waited for, as ``select.poll`` has it, by the number of an open file.
    """
    found = {}
    for number, events in files.items():
        try:
            status = _fstat(number)
        except OSError:
            continue
        key = (number, status.st_ino)
        is_outside = _known.get(key)
        if is_outside is None:
            judged = _judge(number, status)
            if judged is not None:
                _known[key] = judged
            is_outside = bool(judged)
        if is_outside:
            found[number] = events
    return found


def can_come(files: Mapping[int, int]) -> bool:
    """Return whether anything may come from outside through one of ``files``, as of a listener."""
    for number in files:
        try:
            if _judge(number, _fstat(number)) is not False or number == 0:
                return True
        except OSError:
            continue
    return False


def forget() -> None:
    """Forget all files: the next program has others."""
    _known.clear()
    _asked.clear()


def note_sent(number: int, address: object) -> None:
    """Note that a socket has sent to an address, from which it may wait for an answer."""
    if isinstance(address, tuple) and len(address) > 1 and isinstance(address[1], int):
        key = (number, _fstat(number).st_ino)
        if _asked.get(key) != address[1]:
            _asked[key] = address[1]
            _known.pop(key, None)


def wait_for(files: Mapping[int, int], ns: int) -> int:
    """Wait for one of ``files`` at most ``ns`` of real time; return how long it took, in ns."""
    poll = _poll()
    for number, events in files.items():
        poll.register(number, events)
    began_ns = _monotonic_ns()
    _wait(poll, -(-ns // 1_000_000))
    return _monotonic_ns() - began_ns


def _judge(number: int, status: os.stat_result) -> bool | None:
    """Return whether a file is outside; None if that may change."""
    if stat.S_ISFIFO(status.st_mode):
        return number != 0 and not _has_writer(number, status.st_ino)
    if stat.S_ISSOCK(status.st_mode):
        return _judge_socket(number, status.st_ino)
    return _readlink(f"{_OWN}/{number}") == "anon_inode:[pidfd]"


def _has_writer(reader: int, inode: int) -> bool:
    """Whether this process has another end of a pipe, to write into it."""
    for number in map(int, _listdir(_OWN)):
        try:
            if number != reader and _fstat(number).st_ino == inode and _may_write(number):
                return True
        except OSError:
            continue
    return False


def _may_write(number: int) -> bool:
    told = _text(f"/proc/self/fdinfo/{number}")
    flags = told.partition("flags:")[2].split()
    return bool(flags and int(flags[0], 8) & _WRITES)


def _judge_socket(number: int, inode: int) -> bool | None:
    with socket.socket(fileno=os.dup(number)) as copy:
        if copy.family == socket.AF_UNIX:
            return _judge_unix(copy)
        if copy.family not in (socket.AF_INET, socket.AF_INET6):
            return False
        kind = "tcp" if copy.type == socket.SOCK_STREAM else "udp"
        state = copy.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] if kind == "tcp" else 0
        if state in _WITHOUT_PEER:
            return None
        there = _asked.get((number, inode)) or _peer_port(copy)
    rows = _rows(kind)
    here, connected = next(((row[1], row[2]) for row in rows if row[0] == inode), (0, 0))
    there = there or connected
    if not there:
        return None
    own = _own_inodes()
    for each, its_port, its_peer, its_state in rows:
        is_peer = its_port == there and (its_peer == here or its_state in _ANSWERS_ANYBODY)
        if is_peer and each in own:
            return False
    return True


def _peer_port(copy: socket.socket) -> int:
    try:
        return int(copy.getpeername()[1])
    except OSError:
        return 0


def _judge_unix(copy: socket.socket) -> bool | None:
    import struct

    try:
        copy.getpeername()
    except OSError:
        return None
    credentials = copy.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return bool(struct.unpack("3i", credentials)[0] != os.getpid())


def _rows(kind: str) -> list[tuple[int, int, int, str]]:
    """Return the inode, the ports here and there, and the state of each socket of this system."""
    found = []
    for table in (kind, kind + "6"):
        for line in _text(_NET + table).splitlines()[1:]:
            cells = line.split()
            here, there = (int(cells[at].rpartition(":")[2], 16) for at in (1, 2))
            found.append((int(cells[9]), here, there, cells[3]))
    return found


def _text(path: str) -> str:
    try:
        with _open(path, encoding="ascii") as file:
            return file.read()
    except OSError:  # such as /proc/net/tcp6 where there is no IPv6
        return ""


def _own_inodes() -> set[int]:
    found = set()
    for number in map(int, _listdir(_OWN)):
        try:
            found.add(_fstat(number).st_ino)
        except OSError:
            continue
    return found
