"""A Bluetooth controller as channels between known addresses, over bumble 0.0.236.

The same code runs on a Pi's controller and on simulated ones. ``Device.connect_le`` of bumble is
not used: it takes the next connection of any kind for its own, even an incoming one. Here an
outcome belongs to an attempt only if its role and address match.

`SteadyRadio` survives its controller. A silent controller is probed every `PROBE_S`, and lost if it
does not answer (`firmware.link.bluetooth.host`). A dead one is thus noticed within a minute, even
without traffic. A lost controller is closed and reopened. Announcements and scans continue on the
next radio; connections are made anew.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from bumble.core import BaseBumbleError
from bumble.device import Device, DeviceConfiguration
from bumble.hci import (
    Address,
    HCI_Disconnect_Command,
    HCI_Error,
    HCI_ErrorCode,
    HCI_LE_Create_Connection_Cancel_Command,
    HCI_Reset_Command,
    OwnAddressType,
    Role,
)

from firmware.link import HciTransport, OpenController, RadioError
from firmware.link.bluetooth.channel import (
    CHANNEL,
    DRAIN_S,
    OPEN_S,
    Channel,
    ConnectError,
    Tasks,
    ignore,
    open_channel,
    whole,
)
from firmware.link.bluetooth.hci import AdapterTrouble, remedy
from firmware.link.bluetooth.host import (
    SUPERVISION_MS,
    Advertising,
    Attempt,
    WatchedHost,
    connect_command,
    is_full,
)

START_S = 8.0
"""Time limit for a controller to start. Chosen: loading its firmware takes a few seconds."""
CONNECT_S = 1.1
"""Time limit for finding a peer; chosen: twice the slowest of a good connection."""
ANSWER_S = 1.0
"""Time limit for the controller to report the outcome of an abandoned attempt; chosen."""
AGAIN_S = 0.1
"""Delay before a connection that the controller refused is requested once more; chosen."""
_REMOTE_USER_TERMINATED = 0x13

_log = logging.getLogger(__name__)


class Radio:
    """A Bluetooth controller that advertises to known peers and connects to them.

    ``own_address`` and ``peers`` (the addresses of the others) are written like
    ``F0:E1:D2:C3:B4:A5``, with ``/P`` behind a public address. Connections from anybody else are
    closed, unless ``strangers`` are let in too. ``on_open`` gets the channels that peers opened;
    ``on_lost`` the reason, once, when the controller is lost, and with it everything.
    """

    def __init__(
        self,
        transport: HciTransport,
        own_address: str,
        peers: Iterable[str],
        on_open: Callable[[Channel], None],
        *,
        strangers: bool = False,
        on_lost: Callable[[str], None] = ignore,
    ) -> None:
        self._own = Address(own_address)
        self._own_type = OwnAddressType.PUBLIC if self._own.is_public else OwnAddressType.RANDOM
        self._peers = {Address(peer): peer for peer in peers}
        self._on_open = on_open
        self._on_lost = on_lost
        self._strangers = strangers
        self._attempt: Attempt | None = None
        self._channels: dict[int, Channel] = {}
        """Channels by connection handle."""
        self._tasks = Tasks()
        self.advertising = Advertising(self._own_type, self._tasks)
        self._closed = False
        self._device: Any = None
        self.host = WatchedHost(transport, self._lose)
        """Reports when the controller answered last."""

    async def start(self) -> None:
        """Power the controller on and advertise; scanning waits for ``listen``.

        Raises RadioError if the controller refuses or does not answer within START_S.
        """
        _quiet_bumble()
        self._device = Device(
            config=DeviceConfiguration(
                name="Mäxchen",
                address=self._own,
                gap_service_enabled=False,
                gatt_service_enabled=False,
            ),
            host=self.host,
        )
        device = self._device
        try:
            async with asyncio.timeout(START_S):
                await device.power_on()
                device.l2cap_channel_manager.create_le_credit_based_server(
                    CHANNEL, self._on_channel
                )
                device.on(device.EVENT_CONNECTION, self._on_connection)
                device.on(device.EVENT_CONNECTION_FAILURE, self._on_connection_failure)
                await self.advertising.start(device)
                await self.host.log_states()
        except (BaseBumbleError, TimeoutError) as problem:
            reason = str(problem) or "it does not answer"
            raise RadioError(
                f"the Bluetooth controller does not start ({reason}): "
                f"{remedy(AdapterTrouble.FAILING)}"
            ) from problem

    async def stop(self) -> None:
        """Stop advertising, close every connection and power the controller off."""
        device = self._device
        if device is None:
            return
        await self.advertising.stop()
        for connection in list(device.connections.values()):
            gone = asyncio.get_running_loop().create_future()
            connection.once(connection.EVENT_DISCONNECTION, gone.set_result)
            await self.disconnect(connection)
            await asyncio.wait((gone,), timeout=DRAIN_S + SUPERVISION_MS / 1000)
        # End pending work in the controller, such as a connection attempt.
        try:
            await whole(device.send_sync_command(HCI_Reset_Command()))
        except BaseBumbleError as problem:
            _log.info("the controller does not take the reset: %s", problem)
        await device.power_off()
        self.abandon()

    def abandon(self) -> None:
        """Drop all channels and tasks at once, without a callback, as at a power cut."""
        self._closed = True
        for channel in self._channels.values():
            channel.is_open = False
        self._channels.clear()
        self._tasks.cancel()

    async def connect(self, address: str, patience_s: float = CONNECT_S) -> Channel:
        """Connect to a peer as its central and open the channel; one attempt at a time.

        Neither advertises nor scans until there is a connection. Takes ``patience_s`` + ANSWER_S +
        OPEN_S at most.

        Raises:
            ConnectError: the peer was not found, refused, or is already connected (``crossed``).
            RuntimeError: another attempt is under way.
        """
        if self._attempt is not None:
            raise RuntimeError("connect() was called while a connection was being made: wait")
        target = Address(address)
        if self._connected(target):
            raise ConnectError(f"{address} is connected already", crossed=True)
        attempt = self._attempt = Attempt(target)
        try:
            async with self.advertising.resting():
                connection = await self._make_connection(attempt, patience_s)
        except BaseBumbleError as problem:
            reason = f"the controller refused to connect: {problem}"
            raise ConnectError(reason, full=is_full(problem)) from problem
        finally:
            self._attempt = None
        channel = Channel(address, connection, outgoing=True, disconnect=self.disconnect)
        try:
            manager = self._device.l2cap_channel_manager
            l2cap = await open_channel(manager, connection, channel)
            if self._device.connections.get(connection.handle) is not connection:
                raise ConnectError(f"{address} was lost as soon as its channel was open")
        except ConnectError:
            self._tasks.spawn(self.disconnect(connection))
            raise
        self._adopt(channel, l2cap)
        return channel

    async def disconnect(self, connection: Any) -> None:
        """Ask the controller to end a connection; harmless if it has already ended."""
        handle = connection.handle
        if self._device.connections.get(handle) is connection:
            command = HCI_Disconnect_Command(
                connection_handle=handle, reason=_REMOTE_USER_TERMINATED
            )
            try:
                await whole(self._device.send_async_command(command))
            except BaseBumbleError:
                _log.info("a connection ended before it could be closed")

    # Connections as central

    async def _make_connection(self, attempt: "Attempt", patience_s: float) -> Any:
        self._device.connect_own_address_type = self._own_type
        command = connect_command(self.host, self._own_type, attempt.target)
        if not attempt.outcome.done():
            try:
                await whole(self._device.send_async_command(command))
            except HCI_Error as problem:
                if problem.error_code != HCI_ErrorCode.COMMAND_DISALLOWED_ERROR:
                    raise
                await self._cancel()
                await asyncio.sleep(AGAIN_S)
                attempt.taken()  # the end of what was cancelled
                await whole(self._device.send_async_command(command))
            await asyncio.wait((attempt.outcome,), timeout=patience_s)
        outcome = attempt.taken()
        if outcome is None:
            outcome = await self._give_up(attempt)
        if isinstance(outcome, str):
            reason = "it connected to us first" if attempt.crossed else outcome
            raise ConnectError(f"{attempt.target}: {reason}", crossed=attempt.crossed)
        return outcome

    async def _give_up(self, attempt: "Attempt") -> Any:
        """Cancel in the controller; a connection that came just before counts."""
        await self._cancel()
        await asyncio.wait((attempt.outcome,), timeout=ANSWER_S)
        return attempt.taken() or "not found"

    async def _cancel(self) -> None:
        try:
            command = HCI_LE_Create_Connection_Cancel_Command()
            await whole(self._device.send_sync_command(command))
        except BaseBumbleError:
            _log.info("the connection attempt ended before it could be cancelled")

    # Events of the controller

    def _lose(self, reason: str) -> None:
        if self._attempt is not None:
            self._attempt.settle(reason)
        if not self._closed:
            self._on_lost(reason)

    def _on_connection(self, connection: Any) -> None:
        if self._closed:
            return
        attempt = self._attempt
        if connection.role == Role.CENTRAL:
            if attempt is not None and connection.peer_address == attempt.target:
                attempt.settle(connection)
            else:
                self._tasks.spawn(self.disconnect(connection))
            return
        self.advertising.connected(connection)
        if connection.peer_address not in self._peers and not self._strangers:
            self._tasks.spawn(self.disconnect(connection))
            return
        if attempt is not None and connection.peer_address == attempt.target:
            attempt.cross()
        asyncio.get_running_loop().call_later(OPEN_S, self._expect_channel, connection)

    def _on_connection_failure(self, error: Any) -> None:
        if self._attempt is not None:
            self._attempt.settle(str(error))

    def _expect_channel(self, connection: Any) -> None:
        if connection.handle not in self._channels:
            self._tasks.spawn(self.disconnect(connection))

    def _on_channel(self, l2cap: Any) -> None:
        connection = l2cap.connection
        address = self._peers.get(connection.peer_address)
        if address is None and self._strangers:
            address = str(connection.peer_address)
        if address is None or self._closed or connection.handle in self._channels:
            l2cap.sink = ignore
            return
        channel = Channel(address, connection, outgoing=False, disconnect=self.disconnect)
        l2cap.sink = channel.take
        self._adopt(channel, l2cap)
        self._on_open(channel)

    def _adopt(self, channel: Channel, l2cap: Any) -> None:
        connection = channel.connection
        self._channels[connection.handle] = channel
        channel.opened(l2cap)

        def lost(reason: int) -> None:
            if self._channels.get(connection.handle) is channel:
                del self._channels[connection.handle]
            channel.lose(f"the link ended with reason 0x{reason:02X}")

        connection.once(connection.EVENT_DISCONNECTION, lost)

    def _connected(self, target: Any) -> bool:
        return any(each.peer_address == target for each in self._device.connections.values())


def _quiet_bumble() -> None:
    """Keep bumble's log silent unless its level has been set."""
    logger = logging.getLogger("bumble")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.CRITICAL + 1)


PROBE_S = 20.0
"""A controller that has not answered for this long is probed; chosen."""
SILENT_S = 60.0
"""A controller that has not answered for this long counts as dead; chosen."""
AGAIN_FIRST_S, AGAIN_MOST_S = 0.5, 8.0
"""Delay after a failed opening; it doubles each time. Chosen."""


class SteadyRadio:
    """A `Radio` for as long as it is wanted, over any number of openings.

    Args:
        open_controller: opens the controller, any number of times.
        own_address, peers, on_open, strangers: as `Radio` has them.
        on_announced: gets a neighbour's announcement: its address, and the bytes.
        on_full: as `Advertising.on_full`.
    """

    def __init__(
        self,
        open_controller: OpenController,
        own_address: str,
        peers: Iterable[str],
        on_open: Callable[[Channel], None],
        on_announced: Callable[[str, bytes], None],
        on_full: Callable[[], None],
        *,
        strangers: bool = False,
    ) -> None:
        self._open_controller = open_controller
        self._new_radio = partial(
            Radio,
            own_address=own_address,
            peers=tuple(peers),
            on_open=on_open,
            strangers=strangers,
        )
        self._on_announced = on_announced
        self._on_full = on_full
        self._transport: HciTransport | None = None
        self._radio: Radio | None = None
        self._announced = b""
        self._listening = False
        self._answered_s = 0.0
        self._tasks = Tasks()

    async def start(self) -> None:
        """Open the controller and be reachable, from now on. Raises RadioError."""
        await self._open()
        self._tasks.spawn(self._probe())

    async def stop(self) -> None:
        """Close every connection, power the controller off and give it back."""
        self._tasks.cancel()
        radio, self._radio = self._radio, None
        if radio is not None:
            await radio.stop()
        await self._close()

    def abandon(self) -> None:
        """Drop everything at once, without a callback, as at a power cut."""
        self._tasks.cancel()
        if self._radio is not None:
            self._radio.abandon()

    async def connect(self, address: str, patience_s: float) -> Channel:
        """Connect to a peer; see `Radio.connect`. Raises ConnectError, also without a radio."""
        if self._radio is None:
            raise ConnectError("the controller is being opened again")
        return await self._radio.connect(address, patience_s)

    def announce(self, data: bytes) -> None:
        """Advertise ``data``; see `Advertising.announce`."""
        self._announced = data
        if self._radio is not None:
            self._radio.advertising.announce(data)

    def listen(self, on: bool) -> None:
        """Start or stop scanning; findings go to ``on_announced``."""
        self._listening = on
        if self._radio is not None:
            self._radio.advertising.listen(on)

    @property
    def is_well(self) -> bool:
        """Whether a controller has answered within the last `SILENT_S`."""
        if self._radio is not None:
            self._answered_s = self._radio.host.answered_s
        return asyncio.get_running_loop().time() - self._answered_s <= SILENT_S

    async def _open(self) -> None:
        self._transport = await self._open_controller()
        radio: Radio = self._new_radio(
            self._transport, on_lost=lambda reason: self._lost(radio, reason)
        )
        try:
            await radio.start()
        except RadioError:
            radio.abandon()
            await self._close()
            raise
        self._radio = radio
        radio.advertising.on_announced = self._on_announced
        radio.advertising.on_full = self._on_full
        radio.advertising.announce(self._announced)
        radio.advertising.listen(self._listening)

    def _lost(self, radio: Radio, reason: str) -> None:
        if radio is self._radio:
            self._answered_s = radio.host.answered_s
            self._radio = None
            radio.abandon()
            self._tasks.spawn(self._reopen(reason))

    async def _reopen(self, reason: str) -> None:
        _log.warning("the Bluetooth controller is opened again: %s", reason)
        await self._close()
        wait_s = AGAIN_FIRST_S
        while self._radio is None:
            try:
                await self._open()
            except RadioError as problem:
                if str(problem) != reason:
                    reason = str(problem)
                    _log.warning("%s", problem)
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, AGAIN_MOST_S)
        _log.warning("the Bluetooth controller answers again")

    async def _close(self) -> None:
        transport, self._transport = self._transport, None
        if transport is not None:
            with suppress(OSError):  # gone already
                await transport.close()

    async def _probe(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PROBE_S)
            if self._radio is not None and loop.time() - self._radio.host.answered_s >= PROBE_S:
                await self._radio.host.ask()
