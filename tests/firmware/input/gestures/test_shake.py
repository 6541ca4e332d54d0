"""Throws and other motions, by acceleration alone (simple made-up motion, seeded)."""

from itertools import product
from math import cos, pi, sin, sqrt
from random import Random

import pytest

from firmware.input.gestures.shake import ShakeDetector, ShakeStage

G = 256
Signal = list[tuple[float, float, float]]


def rest(seconds: float) -> Signal:
    return [(0.0, 0.0, 0.0)] * round(seconds * 100)


def swings(seconds: float, rate_hz: float, peak_g: float, axis=(1.0, 0.0, 0.0)) -> Signal:
    """A shake: a sine along one axis, with a tenth of a second to get going and to stop."""
    samples = []
    for index in range(round(seconds * 100)):
        t_s = index / 100
        ramp = min(1.0, t_s / 0.1, (seconds - t_s) / 0.1)
        size = ramp * peak_g * sin(2 * pi * rate_hz * t_s)
        samples.append(tuple(size * share for share in axis))
    return samples


def half_swing(seconds: float, peak_g: float) -> Signal:
    count = round(seconds * 100)
    return [(peak_g * sin(pi * index / count), 0.0, 0.0) for index in range(count)]


def blow(peak_g: float, ring_hz: float = 15.0, decay_s: float = 0.04) -> Signal:
    return [
        (0.2 * size, 0.1 * size, size)
        for size in (
            peak_g * cos(2 * pi * ring_hz * index / 100) * 0.5 ** (index / 100 / decay_s)
            for index in range(30)
        )
    ]


def strides(seconds: float, rate_hz: float, rng: Random) -> Signal:
    """Walking: up and down once a step, a push forward every other, sharp heel strikes."""
    samples = []
    for index in range(round(seconds * 100)):
        phase = 2 * pi * rate_hz * index / 100
        strike = 0.6 * max(0.0, cos(phase)) ** 12
        samples.append(
            (
                0.15 * sin(phase / 2) + rng.gauss(0, 0.03),
                0.2 * sin(phase) + rng.gauss(0, 0.03),
                0.4 * sin(phase + 0.5) + strike + rng.gauss(0, 0.03),
            )
        )
    return samples


def stages(signal: Signal, gravity=(0.0, 0.0, 1.0), batch=10, noise_g=0.004) -> list[ShakeStage]:
    """Stages of a signal in g, felt on top of gravity with a little noise; progress left out."""
    rng = Random(7)
    xyz = [
        tuple(
            max(-4096, min(4095, round(G * (value + pull + rng.gauss(0, noise_g)))))
            for value, pull in zip(sample, gravity)
        )
        for sample in signal
    ]
    detector = ShakeDetector()
    found = []
    for start in range(0, len(xyz), batch):
        for motion in detector.feed(start * 10_000, tuple(xyz[start : start + batch])):
            if motion.stage is not ShakeStage.UNDER_WAY:
                found.append(motion.stage)
    return found


def throws(signal: Signal, **how) -> int:
    return stages(signal, **how).count(ShakeStage.THROWN)


@pytest.mark.parametrize("seed", range(8))
def test_no_axis_and_no_way_up_is_special(seed):
    rng = Random(seed)

    def direction():
        axis = [rng.gauss(0, 1) for _ in range(3)]
        size = sqrt(sum(value * value for value in axis))
        return tuple(value / size for value in axis)

    shake = swings(1.2, rng.uniform(2.5, 6), rng.uniform(1.6, 6), direction())
    assert throws(rest(1) + shake + rest(1), gravity=direction()) == 1


@pytest.mark.parametrize("batch", [1, 3, 10, 33, 64])
def test_the_size_of_the_batches_changes_nothing(batch):
    rng = Random(1)
    signal = rest(1) + swings(1, 4, 2) + rest(1) + strides(6, 2, rng) + rest(2) + swings(1, 3, 3)
    signal += rest(1)
    assert stages(signal, batch=batch) == stages(signal, batch=10)
    assert throws(signal, batch=batch) == 2


SHAKE = swings(1, 4, 2.5)
PUSH_AND_PULL = half_swing(0.5, 1.8) + half_swing(0.5, -1.8)
BACK = half_swing(0.2, 1.4)
SWING_OUT = (half_swing(0.2, 1.4) + half_swing(0.2, -1.4)) * 2
JOLT = half_swing(0.1, 2) + half_swing(0.1, -2)
PAUSE = swings(0.5, 4, 0.35)
TURN_OVER = [(sin(pi * i / 80), 0.0, cos(pi * i / 80) - 1) for i in range(160)]
FLIGHT = [(0.0, 0.0, -1.0)] * 40
SWINGS = {
    f"{seconds} s at {rate_hz} Hz": (swings(seconds, rate_hz, 2.5), 1)
    for seconds, rate_hz in product((0.7, 8.0), (2.0, 3.5, 7.0))
}
KNOCKS = [
    sample
    for pause_s in (0.4, 0.2, 0.6, 0.3)
    for peak_g in (1, 16)
    for sample in blow(peak_g) + rest(pause_s)
]
WALKS = {
    f"a walk of {rate_hz} steps a second": (strides(6, rate_hz, Random(0)), 0)
    for rate_hz in (1.6, 2.0, 2.4)
}
MOTIONS = {
    **SWINGS,
    **WALKS,
    "one wide swing to and fro": (half_swing(0.4, 3) + half_swing(0.6, -1.5), 1),
    "one wide swing that is weak": (half_swing(0.4, 1.4) + half_swing(0.6, -0.7), 0),
    "one swing that is short": (half_swing(0.25, 3) + half_swing(0.35, -1.5), 0),
    "gentle for 3 s": (swings(3, 2.8, 1.35), 1),
    "gentle and tireless, as a run": (swings(6, 2.8, 1.35), 0),
    "short and brisk": (swings(0.85, 5.5, 1.6), 1),
    "short and slow": (swings(0.85, 2, 1.6), 0),
    "two with a rest between": (SHAKE + rest(1) + SHAKE, 2),
    "0.15 s are too short": (swings(0.15, 4, 3), 0),
    "0.3 s are too short": (swings(0.3, 4, 3), 0),
    "0.3 g are too weak": (swings(2, 3, 0.3), 0),
    "0.6 g are too weak": (swings(2, 3, 0.6), 0),
    "0.8 g are too weak": (swings(2, 3, 0.8), 0),
    "one way and back": (swings(0.5, 2, 4), 0),
    "nearly ten seconds": (swings(9.5, 3, 2.5), 1),
    "nobody shakes for more than ten": (swings(11, 3, 2.5), 0),
    "a push and a pull": (PUSH_AND_PULL, 0),
    "the same twice": (PUSH_AND_PULL * 2, 1),
    "a stroke, its hit short and hard": (BACK + half_swing(0.08, -14) + SWING_OUT, 0),
    "the same without the hit": (BACK + half_swing(0.2, -1.4) + SWING_OUT, 1),
    "jolts with pauses": ((JOLT + PAUSE) * 8, 0),
    "jolts without": (JOLT * 8, 1),
    "ends with a thump on the table": (swings(1.2, 4, 2.2) + blow(14), 1),
    "a thump does not make up for a shake": (swings(0.3, 4, 2.2) + blow(14), 0),
    "knocks": (KNOCKS, 0),
    "slow turns over": (TURN_OVER * 2, 0),
    "a shake that never rests": (swings(1.5, 4, 2.5) + swings(3, 3, 0.5), 0),
    "no weight is no rest": (SHAKE + FLIGHT + strides(3, 2, Random(0)), 0),
}
"""What is done between two rests, and how many throws it is."""


@pytest.mark.parametrize("name", MOTIONS)
def test_what_is_a_throw_and_what_is_not(name):
    motion, number = MOTIONS[name]
    assert throws(rest(1) + motion + rest(1)) == number


def test_a_trembling_hand_is_at_rest():
    assert throws(rest(1) + SHAKE + rest(1), noise_g=0.05) == 1


def test_a_spoilt_motion_is_no_throw():
    detector = ShakeDetector()
    signal = [(round(G * x), 0, G) for x, _, _ in rest(1) + swings(1, 4, 2.5) + rest(1)]
    found = []
    for index, sample in enumerate(signal):
        found += [m.stage for m in detector.feed(index * 10_000, (sample,))]
        if index == 150:
            detector.spoil()
    assert found[-1] is ShakeStage.NOTHING
    assert ShakeStage.THROWN not in found


def test_motion_is_remembered_for_the_touch():
    detector = ShakeDetector()
    signal = [(round(G * x), 0, G) for x, _, _ in rest(1) + swings(0.3, 4, 1) + rest(1)]
    detector.feed(0, tuple(signal))
    assert detector.moved_since(1_200_000)
    assert not detector.moved_since(1_500_000)
