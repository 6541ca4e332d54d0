"""The files that makers print are those of the case, and the parts list is that of the data."""

import json
import re
import struct
import zipfile

import numpy as np
import pytest

pytest.importorskip("manifold3d", reason="the case needs manifold3d: pip install -e '.[kit]'")

from hardware.case.checks import build
from hardware.case.sizes import CUP, DEEP
from hardware.kit import DOCS, MADE, lifted, parts_page, solids, to_print

CASES = {"handheld": build(CUP), "deep": build(DEEP)}
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
    parts = to_print(CASES["handheld"], CASES["deep"])
    assert {path.stem for path in MADE.glob("*.3mf")} == set(parts)
    for name, solid in parts.items():  # the order of the triangles differs from run to run
        close = pytest.approx(solid.volume(), rel=1e-4)
        assert volume(MADE / f"{name}.3mf") == close, f"{name}: run make kit"


@pytest.mark.parametrize("name", ["front", "well", "ring"])
def test_a_part_of_both_cases_is_the_same(name):
    case, deep = CASES.values()
    moved = case.solid(name).translate([0, 0, DEEP.thick - CUP.thick])
    assert (moved - deep.solid(name)).volume() == pytest.approx(0, abs=0.01)
    assert moved.volume() == pytest.approx(deep.solid(name).volume())


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


@pytest.mark.parametrize("file", ["handheld", pytest.param("deep", marks=pytest.mark.whole)])
def test_the_solids_to_look_at_are_up_to_date(file):
    made = {name: rest for name, *rest in solids_of_glb(MADE / f"{file}.glb")}
    wanted = {body.name: [body.solid.volume(), lifted(body)] for body in solids(CASES[file])}
    assert set(made) == set(wanted), "run make kit"
    for name, told in wanted.items():
        assert made[name] == pytest.approx(told, rel=5e-3), f"{name}: run make kit"
