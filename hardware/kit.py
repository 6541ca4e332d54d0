"""``make kit``: write all that is made from parts list, netlist and sizes.

The body is being redesigned, so each of its files carries a mark: nobody may build it. Files to
print go to ``hardware/made``; pictures and the parts list go to ``docs/build``. The case is checked
first, and nothing is written if a check finds a fault.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from manifold3d import Manifold
from PIL import Image, ImageDraw, ImageFont

from firmware.display import screens
from firmware.display.oled.draw import draw
from firmware.display.text.language import ENGLISH
from game.bluff.values import value_of
from hardware.board.copper import copper
from hardware.board.gerbers import has_kicad, plotted, write_gerbers
from hardware.board.kicad import bill, kicad_board, places
from hardware.board.nets import WITH_CELL
from hardware.board.printed import printed_board
from hardware.board.schematic import PROJECT, kicad_schematic
from hardware.board.sheet import SHEETS, sheet, title_of
from hardware.board.sketch import pdf, svg
from hardware.case.bodies import Body
from hardware.case.checks import Case, build, findings
from hardware.case.files import write_3mf, write_glb
from hardware.case.picture import Camera, Glow, Thing, picture
from hardware.case.sizes import CUP, DEEP, FORMS
from hardware.guide.drawings import draw_step
from hardware.guide.pages import guide_page, taken
from hardware.guide.steps import steps
from hardware.guide.symptoms import symptoms_page
from hardware.parts import bought
from hardware.power import power_table
from hardware.texts import LANGUAGES, mark, warning

ROOT: Final = Path(__file__).parents[1]
MADE: Final = ROOT / "hardware" / "made"
DOCS: Final = ROOT / "docs" / "build"
STEP_MM: Final = 13.0
"""How far apart the floors of the exploded view are."""
TAKEN_OFF: Final = (
    "upper", "front", "well", "ring", "pane", "display", "glass", "light", "pad", "piezo",
)  # fmt: skip
"""Everything that comes off with the upper shell, and what is stuck to it."""
BARE: Final = (*TAKEN_OFF, "sender", "receiver")
BAND, BAND_COLOUR = 56, "#c62828"
"""Height in pixels and colour of the band above a picture."""
PERSPECTIVE: Final = Camera(-32, 46, (0, 50, 6), 150, (1100, 900))


def lifted(body: Body) -> float:
    """Return the way in mm that a body moves up in the exploded view."""
    return body.floor * STEP_MM


def solids(case: Case) -> Iterator[Body]:
    """Yield what a handheld consists of: the printed parts and the bought ones."""
    yield from case.printed
    yield from (body for body in case.inside if body.kind == "part")


def to_print(case: Case, deep: Case) -> dict[str, Manifold]:
    """Return the printed parts by the names of their files; the deep case shares all but shells."""
    found = {body.name: body.solid for body in case.printed}
    return found | {f"{name}-deep": deep.solid(name) for name in ("lower", "upper")}


def things(case: Case, step: float = 0.0, without: Sequence[str] = ()) -> list[Thing]:
    """Return every part but some, to be drawn; ``step``: share of the way apart, 0 to 1."""
    return [
        Thing(
            body.solid.translate([0, 0, step * lifted(body)]),
            body.colour,
            GLOSS.get(body.name, 0.1),
            _dice() if body.name == "pane" else None,
        )
        for body in solids(case)
        if body.name not in without
    ]


GLOSS: Final = {"pane": 0.9, "glass": 0.9, "ring": 0.5, "sender": 0.6}


def _dice() -> Glow:
    """The page of two and one, at the place of the display's picture."""
    page = draw(screens.LookPage((2, 1), value_of((2, 1))), ENGLISH)
    lit = [[float(page.is_lit(x, y)) for x in range(page.width)] for y in range(page.height)]
    wide, high = (bought().mm("display", f"picture_{one}") for one in ("length", "width"))
    return np.array(lit), -wide / 2, CUP.picture_y - high / 2, wide, high


def three_forms() -> Image.Image:
    """Return the forms that were compared, side by side in the order of `FORMS`."""
    shots = [
        picture(things(build(sizes)), PERSPECTIVE._replace(size=(600, 520)))
        for sizes in FORMS.values()
    ]
    sheet = Image.new("RGB", (sum(shot.width for shot in shots), shots[0].height))
    for number, shot in enumerate(shots):
        sheet.paste(shot, (number * shot.width, 0))
    return sheet


def save_picture(name: str, drawn: Image.Image) -> None:
    """Write a picture of the body, with the mark in a band above it and as the file's comment."""
    sheet = Image.new("RGB", (drawn.width, drawn.height + BAND), BAND_COLOUR)
    sheet.paste(drawn, (0, BAND))
    middle = (drawn.width / 2, BAND / 2)
    ImageDraw.Draw(sheet).text(
        middle, mark(), "white", ImageFont.load_default(BAND * 0.55), anchor="mm"
    )
    sheet.save(DOCS / f"{name}.jpg", quality=88, comment=mark().encode())


def parts_page() -> str:
    """Return the parts list and the running times as a document in Markdown."""
    lines = [
        warning("en"),
        "",
        "# Parts list of the breadboard",
        "",
        "`make kit` writes this page from [parts.toml](../../hardware/parts.toml). That file also "
        "names the source of every number. No prices: none was looked up. "
        "[Guide](guide.en.md) · [glossary](../glossary.md)",
        "",
        "| for | take | or | look for | for one | for four |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {part.role} | {part.take} | {'; '.join(part.instead)} | {part.look_for} | "
        f"{part.one} | {part.four} |"
        for name, part in bought().parts.items()
        if name in taken()
    ]
    lines += [
        "",
        "## Current",
        "",
        *power_table(),
    ]
    lines += [
        "",
        "The dimmed display and the current in a match are assumed. A Pi cannot sleep: a dark "
        "display saves 4 mA of 125. Measure yours with a USB meter.",
    ]
    return "\n".join(lines) + "\n"


def write_sheets() -> None:
    """Write the plans as sheets to print, SVG and PDF, in each language."""
    (DOCS / "boards").mkdir(exist_ok=True)
    for name, language in product(SHEETS, LANGUAGES):
        marks, title = sheet(name, language), title_of(name, language)
        path = DOCS / "boards" / f"{name}.{language}.svg"
        path.write_text(svg(marks, title=title), encoding="utf-8")
        path.with_suffix(".pdf").write_bytes(pdf(marks, title))


def write_board() -> None:
    """Write schematic, printed board, drawing and lists; Gerbers only where KiCad is installed."""
    board = kicad_board(copper())
    (MADE / "carrier.kicad_pcb").write_text(board, encoding="utf-8")
    (MADE / "carrier.kicad_sch").write_text(kicad_schematic(WITH_CELL), encoding="utf-8")
    (MADE / "carrier.kicad_pro").write_text(PROJECT, encoding="utf-8")
    (MADE / "carrier-parts.csv").write_text(bill(), encoding="utf-8")
    (MADE / "carrier-places.csv").write_text(places(), encoding="utf-8")
    (DOCS / "boards" / "carrier-printed.svg").write_text(printed_board(), encoding="utf-8")
    if has_kicad():
        write_gerbers(MADE / "carrier-gerbers.zip", plotted(board))
    else:
        print("no KiCad, so the Gerbers stay as they are: on Debian install kicad")


def write_guide(case: Case) -> None:
    """Write the guide with its drawings, and the page by symptom, in each language."""
    (DOCS / "steps").mkdir(exist_ok=True)
    for step in steps():
        path = DOCS / "steps" / f"{step.name}.svg"
        path.write_text(draw_step(step, case), encoding="utf-8")
    for language in LANGUAGES:
        for name, page in (("guide", guide_page), ("symptoms", symptoms_page)):
            (DOCS / f"{name}.{language}.md").write_text(page(language), encoding="utf-8")


def main(argv: Sequence[str] = ()) -> int:
    """Write everything; return 1 without writing if the case has a fault."""
    del argv
    case, deep = build(CUP), build(DEEP)
    if faults := [*findings(case), *findings(deep)]:
        print(*faults, sep="\n", file=sys.stderr)
        return 1
    MADE.mkdir(exist_ok=True)
    DOCS.mkdir(exist_ok=True)
    for name, solid in to_print(case, deep).items():
        write_3mf(MADE / f"{name}.3mf", name, solid)
    for name, one in (("handheld", case), ("deep", deep)):
        write_glb(
            MADE / f"{name}.glb",
            [(body.name, body.solid, body.colour, lifted(body)) for body in solids(one)],
        )
    for name, camera, seen in (
        ("handheld", PERSPECTIVE, things(case)),
        ("far_edge", Camera(148, 34, (0, 52, 8), 140, (1100, 800)), things(case)),
        ("inside", Camera(-28, 56, (0, 51, 6), 150, (1100, 900)), things(case, 0, TAKEN_OFF)),
        ("deep", Camera(-150, 30, (0, 52, 12), 150, (1100, 800)), things(deep)),
        ("deep_inside", Camera(-28, 50, (0, 51, 10), 155, (1100, 900)), things(deep, 0, BARE)),
    ):
        save_picture(name, picture(seen, camera))
    apart = Camera(-30, 20, (0, 50, 66), 182, (1000, 1200), 700)
    save_picture("exploded", picture(things(case, 1), apart, ground=None))
    save_picture("forms", three_forms())
    write_sheets()
    write_board()
    write_guide(case)
    (DOCS / "parts.md").write_text(parts_page(), encoding="utf-8")
    (MADE / "README.md").write_text(warning("en") + "\n", encoding="utf-8")
    print(f"wrote {MADE} and {DOCS}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
