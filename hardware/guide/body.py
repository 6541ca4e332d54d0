"""The steps that close a handheld: as data, as a page, and the proof that each joint is told once.

A ready cable makes four joints of a board; its maker makes the straps of the accelerometer. The
steps of infrared may be left out.
"""

import math
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Final, Literal

import msgspec
from manifold3d import Manifold

from hardware.board.plan import PITCH_MM
from hardware.case.bodies import Case, pad_joints
from hardware.case.carrier import leg_places
from hardware.case.hands import at_plugs, loose
from hardware.case.lines import Drawn, drawing, framed
from hardware.case.sizes import CUP
from hardware.case.wires import int1
from hardware.guide.drawings import HIGH, WIDE
from hardware.guide.pages import Fitted, printed_of
from hardware.guide.steps import Way
from hardware.texts import mark, text, warning
from hw_sim.board import HEADER_POWER, NETS

STEPS: Final = Path(__file__).with_name("body.toml")
BY_MAKER: Final = ("ADXL345.CS", "ADXL345.SDO")
"""Legs that the maker of the board straps."""
CABLE: Final = ("VCC", "GND", "SDA", "SCL")
NEAR_MM: Final = 3.2
"""Joints that solder may bridge are at most so far apart, or are the two of the piezo."""
MOST_AT_ONCE: Final = 8
"""The most joints that are soldered by one picture."""
MOST_JOINTS: Final = {False: 12, True: 40}
"""The most joints that are soldered, without and with the steps that may be left out."""


class MeterReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reading of a meter between two legs: from ``least`` to ``most`` Ω or F, or no number."""

    red: str
    black: str
    proves: tuple[str, ...]
    unit: Literal["Ω", "F"]
    least: float = math.inf
    most: float = math.inf

    def shown(self, comma: str) -> str:
        """Return the range as a reader has it, such as ``3.7 … 5.7 µF``; ``comma``: its point."""
        scale = next(one for one in (1e3, 1, 1e-6, 1e-9) if self.least >= one)
        prefix = {1e3: "k", 1: "", 1e-6: "µ", 1e-9: "n"}[scale]
        ends = (f"{end / scale:.4g}" for end in (self.least, self.most))
        return f"{' … '.join(ends)}\u00a0{prefix}{self.unit}".replace(".", comma)


class BodyStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step; ``body.toml`` says what its fields hold."""

    name: str
    minutes: int
    parts: dict[str, int]
    tools: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    solder: tuple[str, ...] = ()
    cables: tuple[str, ...] = ()
    wires: dict[str, str] = {}
    links: tuple[tuple[str, ...], ...] = ()
    optional: bool = False
    check: str = ""
    meter: tuple[MeterReading, ...] = ()
    proves: dict[str, tuple[str, ...]] = {}
    loose: tuple[str, ...] = ()
    way: dict[str, Way] = {}
    over: bool = False
    turn: float = -28.0
    rise: float = 38.0


@cache
def body_steps() -> tuple[BodyStep, ...]:
    """Return the steps."""
    return msgspec.convert(tomllib.loads(STEPS.read_text("utf-8"))["step"], tuple[BodyStep, ...])


# ---- proof -------------------------------------------------------------------------------------


def untold(steps: Sequence[BodyStep]) -> Iterator[str]:
    """Yield each joint that no step makes, or two, or that no reading proves, or two."""
    made = Counter(BY_MAKER)
    signal = {leg: name for name, legs in NETS.items() for leg in legs}
    wired = {leg for step in steps for leg in step.wires}
    ends = {leg for step in steps for link in step.links for leg in link[:-1]}
    for step in steps:
        made.update(f"{part}.{leg}" for part in step.cables for leg in CABLE)
        made.update(list(step.wires))
        for link in step.links:
            if set(link[:-1]) <= set(step.solder):
                made.update(set(link) - wired)
            if len({signal[leg] for leg in link}) > 1:
                yield f"{step.name}: {' and '.join(link)} are not on one net"
        if len(step.solder) > MOST_AT_ONCE:
            yield f"{step.name}: {len(step.solder)} joints are soldered by one picture"
        for leg, pin in step.wires.items():
            carries = HEADER_POWER.get(int(pin)) or signal.get(f"Pi.{pin}")
            if carries != signal[leg]:
                yield f"{step.name}: {leg} goes to header {pin}, which carries {carries}"
    legs = [leg for leg in signal if not leg.startswith("Pi.") and leg not in BY_MAKER]
    for leg in legs:
        if made[leg] != 1:
            yield f"{leg} is joined in {made[leg]} steps"
    soldered = Counter(leg for step in steps for leg in step.solder)
    for leg in sorted(wired | ends | set(soldered) - {"SJ3"}):
        if soldered[leg] != 1:
            yield f"{leg} is soldered in {soldered[leg]} steps"
    for optional, most in MOST_JOINTS.items():
        count = sum(len(step.solder) for step in steps if optional or not step.optional)
        if count > most:
            yield f"{count} joints are soldered, more than {most}"
    told = Counter(joint for _, joint in proofs(steps))
    for joint in [*dict.fromkeys([*legs, *soldered, *neighbours(signal)]), *told]:
        if told[joint] != 1:
            yield f"{joint} is proven by {told[joint]} readings"
            told[joint] = 1
    done: set[str] = set()
    for step in steps:
        done |= {*step.solder, *step.wires, *(leg for link in step.links for leg in link)}
        done |= {f"{part}.{leg}" for part in step.cables for leg in CABLE}
        for joint in (joint for of, joint in proofs(steps) if of.name == step.name):
            if missing := set(joint.split()) - done:
                yield f"{step.name}: {min(missing)} is examined before it is joined"


def proofs(steps: Sequence[BodyStep]) -> Iterator[tuple[BodyStep, str]]:
    """Yield each joint, and each bridge between two, that a reading of a step proves."""
    for step in steps:
        for joints in (*(one.proves for one in step.meter), *step.proves.values()):
            yield from ((step, joint) for joint in joints)


def neighbours(signal: Mapping[str, str]) -> list[str]:
    """Return the pairs of joints on different nets that solder may bridge."""
    places = {leg: (x, y) for leg, (x, y) in leg_places(CUP).items()}
    pads = zip(("TTP223.VCC", "TTP223.Q", "TTP223.GND"), pad_joints(CUP), strict=True)
    places |= {leg: (x, y) for leg, (x, y, _) in pads}
    x, y, _ = int1(CUP)
    places |= {"ADXL345.INT1": (x, y), "ADXL345.SDA": (x - PITCH_MM, y)}  # as in its board file
    return ["piezo.+ piezo.-"] + [
        f"{one} {other}"
        for one, other in combinations(sorted(places), 2)
        if math.dist(places[one], places[other]) < NEAR_MM and signal[one] != signal[other]
    ]


def dropped(steps: Sequence[BodyStep], case: Case) -> Iterator[str]:
    """Yield each way on which a body is loose after a step that does not tell so, or is not.

    Each body is placed in one step.
    Each step adds to what stands on the base, hangs in the top as it lies, or is on the carrier.
    """
    solids, standing, still = at_plugs(case), dict[str, set[str]](), set[str]()
    for step in steps:
        here = standing.setdefault(step.old[0], set())
        here |= {*step.old, *step.new}
        if "top" in step.new:
            here |= set().union(*standing.values())
        pushed = here if "pi" in here else {name for name in here if name[:4] != "wire"}
        parts = {name: solids[name] for name in pushed & {*solids}}
        stays = {step.old[0]} if "top" not in step.new else set()
        ways = [one for one in loose(parts, {*step.new} | still) if one[0] not in stays]
        still |= {name for name, _ in ways}
        found = {f"{name} {way}" for name, way in ways}
        for one in sorted(found ^ {*step.loose}):
            yield f"{step.name}: {one} {'is' if one in found else 'is not'} loose after this step"
    placed = Counter(name for step in steps for name in step.new)
    for body in (*case.printed, *case.inside):
        times = placed[body.name]
        if "room" not in body.kind and body.name not in ("base", "tips pi") and times != 1:
            yield f"{body.name} is placed in {times} steps"


# ---- page --------------------------------------------------------------------------------------


def body_page(language: str) -> str:
    """Return the page in Markdown.

    Raises:
        FileNotFoundError: there are no texts in this language.
    """
    told, words = text(language).guide, text(language).body
    lines = [warning(language), "", f"# {words['all'].title}", "", words["all"].text.strip()]
    fitted: list[str] = []
    for number, step in enumerate(body_steps(), 1):
        fitted += [*step.cables, *dict.fromkeys(leg.partition(".")[0] for leg in step.wires)]
        said = words[step.name]
        lines += ["", f"## {number}. {said.title}", ""]
        lines += [f"![{said.title}](steps/body-{step.name}.svg)"]
        have = [f"{count} × {text(language).names[part]}" for part, count in step.parts.items()]
        have += [text(language).tools[tool] for tool in step.tools]
        minutes = f"**{step.minutes}\u00a0{told['minutes']}.**"
        lines += ["", f"**{told['have']}** {' · '.join(have)}. {minutes}", ""]
        actions = said.text.strip().split("\n")
        lines += [f"{place}. {action}" for place, action in enumerate(actions, 1)]
        if step.meter:
            lines += ["", f"**{told['meter']}**", ""]
            shown = [one.shown(told["comma"]) for one in step.meter]
            lines += [f"- {line}" for line in said.meter.strip().format(*shown).split("\n")]
        if step.check:
            part = "" if step.check == "all" else f" --part {step.check}"
            command = f"`sudo maexchen doctor{part} --hands --lang {language}`"
            seen = printed_of(Fitted(step.check, tuple(fitted), "bh1750", step.optional), language)
            lines += ["", f"**{told['check']}** {command}. {told['prints']}", "", "```"]
            lines += [seen.rstrip(), "```", "", f"{told['else']} {told['by']}"]
    return "\n".join(lines) + "\n"


def draw_body_step(step: BodyStep, case: Case) -> str:
    """Return the drawing of a step as an SVG document, from the bodies as they are then."""
    things = [
        Drawn(
            over(case.solid(name)) if step.over else case.solid(name),
            name in step.new,
            step.way.get(name, (0.0, 0.0, 0.0)),
        )
        for name in (*step.old, *step.new)
    ]
    return marked(things, step.turn, step.rise)


def over(solid: Manifold) -> Manifold:
    """Return a body of the top as it lies upside down."""
    return solid.rotate([180, 0, 0]).translate([0, CUP.long, CUP.thick])


def marked(things: Sequence[Drawn], turn: float, rise: float) -> str:
    """Return a drawing of the body as an SVG document with the mark."""
    drawn = drawing(things, framed(things, turn, rise, WIDE, HIGH))
    return drawn.replace("</svg>", f"<desc>{mark()}</desc></svg>")
