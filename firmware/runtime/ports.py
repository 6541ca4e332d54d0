"""A runtime's outside beyond its board: journal, links, observers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from firmware.display.screens import Screen
from firmware.effects.places import Place
from firmware.input.gestures.gesture import Gesture
from firmware.journal.writes import Write


def _nobody(*_what: object) -> None:
    """Do nothing: the handheld has no place."""


@dataclass(frozen=True)
class Observers:
    """Callbacks of a runtime, called in order; add to the lists before it runs.

    Attributes:
        screens: get each screen that the core wants on the panel.
        gestures: get each gesture, before the core does.
        troubles: get one line on each new trouble of a part.
    """

    screens: list[Callable[[Screen], None]] = field(default_factory=list)
    gestures: list[Callable[[Gesture], None]] = field(default_factory=list)
    troubles: list[Callable[[str], None]] = field(default_factory=list)

    def trouble(self, line: str) -> None:
        """Call all ``troubles`` with a line."""
        for told in self.troubles:
            told(line)


@dataclass(frozen=True)
class Ports:
    """A runtime's outside beyond its board.

    Attributes:
        write: writes a batch to the journal as one transaction; raises JournalError.
        send: takes a frame for a device (six bytes), or for all neighbours (None).
        listen_at: takes a place from now on; None: nowhere.
        observers: get reports on the runtime's work.
    """

    write: Callable[[tuple[Write, ...]], Awaitable[None]]
    send: Callable[[bytes | None, bytes], None] = _nobody
    listen_at: Callable[[Place | None], None] = _nobody
    observers: Observers = field(default_factory=Observers)
