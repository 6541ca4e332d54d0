"""The page by symptom: every diagnosis of the doctor, with the mistakes that lead to it."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

from firmware.display.text.language import book
from firmware.upkeep.doctor import Diagnosis
from hardware.texts import text, warning
from hw_sim.trials.diagnosis.wiring import built, dangers

MISTAKES: Final = Path(__file__).with_name("mistakes.toml")
DEAD: Final = "no-start"
"""The place on the page for a Pi on which no doctor runs."""
_PLACE: Final = re.compile(r"(?:\{[^}]*\})+")


class Mistake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mistake of a builder.

    Attributes:
        leads: names of the diagnoses that the doctor gives; none if no doctor runs.
        only: where it can be made; empty: on the breadboard and in the body.
        wires: changes of the netlist; empty if ``fault`` names one of the simulator.
    """

    leads: tuple[str, ...]
    wires: tuple[tuple[str, ...], ...] = ()
    fault: str = ""
    only: Literal["", "breadboard", "body"] = ""


@cache
def mistakes() -> Mapping[str, Mistake]:
    """Return every mistake by its name."""
    return msgspec.convert(tomllib.loads(MISTAKES.read_text("utf-8")), dict[str, Mistake])


def anchor(diagnosis: Diagnosis) -> str:
    """Return the name of a diagnosis's place on the page."""
    return diagnosis.name.lower().replace("_", "-")


def symptoms_page(language: str) -> str:
    """Return the page in Markdown.

    Raises:
        FileNotFoundError: there are no texts in this language.
    """
    words = text(language).symptoms
    lines = [warning(language), "", f"# {words['title']}", "", words["how"], "", words["links"]]
    lines += ["", f"| {words['says']} | {words['go']} |", "|---|---|"]
    lines += [
        f"| {told_fault(diagnosis, language)} | [{anchor(diagnosis)}](#{anchor(diagnosis)}) |"
        for diagnosis in Diagnosis
    ]
    lines += ["", f"## {words['seen']}", "", "| | |", "|---|---|"]
    lines += [f"| {words['dead']} | [{DEAD}](#{DEAD}) |"]
    lines += [
        f"| {seen} | [{anchor(Diagnosis[name])}](#{anchor(Diagnosis[name])}) |"
        for name, seen in text(language).seen.items()
    ]
    lines += ["", f"## {DEAD}", "", f"**{words['dead']}.**", "", words["revive"]]
    lines += _causes([name for name, one in mistakes().items() if not one.leads], language)
    for diagnosis in Diagnosis:
        lines += ["", f"## {anchor(diagnosis)}", "", *_section(diagnosis, language)]
    return "\n".join([*lines, "", words["unlisted"]]) + "\n"


def _section(diagnosis: Diagnosis, language: str) -> Iterator[str]:
    yield f"**{told_fault(diagnosis, language)}.**"
    yield ""
    yield _text(diagnosis, "do", language)
    named = [name for name, mistake in mistakes().items() if diagnosis.name in mistake.leads]
    yield from _causes(named, language)


def _causes(named: Sequence[str], language: str) -> Iterator[str]:
    """The mistakes as a list; those that burn something come first."""
    if named:
        yield from ("", text(language).symptoms["causes"], "")
    for name in sorted(named, key=lambda name: not burns(mistakes()[name])):
        one, words = mistakes()[name], text(language).symptoms
        marks = [words["burns"]] if burns(one) else []
        marks += [words[one.only]] if one.only else []
        yield f"- {' '.join([*marks, text(language).mistake[name]])}"


def burns(mistake: Mistake) -> bool:
    """Return whether a mistake destroys a part, by the simulator's model of currents."""
    try:
        return any(dangers(built(mistake.wires)))
    except ValueError:
        return True


def told_fault(diagnosis: Diagnosis, language: str) -> str:
    """Return what the doctor's line says of a diagnosis; an ellipsis stands for numbers."""
    return _text(diagnosis, "what", language).rstrip(".")


def _text(diagnosis: Diagnosis, key: str, language: str) -> str:
    """A text of a diagnosis; what stands for a number or a name becomes an ellipsis."""
    said = book(language).texts[f"Diagnosis.{diagnosis.name}.{key}"]
    return _PLACE.sub("…", said).replace("|", "\\|")
