"""Journals that are on no disk: for tables at which a program plays that could read one."""

from pathlib import Path

from firmware.journal.sqlite import Journal
from firmware.journal.writes import Survived, Write


class MemoryJournal(Journal):
    """A journal in this process alone; it outlives a loss of power, and ends with its shelf.

    Args:
        path: its name.
        shelf: what the journals of a table hold, by name.
    """

    def __init__(self, path: Path, shelf: dict[Path, Survived]) -> None:
        self.path = path
        self._shelf = shelf
        self.survived = self._now = shelf.get(path, Survived.nothing())

    def write(self, batch: tuple[Write, ...]) -> None:
        """Write a batch, in order.

        Raises:
            ValueError: an entry is not the next one of the current match; nothing was written.
        """
        now = self._now
        for item in batch:
            now = now.after(item)
        self._now = self._shelf[self.path] = now

    def close(self) -> None:
        """Do nothing: there is no file."""
