"""Infrared and Bluetooth together: a frame goes over both, and what arrives twice counts once.

The cup's frames and those of the lobby are few and short, so they go over infrared as well as over
Bluetooth: a neighbour in sight has the proposal before Bluetooth connects, and either medium alone
is enough when the other fails. The log, which is longer, goes over Bluetooth; over infrared only
where there is no connection.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable

from firmware.link.bluetooth.hci import OpenController, RadioError
from firmware.link.bluetooth.link import BluetoothLink
from firmware.link.infrared.link import InfraredLink, Port
from firmware.link.infrared.lirc import InfraredError
from firmware.link.link import Link
from firmware.table.protocol.header import kind_of
from firmware.table.protocol.kinds import OF_THE_CUP, MessageKind

SAME_FRAME_S = 0.4
"""The same frame that comes again within this time came over the other medium."""
_REMEMBERED = 32
_OVER_BLUETOOTH = frozenset(MessageKind) - set(OF_THE_CUP)
"""What needs no infrared where there is a connection."""

_log = logging.getLogger(__name__)


class DualLink:
    """Two links as one ``Link``; both are made with the ``take`` of one `Once`."""

    def __init__(self, bluetooth: BluetoothLink, infrared: InfraredLink) -> None:
        self._bluetooth = bluetooth
        self._infrared = infrared

    async def start(self) -> None:
        """Switch both on; if one fails, log it and go on with the other.

        Raises:
            RadioError: neither can be switched on.
        """
        try:
            await self._infrared.start()
        except InfraredError as problem:
            _log.warning("%s", problem)
            await self._bluetooth.start()
            return
        try:
            await self._bluetooth.start()
        except RadioError as problem:
            _log.warning("%s", problem)

    async def stop(self) -> None:
        """Switch both off."""
        await self._infrared.stop()
        await self._bluetooth.stop()

    def abandon(self) -> None:
        """Stop both at once, as ``Link.abandon``."""
        self._infrared.abandon()
        self._bluetooth.abandon()

    @property
    def is_well(self) -> bool:
        """Whether one of them is; see `Link`."""
        return self._infrared.is_well or self._bluetooth.is_well

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame over both media, as ``Link.send``.

        To a connected device only frames of the cup and of the lobby go over infrared too.
        """
        connected = device is not None and self._bluetooth.is_up(device)
        if not connected or kind_of(frame) not in _OVER_BLUETOOTH:
            self._infrared.send(device, frame)
        self._bluetooth.send(device, frame)

    def listen(self, on: bool) -> None:
        """As ``Link.listen``, of Bluetooth: infrared receives everything anyhow."""
        self._bluetooth.listen(on)


class Once:
    """Passes each frame on once: a copy within SAME_FRAME_S came over the other medium.

    Args:
        on_frame: gets the frames.
        now_s: returns the time in seconds, never running back.
    """

    def __init__(self, on_frame: Callable[[bytes], None], now_s: Callable[[], float]) -> None:
        self._on_frame = on_frame
        self._now_s = now_s
        self._seen: OrderedDict[bytes, float] = OrderedDict()

    def take(self, frame: bytes) -> None:
        """Pass ``frame`` to ``on_frame``, unless it was passed on within the last SAME_FRAME_S."""
        now_s = self._now_s()
        seen_s = self._seen.get(frame)
        if seen_s is not None and now_s - seen_s <= SAME_FRAME_S:
            return  # and it stays as old as it is: who repeats it silences nobody
        self._seen.pop(frame, None)
        self._seen[frame] = now_s
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        self._on_frame(frame)


def link_over(
    controller: OpenController | None,
    port: Port | None,
    device: bytes,
    on_frame: Callable[[bytes], None],
    chance: Callable[[], float],
    known: Iterable[bytes] | None = None,
) -> Link:
    """Make the link that the media which are there allow. It is not started.

    Args:
        controller: opens the controller of Bluetooth; None: there is no Bluetooth.
        port: an infrared transmitter and receiver; None: there is none.
        device: the own address, six bytes.
        on_frame: gets every frame once, whichever medium it comes over.
        chance: returns a number from 0 to 1, below 1.
        known: the other devices of a table that is fixed; None: whoever comes is let in.

    Raises:
        ValueError: neither medium is there, or one device is named twice.
    """
    take = Once(on_frame, asyncio.get_running_loop().time).take
    infrared = None if port is None else InfraredLink(port, take, chance)
    if controller is None:
        if infrared is None:
            raise ValueError("without Bluetooth and infrared nobody can be reached")
        return infrared
    bluetooth = BluetoothLink(controller, device, take, known)
    return bluetooth if infrared is None else DualLink(bluetooth, infrared)
