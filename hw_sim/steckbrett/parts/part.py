"""The base of every simulated part: a name, and the violations of its data sheet."""

from typing import ClassVar


class PartModel:
    """A part of the board as a strict register model.

    ``violations`` holds one line for each thing a host did that the data sheet forbids or does
    not describe. ``notes`` holds what is legal and still worth knowing. Both only ever grow.
    """

    name: ClassVar[str]

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.notes: list[str] = []

    def refuse(self, t_us: int, what: str) -> None:
        """Add a violation: at ``t_us`` the host did ``what``, which the sheet does not allow."""
        self.violations.append(f"{self.name} at {t_us} µs: {what}")

    def note(self, t_us: int, what: str) -> None:
        """Add a note: at ``t_us`` (µs) ``what`` happened, legal and worth knowing."""
        self.notes.append(f"{self.name} at {t_us} µs: {what}")
