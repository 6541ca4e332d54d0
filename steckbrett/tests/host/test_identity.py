"""Classes that extensions, registries and pickles keep are the same in a program and beside it."""

import datetime
import gc
import os
import pickle
import queue
import select
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import singledispatch
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
from bench_support.places import environment
from steckbrett.board.board import Board
from steckbrett.host.patches import Patches
from steckbrett.host.program import run

SOURCES = Path(__file__).parents[2] / "src"
START = datetime.datetime(2026, 1, 1, 12)
IN_C = [type(threading.Lock()), type(threading.RLock()), queue.SimpleQueue]
DATETIME, DATE, EPOLL, POLL = datetime.datetime, datetime.date, select.epoll, type(select.poll())
BEFORE = queue.SimpleQueue()


def program(main):
    """Run ``main`` as a program, twice: what the first run left must not meet the second."""
    for _ in range(2):
        outcome = run(main, Board())
        if outcome.error is not None:
            raise outcome.error


def test_a_module_may_grow_while_functions_are_put_back(monkeypatch):
    """A finalizer may add a name to a module at any time, as Python does for its warnings."""
    module = ModuleType("grows")
    vars(module).update({f"name{number}": number for number in range(5_000)})
    monkeypatch.setitem(sys.modules, "grows", module)
    names = map("grown{}".format, count())
    limits = gc.get_threshold()

    def grow(*_phase):
        setattr(module, next(names), None)

    gc.callbacks.append(grow)
    gc.set_threshold(10, 1, 1)
    try:
        outcome = run(lambda: None, Board())
    finally:
        gc.set_threshold(*limits)
        gc.callbacks.remove(grow)
    assert outcome.error is None
    assert "grown0" in vars(module)


def test_a_run_that_cannot_be_put_back_does_not_hold_the_next(monkeypatch):
    undo = Patches.undo

    def fail(patches):
        undo(patches)
        raise LookupError

    with monkeypatch.context() as patch:
        patch.setattr(Patches, "undo", fail)
        with pytest.raises(LookupError):
            run(lambda: None, Board())
    assert run(lambda: None, Board()).error is None


@singledispatch
def kind_of(value):
    return "other"


for each in (DATETIME, *IN_C):
    kind_of.register(each, lambda _value, name=each.__name__: name)


def test_calendar_classes_stay_and_have_the_calendar_of_the_bench():
    class Day(datetime.datetime):
        pass

    seen = []

    def main():
        now, today = datetime.datetime.now(), datetime.date.today()
        assert (datetime.datetime, datetime.date) == (DATETIME, DATE)
        assert (type(now), type(today), type(Day.now())) == (DATETIME, DATE, Day)
        for moment in (now, datetime.datetime.today(), datetime.datetime.utcnow()):
            assert START <= moment < START + datetime.timedelta(seconds=1)
        assert datetime.datetime.now(tz=datetime.UTC).tzinfo is datetime.UTC
        assert repr(now).startswith("datetime.datetime(2026")
        assert pickle.loads(pickle.dumps((now, today, DATETIME.now)))[:2] == (now, today)
        assert kind_of(now) == "datetime"
        assert isinstance(now, DATE)
        assert isinstance(now + datetime.timedelta(1), datetime.datetime)
        seen.append(now)

    before = vars(DATETIME)["now"]
    program(main)
    assert vars(DATETIME)["now"] is before
    assert abs(datetime.datetime.now().timestamp() - time.time()) < 60
    assert seen[0] == seen[1]


@pytest.mark.filterwarnings("ignore:The default date:DeprecationWarning")
def test_a_database_takes_the_time_in_every_run():
    def main():
        with closing(sqlite3.connect(":memory:")) as table:
            row = table.execute("select ?, ?", (datetime.datetime.now(), datetime.date.today()))
            assert row.fetchone()[0].startswith("2026-01-01 12:00:0")

    program(main)


def test_locks_and_queues_pose_as_those_in_c():
    def main():
        lock, reentrant, line = threading.Lock(), threading.RLock(), queue.SimpleQueue()
        kinds = [kind.__name__ for kind in IN_C]
        assert [kind_of(one) for one in (lock, reentrant, line)] == kinds
        assert list(map(isinstance, (lock, reentrant, line), IN_C)) == [True, True, True]
        assert not isinstance(lock, IN_C[1])
        assert isinstance(made_before, type(lock))
        assert issubclass(IN_C[0], type(lock))
        with lock, reentrant, reentrant:
            assert not lock.acquire(timeout=1.0)
        assert queue.SimpleQueue is IN_C[2]

    made_before = threading.Lock()
    program(main)


def test_queues_of_before_wait_in_virtual_time():
    def main():
        threading.Timer(3600.0, BEFORE.put, [7]).start()
        with pytest.raises(queue.Empty):
            BEFORE.get(timeout=1800.0)
        with pytest.raises(ValueError, match="non-negative"):
            BEFORE.get(timeout=-1)
        assert BEFORE.get() == 7
        assert BEFORE.empty()
        assert 3600 <= time.monotonic() - 60 < 3601

    program(main)


def test_polls_are_those_of_the_system():
    def main():
        assert (select.epoll, type(select.poll())) == (EPOLL, POLL)
        reader, writer = os.pipe()
        with select.epoll() as events, select.epoll.fromfd(os.dup(events.fileno())) as same:
            assert isinstance(events, EPOLL)
            events.register(reader, select.EPOLLIN)
            assert events.poll(timeout=1000, maxevents=1) == []
            threading.Timer(500, os.write, [writer, b"!"]).start()
            assert same.poll() == [(reader, select.EPOLLIN)]
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        assert poll.poll(None) == [(reader, select.POLLIN)]
        os.read(reader, 1)
        assert poll.poll(2_000) == []
        assert 1502 <= time.monotonic() - 60 < 1503
        done = subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, input=b"")
        assert done.stdout == b"1\n"
        os.close(reader)
        os.close(writer)

    program(main)


LIBRARIES = ("pandas==3.1.1", "matplotlib==3.11.2")
"""Libraries with parts in C that keep what they find when they are loaded."""
KEEPERS = '''
import pytest

FRAME = """
import datetime, pandas
from dateutil.tz import gettz, tzlocal
now = datetime.datetime.now()
frame = pandas.DataFrame({"t": [now], "v": [1.5]}).set_index("t")
print(frame.index[0].year, pandas.Timestamp.now().year, pandas.Timestamp(now).year, type(now))
print(pandas.Timestamp(2026, 7, 1, tz=gettz("Europe/Berlin")).tz_convert("UTC").hour)
print(pandas.Timestamp(now, tz=tzlocal()).year)
"""
AXIS = """
import datetime, io
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plot
from cycler import cycler
plot.rc("axes", prop_cycle=cycler(color=["red", "blue"]))
now = datetime.datetime.now()
plot.plot([now, now + datetime.timedelta(days=2)], [1, 2])
plot.savefig(io.BytesIO())
print(plot.gca().xaxis.get_major_formatter()(plot.gca().get_xlim()[1]))
plot.close("all")
"""
BASE = """
import datetime, sqlite3
from functools import singledispatch
table = sqlite3.connect(":memory:")
print(table.execute("select ?", (datetime.datetime.now(),)).fetchone())
"""


@pytest.mark.parametrize("turn", range(2))
@pytest.mark.parametrize("program", [FRAME, AXIS, BASE], ids=["frame", "axis", "base"])
def test_again(bench, program, turn, tmp_path):
    (tmp_path / "program.py").write_text(program)
    bench.run(tmp_path / "program.py", until=20)
    assert "2026" in bench.output or "01-0" in bench.output
    seen.setdefault(program, bench.output)
    assert seen[program] == bench.output


seen = {}
'''


@pytest.mark.whole
def test_libraries_that_keep_classes_pass_in_every_test(tmp_path):
    python = environment(tmp_path / "venv", *LIBRARIES, "pytest==9.2.0")
    (tmp_path / "test_keepers.py").write_text(KEEPERS)
    (tmp_path / "frame.py").write_text("import pandas\nprint(pandas.Timestamp.now())\n")
    variables = {**os.environ, "PYTHONPATH": str(SOURCES)}
    options = {"cwd": tmp_path, "env": variables, "capture_output": True, "text": True}
    words = [python, "-W", "error::RuntimeWarning", "-m"]
    plugin = ["-p", "steckbrett.testing.plugin", "-c", os.devnull, "--rootdir", "."]
    done = subprocess.run([*words, "pytest", "-q", *plugin, "test_keepers.py"], **options)
    assert "6 passed" in done.stdout, done.stdout[-3000:] + done.stderr[-1000:]
    done = subprocess.run([*words, "steckbrett", "run", "frame.py"], **options)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2026-01-01 12:00")
