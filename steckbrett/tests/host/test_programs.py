"""Programs as others write them run unchanged, in virtual time."""

import gc
import sys
import threading
from collections import deque
from pathlib import Path

import pytest
from bench_support.places import PROGRAMS, program_file, unload
from steckbrett.board.board import Board
from steckbrett.clock import DeadlockError
from steckbrett.host.pi import REFUSED
from steckbrett.host.program import own_traceback, run, script
from steckbrett.parts import Offence


@pytest.fixture
def running(capsys, tmp_path, monkeypatch):
    """Run a program of ``programs.toml``; return how it ended, and what it printed."""
    unload(monkeypatch, "board", "busio", "digitalio", "microcontroller", "adafruit_blinka")

    def run_it(name, board=None, until_s=10.0):
        if board is None:
            board = Board(["adxl345"], presses=PROGRAMS[name].get("presses", ()))
        outcome = run(script(program_file(tmp_path, name)), board, until_s=until_s, argv=[name])
        return outcome, capsys.readouterr().out.splitlines()

    return run_it


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "prints" in PROGRAMS[name]])
def test_a_program_runs_unchanged_and_prints_what_is_kept_beside_it(running, name):
    outcome, lines = running(name)
    assert lines == PROGRAMS[name]["prints"]
    assert (outcome.error, outcome.time_up) == (None, PROGRAMS[name].get("endless", False))
    sys.modules.pop("spinner", None)


def test_threads_blink_two_lights_until_the_time_is_up(running):
    board = Board()
    board.pins.trace = deque()
    outcome, _ = running("blink_threads", board, 3.95)
    assert (outcome.exit_code, outcome.error, outcome.time_up, outcome.left) == (0, None, True, 0)
    rises = [round(change.t_us / 1e6, 2) for change in board.pins.trace if change.level]
    assert board.pins[23].rises == 4
    assert board.pins[24].rises == 10
    assert sorted(rises) == rises
    assert board.pins[23].rose_at == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(("profile", "calls"), [("rpi-gpio", 2), ("rpi-lgpio", 3)])
def test_only_rpi_gpio_makes_one_call_of_edges_that_wait_for_it(running, profile, calls):
    board = Board(presses=["22=1+0.1", "22=1.3+0.1", "22=1.6+0.1"], profile=profile)
    assert running("slow_callback", board)[1] == ["pressed"] * calls


def test_a_process_call_writes_to_the_identity_and_reads_on_from_there(running):
    board = Board(["adxl345"])
    running("every_size", board)
    assert "write to read-only register 0x00" in board.offences(Offence.REFUSED)[0]


def test_a_class_keeps_a_clock_and_objects_outlive_the_functions_of_atexit(running):
    assert running("lives_on")[1][:2] == ["1971 True", "closed"]
    gc.collect()  # the object says that it is gone, in this test and in no later one


def test_twenty_runs_are_equal(running):
    runs = {tuple(running("chance")[1]) for _ in range(20)}
    assert len(runs) == 1
    assert len(next(iter(runs))) == 81


def test_a_program_that_fails_has_its_own_traceback(running, tmp_path):
    outcome, lines = running("failing")
    assert (lines, outcome.exit_code) == ([], 1)
    text = own_traceback(outcome.error, str(tmp_path / "failing.py"))
    assert text.startswith("Traceback (most recent call last):\n")
    assert text.endswith("\nOSError: [Errno 121] Remote I/O error\n")
    assert "steckbrett/host/files.py" not in text


def test_the_library_complains_of_lines_of_the_program(capsys, tmp_path):
    file = program_file(tmp_path, "complaints")
    with pytest.warns(RuntimeWarning, match="nothing to clean up") as warned:
        assert run(script(file), Board(presses=["22=1.0+0.3"])).error is None
    assert (warned[0].filename, warned[0].lineno) == (str(file), 8)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "Traceback (most recent call last):"
    assert told[1].startswith(f'  File "{file}", line 11')
    assert told[-1] == "KeyError: 22"


def test_a_program_without_an_end_is_an_error_where_nothing_can_happen(running):
    outcome, _ = running("button_callback", Board(), until_s=None)
    assert isinstance(outcome.error, DeadlockError)
    assert "give the program an end with --for" in str(outcome.error)


@pytest.fixture
def uncollected():
    """Keep the interpreter from calling what other packages do with each collection."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_a_loop_that_the_bench_does_not_see_is_one_line():
    lines = []

    def main():
        while not lines:  # compiled without the bench, as a library's
            pass

    outcome = run(main, Board(), until_s=1.0, patience_s=0.001, tell=lines.append)
    assert outcome.error is None
    (line,) = lines
    assert line.startswith("virtual time stands still at 0 s: MainThread loops or waits in ")
    assert f"{Path(__file__).name}, line " in line
    assert line.endswith("unseen by the bench; end it with Ctrl-C")


@pytest.mark.usefixtures("uncollected")
def test_a_lock_that_was_made_before_is_one_line():
    lock, lines = threading.Lock(), []
    lock.acquire()

    def tell(line):
        lines.append(line)
        lock.release()

    def main():
        lock.acquire()

    outcome = run(main, Board(), patience_s=0.001, tell=tell)
    assert outcome.error is None
    assert len(lines) == 1
    assert f"MainThread loops or waits in {__file__}, line " in lines[0]


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_library_with_threads_in_c_is_refused_in_one_line(name):
    outcome = run(lambda: __import__(name), Board())
    assert isinstance(outcome.error, ModuleNotFoundError)
    assert str(outcome.error) == f"no {name} on the bench: {REFUSED[name]}"


COLLECTS_ANYWHERE = """
import gc, sys, threading
lock = threading.RLock()
class Cycle:
    def __init__(self):
        self.me = self
    def __del__(self):
        with lock:
            done.append(1)
def trace(frame, event, arg):
    if gc.isenabled():
        Cycle()
        gc.collect(0)
    return trace
done = []
sys.settrace(trace)
with lock:
    pass
sys.settrace(None)
print(len(done) > 5)
"""


def test_a_finalizer_may_take_the_lock_that_its_thread_is_taking(tmp_path, capsys):
    """Garbage is collected before each line, as Python may."""
    file = tmp_path / "program.py"
    file.write_text(COLLECTS_ANYWHERE)
    outcome = run(script(file), Board(), argv=[str(file)])
    assert (outcome.error, capsys.readouterr().out) == (None, "True\n")
