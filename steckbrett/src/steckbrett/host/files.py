"""The files that a Raspberry Pi has and this computer has not: devices, and texts of the kernel.

``open``, ``os.open``, ``fcntl.ioctl``, ``os.read``, ``os.write`` and ``os.close`` know them.
``os.stat``, ``os.lstat``, ``os.access``, ``os.listdir`` and ``os.scandir`` see them, and so do
``os.path``, ``glob`` and ``pathlib``. A device has a real file descriptor, which belongs to
``/dev/null``.
"""

import builtins
import errno
import glob
import io
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from typing import Any

try:
    import fcntl
except ImportError:  # on Windows, where `program.run` refuses
    fcntl = None  # type: ignore[assignment]

from .baton import held
from .patches import Patches

SYSTEM_CALL_NS = 20_000
"""The cost of a system call with a transfer, beside the bits on the bus; chosen."""

_open, _os_open, _os_read, _os_write, _os_close = (
    builtins.open,
    os.open,
    os.read,
    os.write,
    os.close,
)
real_ioctl: Any = getattr(fcntl, "ioctl", None)
_stat, _lstat, _access = os.stat, os.lstat, os.access
_listdir, _scandir = os.listdir, os.scandir
_DEVICE, _TEXT, _FOLDER = os.devnull, "/proc/version", "/proc"
"""Real files that look like those of a Pi."""


class Files:
    """The files of one board.

    Args:
        devices: how to open a device, by its path.
        texts: contents by path, or what gives them.
        settle: is called after each use of a device: it lets the time pass that the bus took.
        absent: hears of each path that is looked for, and returns why a Pi's is missing here.
    """

    possible = fcntl is not None
    """Whether this system has devices."""

    def __init__(
        self,
        devices: Mapping[str, Callable[..., Any]],
        texts: Mapping[str, bytes | Callable[[], bytes]],
        settle: Callable[[], None],
        absent: Callable[[str], str | None] = lambda _path: None,
    ) -> None:
        self._devices = devices
        self._texts = texts
        self._settle, self._absent = settle, absent
        self._opened: dict[int, Any] = {}
        self._like = dict.fromkeys(devices, _DEVICE) | dict.fromkeys(texts, _TEXT)
        """A real file that looks like each file, and like each folder that only a Pi has."""
        self._inside: dict[str, dict[str, str]] = {}
        """By folder, the paths of what a Pi has in it, by name."""
        for path in list(self._like):
            while (folder := os.path.dirname(path)) != path:
                self._inside.setdefault(folder, {})[os.path.basename(path)] = path
                if not os.path.exists(folder):
                    self._like[folder] = _FOLDER
                path = folder

    def install(self, patches: Patches) -> None:
        """Let the program see the files."""
        opened = self.open  # one object, by which it is found and put back
        for opener in (builtins, io):
            patches.swap(opener, {"open": opened})
        patches.swap(fcntl, {"ioctl": self.ioctl})
        patches.swap(
            os,
            {
                "open": self.os_open, "read": self.os_read, "write": self.os_write,
                "close": self.os_close, "stat": self.stat, "lstat": self.lstat,
                "access": self.access, "listdir": self.listdir, "scandir": self.scandir,
            },
        )  # fmt: skip
        globber = getattr(glob, "_StringGlobber", None)  # of pathlib since Python 3.13
        if globber is not None:
            patches.put(globber, "scandir", staticmethod(self.scandir))

    def close(self) -> None:
        """Be no device any more; a file that the program left open is closed by its owner."""
        self._opened.clear()

    # ---- opening -----------------------------------------------------------------------------

    def open(self, file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        """As ``open``."""
        path = _path(file)
        if path in self._devices:
            return _DeviceFile(self, self.os_open(path, os.O_RDWR), path)
        if isinstance(file, int) and file in self._opened:
            return _DeviceFile(self, file, str(file))
        if path in self._texts:
            content = self._texts[path]
            content = content if isinstance(content, bytes) else content()
            if any(letter in mode for letter in "wax+"):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
            if "b" in mode:
                return io.BytesIO(content)
            return io.StringIO(content.decode("ascii", "replace"))
        self._look(path)
        return _open(file, mode, *args, **options)

    def os_open(self, path: Any, flags: int, *args: Any, **options: Any) -> int:
        """As ``os.open``."""
        make: Any = self._devices.get(_path(path))
        if make is None:
            self._look(_path(path))
            return _os_open(path, flags, *args, **options)
        terminal = getattr(make, "path", None)
        if terminal is not None:
            fd = _os_open(terminal, flags, *args, **options)
            self._opened[fd] = make(fd)
            return fd
        fd = _os_open(os.devnull, os.O_RDWR | (flags & os.O_CLOEXEC))
        self._opened[fd] = make()
        return fd

    def _look(self, path: str) -> None:
        """Raise `FileNotFoundError` with a reason for a file of a Pi that the bench has not."""
        why = self._absent(path)
        if why is not None:
            raise FileNotFoundError(errno.ENOENT, why, path)

    # ---- use ---------------------------------------------------------------------------------

    def ioctl(self, fd: Any, request: int, arg: Any = 0, mutate_flag: bool = True) -> Any:
        """As ``fcntl.ioctl``."""
        number = fd if isinstance(fd, int) else fd.fileno()
        device = self._opened.get(number)
        if device is None:
            return real_ioctl(fd, request, arg, mutate_flag)
        content = None
        if isinstance(arg, bytes):
            content = arg = bytearray(arg)
        try:
            done = device.ioctl(request, arg)
        finally:
            self._settle()
        return done if content is None else bytes(content)

    def os_read(self, fd: int, length: int) -> bytes:
        """As ``os.read``."""
        device = self._opened.get(fd)
        if device is None:
            return _os_read(fd, length)
        try:
            found: bytes = device.read(length)
            return found
        finally:
            self._settle()

    def os_write(self, fd: int, data: Any) -> int:
        """As ``os.write``."""
        device = self._opened.get(fd)
        if device is None:
            return _os_write(fd, data)
        try:
            written: int = device.write(data)
            return written
        finally:
            self._settle()

    def os_close(self, fd: int) -> None:
        """As ``os.close``."""
        self._opened.pop(fd, None)
        _os_close(fd)

    # ---- what is there -----------------------------------------------------------------------

    def stat(self, path: Any, **options: Any) -> os.stat_result:
        """As ``os.stat``: a device looks like ``/dev/null``, a text like ``/proc/version``."""
        return _stat(self._like.get(_path(path), path), **options)

    def lstat(self, path: Any, **options: Any) -> os.stat_result:
        """As ``os.lstat``."""
        return _lstat(self._like.get(_path(path), path), **options)

    def access(self, path: Any, mode: int, **options: Any) -> bool:
        """As ``os.access``."""
        return _path(path) in self._like or _access(path, mode, **options)

    def listdir(self, path: Any = ".") -> list[Any]:
        """As ``os.listdir``."""
        self._look(_path(path))
        found = [] if _path(path) in self._like else _listdir(path)
        return found + [_named(name, path) for name in self._more(path, map(os.fsdecode, found))]

    def scandir(self, path: Any = ".") -> "_Entries":
        """As ``os.scandir``."""
        self._look(_path(path))
        found: list[Any] = []
        if _path(path) not in self._like:
            with _scandir(path) as entries:
                found = list(entries)
        more = self._more(path, (os.fsdecode(entry.name) for entry in found))
        return _Entries(found + [_Entry(self, path, name) for name in more])

    def _more(self, folder: Any, found: Iterable[str]) -> list[str]:
        """The names in a folder that only a Pi has."""
        inside = self._inside.get(_path(folder).rstrip("/"), {})
        return sorted(inside.keys() - set(found)) if inside else []


class _Entries:
    """As the iterator that ``os.scandir`` returns."""

    def __init__(self, entries: list[Any]) -> None:
        self._left = iter(entries)

    def __iter__(self) -> "_Entries":
        return self

    def __next__(self) -> Any:
        return next(self._left)

    def __enter__(self) -> "_Entries":
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def close(self) -> None:
        self._left = iter(())


class _Entry:
    """A file that only a Pi has, as ``os.DirEntry``."""

    def __init__(self, files: Files, folder: Any, name: str) -> None:
        self.name = _named(name, folder)
        self.path = os.path.join(os.fspath(folder), self.name)
        self._files = files

    def __fspath__(self) -> Any:
        return self.path

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        del follow_symlinks
        return self._files.stat(self.path)

    def inode(self) -> int:
        return self.stat().st_ino

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        del follow_symlinks
        return stat.S_ISDIR(self.stat().st_mode)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        del follow_symlinks
        return stat.S_ISREG(self.stat().st_mode)

    def is_symlink(self) -> bool:
        return False

    def is_junction(self) -> bool:
        return False


class _DeviceFile(io.RawIOBase):
    """The device as ``open`` returns it; it has no buffer, as every library asks for."""

    def __init__(self, files: Files, fd: int, name: str) -> None:
        self._files, self._fd, self.name = files, fd, name
        self.mode = "rb+"

    def fileno(self) -> int:
        return self._fd

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._files.os_read(self._fd, 8192 if size < 0 else size)

    def readinto(self, buffer: Any) -> int:
        content = self.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def write(self, data: Any) -> int:
        return self._files.os_write(self._fd, data)

    def close(self) -> None:
        if not self.closed:
            self._files.os_close(self._fd)
        super().close()


def _path(file: Any) -> str:
    if isinstance(file, int):
        return ""
    try:
        path = os.fspath(file)
    except TypeError:
        return ""
    return path if isinstance(path, str) else os.fsdecode(path)


def _named(name: str, like: Any) -> Any:
    """Return a name as bytes if the folder that it is in was given so."""
    return os.fsencode(name) if isinstance(like, bytes) else name


def settle_on(bus: Any) -> Callable[[], None]:
    """Return what lets the time pass that a transfer on ``bus`` took."""

    def settle() -> None:
        baton = held()
        if baton is not None:
            baton.questions = 0
            baton.spend(max(0, bus.clock_ns - baton.clock.now_ns) + SYSTEM_CALL_NS)

    return settle
