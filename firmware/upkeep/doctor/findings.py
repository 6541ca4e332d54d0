"""The doctor's findings: one line for each examined thing, with a remedy if it is wrong."""

from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from firmware.display.text.words import Words, words
from firmware.upkeep.doctor.checks import Check
from firmware.upkeep.doctor.diagnoses import Diagnosis
from game.spoken import Language


class CheckStatus(Enum):
    """The status of an examined thing."""

    FINE = "fine"
    NOTE = "note"
    """Worth knowing; the handheld works."""
    WRONG = "wrong"
    SKIPPED = "skipped"
    """Not examined, because it needs a hand or a missing thing."""


_MARKS = {
    CheckStatus.FINE: "+",
    CheckStatus.NOTE: "~",
    CheckStatus.WRONG: "!",
    CheckStatus.SKIPPED: "-",
}


@dataclass(frozen=True)
class Finding:
    """One examined thing.

    Attributes:
        check: the examined thing.
        status: its status.
        diagnosis: the fault; None if it is fine or was skipped.
        seen: the observation, in both languages' words or as plain numbers.
        values: fill the places of the diagnosis's texts.
    """

    check: Check
    status: CheckStatus
    diagnosis: Diagnosis | None = None
    seen: Words | None = None
    values: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values for JSON; texts in both languages."""
        told: dict[str, Any] = {"check": self.check.name.lower(), "status": self.status.value}
        if self.seen is not None:
            told["seen"] = asdict(self.seen)
        if self.diagnosis is not None:
            told["diagnosis"] = self.diagnosis.name.lower()
            told["what"] = _filled(self.diagnosis.what, self.values)
            told["do"] = _filled(self.diagnosis.do, self.values)
            if self.values:
                told["values"] = self.values
        return told

    def lines(self, language: Language) -> list[str]:
        """Return lines for a person: the finding, then the remedy, indented."""
        first = f"{_MARKS[self.status]} {words(self.check.value, language)}"
        if self.diagnosis is None:
            return [first + (f": {words(self.seen, language)}" if self.seen else "")]
        what, do = (
            words(text, language).format(**self.values)
            for text in (self.diagnosis.what, self.diagnosis.do)
        )
        return [f"{first}: {what}", f"    {do}"]


def fine(check: Check, de: str = "", en: str = "") -> Finding:
    """Return a finding of a thing in order; ``en`` may be left out if the same."""
    return Finding(check, CheckStatus.FINE, seen=Words(de, en or de) if de else None)


def skipped(check: Check, de: str, en: str) -> Finding:
    """Return a finding of a thing that was not examined, with the reason."""
    return Finding(check, CheckStatus.SKIPPED, seen=Words(de, en))


def wrong(check: Check, diagnosis: Diagnosis, **values: Any) -> Finding:
    """Return a finding of a fault."""
    return Finding(check, CheckStatus.WRONG, diagnosis, values=values)


def note(check: Check, diagnosis: Diagnosis, **values: Any) -> Finding:
    """Return a finding of a thing that works, but could be better."""
    return Finding(check, CheckStatus.NOTE, diagnosis, values=values)


def _filled(text: Words, values: dict[str, Any]) -> dict[str, str]:
    return {name: value.format(**values) for name, value in asdict(text).items()}
