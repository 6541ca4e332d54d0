"""The steps that close a handheld: as data, as a page, and the proof that each joint is told once.

A ready cable makes four joints of a board; its maker makes the straps of the accelerometer. The
steps of infrared may be left out.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from manifold3d import Manifold

from hardware.case.bodies import Case
from hardware.case.lines import Drawn, drawing, framed
from hardware.case.sizes import CUP
from hardware.guide.drawings import HIGH, WIDE
from hardware.guide.pages import Fitted, printed_of
from hardware.guide.steps import Way
from hardware.texts import mark, text, warning
from hw_sim.board import HEADER_POWER, NETS

STEPS: Final = Path(__file__).with_name("body.toml")
BY_MAKER: Final = ("ADXL345.CS", "ADXL345.SDO")
"""Legs that the maker of the board straps."""
CABLE: Final = ("VCC", "GND", "SDA", "SCL")
PROVES: Final = {
    "ADXL345": "accelerometer", "SSD1306": "display", "VEML7700": "light", "TTP223": "touch",
    "piezo": "piezo", "R5": "piezo",
} | dict.fromkeys(("TSOP38238", "R4", "C1", "D1", "R1", "Q1", "R2", "R3"), "infrared")  # fmt: skip
"""By part of the netlist: the part of the doctor that examines it. A BH1750 is a VEML7700 here."""
MOST_JOINTS: Final = {False: 12, True: 40}
"""The most joints that are soldered, without and with the steps that may be left out."""


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
        for leg, pin in step.wires.items():
            carries = HEADER_POWER.get(int(pin)) or signal.get(f"Pi.{pin}")
            if carries != signal[leg]:
                yield f"{step.name}: {leg} goes to header {pin}, which carries {carries}"
    legs = [leg for leg in signal if leg.partition(".")[0] in PROVES]
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
    checks = Counter(step.check for step in steps)
    for part in PROVES:
        if checks[PROVES[part]] != 1:
            yield f"{part} is proven in {checks[PROVES[part]]} steps"
    done: set[str] = set()
    for step in steps:
        legs = [*step.wires, *(leg for link in step.links for leg in link)]
        done |= {*step.cables, *(leg.partition(".")[0] for leg in legs)}
        for part, check in PROVES.items():
            if check == step.check and part not in done:
                yield f"{step.name}: {part} is examined before it is joined"


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
