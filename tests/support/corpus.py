"""A made-up corpus of motion with known shakes, for where no recorded one is at hand.

It has the form of a folder of recordings (`hw_sim.hand.recordings`). A seed is one corpus. Made-up
motion proves nothing about real hands: it shows that a detector is not broken, recordings show that
it is good.
"""

from pathlib import Path
from random import Random
from typing import Final

from firmware.upkeep import recording as files
from firmware.upkeep.recording import SHAKE
from hw_sim.hand.recordings import RecordingEntry
from hw_sim.hand.signals import us
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.light import LightScene
from hw_sim.trials.gestures.scenes import SCENES, Plan

SENSOR_NOISE_MPS2 = 0.03
"""Noise of a phone's sensor on each axis (r.m.s.), about 3 mg."""
RATES_HZ = (62.5, 100.0, 104.0)
"""Sampling rates of the made-up recordings, as phones and boards have them."""

LABELS: Final = {
    SHAKE: ("shaking", 12),
    "walking": ("walking", 3),
    "running": ("running", 3),
    "table_knock": ("knocking", 15),
    "rest": ("covered, candle", 5),
    "vehicle_car": ("bus ride", 3),
    "phone_drop": ("dropping", 8),
    "tilting": ("tilting", 15),
    "put_down": ("putting down", 8),
}
"""By label: the scene whose motion is made up, and how often in a recording."""


def write_corpus(folder: Path, seed: int, people: int) -> None:
    """Write a corpus: for each of ``people`` one recording of each label, about 6 minutes.

    ``folder`` is there, and empty.
    """
    entries: list[tuple[object, ...]] = []
    events: list[tuple[object, ...]] = []
    for number in range(1, people + 1):
        for label, (scene, times) in LABELS.items():
            rng = Random(f"corpus {seed} {number} {label}")
            hand, plan, t_us = Hand(rng, LightScene.day(rng)), Plan(), us(2.0)
            rate_hz = RATES_HZ[rng.randrange(len(RATES_HZ))]
            for _ in range(times):
                t_us = SCENES[scene].acting(hand, rng, t_us, plan)
            file = files.motion_file(f"made_up_{label}_{number:02d}")
            use = files.MISSED_SHAKE if label == SHAKE else files.FALSE_ROLL
            samples = _sampled(hand, rng, t_us + us(2.0), rate_hz)
            files.write_signal(folder / file, files.MOTION_COLUMNS, samples)
            entries.append((*RecordingEntry(file, label, rate_hz, use), 1))
            for start_us, end_us in plan.shake:
                events.append((file, f"{start_us / 1e6:.6f}", f"{end_us / 1e6:.6f}", SHAKE))
    files.append_rows(folder / files.INDEX, files.INDEX_COLUMNS, entries)
    files.append_rows(folder / files.EVENTS, files.EVENT_COLUMNS, events)


def _sampled(hand: Hand, rng: Random, end_us: int, rate_hz: float) -> list[tuple[str, ...]]:
    """Record a hand as a phone would: evenly sampled, with noise; times in s, m/s² on each axis."""
    samples = []
    for index in range(int(end_us * rate_hz / 1e6)):
        t_us = round(index * 1e6 / rate_hz)
        felt = (axis + rng.gauss(0.0, SENSOR_NOISE_MPS2) for axis in hand.acceleration(t_us))
        samples.append((f"{t_us / 1e6:.6f}", *(f"{axis:.3f}" for axis in felt)))
    return samples
