"""Infrared looped back: the own receiver's view of the own light, edge by edge.

The doctor sends marks at known times and matches each received mark with the nearest one sent. The
remainder after the mean delay is the jitter of an edge. It decides whether bytes are readable: a
place is 260 µs, and an edge may be off by 0.42 of it (`firmware.link.infrared.modulation`).
"""

import asyncio
from bisect import bisect_left
from itertools import accumulate
from statistics import median, pstdev
from typing import Final, NamedTuple

from firmware.link.infrared.modulation import PLACE_US, TOLERANCE, Pulse, modulated
from firmware.link.infrared.port import InfraredError, Port
from firmware.upkeep.doctor.checks import Check
from firmware.upkeep.doctor.diagnoses import Diagnosis
from firmware.upkeep.doctor.findings import Finding, fine, skipped, wrong
from firmware.upkeep.doctor.host import numbers_of
from firmware.upkeep.doctor.patient import Patient

PATTERN: Final = bytes(range(0x1B, 0x1B + 24))
"""Sent once: 97 marks in 150 ms."""
LISTEN_S: Final = 0.5
"""Time before sending, to find foreign light."""
AFTER_S: Final = 0.3
MOST_FOREIGN: Final = 10
LEAST_HEARD: Final = 0.9
LARGEST_OFF_US: Final = PLACE_US
"""An edge that is further off is foreign."""
MOST_JITTER_US: Final = TOLERANCE * PLACE_US / 3
"""Three standard deviations must fit into the tolerance of an edge: one in 370 does not."""
BIN_US: Final = 20
FIRST_LOST: Final = 6
SENDS_WRONGLY: Final = (6, 18)
"""Kernels from this one on send wrongly, as far as is known (``pwm_ir_tx_atomic``)."""


class Loopback(NamedTuple):
    """The received edges. ``offsets_us``: of each edge, after the median delay."""

    sent: int
    offsets_us: tuple[float, ...]
    foreign: int

    @property
    def jitter_us(self) -> float:
        """Standard deviation of an edge in µs; 0 for fewer than two."""
        return pstdev(self.offsets_us) if len(self.offsets_us) > 1 else 0.0

    def histogram(self) -> list[tuple[int, int]]:
        """Return lower edges of bins of `BIN_US` in µs, and how many edges lie in each."""
        bins: dict[int, int] = {}
        for offset in self.offsets_us:
            low_us = int(offset // BIN_US) * BIN_US
            bins[low_us] = bins.get(low_us, 0) + 1
        if not bins:
            return []
        return [(low, bins.get(low, 0)) for low in range(min(bins), max(bins) + BIN_US, BIN_US)]


async def judge_infrared(patient: Patient) -> Finding:
    """Send, listen, and judge the result; skipped without infrared devices."""
    try:
        port = patient.open_infrared()
    except InfraredError as error:
        return wrong(Check.INFRARED, Diagnosis.INFRARED_FAILS, error=str(error))
    if port is None:
        return skipped(Check.INFRARED, "NOT_FITTED")
    try:
        loopback = await loop_back(port)
    finally:
        port.close()
    heard = len(loopback.offsets_us)
    if loopback.foreign > MOST_FOREIGN:
        return wrong(Check.INFRARED, Diagnosis.INFRARED_NOISE, marks=loopback.foreign)
    kernel = patient.host.kernel()
    if heard < LEAST_HEARD * loopback.sent and _sends_wrongly(kernel, patient.host.model()):
        return wrong(Check.INFRARED, Diagnosis.INFRARED_KERNEL, kernel=kernel)
    if not heard:
        return wrong(Check.INFRARED, Diagnosis.INFRARED_UNHEARD)
    if heard < LEAST_HEARD * loopback.sent:
        return wrong(Check.INFRARED, Diagnosis.INFRARED_LOSSY, heard=heard, sent=loopback.sent)
    jitter = f"{loopback.jitter_us:.0f}"
    if loopback.jitter_us > MOST_JITTER_US:
        return wrong(
            Check.INFRARED,
            Diagnosis.INFRARED_JITTER,
            jitter=jitter,
            histogram=told(loopback.histogram()),
        )
    shown = told(loopback.histogram())
    return fine(Check.INFRARED, "LIGHT_HEARD", jitter=jitter, shown=shown)


def _sends_wrongly(kernel: str, model: str) -> bool:
    """Return whether ``pwm-ir-tx`` sends all edges at once (a Pi 5 sends by another way)."""
    return numbers_of(kernel) >= SENDS_WRONGLY and "Pi 5" not in model


async def loop_back(port: Port) -> Loopback:
    """Listen, send the pattern, and compare the result."""
    heard: list[Pulse] = []
    port.open(heard.extend)
    await asyncio.sleep(LISTEN_S)
    foreign = len(heard)
    heard.clear()
    lengths = modulated(PATTERN)
    port.transmit(lengths)
    await asyncio.sleep(sum(lengths) / 1e6 + AFTER_S)
    return compare(lengths, sorted(pulse.start_us for pulse in heard), foreign)


def compare(lengths_us: list[int], edges_us: list[int], foreign: int = 0) -> Loopback:
    """Match received leading edges with those sent, both in µs, less the delay that fits best.

    The first sent edges may be lost, so each of a few is tried for the first received one.
    """
    sent = [0, *accumulate(lengths_us)][:-1:2]
    if not edges_us:
        return Loopback(len(sent), (), foreign)
    tries = [_offsets(sent, edges_us, edges_us[0] - first) for first in sent[:FIRST_LOST]]
    best = min(tries, key=lambda offsets: median(map(abs, offsets)))
    delay_us = median(best)
    close = [offset - delay_us for offset in best if abs(offset - delay_us) <= LARGEST_OFF_US]
    return Loopback(len(sent), tuple(close), foreign)


def _offsets(sent: list[int], edges_us: list[int], delay_us: int) -> list[float]:
    """Return the distance of each edge from the nearest one sent."""
    offsets: list[float] = []
    for edge_us in edges_us:
        at_us = edge_us - delay_us
        index = bisect_left(sent, at_us)
        near = min(sent[max(0, index - 1) : index + 1], key=lambda one: abs(at_us - one))
        offsets.append(at_us - near)
    return offsets


def told(histogram: list[tuple[int, int]]) -> str:
    """Return a histogram as one line: ``-40:3 -20:41 0:44 20:9`` (lower edge in µs, edges)."""
    return " ".join(f"{low}:{count}" for low, count in histogram)
