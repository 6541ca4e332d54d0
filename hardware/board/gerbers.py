"""The printed board as files to order it: KiCad's own checks, and Gerbers."""

import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hardware.texts import mark, warning

KICAD_PYTHON: Final = Path("/usr/bin/python3")
"""The Python that Debian's KiCad comes with."""
PLOT: Final = Path(__file__).with_name("plot.py")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def has_kicad() -> bool:
    """Return whether KiCad can be asked here."""
    command = [str(KICAD_PYTHON), "-c", "import pcbnew"]
    return KICAD_PYTHON.exists() and subprocess.run(command, capture_output=True).returncode == 0


def plotted(board: str) -> dict[str, bytes]:
    """Return the files that KiCad plots from a board, by name.

    Raises:
        ValueError: the board breaks a design rule; the text is KiCad's report.
    """
    with TemporaryDirectory() as folder:
        path, plots = Path(folder) / "carrier.kicad_pcb", Path(folder) / "plots"
        path.write_text(board, encoding="utf-8")
        plots.mkdir()
        done = subprocess.run(
            [KICAD_PYTHON, PLOT, path, plots], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise ValueError(done.stdout or done.stderr)
        return marked({one.name: one.read_bytes() for one in sorted(plots.iterdir())})


def marked(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return plotted files with the mark of the body as a comment in each, and a README."""
    found = {"README.txt": f"{mark()}\n\n{warning('en')}\n".encode()}
    for name, data in files.items():
        if name.endswith(".drl"):  # a comment of Excellon comes after its header's first line
            first, _, rest = data.partition(b"\n")
            found[name] = b"\n".join([first, f"; {mark()}".encode(), rest])
        else:
            found[name] = f"G04 {mark()}*\n".encode() + data
    return found


def write_gerbers(path: Path, files: dict[str, bytes]) -> None:
    """Write plotted files as a zip, as makers of boards take it; the same files, the same bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, data in files.items():
            packed.writestr(zipfile.ZipInfo(name, _LONG_AGO), data, zipfile.ZIP_DEFLATED)
