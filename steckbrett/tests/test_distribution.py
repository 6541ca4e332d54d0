"""The test bench as a distribution: documents, wheel, examples, and the types of its names."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree
from subprocess import run

import pytest
from bench_support.places import environment
from steckbrett.parts.described import described

import steckbrett

ROOM = Path(__file__).parents[1]
README = (ROOM / "README.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", README, re.DOTALL))


def test_the_table_of_parts_is_made_from_the_parts():
    written = (ROOM / "docs" / "PARTS.md").read_text(encoding="utf-8")
    assert written == described(), "steckbrett.parts.described writes it"


def test_the_test_of_the_first_page_has_ten_lines():
    assert len(FILES["test_shake_alarm.py"].splitlines()) == 10
    assert len(FILES["tmp117.py"].split('"""', 2)[2].strip().splitlines()) <= 30


@pytest.mark.whole
def test_the_wheel_alone_is_enough_for_a_stranger(tmp_path):
    """In an empty environment the page's test fails, is mended, and passes."""
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path)
    subprocess.run([*build, ROOM], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("steckbrett-*.whl")
    assert f"dist/{wheel.name}" in README
    python = environment(tmp_path / "venv", f"{wheel}[pytest,smbus,vcd]")
    for name, code in FILES.items():
        (tmp_path / name).write_text(code, encoding="utf-8")

    def run(*words):
        return subprocess.run(
            [python, "-m", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    failed = run("pytest", "-q", "test_shake_alarm.py")
    assert failed.returncode == 1
    assert "write to reserved register 0x1C" in failed.stdout
    program = tmp_path / "shake_alarm.py"
    program.write_text(program.read_text().replace("0x1C", "0x2D"))
    passed = run("pytest", "-q", "--bench-vcd", "out")
    assert passed.returncode == 0, passed.stdout
    assert (tmp_path / "shaken.svg").read_text().startswith("<svg")
    assert len(list((tmp_path / "out").glob("*.vcd"))) == 2
    parts = ("--part", "adxl345", "--part", "ssd1306")
    ran = run("steckbrett", "run", "--for", "2", *parts, "--picture", "seen.png", "shake_alarm.py")
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "seen.png").read_bytes().startswith(b"\x89PNG")


EXAMPLES = ROOM / "examples"
MISTAKE, MENDED = "0x1C, 0x08", "0x2D, 0x08"
OF_THE_LOGGER = ("pandas", "paho-mqtt==2.2.0", "RPi.bme280==0.2.4")
RUN_S = 120


def passed_three_times(python, example, place, tests):
    """Run the tests of an example three times in one session; check that all pass."""
    folder = copytree(EXAMPLES / example, place / example)
    files = [file.name for file in folder.glob("test_*.py")] * 3
    args = ("-q", "-pno:slipcover", "-Werror", "-c", os.devnull, "--rootdir=.", "--keep-duplicates")
    done = subprocess.run(
        [python, "-m", "pytest", *args, *files],
        cwd=folder, capture_output=True, text=True, timeout=RUN_S,
    )  # fmt: skip
    assert f"\n{3 * tests} passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.whole
@pytest.mark.parametrize("name", ["shake_alarm", "own_part"])
def test_the_examples_of_the_first_page(tmp_path, name):
    for file in (EXAMPLES / name).glob("*.py"):
        assert file.read_text("utf-8") == FILES[file.name].replace(MISTAKE, MENDED)
    passed_three_times(sys.executable, name, tmp_path, 1)


@pytest.mark.whole
def test_the_logger_here(tmp_path):
    if find_spec("pandas") is None:
        pytest.skip("no pandas here; by night an environment of its own has it")
    passed_three_times(sys.executable, "logger", tmp_path, 10)


@pytest.mark.night
def test_the_logger_with_the_wheel_alone(tmp_path):
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, ROOM)
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    python = environment(tmp_path / "venv", f"{wheel}[pytest,smbus]", *OF_THE_LOGGER)
    passed_three_times(python, "logger", tmp_path, 10)


NAMES = """
from steckbrett import Bench, Board, Field, Offence, PartModel, PlanError, Register, RegisterPart

def right(bench: Bench) -> float | None:
    bench.at(4).unplug("adxl345")
    bench.accelerometer.shake(at=1, seconds=2)
    bench.run("program.py", until=5).exit_code.bit_length()
    return bench.pins[24].rose_at
"""
OF_A_BENCH = "from steckbrett import Bench\ndef t(bench: Bench) -> str:\n    return "
WRONG = {
    "from steckbrett import Regster": "has no attribute",
    "import steckbrett\nsteckbrett.boar": "has no attribute",
    OF_A_BENCH + "str(bench.at(4).unplugg())": "unplugg",
    OF_A_BENCH + "bench.now": "Incompatible",
}


@pytest.mark.whole
def test_a_misspelt_name_or_method_fails_strict_mypy(tmp_path):
    files = {"right.py": NAMES} | {f"wrong{n}.py": text for n, text in enumerate(WRONG)}
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    words = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, *files]
    told = run(words, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    lines = sorted(line for line in told.splitlines() if ": error:" in line)
    assert [line.partition(":")[0] for line in lines] == [f"wrong{n}.py" for n in range(len(WRONG))]
    for line, text in zip(lines, WRONG.values(), strict=True):
        assert text in line


def test_every_public_name_is_there():
    assert all(isinstance(getattr(steckbrett, name), type) for name in steckbrett.__all__)
    assert isinstance(steckbrett.__version__, str)
    with pytest.raises(AttributeError, match="no attribute 'Regster'"):
        steckbrett.Regster  # noqa: B018
