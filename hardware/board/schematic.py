"""The netlist as a schematic of KiCad 7 and later, for its check of electrical rules (ERC).

Every part is a box, every leg a pin with the name of its signal. KiCad itself is not needed.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hardware.board.drawn import value
from hardware.board.kicad import stamp
from hardware.board.nets import ALL_PARTS, Netlist, signals
from hardware.texts import mark

PITCH_MM: Final = 2.54
LEG_MM: Final = 2.54
HALF_MM: Final = 7.62
"""Half the width of a box."""
ROWS_MM: Final = 190.5
"""Height of a column of boxes on the sheet."""
KINDS: Final[Mapping[str, str]] = {
    "VCC": "power_in", "GND": "power_in", "Pi.1": "power_out", "Pi.2": "power_in",
    "Pi.39": "power_in", "OUT": "output", "Q": "output", "INT1": "output", "INT2": "output",
    "CS": "input", "SDO": "input", "SCL": "input", "SDA": "bidirectional", "Pi": "bidirectional",
    "charger.5V": "power_out", "charger.GND": "power_out", "EN": "input", "LBO": "open_collector",
    "BAT": "power_in", "cell.+": "power_out",
}  # fmt: skip
"""The task of a leg, by ``part.leg``, by the leg or by the part; any other leg is passive.

The receiver's supply is passive: a resistor feeds it.
"""
PROJECT: Final = (
    json.dumps(
        {
            "erc": {"rule_severities": {"lib_symbol_issues": "ignore"}},
            "text_variables": {"STATE": mark()},
        }
    )
    + "\n"
)
"""A project of KiCad beside the schematic, whose symbols stand in itself and in no library."""
_FONT: Final = "(effects (font (size 1.27 1.27)))"


def kind_of(part: str, leg: str) -> str:
    """Return the task of a leg, in KiCad's word."""
    names = (f"{part}.{leg}", leg, part)
    return next((KINDS[name] for name in names if name in KINDS), "passive")


def kicad_schematic(nets: Netlist) -> str:
    """Return the schematic; the same netlist gives the same bytes."""
    root = stamp("schematic")
    lines = [
        f'(kicad_sch (version 20230121) (generator maexchen) (uuid {root}) (paper "A4")',
        f'  (title_block (title "{mark()}") (comment 1 "Mäxchen carrier"))',
        "  (lib_symbols",
        *(_box(part) for part in ALL_PARTS),
        "  )",
    ]
    named = signals(nets)
    x, y = 50.8, 25.4
    for part, its in ALL_PARTS.items():
        high = (len(its.legs) + 3) * PITCH_MM
        if y + high > ROWS_MM:
            x, y = x + 76.2, 25.4
        lines += _placed(part, x, y, root)
        for number, leg in enumerate(its.legs):
            at = f"(at {x - HALF_MM - LEG_MM:g} {y + number * PITCH_MM:g}"
            end = stamp("end", part, leg)
            signal = named.get(f"{part}.{leg}")
            if signal is None:
                lines.append(f"  (no_connect {at}) (uuid {end}))")
            else:
                effects = f"{_FONT[:-1]} (justify right))"
                lines.append(
                    f'  (global_label "{signal}" (shape passive) {at} 180) {effects} (uuid {end}))'
                )
        y += high
    lines.append('  (sheet_instances (path "/" (page "1")))')
    return "\n".join([*lines, ")"]) + "\n"


def _box(part: str) -> str:
    """A symbol: legs at the left, one below the other."""
    legs = ALL_PARTS[part].legs
    low = -(len(legs) - 0.5) * PITCH_MM
    pins = "".join(
        f"\n      (pin {kind_of(part, leg)} line (at {-HALF_MM - LEG_MM:g} {-n * PITCH_MM:g} 0) "
        f'(length {LEG_MM:g}) (name "{leg}" {_FONT}) (number "{n + 1}" {_FONT}))'
        for n, leg in enumerate(legs)
    )
    return (
        f'    (symbol "maexchen:{part}" (in_bom yes) (on_board yes){_properties(part, 0, 0)}\n'
        f'     (symbol "{part}_1_1" (rectangle (start {-HALF_MM:g} {PITCH_MM:g}) '
        f"(end {HALF_MM:g} {low:g}) (stroke (width 0.254) (type default)) "
        f"(fill (type background))){pins}))"
    )


def _properties(part: str, x: float, y: float) -> str:
    said = {"Reference": (_name(part), -1), "Value": (value(part) or "~", 1)}
    said |= {"Footprint": ("", 0), "Datasheet": ("", 0)}
    return "".join(
        f'\n     (property "{name}" "{word}" '
        f"(at {x + side * HALF_MM / 2:g} {y - 1.5 * PITCH_MM:g} 0) {_FONT})"
        for name, (word, side) in said.items()
    )


def _name(part: str) -> str:
    """A name as KiCad wants it, with a number at its end."""
    return part if part[-1].isdigit() else f"{part}1"


def _placed(part: str, x: float, y: float, root: str) -> Iterator[str]:
    yield (
        f'  (symbol (lib_id "maexchen:{part}") (at {x:g} {y:g} 0) (unit 1) (in_bom yes) '
        f"(on_board yes) (dnp no) (uuid {stamp('symbol', part)}){_properties(part, x, y)}"
    )
    yield (
        f'    (instances (project "carrier" (path "/{root}" (reference "{_name(part)}") '
        "(unit 1)))))"
    )


def has_erc() -> bool:
    """Return whether a KiCad is here that checks electrical rules: 7 or later."""
    return shutil.which("kicad-cli") is not None


def erc(schematic: str) -> list[str]:
    """Return what KiCad's electrical rules find, one line each."""
    with TemporaryDirectory() as folder:
        path, found = Path(folder) / "carrier.kicad_sch", Path(folder) / "found.json"
        path.write_text(schematic, encoding="utf-8")
        path.with_suffix(".kicad_pro").write_text(PROJECT, encoding="utf-8")
        command = ["kicad-cli", "sch", "erc", "--format", "json", "--output", str(found), str(path)]
        subprocess.run(command, capture_output=True, check=True)
        sheets = json.loads(found.read_text(encoding="utf-8"))["sheets"]
    return [
        f"{one['severity']}: {one['type']}: {one['description']}: "
        + ", ".join(item["description"] for item in one["items"])
        for sheet in sheets
        for one in sheet["violations"]
    ]
