"""The guide of the breadboard: its steps as data, what each has wired, and the page in Markdown."""

import asyncio
import io
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from drivers.light_sensor import LightKind
from firmware.cli.upkeep import report
from firmware.display.text.language import say
from firmware.upkeep.doctor import Diagnosis
from firmware.upkeep.doctor.patient import Request
from hardware.board.drawn import signal_of
from hardware.board.plan import BoardPlan, Joint, faults, plans
from hardware.guide.symptoms import anchor, mistakes, told_fault
from hardware.parts import bought
from hardware.texts import StepWords, text, warning
from hw_sim.board import NETS
from hw_sim.clock import run
from hw_sim.trials.diagnosis import InjectedFault, SimulatedPatient
from hw_sim.trials.diagnosis.wiring import built, wired

STEPS: Final = Path(__file__).with_name("steps.toml")
EVENING: Final = "breadboard-gnd-first"
"""The plan that the drawings of the first evening show."""
MOST_ACTIONS: Final = 3
"""The most actions in one picture; chosen."""
LAST: Final = ("Pi.39", "Pi.1", "Pi.2")
"""Wires that are set last: GND, then what gives power."""
Thing = str | Joint
"""A part or a wire."""


class GuideStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step of either guide.

    Attributes:
        parts: how many of each part it takes, by the keys of the parts list.
        check: a part of the doctor, ``all``, or "" for none.
        mistakes: those that can be made in it.
    """

    name: str
    minutes: int
    parts: dict[str, int]
    tools: tuple[str, ...]
    check: str = ""
    mistakes: tuple[str, ...] = ()


class BuildStep(GuideStep, frozen=True, kw_only=True):
    """One step of the breadboard; ``steps.toml`` says what its fields hold."""

    fitted: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()


class BoardPicture(NamedTuple):
    """A picture of the breadboard.

    Attributes:
        new: the part or wire of each action, in order; it is coloured.
        old: the parts and wires that are there already.
    """

    new: tuple[Thing, ...]
    old: tuple[Thing, ...]


@cache
def steps() -> tuple[BuildStep, ...]:
    """Return the steps."""
    return msgspec.convert(tomllib.loads(STEPS.read_text("utf-8"))["step"], tuple[BuildStep, ...])


@cache
def wired_so_far(parts: tuple[str, ...]) -> BoardPlan:
    """Return the breadboard of the first evening with these parts alone, and no wire too many."""
    whole = plans()[EVENING]
    holes = {part: legs for part, legs in whole.holes.items() if part in parts}
    plan = msgspec.structs.replace(whole, holes=holes)
    for wire in reversed(whole.wires):
        fewer = tuple(one for one in plan.wires if one != wire)
        without = msgspec.structs.replace(plan, wires=fewer)
        if not faults(without, NETS):
            plan = without
    return plan


def pictures(step: BuildStep) -> Iterator[BoardPicture]:
    """Yield the pictures of a step: what hands do to a part, then each new part and wire."""
    number = steps().index(step)
    old = _things(steps()[number - 1]) if number else ()
    if step.hands:
        yield BoardPicture(step.hands, old)
        old += tuple(part for part in _things(step) if part in step.hands)
    new = tuple(thing for thing in _things(step) if thing not in old)
    for start in range(0, len(new) or not step.hands, MOST_ACTIONS):
        yield BoardPicture(new[start : start + MOST_ACTIONS], old + new[:start])


def _things(step: BuildStep) -> tuple[Thing, ...]:
    """The parts and wires of a step and of all before it, in the order in which hands set them."""
    plan = wired_so_far(step.fitted)

    def late(wire: Joint) -> tuple[int, bool]:
        stage = 2 + LAST.index(wire[0]) if wire[0] in LAST else int(wire[0].startswith("Pi."))
        return stage, wire[1] != "R-"

    return (*plan.holes, *sorted(plan.wires, key=late))


def shown(picture: BoardPicture) -> BoardPlan:
    """Return the breadboard of a picture."""
    plan, things = plans()[EVENING], {*picture.old, *picture.new}
    holes = {part: legs for part, legs in plan.holes.items() if part in things}
    wires = tuple(wire for wire in plan.wires if wire in things)
    return msgspec.structs.replace(plan, holes=holes, wires=wires)


AWAKE_S: Final = 0.6
"""After this long every part is awake; chosen, above the 0.5 s of the TTP223's data sheet."""
MODEL: Final = "Raspberry Pi Zero 2 W Rev 1.0"


def guide_page(language: str) -> str:
    """Return the guide.

    Raises:
        FileNotFoundError: there are no texts in this language.
    """
    told = text(language).guide
    hours = sum(step.minutes for step in steps()) / 60
    lines = [warning(language), "", f"# {told['title']}", "", told["links"], ""]
    lines.append(told["how"].format(count=len(steps()), hours=round(hours)))
    lines += [*supply(language)]
    for number, step in enumerate(steps(), 1):
        lines += ["", f"## {number}. {text(language).step[step.name].title}", ""]
        lines += _step(step, language)
    lines += ["", f"## {told['all']}", "", *everything(steps(), language)]
    return "\n".join(lines) + "\n"


def supply(language: str) -> Iterator[str]:
    """Yield the section about the supply, which both guides have."""
    told = text(language).guide
    yield from ("", f"## {told['supply']}", "", f"![{told['supply']}](supply.svg)", "")
    yield told["supplied"].strip()


def told_step(
    step: GuideStep,
    name: str,
    words: StepWords,
    actions: Iterable[Sequence[str]],
    language: str,
    read: tuple[int, Sequence[str]] = (0, ()),
) -> Iterator[str]:
    """Yield a step up to its check: what is at hand, then each picture with its actions.

    ``name`` begins the names of its pictures. ``read``: the number of a picture, and the lines
    about a meter that follow its actions.
    """
    told = text(language).guide
    hand = f"**{told['have']}** {_hand(step, language)}."
    yield f"{hand} **{step.minutes}\u00a0{told['minutes']}.**"
    if words.note:
        yield from ("", words.note.strip().replace("\n", "\n\n"))
    number = 1
    for place, lines in enumerate(actions, 1):
        yield from ("", f"![{words.title}](steps/{picture_name(name, place)}.svg)", "")
        for line in lines:
            yield f"{number}. {line}"
            number += 1
        if place == read[0]:
            yield from read[1]


def picture_name(name: str, place: int) -> str:
    """Return the name of a picture's file; the first one of a step has the step's name."""
    return name if place == 1 else f"{name}-{place}"


def told_check(check: str, seen: str, language: str) -> Iterator[str]:
    """Yield the check of a step, and what the doctor prints."""
    told, part = text(language).guide, "" if check == "all" else f" --part {check}"
    command = f"`sudo maexchen doctor{part} --hands --lang {language}`"
    yield from ("", f"**{told['check']}** {command}. {told['prints']}", "")
    yield from ("```", seen.rstrip(), "```", "")


def actions(step: BuildStep, language: str) -> Iterator[list[str]]:
    """Yield the actions of each picture: those in the words, then those of the plan."""
    told, listed, words = text(language).guide, text(language), text(language).step[step.name]
    signal = signal_of(wired_so_far(step.fitted))
    part_of = {leg: name for name, part in bought().parts.items() for leg in part.fits}
    for picture in pictures(step):
        if step.hands and picture.new == step.hands:
            yield words.text.strip().split("\n")
            continue
        lines = []
        for thing in picture.new:
            if isinstance(thing, str):
                name = listed.names[part_of[thing]]
                where = plans()[EVENING].holes[thing].items()
                legs = ", ".join(f"{leg.replace('-', '−')} → {hole}" for leg, hole in where)
                part = name if thing in name else f"{thing} ({name})"
                lines.append(told["set"].format(part=part, legs=legs))
            else:
                pin = thing[0].removeprefix("Pi.")
                one = told["header"].format(pin=pin) if pin != thing[0] else pin
                named = f" ({signal[thing[0]]})" if signal[thing[0]].isupper() else ""
                lines.append(told["wire"].format(one=one, other=thing[1], signal=named))
        yield lines


def _step(step: BuildStep, language: str) -> Iterator[str]:
    words = text(language).step[step.name]
    yield from told_step(step, step.name, words, actions(step, language), language)
    seen = printed_of(Fitted(step.check, step.fitted), language)
    yield from told_check(step.check, seen, language)
    yield from told_leads(step.mistakes, language)


def told_leads(named: Sequence[str], language: str) -> Iterator[str]:
    """Yield what to do about a line that complains, by the mistakes that can be made in a step."""
    told = text(language).guide
    leads = dict.fromkeys(lead for one in named for lead in mistakes()[one].leads)
    if not leads:
        yield f"{told['else']} {told['by']}"
        return
    yield from (told["else"], "")
    for name in leads:
        diagnosis = Diagnosis[name]
        where = f"symptoms.{language}.md#{anchor(diagnosis)}"
        yield f"- {told_fault(diagnosis, language)} → [{anchor(diagnosis)}]({where})"
    yield f"- {told['every']} → {told['by']}"


def _hand(step: GuideStep, language: str) -> str:
    listed = text(language)
    parts = [
        f"{count} × {listed.names[part]}" if count > 1 else listed.names[part]
        for part, count in step.parts.items()
    ]
    tools = [listed.tools[tool] for tool in step.tools]
    return " · ".join([*parts, *tools]) or listed.guide["nothing"]


def everything(every: Sequence[GuideStep], language: str) -> Iterator[str]:
    """Yield the parts that steps take, with how many and what to buy, and their tools."""
    listed, counts = text(language), taken(every)
    told = listed.guide
    yield f"| {told['count']} | {told['thing']} | {told['take']} |"
    yield "|---|---|---|"
    for part, count in counts.items():
        yield f"| {count} | {listed.names[part]} | {bought().parts[part].take} |"
    yield from ("", f"| {told['tool']} |", "|---|")
    for tool in dict.fromkeys(tool for step in every for tool in step.tools):
        yield f"| {listed.tools[tool]} |"


def taken(every: Sequence[GuideStep]) -> Counter[str]:
    """Return how many of each part steps take together."""
    return sum((Counter(step.parts) for step in every), Counter[str]())


class Fitted(NamedTuple):
    """A handheld under the eyes of the doctor.

    Attributes:
        check: a part of the doctor, or ``all``.
        parts: parts of the netlist that are there, and no other.
        light: the light sensor that the settings name.
    """

    check: str
    parts: tuple[str, ...] = ()
    light: LightKind = "veml7700"


def printed_of(fitted: Fitted, language: str, fault: InjectedFault | None = None) -> str:
    """Return what the doctor prints of a simulated handheld with exactly these parts."""
    told = io.StringIO()
    part = None if fitted.check == "all" else fitted.check
    legs = [leg for net in NETS.values() for leg in net]
    missing = wired(
        built(("open", leg) for leg in legs if leg.split(".")[0] not in ("Pi", *fitted.parts))
    )

    async def look() -> None:
        patient = SimulatedPatient.healthy(light=fitted.light)
        patient.host.model_name = MODEL
        patient.infrared_fitted = "TSOP38238" in fitted.parts
        missing(patient)
        await asyncio.sleep(AWAKE_S)
        if fault is not None:
            fault(patient)

        def asked(request: Request) -> None:
            print("> " + say(request, language))

        try:
            await report(patient.for_doctor(told=asked), language, part, as_json=False)
        finally:
            patient.board.close()

    with redirect_stdout(told):
        run(look(), limit_s=120)
    return told.getvalue()
