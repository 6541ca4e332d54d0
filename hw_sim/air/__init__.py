"""The media between handhelds: Bluetooth and infrared, with losses and noise, and brokers.

`Air` is Bluetooth's as a table knows it, without the extra ``bluetooth``. `AirDigest` is of times,
seats and bytes, whatever their classes.

In `InfraredAir` every port receives every transmission. A receiver is modelled mark by mark. Edges
jitter, come late or are missing. The demodulator stretches marks. Flicker looks like marks. A
receiver is deaf for a while after its own light. The light of several senders adds up.

May import: clock, firmware.link, firmware.cli.console, firmware.effects, table.protocol, drivers.
Then read ``bluetooth``.
"""

import asyncio
import struct
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from hashlib import sha256
from itertools import accumulate
from math import hypot, inf, log1p
from operator import add
from random import Random
from statistics import NormalDist
from struct import Struct, pack
from typing import Literal, NamedTuple, Protocol

from firmware.link import OpenController
from firmware.link.broker import Message
from firmware.link.infrared import Pulse

ControllerProfile = Literal["ideal", "pi"]
"""``ideal``: bumble's virtual controller, which can do everything at once; ``pi``: the built-in one
of a Raspberry Pi (`hw_sim.air.controller`)."""


class HeardPacket(NamedTuple):
    """A data packet that crossed the air, from seat to seat: L2CAP header and payload."""

    t_us: int
    sender: int
    receiver: int
    payload: bytes


def bluetooth_address(seat: int) -> str:
    """Return the static random address of a seat's controller: ``C0:4D:58:00:00:05`` of 5."""
    return f"C0:4D:58:00:00:{seat:02X}"


class Air(Protocol):
    """The air around one table. ``observers`` get every data packet at the time it crosses."""

    observers: list[Callable[[HeardPacket], None]]

    def opener(self, seat: int) -> OpenController:
        """Return a function that opens the controller of ``seat`` at each call."""

    def absent(self, seat: int) -> None:
        """Take a seat out of everybody's range; its links stall and end if it stays away."""

    def present(self, seat: int) -> None:
        """Bring a seat back into range."""

    def switch_off(self, seat: int) -> None:
        """Cut the power of a seat's controller: it sends no more, to the air or to its host."""


class NoAir:
    """The air around a table without Bluetooth."""

    def __init__(self) -> None:
        self.observers: list[Callable[[HeardPacket], None]] = []

    def opener(self, seat: int) -> OpenController:
        """Raise ValueError: there is no controller."""
        raise ValueError(f"seat {seat} has no Bluetooth")

    def absent(self, seat: int) -> None:
        """Do nothing, as `present` and `switch_off` do."""

    present = switch_off = absent


_PACKET = Struct("<cQBBI").pack
_TRANSMISSION = Struct("<cQBI").pack
_MESSAGE = Struct("<cII").pack


class AirDigest:
    """Hashes all that is sent over all media, in the order in which it crosses.

    `packet` and `transmission` are observers of the two airs, `message` is one of the broker.
    """

    def __init__(self) -> None:
        self._hash = sha256()

    @property
    def hex(self) -> str:
        """SHA-256, in hex, over all that was sent so far."""
        return self._hash.hexdigest()

    def packet(self, heard: HeardPacket) -> None:
        """Add a packet that crossed by Bluetooth."""
        size = len(heard.payload)
        self._hash.update(_PACKET(b"B", heard.t_us, heard.sender, heard.receiver, size))
        self._hash.update(heard.payload)

    def transmission(self, sent: tuple[int, int, tuple[int, ...]]) -> None:
        """Add a transmission by infrared light: time in µs, sender, marks and spaces in µs."""
        t_us, sender, lengths_us = sent
        count = len(lengths_us)
        self._hash.update(_TRANSMISSION(b"I", t_us, sender, count))
        self._hash.update(pack(f"<{count}I", *lengths_us))

    def message(self, message: Message) -> None:
        """Add a message that reached the broker."""
        topic = message.topic.encode()
        self._hash.update(_MESSAGE(b"M", len(topic), len(message.payload)))
        self._hash.update(topic + message.payload)


CARRIER_US = 1e6 / 38_000
"""One period of the carrier, which has 38 kHz (TSOP38238, data sheet)."""
SHARE_US = 20_000
"""Marks reach a receiver's program in slices of this length; chosen."""
LEADING_CYCLES = (7, 15)
"""How late a demodulator begins, the same for a whole transmission, in periods of the carrier; data
sheets of TSOP312 to 391."""
STRETCH_CYCLES = (-5, 6)
"""By how many periods it changes a mark; data sheets of TSOP312 to 391."""
NOISE_US = (100, 400)
"""How long a mark is that nobody sent; chosen."""
NOISE_AFTER_US = 30_000
"""It goes on after a transmission, for this time at least; chosen."""


class Scenario(NamedTuple):
    """How good the light is.

    Attributes:
        send_us, receive_us: standard deviation of an edge at either side.
        late_rate, late_us: share of edges that come late, and by how much in the mean.
        loss_rate: share of marks that are not seen, 0 to 1.
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
    """Distort a transmission that began at ``start_us`` on the loop's clock, for one receiver.

    ``lengths_us`` are marks and spaces in turn, in µs; a mark is longer than any change of it.
    Returns marks (start and length in µs), ordered by start, with those that nobody sent.
    """
    seen_us = round(start_us + chance.uniform(*LEADING_CYCLES) * CARRIER_US)
    begins_us = list(accumulate(lengths_us, initial=seen_us))
    marks = len(lengths_us[::2])
    codes = struct.unpack(f"<{marks}H", chance.randbytes(2 * marks))
    edges_us = list(map(add, begins_us[::2], map(_jitter_us(how).__getitem__, codes)))
    for late in _every(how.late_rate, marks, chance):
        edges_us[late] += round(chance.expovariate(1 / how.late_us))
    stretch_us = map(_STRETCH_US.__getitem__, chance.randbytes(marks))
    pulses = list(map(_pulse, zip(edges_us, map(add, lengths_us[::2], stretch_us))))
    for lost in reversed(list(_every(how.loss_rate, marks, chance))):
        del pulses[lost]
    if how.noise_hz:
        noise_us = start_us - NOISE_AFTER_US + chance.expovariate(how.noise_hz) * 1e6
        while noise_us < begins_us[-1] + NOISE_AFTER_US:
            pulses.append(Pulse(round(noise_us), round(chance.uniform(*NOISE_US))))
            noise_us += chance.expovariate(how.noise_hz) * 1e6
    return sorted(pulses)


# A transmission has hundreds of marks, and every mark its chance: a code of 16 or 8 bits, and what
# each code means is looked up.

_pulse = partial(tuple.__new__, Pulse)

_STRETCH_US = [
    round((STRETCH_CYCLES[0] + (STRETCH_CYCLES[1] - STRETCH_CYCLES[0]) * code / 255) * CARRIER_US)
    for code in range(256)
]
"""By 8 bits: how much longer a demodulator makes a mark."""


@cache
def _jitter_us(how: Scenario) -> Sequence[int]:
    """By 16 bits: how far an edge is from where it should be, out to four standard deviations."""
    sigma_us, normal = hypot(how.send_us, how.receive_us), NormalDist()
    edges_us = (sigma_us * normal.inv_cdf((code + 0.5) / 2**16) for code in range(2**16))
    return array("h", map(round, edges_us))


def _every(rate: float, count: int, chance: Random) -> Iterator[int]:
    """The places, below ``count``, of what happens at each of them at this rate."""
    if not rate:
        return
    hazard = -log1p(-rate) if rate < 1 else inf
    place = int(chance.expovariate(hazard))
    while place < count:
        yield place
        place += 1 + int(chance.expovariate(hazard))


DEAF_US = (20_000, 50_000)
"""How long a receiver is deaf after its own light; chosen."""


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
