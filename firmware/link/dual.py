"""Infrared and Bluetooth together: a frame goes over both, and what arrives twice counts once.

The cup's frames are few and short, so they go over infrared as well as over Bluetooth: a neighbour
in sight has the proposal before a connection stands, and either medium alone is enough when the
other fails. The record, which is longer, goes over Bluetooth; over infrared only where there is no
connection.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable

from firmware.link.bluetooth.hci import RadioError
from firmware.link.bluetooth.link import BluetoothLink
from firmware.link.bluetooth.peer import is_of_the_cup
from firmware.link.infrared.link import InfraredLink
from firmware.link.infrared.lirc import InfraredError

SAME_FRAME_S = 0.4
"""The same frame that comes again within this time came over the other medium."""
_REMEMBERED = 32

_log = logging.getLogger(__name__)


class BothLinks:
    """Two links as one.

    Args:
        bluetooth, infrared: the links, made with ``take`` as what gets their frames.
    """

    def __init__(self, bluetooth: BluetoothLink, infrared: InfraredLink) -> None:
        self._bluetooth = bluetooth
        self._infrared = infrared

    async def start(self) -> None:
        """Switch both on. One that cannot be is done without.

        Raises:
            RadioError: neither can.
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
        """The power is cut."""
        self._infrared.abandon()
        self._bluetooth.abandon()

    def send(self, seat: int, frame: bytes) -> None:
        """Send a frame to a seat, over whatever brings it there."""
        if is_of_the_cup(frame) or not self._bluetooth.is_up(seat):
            self._infrared.send(seat, frame)
        self._bluetooth.send(seat, frame)

    def release(self, seat: int) -> None:
        """Close the connection with a seat as soon as everything is sent."""
        self._bluetooth.release(seat)


class Once:
    """Lets every frame through once, though it comes over two media.

    Args:
        on_frame: gets the frames.
        now_s: the time in seconds.
    """

    def __init__(self, on_frame: Callable[[int, bytes], None], now_s: Callable[[], float]) -> None:
        self._on_frame = on_frame
        self._now_s = now_s
        self._seen: OrderedDict[bytes, float] = OrderedDict()

    def take(self, seat: int, frame: bytes) -> None:
        """A frame has come over one of them."""
        now_s = self._now_s()
        seen_s = self._seen.get(frame)
        if seen_s is not None and now_s - seen_s <= SAME_FRAME_S:
            return  # and it stays as old as it is: who repeats it silences nobody
        self._seen.pop(frame, None)
        self._seen[frame] = now_s
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        self._on_frame(seat, frame)
