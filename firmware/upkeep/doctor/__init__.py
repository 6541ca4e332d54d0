"""Look at every part, wire and permission; say what is wrong and how to mend it.

May import: runtime, link, settings, effects, display, input, drivers.
Here is what its modules share: the checks, and a finding for each examined thing, with a remedy.
Begin with ``examine``.

A new fault has a member of `Diagnosis`, and a text in each language file. A ``judge`` function
finds it, and ``hw_sim/trials/faults.toml`` puts it in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from firmware.display.text.language import LANGUAGES, Language, key_of, say

Check = Enum(
    "Check",
    """
    SYSTEM PACKAGES PERMISSIONS SECRETS POWER BUS BUS_SPEED ACCELEROMETER MOTION INTERRUPT DISPLAY
    PICTURE LIGHT COVER PINS TOUCH TAP PIEZO BLUETOOTH INFRARED
    """,
)
"""A thing that the doctor examines."""

PARTS: Final[Mapping[str, frozenset[Check]]] = {
    "system": frozenset(
        {Check.SYSTEM, Check.PACKAGES, Check.PERMISSIONS, Check.SECRETS, Check.POWER,
         Check.BLUETOOTH}
    ),
    "accelerometer": frozenset({Check.BUS, Check.ACCELEROMETER, Check.MOTION, Check.INTERRUPT}),
    "display": frozenset({Check.BUS, Check.BUS_SPEED, Check.DISPLAY, Check.PICTURE}),
    "light": frozenset({Check.BUS, Check.LIGHT, Check.COVER}),
    "touch": frozenset({Check.PINS, Check.TOUCH, Check.TAP}),
    "piezo": frozenset({Check.PINS, Check.PIEZO}),
    "infrared": frozenset({Check.INFRARED}),
}  # fmt: skip
"""The parts that can be examined alone, each with what is examined then."""
EVERYTHING: Final = frozenset(Check)


Diagnosis = Enum(
    "Diagnosis",
    """
    NO_PI NOT_64_BIT OLD_KERNEL OLD_PYTHON PACKAGE_MISSING PACKAGE_VERSION TWO_GPIO_PACKAGES
    NO_GPIO_PACKAGE GPIO_PACKAGE_FOR_PI_5 NOT_IN_GROUP SECRETS_OPEN UNDER_VOLTAGE NO_BUS BUS_REFUSED
    BUS_STUCK SDA_STUCK SCL_STUCK BUS_EMPTY BUS_UNRELIABLE BUS_SLOW BUS_FOLLOWS_CORE BUS_FAST
    NO_ACCELEROMETER ACCELEROMETER_STRAPPED WRONG_ACCELEROMETER PARTS_SWAPPED NO_SAMPLES NO_GRAVITY
    INTERRUPT_SILENT INTERRUPT_STUCK NO_DISPLAY DISPLAY_STRAPPED SH1106_DISPLAY NO_LIGHT_SENSOR
    WRONG_LIGHT_SENSOR OTHER_LIGHT_SENSOR LIGHT_SENSOR_STRAPPED TOO_DARK
    LIGHT_NEVER_CHANGES COVER_LEAKS COVER_LOOSE PINS_UNLOADED PINS_REFUSED PINS_BUSY EDGES_FAIL
    TOUCH_STUCK TOUCH_UNSTEADY TOUCH_SILENT PIEZO_HELD ADAPTER_MISSING ADAPTER_OWNED ADAPTER_REFUSED
    ADAPTER_BLOCKED ADAPTER_FAILING ADAPTER_UNSUPPORTED INFRARED_FAILS INFRARED_UNHEARD
    INFRARED_KERNEL INFRARED_LOSSY INFRARED_NOISE INFRARED_JITTER
    """,
)
"""A fault. Places in the texts are filled from the finding."""


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
