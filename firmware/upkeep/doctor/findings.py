"""The doctor's findings: one line for each examined thing, with a remedy if it is wrong."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from firmware.display.text.language import LANGUAGES, Language, key_of, say
from firmware.upkeep.doctor.checks import Check
from firmware.upkeep.doctor.diagnoses import Diagnosis


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
        seen: the key of the observation; None for none.
        values: fill the places of the observation's or the diagnosis's texts.
    """

    check: Check
    status: CheckStatus
    diagnosis: Diagnosis | None = None
    seen: str | None = None
    values: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values for JSON; texts in every language."""
        told: dict[str, Any] = {"check": self.check.name.lower(), "status": self.status.value}
        if self.seen is not None:
            told["seen"] = self._in_all(self.seen)
        if self.diagnosis is not None:
            told["diagnosis"] = self.diagnosis.name.lower()
            told["what"] = self._in_all(key_of(self.diagnosis, "what"))
            told["do"] = self._in_all(key_of(self.diagnosis, "do"))
            if self.values:
                told["values"] = self.values
        return told

    def lines(self, language: Language) -> list[str]:
        """Return lines for a person: the finding, then the remedy, indented."""
        first = f"{_MARKS[self.status]} {say(self.check, language)}"
        if self.diagnosis is not None:
            what, do = (
                say(key_of(self.diagnosis, part), language, **self.values)
                for part in ("what", "do")
            )
            return [say("seen.LINE", language, check=first, what=what), f"    {do}"]
        if self.seen is None:
            return [first]
        seen = say(self.seen, language, **self.values)
        return [say("seen.LINE", language, check=first, what=seen)]

    def _in_all(self, key: str) -> dict[Language, str]:
        return {language: say(key, language, **self.values) for language in LANGUAGES}


def fine(check: Check, seen: str | None = None, **values: object) -> Finding:
    """Return a finding of a thing in order; ``seen`` names a text in ``seen``, None for none."""
    return Finding(check, CheckStatus.FINE, seen=seen and f"seen.{seen}", values=values)


def skipped(check: Check, why: str) -> Finding:
    """Return a finding of a thing that was not examined; ``why`` names a text in ``seen``."""
    return Finding(check, CheckStatus.SKIPPED, seen=f"seen.{why}")


def wrong(check: Check, diagnosis: Diagnosis, **values: Any) -> Finding:
    """Return a finding of a fault."""
    return Finding(check, CheckStatus.WRONG, diagnosis, values=values)


def note(check: Check, diagnosis: Diagnosis, **values: Any) -> Finding:
    """Return a finding of a thing that works, but could be better."""
    return Finding(check, CheckStatus.NOTE, diagnosis, values=values)
