"""Bluetooth between handhelds that do not know each other yet: devices in place of seats.

A host announces its table in what it advertises; whoever listens hears it, and connects. From then
on all frames take the connection, those of the match too: a device is a seat for the link below,
with its address for a number.
"""

import struct
from collections.abc import Callable
from typing import Any

from firmware.link.bluetooth.link import BluetoothLink
from firmware.link.infrared.link import InfraredLink, Port
from firmware.table.protocol.invitations import (
    DEVICE_BYTES,
    EVERYBODY,
    NAME_BYTES,
    SESSION_BYTES,
    Head,
    InvitationError,
    InvitationKind,
    TableNotice,
    address_of,
    body_of,
    device_of,
    head_of,
    is_invitation,
    name_bytes,
    packed,
)

_ANNOUNCED = struct.Struct(f">{SESSION_BYTES}sBBB{NAME_BYTES}s")
_OPEN = 0x80


class NearbyLink:
    """The Bluetooth side of a handheld that has no table yet.

    ``device``: the own address. ``on_frame(0, frame)`` gets what arrives, and what is announced.
    """

    def __init__(
        self, transport: Any, device: bytes, on_frame: Callable[[int, bytes], None]
    ) -> None:
        me = int.from_bytes(device, "big")
        self._device = device
        self._on_frame = on_frame
        self.bluetooth = BluetoothLink(
            transport,
            me,
            {me: address_of(device)},
            lambda _, frame: on_frame(0, frame),
            _ignore_state,
            _number_of,
        )
        self.bluetooth.radio.on_heard = self._heard

    async def start(self) -> None:
        """Power the controller on and be reachable. Raises RadioError."""
        await self.bluetooth.start()

    async def stop(self) -> None:
        """Close every connection and power the controller off."""
        await self.bluetooth.stop()

    def abandon(self) -> None:
        """Stop at once and tell nobody: the power is cut."""
        self.bluetooth.abandon()

    def send(self, seat: int, data: bytes) -> None:
        """Send to a device by its number."""
        self.bluetooth.send(seat, data)

    def tell(self, device: bytes | None, frame: bytes) -> None:
        """Send to a device; None: to all that are known, and a table to everybody near."""
        if device is not None and device != EVERYBODY:
            number = int.from_bytes(device, "big")
            self.bluetooth.meet(number, address_of(device))
            self.bluetooth.send(number, frame)
            return
        if is_invitation(frame) and head_of(frame).kind is InvitationKind.TABLE:
            self.bluetooth.radio.announce(_announcement(frame))
        for number in self.bluetooth.known:
            self.bluetooth.send(number, frame)

    def listen(self, on: bool) -> None:
        """Listen to what others announce, or do not, and announce nothing any more."""
        self.bluetooth.radio.listen(on)
        self.bluetooth.radio.announce(b"")

    def _heard(self, address: str, data: bytes) -> None:
        frame = _announced(address, data)
        if frame is not None:
            self._on_frame(0, frame)


class NearbyInfrared:
    """The infrared side of the same: everybody in range hears everything."""

    def __init__(
        self,
        port: Port,
        on_frame: Callable[[int, bytes], None],
        chance: Callable[[], float],
    ) -> None:
        self._infrared = InfraredLink(port, None, on_frame, chance)

    async def start(self) -> None:
        """Begin to listen. Raises what the port raises."""
        await self._infrared.start()

    async def stop(self) -> None:
        """End; what waits is not sent."""
        await self._infrared.stop()

    def abandon(self) -> None:
        """Stop at once: the power is cut."""
        self._infrared.abandon()

    def send(self, seat: int, data: bytes) -> None:
        """Send to everybody; the header says whom it is for."""
        self._infrared.send(seat, data)

    def tell(self, device: bytes | None, frame: bytes) -> None:
        """Send to everybody; the frame says whom it is for."""
        del device
        self._infrared.send(0, frame)

    def listen(self, on: bool) -> None:
        """Listen always."""


class NearbyBoth:
    """Both at once: what arrives twice is taken once by whoever listens."""

    def __init__(self, bluetooth: NearbyLink, infrared: NearbyInfrared) -> None:
        self._links = (bluetooth, infrared)

    async def start(self) -> None:
        """Start both. Raises what they raise."""
        for link in self._links:
            await link.start()

    async def stop(self) -> None:
        """Stop both."""
        for link in self._links:
            await link.stop()

    def abandon(self) -> None:
        """Stop both at once: the power is cut."""
        for link in self._links:
            link.abandon()

    def send(self, seat: int, data: bytes) -> None:
        """Send to a device by its number."""
        for link in self._links:
            link.send(seat, data)

    def tell(self, device: bytes | None, frame: bytes) -> None:
        """Send to a device, or to everybody near (None)."""
        for link in self._links:
            link.tell(device, frame)

    def listen(self, on: bool) -> None:
        """Listen to what handhelds near announce, or do not."""
        for link in self._links:
            link.listen(on)


def _number_of(address: str) -> int | None:
    """The number of a device by its address; None for one that no handheld has."""
    try:
        device = device_of(address)
    except ValueError:
        return None
    return int.from_bytes(device, "big") if len(device) == DEVICE_BYTES else None


def _announcement(frame: bytes) -> bytes:
    """A TABLE frame in the 23 bytes that an advertisement has room for."""
    head, table = head_of(frame), body_of(frame)
    assert isinstance(table, TableNotice), "only tables are announced"
    people = table.people | (_OPEN if table.is_open else 0)
    return _ANNOUNCED.pack(head.session, people, table.revision, table.game, name_bytes(table.name))


def _announced(address: str, data: bytes) -> bytes | None:
    """The TABLE frame that was announced; None if none was."""
    if len(data) != _ANNOUNCED.size:
        return None
    session, people, revision, game, name = _ANNOUNCED.unpack(data)
    try:
        device = device_of(address)
        told = name.rstrip(b"\0").decode()
        table = TableNotice(bool(people & _OPEN), people & ~_OPEN, revision, game, told)
        frame = packed(Head(InvitationKind.TABLE, device, EVERYBODY, session), table)
        body_of(frame)
    except (InvitationError, ValueError):
        return None
    return frame if len(device) == DEVICE_BYTES else None


def _ignore_state(_device: int, _up: bool) -> None:
    """Connections come and go; what is said again is all that is needed."""
