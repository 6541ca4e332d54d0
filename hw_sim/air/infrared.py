"""Infrared light between simulated handhelds: every port receives every transmission, distorted.

A receiver is modelled mark by mark. Edges jitter, come late or are missing. The demodulator
stretches marks. Flicker looks like marks. A receiver is deaf for a while after its own light. The
light of several senders adds up.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Callable
from random import Random

from firmware.link.infrared.modulation import Pulse
from hw_sim.air.infrared_noise import NOMINAL, SHARE_US, Scenario, distorted

DEAF_US = (20_000, 50_000)
"""How long a receiver is deaf after its own light."""


class InfraredAir:
    """The light around one table.

    Args:
        seed: decides all chance.
        loop: whose time it is.
        how: how good the light is.
    """

    def __init__(self, seed: int, loop: asyncio.AbstractEventLoop, how: Scenario = NOMINAL) -> None:
        self.how = how
        self.transmissions = 0
        self.observers: list[Callable[[tuple[int, int, tuple[int, ...]]], None]] = []
        """Get every transmission: time in µs, sender, marks and spaces as they were sent."""
        self.ports: dict[int, SimulatedPort] = {}
        self._chance = Random(f"infrared air {seed}")
        self._loop = loop
        self._blocked: dict[frozenset[int], float] = {}

    def port(self, seat: int) -> "SimulatedPort":
        """Make the transmitter and receiver of a seat; those it had before are gone."""
        self.ports[seat] = port = SimulatedPort(self, seat, self._loop)
        return port

    def block(self, one: int, other: int, for_s: float) -> None:
        """Let nothing pass between two seats, either way, for ``for_s`` virtual seconds."""
        self._blocked[frozenset((one, other))] = self._loop.time() + for_s

    def transmit(self, sender: "SimulatedPort", lengths_us: list[int]) -> None:
        """Bring marks and spaces in turn (µs) to all ports not blocked, the sender's too."""
        self.transmissions += 1
        start_us = self._loop.time() * 1e6
        for observer in self.observers:
            observer((round(start_us), sender.seat, tuple(lengths_us)))
        heard = {}
        for seat, port in sorted(self.ports.items()):
            blocked_s = self._blocked.get(frozenset((sender.seat, seat)), 0.0)
            if self._loop.time() >= blocked_s or port is sender:
                heard[port] = distorted(lengths_us, start_us, self.how, self._chance)
        self._bring_in_shares(heard, sender, round(start_us))
        sender.deaf_us = start_us + sum(lengths_us) + self._chance.uniform(*DEAF_US)

    def _bring_in_shares(
        self, heard: dict["SimulatedPort", list[Pulse]], sender: "SimulatedPort", start_us: int
    ) -> None:
        """Bring every port its marks: all get those of one share at one time, when it is over."""
        last_us = max([pulses[-1].start_us for pulses in heard.values() if pulses], default=0)
        begins = dict.fromkeys(heard, 0)
        for until_us in range(start_us + SHARE_US, last_us + SHARE_US + 1, SHARE_US):
            share = []
            over_us = 0
            for port, pulses in heard.items():
                begin, end = begins[port], bisect_left(pulses, (until_us, 0))
                if begin < end:
                    begins[port] = end
                    share.append((port, pulses[begin:end]))
                    over_us = max(over_us, sum(pulses[end - 1]))
            if share:
                self._loop.call_at(over_us / 1e6, _bring, share, sender)


def _bring(share: list[tuple["SimulatedPort", list[Pulse]]], sender: "SimulatedPort") -> None:
    for port, pulses in share:
        port.receive(pulses, own=port is sender)


class SimulatedPort:
    """One seat's infrared transmitter and receiver, shaped like ``lirc``'s.

    It is silent until ``open`` and after ``close``.
    """

    def __init__(self, air: InfraredAir, seat: int, loop: asyncio.AbstractEventLoop) -> None:
        self.seat = seat
        self.deaf_us = 0.0
        self._air = air
        self._loop = loop
        self._on_pulses: Callable[[list[Pulse]], None] | None = None

    def open(self, on_pulses: Callable[[list[Pulse]], None]) -> None:
        """Begin to receive: ``on_pulses`` gets marks in the order of their starts, never none."""
        self._on_pulses = on_pulses

    def transmit(self, lengths_us: list[int]) -> None:
        """Send marks and spaces in turn, in µs; nothing happens while it is closed."""
        if self._on_pulses is not None:
            self._air.transmit(self, lengths_us)

    def close(self) -> None:
        """Stop receiving and sending."""
        self._on_pulses = None

    def receive(self, pulses: list[Pulse], *, own: bool) -> None:
        """Pass marks on, without those in its deaf time; ``own`` ones it is never deaf to."""
        if self._on_pulses is None:
            return
        if not own and pulses[0].start_us < self.deaf_us:
            pulses = [pulse for pulse in pulses if pulse.start_us >= self.deaf_us]
        if pulses:
            self._on_pulses(pulses)
