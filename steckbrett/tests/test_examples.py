"""The examples run: in the folder of each, pytest passes three times in one session."""

import os
import subprocess
import sys
from importlib.util import find_spec
from shutil import copytree

import pytest
from bench_support.environments import environment
from test_distribution import FILES, ROOM

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
