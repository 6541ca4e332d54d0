"""The files that makers print are those of the case, and the parts list is that of the data."""

import pytest

pytest.importorskip("manifold3d", reason="the case needs manifold3d: pip install -e '.[kit]'")

from hardware.case.files import write_3mf
from hardware.case.shells import printed
from hardware.case.sizes import CUP
from hardware.kit import DOCS, MADE, parts_page


def test_the_files_to_print_are_up_to_date(tmp_path):
    parts = printed(CUP)
    assert {path.stem for path in MADE.glob("*.3mf")} == {body.name for body in parts}
    for body in parts:
        write_3mf(tmp_path / "made.3mf", body.name, body.solid)
        made = (tmp_path / "made.3mf").read_bytes()
        assert made == (MADE / f"{body.name}.3mf").read_bytes(), f"{body.name}: run make kit"


def test_the_parts_list_is_up_to_date():
    assert parts_page() == (DOCS / "parts.md").read_text(encoding="utf-8"), "run make kit"
