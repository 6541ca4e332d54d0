"""The files that makers print are those of the case, and the parts list is that of the data."""

import json
import re
import struct
import zipfile
from itertools import pairwise
from math import hypot

import numpy as np
import pytest

from firmware.display.text.language import book
from hardware import kit
from hardware.board.drawn import INK, SHEETS
from hardware.board.plan import plans
from hardware.case.checks import build
from hardware.case.lines import NEW, OLD, Drawn, drawing, framed
from hardware.case.sizes import CUP
from hardware.case.solids import box, rod
from hardware.guide.pages import EVENING
from hardware.kit import DOCS, MADE, step_pictures
from hardware.parts import ROOT, TRIED, bought
from hardware.texts import LANGUAGES, mark, warning

CASE = build(CUP)
VERTEX = re.compile('<vertex x="([^"]+)" y="([^"]+)" z="([^"]+)"')
TRIANGLE = re.compile('<triangle v1="([^"]+)" v2="([^"]+)" v3="([^"]+)"')


def model_of(path):
    return zipfile.ZipFile(path).read("3D/3dmodel.model").decode()


def test_the_files_to_print_are_up_to_date():
    parts = kit.to_print(CASE)
    assert {path.stem for path in MADE.glob("*.3mf")} == set(parts)
    for name, solid in parts.items():
        model = model_of(MADE / f"{name}.3mf")
        assert model.count("<triangle ") == solid.num_tri(), f"{name}: run make kit"
        places = np.array([[float(at) for at in found] for found in VERTEX.findall(model)])
        box = solid.bounding_box()
        assert np.ptp(places, axis=0) == pytest.approx(np.subtract(box[3:], box[:3]), abs=1e-3)


@pytest.mark.parametrize("path", sorted(MADE.glob("*.3mf")), ids=lambda path: path.stem)
def test_a_file_to_print_is_closed_and_no_triangle_of_it_is_a_line(path):
    model = model_of(path)
    places = np.array(VERTEX.findall(model), dtype=float)
    faces = np.array(TRIANGLE.findall(model), dtype=int)
    assert len(np.unique(places, axis=0)) == len(places), "no corner stands there twice"
    cross = np.cross(*(places[faces[:, n]] - places[faces[:, 0]] for n in (1, 2)))
    assert np.linalg.norm(cross, axis=1).min() > 1e-9, "mm²"
    ways = {(a, b) for face in faces.tolist() for a, b in pairwise([*face, face[0]])}
    assert len(ways) == 3 * len(faces), "each edge is walked once each way"
    assert {(b, a) for a, b in ways} == ways


PUBLISHED = sorted(path for room in (DOCS, MADE) for path in room.rglob("*") if path.is_file())
BREADBOARD = {f"{name}.svg" for name in (*SHEETS, *dict(step_pictures(CASE))) if "body" not in name}
BODY = [path for path in PUBLISHED if path.name not in BREADBOARD]


@pytest.mark.parametrize("path", BODY, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_each_file_of_the_body_says_that_nobody_may_build_it(path):
    language = next((one for one in LANGUAGES if f".{one}." in path.name), "en")
    if path.suffix == ".md":
        assert path.read_text("utf-8").splitlines()[0] == warning(language), "run make kit"
    elif path.suffix == ".3mf":
        assert model_of(path).count(mark(language)) == 2, "run make kit"
    else:
        assert mark(language).encode() in path.read_bytes(), "run make kit"


def test_the_page_with_the_case_says_it_in_its_title():
    said = {"en": "do not build it", "de": "nicht nachbauen", "fr": "à ne pas construire"}
    assert set(said) == set(LANGUAGES)
    assert all(words in book(language).texts["page.kitTitle"] for language, words in said.items())


def test_the_readme_and_the_parts_list_say_it_too():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.partition("\n## Build one\n\n")[2].splitlines()[0] == warning("en")
    assert mark().split(":")[0] in (ROOT / "hardware" / "parts.toml").read_text().splitlines()[0]


def test_the_parts_list_is_up_to_date():
    assert kit.parts_page() == (DOCS / "parts.md").read_text(encoding="utf-8"), "run make kit"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", kit.PAGES)
def test_the_pages_are_up_to_date(name, language):
    written = (DOCS / f"{name}.{language}.md").read_text(encoding="utf-8")
    assert kit.PAGES[name](language) == written, "run make kit"


def test_the_solids_to_look_at_are_up_to_date():
    data = (MADE / "handheld.glb").read_bytes()
    magic, version, total, long, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, total, kind) == (b"glTF", 2, len(data), b"JSON")
    head = json.loads(data[20 : 20 + long])
    for node, body in zip(head["nodes"], kit.solids(CASE), strict=True):
        assert node["name"] == body.name, "run make kit"
        assert node["extras"]["lift"] * 1000 == pytest.approx(kit.lifted(body)), "run make kit"
        (primitive,) = head["meshes"][node["mesh"]]["primitives"]
        corners = head["accessors"][primitive["indices"]]["count"]
        assert corners == 3 * body.solid.num_tri(), f"{body.name}: run make kit"
        place = head["accessors"][primitive["attributes"]["POSITION"]]
        scale = node["scale"][0] * 1000  # y is up there
        low, high = place["min"][0] * scale, place["max"][1] * scale
        box = body.solid.bounding_box()
        assert [low, high] == pytest.approx([box[0], box[5]], abs=0.01)


GOOD = kit.fits()


def test_the_numbers_that_fitted_last_are_those_of_the_list():
    assert {place: one.value for place, one in bought().figures().items()} == GOOD, "run make kit"


@pytest.mark.whole
def test_a_number_that_breaks_a_fit_is_one_line_with_the_nearest_that_fits(capsys):
    token = TRIED.set(bought().with_values({"parts.qt.mm.board": 2.6}))
    try:
        assert kit.main() == 1
    finally:
        TRIED.reset(token)
    (line,) = capsys.readouterr().err.splitlines()
    start, nearest = line.split("; the nearest value that fits is ")
    assert start.startswith("parts.toml: parts.qt.mm.board = 2.6 (adxl345 board, medium) breaks ")
    value, change = (float(one) for one in nearest.split(", "))
    assert change == pytest.approx(value - 2.6)
    check = start.split(" breaks ")[1].split(":")[0]
    more = bought().with_values({"parts.qt.mm.board": value + 2 * kit.FINE_MM})
    assert kit.faults_with(more, [check])


@pytest.mark.night
@pytest.mark.parametrize("place", [place for place in GOOD if ".mm." in place])
def test_each_wrong_number_is_at_most_one_line(place):
    for change in (-3, -1, -0.5, 0.5, 1, 3):
        lines = list(kit.broken_fits(bought().with_values({place: GOOD[place] + change}), GOOD))
        assert len(lines) <= 1
        assert all("\n" not in line and f"{place} = " in line for line in lines)


DRAWINGS = ROOT / "docs" / "build" / "steps"
STEPS = dict(step_pictures(CASE))
PLANS = [name for name in STEPS if not name.startswith(("body-", "software"))]
CUBE = box((0, 0, 0), (20, 20, 20))


def lines(svg, colour):
    """The straight lines of a colour, as pairs of places in pixels."""
    paths = "".join(re.findall(rf'stroke="{colour}"[^>]* d="([^"]*)"', svg))
    chains = [chain.split("L") for chain in paths.split("M")[1:]]
    places = [[tuple(map(float, at.split())) for at in chain] for chain in chains]
    return [pair for chain in places for pair in pairwise(chain)]


def length(svg, colour):
    return sum(hypot(x - to_x, y - to_y) for (x, y), (to_x, to_y) in lines(svg, colour))


def drawn(*things):
    return drawing(things, framed(things, -30, 30, 600, 600))


def test_a_cube_shows_nine_of_its_twelve_edges():
    assert len(lines(drawn(Drawn(CUBE)), OLD)) == 9


def test_a_cube_behind_a_wall_is_not_drawn():
    wall = box((-60, -10, -60), (80, -5, 120))
    beside = Drawn(CUBE.translate([0, -60, 0]), True)
    behind = Drawn(CUBE.translate([0, 20, 0]), True)
    assert length(drawn(Drawn(wall), behind), NEW) == 0
    assert length(drawn(Drawn(wall), beside), NEW) > 100


def test_a_rod_is_drawn_by_its_rims_and_its_two_outlines():
    upright = [
        one for one in lines(drawn(Drawn(rod(0, 0, 0, 30, 20))), OLD)
        if abs(one[0][0] - one[1][0]) < 1 and abs(one[0][1] - one[1][1]) > 100
    ]  # fmt: skip
    assert len(upright) == 2


def test_a_new_part_is_tinted_and_has_an_arrow_to_its_place():
    svg = drawn(Drawn(CUBE), Drawn(CUBE, True, (0, 0, 40)))
    assert re.search('fill="#f8d9c4" d="M', svg)
    ((x, y), (to_x, to_y)) = [
        tuple(map(float, at.split(",")))
        for at in re.findall(r'<polyline points="(\S+) (\S+)"', svg)[0]
    ]
    assert abs(x - to_x) < 1
    assert y < to_y, "it goes down"


def test_a_part_that_is_done_keeps_its_name_in_dark_letters():
    svg = (DRAWINGS / "match.svg").read_text(encoding="utf-8")
    dark = re.findall(rf'<text [^>]*fill="{INK}"[^>]*>(\w+)', svg)
    assert {*plans()[EVENING].holes} <= {*dark}


def test_every_step_has_its_drawing():
    assert {path.stem for path in DRAWINGS.glob("*.svg")} == set(STEPS)
    assert all(path.stat().st_size < 50_000 for path in DRAWINGS.glob("*.svg"))


@pytest.mark.parametrize(
    "name",
    [name if name in PLANS else pytest.param(name, marks=pytest.mark.night) for name in STEPS],
)
def test_the_drawings_are_up_to_date(name):
    svg = (DRAWINGS / f"{name}.svg").read_text(encoding="utf-8")
    again = STEPS[name]()
    assert svg == again or name not in PLANS, "run make kit"
    for colour in (OLD, NEW):  # the order of the triangles differs from run to run
        new = pytest.approx(length(again, colour), rel=0.01)
        assert length(svg, colour) == new, "run make kit"
