"""The files that makers print are those of the case, and the parts list is that of the data."""

import re
import zipfile

import numpy as np
import pytest

pytest.importorskip("manifold3d", reason="the case needs manifold3d: pip install -e '.[kit]'")

from hardware.case.shells import printed
from hardware.case.sizes import CUP
from hardware.kit import DOCS, MADE, parts_page

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
    parts = printed(CUP)
    assert {path.stem for path in MADE.glob("*.3mf")} == {body.name for body in parts}
    for body in parts:  # the order of the triangles differs from run to run
        close = pytest.approx(body.solid.volume(), rel=1e-4)
        assert volume(MADE / f"{body.name}.3mf") == close, f"{body.name}: run make kit"


def test_the_parts_list_is_up_to_date():
    assert parts_page() == (DOCS / "parts.md").read_text(encoding="utf-8"), "run make kit"
