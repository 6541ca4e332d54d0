"""``make kit``: write all that is made from parts list, netlist and sizes.

The files to print go to ``hardware/made``; pictures and the parts list go to ``docs/build``. The
case is checked first, and nothing is written if a check finds a fault.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from manifold3d import Manifold
from PIL import Image

from hardware.case.bodies import GOLD, Body
from hardware.case.checks import Case, build, findings
from hardware.case.files import write_3mf, write_glb
from hardware.case.picture import Camera, Thing, picture
from hardware.case.sizes import CUP, FORMS
from hardware.parts import bought, hours

ROOT: Final = Path(__file__).parents[1]
MADE: Final = ROOT / "hardware" / "made"
DOCS: Final = ROOT / "docs" / "build"
STEP_MM: Final = 13.0
"""How far apart the floors of the exploded view are."""
OUTSIDE: Final = ("pane", "glass", "screw 1", "screw 2", "screw 3", "screw 4")
"""Bought parts that are seen from outside."""
PERSPECTIVE: Final = Camera(28, 48, (0, 50, 10), 158, (1000, 800))
CELLS_MAH: Final = (1200, 2000)
STATES: Final = ("idle", "play", "typical")
"""The states under ``power`` in the parts list that a cell is reckoned for."""


def lifted(body: Body) -> float:
    """Return the way in mm that a body moves up in the exploded view."""
    return body.floor * STEP_MM


def solids(case: Case) -> Iterator[Body]:
    """Yield what a handheld consists of: the printed parts and the bought ones."""
    yield from case.printed
    yield from (body for body in case.inside if body.kind == "part")


def closed(case: Case) -> list[Thing]:
    """Return what can be seen of a closed case."""
    seen = [*case.printed, *(body for body in case.inside if body.name in OUTSIDE)]
    return [_thing(body, body.solid) for body in seen]


def exploded(case: Case) -> list[Thing]:
    """Return every part, moved up or down to its floor."""
    return [_thing(body, body.solid.translate([0, 0, lifted(body)])) for body in solids(case)]


def _thing(body: Body, solid: Manifold) -> Thing:
    return Thing(solid, body.colour, 0.6 if body.colour == GOLD else 0.12)


def three_forms() -> Image.Image:
    """Return the forms that were compared, side by side in the order of `FORMS`."""
    shots = [
        picture(closed(build(sizes)), PERSPECTIVE._replace(size=(600, 480)))
        for sizes in FORMS.values()
    ]
    sheet = Image.new("RGB", (sum(shot.width for shot in shots), shots[0].height))
    for number, shot in enumerate(shots):
        sheet.paste(shot, (number * shot.width, 0))
    return sheet


def parts_page() -> str:
    """Return the parts list and the running times as a document in Markdown."""
    listed = bought()
    lines = [
        "# Parts list",
        "",
        "`make kit` writes this page from [parts.toml](../../hardware/parts.toml). That file also "
        "names the source of every number. No prices: none was looked up. "
        "[How to build](README.md) · [glossary](../glossary.md)",
        "",
        "| for | take | or | look for | for one | for four |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {part.role} | {part.take} | {'; '.join(part.instead)} | {part.look_for} | {part.one} "
        f"| {part.four} |"
        for part in listed.parts.values()
    ]
    lines += [
        "",
        "## Running time",
        "",
        "| state | mA at 5 V | 1200 mAh | 2000 mAh |",
        "|---|---|---|---|",
    ]
    for name in STATES:
        limit = listed.power[name]
        now = limit.figure.value
        times = " | ".join(f"{hours(cell, now):.1f} h" for cell in CELLS_MAH)
        lines.append(f"| {limit.why} | {now:g} | {times} |")
    lines += [
        "",
        "The share of the charge, the booster's loss and the current in a match are assumed.",
    ]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] = ()) -> int:
    """Write everything; return 1 without writing if the case has a fault."""
    del argv
    case = build(CUP)
    if faults := findings(case):
        print(*faults, sep="\n", file=sys.stderr)
        return 1
    MADE.mkdir(exist_ok=True)
    DOCS.mkdir(exist_ok=True)
    for body in case.printed:
        write_3mf(MADE / f"{body.name}.3mf", body.name, body.solid)
    write_glb(
        MADE / "handheld.glb",
        [(body.name, body.solid, body.colour, lifted(body)) for body in solids(case)],
    )
    picture(closed(case), PERSPECTIVE).save(DOCS / "handheld.jpg", quality=88)
    away = Camera(32, 22, (0, 50, 62), 185, (900, 1100), away=700)
    picture(exploded(case), away, ground=None).save(DOCS / "exploded.jpg", quality=88)
    three_forms().save(DOCS / "forms.jpg", quality=88)
    (DOCS / "parts.md").write_text(parts_page(), encoding="utf-8")
    print(f"wrote {MADE} and {DOCS}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
