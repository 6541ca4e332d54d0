"""The built-in controller of a Raspberry Pi up to 4 and Zero 2 W, as other people describe it.

Nothing here was seen on a board. It does less at once than bumble's, and than the standard allows:

- It refuses (0x0C) to connect while it advertises or scans, and to do either while it connects. The
  kernel and bumble (PR 52) stop scanning before a connect for this; on a Pi 3 a connect is answered
  with 0x0C (noble 658), a BCM4345C0 "can't do simultaneous LE roles" (Sentry-USB-Rusty PR 121).
- It has five connections at most (noble 214, 387), then it refuses more (0x09).
- Packets have 27 bytes, without data length extension (RPi-Distro/firmware-nonfree 31), and
  advertising is not extended: the level of Bluetooth 4.2.

Commands that are never answered, and failures, are asked for: `AirController.fall_mute` and `fail`
(bumble 910 on a Pi 3B+, raspberrypi/linux 5460).
"""

import asyncio
from typing import Any, Final

from bumble.hci import HCI_ErrorCode, HCI_StatusReturnParameters

from hw_sim.air.controller import AirController
from hw_sim.air.medium import Medium

MOST_LINKS: Final = 5
PACKET_BYTES: Final = 27
PACKETS: Final = 15
"""The controller takes so many packets of the host before one has crossed the air."""


class PiController(AirController):
    """One built-in controller. ``seat``: whose it is."""

    le_acl_data_packet_length = PACKET_BYTES
    total_num_le_acl_data_packets = PACKETS
    supported_max_tx_octets = PACKET_BYTES
    supported_max_rx_octets = PACKET_BYTES
    suggested_max_tx_octets = PACKET_BYTES

    def __init__(self, air: Medium, loop: asyncio.AbstractEventLoop, seat: int) -> None:
        super().__init__(air, loop, seat, extended=False)

    @property
    def _is_full(self) -> bool:
        return len(self.le_connections) >= MOST_LINKS

    def on_hci_le_create_connection_command(self, command: Any) -> None:
        """Look for an advertiser, unless it does something else, or is full."""
        if self.le_scan_enable or self.le_legacy_advertiser.enabled:
            self._status(HCI_ErrorCode.COMMAND_DISALLOWED_ERROR, command)
        elif self._is_full:
            self._status(HCI_ErrorCode.CONNECTION_LIMIT_EXCEEDED_ERROR, command)
        else:
            super().on_hci_le_create_connection_command(command)

    def on_hci_le_set_advertising_enable_command(self, command: Any) -> Any:
        """Advertise, unless it connects, or is full."""
        if command.advertising_enable and self._is_full:
            return HCI_StatusReturnParameters(HCI_ErrorCode.CONNECTION_LIMIT_EXCEEDED_ERROR)
        if command.advertising_enable and self.pending_le_connection is not None:
            return HCI_StatusReturnParameters(HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        return super().on_hci_le_set_advertising_enable_command(command)

    def on_hci_le_set_scan_enable_command(self, command: Any) -> Any:
        """Scan, unless it connects."""
        if command.le_scan_enable and self.pending_le_connection is not None:
            return HCI_StatusReturnParameters(HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        return super().on_hci_le_set_scan_enable_command(command)
