"""The fixture ``bench``: a stranger's test, and what it says where something is wrong."""

import gzip
import re
import subprocess
import sys

import pytest
from bench_support.places import program_file, run_inside
from steckbrett.board.plan import PlanError
from steckbrett.board.worlds import Light, Motion
from steckbrett.testing.bench import Bench
from steckbrett.traces import drawn, rows_of

pytest_plugins = ("pytester",)


@pytest.fixture
def alarm(tmp_path):
    """A folder with the program of an alarm."""
    return program_file(tmp_path, "shake_alarm").parent


@pytest.fixture
def inner(pytester):
    """Run tests with the plugin."""
    program_file(pytester.path, "shake_alarm")

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


def test_an_error_of_the_program_shows_the_program_alone(alarm):
    bench = Bench(["ssd1306"], folder=alarm)
    with pytest.raises(OSError, match="Remote I/O") as raised:
        bench.run("shake_alarm.py", until=1.0)
    files = [one.path.name for one in raised.traceback]
    assert files == ["test_plugin.py", "bench.py", "shake_alarm.py", "smbus2.py"]


def test_programs_go_on_with_the_time_of_the_bench(alarm):
    bench = Bench(["adxl345", "ssd1306"], folder=alarm)
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


MOVED = [(0, 0, 0, 9.8), (1, 9.8, 0, 0), (2, 0, 9.8, 0), (3, 0, 0, -9.8), (4, 0, 0, 9.8)]


def lines(rows, order=(0, 1, 2, 3), by=(1, 1, 1, 1)):
    return "".join(",".join(str(row[at] * by[at]) for at in order) + "\n" for row in rows)


@pytest.mark.parametrize(
    "content",
    [
        lines(MOVED),
        "\ufeff" + lines(MOVED),
        "t,x,y,z\n" + lines(MOVED),
        "\ufefft_s,ax_mps2,ay_mps2,az_mps2\r\n" + lines(MOVED).replace("\n", "\r\n"),
        "t,z,y,x\n" + lines(MOVED, (0, 3, 2, 1)),
        "Z, Y,X,Time,label\n" + lines(MOVED, (3, 2, 1, 0)).replace("\n", ",a\n"),
        "t_ms,x,y,z\n" + lines(MOVED, by=(1000, 1, 1, 1)),
        "time_us,ax_g,ay_g,az_g\n" + lines(MOVED, by=(10**6, *[1 / 9.80665] * 3)),
        "t;ax;ay;az\n" + lines(MOVED).replace(",", ";").replace(".", ","),
        "Time [ns]\tAccel X (mg)\tAccel Y (mg)\tAccel Z (mg)\n"
        + lines(MOVED, by=(10**9, *[1000 / 9.80665] * 3)).replace(",", "\t"),
        "1e0,0,0,9.8\n" + lines([(t + 1, *axes) for t, *axes in MOVED[1:]]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_a_recording_is_played_as_it_was(tmp_path, content, packed):
    file = tmp_path / "moved.csv"
    data = content.encode()
    file.write_bytes(gzip.compress(data, mtime=0) if packed else data)
    motion = Motion()
    motion.recording(file)
    found = [motion(round((t_s + 0.5) * 1e6)) for t_s, *_ in MOVED[:-1]]
    assert [found[at] == pytest.approx(MOVED[at][1:]) for at in range(4)] == [True] * 4


@pytest.mark.parametrize(
    ("by", "told"),
    [
        ((1000, 1, 1, 1), "steps are 1000, so it is read as us"),
        ((100, 1, 1, 1), "steps are 100, so it is read as ms"),
        ((1, *[1 / 9.8] * 3), "it measures 1 at rest, so it is read as g"),
        ((1, *[1e3 / 9.8] * 3), "it measures 1e+03 at rest, so it is read as mg"),
        ((1, *[256 / 9.8] * 3), "so it is read as counts of 1/256 g"),
        ((1, *[512 / 9.8] * 3), "so it is read as counts of 1/512 g"),
        ((1, 1, 1, 1), ""),
    ],
)
def test_units_that_nobody_named_are_known_by_gravity_and_said(tmp_path, by, told):
    file = tmp_path / "moved.csv"
    file.write_text(lines(MOVED, by=by))
    motion = Motion()
    said = motion.recording(file)
    assert told in said
    assert bool(told) is ("moved.csv" in said)
    assert motion(1)[2] == pytest.approx(9.8, rel=0.01)
    motion = Motion()
    motion.recording(file, unit="20")
    assert motion(1)[2] == pytest.approx(9.8 * by[3] * 9.80665 / 20)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (lines([MOVED[at] for at in (0, 2, 1, 3, 4)]), "line 3: time runs back"),
        ("t,x,y,z\n" + lines(MOVED[:1]) + "1,nan,0,0\n", "line 3: it needs t, x, y, z as numbers"),
        ("nan,0,0,9.8\n" + lines(MOVED), "line 1: it needs t, x, y, z as numbers"),
        ("1,2,inf,3\n", "line 1: it needs t, x, y, z as numbers"),
        ("1,2,٣,3\n", "line 1: it needs t, x, y, z as numbers"),
        ("1,2,1_0,3\n", "line 1: it needs t, x, y, z as numbers"),
        ("1,2,1e9,3\n", "sample 1, 1,2,1e+09,3, is not s and three of m/s²"),
        ("t,x,y\n1,2,3\n", "line 1: no column z in t,x,y"),
        ("t,x,x_g,y,z\n1,2,3,4,5\n", "line 1: two columns for x"),
        ("t,roll,pitch,yaw\n1,2,3,4\n", "line 1: no column x"),
        ("0,0,0,9.8,7\n", "line 1: it needs t, x, y, z, or names of columns"),
        ("0:0:0:9.8\n", "line 1: it needs t, x, y, z"),
        (lines(MOVED, by=(1e10, 1, 1, 1)), "name the column t_s"),
        (lines(MOVED, by=(1, 0.01, 0.01, 0.01)), "gravity in no unit; name the columns"),
        (lines(MOVED, by=(1, 0, 0, 0)), "it measures 0 at rest"),
        ("", "it has no samples"),
        ("t,x,y,z\n", "it has no samples"),
        (b"\xff\xfe1\x00,", "not text in UTF-8"),
        (gzip.compress(lines(MOVED).encode(), mtime=0)[:-9], "not a whole gzip file"),
        (None, "cannot read"),
    ],
)
def test_a_recording_that_cannot_be_played_is_one_line(tmp_path, content, told):
    file = tmp_path / "moved.csv"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(PlanError) as raised:
        Motion().recording(file)
    assert told in str(raised.value)
    assert "moved.csv" in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf"), 1e300, "1", None])
def test_numbers_of_a_test_are_looked_at(wrong, alarm):
    bench = Bench(["adxl345", "bh1750", "bme280"], folder=alarm)
    calls = [
        lambda: bench.press(22, at=wrong),
        lambda: bench.press(22, at=1, seconds=wrong),
        lambda: bench.at(wrong),
        lambda: bench.set("bme280", temperature=wrong),
        lambda: bench.set("bme280", at=wrong, temperature=3),
        lambda: bench.set("adxl345", acceleration=(0, 0, wrong)),
        lambda: bench.light.set(wrong),
        lambda: bench.light.set(3, at=wrong),
        lambda: bench.light.flash(wrong),
        lambda: bench.light.flash(1, wrong),
        lambda: bench.light.flash(1, 1, wrong),
        lambda: bench.accelerometer.tilt(wrong),
        lambda: bench.accelerometer.tilt(1, roll=wrong),
        lambda: bench.accelerometer.shake(wrong),
        lambda: bench.accelerometer.shake(1, wrong),
        lambda: bench.accelerometer.shake(1, strength=wrong),
        lambda: bench.accelerometer.shake(1, frequency=wrong),
        lambda: bench.accelerometer.tap(wrong),
        lambda: bench.accelerometer.tap(1, strength=wrong),
        lambda: bench.accelerometer.tap(1, axis=wrong),
        lambda: bench.accelerometer.fall(wrong),
        lambda: bench.accelerometer.fall(1, wrong),
        lambda: bench.accelerometer.recording("x.csv", at=wrong),
    ]
    if wrong is not None:
        calls.append(lambda: bench.run("shake_alarm.py", until=wrong))
    for call in calls:
        with pytest.raises(PlanError) as raised:
            call()
        assert len(str(raised.value).splitlines()) == 1
    with pytest.raises(PlanError, match="write 0 or 1"):
        bench.board.press(22, 1, level=2)


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
importlib.import_module("steckbrett.testing.plugin")
print([name for name in set(sys.modules) - before if "steckbrett." in name])
package = importlib.import_module("steckbrett")
for each in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(each.name)
sys.platform = system
from steckbrett.cli import main
print(main(["run", "program.py"]))
sys.platform = "linux"
sys.exit(pytest.main(sys.argv[1:]))
"""


HANGING = """
    import pytest

    @pytest.mark.bench(parts=["adxl345"], patience=0.2)
    def test_it(bench):
        bench.run("hanging.py", until=2)
"""


def test_a_loop_without_an_end_fails_with_its_line(inner, pytester):
    """One in the main thread, one that catches errors, and one in another thread."""
    loop = "for _ in iter(int, 1):"
    caught = f"{loop}\n    try:\n        a = 1\n    except Exception:\n        pass\n"
    begun = "threading.Thread(target=run).start()\n"
    in_thread = f"import threading\ndef run():\n    {loop}\n        pass\n{begun}"
    for text, line in ((f"{loop}\n    pass\n", 2), (caught, 3), (in_thread, 4)):
        (pytester.path / "hanging.py").write_text(text)
        result = inner(HANGING)
        result.assert_outcomes(failed=1)
        told = result.stdout.str()
        assert re.search(rf"virtual time stands still at .*hanging\.py, line [1-{line}]\b", told)


def test_an_exception_in_a_thread_fails_the_test(inner, pytester):
    (pytester.path / "hanging.py").write_text(
        "import threading, time\nthreading.Thread(target=lambda: 1 / 0, name='left').start()\n"
        "time.sleep(1)\nprint('done')\n"
    )
    result = inner(HANGING)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E * ZeroDivisionError: division by zero", "E * in left"])
    awaited = HANGING.replace("bench.run", "with pytest.raises(ZeroDivisionError): bench.run")
    inner(awaited + "        assert bench.output == 'done\\n'\n").assert_outcomes(passed=1)


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
    plugin = ["-p", "steckbrett.testing.plugin", "-p", "no:cacheprovider"]
    options = ["-q", "-c", "pytest.ini", "--rootdir", ".", *plugin, "test_it.py"]
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, system, *options],
        cwd=tmp_path, capture_output=True, text=True,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    line = "a program runs on the bench on Linux only"
    assert done.stderr.splitlines() == [f"steckbrett: {line}"]
    loaded, code, *told = done.stdout.splitlines()
    assert set(eval(loaded)) <= {"steckbrett.testing", "steckbrett.testing.plugin"}
    assert code == "2"
    assert "1 passed" in told[-1]
    assert "1 error" in told[-1]
    assert line in told
    assert not any("Traceback" in each for each in told)


ALLOWED = """
    import pytest

    @pytest.mark.bench(parts=["mpu6050"]{more})
    def test_asks(bench, tmp_path):
        program = tmp_path / "program.py"
        program.write_text(
            "import smbus2\\n"
            "bus = smbus2.SMBus(1)\\n"
            "bus.write_byte_data(0x68, 0x37, 0x02)\\n"
            "bus.write_byte_data(0x68, 0x68, 0x38)\\n"
        )
        bench.run(program)
"""


def test_what_a_model_lacks_fails_a_test_unless_it_is_allowed(inner):
    result = inner(ALLOWED.format(more=""))
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*I2C_BYPASS_EN of INT_PIN_CFG is not modelled"])
    one = inner(ALLOWED.format(more=', allow=["I2C_BYPASS_EN"]'))
    one.stdout.fnmatch_lines(["*reserved bits set: 0x38 written to SIGNAL_PATH_RESET"])
    assert "BYPASS" not in one.stdout.str()
    both = ', allow=["I2C_BYPASS_EN", "0x38 written to SIGNAL_PATH_RESET"]'
    inner(ALLOWED.format(more=both)).assert_outcomes(passed=1)
    word = inner(ALLOWED.format(more=', allow="I2C"'))
    word.stdout.fnmatch_lines(["marker bench: allow is a list: write ?'I2C'?"])
