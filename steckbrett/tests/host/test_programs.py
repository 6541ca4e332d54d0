"""Programs as others write them run unchanged, in virtual time."""

import gc
import sys
import threading
from collections import deque
from pathlib import Path

import pytest
from steckbrett.board.board import Board
from steckbrett.clock import DeadlockError
from steckbrett.host.pi import REFUSED
from steckbrett.host.program import own_traceback, run, script
from steckbrett.parts import Offence

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture
def running(capsys):
    def run_it(name, board=None, until_s=10.0):
        board = Board(["adxl345"]) if board is None else board
        outcome = run(script(PROGRAMS / f"{name}.py"), board, until_s=until_s, argv=[name])
        return outcome, capsys.readouterr().out.splitlines()

    return run_it


def test_threads_blink_two_lights_until_the_time_is_up(running):
    board = Board()
    board.pins.trace = deque()
    outcome, lines = running("blink_threads", board, 3.95)
    assert lines == ["bye"]
    assert (outcome.exit_code, outcome.error, outcome.time_up, outcome.left) == (0, None, True, 0)
    rises = [round(change.t_us / 1e6, 2) for change in board.pins.trace if change.level]
    assert board.pins[23].rises == 4
    assert board.pins[24].rises == 10
    assert sorted(rises) == rises
    assert board.pins[23].rose_at == pytest.approx(0, abs=0.01)


def test_callbacks_run_on_a_thread_of_their_own(running):
    board = Board(presses=["22=1.0+0.3", "22=2.5+0.3", "22=2.6+0.01"])
    assert running("button_callback", board)[1] == [
        "pressed 22 at 1.0, level 0",
        "done at 1.2",
        "pressed 22 at 2.5, level 0",
        "done at 2.7",
    ]


def test_a_program_waits_for_edges_and_asks_for_events(running):
    board = Board(presses=["22=1.0+0.3", "22=1.5+0.3"])
    assert running("edges", board)[1] == [
        "None",
        "22",
        "22",
        "called for 22",
        "called for 22",
        "True False",
        "['i2c', 'serial', 'in', 'in']",
    ]


def test_pwm_is_a_level_that_changes(running):
    assert running("fade")[1] == ["25 30.0", "50 50.0", "75 70.0", "100 100.0"]


def test_the_device_answers_ioctl_read_and_write(running):
    lines = running("device_file")[1]
    assert lines == [
        "True False",
        "0xeff0009",
        "['0x53']",
        "e5",
        "0a",
        "the only I2C bus on the bench is /dev/i2c-1",
    ]


def test_a_program_that_looks_for_its_bus_finds_it_as_on_a_pi(running):
    lines = running("looks_for_bus")[1]
    assert lines == [f"{number} ['/dev/i2c-1']" for number in range(8)] + ["True 0x1 48.3 ['temp']"]


def test_smbus_has_every_size(running):
    board = Board(["adxl345"])
    assert running("every_size", board)[1] == [
        "229",
        "0x201",
        "[3, 4, 5]",
        "229",
        "None",
        "[Errno 121] Remote I/O error",
        "[Errno 121] Remote I/O error",
    ]
    # The process call writes to the identity, and reads on from there.
    assert "write to read-only register 0x00" in board.offences(Offence.REFUSED)[0]


def test_tasks_and_the_threads_of_their_executor(running):
    assert running("tasks")[1] == [
        "0.30 a 0",
        "0.50 b 0",
        "0.60 a 1",
        "0.90 a 2",
        "1.00 b 1",
        "got slow 0.7",
        "got slow 0.1",
        "3.00 nobody came",
    ]


def test_a_class_keeps_a_clock_and_objects_outlive_the_functions_of_atexit(running):
    assert running("lives_on")[1][:2] == ["1971 True", "closed"]
    gc.collect()  # the object says that it is gone, in this test and in no later one


def test_everything_that_threads_wait_with(running):
    lines = running("producers")[1]
    assert lines[-10:] == [
        "1.00 done 3",
        "1.25 done 4",
        "1.25 False False",
        "1.75 still waits True",
        "1.85 event False",
        "2.25 condition [1]",
        "2.35 passed 2",
        "2.35 passed 0",
        "2.85 passed 1",
        "3.35 empty",
    ]


def test_signals_pipes_and_timers(running):
    assert running("signals")[1] == [
        "[0.5, 0.75, 1.0, 1.25] 1.35",
        "([], [], [])",
        "True 2.1",
        "b'!' [] 2.35",
    ]


def test_loops_that_wait_for_nothing_come_on(running):
    outcome, lines = running("busy", Board(presses=["22=1.0+0.3"]))
    assert lines == ["pressed 1.0", "flag 2.5"]
    assert outcome.time_up


def test_twenty_runs_are_equal(running):
    runs = {tuple(running("chance")[1]) for _ in range(20)}
    assert len(runs) == 1
    assert len(next(iter(runs))) == 81


def test_a_program_that_fails_has_its_own_traceback(running):
    outcome, lines = running("failing")
    assert (lines, outcome.exit_code) == ([], 1)
    text = own_traceback(outcome.error, str(PROGRAMS / "failing.py"))
    assert text.startswith("Traceback (most recent call last):\n")
    assert text.endswith("\nOSError: [Errno 121] Remote I/O error\n")
    assert "steckbrett/host/files.py" not in text


def test_the_library_complains_of_lines_of_the_program(capsys):
    file = PROGRAMS / "complaints.py"
    with pytest.warns(RuntimeWarning, match="nothing to clean up") as warned:
        assert run(script(file), Board(presses=["22=1.0+0.3"])).error is None
    assert (warned[0].filename, warned[0].lineno) == (str(file), 8)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "Traceback (most recent call last):"
    assert told[1].startswith(f'  File "{file}", line 11')
    assert told[-1] == "KeyError: 22"


def test_a_program_without_an_end_is_an_error_where_nothing_can_happen(running):
    outcome, _ = running("button_callback", until_s=None)
    assert isinstance(outcome.error, DeadlockError)
    assert "give the program an end with --for" in str(outcome.error)


def test_libraries_of_blinka_find_a_pi(running, monkeypatch):
    blinka = {"board", "busio", "digitalio", "microcontroller", "adafruit_blinka"}
    for name in [name for name in sys.modules if name.partition(".")[0] in blinka]:
        monkeypatch.delitem(sys.modules, name)  # another test may have loaded it elsewhere
    board = Board(["adxl345"], presses=["22=0.5+0.4"])
    assert running("blinka", board)[1] == [
        "['0x53'] RASPBERRY_PI_4B",
        "[0, 0, 10] False",
        "[0, 0, 10] True",
        "[0, 0, 10] False",
        "[0, 0, 10] False",
    ]
    assert board.pins[24].rises == 1


def test_servers_and_their_clients(running):
    assert running("servers")[1] == [
        "b'ONE' 1.5",
        "b'TWO' 2.0",
        "timed out 2.2",
        "b'page /a' 2.5",
        "b'page /b' 2.7",
    ]


def test_a_module_beside_the_program_comes_on_too(running):
    assert running("two_files")[1] == ["flag 0.5"]
    del sys.modules["spinner"]


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
