"""What a controller advertises, and hears others advertise.

A connection ends advertising, and the next peer must find this device all the same: it is resumed
at once, and after every connection that ends.
"""

import logging
from collections.abc import Callable
from typing import Any

from bumble.core import BaseBumbleError
from bumble.hci import HCI_LE_Set_Advertising_Data_Command, OwnAddressType

from firmware.link.bluetooth.tasks import Tasks, whole

ADVERTISING_MS = 60.0
"""Within the 20 to 100 ms that let a handheld be found in half a second."""
_FLAGS_LE_ONLY = bytes((2, 0x01, 0x06))
"""Advertising data: general discoverable, no classic Bluetooth."""
_MANUFACTURER = 0xFF
"""Advertising data: bytes of a manufacturer's own making …"""
_NO_COMPANY = b"\xff\xff"
"""… that belongs to no company (Bluetooth Assigned Numbers)."""
ANNOUNCED_BYTES = 24
"""What is left of an advertisement's 31 bytes."""

_log = logging.getLogger(__name__)


def _ignore(_address: str, _data: bytes) -> None:
    """Nobody wants to know."""


class Advertising:
    """Announcements of one controller: advertised to everybody near, and received from them.

    Args:
        own_type: of the address that is advertised.
        tasks: those of the radio.
    """

    def __init__(self, own_type: OwnAddressType, tasks: Tasks) -> None:
        self.on_announced: Callable[[str, bytes], None] = _ignore
        """Called with what a handheld near announces: its address, and at most ANNOUNCED_BYTES."""
        self._own_type = own_type
        self._tasks = tasks
        self._device: Any = None
        self._announced = b""
        self._is_on = False
        self._resuming = False

    async def start(self, device: Any) -> None:
        """Advertise on a bumble ``device`` that is powered on. Raises BaseBumbleError."""
        self._device = device
        device.on(device.EVENT_ADVERTISEMENT, self._on_advertisement)
        await self._advertise()

    async def stop(self) -> None:
        """Advertise no more, and do not resume."""
        self._resuming = True
        if self._is_on:
            self._is_on = False
            try:
                await whole(self._device.stop_advertising())
            except BaseBumbleError:
                _log.info("the controller does not stop advertising; the reset will do it")

    def connected(self, connection: Any) -> None:
        """Resume after a connection to this device, which has ended advertising, and its end."""
        self._is_on = False
        connection.once(connection.EVENT_DISCONNECTION, lambda _: self._resume())
        self._resume()

    def announce(self, data: bytes) -> None:
        """Advertise ``data`` as manufacturer data; ``b""`` advertises without any.

        Before ``start`` it does nothing. Raises ValueError for more than ANNOUNCED_BYTES.
        """
        if len(data) > ANNOUNCED_BYTES:
            raise ValueError(f"{len(data)} bytes cannot be announced: {ANNOUNCED_BYTES} can")
        if data != self._announced and self._device is not None:
            self._announced = data
            self._tasks.spawn(self._announce())

    def listen(self, on: bool) -> None:
        """Start or stop scanning; what is found goes to ``on_announced``."""
        if self._device is not None and on != self._device.is_scanning:
            self._tasks.spawn(self._listen(on))

    def _resume(self) -> None:
        if not self._is_on and not self._resuming:
            self._resuming = True
            self._tasks.spawn(self._advertise_again())

    async def _advertise_again(self) -> None:
        try:
            await whole(self._advertise())
        except BaseBumbleError as problem:
            # As many connections as the controller has: the next one that ends brings us back.
            _log.info("the controller does not advertise now: %s", problem)
        self._resuming = False

    async def _advertise(self) -> None:
        device = self._device
        if device.legacy_advertising_set is not None:
            await device.legacy_advertising_set.start()
        else:
            await device.start_advertising(
                own_address_type=self._own_type,
                advertising_data=self._advertised,
                advertising_interval_min=ADVERTISING_MS,
                advertising_interval_max=ADVERTISING_MS,
            )
        self._is_on = True

    @property
    def _advertised(self) -> bytes:
        data = self._announced
        field = bytes((3 + len(data), _MANUFACTURER)) + _NO_COMPANY + data if data else b""
        return _FLAGS_LE_ONLY + field

    async def _announce(self) -> None:
        advertising = self._device.legacy_advertising_set
        data = self._advertised
        command = HCI_LE_Set_Advertising_Data_Command(advertising_data=data)
        try:
            if advertising is not None:
                await whole(advertising.set_advertising_data(data))
            else:
                await whole(self._device.send_sync_command(command))
        except BaseBumbleError as problem:
            _log.info("the controller does not announce: %s", problem)

    async def _listen(self, on: bool) -> None:
        device = self._device
        try:
            if on:
                await whole(device.start_scanning(active=False, own_address_type=self._own_type))
            else:
                await whole(device.stop_scanning())
        except BaseBumbleError as problem:
            _log.info("the controller does not listen: %s", problem)

    def _on_advertisement(self, advertisement: Any) -> None:
        data = advertisement.data.get(_MANUFACTURER, raw=True)
        if data is not None and data[:2] == _NO_COMPANY:
            self.on_announced(str(advertisement.address), bytes(data[2:]))
