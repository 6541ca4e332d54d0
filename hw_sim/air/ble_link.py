"""The link between two simulated controllers: what crosses, when, and how it ends."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from bumble import ll
from bumble.core import PhysicalTransport
from bumble.hci import HCI_ErrorCode

from drivers.time import now_us
from hw_sim.air.controller import AirController

BURST = 4
"""Packets that cross each way in one connection event, of as many bytes as the controllers take."""
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
