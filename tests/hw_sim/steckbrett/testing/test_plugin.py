"""The fixture ``bench``: a stranger's test, and what it says where something is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

from hw_sim.steckbrett.board.worlds import Light, Motion
from hw_sim.steckbrett.testing.bench import Bench
from hw_sim.steckbrett.traces.pictures import drawn, rows_of
from tests.support.inner_tests import run_inside

HERE = Path(__file__).parent
pytest_plugins = ("pytester",)


@pytest.fixture
def inner(pytester):
    """Run tests with the plugin."""
    for name in ("shake_alarm.py",):
        (pytester.path / name).write_text((HERE / name).read_text())

    def run_it(text, *options):
        pytester.makepyfile(text)
        return run_inside(pytester, "-q", *options)

    return run_it


TEN_LINES = """
    import pytest

    @pytest.mark.bench(parts=["adxl345", "ssd1306"], wires={17: "adxl345.int1"})
    def test_shaking_rings(bench):
        bench.accelerometer.shake(at=2.0, seconds=1.0)
        bench.at(4.0).unplug("adxl345")
        with pytest.raises(OSError, match="Remote I/O"):
            bench.run("shake_alarm.py", until=5.0)
        assert bench.pins[24].rose_at == pytest.approx(2.06, abs=0.1)
        assert bench.display.matches("shaken.png")
        assert not bench.refused
"""


def test_ten_lines_test_a_program(inner, pytester):
    first = inner(TEN_LINES)
    first.stdout.fnmatch_lines(["*no picture *shaken.png: write it with --bench-update*"])
    inner(TEN_LINES, "--bench-update").assert_outcomes(passed=1)
    rows = rows_of((pytester.path / "shaken.png").read_bytes())
    assert (len(rows), len(rows[0]), sum(map(sum, rows))) == (64, 128, 32 * 8)
    inner(TEN_LINES).assert_outcomes(passed=1)
    program = pytester.path / "shake_alarm.py"
    program.write_text(program.read_text().replace("[0xFF] * 32", "[0x0F] * 32"))
    failed = inner(TEN_LINES)
    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines(["*128 pixels of the display differ from shaken.png*"])
    assert (pytester.path / "shaken.seen.png").exists()


def test_what_a_chip_refuses_fails_the_test(inner, pytester):
    program = pytester.path / "shake_alarm.py"
    program.write_text(program.read_text().replace("0x2D, 0x08", "0x1C, 0x08"))
    text = """
    import pytest

    @pytest.mark.bench(parts=["adxl345", "ssd1306"]{strict})
    def test_it(bench):
        bench.run("shake_alarm.py", until=1)
    """
    failed = inner(text.replace("{strict}", ""))
    failed.assert_outcomes(passed=1, errors=1)
    failed.stdout.fnmatch_lines(["ADXL345 at * µs: write to reserved register 0x1C"])
    inner(text.replace("{strict}", ", strict=False")).assert_outcomes(passed=1)


def test_a_wrong_board_is_one_line(inner):
    result = inner("""
    import pytest

    @pytest.mark.bench(parts=["adxl346"])
    def test_it(bench):
        pass

    @pytest.mark.bench(parts=["bh1750"], worlds="light=3")
    def test_that(bench):
        pass
    """)
    result.stdout.fnmatch_lines(["marker bench: no part 'adxl346'*"])
    result.stdout.fnmatch_lines(["marker bench: worlds is a list: write ['light=3']"])
    assert "Traceback" not in result.stdout.str()


def test_an_error_of_the_program_shows_the_program_alone():
    bench = Bench(["ssd1306"], folder=HERE)
    with pytest.raises(OSError, match="Remote I/O") as raised:
        bench.run("shake_alarm.py", until=1.0)
    files = [one.path.name for one in raised.traceback]
    assert files == ["test_plugin.py", "bench.py", "shake_alarm.py", "smbus2.py"]


def test_programs_go_on_with_the_time_of_the_bench():
    bench = Bench(["adxl345", "ssd1306"], folder=HERE)
    bench.accelerometer.shake(at=1.5)
    outcome = bench.run("shake_alarm.py", until=1.0)
    assert (outcome.time_up, bench.output, bench.now >= 1.0) == (True, "", True)
    bench.run("shake_alarm.py", until=2.0)
    assert bench.output.startswith("alarm at 1.5")
    assert bench.display.lit == 256
    assert "█" * 32 in bench.display.text


def test_motion_is_gravity_and_what_is_done(tmp_path):
    motion = Motion()
    motion.tilt(1.0, roll=90.0)
    motion.tilt(2.0)
    motion.fall(3.0, 0.5)
    recording = tmp_path / "moved.csv"
    recording.write_text("t,x,y,z\n10.0,1,2,3\n10.5,4,5,6\n11.0,0,0,0\n")
    motion.recording(recording, at=5.0)
    assert motion(0) == pytest.approx((0, 0, 9.80665))
    assert motion(1_500_000) == pytest.approx((0, 9.80665, 0))
    assert motion(2_500_000) == pytest.approx((0, 0, 9.80665))
    assert motion(3_200_000) == (0, 0, 0)
    assert motion(3_504_000)[2] > 100
    assert [motion(t_us) for t_us in (5_000_000, 5_499_000, 5_500_000)] == [
        (1, 2, 3),
        (1, 2, 3),
        (4, 5, 6),
    ]
    assert motion(6_100_000) == pytest.approx((0, 0, 9.80665))
    recording.write_text("t,x,y,z\n1,2,3\n")
    with pytest.raises(ValueError, match=r"moved\.csv, line 2: it needs t, x, y, z"):
        motion.recording(recording)


def test_light_changes_and_flashes():
    light = Light()
    light.set(100, at=1.0)
    light.flash(2.0, 0.5, 900)
    assert [light(round(t_s * 1e6)) for t_s in (0.5, 1.5, 2.2, 2.6)] == [0, 100, 900, 100]


def test_a_picture_is_what_was_drawn():
    rows = [bytes((row + column) % 3 == 0 for column in range(20)) for row in range(9)]
    assert rows_of(drawn(tuple(rows))) == tuple(rows)
    with pytest.raises(ValueError, match="no PNG"):
        rows_of(b"text")


ELSEWHERE = """
import errno, importlib, os, pkgutil, select, signal, sys, time
import pytest

class Hidden:
    def find_spec(self, name, path, target=None):
        if name in ("fcntl", "termios", "resource", "pwd", "grp"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

system = sys.argv.pop(1)
if system != "darwin":
    sys.modules.pop("fcntl", None)
    sys.meta_path.insert(0, Hidden())
    for module, names in {
        signal: "pause setitimer getitimer alarm SIGALRM ITIMER_REAL",
        select: "poll", os: "fork O_CLOEXEC", time: "clock_gettime clock_gettime_ns",
    }.items():
        for name in names.split():
            delattr(module, name)
for module, name in ((errno, "EREMOTEIO"), (select, "epoll")):
    delattr(module, name)
before = set(sys.modules)
importlib.import_module("hw_sim.steckbrett.testing.plugin")
print([name for name in set(sys.modules) - before if "hw_sim.steckbrett." in name])
package = importlib.import_module("hw_sim.steckbrett")
for each in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(each.name)
sys.platform = system
from hw_sim.steckbrett.cli.main import main
print(main(["run", "program.py"]))
sys.platform = "linux"
sys.exit(pytest.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("system", ["linux", "win32", "darwin"])
def test_another_system_loses_no_test_but_those_of_the_bench(tmp_path, system):
    """``linux`` stands for one that has only what Windows has."""
    (tmp_path / "program.py").write_text("print(7)\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(
        "import sys, pytest\n\n@pytest.fixture(autouse=True)\ndef system(monkeypatch):\n"
        f"    monkeypatch.setattr(sys, 'platform', {system!r})\n\n"
        "def test_other():\n    pass\n\ndef test_it(bench):\n    bench.run('program.py')\n"
    )
    plugin = ["-p", "hw_sim.steckbrett.testing.plugin", "-p", "no:cacheprovider"]
    options = ["-q", "-c", "pytest.ini", "--rootdir", ".", *plugin, "test_it.py"]
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, system, *options],
        cwd=tmp_path, capture_output=True, text=True,
        env={"PYTHONPATH": str(HERE.parents[3]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    line = "a program runs on the bench on Linux only"
    assert done.stderr.splitlines() == [f"steckbrett: {line}"]
    loaded, code, *told = done.stdout.splitlines()
    assert set(eval(loaded)) <= {"hw_sim.steckbrett.testing", "hw_sim.steckbrett.testing.plugin"}
    assert code == "2"
    assert "1 passed" in told[-1]
    assert "1 error" in told[-1]
    assert line in told
    assert not any("Traceback" in each for each in told)
