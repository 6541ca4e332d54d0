"""The steps that close a handheld: as data, as a page, and the proof that each joint is told once.

The body's parts are those of the netlist without infrared. A ready cable makes four joints of a
board; its maker makes the straps of the accelerometer.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from hardware.case.bodies import Case
from hardware.case.lines import Drawn, drawing, framed
from hardware.case.sizes import CUP
from hardware.guide.drawings import HIGH, WIDE
from hardware.guide.pages import Fitted, printed_of
from hardware.guide.steps import Way
from hardware.texts import mark, text, warning
from hw_sim.board.board import HEADER_POWER, NETS

STEPS: Final = Path(__file__).with_name("body.toml")
FITTED: Final = ("ADXL345", "SSD1306", "VEML7700", "TTP223", "piezo", "R5")
"""Parts of the netlist that the body has; a BH1750 stands for the VEML7700."""
BY_MAKER: Final = ("ADXL345.CS", "ADXL345.SDO")
"""Legs that the maker of the board straps."""
CABLE: Final = ("VCC", "GND", "SDA", "SCL")
TOGETHER: Final = (("R5.2", "piezo.+"),)
"""Legs that one joint joins without a wire to the header."""
PROVES: Final = {
    "ADXL345": "accelerometer", "SSD1306": "display", "VEML7700": "light", "TTP223": "touch",
    "piezo": "piezo", "R5": "piezo",
}  # fmt: skip
"""By part of the netlist: the part of the doctor that examines it."""
MOST_JOINTS: Final = 12


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
    for step in steps:
        made.update(f"{part}.{leg}" for part in step.cables for leg in CABLE)
        made.update(list(step.wires))
        made.update(leg for pair in TOGETHER if pair[0] in step.solder for leg in pair)
        for leg, pin in step.wires.items():
            carries = HEADER_POWER.get(int(pin)) or signal.get(f"Pi.{pin}")
            if carries != signal[leg]:
                yield f"{step.name}: {leg} goes to header {pin}, which carries {carries}"
    legs = [leg for leg in signal if leg.partition(".")[0] in FITTED]
    for leg in legs:
        if made[leg] != 1:
            yield f"{leg} is joined in {made[leg]} steps"
    soldered = Counter(leg for step in steps for leg in step.solder)
    needed = {leg for step in steps for leg in step.wires} | {pair[0] for pair in TOGETHER}
    for leg in sorted(needed | set(soldered) - {"SJ3"}):
        if soldered[leg] != 1:
            yield f"{leg} is soldered in {soldered[leg]} steps"
    if soldered.total() > MOST_JOINTS:
        yield f"{soldered.total()} joints are soldered, more than {MOST_JOINTS}"
    checks = Counter(step.check for step in steps)
    for part in FITTED:
        if checks[PROVES[part]] != 1:
            yield f"{part} is proven in {checks[PROVES[part]]} steps"
    done: set[str] = set()
    for step in steps:
        done |= {*step.cables, *(leg.partition(".")[0] for leg in step.wires)}
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
            seen = printed_of(Fitted(step.check, tuple(fitted), "bh1750", False), language)
            lines += ["", f"**{told['check']}** {command}. {told['prints']}", "", "```"]
            lines += [seen.rstrip(), "```", "", f"{told['else']} {told['by']}"]
    return "\n".join(lines) + "\n"


def draw_body_step(step: BodyStep, case: Case) -> str:
    """Return the drawing of a step as an SVG document, from the bodies as they are then."""
    things = [
        Drawn(
            case.solid(name).rotate([180, 0, 0]).translate([0, CUP.long, CUP.thick])
            if step.over
            else case.solid(name),
            name in step.new,
            step.way.get(name, (0.0, 0.0, 0.0)),
        )
        for name in (*step.old, *step.new)
    ]
    drawn = drawing(things, framed(things, step.turn, step.rise, WIDE, HIGH))
    return drawn.replace("</svg>", f"<desc>{mark()}</desc></svg>")
