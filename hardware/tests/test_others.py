"""The files to print and the sizes of parts, read by the programs and libraries of others."""

import re
import shutil
import subprocess
import tomllib
from math import dist
from pathlib import Path

import pytest

from hardware.case.carrier import LEGS
from hardware.case.checks import build
from hardware.case.sizes import CUP
from hardware.kit import MADE, to_print
from hardware.parts import ROOT, bought

PAGE = (ROOT / "docs" / "build" / "README.md").read_text(encoding="utf-8")
TOLD = re.findall(r"\| (\w+)\.3mf[^|]* \| (\d+) h (\d+) min \| ([\d.]+) g \|", PAGE)
FOOTPRINTS = Path("/usr/share/kicad/footprints")
PLA_G_CM3 = 1.24


def sliced(name, folder, *how):
    """The minutes and the grams that PrusaSlicer says of a file to print."""
    code = folder / "out.gcode"
    command = ["prusa-slicer", "--export-gcode", "--layer-height", "0.2", *how, "--output", code]
    subprocess.run([*command, MADE / f"{name}.3mf"], check=True, capture_output=True)
    said = code.read_text()
    time = re.search(r"time \(normal mode\) = (?:(\d+)h )?(\d+)m", said)
    volume = re.search(r"filament used \[cm3\] = ([\d.]+)", said)
    return 60 * int(time[1] or 0) + int(time[2]), float(volume[1]) * PLA_G_CM3


def test_each_file_to_print_has_its_time_on_the_page():
    made = {path.stem for path in MADE.glob("*.3mf")}
    assert {path.stem for path in MADE.glob("*.step")} == made - {"fits"}
    assert {name for name, *_ in TOLD} == made


@pytest.mark.skipif(not shutil.which("prusa-slicer"), reason="prusa-slicer is not installed")
@pytest.mark.parametrize(
    ("name", "hours", "minutes", "grams"),
    [pytest.param(*row, marks=pytest.mark.whole if row[0] == "fits" else pytest.mark.night)
     for row in TOLD],
)  # fmt: skip
def test_a_slicer_prints_without_supports_in_the_time_told(name, hours, minutes, grams, tmp_path):
    time, weight = sliced(name, tmp_path)
    assert time == pytest.approx(60 * int(hours) + int(minutes), rel=0.05, abs=1)
    assert weight == pytest.approx(float(grams), rel=0.05)
    _, supported = sliced(name, tmp_path, "--support-material")
    assert supported - weight < 0.25


@pytest.mark.whole
@pytest.mark.parametrize("name", sorted(path.stem for path in MADE.glob("*.step")))
def test_gmsh_reads_each_step_file_as_one_closed_solid_of_the_same_volume(name):
    gmsh = pytest.importorskip("gmsh", exc_type=ImportError)
    gmsh.initialize(["-v", "0"])
    try:
        gmsh.model.occ.importShapes(str(MADE / f"{name}.step"))
        gmsh.model.occ.synchronize()
        ((_, solid),) = gmsh.model.getEntities(3)
        volume = gmsh.model.occ.getMass(3, solid)
        sides = {len(gmsh.model.getAdjacencies(*edge)[0]) for edge in gmsh.model.getEntities(1)}
    finally:
        gmsh.finalize()
    assert sides == {2}, "each edge has two faces"
    assert volume == pytest.approx(to_print(build(CUP))[name].volume(), rel=1e-3)


PLACES = {**LEGS, "piezo.+": (bought().mm("piezo", "pitch"), 0.0), "piezo.-": (0.0, 0.0)}
DRAWN = tomllib.loads(Path(__file__).with_name("footprints.toml").read_text("utf-8"))


@pytest.mark.whole
@pytest.mark.skipif(not FOOTPRINTS.exists(), reason="kicad-footprints is not installed")
@pytest.mark.parametrize(
    ("legs", "name"), [(legs, name) for legs, names in DRAWN.items() for name in names]
)
def test_legs_are_as_far_apart_as_in_kicads_footprints_and_go_through(legs, name):
    text = (FOOTPRINTS / f"{name}.kicad_mod").read_text()
    pad = r'\(pad "?\w+"? thru_hole \w+ \(at (\S+) (\S+)\).*?\(drill (\S+)\)'
    pads = [tuple(map(float, one)) for one in re.findall(pad, text)]
    places = [PLACES[leg] for leg in legs.split()]
    apart = [dist(pads[0][:2], one[:2]) for one in pads]
    assert apart == pytest.approx([dist(places[0], one) for one in places])
    if legs.split()[0] in LEGS:
        assert max(one[2] for one in pads) <= bought().mm("receiver", "drill")
