"""Infrared light between simulated handhelds: everybody hears everybody, and nothing quite right.

What a receiver makes of a carrier is modelled mark by mark: edges that jitter, come late or not at
all, marks that the demodulator stretches, flicker that looks like marks, a receiver that is deaf
for a while after its own light, and the light of several who speak at once, which adds up.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from firmware.link.infrared.pulses import Pulse

CARRIER_US = 1e6 / 38_000
"""One period of the carrier."""
SHARE_US = 20_000
"""Marks reach a receiver's program in shares of so long."""
DEAF_US = (20_000, 50_000)
"""How long a receiver is deaf after its own light."""
LEADING_CYCLES = (7, 15)
"""How late a demodulator begins, the same for a whole transmission, in periods of the carrier."""
STRETCH_CYCLES = (-5, 6)
"""By how much it changes a mark."""
NOISE_US = (100, 400)
"""How long a mark is that nobody sent."""
NOISE_AFTER_US = 30_000
"""It goes on after a transmission, for so long at least."""


class Scenario(NamedTuple):
    """How good the light is.

    Attributes:
        send_us, receive_us: standard deviation of an edge at either side.
        late_rate, late_us: share of edges that come late, and by how much in the mean.
        loss_rate: share of marks that are not seen.
        noise_hz: marks a second that nobody sent.
    """

    send_us: float = 8.0
    receive_us: float = 12.0
    late_rate: float = 2e-4
    late_us: float = 150.0
    loss_rate: float = 0.0
    noise_hz: float = 0.0


NOMINAL = Scenario()
SCENARIOS = {
    "nominal": NOMINAL,
    "range edge": NOMINAL._replace(loss_rate=0.015),
    "stress": Scenario(25.0, 30.0, 3e-3, 200.0),
    "noise 5/s": NOMINAL._replace(noise_hz=5.0),
    "noise 30/s": NOMINAL._replace(noise_hz=30.0),
}


def distorted(lengths_us: list[int], start_us: float, how: Scenario, chance: Random) -> list[Pulse]:
    """What one receiver makes of a transmission that began at ``start_us``."""
    delay_us = chance.uniform(*LEADING_CYCLES) * CARRIER_US
    sigma_us = (how.send_us**2 + how.receive_us**2) ** 0.5
    pulses = []
    at_us = start_us
    for number, length_us in enumerate(lengths_us):
        if number % 2 == 0 and chance.random() >= how.loss_rate:
            edge_us = at_us + delay_us + chance.gauss(0.0, sigma_us)
            if chance.random() < how.late_rate:
                edge_us += chance.expovariate(1 / how.late_us)
            stretch_us = chance.uniform(*STRETCH_CYCLES) * CARRIER_US
            pulses.append(Pulse(round(edge_us), max(round(length_us + stretch_us), 1)))
        at_us += length_us
    if how.noise_hz:
        noise_us = start_us - NOISE_AFTER_US + chance.expovariate(how.noise_hz) * 1e6
        while noise_us < at_us + NOISE_AFTER_US:
            pulses.append(Pulse(round(noise_us), round(chance.uniform(*NOISE_US))))
            noise_us += chance.expovariate(how.noise_hz) * 1e6
    return sorted(pulses)


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
        self.observe: Callable[[tuple[int, int, tuple[int, ...]]], None] | None = None
        """Gets every transmission: time in µs, sender, marks and spaces as they were sent."""
        self.ports: dict[int, SimulatedPort] = {}
        self._chance = Random(f"infrared air {seed}")
        self._loop = loop
        self._blocked: dict[frozenset[int], float] = {}

    def port(self, seat: int) -> "SimulatedPort":
        """Make the transmitter and receiver of a seat; those it had before are gone."""
        self.ports[seat] = port = SimulatedPort(self, seat, self._loop)
        return port

    def block(self, one: int, other: int, for_s: float) -> None:
        """Somebody holds a hand between two seats for a while."""
        self._blocked[frozenset((one, other))] = self._loop.time() + for_s

    def transmit(self, sender: "SimulatedPort", lengths_us: list[int]) -> None:
        """Bring a transmission to all who see it."""
        self.transmissions += 1
        start_us = self._loop.time() * 1e6
        if self.observe is not None:
            self.observe((round(start_us), sender.seat, tuple(lengths_us)))
        for seat, port in sorted(self.ports.items()):
            blocked_s = self._blocked.get(frozenset((sender.seat, seat)), 0.0)
            if self._loop.time() < blocked_s and port is not sender:
                continue
            pulses = distorted(lengths_us, start_us, self.how, self._chance)
            port.see(pulses, own=port is sender)
        sender.deaf_us = start_us + sum(lengths_us) + self._chance.uniform(*DEAF_US)


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
        """Begin to listen."""
        self._on_pulses = on_pulses

    def transmit(self, lengths_us: list[int]) -> None:
        """Send marks and spaces in turn."""
        if self._on_pulses is not None:
            self._air.transmit(self, lengths_us)

    def close(self) -> None:
        """Stop listening."""
        self._on_pulses = None

    def see(self, pulses: list[Pulse], *, own: bool) -> None:
        """Take marks that will have been on the air, and hear them when they have been."""
        share: list[Pulse] = []
        for pulse in pulses:
            if share and pulse.start_us - share[0].start_us > SHARE_US:
                self._hear_later(share, own=own)
                share = []
            share.append(pulse)
        if share:
            self._hear_later(share, own=own)

    def _hear_later(self, share: list[Pulse], *, own: bool) -> None:
        end_us = share[-1].start_us + share[-1].length_us
        self._loop.call_at(end_us / 1e6, self._hear, share, own)

    def _hear(self, share: list[Pulse], own: bool) -> None:
        if self._on_pulses is None:
            return
        heard = share if own else [pulse for pulse in share if pulse.start_us >= self.deaf_us]
        if heard:
            self._on_pulses(heard)
