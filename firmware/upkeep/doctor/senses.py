"""Tests of the sensors' measurements, and infrared looped back edge by edge.

Samples at 100 Hz, gravity, INT1, a pad at rest; and, with a hand's help, a cup that opens and
closes and a finger that taps.

The doctor sends marks at known times and matches each received mark with the nearest one sent. The
remainder after the mean delay is the jitter of an edge. It decides whether bytes are readable: a
place is 260 µs, and an edge may be off by 0.42 of it (`firmware.link.infrared`).

Numbers without a source are chosen.
"""

import asyncio
import math
from bisect import bisect_left
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from itertools import accumulate
from statistics import median, pstdev
from typing import Final, NamedTuple

from drivers.adxl345 import COUNTS_PER_G, Accelerometer
from drivers.bus import I2CBus, Priority
from drivers.errors import PartError
from drivers.gpio import GPIOModule, PinError, PinWatch, claiming
from drivers.light_sensor import LUX_PER_COUNT, LightSensor
from drivers.piezo import Piezo
from drivers.pins import ACCELEROMETER_INT1, PIEZO, TOUCH
from drivers.ttp223 import DEAD_S, TouchPad
from firmware.effects import Sound
from firmware.input.gestures import Counts
from firmware.input.gestures.light import LEAST_CONTRAST, LEAST_LEAK_LUX, MOST_LEAK_SHARE
from firmware.link.infrared import PLACE_US, TOLERANCE, InfraredError, Port, Pulse, modulated
from firmware.runtime.board import begin_light, light_part, light_readings, motion_batches
from firmware.runtime.runtime import TONES
from firmware.runtime.splash import show
from firmware.upkeep.doctor import Check, Diagnosis, Finding, fine, note, skipped, wrong
from firmware.upkeep.doctor.patient import Patient, Request, numbers_of

MOTION_S: Final = 1.5
BATCH_S: Final = 0.1
LEAST_RATE_HZ, MOST_RATE_HZ = 90.0, 110.0
LEAST_GRAVITY_G, MOST_GRAVITY_G = 0.75, 1.25
"""The zero-g offset may be 0.25 g (ADXL345 Rev. G, table 1)."""
PAD_S: Final = 2.0
STUCK_SHARE: Final = 0.9
MOST_CHANGES: Final = 2
"""Times a pad at rest may change within `PAD_S`."""
PATIENCE_S: Final = 15.0
"""Time limit for a hand."""
OPEN_S: Final = 3.0
LEAST_LUX: Final = 1.0
UNCHANGED_SHARE: Final = 0.8
DARK_READINGS: Final = 10
"""Readings in a row of a sensor that a thumb covers."""
PLAYED_S: Final = 0.5
"""Longer than the tones."""
CHARGED_S: Final = 0.01
"""The Pi's pull of 65 kΩ charges a piezo of 15 nF in a tenth of this."""


async def judge_motion(bus: I2CBus, gpio: GPIOModule | None) -> list[Finding]:
    """Let the accelerometer measure for a while and follow its interrupt line."""
    loop = asyncio.get_running_loop()
    part = Accelerometer(bus.adapter)
    rises: list[bool] = []
    watch = None
    if gpio is not None:
        watch = PinWatch(gpio, ACCELEROMETER_INT1, lambda _t, level: rises.append(level), loop)
    samples: list[Counts] = []
    after_drain: list[bool] = []
    try:
        await bus.run(part.begin, Priority.MOTION)
        async with aclosing(motion_batches(bus, part, partial(asyncio.sleep, BATCH_S))) as batches:
            await anext(batches)  # of a batch that is not whole
            began_s = loop.time()
            while loop.time() - began_s < MOTION_S:
                samples += (await anext(batches)).xyz
                if watch is not None:
                    after_drain.append(watch.level())
        rate_hz = len(samples) / (loop.time() - began_s)
        await bus.run(part.watch_for_motion, Priority.MOTION)  # leave it idle
    except PartError:
        return [skipped(Check.MOTION, "TRANSFER_FAILED")]
    finally:
        if watch is not None:
            watch.close()
    return [_feels(samples, rate_hz), _line(rises, after_drain, watch)]


def _feels(samples: list[Counts], rate_hz: float) -> Finding:
    if not LEAST_RATE_HZ <= rate_hz <= MOST_RATE_HZ:
        return wrong(Check.MOTION, Diagnosis.NO_SAMPLES, rate=round(rate_hz))
    means = [sum(axis) / len(samples) / COUNTS_PER_G for axis in zip(*samples)]
    gravity = math.hypot(*means)
    if not LEAST_GRAVITY_G <= gravity <= MOST_GRAVITY_G:
        return wrong(Check.MOTION, Diagnosis.NO_GRAVITY, g=f"{gravity:.2f}")
    return fine(Check.MOTION, "MOTION", rate=rate_hz, gravity=gravity)


def _line(rises: list[bool], after_drain: list[bool], watch: PinWatch | None) -> Finding:
    if watch is None:
        return skipped(Check.INTERRUPT, "NEEDS_PINS")
    if after_drain and sum(after_drain) >= STUCK_SHARE * len(after_drain):
        return wrong(Check.INTERRUPT, Diagnosis.INTERRUPT_STUCK)
    if not any(rises):
        return wrong(Check.INTERRUPT, Diagnosis.INTERRUPT_SILENT)
    return fine(Check.INTERRUPT)


async def judge_pad(gpio: GPIOModule) -> Finding:
    """Watch the pad at rest: it must not change."""
    loop = asyncio.get_running_loop()
    changes: list[bool] = []
    pad = PinWatch(gpio, TOUCH, lambda _t, level: changes.append(level), loop)
    try:
        high_at_first = pad.level()
        await asyncio.sleep(PAD_S)
        level = pad.level()
    finally:
        pad.close()
    if len(changes) > MOST_CHANGES:
        return wrong(
            Check.TOUCH, Diagnosis.TOUCH_UNSTEADY, changes=len(changes), seconds=round(PAD_S)
        )
    if high_at_first and level:
        return wrong(Check.TOUCH, Diagnosis.TOUCH_STUCK)
    return fine(Check.TOUCH)


async def judge_tap(gpio: GPIOModule, patient: Patient) -> Finding:
    """Ask for a tap, and wait for it; skipped without a person."""
    if patient.ask is None:
        return skipped(Check.TAP, "NEEDS_HAND")
    loop = asyncio.get_running_loop()
    tapped = asyncio.Event()
    pad = TouchPad(gpio, TOUCH, lambda _t, down: tapped.set() if down else None, loop)
    try:
        await asyncio.sleep(DEAD_S + 0.1)
        patient.ask(Request.TAP)
        async with asyncio.timeout(PATIENCE_S):
            await tapped.wait()
    except TimeoutError:
        return wrong(Check.TAP, Diagnosis.TOUCH_SILENT)
    finally:
        pad.close()
    return fine(Check.TAP)


async def judge_piezo(gpio: GPIOModule, patient: Patient) -> Finding:
    """Look for a short at the pin; then play two tones if a person can hear them."""
    piezo = Piezo(gpio, PIEZO, asyncio.get_running_loop())
    try:
        level = await _held_level(gpio, PIEZO)
        if level is not None:
            return wrong(Check.PIEZO, Diagnosis.PIEZO_HELD, volts=("0", "3.3")[level])
        if patient.ask is None:
            return skipped(Check.PIEZO, "NEEDS_EARS")
        piezo.play(TONES[Sound.OFFER])
        await asyncio.sleep(PLAYED_S)
    except PinError:
        return wrong(Check.PIEZO, Diagnosis.PINS_BUSY)
    finally:
        piezo.close()
    return fine(Check.PIEZO, "TONES")


async def _held_level(gpio: GPIOModule, pin: int) -> int | None:
    """Return the level of a pin if both of the Pi's own pulls leave it the same, else None."""
    levels = set[int]()
    with claiming(pin):
        gpio.setmode(gpio.BCM)
        for pull in (gpio.PUD_UP, gpio.PUD_DOWN):
            gpio.setup(pin, gpio.IN, pull_up_down=pull)
            await asyncio.sleep(CHARGED_S)
            levels.add(gpio.input(pin))
        gpio.cleanup([pin])
    return levels.pop() if len(levels) == 1 else None


async def judge_picture(bus: I2CBus, patient: Patient) -> Finding:
    """Show a picture if a person can see it; the board cannot tell."""
    if patient.ask is None:
        return skipped(Check.PICTURE, "NEEDS_EYES")
    try:
        await bus.run(lambda: show(bus.adapter, patient.language), Priority.PICTURE)
    except PartError:
        return skipped(Check.PICTURE, "TRANSFER_FAILED")
    return fine(Check.PICTURE, "HELLO")


async def judge_light(bus: I2CBus, patient: Patient) -> list[Finding]:
    """Read the light, and, with a hand's help, see whether covering makes a difference."""
    if patient.ask is None:
        return [skipped(Check.COVER, "NEEDS_HAND")]
    part = light_part(bus.adapter, patient.light or "veml7700")
    try:
        await begin_light(bus, part)
        patient.ask(Request.UNCOVER)
        open_lux = max(await _read_for(bus, part, OPEN_S))
        if open_lux < LEAST_LUX:
            return [wrong(Check.COVER, Diagnosis.TOO_DARK, lux=f"{open_lux:.1f}")]
        patient.ask(Request.COVER)
        readings = await _read_for(
            bus, part, PATIENCE_S, until=lambda seen: _closed(seen, open_lux)
        )
        await bus.run(part.shut_down, Priority.LIGHT)
    except PartError:
        return [skipped(Check.COVER, "TRANSFER_FAILED")]
    return [_covering(open_lux, readings)]


def _covering(open_lux: float, readings: list[float]) -> Finding:
    dark_lux = min(readings)
    if _closed(readings, open_lux):
        if dark_lux > max(MOST_LEAK_SHARE * open_lux, LEAST_LEAK_LUX):
            share = round(100 * dark_lux / open_lux)
            return note(Check.COVER, Diagnosis.COVER_LOOSE, share=share)
        return fine(Check.COVER, "COVERING", open=open_lux, dark=dark_lux)
    if dark_lux > UNCHANGED_SHARE * open_lux:
        return wrong(Check.COVER, Diagnosis.LIGHT_NEVER_CHANGES, lux=f"{open_lux:.1f}")
    return wrong(Check.COVER, Diagnosis.COVER_LEAKS, dark=f"{dark_lux:.1f}", open=f"{open_lux:.1f}")


def _closed(readings: list[float], open_lux: float) -> bool:
    last = readings[-DARK_READINGS:]
    return len(last) == DARK_READINGS and max(last) * LEAST_CONTRAST < open_lux


async def _read_for(
    bus: I2CBus,
    part: LightSensor,
    seconds: float,
    until: Callable[[list[float]], bool] | None = None,
) -> list[float]:
    """Read fresh conversions in lux for some seconds, or until they are enough."""
    loop = asyncio.get_running_loop()
    end_s = loop.time() + seconds
    readings: list[float] = []
    async with aclosing(light_readings(bus, part)) as conversions:
        async for conversion in conversions:
            readings.append(conversion.counts * LUX_PER_COUNT)
            if loop.time() >= end_s or (until is not None and until(readings)):
                break
    return readings


def judge_edges(polling: bool) -> Finding:
    """Judge whether edges of pins can be watched."""
    return note(Check.PINS, Diagnosis.EDGES_FAIL) if polling else fine(Check.PINS)


PATTERN: Final = bytes(range(0x1B, 0x1B + 24))
"""Sent once: 97 marks in 150 ms."""
LISTEN_S: Final = 0.5
"""Time before sending, to find foreign light."""
AFTER_S: Final = 0.3
MOST_FOREIGN: Final = 10
"""Marks of foreign light within `LISTEN_S` that are no fault."""
LEAST_HEARD: Final = 0.9
"""Share of the sent marks that must be heard."""
LARGEST_OFF_US: Final = PLACE_US
"""An edge that is further off is foreign."""
MOST_JITTER_US: Final = TOLERANCE * PLACE_US / 3
"""Three standard deviations must fit into the tolerance of an edge: one in 370 does not."""
BIN_US: Final = 20
FIRST_LOST: Final = 6
"""Marks at the beginning that may all be lost."""
SENDS_WRONGLY: Final = (6, 18)
"""Kernels from this version on send wrongly, as far as is known (``pwm_ir_tx_atomic``)."""


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
