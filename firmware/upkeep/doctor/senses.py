"""Tests of the sensors' measurements.

Samples at 100 Hz, gravity, INT1, a pad at rest; and, with a hand's help, a cup that opens and
closes and a finger that taps.
"""

import asyncio
import math
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from typing import Final

from drivers.adxl345 import COUNTS_PER_G, Accelerometer
from drivers.bus import I2CBus, Priority
from drivers.errors import PartError
from drivers.gpio import GPIOModule, PinError, PinWatch
from drivers.light_sensor import LightSensor
from drivers.piezo import Piezo
from drivers.pins import ACCELEROMETER_INT1, PIEZO, TOUCH
from drivers.ttp223 import DEAD_S, TouchPad
from firmware.effects.sounds import Sound
from firmware.input.gestures.light import LEAST_CONTRAST, LEAST_LEAK_LUX, MOST_LEAK_SHARE
from firmware.input.gestures.samples import Counts
from firmware.runtime.board import light_part
from firmware.runtime.sensors import begin_light, light_readings, motion_batches
from firmware.runtime.splash import show
from firmware.runtime.tones import TONES
from firmware.upkeep.doctor.checks import Check
from firmware.upkeep.doctor.diagnoses import Diagnosis
from firmware.upkeep.doctor.findings import Finding, fine, note, skipped, wrong
from firmware.upkeep.doctor.patient import Patient, Request

MOTION_S: Final = 1.5
BATCH_S: Final = 0.1
LEAST_RATE_HZ, MOST_RATE_HZ = 90.0, 110.0
LEAST_GRAVITY_G, MOST_GRAVITY_G = 0.75, 1.25
"""The zero-g offset may be 0.25 g (ADXL345 Rev. G, table 1)."""
PAD_S: Final = 2.0
STUCK_SHARE: Final = 0.9
MOST_CHANGES: Final = 2
PATIENCE_S: Final = 15.0
"""Time limit for a hand."""
OPEN_S: Final = 3.0
LEAST_LUX: Final = 1.0
UNCHANGED_SHARE: Final = 0.8
DARK_READINGS: Final = 10
PLAYED_S: Final = 0.5
"""Longer than the tones."""


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
    """Play two tones if a person can hear them; the board cannot tell."""
    if patient.ask is None:
        return skipped(Check.PIEZO, "NEEDS_EARS")
    piezo = Piezo(gpio, PIEZO, asyncio.get_running_loop())
    try:
        piezo.play(TONES[Sound.OFFER])
        await asyncio.sleep(PLAYED_S)
    except PinError:
        return wrong(Check.PIEZO, Diagnosis.PINS_BUSY)
    finally:
        piezo.close()
    return fine(Check.PIEZO, "TONES")


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
            readings.append(part.lux(conversion.counts))
            if loop.time() >= end_s or (until is not None and until(readings)):
                break
    return readings


def judge_edges(polling: bool) -> Finding:
    """Judge whether edges of pins can be watched."""
    return note(Check.PINS, Diagnosis.EDGES_FAIL) if polling else fine(Check.PINS)
