"""The steps that close a handheld: as data, as a page, and the proof that each joint is told once.

A ready cable makes four joints of a board; its maker makes the straps of the accelerometer. The
steps of infrared may be left out.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

from hardware.case.bodies import Case
from hardware.case.hands import HANGING
from hardware.guide.drawings import draw_bodies
from hardware.guide.pages import (
    Fitted,
    everything,
    printed_of,
    supply,
    told_check,
    told_leads,
    told_step,
)
from hardware.guide.steps import Way
from hardware.texts import text, warning
from hw_sim.board.board import HEADER_POWER, NETS

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


class BodyPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One picture; ``body.toml`` says what its fields hold."""

    new: tuple[tuple[str, ...], ...]
    on: Literal["base", "top", "carrier", "below", "nothing", "turned"] = "base"
    way: dict[str, Way] = {}
    turn: float = -28.0
    rise: float = 38.0


class BodyStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step; ``body.toml`` says what its fields hold."""

    name: str
    minutes: int
    parts: dict[str, int]
    tools: tuple[str, ...]
    pictures: tuple[BodyPicture, ...]
    solder: tuple[str, ...] = ()
    cables: tuple[str, ...] = ()
    wires: dict[str, str] = {}
    links: tuple[tuple[str, ...], ...] = ()
    optional: bool = False
    check: str = ""
    mistakes: tuple[str, ...] = ()


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


# ---- pictures ----------------------------------------------------------------------------------


def stands(picture: BodyPicture) -> list[str]:
    """Return the bodies that stand already where the actions of a picture happen."""
    place: str = "carrier" if picture.on == "below" else picture.on
    if place in ("nothing", "turned"):
        return []
    found = [place]
    every = [(step, one) for step in body_steps() for one in step.pictures]
    number = [one for _, one in every].index(picture)
    for step, one in every[:number]:
        if one.on in ("base", "top", "carrier") and step.optional <= every[number][0].optional:
            found += [name for action in one.new for name in action if _place(name) == place]
    new = {name for action in picture.new for name in action}
    return [name for name in dict.fromkeys(found) if name not in new]


def _place(name: str) -> str:
    """The place of a body: base, top or carrier; a joint has none, so it is drawn once."""
    if name.startswith("joint"):
        return ""
    if name.endswith(("receiver", "sender")):
        return "carrier"
    return "top" if name in HANGING else "base"


def draw_body(picture: BodyPicture, case: Case) -> str:
    """Return a picture as an SVG document, from the bodies as they are then."""
    new = list(dict.fromkeys(name for action in picture.new for name in action))
    camera, is_over = (picture.turn, picture.rise), picture.on in ("top", "below", "turned")
    return draw_bodies(case, stands(picture), new, picture.way, camera, is_over)


# ---- page --------------------------------------------------------------------------------------


def body_page(language: str) -> str:
    """Return the page in Markdown.

    Raises:
        FileNotFoundError: there are no texts in this language.
    """
    listed, words = text(language), text(language).body
    told = listed.guide
    lines = [warning(language), "", f"# {words['all'].title}", "", told["body_links"], ""]
    lines += [words["all"].text.strip(), *supply(language)]
    for number, step in enumerate(body_steps(), 1):
        said = words[step.name]
        lines += ["", f"## {number}. {said.title}", ""]
        have = [f"{count} × {listed.names[part]}" for part, count in step.parts.items()]
        have += [listed.tools[tool] for tool in step.tools]
        hand = f"{told['have']}** {' · '.join(have)}. **{step.minutes}\u00a0{told['minutes']}."
        lines += told_step(f"body-{step.name}", said, body_actions(step, language), hand)
        if step.check:
            without = printed_of(fitted(step, step.optional), language)
            seen = printed_of(fitted(step, has_infrared=True), language)
            lines += told_check(step.check, without, language)
            if without != seen:
                more = [line for line in seen.split("\n") if line not in without.split("\n")]
                lines += [told["infrared"], "", "```", *more, "```", ""]
            lines += told_leads(step.mistakes, language)
    for title, is_optional in ((f"## {told['all']}", False), (f"### {told['more']}", True)):
        taken = [step for step in body_steps() if step.optional is is_optional]
        lines += ["", title, "", *everything(taken, language)]
    return "\n".join(lines) + "\n"


def fitted(step: BodyStep, has_infrared: bool) -> Fitted:
    """Return what the doctor of a step looks at: the parts that are joined by then."""
    done = body_steps()[: body_steps().index(step) + 1]
    done = tuple(one for one in done if has_infrared or not one.optional)
    legs = [leg for one in done for joined in (one.wires, *one.links) for leg in joined]
    parts = [*(part for one in done for part in one.cables), *(leg.split(".")[0] for leg in legs)]
    return Fitted(step.check, tuple(dict.fromkeys(parts)), "bh1750")


def body_actions(step: BodyStep, language: str) -> Iterator[list[str]]:
    """Yield the actions of each picture: those in the words, and each socket on the header."""
    told, words = text(language).guide, iter(text(language).body[step.name].text.split("\n"))
    for picture in step.pictures:
        lines = []
        for action in picture.new:
            leg = action[0].removeprefix("wire ")
            if leg in step.wires and picture.on == "base":
                part, _, end = leg.partition(".")
                name = part if end in ("1", "-") else f"{part} {end}"
                lines.append(told["push"].format(leg=name, pin=step.wires[leg]))
            else:
                lines.append(next(words))
        yield lines
