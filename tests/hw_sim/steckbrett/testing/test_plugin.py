"""The fixture ``bench``: a stranger's test, and what it says where something is wrong."""

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
