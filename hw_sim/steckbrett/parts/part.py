"""The base of every simulated part: a name, and what a host did against its data sheet."""

from enum import StrEnum
from typing import ClassVar


class Offence(StrEnum):
    """How bad it is what a host did."""

    REFUSED = "refused"
    """The chip does not do it."""
    TORN = "torn"
    """The chip does it, but the data can be wrong."""
    UNLISTED = "unlisted"
    """Every chip does it, but no sheet says so."""


class PartModel:
    """A part of the board as a strict register model.

    ``notes`` counts what is legal and still worth knowing, by its text.
    """

    name: ClassVar[str]

    def __init__(self) -> None:
        self._offences: dict[tuple[Offence, str], list[int]] = {}
        self.notes: dict[str, int] = {}

    @property
    def violations(self) -> list[str]:
        """One line for each different offence of any kind, in the order of their first times."""
        return self.offences(*Offence)

    def offences(self, *kinds: Offence) -> list[str]:
        """Return one line for each different offence of ``kinds``: first time in µs, text, count.

        Equal ones are counted, not repeated.
        """
        return [
            f"{self.name} at {t_us} µs: {what}" + (f" ({count} times)" if count > 1 else "")
            for (kind, what), (t_us, count) in self._offences.items()
            if kind in kinds
        ]

    def refuse(self, t_us: int, what: str, kind: Offence = Offence.REFUSED) -> None:
        """Count an offence: at ``t_us`` the host did ``what``."""
        self._offences.setdefault((kind, what), [t_us, 0])[1] += 1

    def tear(self, t_us: int, what: str) -> None:
        """Count an offence that the chip bears, but that can give wrong data."""
        self.refuse(t_us, what, Offence.TORN)

    def note(self, what: str) -> None:
        """Count ``what``, which is legal and worth knowing."""
        self.notes[what] = self.notes.get(what, 0) + 1
