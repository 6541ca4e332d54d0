"""A runtime's outside beyond its board: stores and frames in one queue, and parts that fail.

A frame whose ``after`` names a store makes a promise that only that store keeps over a power loss
(PROTOCOL.md: a cup is stored before it is sent). The queue keeps the core's order; the writer
checks it nevertheless, and ends the handheld rather than break the promise.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from drivers.errors import PartError, PartFault
from firmware.display.screens import Screen
from firmware.effects.effects import (
    KeepChoice,
    Part,
    PartFailed,
    PartWell,
    Place,
    SendToDevice,
    Store,
    Stored,
    Ticket,
)
from firmware.input.gestures.gesture import Gesture
from firmware.journal.sqlite import JournalError
from firmware.journal.writes import Put, Write


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


class StoreOrderError(Exception):
    """A frame was about to leave before its store: a defect of the core."""


class Writer:
    """A queue of stores and frames, done in the order added.

    Args:
        ports: the targets.
        report: gets each store that has ended.
    """

    def __init__(self, ports: Ports, report: Callable[[Stored], None]) -> None:
        self._ports = ports
        self._report = report
        self._queue: asyncio.Queue[Store | SendToDevice | KeepChoice] = asyncio.Queue()
        self._stored: set[Ticket] = set()
        """Tickets of finished stores; every core counts its tickets anew."""

    def add(self, effect: Store | SendToDevice | KeepChoice) -> None:
        """Queue an effect behind everything that was added before."""
        if isinstance(effect, Store):
            self._stored.discard(effect.ticket)
        self._queue.put_nowait(effect)

    async def serve(self) -> None:
        """Write and send until a store fails: what still waits never leaves.

        Raises:
            StoreOrderError: a frame came before its store.
        """
        while True:
            effect = await self._queue.get()
            match effect:
                case Store():
                    if not await self._is_stored(effect):
                        return
                case SendToDevice(device, frame, after):
                    self._demand(after)
                    self._ports.send(device, frame)
                case KeepChoice(write):
                    await self._keep(write)

    async def _is_stored(self, store: Store) -> bool:
        trouble = None
        try:
            await self._ports.write(store.batch)
            self._stored.add(store.ticket)
        except JournalError as error:
            trouble = str(error)
        self._report(Stored(store.ticket, trouble))
        return trouble is None

    def _demand(self, after: int | None) -> None:
        if after is not None and after not in self._stored:
            raise StoreOrderError(f"a frame was to leave before store {after} is on the disk")

    async def _keep(self, write: Put) -> None:
        """Store what the player chose; a failure does not stop a match."""
        try:
            await self._ports.write((write,))
        except JournalError as error:
            self._ports.observers.trouble(str(error))


RETRY_S: Final = 0.5
"""Interval of tries to set up a part that has failed."""
PANEL_RETRY_S: Final = 0.04
"""The same for the panel: shorter, because it may show dice."""

Serve = Callable[[Callable[[], None]], Awaitable[None]]
"""Sets a part up, calls its argument once the part answers, and serves it."""


async def keep(
    part: Part,
    serve: Serve,
    report: Callable[[PartFailed | PartWell], None],
    name: Callable[[str], None],
) -> None:
    """Serve a part until cancelled.

    Args:
        part: the one that ``serve`` serves.
        serve: called anew whenever it has raised a PartError.
        report: gets each failure, and each recovery once.
        name: gets one line on each new trouble.
    """
    trouble: str | None = None

    def well() -> None:
        nonlocal trouble
        if trouble is not None:
            trouble = None
            report(PartWell(part))

    while True:
        try:
            await serve(well)
        except PartError as error:
            if str(error) != trouble:
                trouble = str(error)
                name(trouble)
            wrong = error.part.split()[0] if error.fault is PartFault.WRONG_PART else None
            report(PartFailed(part, wrong))
            await asyncio.sleep(PANEL_RETRY_S if part is Part.PANEL else RETRY_S)
