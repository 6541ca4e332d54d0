"""Stores and frames in one queue: no frame leaves before its store is on the disk.

A frame whose ``after`` names a store makes a promise that only that store keeps over a power loss
(PROTOCOL.md: a cup is stored before it is sent). The queue keeps the core's order; the writer
checks it nevertheless, and ends the handheld rather than break the promise.
"""

import asyncio
from collections.abc import Callable

from firmware.effects.effects import KeepVolume, SendToDevice, Store
from firmware.effects.reports import Stored, Ticket
from firmware.journal.keys import VOLUME_KEY
from firmware.journal.sqlite import JournalError
from firmware.journal.writes import Put
from firmware.runtime.ports import Ports


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
        self._queue: asyncio.Queue[Store | SendToDevice | KeepVolume] = asyncio.Queue()
        self._stored: set[Ticket] = set()
        """Tickets of finished stores; every core counts its tickets anew."""

    def add(self, effect: Store | SendToDevice | KeepVolume) -> None:
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
                case KeepVolume(volume):
                    await self._keep_volume(volume)

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

    async def _keep_volume(self, volume: int) -> None:
        """Store the volume; a failure does not stop a match."""
        try:
            await self._ports.write((Put(VOLUME_KEY, bytes([volume])),))
        except JournalError as error:
            self._ports.observers.trouble(str(error))
