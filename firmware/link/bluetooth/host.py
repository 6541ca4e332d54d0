"""bumble's host, watched: every command has a time limit, and so has an attempt to connect.

bumble 0.0.236 waits for an answer without end, and ignores a controller that reports its own
failure or is gone. A controller that does not answer is closed and reopened
(`firmware.link.bluetooth.steady`).
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from bumble.core import BaseBumbleError
from bumble.hci import (
    HCI_LE_1M_PHY,
    HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND,
    HCI_AclDataPacket,
    HCI_Event,
    HCI_LE_Create_Connection_Command,
    HCI_LE_Extended_Create_Connection_Command,
    HCI_LE_Read_Supported_States_Command,
    HCI_Read_BD_ADDR_Command,
    phy_list_to_bits,
)
from bumble.host import Host

from firmware.link.bluetooth.channel import whole
from firmware.link.bluetooth.controller import HciTransport


class Attempt:
    """A connection that is being made, and its outcome."""

    def __init__(self, target: Any) -> None:
        self.target = target
        self.crossed = False
        self._new_outcome()

    def settle(self, outcome: Any) -> None:
        """Set the outcome: a connection, or why there is none (str). The first one counts."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def cross(self) -> None:
        """Settle with None, because the peer has connected to this device (``crossed``)."""
        self.crossed = True
        self.settle(None)

    def taken(self) -> Any:
        """Return the outcome so far, None if there is none, and begin to wait for another."""
        outcome = self.outcome.result() if self.outcome.done() else None
        self._new_outcome()
        return outcome

    def _new_outcome(self) -> None:
        self.outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


SCAN_MS = 60.0
INTERVAL_MIN_MS = 15.0
INTERVAL_MAX_MS = 30.0
SUPERVISION_MS = 2000.0
"""Silence after which the controllers declare a link lost."""

_SCAN_UNIT_MS = 0.625
_INTERVAL_UNIT_MS = 1.25
_SUPERVISION_UNIT_MS = 10.0


def connect_command(host: Any, own_type: Any, target: Any) -> Any:
    """Return the HCI command to connect to ``target`` (a bumble ``Address``).

    Extended if the controller of ``host`` supports it, else legacy, with the same parameters.
    """
    scan = int(SCAN_MS / _SCAN_UNIT_MS)
    interval_min = int(INTERVAL_MIN_MS / _INTERVAL_UNIT_MS)
    interval_max = int(INTERVAL_MAX_MS / _INTERVAL_UNIT_MS)
    supervision = int(SUPERVISION_MS / _SUPERVISION_UNIT_MS)
    if host.supports_command(HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND):
        return HCI_LE_Extended_Create_Connection_Command(
            initiator_filter_policy=0,
            own_address_type=own_type,
            peer_address_type=target.address_type,
            peer_address=target,
            initiating_phys=phy_list_to_bits([HCI_LE_1M_PHY]),
            scan_intervals=(scan,),
            scan_windows=(scan,),
            connection_interval_mins=(interval_min,),
            connection_interval_maxs=(interval_max,),
            max_latencies=(0,),
            supervision_timeouts=(supervision,),
            min_ce_lengths=(0,),
            max_ce_lengths=(0,),
        )
    return HCI_LE_Create_Connection_Command(
        le_scan_interval=scan,
        le_scan_window=scan,
        initiator_filter_policy=0,
        peer_address_type=target.address_type,
        peer_address=target,
        own_address_type=own_type,
        connection_interval_min=interval_min,
        connection_interval_max=interval_max,
        max_latency=0,
        supervision_timeout=supervision,
        min_ce_length=0,
        max_ce_length=0,
    )


COMMAND_S = 3.0
"""Time limit for an answer to a command. A reset, the slowest, takes 0.1 s."""


_log = logging.getLogger(__name__)


class ControllerLost(BaseBumbleError):  # type: ignore[misc]  # noqa: N818 - no type information
    """The controller no longer answers, or reported its own failure."""


class WatchedHost(Host):  # type: ignore[misc]  # bumble has no type information
    """A host that calls ``on_lost(reason)``, once, when its controller is lost.

    ``answered_s``: when the controller answered last, in seconds on the loop's clock. All
    connections end with the controller, and every command after that raises ControllerLost.
    """

    def __init__(self, transport: HciTransport, on_lost: Callable[[str], None]) -> None:
        super().__init__(transport.source, transport.sink)
        self._loop = asyncio.get_running_loop()
        self.answered_s = self._loop.time()
        self._on_lost = on_lost
        self._lost = ""

    async def _send_command(self, command: Any, _: float | None = None) -> Any:
        """Send a command and return its answer; every command of bumble passes here.

        bumble's own limit is not used: the ``wait_for`` of Python 3.11 drops a cancellation that
        comes together with the answer, so a cancelled task would go on.
        """
        if self._lost:
            raise ControllerLost(self._lost)
        try:
            async with asyncio.timeout(COMMAND_S):
                answer = await super()._send_command(command)
        except TimeoutError:
            self.lose(f"{command.name} was not answered within {COMMAND_S:.0f} s")
            raise ControllerLost(self._lost) from None
        self.answered_s = self._loop.time()
        return answer

    def send_hci_packet(self, packet: Any) -> None:
        """Send a packet. bumble would also format it for its log, heard or not."""
        if self.hci_sink:
            self.hci_sink.on_packet(bytes(packet))

    def on_hci_packet(self, packet: Any) -> None:
        """Take a parsed packet, and do not format it either."""
        if isinstance(packet, HCI_Event):
            self.on_hci_event_packet(packet)
        elif isinstance(packet, HCI_AclDataPacket):
            self.on_hci_acl_data_packet(packet)
        else:
            super().on_hci_packet(packet)

    def on_packet(self, packet: bytes) -> None:
        """Take a packet of the controller, unless it is lost: its connections are then unknown.

        bumble raises an error for data of such a connection.
        """
        if not self._lost:
            super().on_packet(packet)

    def on_command_processed(self, event: Any) -> None:
        """Take an answer, unless the command has just been given up."""
        if self.pending_response is None or not self.pending_response.done():
            super().on_command_processed(event)

    async def ask(self) -> None:
        """Send a cheap command, to see whether the controller answers."""
        await self._logged(HCI_Read_BD_ADDR_Command(), "is there")

    async def log_states(self) -> None:
        """Log the controller's list of simultaneous jobs; nothing relies on it."""
        await self._logged(HCI_LE_Read_Supported_States_Command(), "supports LE states")

    async def _logged(self, command: Any, what: str) -> None:
        try:
            answer = await whole(self.send_sync_command(command))
        except BaseBumbleError as problem:
            answer = problem
        _log.info("the controller %s: %s", what, answer)

    def on_hci_hardware_error_event(self, event: Any) -> None:
        """Declare the controller lost: it has failed, and has forgotten everything."""
        self.lose(f"it reported a failure of its own (0x{event.parameters.hex()})")

    def on_transport_lost(self) -> None:
        """Declare the controller lost: nothing goes to it or comes from it any more."""
        self.lose("it is gone")

    def lose(self, reason: str) -> None:
        """End all connections, fail pending commands, and report ``reason``, once."""
        if self._lost:
            return
        self._lost = reason
        waiting = self.pending_response
        if waiting is not None and not waiting.done():
            waiting.set_exception(ControllerLost(reason))
        self.emit("flush")
        self._on_lost(reason)
