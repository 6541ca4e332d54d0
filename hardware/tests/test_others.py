"""The files to print and the sizes of parts, read by the programs and libraries of others."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.parts import ROOT, bought

PAGE = (ROOT / "docs" / "build" / "README.md").read_text(encoding="utf-8")
TOLD = re.findall(r"\| (\w+)\.3mf[^|]* \| (\d+) h (\d+) min \| ([\d.]+) g \|", PAGE)
FOOTPRINTS = Path("/usr/share/kicad/footprints")
PLA_G_CM3 = 1.24


def sliced(name, folder, *how):
    """The minutes and the grams that PrusaSlicer says of a file to print."""
    code = folder / "out.gcode"
    source = ROOT / "hardware" / "made" / f"{name}.3mf"
    command = ["prusa-slicer", "--export-gcode", "--layer-height", "0.2", *how]
    subprocess.run([*command, "--output", code, source], check=True, capture_output=True)
    said = code.read_text()
    time = re.search(r"time \(normal mode\) = (?:(\d+)h )?(\d+)m", said)
    volume = re.search(r"filament used \[cm3\] = ([\d.]+)", said)
    return 60 * int(time[1] or 0) + int(time[2]), float(volume[1]) * PLA_G_CM3


def test_each_file_to_print_has_its_time_on_the_page():
    made = {path.stem for path in (ROOT / "hardware" / "made").glob("*.3mf")}
    assert {name for name, *_ in TOLD} == made


@pytest.mark.skipif(not shutil.which("prusa-slicer"), reason="prusa-slicer is not installed")
@pytest.mark.parametrize(
    ("name", "hours", "minutes", "grams"),
    [pytest.param(*row, marks=pytest.mark.whole if row[0] == "fits" else pytest.mark.night)
     for row in TOLD],
)  # fmt: skip
def test_a_slicer_prints_it_without_supports_in_the_time_of_the_page(
    name, hours, minutes, grams, tmp_path
):
    time, weight = sliced(name, tmp_path)
    assert time == pytest.approx(60 * int(hours) + int(minutes), rel=0.05, abs=1)
    assert weight == pytest.approx(float(grams), rel=0.05)
    _, supported = sliced(name, tmp_path, "--support-material")
    assert supported - weight < 0.25


@pytest.mark.whole
@pytest.mark.skipif(not FOOTPRINTS.exists(), reason="kicad-footprints is not installed")
def test_the_legs_of_the_piezo_are_as_far_apart_as_in_kicads_footprint():
    (path,) = FOOTPRINTS.glob("Buzzer_Beeper.pretty/*PS1240P02BT*.kicad_mod")
    places = re.findall(r"\(pad \S+ thru_hole \S+ \(at (\S+) (\S+)\)", path.read_text())
    (x, y), (to_x, to_y) = [tuple(map(float, place)) for place in places]
    assert bought().mm("piezo", "pitch") == pytest.approx(abs(to_x - x) + abs(to_y - y))
