"""Distortion of infrared pulses on their way: stretched, shifted, covered by lamps."""

import struct
from array import array
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import accumulate
from math import hypot, inf, log1p
from operator import add
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from firmware.link.infrared.modulation import Pulse

CARRIER_US = 1e6 / 38_000
"""One period of the carrier."""
SHARE_US = 20_000
"""Marks reach a receiver's program in slices of this length."""
LEADING_CYCLES = (7, 15)
"""How late a demodulator begins, the same for a whole transmission, in periods of the carrier."""
STRETCH_CYCLES = (-5, 6)
"""By how much it changes a mark."""
NOISE_US = (100, 400)
"""How long a mark is that nobody sent."""
NOISE_AFTER_US = 30_000
"""It goes on after a transmission, for this time at least."""


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
