"""Advertisements that a controller sends and receives.

The module notes the wanted state, and one task at a time brings the controller there. Three things
end advertising, and it resumes after each: an incoming connection that leaves room for more; a full
controller, until it has room; and an attempt to connect, because built-in controllers refuse to
connect, or hang, while they advertise or scan.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from bumble.core import BaseBumbleError
from bumble.hci import (
    HCI_Error,
    HCI_ErrorCode,
    HCI_LE_Set_Advertising_Data_Command,
    OwnAddressType,
)

from firmware.link.bluetooth.channel import Tasks, whole

ADVERTISING_MS = 60.0
"""Within the 20 to 100 ms that let a handheld be found in half a second."""
AGAIN_S = 1.0
"""Delay before a refused advertisement is tried again."""
_FLAGS_LE_ONLY = bytes((2, 0x01, 0x06))
"""Advertising data: general discoverable, no classic Bluetooth."""
_MANUFACTURER = 0xFF
"""Advertising data: bytes of a manufacturer's own …"""
_NO_COMPANY = b"\xff\xff"
"""… that belongs to no company (Bluetooth Assigned Numbers)."""
ANNOUNCED_BYTES = 24
"""Bytes left of an advertisement's 31."""
_FULL = (
    HCI_ErrorCode.CONNECTION_LIMIT_EXCEEDED_ERROR,
    HCI_ErrorCode.CONNECTION_REJECTED_DUE_TO_LIMITED_RESOURCES_ERROR,
)

_log = logging.getLogger(__name__)


def _ignore(_address: str, _data: bytes) -> None:
    """Do nothing."""


def _nothing() -> None:
    """Do nothing."""


class Advertising:
    """Announcements of one controller: advertised to all neighbours, and received from them.

    Args:
        own_type: of the address that is advertised.
        tasks: those of the radio.
    """

    def __init__(self, own_type: OwnAddressType, tasks: Tasks) -> None:
        self.on_announced: Callable[[str, bytes], None] = _ignore
        """Called with a neighbour's announcement: its address, and at most ANNOUNCED_BYTES."""
        self.on_full: Callable[[], None] = _nothing
        """Called each time a full controller does not advertise, while it listens."""
        self._own_type = own_type
        self._tasks = tasks
        self._device: Any = None
        self._settling = asyncio.Lock()
        # The wanted state …
        self._announced = b""
        self._listening = False
        self._rests = False
        self._stopped = False
        # … and the actual one.
        self._is_on = False
        self._advertised = b""
        self._again: asyncio.TimerHandle | None = None

    async def start(self, device: Any) -> None:
        """Advertise on a bumble ``device`` that is powered on. Raises BaseBumbleError."""
        self._device = device
        device.on(device.EVENT_ADVERTISEMENT, self._on_advertisement)
        self._advertised = device.advertising_data = self._wanted
        await self._advertise()

    async def stop(self) -> None:
        """Advertise and scan no more."""
        self._stopped = True
        await self._settle()

    @asynccontextmanager
    async def resting(self) -> AsyncIterator[None]:
        """Neither advertise nor scan during the block."""
        self._rests = True
        try:
            await self._settle()
            yield
        finally:
            self._rests = False
            self._tasks.spawn(self._settle())

    def connected(self, connection: Any) -> None:
        """Resume advertising, which a connection to this device, or its end, has stopped."""
        self._is_on = False
        connection.once(connection.EVENT_DISCONNECTION, lambda _: self._tasks.spawn(self._settle()))
        self._tasks.spawn(self._settle())

    def announce(self, data: bytes) -> None:
        """Advertise ``data`` as manufacturer data; ``b""`` advertises without any.

        Raises ValueError for more than ANNOUNCED_BYTES.
        """
        if len(data) > ANNOUNCED_BYTES:
            raise ValueError(f"{len(data)} bytes cannot be announced: {ANNOUNCED_BYTES} can")
        if data != self._announced:
            self._announced = data
            self._tasks.spawn(self._settle())

    def listen(self, on: bool) -> None:
        """Start or stop scanning; findings go to ``on_announced``."""
        if on != self._listening:
            self._listening = on
            self._tasks.spawn(self._settle())

    @property
    def _wanted(self) -> bytes:
        data = self._announced
        field = bytes((3 + len(data), _MANUFACTURER)) + _NO_COMPANY + data if data else b""
        return _FLAGS_LE_ONLY + field

    async def _settle(self) -> None:
        """Bring the controller to the wanted state; it retries a refused command later."""
        if self._device is None:
            return
        async with self._settling:
            device = self._device
            may = not (self._rests or self._stopped)
            if device.is_scanning and not (may and self._listening):
                await _tried(device.stop_scanning())
            if self._is_on and not may:
                self._is_on = False
                await _tried((device.legacy_advertising_set or device.legacy_advertiser).stop())
            if self._advertised != self._wanted:
                await self._set_data()
            full = may and not self._is_on and is_full(await _tried(self._advertise()))
            if full and self._listening:  # strangers meet, and one may wait out there
                self.on_full()
            if may and self._listening and not device.is_scanning:
                await _tried(device.start_scanning(active=False, own_address_type=self._own_type))
            if may and not (self._is_on and device.is_scanning == self._listening):
                self._try_again()

    def _try_again(self) -> None:
        """Settle again in a while: the end of a connection or an attempt makes room."""
        if self._again is None or self._again.when() <= asyncio.get_running_loop().time():
            again = asyncio.get_running_loop().call_later
            self._again = again(AGAIN_S, lambda: self._tasks.spawn(self._settle()))

    async def _set_data(self) -> None:
        device, data = self._device, self._wanted
        self._advertised = device.advertising_data = data
        if device.legacy_advertising_set is not None:
            await _tried(device.legacy_advertising_set.set_advertising_data(data))
        else:
            command = HCI_LE_Set_Advertising_Data_Command(advertising_data=data)
            await _tried(device.send_sync_command(command))

    async def _advertise(self) -> None:
        device = self._device
        known = device.legacy_advertising_set or device.legacy_advertiser
        self._is_on = True  # a connection may end it before this goes on
        try:
            if known is not None:
                await known.start()
            else:
                await device.start_advertising(
                    own_address_type=self._own_type,
                    advertising_interval_min=ADVERTISING_MS,
                    advertising_interval_max=ADVERTISING_MS,
                )
        except BaseBumbleError:
            self._is_on = False
            raise

    def _on_advertisement(self, advertisement: Any) -> None:
        data = advertisement.data.get(_MANUFACTURER, raw=True)
        if data is not None and data[:2] == _NO_COMPANY:
            self.on_announced(str(advertisement.address), bytes(data[2:]))


def is_full(problem: BaseBumbleError | None) -> bool:
    """Return whether a controller refused something because it has no connection left."""
    return isinstance(problem, HCI_Error) and problem.error_code in _FULL


async def _tried(work: Awaitable[Any]) -> BaseBumbleError | None:
    """Await commands to the controller; log and return a refusal."""
    try:
        await whole(work)
    except BaseBumbleError as problem:
        _log.info("the controller refuses: %s", problem)
        return problem
    return None
