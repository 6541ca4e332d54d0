"""The public names have types: mypy finds a name or a method that is not there."""

import os
import sys
from subprocess import run

import pytest

import steckbrett

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
