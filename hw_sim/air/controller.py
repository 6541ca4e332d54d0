"""A simulated Bluetooth controller on the air of a table, such as that of a Raspberry Pi.

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

from bumble.controller import AdvertisingSet, Controller, LegacyAdvertiser
from bumble.hci import (
    HCI_COMMAND_PACKET,
    HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND,
    HCI_LE_SET_EXTENDED_ADVERTISING_ENABLE_COMMAND,
    HCI_LE_SET_EXTENDED_ADVERTISING_PARAMETERS_COMMAND,
    Address,
    HCI_Command,
    HCI_Command_Status_Event,
    HCI_ErrorCode,
    HCI_LE_Advertising_Report_Event,
    HCI_LE_Connection_Complete_Event,
    HCI_LE_Extended_Advertising_Report_Event,
    HCI_Number_Of_Completed_Packets_Event,
    HCI_Packet,
    HCI_Reset_Command,
    HCI_StatusReturnParameters,
    LeFeatureMask,
    Role,
)
from bumble.link import LocalLink


class Medium(LocalLink):  # type: ignore[misc]  # bumble has no type information
    """bumble's link bus, and six calls more: those that a simulated controller makes of the air.

    A controller passes itself first. Addresses are bumble's. Controllers are kept in the order of
    their making; bumble keeps a set of them, whose order hangs on addresses in memory.
    """

    def __init__(self) -> None:
        super().__init__()
        self.controllers: list[Any] = []

    def add_controller(self, controller: Any) -> None:
        """Add a controller to the air; this is bumble's ``LocalLink``."""
        self.controllers.append(controller)

    def remove_controller(self, controller: Any) -> None:
        """Remove a controller from the air; its links are not ended by that."""
        self.controllers.remove(controller)

    def controllers_of(self, seat: int) -> list[Any]:
        """The controllers of a seat: one, or none where it is switched off."""
        return [known for known in self.controllers if known.seat == seat]

    def advertised(self, advertiser: Any) -> None:
        """Let everybody who looks for this advertiser find it: it has just started."""
        raise NotImplementedError

    def listen(self, listener: Any) -> None:
        """Report every advertiser in range to a controller, again and again while it scans."""
        raise NotImplementedError

    def seek(self, initiator: Any) -> None:
        """Let an initiator find the advertiser it waits for, if both are there, after a while."""
        raise NotImplementedError

    def stop_seeking(self, initiator: Any) -> None:
        """Call off what `seek` arranged."""
        raise NotImplementedError

    def disconnect(self, controller: Any, peer_address: Any, reason: int) -> bool:
        """End a link at its next connection event, on both sides; False if there is none.

        The controller drops all packets that it has not sent yet. ``reason`` is HCI's.
        """
        raise NotImplementedError

    def fall_silent(self, controller: Any) -> None:
        """Cut all links of a controller that has been reset or switched off."""
        raise NotImplementedError


_LEGACY_ADV_IND = 0x13
"""Connectable, scannable, and a legacy packet (Bluetooth Core, vol 4 part E, 7.7.65.13)."""
_RSSI_DBM = -50
_HARDWARE_ERROR = b"\x04\x10\x01\x20"
"""The event of a controller that has failed (Bluetooth Core, vol 4 part E, 7.7.16)."""
DATA_LENGTH = 251
"""Bytes of one data packet, with the data length extension that all of these controllers have (Core
5.4, Vol 6, Part B, 2)."""

_EXTENDED_COMMANDS = {
    HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND,
    HCI_LE_SET_EXTENDED_ADVERTISING_ENABLE_COMMAND,
    HCI_LE_SET_EXTENDED_ADVERTISING_PARAMETERS_COMMAND,
}


class AirController(Controller):  # type: ignore[misc]  # bumble has no type information
    """bumble's virtual controller, with the air's times and answers in place of its own.

    ``seat``: whose it is. ``extended`` False makes it one of Bluetooth 4.2.
    """

    le_acl_data_packet_length = DATA_LENGTH
    supported_max_tx_octets = DATA_LENGTH
    supported_max_rx_octets = DATA_LENGTH
    suggested_max_tx_octets = DATA_LENGTH

    pending_le_connection: Any

    def __init__(
        self, air: Medium, loop: asyncio.AbstractEventLoop, seat: int, *, extended: bool
    ) -> None:
        super().__init__(f"seat {seat}", link=air)
        self.seat = seat
        self._air = air
        self._loop = loop
        self._fragments = 0
        self._is_on = True
        self._is_mute = False
        self._has_failed = False
        self.supports_extended = extended
        self.le_legacy_advertiser = _SilentAdvertiser(self)
        if extended:
            self.supported_commands = Controller.supported_commands | _EXTENDED_COMMANDS
        else:
            self.le_features = Controller.le_features & ~LeFeatureMask.LE_EXTENDED_ADVERTISING

    def switch_off(self) -> None:
        """Lose the power: nothing goes to host or air any more, or comes from them."""
        self._is_on = False
        self._stop_everything()

    def fall_mute(self) -> None:
        """Answer no command any more, until somebody opens it anew; what is connected stays so."""
        self._is_mute = True

    def fail(self) -> None:
        """Report a failure, forget everything, and wait for a reset."""
        self.send_hci_packet(_HARDWARE_ERROR)
        self._stop_everything()
        self._has_failed = True

    def advertises(self, address: Any) -> bool:
        """Whether this controller can be connected to under ``address``."""
        advertisers = [self.le_legacy_advertiser, *self.advertising_sets.values()]
        return any(known.enabled and known.address == address for known in advertisers)

    def on_advertising(self) -> None:
        """Tell the air that an advertiser of this controller has started."""
        self._air.advertised(self)

    # To and from the host. bumble formats every packet for its log, heard or not: this is faster.

    def on_packet(self, packet: bytes) -> None:
        """Handle an HCI packet from the host; lost while the power is off."""
        if self._is_on and not (self._is_mute and packet[0] == HCI_COMMAND_PACKET):
            command = HCI_Packet.from_bytes(packet)
            self._has_failed = self._has_failed and not isinstance(command, HCI_Reset_Command)
            if self._has_failed:
                return
            if isinstance(command, HCI_Command):
                self.on_hci_command_packet(command)
            else:
                self.on_hci_acl_data_packet(command)

    def send_hci_packet(self, packet: Any) -> None:
        """Send a packet to the host, which takes it once this instant's work is done."""
        if self._is_on:
            self._loop.call_soon(self._deliver, bytes(packet))

    def _deliver(self, packet: bytes) -> None:
        if self._is_on and self.hci_sink is not None:
            self.hci_sink.on_packet(packet)

    def on_hci_acl_data_packet(self, packet: Any) -> None:
        """Queue data from the host; it counts as completed when it has crossed the air."""
        connection = self.find_connection_by_handle(packet.connection_handle)
        if connection is not None:
            self._fragments += 1
            connection.assembler.feed_packet(packet)

    def take_fragments(self) -> int:
        """Return in how many packets the host gave the data that is now sent, and count anew."""
        fragments, self._fragments = self._fragments, 0
        return fragments

    def completed(self, connection: Any, packets: int) -> None:
        """Tell the host that ``packets`` of its packets on a connection have crossed the air."""
        self.send_hci_packet(
            HCI_Number_Of_Completed_Packets_Event(
                connection_handles=[connection.handle], num_completed_packets=[packets]
            )
        )

    # Commands that bumble answers otherwise than a controller does.

    def on_hci_reset_command(self, command: Any) -> Any:
        """Forget advertisers, attempts and connections, too."""
        self._stop_everything()
        return super().on_hci_reset_command(command)

    def on_hci_disconnect_command(self, command: Any) -> None:
        """End a connection: over the air, on both sides at once."""
        connection = self.find_le_connection_by_handle(command.connection_handle)
        known = connection is not None and self._air.disconnect(
            self, connection.peer_address, command.reason
        )
        unknown = HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR
        self._status(HCI_ErrorCode.SUCCESS if known else unknown, command)

    def on_hci_le_create_connection_command(self, command: Any) -> None:
        """Look for an advertiser."""
        super().on_hci_le_create_connection_command(command)
        self._air.seek(self)

    def on_hci_le_extended_create_connection_command(self, command: Any) -> None:
        """Look for an advertiser."""
        super().on_hci_le_extended_create_connection_command(command)
        self._air.seek(self)

    def on_hci_le_create_connection_cancel_command(self, command: Any) -> Any:
        """Stop looking; the host gets the event that ends every attempt (status 0x02)."""
        del command
        pending = self.pending_le_connection
        if pending is None:
            return HCI_StatusReturnParameters(HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        self.pending_le_connection = None
        self._air.stop_seeking(self)
        self.send_hci_packet(
            HCI_LE_Connection_Complete_Event(
                status=HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=Role.CENTRAL,
                peer_address_type=pending.peer_address.address_type,
                peer_address=pending.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            )
        )
        return HCI_StatusReturnParameters(HCI_ErrorCode.SUCCESS)

    def on_hci_le_set_extended_advertising_parameters_command(self, command: Any) -> Any:
        """Make the advertising set, a silent one."""
        handle = command.advertising_handle
        if handle not in self.advertising_sets:
            self.advertising_sets[handle] = _SilentAdvertisingSet(self, handle)
        return super().on_hci_le_set_extended_advertising_parameters_command(command)

    def on_hci_le_set_scan_enable_command(self, command: Any) -> Any:
        """Report advertisers in range to the host from now on, or no more."""
        self._listen(bool(command.le_scan_enable))
        return HCI_StatusReturnParameters(HCI_ErrorCode.SUCCESS)

    def on_hci_le_set_extended_scan_enable_command(self, command: Any) -> Any:
        """Report advertisers in range to the host from now on, or no more."""
        self._listen(bool(command.enable))
        return HCI_StatusReturnParameters(HCI_ErrorCode.SUCCESS)

    def _listen(self, on: bool) -> None:
        self.le_scan_enable = on
        if on:
            self._air.listen(self)

    @property
    def advertisements(self) -> list[tuple[Any, bytes]]:
        """Address and data of every advertiser of this controller that is on."""
        legacy = self.le_legacy_advertiser
        data_of = [(legacy, legacy.advertising_data)]
        data_of += [(one, one.data) for one in self.advertising_sets.values()]
        return [(one.address, bytes(data)) for one, data in data_of if one.enabled]

    def report_advertisement(self, address: Any, data: bytes) -> None:
        """Send the host an advertising report, of the kind of its Bluetooth: 4.2 or 5."""
        if self.supports_extended:
            report = HCI_LE_Extended_Advertising_Report_Event.Report(
                event_type=_LEGACY_ADV_IND,
                address_type=address.address_type,
                address=address,
                primary_phy=1,
                secondary_phy=0,
                advertising_sid=0xFF,
                tx_power=0x7F,
                rssi=_RSSI_DBM,
                periodic_advertising_interval=0,
                direct_address_type=0,
                direct_address=Address.ANY,
                data=data,
            )
            self.send_hci_packet(HCI_LE_Extended_Advertising_Report_Event([report]))
        else:
            legacy = HCI_LE_Advertising_Report_Event.Report(
                event_type=0,
                address_type=address.address_type,
                address=address,
                data=data,
                rssi=_RSSI_DBM,
            )
            self.send_hci_packet(HCI_LE_Advertising_Report_Event([legacy]))

    def _status(self, status: int, command: Any) -> None:
        self.send_hci_packet(
            HCI_Command_Status_Event(
                status=status, num_hci_command_packets=1, command_opcode=command.op_code
            )
        )

    def _stop_everything(self) -> None:
        self.le_legacy_advertiser.stop()
        self.advertising_sets.clear()
        self.pending_le_connection = None
        self.le_scan_enable = False
        self._air.fall_silent(self)


class _Silent:
    """An advertiser that the air knows of, instead of one that sends packets by a timer."""

    controller: AirController
    enabled: bool

    def start(self) -> None:
        self.enabled = True
        self.controller.on_advertising()

    def stop(self) -> None:
        self.enabled = False


class _SilentAdvertiser(_Silent, LegacyAdvertiser):  # type: ignore[misc]  # as above
    """Bluetooth 4's."""


class _SilentAdvertisingSet(_Silent, AdvertisingSet):  # type: ignore[misc]  # as above
    """Bluetooth 5's."""


MOST_LINKS: Final = 5
"""The most connections at once, see above: from reports (docs/LIMITS.md)."""
PACKET_BYTES: Final = 27
"""Bytes of one packet, see above, without that extension (Core 5.4, Vol 6, Part B, 2)."""
PACKETS: Final = 15
"""The controller takes so many packets of the host before one has crossed the air; chosen."""


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
