"""Pipes and devices of a test's own, for outputs to be written into."""

import os
import stat
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

TAKES_ALL, IS_FULL = 3, 7
"""The minors of ``/dev/null`` and ``/dev/full``."""


def device(path, minor):
    """Make a private device."""
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
    return path


@contextmanager
def place_for_devices():
    """A folder in which devices work, None where there is none; root alone may make them."""
    for parent in (None, "/var/tmp"):
        with TemporaryDirectory(dir=parent) as folder:
            try:
                device(Path(folder) / "probe", TAKES_ALL).open("wb").close()
            except OSError:
                continue
            (Path(folder) / "probe").unlink()
            yield Path(folder)
            return
    yield None


@contextmanager
def read_from(pipe):
    """Make a pipe and read it for as long as the block lasts; then the list has all that came."""
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    keeps_open = os.open(pipe, os.O_WRONLY)
    os.set_blocking(end, True)
    got = []

    def read():
        with open(end, "rb") as file:
            got.append(file.read())

    reader = Thread(target=read)
    reader.start()
    try:
        yield got
    finally:
        os.close(keeps_open)
        reader.join()
