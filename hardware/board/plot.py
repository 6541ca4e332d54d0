"""Let KiCad check the printed board and plot it: ``python plot.py BOARD FOLDER``.

It runs in the Python that KiCad comes with (on Debian ``/usr/bin/python3``), so it imports nothing
of the project. It prints each finding of the design rules, and writes Gerbers and the drill file.
"""

import re
import sys
from pathlib import Path

import pcbnew  # type: ignore[import-not-found]

LAYERS = ("F.Cu", "B.Cu", "F.Mask", "B.Mask", "F.SilkS", "B.SilkS", "Edge.Cuts")
_DATED = re.compile(
    r"^(;|G04|%TF\.|; #@! TF\.).*(date|Date|Created by|GenerationSoftware).*\n", re.M
)


def main(board_path: str, folder: str) -> int:
    """Return the number of findings; plot only if there are none."""
    board = pcbnew.LoadBoard(board_path)
    report = Path(folder) / "rules.txt"
    pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    told = report.read_text(encoding="utf-8")
    report.unlink()
    counts = [int(count) for count in re.findall(r"Found (\d+) ", told)]
    if sum(counts):
        print(told)
        return sum(counts)
    plotter = pcbnew.PLOT_CONTROLLER(board)
    options = plotter.GetPlotOptions()
    options.SetOutputDirectory(folder)
    options.SetUseGerberProtelExtensions(True)
    options.SetCreateGerberJobFile(False)
    options.SetPlotFrameRef(False)
    for name in LAYERS:
        layer = board.GetLayerID(name)
        plotter.SetLayer(layer)
        plotter.OpenPlotfile(name.replace(".", "_"), pcbnew.PLOT_FORMAT_GERBER, name)
        plotter.PlotLayer()
    plotter.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), True)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(folder, True, False)
    for path in Path(folder).iterdir():
        path.write_text(_DATED.sub("", path.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
