"""bumble's host, watched, and the advertisements that its controller sends and receives.

bumble 0.0.236 waits for an answer without end, and ignores a controller that reports its own
failure or is gone. Here every command has a time limit, and so has an attempt to connect. A
controller that does not answer is closed and reopened (`firmware.link.bluetooth.radio`).

`Advertising` notes the wanted state, and one task at a time brings the controller there. Three
things end advertising, and it resumes after each:

- an incoming connection that leaves room for more;
- a full controller, until it has room;
- an attempt to connect. Built-in controllers refuse to connect, or hang, while they advertise or
  scan.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from bumble import hci
from bumble.core import BaseBumbleError
from bumble.host import Host

from firmware.link import HciTransport
from firmware.link.bluetooth.channel import Tasks, whole


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
"""How often a scan begins, and how long it listens; as `ADVERTISING_MS`."""
INTERVAL_MIN_MS, INTERVAL_MAX_MS = 15.0, 30.0
"""Time between the exchanges of a link; chosen between quick hops and little current."""
SUPERVISION_MS = 2000.0
"""Silence after which the controllers declare a link lost; chosen."""

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
    if host.supports_command(hci.HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND):
        return hci.HCI_LE_Extended_Create_Connection_Command(
            initiator_filter_policy=0,
            own_address_type=own_type,
            peer_address_type=target.address_type,
            peer_address=target,
            initiating_phys=hci.phy_list_to_bits([hci.HCI_LE_1M_PHY]),
            scan_intervals=(scan,),
            scan_windows=(scan,),
            connection_interval_mins=(interval_min,),
            connection_interval_maxs=(interval_max,),
            max_latencies=(0,),
            supervision_timeouts=(supervision,),
            min_ce_lengths=(0,),
            max_ce_lengths=(0,),
        )
    return hci.HCI_LE_Create_Connection_Command(
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
"""Time limit for an answer to a command. Chosen: a reset, the slowest, takes 0.1 s."""


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
        if isinstance(packet, hci.HCI_Event):
            self.on_hci_event_packet(packet)
        elif isinstance(packet, hci.HCI_AclDataPacket):
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
        await self._logged(hci.HCI_Read_BD_ADDR_Command(), "is there")

    async def log_states(self) -> None:
        """Log the controller's list of simultaneous jobs; nothing relies on it."""
        await self._logged(hci.HCI_LE_Read_Supported_States_Command(), "supports LE states")

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


ADVERTISING_MS = 60.0
"""Chosen within the 20 to 100 ms that let a handheld be found in half a second."""
AGAIN_S = 1.0
"""Delay before a refused advertisement is tried again; chosen."""
_FLAGS_LE_ONLY = bytes((2, 0x01, 0x06))
"""Advertising data: general discoverable, no classic Bluetooth."""
_MANUFACTURER = 0xFF
"""Advertising data: bytes of a manufacturer's own …"""
_NO_COMPANY = b"\xff\xff"
"""… that belongs to no company (Bluetooth Assigned Numbers)."""
ANNOUNCED_BYTES = 24
"""Bytes left of the 31 of an advertisement (Core 5.4, Vol 6, Part B, 2)."""
_FULL = (
    hci.HCI_ErrorCode.CONNECTION_LIMIT_EXCEEDED_ERROR,
    hci.HCI_ErrorCode.CONNECTION_REJECTED_DUE_TO_LIMITED_RESOURCES_ERROR,
)


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

    def __init__(self, own_type: hci.OwnAddressType, tasks: Tasks) -> None:
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
            command = hci.HCI_LE_Set_Advertising_Data_Command(advertising_data=data)
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
    return isinstance(problem, hci.HCI_Error) and problem.error_code in _FULL


async def _tried(work: Awaitable[Any]) -> BaseBumbleError | None:
    """Await commands to the controller; log and return a refusal."""
    try:
        await whole(work)
    except BaseBumbleError as problem:
        _log.info("the controller refuses: %s", problem)
        return problem
    return None
