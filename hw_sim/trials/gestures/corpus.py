"""A made-up corpus of motion with known shakes, for where no recorded one is at hand.

It has the form of a folder of recordings (`hw_sim.hand.recordings.recordings`) and can be written
as one. A seed is one corpus. What is made up proves nothing about real hands: it shows that a
detector is not broken, recordings show that it is good.
"""

from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from firmware.upkeep.recording.files import (
    EVENT_COLUMNS,
    EVENTS,
    FALSE_ROLL,
    INDEX,
    INDEX_COLUMNS,
    MISSED_SHAKE,
    MOTION_COLUMNS,
    SHAKE,
    append_rows,
    motion_file,
    write_signal,
)
from hw_sim.hand.recordings.recordings import Clip, RecordedEvent, Recording, RecordingEntry
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.motion import us
from hw_sim.hand.signals.room_light import LightScene

SENSOR_NOISE_MPS2 = 0.03
"""Noise of a phone's sensor on each axis (r.m.s.), about 3 mg."""
RATES_HZ = (62.5, 100.0, 104.0)
"""Sampling rates of the made-up recordings, as phones and boards have them."""

Acting = Callable[[Hand, Random, int], tuple[int, list[tuple[int, int]]]]
"""Plans motion from a time in µs on; tells its end and the shakes in it, in µs."""


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
        for label, acting in _ACTS.items():
            rng = Random(f"corpus {seed} {number} {label}")
            hand = Hand(rng, LightScene.day(rng))
            rate_hz = RATES_HZ[rng.randrange(len(RATES_HZ))]
            end_us, shakes = acting(hand, rng, us(2.0))
            use = MISSED_SHAKE if label == SHAKE else FALSE_ROLL
            entry = RecordingEntry(
                motion_file(f"made_up_{label}_{number:02d}"), label, rate_hz, use
            )
            clip = _sampled(hand, rng, end_us + us(2.0), rate_hz)
            recordings.append(Recording(entry, (clip,)))
            if shakes:
                events[entry.file] = tuple(
                    RecordedEvent(entry.file, start_us, stop_us, SHAKE)
                    for start_us, stop_us in shakes
                )
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
    for table in (INDEX, EVENTS):
        (folder / table).unlink(missing_ok=True)
    append_rows(
        folder / INDEX,
        INDEX_COLUMNS,
        [(*recording.entry, len(recording.clips)) for recording in corpus.recordings],
    )
    append_rows(
        folder / EVENTS,
        EVENT_COLUMNS,
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
        write_signal(folder / recording.file, MOTION_COLUMNS, samples)
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


def _shakes(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    """Plan a dozen shakes of 0.8 to 2.4 s with rests of 2 to 4 s, some with handling between."""
    found: list[tuple[int, int]] = []
    for _ in range(12):
        duration_s = rng.uniform(0.8, 2.4)
        end_us = hand.shake(t_us, duration_s, vigour=rng.uniform(0.85, 1.15))
        found.append((t_us, t_us + us(duration_s)))
        t_us = end_us + us(rng.uniform(2.0, 4.0))
        if rng.randrange(3) == 0:
            t_us = hand.level(hand.tilt(t_us, rng.uniform(-40, 40), 0.0) + us(0.5)) + us(2.0)
    return t_us, found


def _walking(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    for _ in range(3):
        bounce_g = rng.uniform(0.12, 0.4)
        t_us = hand.walk(t_us, rng.uniform(12.0, 18.0), rng.uniform(1.6, 2.2), bounce_g)
        t_us += us(rng.uniform(1.0, 3.0))
    return t_us, []


def _running(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    """Run with the handheld held in front; swung at the arm's end a run can pass for a shake."""
    for _ in range(2):
        bounce_g = rng.uniform(0.5, 0.9)
        t_us = hand.walk(t_us, rng.uniform(10.0, 15.0), rng.uniform(2.4, 3.0), bounce_g)
        t_us += us(rng.uniform(1.0, 3.0))
    return t_us, []


def _knocks(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    """Single knocks and knocking on the table, with the handheld on it."""
    t_us = hand.put_down(t_us) + us(1.0)
    for _ in range(15):
        for _ in range(rng.randrange(1, 5)):
            hand.knock(t_us)
            t_us += us(rng.uniform(0.15, 0.35))
        t_us += us(rng.uniform(0.7, 2.0))
    return t_us, []


def _rest(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    """In the hand, then on the table."""
    t_us = hand.rest(t_us, rng.uniform(15.0, 25.0))
    return hand.rest(hand.put_down(t_us), rng.uniform(10.0, 20.0)), []


def _car(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    for roughness in (0.5, 1.0, 2.0):
        end_us = hand.ride(t_us, rng.uniform(12.0, 16.0), roughness)
        for _ in range(3):
            hand.knock(rng.randrange(t_us, end_us), rng.uniform(0.2, 0.8))
        t_us = end_us
    return t_us, []


def _drops(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    for _ in range(6):
        t_us = hand.drop(t_us) + us(rng.uniform(1.5, 2.5))
        t_us = hand.take_up(t_us) + us(rng.uniform(1.5, 2.5))
    return t_us, []


def _tilts(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    for _ in range(12):
        t_us = hand.tilt(t_us, rng.uniform(-45, 45), rng.uniform(-25, 25)) + us(0.6)
        t_us = hand.level(t_us) + us(rng.uniform(0.4, 1.5))
    return t_us, []


def _put_downs(hand: Hand, rng: Random, t_us: int) -> tuple[int, list[tuple[int, int]]]:
    for _ in range(8):
        t_us = hand.put_down(t_us) + us(rng.uniform(1.0, 2.5))
        t_us = hand.take_up(t_us) + us(rng.uniform(1.0, 2.5))
    return t_us, []


_ACTS: dict[str, Acting] = {
    SHAKE: _shakes,
    "walking": _walking,
    "running": _running,
    "table_knock": _knocks,
    "rest": _rest,
    "vehicle_car": _car,
    "phone_drop": _drops,
    "tilting": _tilts,
    "put_down": _put_downs,
}
