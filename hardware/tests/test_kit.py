"""The files that makers print are those of the case, and the parts list is that of the data."""

import json
import re
import struct
import zipfile

import numpy as np
import pytest

from firmware.display.text.language import book
from hardware.board.sheet import SHEETS
from hardware.case.checks import build
from hardware.case.sizes import CUP
from hardware.kit import DOCS, MADE, PAGES, lifted, parts_page, solids, step_pictures, to_print
from hardware.parts import ROOT
from hardware.texts import LANGUAGES, mark, warning

CASE = build(CUP)
VERTEX = re.compile('<vertex x="([^"]+)" y="([^"]+)" z="([^"]+)"')


def model_of(path):
    return zipfile.ZipFile(path).read("3D/3dmodel.model").decode()


def test_the_files_to_print_are_up_to_date():
    parts = to_print(CASE)
    assert {path.stem for path in MADE.glob("*.3mf")} == set(parts)
    for name, solid in parts.items():
        model = model_of(MADE / f"{name}.3mf")
        assert model.count("<triangle ") == solid.num_tri(), f"{name}: run make kit"
        places = np.array([[float(at) for at in found] for found in VERTEX.findall(model)])
        box = solid.bounding_box()
        assert np.ptp(places, axis=0) == pytest.approx(np.subtract(box[3:], box[:3]), abs=1e-3)


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
    assert parts_page() == (DOCS / "parts.md").read_text(encoding="utf-8"), "run make kit"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_up_to_date(name, language):
    written = (DOCS / f"{name}.{language}.md").read_text(encoding="utf-8")
    assert PAGES[name](language) == written, "run make kit"


def test_the_solids_to_look_at_are_up_to_date():
    data = (MADE / "handheld.glb").read_bytes()
    magic, version, total, long, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, total, kind) == (b"glTF", 2, len(data), b"JSON")
    head = json.loads(data[20 : 20 + long])
    for node, body in zip(head["nodes"], solids(CASE), strict=True):
        assert node["name"] == body.name, "run make kit"
        assert node["extras"]["lift"] * 1000 == pytest.approx(lifted(body)), "run make kit"
        (primitive,) = head["meshes"][node["mesh"]]["primitives"]
        corners = head["accessors"][primitive["indices"]]["count"]
        assert corners == 3 * body.solid.num_tri(), f"{body.name}: run make kit"
        place = head["accessors"][primitive["attributes"]["POSITION"]]
        scale = node["scale"][0] * 1000  # y is up there
        low, high = place["min"][0] * scale, place["max"][1] * scale
        box = body.solid.bounding_box()
        assert [low, high] == pytest.approx([box[0], box[5]], abs=0.01)
