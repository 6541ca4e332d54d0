"""Programs that tests run, and their places: empty environments, pipes and devices."""

import os
import stat
import subprocess
import sys
import tomllib
import venv
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from threading import Thread

import pytest

PROGRAMS = tomllib.loads((Path(__file__).parents[1] / "programs.toml").read_text("utf-8"))


def program_file(folder: Path, name):
    """Write a program of `PROGRAMS` into a folder; return its path."""
    for file, text in PROGRAMS[name].get("beside", {}).items():
        (folder / file).write_text(text, "utf-8")
    program = folder / f"{name}.py"
    program.write_text(PROGRAMS[name]["program"], "utf-8")
    return program


def printed_by(bench, text, folder: Path):
    """Run a program on a bench for a minute at most; return the lines that it prints."""
    file = folder / "program.py"
    file.write_text(dedent(text), "utf-8")
    bench.run(file, until=60.0)
    return bench.output.splitlines()


def unload(monkeypatch, *packages):
    """Forget packages that keep the pins of a board for as long as they are loaded."""
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        monkeypatch.delitem(sys.modules, name)


PIP = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
INDEX_S = 200
"""The longest time that packages may take to come."""


def fetch(*words):
    """Call pip; skip the test where it reaches no package index."""
    done = subprocess.run((*PIP, *words), capture_output=True, text=True, timeout=INDEX_S)
    if done.returncode:
        pytest.skip(f"no package index: {done.stderr.splitlines()[-1]}")


def environment(folder: Path, *packages):
    """Return the Python of a new environment in ``folder`` with these packages.

    The pip of this Python fills it, and compiles nothing: most of it is never imported.
    """
    venv.create(folder)
    python = folder / "bin" / "python"
    words = ("--python", str(python), "install", "--no-compile", *packages)
    fetch(*words)
    return python


def run_inside(pytester, *options):
    """Run the tests in the folder of ``pytester``; return the result.

    The plugin of slipcover stays out: it would end the coverage of the outer tests.
    """
    left_out = ("-p", "no:cacheprovider", "-p", "no:slipcover")
    return pytester.runpytest_inprocess(*left_out, *options)


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
