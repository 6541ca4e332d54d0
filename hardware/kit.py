"""``make kit``: write all that is made from parts list, netlist and sizes.

Nobody has built the body, so each of its files carries a mark. Files to print go to
``hardware/made``; pictures and the parts list go to ``docs/build``. The case is checked first, and
nothing is written if a check finds a fault: a number of the parts list that breaks a fit is named,
with the nearest value that fits.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec
from manifold3d import Manifold

from hardware.board.drawn import SHEETS, sheet, title_of
from hardware.board.sketch import svg
from hardware.case.bodies import TOLD, Body, Case
from hardware.case.checks import CHECKS, build
from hardware.case.files import write_3mf, write_glb, write_step
from hardware.case.hands import load
from hardware.case.light import forget_light
from hardware.case.lines import Drawn, framed
from hardware.case.printing import fits_to_try
from hardware.case.shells import TURNED
from hardware.case.sizes import CUP
from hardware.guide.body import body_page, body_steps, draw_body, dropped, untold
from hardware.guide.drawings import HIGH, WIDE, draw_board, draw_bodies, marked
from hardware.guide.pages import guide_page, picture_name, pictures, steps, taken
from hardware.guide.symptoms import symptoms_page
from hardware.parts import ROOT, TRIED, PartsList, bought, bus_faults, bus_table, power_table
from hardware.texts import LANGUAGES, warning

MADE: Final = ROOT / "hardware" / "made"
DOCS: Final = ROOT / "docs" / "build"
STEP_MM: Final = 13.0
"""How far apart the floors of the exploded view are; chosen."""
CLOSING: Final = ("screw 1", "screw 2", "screw 3", "screw 4")
VIEWS: Final = {
    "handheld": (-32, 46), "inside": (-28, 56), "top": (-28, 56), "exploded": (-30, 20),
}  # fmt: skip
"""By picture of the body: where the camera stands, as of `Camera`."""


def lifted(body: Body) -> float:
    """Return the way in mm that a body moves up in the exploded view."""
    return body.floor * STEP_MM


def solids(case: Case) -> Iterator[Body]:
    """Yield what a handheld consists of: the printed parts, the bought ones and the wires."""
    yield from case.printed
    yield from (body for body in case.inside if body.kind in ("part", "wire"))


def to_print(case: Case) -> dict[str, Manifold]:
    """Return the printed parts by the names of their files, as they stand on the bed; one bar.

    ``fits`` is a test print of a quarter of an hour.
    """
    return {"fits": fits_to_try(case.printed)} | {
        body.name.partition(" ")[0]: body.solid.rotate([180, 0, 0])
        if body.name in TURNED
        else body.solid
        for body in case.printed
    }


def draw_view(case: Case, name: str) -> str:
    """Return a picture of the body as an SVG document; what is printed is tinted."""
    turn, rise = VIEWS[name]
    names = [body.name for body in solids(case)]
    printed = [body.name for body in case.printed]
    if name == "inside":
        names = [one for one in names if one not in (*TOLD.hanging, *CLOSING)]
        return draw_bodies(case, names[1:], names[:1], {}, (turn, rise))
    if name == "top":
        new, old = (
            [one for one in TOLD.hanging if (one in printed) is is_new] for is_new in (True, False)
        )
        return draw_bodies(case, old, new, {}, (turn, rise), is_over=True)
    lift = [lifted(body) if name == "exploded" else 0.0 for body in solids(case)]
    things = [
        Drawn(body.solid.translate([0, 0, way]), body.name in printed)
        for body, way in zip(solids(case), lift, strict=True)
    ]
    return marked(things, framed(things, turn, rise, WIDE, HIGH))


FITS: Final = Path(__file__).with_name("fits.json")
FINE_MM: Final = 0.05
"""How exactly the nearest value that fits is found; chosen."""


def fits() -> dict[str, float]:
    """Return the numbers that fitted last, by place."""
    return msgspec.json.decode(FITS.read_bytes(), type=dict[str, float])


def remember(parts: PartsList) -> None:
    """Write the numbers of a list that fits."""
    values = {place: one.value for place, one in parts.figures().items()}
    FITS.write_bytes(msgspec.json.format(msgspec.json.encode(values)) + b"\n")


def faults_with(parts: PartsList, names: Sequence[str] = tuple(CHECKS)) -> dict[str, str]:
    """Return the first fault that each of these checks finds when these parts are bought."""
    token = TRIED.set(parts)
    forget_light()
    try:
        case = build(CUP)
        found = {name: next(CHECKS[name](case), "") for name in names}
        return {name: fault for name, fault in found.items() if fault}
    except (ArithmeticError, LookupError, RuntimeError, ValueError) as error:
        return dict.fromkeys(names[:1], f"no body can be built: {error}")
    finally:
        TRIED.reset(token)
        forget_light()


def broken_fits(parts: PartsList, good: Mapping[str, float]) -> Iterator[str]:
    """Yield one line for each number that breaks a fit by itself.

    It names place, number, source, the fault, and the nearest value that has none.
    """
    figures = parts.figures()
    changed = {place for place in good.keys() & figures.keys() if figures[place][0] != good[place]}
    for place in sorted(changed):
        value, source, certainty = figures[place]
        alone = parts.with_values({other: good[other] for other in changed - {place}})
        faults = faults_with(alone)
        if not faults:
            continue
        fitting, broken = good[place], value
        while abs(broken - fitting) > FINE_MM:
            middle = (fitting + broken) / 2
            if faults_with(alone.with_values({place: middle}), tuple(faults)):
                broken = middle
            else:
                fitting = middle
        steps = int((fitting - good[place]) / FINE_MM)  # towards what is known to fit
        nearest = round(good[place] + steps * FINE_MM, 3)
        if faults_with(alone.with_values({place: nearest})):
            nearest = good[place]
        name, fault = next(iter(faults.items()))
        yield (
            f"parts.toml: {place} = {value:g} ({source}, {certainty}) breaks {name}: {fault}; "
            f"the nearest value that fits is {nearest:g}, {nearest - value:+.2f}"
        )


BODY: Final = """No cell, no charger: a power bank feeds the Pi's own socket PWR. Computer, memory,
tap, sound, one 1 kΩ, jumper wires, and what infrared takes, are those of the breadboard."""


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
        *_table(name for name in bought().parts if name in taken(steps())),
    ]
    lines += ["", "## Parts of the body", "", BODY, ""]
    lines += _table(name for name in bought().parts if name not in taken(steps()))
    lines += ["", "## Bus of the body", "", *bus_table()]
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


def _table(names: Iterable[str]) -> Iterator[str]:
    """Parts as a table, with the least certain of their figures and where these come from."""
    yield "| for | take | maker's number | or | look for | for one | for four | from | least sure |"
    yield "|---" * 9 + "|"
    for part in (bought().parts[name] for name in names):
        least = min(((SURE.index(one.certainty), mm) for mm, one in part.mm.items()), default=None)
        yield (
            f"| {part.role} | {part.take} | {part.number or 'any'} | {'; '.join(part.instead)} | "
            f"{part.look_for} | {part.one} | {part.four} | {bought().sources[part.sheet]} | "
            f"{f'{least[1]}: {SURE[least[0]]}' if least else 'no figure'} |"
        )


SURE: Final = ("low", "medium", "high")


def write_sheets() -> None:
    """Write the plans as sheets to print."""
    (DOCS / "boards").mkdir(exist_ok=True)
    for name in SHEETS:
        marks, title = sheet(name), title_of(name)
        (DOCS / "boards" / f"{name}.svg").write_text(svg(marks, title=title), encoding="utf-8")


def step_pictures(case: Case) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield each picture of a step in both guides: the name of its file, and what draws it."""
    for step in steps():
        for place, board in enumerate(pictures(step), 1):
            yield picture_name(step.name, place), partial(draw_board, board, case)
    for body_step in body_steps():
        for place, picture in enumerate(body_step.pictures, 1):
            yield picture_name(f"body-{body_step.name}", place), partial(draw_body, picture, case)


PAGES: Final = {"guide": guide_page, "symptoms": symptoms_page, "body": body_page}


def write_guide(case: Case) -> None:
    """Write both guides with their drawings, and the page by symptom, in each language."""
    (DOCS / "steps").mkdir(exist_ok=True)
    for name, draw in step_pictures(case):
        (DOCS / "steps" / f"{name}.svg").write_text(draw(), encoding="utf-8")
    for language in LANGUAGES:
        for name, page in PAGES.items():
            (DOCS / f"{name}.{language}.md").write_text(page(language), encoding="utf-8")


class KitProgress:
    """Says on one line each what ``make kit`` does, and how long it has taken so far."""

    def __init__(self) -> None:
        self.start = time.monotonic()

    def __call__(self, what: str) -> None:
        """Say what begins now."""
        print(f"{time.monotonic() - self.start:4.0f} s  {what}", flush=True)


def main() -> int:
    """Write everything; return 1 without writing if the case has a fault."""
    tell = KitProgress()
    try:
        parts = bought()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    tell("checking the case")
    faults = faults_with(parts)
    more = chain(bus_faults(), untold(body_steps()), dropped(body_steps(), build(CUP)))
    if fault := next(more, ""):
        faults["guide"] = fault
    if faults:
        tell("looking for the number that breaks it")
        named = list(broken_fits(parts, fits()))
        told = named or [f"{name}: {fault}" for name, fault in faults.items()]
        print(*told, sep="\n", file=sys.stderr)
        return 1
    pull, bears = load(build(CUP))
    tell(f"at 4 g the top pulls with {pull:.1f} N, and one screw bears {bears:.0f} N")
    case = build(CUP)  # a solid that was measured before has other triangles
    MADE.mkdir(exist_ok=True)
    DOCS.mkdir(exist_ok=True)
    tell("writing the files to print")
    for name, solid in to_print(case).items():
        write_3mf(MADE / f"{name}.3mf", name, solid)
        if name != "fits":
            write_step(MADE / f"{name}.step", name, solid)
    write_glb(
        MADE / "handheld.glb",
        [(body.name, body.solid, body.colour, lifted(body)) for body in solids(case)],
    )
    for name in VIEWS:
        tell(f"drawing {name}.svg")
        (DOCS / f"{name}.svg").write_text(draw_view(case, name), encoding="utf-8")
    tell("writing sheets, guide and lists")
    write_sheets()
    write_guide(case)
    (DOCS / "parts.md").write_text(parts_page(), encoding="utf-8")
    remember(parts)
    (MADE / "README.md").write_text(warning("en") + "\n", encoding="utf-8")
    tell(f"wrote {MADE} and {DOCS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
