"""Frames to and from everybody in range over infrared.

A transmission reaches all handhelds; the header names its receiver, and sealing hides the frame
from the others. A frame without such a header is for everybody. Frames can be lost: the protocol
above sends them again.
"""

import asyncio
import logging
from collections.abc import Callable

from drivers import now_us
from firmware.effects import Place
from firmware.link.infrared import SHORTEST_LEADER_US, Port, Pulse, demodulated, merged, modulated
from firmware.link.infrared.coding import Pieces, coded, decoded
from firmware.link.infrared.medium_access import MediumAccess
from firmware.table.protocol import (
    EVERY_SEAT,
    HEADER_BYTES,
    MAX_FRAME,
    kind_of,
    receiver_of,
    sender_of,
)

MOST_PULSES = 2 * 4 * 81
"""Most marks without a silence that are processed together; chosen: twice those of `MOST_BYTES`."""
SETTLE_US = 25_000
"""A transmission ends after so long a silence; chosen: devices deliver marks in shares."""
FEWEST_PULSES = 4
"""Fewest consecutive marks of a transmission, after its leader; chosen: fewer are noise."""
OWN_US = 25_000
"""Marks that seem to begin up to so long after the own light are its end, reported late; chosen."""

_log = logging.getLogger(__name__)


class InfraredLink:
    """The infrared side of one handheld, a ``Link``.

    Args:
        port: the device.
        on_frame: gets every received frame, for any receiver.
        chance: returns a number from 0 to 1, below 1.
    """

    is_broadcast = True

    def __init__(
        self,
        port: Port,
        on_frame: Callable[[bytes], None],
        chance: Callable[[], float],
    ) -> None:
        self._port = port
        self._seat: int | None = None
        self._on_frame = on_frame
        self._access = MediumAccess(chance)
        self._loop = asyncio.get_running_loop()
        self._pulses: list[Pulse] = []
        self._running = False
        self._next: asyncio.TimerHandle | None = None
        self._silence: asyncio.TimerHandle | None = None
        self._own_us = -OWN_US
        self._pieces = Pieces()

    async def start(self) -> None:
        """Begin to listen. Raises InfraredError if the port cannot."""
        self._port.open(self._on_pulses)
        self._running = True

    async def stop(self) -> None:
        """Stop; waiting frames are not sent."""
        self.abandon()

    def abandon(self) -> None:
        """Drop waiting frames and close the port, as at a power cut."""
        self._running = False
        self._access.clear()
        for timer in (self._next, self._silence):
            if timer is not None:
                timer.cancel()
        self._port.close()

    @property
    def is_well(self) -> bool:
        """True: a failing port raises where it is used."""
        return True

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Queue a frame until the medium is free. ``device`` is ignored: the header has the seats.

        Raises:
            ValueError: the frame has less than HEADER_BYTES or more than MAX_FRAME.
        """
        if not HEADER_BYTES <= len(frame) <= MAX_FRAME:
            raise ValueError(f"a frame of {len(frame)} bytes cannot be sent: {MAX_FRAME} fit")
        del device
        if kind_of(frame) is not None:
            self._seat = sender_of(frame)
        if self._running:
            self._access.enqueue(frame, self._now_us)
            self._plan()

    def reaches(self, device: bytes | None, frame: bytes) -> None:
        """Return None: every handheld in sight hears the frame."""

    def listen_at(self, place: Place | None) -> None:
        """Do nothing: infrared always receives, and announces nothing by itself."""

    @property
    def _now_us(self) -> int:
        return now_us(self._loop)

    def _plan(self) -> None:
        due_us = self._access.next_us
        if due_us is None or not self._running:
            return
        due_s = max(due_us, self._now_us) / 1e6
        if self._next is not None:
            if self._next.when() <= due_s:
                return  # what is not due then is planned again
            self._next.cancel()
        self._next = self._loop.call_at(due_s, self._transmit)

    def _transmit(self) -> None:
        self._next = None
        now_us = self._now_us
        packet = self._access.take(now_us)
        if packet is not None:
            lengths_us = modulated(coded(packet))
            self._own_us = now_us + sum(lengths_us)
            self._port.transmit(lengths_us)
        self._plan()

    def _on_pulses(self, pulses: list[Pulse]) -> None:
        if not self._running:
            return
        if pulses[0].start_us <= self._own_us + OWN_US:  # the own light, and whatever it drowned
            pulses = [pulse for pulse in pulses if pulse.start_us > self._own_us + OWN_US]
            if not pulses:
                return
        self._pulses += pulses
        del self._pulses[:-MOST_PULSES]
        end_us = max(map(sum, pulses))
        leads = any(pulse.length_us >= SHORTEST_LEADER_US for pulse in self._pulses)
        if leads or len(self._pulses) >= FEWEST_PULSES:
            self._access.medium_busy(end_us)
        if self._silence is not None:
            self._silence.cancel()
        self._silence = self._loop.call_at((end_us + SETTLE_US) / 1e6, self._on_silence)
        self._plan()

    def _on_silence(self) -> None:
        pulses, self._pulses = self._pulses, []
        for received in demodulated(merged(pulses)):
            packet = decoded(received)
            if packet is None:
                _log.debug("a transmission of %d bytes was not made out", len(received.data))
                continue
            frame = self._pieces.add(packet.content) if packet.is_piece else packet.content
            if frame is not None:
                self._take(frame)

    def _take(self, frame: bytes) -> None:
        """Deliver a frame. A frame for the seat that last sent from here may be answered first."""
        sealed = kind_of(frame) is not None
        if sealed and len(frame) < HEADER_BYTES:
            return
        if sealed and receiver_of(frame) == self._seat != sender_of(frame):
            self._access.addressed()
        if sealed and receiver_of(frame) == EVERY_SEAT:
            self._access.note_frame(frame)
        self._on_frame(frame)
