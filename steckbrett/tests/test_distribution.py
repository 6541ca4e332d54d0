"""The test bench as a distribution: its documents, its wheel, and a stranger's first test."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from bench_support.environments import environment
from steckbrett.parts.described import described

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
