"""Print what the bench promises in figures: ``python tests/figures.py``.

Its speed as a multiple of real time, how many runs under pytest are equal to the byte, and what the
plugin costs a run of pytest that has no bench. A missed figure gives exit code 1.
"""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from bench_support.places import program_file
from steckbrett.testing.bench import Bench

EXAMPLE = Path(__file__).parents[1] / "examples" / "shake_alarm" / "shake_alarm.py"
SECONDS = {"shake_alarm": 5} | dict.fromkeys(
    ("blink_threads", "blinka", "button_callback", "edges", "fade", "producers", "tasks"), 60
)
"""How long each program of ``programs.toml`` may run, in s of the bench; some end by themselves."""
PARTS, PRESSES = ["adxl345", "ssd1306"], ["22=1.0+0.3", "22=2.5+0.3", "22=2.6+0.01"]
LEAST_SPEED = 60
EQUAL, SESSIONS = ("chance", "producers"), 4
RUNS = 20
MOST_PLUGIN_MS, PAIRS = 40, 15

TEST = f"""
import hashlib
from pathlib import Path

import pytest


@pytest.mark.parametrize("turn", range({RUNS // SESSIONS}))
@pytest.mark.parametrize("name", {EQUAL!r})
@pytest.mark.bench(parts={PARTS!r}, strict=False)
def test_it(bench, name, turn, tmp_path):
    bench.run(f"{{name}}.py", until=10)
    bench.save_timeline(tmp_path / "run.svg")
    found = hashlib.sha256((tmp_path / "run.svg").read_bytes() + bench.output.encode())
    with Path({{place!r}}).open("a") as file:
        print(name, found.hexdigest(), file=file)
"""


def speed_of(program: Path, until_s: float) -> float:
    """Return how many seconds of the bench a program runs in one of the processor."""
    bench = Bench(PARTS, presses=PRESSES)
    bench.accelerometer.shake(at=2.0, seconds=1.0)
    began = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        bench.run(program, until=until_s)
    return bench.now / (time.process_time() - began)


def pytest_run(folder: Path, *options: str) -> float:
    """Run the tests of a folder; return what it cost, in ms of the processor."""
    words = ("-m", "pytest", "-q", "-c", os.devnull, "--rootdir", ".", "-p", "no:cacheprovider")
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *words, *options], cwd=folder, check=True, stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )  # fmt: skip
    after = getrusage(RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def equal_runs(folder: Path) -> dict[str, int]:
    """Return by program how many different runs there are among all."""
    told = folder / "told.txt"
    for name in EQUAL:
        program_file(folder, name)
    (folder / "test_it.py").write_text(TEST.replace("{place!r}", repr(str(told))), "utf-8")
    for _ in range(SESSIONS):
        pytest_run(folder)
    lines = told.read_text("utf-8").split("\n")[:-1]
    assert len(lines) == RUNS * len(EQUAL)
    return {name: len({line for line in lines if line.startswith(name)}) for name in EQUAL}


def cost_of_the_plugin_ms(folder: Path) -> float:
    """Return the median of pairs of runs, with the plugin and without."""
    (folder / "test_it.py").write_text("def test_it():\n    pass\n", "utf-8")
    pytest_run(folder)
    pairs = ((pytest_run(folder), pytest_run(folder, "-p", "no:steckbrett")) for _ in range(PAIRS))
    return median(with_it - without for with_it, without in pairs)


def main() -> int:
    """Print the figures; return 1 if one is missed."""
    with tempfile.TemporaryDirectory() as name:
        speeds = {"the example": speed_of(EXAMPLE, 5)} | {
            program: speed_of(program_file(Path(name), program), until_s)
            for program, until_s in SECONDS.items()
        }
    for program, speed in speeds.items():
        print(f"{program:20} {speed:8.0f} × real time")
    with tempfile.TemporaryDirectory() as name:
        different = equal_runs(Path(name))
        cost_ms = cost_of_the_plugin_ms(Path(name))
    figures = (
        (
            f"median {median(speeds.values()):.0f} × real time",
            median(speeds.values()) >= LEAST_SPEED,
        ),
        (f"different runs among {RUNS}: {different}", set(different.values()) == {1}),
        (f"the plugin costs {cost_ms:.1f} ms of a run without a bench", cost_ms <= MOST_PLUGIN_MS),
    )
    for text, well in figures:
        print(text if well else f"MISSED: {text}")
    return int(not all(well for _, well in figures))


if __name__ == "__main__":
    sys.exit(main())
