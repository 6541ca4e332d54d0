"""Bluetooth between simulated controllers, with the times and failures of a radio.

`BleLink` says what crosses between two of them, when, and how it ends.

bumble's virtual controllers run unmodified where they can; this module replaces what its LocalLink
leaves out or does at once:

- A connection takes 50 to 500 ms from the moment that one side looks for an advertiser and that
  side advertises. Nothing is simulated in between: no advertising packet costs an event.
- Packets cross at the events of a connection, every 15 to 30 ms as the central asked, in order
  and a few at a time. The controller reports a packet as completed when it has crossed.
- A link that is cut stalls, as a radio does that hears nothing; the supervision time-out then ends
  it on both sides with reason 0x08. Packets are never dropped from a link that lives on.
- A cancelled connection attempt is answered, so that looking for an absent peer can end.
- A small share of connections fail to be established (reason 0x3E).
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Any

from bumble import ll
from bumble.core import PhysicalTransport
from bumble.hci import HCI_ErrorCode

from drivers import now_us
from firmware.link import HciTransport, OpenController
from hw_sim.air import ControllerProfile, HeardPacket
from hw_sim.air.controller import AirController, Medium, PiController

BURST = 4
"""Packets that cross each way in one connection event, of as many bytes as the controllers take;
chosen."""
FAILED_AFTER_INTERVALS = 6
"""A new connection is given up after six silent intervals (Core 5.4, Vol 6, Part B, 4.5)."""


class BleLink:
    """The link between two controllers: two queues that are served at connection events.

    Args:
        loop: whose time it is.
        central, peripheral: its ends.
        interval_us: from one event to the next.
        supervision_us: how long it may be silent.
        on_data: gets sender, receiver and bytes of every data packet just before it arrives.
        on_end: gets the link, once, when both ends have been told that it is over, and whether its
            supervision time-out ended it.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        central: AirController,
        peripheral: AirController,
        interval_us: int,
        supervision_us: int,
        on_data: Callable[[AirController, AirController, bytes], None],
        on_end: Callable[["BleLink", bool], None],
    ) -> None:
        self.central = central
        self.peripheral = peripheral
        self._on_data = on_data
        self._on_end = on_end
        self._loop = loop
        self.interval_us = interval_us
        self._supervision_us = supervision_us
        self._anchor_us = now_us(loop)
        self._from_central: deque[tuple[Any, int, int]] = deque()
        self._from_peripheral: deque[tuple[Any, int, int]] = deque()
        """Packets, in how many pieces each came from its host, and how many are still to cross."""
        self._event: asyncio.TimerHandle | None = None
        self._supervision: asyncio.TimerHandle | None = None
        self._is_cut = False

    def send(self, sender: AirController, packet: bytes | ll.ControlPdu, fragments: int) -> None:
        """Queue a packet that came from the host in ``fragments`` pieces (0: not from the host)."""
        self._queue_of(sender).append((packet, fragments, max(1, fragments)))
        self._plan()

    def terminate(self, sender: AirController, reason: int) -> None:
        """End the link at the next event, by HCI's ``reason``; drop what ``sender`` has queued."""
        self._queue_of(sender).clear()
        self.send(sender, ll.TerminateInd(reason), 0)

    def cut(self) -> None:
        """Let nothing cross any more; the supervision time-out follows."""
        self._is_cut = True
        self.stall()

    def stall(self) -> None:
        """Let nothing cross until resume() or, if that is too late, the supervision time-out."""
        if self._event is not None:
            self._event.cancel()
            self._event = None
        if self._supervision is None:
            self._supervision = self._loop.call_later(self._supervision_us / 1e6, self._time_out)

    def resume(self) -> None:
        """Go on after stall(), unless the link was cut."""
        if self._supervision is not None and not self._is_cut:
            self._supervision.cancel()
            self._supervision = None
            self._plan()

    def fail(self) -> None:
        """End the link as never established (reason 0x3E), after six intervals of silence."""
        self._is_cut = True
        silence_us = FAILED_AFTER_INTERVALS * self.interval_us
        reason = HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR
        self._supervision = self._loop.call_later(silence_us / 1e6, self._end, reason, reason)

    def _queue_of(self, sender: AirController) -> deque[tuple[Any, int, int]]:
        return self._from_central if sender is self.central else self._from_peripheral

    def _plan(self) -> None:
        waiting = self._from_central or self._from_peripheral
        if waiting and self._event is None and self._supervision is None:
            since_us = now_us(self._loop) - self._anchor_us
            wait_us = self.interval_us - since_us % self.interval_us
            self._event = self._loop.call_later(wait_us / 1e6, self._cross)

    def _cross(self) -> None:
        self._event = None
        ways = (
            (self.central, self.peripheral, self._from_central),
            (self.peripheral, self.central, self._from_peripheral),
        )
        for sender, receiver, queue in ways:
            completed = 0
            room = BURST
            while queue and room:
                packet, fragments, left = queue.popleft()
                if left > room:
                    queue.appendleft((packet, fragments, left - room))
                    break
                room -= left
                completed += fragments
                if isinstance(packet, bytes):
                    self._on_data(sender, receiver, packet)
                    receiver.on_link_acl_data(sender.random_address, PhysicalTransport.LE, packet)
                elif isinstance(packet, ll.TerminateInd):
                    self._end_by(sender, packet.error_code)
                    return
                else:
                    receiver.on_ll_control_pdu(sender.random_address, packet)
            if completed:
                connection = sender.le_connections[receiver.random_address]
                sender.completed(connection, completed)
        self._plan()

    def _time_out(self) -> None:
        reason = HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
        self._end(reason, reason, timed_out=True)

    def _end_by(self, sender: AirController, reason: int) -> None:
        local = HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        if sender is self.central:
            self._end(local, reason)
        else:
            self._end(reason, local)

    def _end(self, reason_central: int, reason_peripheral: int, *, timed_out: bool = False) -> None:
        central, peripheral = self.central, self.peripheral
        ends = (
            (central, peripheral.random_address, reason_central),
            (peripheral, central.random_address, reason_peripheral),
        )
        for controller, peer_address, reason in ends:
            connection = controller.le_connections.get(peer_address)
            if connection is not None:
                controller.on_le_disconnected(connection, reason)
        self._on_end(self, timed_out)


def interval_range(command: Any) -> tuple[int, int]:
    """The lowest and highest connection interval of an HCI create command, in units of 1.25 ms."""
    if hasattr(command, "connection_interval_mins"):
        return command.connection_interval_mins[0], command.connection_interval_maxs[0]
    return command.connection_interval_min, command.connection_interval_max


def supervision_of(command: Any) -> int:
    """The supervision time-out of an HCI create command, in units of 10 ms."""
    if hasattr(command, "supervision_timeouts"):
        return int(command.supervision_timeouts[0])
    return int(command.supervision_timeout)


CONNECT_MIN_US = 50_000
"""The least and the most time until a connection stands, from reports (docs/LIMITS.md) …"""
CONNECT_MAX_US = 500_000
"""… and the most time."""
HEARD_MIN_US = 60_000
"""The least time, chosen, between two advertisements of one handheld that another, which listens,
hears …"""
HEARD_MAX_US = 600_000
"""… and the most."""
CONNECT_FAILURE_RATE = 0.03
"""Share of connections that fail to be established; chosen: 2 to 5 % on a busy table."""

_INTERVAL_UNIT_US = 1250
_SUPERVISION_UNIT_US = 10_000


class AirTransport:
    """Both directions to a simulated controller; closed, it is switched off."""

    def __init__(self, controller: AirController) -> None:
        self.source = self.sink = controller

    async def close(self) -> None:
        """Switch the controller off."""
        self.source.switch_off()


class BluetoothAir(Medium):
    """The air around one table. ``seed`` decides every delay and failure.

    ``profile`` says which controllers are on it (`hw_sim.air.controller`). ``observers`` get
    every data packet at the time it crosses. ``packets`` and ``payload_bytes`` count them,
    ``connections`` the links that came about, ``failures`` those that did not, ``losses`` the links
    that ended by their supervision time-out.
    """

    def __init__(
        self,
        seed: int,
        loop: asyncio.AbstractEventLoop,
        *,
        connect_failure_rate: float = CONNECT_FAILURE_RATE,
        profile: ControllerProfile = "ideal",
    ) -> None:
        super().__init__()
        self.observers: list[Callable[[HeardPacket], None]] = []
        self.packets = 0
        self.payload_bytes = 0
        self.connections = 0
        self.failures = 0
        self.losses = 0
        self._chance = random.Random(f"bluetooth air {seed}")
        self._loop = loop
        self._failure_rate = connect_failure_rate
        self._profile = profile
        self._links: dict[tuple[int, int], BleLink] = {}
        self._meetings: dict[int, asyncio.TimerHandle] = {}
        self._absent: set[int] = set()
        self._reached: AirController | None = None

    def opener(self, seat: int, *, extended: bool = True) -> OpenController:
        """Return a function that opens the controller of ``seat``, as `transport`, at each call."""

        async def opened() -> HciTransport:
            return self.transport(seat, extended=extended)

        return opened

    def transport(self, seat: int, *, extended: bool = True) -> HciTransport:
        """Make the controller of ``seat`` and return the HCI transport to it.

        A controller that the seat had before is switched off. ``extended`` False gives a
        controller of Bluetooth 4.2, which has no extended advertising; a Pi's has none anyway.
        """
        self.switch_off(seat)
        if self._profile == "pi":
            return AirTransport(PiController(self, self._loop, seat))
        return AirTransport(AirController(self, self._loop, seat, extended=extended))

    # Faults.

    def cut(self, seat_a: int, seat_b: int) -> bool:
        """Cut the link between two seats for good; False if they have none.

        Nothing crosses any more, and after the supervision time-out both sides see it end.
        """
        link = self._links.get(_pair(seat_a, seat_b))
        if link is not None:
            link.cut()
        return link is not None

    def absent(self, seat: int) -> None:
        """Take a seat out of everybody's range; its links stall and end if it stays away."""
        self._absent.add(seat)
        for pair, link in self._links.items():
            if seat in pair:
                link.stall()

    def present(self, seat: int) -> None:
        """Bring a seat back into range."""
        self._absent.discard(seat)
        for (one, other), link in self._links.items():
            if seat in (one, other) and (other if one == seat else one) not in self._absent:
                link.resume()
        for controller in self.controllers:
            self.seek(controller)

    def switch_off(self, seat: int) -> None:
        """Cut the power of a seat's controller: it sends no more, to the air or to its host."""
        for controller in self.controllers_of(seat):
            controller.switch_off()
            self.remove_controller(controller)

    def fall_silent(self, controller: AirController) -> None:
        """Cut all links of a controller that has been reset or switched off."""
        self.stop_seeking(controller)
        for pair, link in self._links.items():
            if controller.seat in pair:
                link.cut()

    def linked(self, seat_a: int, seat_b: int) -> bool:
        """Whether two seats have a link, even one that has gone silent."""
        return _pair(seat_a, seat_b) in self._links

    @property
    def seeking(self) -> int:
        """How many controllers are looking for a peer now."""
        return sum(known.pending_le_connection is not None for known in self.controllers)

    # bumble's link bus.

    def send_acl_data(
        self, sender_controller: AirController, destination_address: Any, _: Any, data: bytes
    ) -> None:
        """Queue a data packet on the link to ``destination_address``."""
        link = self._link_to(sender_controller, destination_address)
        if link is not None:
            link.send(sender_controller, data, sender_controller.take_fragments())

    def send_ll_control_pdu(self, sender_address: Any, receiver_address: Any, packet: Any) -> None:
        """Queue a control packet of the link layer."""
        sender = self._find(sender_address)
        link = self._link_to(sender, receiver_address) if sender is not None else None
        if sender is not None and link is not None:
            link.send(sender, packet, 0)

    def send_advertising_pdu(self, sender_controller: AirController, packet: Any) -> None:
        """Bring the connection request of a central to its advertiser. Nothing else is sent."""
        del sender_controller
        if isinstance(packet, ll.ConnectInd) and self._reached is not None:
            self._reached.on_le_connect_ind(packet)

    def disconnect(self, controller: AirController, peer_address: Any, reason: int) -> bool:
        """End a link at its next event; see `Medium`."""
        link = self._link_to(controller, peer_address)
        if link is not None:
            link.terminate(controller, reason)
        return link is not None

    def _count_packet(self, sender: AirController, receiver: AirController, payload: bytes) -> None:
        """Count a data packet that crosses the air, and show it to the observers."""
        self.packets += 1
        self.payload_bytes += len(payload)
        heard = HeardPacket(now_us(self._loop), sender.seat, receiver.seat, payload)
        for observer in self.observers:
            observer(heard)

    # Listening to advertisers.

    def listen(self, listener: AirController) -> None:
        """Report every advertiser in range to a controller, again and again while it scans."""
        after_us = self._chance.randint(HEARD_MIN_US, HEARD_MAX_US)
        self._loop.call_later(after_us / 1e6, self._report_advertisers, listener)

    def _report_advertisers(self, listener: AirController) -> None:
        if not listener.le_scan_enable or listener not in self.controllers:
            return
        for other in self.controllers:
            away = self._absent & {other.seat, listener.seat}
            if other is not listener and not away:
                for address, data in other.advertisements:
                    listener.report_advertisement(address, data)
        self.listen(listener)

    # How connections come about.

    def seek(self, initiator: AirController) -> None:
        """Let an initiator find its advertiser, if both are there, after a while."""
        if initiator.seat in self._meetings or self._advertiser_for(initiator) is None:
            return
        after_us = self._chance.randint(CONNECT_MIN_US, CONNECT_MAX_US)
        self._meetings[initiator.seat] = self._loop.call_later(
            after_us / 1e6, self._meet, initiator, initiator.pending_le_connection
        )

    def stop_seeking(self, initiator: AirController) -> None:
        """Call off what seek() arranged."""
        meeting = self._meetings.pop(initiator.seat, None)
        if meeting is not None:
            meeting.cancel()

    def advertised(self, advertiser: AirController) -> None:
        """Let everybody who looks for this advertiser find it."""
        address = advertiser.random_address
        for initiator in self.controllers:
            pending = initiator.pending_le_connection
            if pending is not None and pending.peer_address == address:
                self.seek(initiator)

    def _advertiser_for(self, initiator: AirController) -> AirController | None:
        command = initiator.pending_le_connection
        if command is None or initiator.seat in self._absent:
            return None
        advertiser = self._find(command.peer_address)
        if (
            advertiser is None
            or advertiser.seat in self._absent
            or not advertiser.advertises(command.peer_address)
            or self.linked(initiator.seat, advertiser.seat)
        ):
            return None
        return advertiser

    def _meet(self, initiator: AirController, command: Any) -> None:
        self._meetings.pop(initiator.seat, None)
        advertiser = self._advertiser_for(initiator)
        if advertiser is None or initiator.pending_le_connection is not command:
            self.seek(initiator)
            return
        interval_us = self._chance.randint(*interval_range(command)) * _INTERVAL_UNIT_US
        supervision_us = supervision_of(command) * _SUPERVISION_UNIT_US
        link = BleLink(
            self._loop,
            initiator,
            advertiser,
            interval_us,
            supervision_us,
            self._count_packet,
            self._ended,
        )
        self._links[_pair(initiator.seat, advertiser.seat)] = link
        if self._chance.random() < self._failure_rate:
            self.failures += 1
            link.fail()
        else:
            self.connections += 1
            self._reached = advertiser
        initiator.create_le_connection(command.peer_address)
        self._reached = None

    def _ended(self, link: BleLink, timed_out: bool) -> None:
        """Forget a link that has ended, and let its ends meet again."""
        self.losses += timed_out
        pair = _pair(link.central.seat, link.peripheral.seat)
        if self._links.get(pair) is link:
            del self._links[pair]
        self.seek(link.central)
        self.seek(link.peripheral)

    def _link_to(self, controller: AirController, peer_address: Any) -> BleLink | None:
        """Return the link under a controller's connection, None if it has ended."""
        peer = self._find(peer_address)
        return None if peer is None else self._links.get(_pair(controller.seat, peer.seat))

    def _find(self, address: Any) -> AirController | None:
        return next((one for one in self.controllers if one.random_address == address), None)


def _pair(seat_a: int, seat_b: int) -> tuple[int, int]:
    return (seat_a, seat_b) if seat_a < seat_b else (seat_b, seat_a)
