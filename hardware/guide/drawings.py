"""Drawings of the steps: boards from their plans, everything else from the case's own solids.

Letters in a drawing are what is printed on a part, a leg of the netlist, or a pin of the header.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import dist
from typing import Final

from manifold3d import Manifold
from numpy import array

from hardware.board.drawn import draw_breadboard
from hardware.board.sketch import Mark, moved, scaled, svg
from hardware.case.bodies import TOLD, Case, Place, light_led, mm, pad_joints, pi_x, pin_place
from hardware.case.carrier import LEGS, led_foot, leg_places
from hardware.case.lines import Camera, Drawn, Way, drawing, framed
from hardware.case.solids import box
from hardware.case.wires import WIRE_MM, int1, tube
from hardware.guide.pages import BoardPicture, shown
from hardware.texts import mark

WIDE, HIGH = 760, 620
"""The largest drawing, in pixels; chosen."""
NAMES: Final = {
    "accelerometer": "ADXL345", "pi": "Pi", "card": "SD", "shim": "SHIM", "pad": "TTP223",
    "display": "SSD1306", "light": "BH1750", "piezo": "piezo",
}  # fmt: skip
"""By body: what is printed on it."""
Sign = tuple[str, str, Place]
_LETTERS: Final = (
    'font-size="{size}" font-family="Helvetica, Arial, sans-serif" font-weight="bold" fill="#111" '
    'text-anchor="middle" stroke="#fff" stroke-width="3" paint-order="stroke"'
)


def draw_board(picture: BoardPicture, case: Case) -> str:
    """Return a picture of the breadboard, or of the Pi with its card, as an SVG document."""
    if "card" in picture.new:
        return draw_bodies(case, ["pi", "sockets"], ["card"], {"card": (22, 0, 0)}, (160, 40))
    marks: list[Mark] = list(draw_breadboard(shown(picture), set(picture.old)))
    return svg(moved(scaled(marks, 1.8), 64, 14), (146, 182))


def draw_bodies(
    case: Case, old: Sequence[str], new: Sequence[str], way: Mapping[str, Way],
    camera: tuple[float, float], is_over: bool = False,
) -> str:  # fmt: skip
    """Return a picture of bodies with their names as an SVG document with the mark.

    ``way``: from where a new body comes, in mm; ``camera``: its turn and rise in degrees;
    ``is_over``: all lies upside down.
    """
    still = (0.0, 0.0, 0.0)
    solids = {name: solid_of(case, name) for name in (*old, *new)}
    if is_over:
        solids = {name: over(case, solid) for name, solid in solids.items()}
    things = [Drawn(solid, name in new, way.get(name, still)) for name, solid in solids.items()]
    view = framed(things, *camera, WIDE, HIGH)
    texts, taken = [], list[tuple[float, float, float, int]]()
    for letters, name, (x, y, z) in signs(case, list(solids), new):
        at = (x, case.sizes.long - y, case.sizes.thick - z) if is_over else (x, y, z)
        px, py, _ = view.project(array([at]) + way.get(name, still))[0]
        size = 12 if "." in letters else 15
        half = 0.33 * size * len(letters)
        while any(
            abs(px - ox) < half + wide and abs(py - oy) < max(size, high)
            for ox, oy, wide, high in taken
        ):
            py -= 2  # letters that would cover others stand above them
        taken.append((px, py, half, size))
        style = _LETTERS.format(size=size)
        texts.append(f'<text x="{px:.0f}" y="{py + 5:.0f}" {style}>{letters}</text>')
    return marked(things, view, texts)


def marked(things: Sequence[Drawn], view: Camera, texts: Sequence[str] = ()) -> str:
    """Return a drawing of the body as an SVG document with the mark."""
    drawn = drawing(things, view).removesuffix("</svg>\n")
    return "\n".join([drawn, *texts, f"<desc>{mark()}</desc></svg>"]) + "\n"


def over(case: Case, solid: Manifold) -> Manifold:
    """Return a body of the top as it lies upside down."""
    return solid.rotate([180, 0, 0]).translate([0, case.sizes.long, case.sizes.thick])


def solid_of(case: Case, name: str) -> Manifold:
    """Return a body; ``R4 of receiver`` is a piece of one, ``loose 1`` a wire by itself."""
    part, _, whole = name.partition(" of ")
    if name.startswith("loose "):
        y, half = 7.0 * int(name[6:]), mm("jumper.across") / 2
        wire = tube([(mm("jumper.high"), y, 0), (60, y, 0)], WIRE_MM)
        bare = tube([(60, y, 0), (63, y, 0)], 0.5)
        return wire + bare + box((0, y - half, -half), (mm("jumper.high"), y + half, half))
    if not whole:
        return case.solid(name)
    legs = [place for leg, place in leg_places(case.sizes).items() if leg.startswith(f"{part}.")]
    x, y = (sum(at) / len(legs) for at in zip(*legs, strict=True))
    if part == "D1":
        x, y, _ = led_foot(case.sizes)
    return min(case.solid(whole).decompose(), key=lambda piece: dist(_top(piece)[:2], (x, y)))


def _top(solid: Manifold) -> Place:
    """The middle of a body's upper side."""
    low = solid.bounding_box()
    return (low[0] + low[3]) / 2, (low[1] + low[4]) / 2, low[5]


def signs(case: Case, names: Collection[str], new: Collection[str]) -> Iterator[Sign]:
    """Yield the letters of a picture, each with its body and its place in the closed case."""
    sizes, places = case.sizes, leg_places(case.sizes)
    if "screw 1" in new:
        return  # the top hides everything
    if "pi" in names:
        pins = {int(TOLD.wires[leg][0]) for leg in TOLD.wires if f"wire {leg}" in new}
        for pin in sorted(pins, reverse=True):
            x, y = pin_place(sizes, pin)
            odd, even = (x, y + 2, sizes.header_top + mm("jumper.high")), (x, y - 4, sizes.pi_top)
            yield str(pin), "pi", odd if pin % 2 else even
        for pin in {1, 2} - pins:
            x, y = pin_place(sizes, pin)
            yield str(pin), "pi", (x + 3, y + (1.5 if pin == 1 else -1.5), sizes.header_top + 3)
    for name in names:
        part, *_ = name.split(" of ")
        if (part in NAMES or part != name) and (part != "card" or "card" in new):
            yield NAMES.get(part, part), name, _top(solid_of(case, name))
        for leg in (one for one in name.split() if one in LEGS and name.startswith("joint")):
            part, _, letters = leg.partition(".")
            at = (*places[leg], sizes.carrier_top)
            yield leg if part[0] == "R" else letters, name, at
    if "joint accelerometer" in new:
        yield "INT1", "joint accelerometer", int1(sizes)
    if "joint display" in new:
        yield "SJ3", "joint display", _top(case.solid("joint display"))
    if "joint pad" in new:
        for letters, at in zip(("VCC", "Q", "GND"), pad_joints(sizes), strict=True):
            yield letters, "joint pad", at
    if [*names] == ["light"]:
        x, y, z = light_led(sizes)
        yield "LED", "light", (x + 2.5, y, z)
    if "sockets" in names:
        for letters in ("PWR", "USB"):
            x = pi_x(mm(f"pi.{letters.lower().replace('pwr', 'power')}_x"))
            yield letters, "sockets", (x, sizes.pi_far, sizes.pi_top + 3)
