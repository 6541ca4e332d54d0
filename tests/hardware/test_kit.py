"""The files that makers print are those of the case, and the parts list is that of the data."""

import base64
import json
import re
import struct
import zipfile
import zlib

import numpy as np
import pytest
from PIL import Image, ImageColor

pytest.importorskip("manifold3d", reason="the case needs manifold3d: pip install -e '.[kit]'")

from firmware.display.text.language import book
from hardware.case.checks import build
from hardware.case.sizes import CUP
from hardware.guide.steps import steps
from hardware.kit import BAND, BAND_COLOUR, DOCS, MADE, lifted, parts_page, solids, to_print
from hardware.texts import LANGUAGES, mark, warning
from tests.project.rooms import ROOT

CASE = build(CUP)
VERTEX = re.compile('<vertex x="([^"]+)" y="([^"]+)" z="([^"]+)"')
TRIANGLE = re.compile('<triangle v1="([^"]+)" v2="([^"]+)" v3="([^"]+)"')


def volume(path):
    """What the triangles of a 3MF file enclose, in mm³; a gap or a turned face would show."""
    with zipfile.ZipFile(path) as packed:
        model = packed.read("3D/3dmodel.model").decode()
    places = [[float(at) for at in found] for found in VERTEX.findall(model)]
    corners = np.array(places)[[[int(one) for one in found] for found in TRIANGLE.findall(model)]]
    return np.linalg.det(corners).sum() / 6


def test_the_files_to_print_are_up_to_date():
    parts = to_print(CASE)
    assert {path.stem for path in MADE.glob("*.3mf")} == set(parts)
    for name, solid in parts.items():  # the order of the triangles differs from run to run
        close = pytest.approx(solid.volume(), rel=1e-4)
        assert volume(MADE / f"{name}.3mf") == close, f"{name}: run make kit"


PUBLISHED = sorted(path for room in (DOCS, MADE) for path in room.rglob("*") if path.is_file())
BREADBOARD = {f"{step.name}.svg" for step in steps()}


def language_of(path):
    """The language in a file's name; English where there is none."""
    return next((one for one in LANGUAGES if f".{one}." in path.name), "en")


def drawn_text(data):
    """The commands that draw the page of a PDF, its letters as text."""
    stream = re.search(rb"stream\s+(.*?~>)\s*endstream", data, re.DOTALL)[1]
    page = zlib.decompress(base64.a85decode(b"<~" + stream, adobe=True))
    page = re.sub(rb"\\(\d{3})", lambda octal: bytes([int(octal[1], 8)]), page)
    return page.decode("cp1252")


def unmarked(path, data):
    """The parts of a file of the body that do not say that nobody may build it."""
    said = mark(language_of(path))
    if path.suffix == ".md":
        return [] if data.decode().splitlines()[0] == warning(language_of(path)) else [path.name]
    if path.suffix == ".jpg":
        picture = Image.open(path)
        band = [picture.getpixel((5, y)) for y in (5, BAND - 5)]
        is_red = np.abs(np.array(band) - ImageColor.getrgb(BAND_COLOUR)).max() < 20
        return [] if is_red and picture.info.get("comment") == said.encode() else [path.name]
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as packed:
            return [one for one in packed.namelist() if said not in packed.read(one).decode()]
    if path.suffix == ".3mf":
        with zipfile.ZipFile(path) as packed:
            data = packed.read("3D/3dmodel.model")
        return [] if data.decode().count(said) == 2 else [path.name]
    if path.suffix == ".pdf":
        drawn = drawn_text(data).count(said.replace("\xa0", " "))
        return [] if drawn == 2 else [path.name]
    return [] if said.encode() in data else [path.name]


def is_of_the_breadboard(path):
    if path.parent.name == "steps":
        return path.name in BREADBOARD
    return path.parent.name == "boards" and path.name.startswith("breadboard-")


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_each_file_of_the_body_says_that_nobody_may_build_it(path):
    if not is_of_the_breadboard(path):
        assert unmarked(path, path.read_bytes()) == [], "run make kit"


def test_the_page_with_the_case_says_it_in_its_title():
    said = {"en": "do not build it", "de": "nicht nachbauen", "fr": "à ne pas construire"}
    assert set(said) == set(LANGUAGES)
    assert all(words in book(language).texts["page.kitTitle"] for language, words in said.items())


def test_the_readme_and_the_parts_list_say_it_too():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.partition("\n## Build one\n\n")[2].splitlines()[0] == warning("en")
    assert mark().split(":")[0] in (ROOT / "hardware" / "parts.toml").read_text().splitlines()[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_has_a_step_with_the_cell(language):
    forbidden = re.compile(r"LBO|gpio-shutdown|R6\b|PowerBoost|mAh|perfboard|Lochraster|pastilles")
    for path in (*DOCS.glob(f"*.{language}.md"), DOCS / "parts.md"):
        _, *lines = path.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if forbidden.search(line)] == []


def test_the_parts_list_is_up_to_date():
    assert parts_page() == (DOCS / "parts.md").read_text(encoding="utf-8"), "run make kit"


def solids_of_glb(path):
    """Name, volume in mm³ and way apart in mm of every solid in a binary glTF."""
    data = path.read_bytes()
    magic, version, total, long, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, total, kind) == (b"glTF", 2, len(data), b"JSON")
    head = json.loads(data[20 : 20 + long])
    binary = data[28 + long :]

    def rows(number, kind, across):
        accessor = head["accessors"][number]
        view = head["bufferViews"][accessor["bufferView"]]
        step = view.get("byteStride", np.dtype(kind).itemsize * across)
        table = np.frombuffer(binary, np.uint8, view["byteLength"], view["byteOffset"])
        cut = table.reshape(-1, step)[:, : np.dtype(kind).itemsize * across]
        return np.ascontiguousarray(cut).view(kind)[: accessor["count"]].astype(float)

    for node in head["nodes"]:
        (primitive,) = head["meshes"][node["mesh"]]["primitives"]
        scale = node["scale"][0] * 1000
        places = rows(primitive["attributes"]["POSITION"], "<i2", 3) * scale
        normals = rows(primitive["attributes"]["NORMAL"], "i1", 3) / 127
        assert np.linalg.norm(normals, axis=1) == pytest.approx(1, abs=0.02)
        corners = places[rows(primitive["indices"], "<u2", 1).astype(int).reshape(-1, 3)]
        yield node["name"], np.linalg.det(corners).sum() / 6, node["extras"]["lift"] * 1000


def test_the_solids_to_look_at_are_up_to_date():
    made = {name: rest for name, *rest in solids_of_glb(MADE / "handheld.glb")}
    wanted = {body.name: [body.solid.volume(), lifted(body)] for body in solids(CASE)}
    assert set(made) == set(wanted), "run make kit"
    for name, told in wanted.items():
        assert made[name] == pytest.approx(told, rel=5e-3), f"{name}: run make kit"
