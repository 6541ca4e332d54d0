"""A made-up corpus of motion with known shakes, for where no recorded one is at hand.

It has the form of a folder of recordings (`hw_sim.hand.recordings`) and can be written
as one. A seed is one corpus. Made-up motion proves nothing about real hands: it shows that a
detector is not broken, recordings show that it is good.
"""

from array import array
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from firmware.upkeep import recording as files
from firmware.upkeep.recording import SHAKE
from hw_sim.hand.recordings import Clip, RecordedEvent, Recording, RecordingEntry
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


class Corpus(NamedTuple):
    """Recordings and the events in them by file, as ``hw_sim.hand.recordings`` loads them."""

    recordings: tuple[Recording, ...]
    events: dict[str, tuple[RecordedEvent, ...]]


def make_corpus(seed: int, people: int = 4) -> Corpus:
    """Make a corpus: for each of ``people`` one recording of each label, about 6 minutes.

    Raises:
        ValueError: ``people`` is below 1.

    """
    if people < 1:
        raise ValueError(f"{people} people make no corpus; give 1 or more")
    recordings: list[Recording] = []
    events: dict[str, tuple[RecordedEvent, ...]] = {}
    for number in range(1, people + 1):
        for label, (scene, times) in LABELS.items():
            rng = Random(f"corpus {seed} {number} {label}")
            hand, plan, t_us = Hand(rng, LightScene.day(rng)), Plan(), us(2.0)
            rate_hz = RATES_HZ[rng.randrange(len(RATES_HZ))]
            for _ in range(times):
                t_us = SCENES[scene].acting(hand, rng, t_us, plan)
            file = files.motion_file(f"made_up_{label}_{number:02d}")
            use = files.MISSED_SHAKE if label == SHAKE else files.FALSE_ROLL
            clip = _sampled(hand, rng, t_us + us(2.0), rate_hz)
            recordings.append(Recording(RecordingEntry(file, label, rate_hz, use), (clip,)))
            if plan.shake:
                events[file] = tuple(RecordedEvent(file, *shake, SHAKE) for shake in plan.shake)
    return Corpus(tuple(recordings), events)


def write_corpus(folder: str | Path, seed: int, people: int = 4) -> Corpus:
    """Write a corpus as a folder of recordings (made if missing) and return it.

    Raises:
        ValueError: ``people`` is below 1.
        OSError: the folder cannot be written.

    """
    corpus = make_corpus(seed, people)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for table in (files.INDEX, files.EVENTS):
        (folder / table).unlink(missing_ok=True)
    files.append_rows(
        folder / files.INDEX,
        files.INDEX_COLUMNS,
        [(*recording.entry, len(recording.clips)) for recording in corpus.recordings],
    )
    files.append_rows(
        folder / files.EVENTS,
        files.EVENT_COLUMNS,
        [
            (event.file, f"{event.start_us / 1e6:.6f}", f"{event.end_us / 1e6:.6f}", event.label)
            for found in corpus.events.values()
            for event in found
        ],
    )
    for recording in corpus.recordings:
        samples = [
            (f"{t_us / 1e6:.6f}", f"{x:.3f}", f"{y:.3f}", f"{z:.3f}")
            for clip in recording.clips
            for t_us, x, y, z in zip(clip.t_us, clip.x_mps2, clip.y_mps2, clip.z_mps2)
        ]
        files.write_signal(folder / recording.file, files.MOTION_COLUMNS, samples)
    return corpus


def _sampled(hand: Hand, rng: Random, end_us: int, rate_hz: float) -> Clip:
    """Record a hand as a phone would: evenly sampled, with noise, in mm/s²."""
    clip = Clip(array("q"), array("d"), array("d"), array("d"))
    for index in range(int(end_us * rate_hz / 1e6)):
        t_us = round(index * 1e6 / rate_hz)
        clip.t_us.append(t_us)
        x, y, z = hand.acceleration(t_us)
        clip.x_mps2.append(round(x + rng.gauss(0.0, SENSOR_NOISE_MPS2), 3))
        clip.y_mps2.append(round(y + rng.gauss(0.0, SENSOR_NOISE_MPS2), 3))
        clip.z_mps2.append(round(z + rng.gauss(0.0, SENSOR_NOISE_MPS2), 3))
    return clip
