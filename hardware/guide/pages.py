"""The guide as a page in Markdown: steps with drawings, parts, the doctor's own words, causes."""

import asyncio
import io
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Final, NamedTuple

from drivers.light_sensor import LightKind
from firmware.cli.upkeep import report
from firmware.display.text.language import say
from firmware.upkeep.doctor import Diagnosis
from firmware.upkeep.doctor.patient import Request
from hardware.guide.steps import BuildStep, steps
from hardware.guide.symptoms import anchor, first_line, mistakes
from hardware.texts import text, warning
from hw_sim.clock import run
from hw_sim.trials.diagnosis import InjectedFault, SimulatedPatient

AWAKE_S: Final = 0.6
MODEL: Final = "Raspberry Pi Zero 2 W Rev 1.0"
BUS_PARTS: Final = {"ADXL345": "accelerometer", "SSD1306": "display", "VEML7700": "light"}


def guide_page(language: str) -> str:
    """Return the guide.

    Raises:
        FileNotFoundError: there are no texts in this language.
    """
    told = text(language).guide
    hours = sum(step.minutes for step in steps()) / 60
    lines = [warning(language), "", f"# {told['title']}", "", told["links"], ""]
    lines.append(told["how"].format(count=len(steps()), hours=round(hours)))
    for number, step in enumerate(steps(), 1):
        lines += ["", f"## {number}. {text(language).step[step.name].title}", ""]
        lines += _step(step, language)
    lines += ["", f"## {told['all']}", "", *_everything(language)]
    return "\n".join(lines) + "\n"


def _step(step: BuildStep, language: str) -> Iterator[str]:
    told, words = text(language).guide, text(language).step[step.name]
    yield f"![{words.title}](steps/{step.name}.svg)"
    yield ""
    yield f"**{told['have']}** {_hand(step, language)}. **{step.minutes}\u00a0{told['minutes']}.**"
    yield ""
    yield words.text.strip().replace("\n", "\n\n")
    yield ""
    part = "" if step.check == "all" else f" --part {step.check}"
    command = f"`sudo maexchen doctor{part} --hands --lang {language}`"
    yield f"**{told['check']}** {command}. {told['prints']}"
    yield ""
    yield "```"
    yield printed(step, language).rstrip()
    yield "```"
    yield ""
    leads = dict.fromkeys(lead for one in step.mistakes for lead in mistakes()[one].leads)
    if not leads:
        yield f"{told['else']} {told['by']}"
        return
    yield told["else"]
    yield ""
    for name in leads:
        diagnosis = Diagnosis[name]
        where = f"symptoms.{language}.md#{anchor(diagnosis)}"
        yield f"- {first_line(diagnosis, language)} → [{anchor(diagnosis)}]({where})"
    yield f"- {told['every']} → {told['by']}"


def _hand(step: BuildStep, language: str) -> str:
    listed = text(language)
    parts = [
        f"{count} × {listed.names[part]}" if count > 1 else listed.names[part]
        for part, count in step.parts.items()
    ]
    tools = [listed.tools[tool] for tool in step.tools]
    return " · ".join([*parts, *tools]) or listed.guide["nothing"]


def _everything(language: str) -> Iterator[str]:
    """The parts counted from the steps, and the tools."""
    listed, counts = text(language), taken()
    told = listed.guide
    yield f"| {told['count']} | {told['thing']} |"
    yield "|---|---|"
    for part, count in counts.items():
        yield f"| {count} | {listed.names[part]} |"
    yield ""
    yield f"| {told['tool']} |"
    yield "|---|"
    for tool in dict.fromkeys(tool for step in steps() for tool in step.tools):
        yield f"| {listed.tools[tool]} |"


def taken() -> Counter[str]:
    """Return how many of each part all steps take together."""
    counts: Counter[str] = Counter()
    for step in steps():
        counts.update(step.parts)
    return counts


class Fitted(NamedTuple):
    """A handheld under the eyes of the doctor.

    Attributes:
        check: a part of the doctor, or ``all``.
        parts: parts of the netlist that are there; empty: all of the bus.
        light: the light sensor that the settings name.
        infrared: whether sender and receiver are there.
    """

    check: str
    parts: tuple[str, ...] = ()
    light: LightKind = "veml7700"
    infrared: bool = True


def printed(step: BuildStep, language: str, fault: InjectedFault | None = None) -> str:
    """Return what the doctor prints after a step; ``fault``: with a mistake, None without one."""
    return printed_of(Fitted(step.check, step.fitted), language, fault)


def printed_of(fitted: Fitted, language: str, fault: InjectedFault | None = None) -> str:
    """Return what the doctor prints of a simulated handheld with exactly these parts."""
    told = io.StringIO()
    part = None if fitted.check == "all" else fitted.check

    async def look() -> None:
        patient = SimulatedPatient.healthy(light=fitted.light)
        patient.host.model_name = MODEL
        patient.infrared_fitted = fitted.infrared
        await asyncio.sleep(AWAKE_S)
        if fault is not None:
            fault(patient)
        for leg, name in BUS_PARTS.items():
            if fitted.parts and leg not in fitted.parts:
                patient.board.unplug(name)

        def asked(request: Request) -> None:
            print("> " + say(request, language))

        try:
            await report(patient.for_doctor(told=asked), language, part, as_json=False)
        finally:
            patient.board.close()

    with redirect_stdout(told):
        run(look(), limit_s=120)
    return told.getvalue()
