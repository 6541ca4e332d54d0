"""What is a throw and what is not, by acceleration alone (simple made-up motion, seeded)."""

from math import cos, pi, sin, sqrt
from random import Random

import pytest

from firmware.input.gestures.shake import ShakeDetector
from firmware.input.gestures.swings import ShakeStage

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
        for motion in detector.feed(start * 10_000, 10_000, tuple(xyz[start : start + batch])):
            if motion.stage is not ShakeStage.UNDER_WAY:
                found.append(motion.stage)
    return found


def throws(signal: Signal, **how) -> int:
    return stages(signal, **how).count(ShakeStage.THROWN)


@pytest.mark.parametrize("seconds", [0.7, 1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("rate_hz", [2.0, 3.5, 5.0, 7.0])
def test_a_shake_that_stops_is_one_throw(seconds, rate_hz):
    assert throws(rest(1) + swings(seconds, rate_hz, 2.5) + rest(1)) == 1


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


@pytest.mark.parametrize(
    ("to_s", "fro_s", "peak_g", "number"),
    [(0.4, 0.6, 3.0, 1), (0.4, 0.6, 1.4, 0), (0.25, 0.35, 3.0, 0)],
)
def test_one_wide_swing_to_and_fro_throws_if_it_is_long_and_hard(to_s, fro_s, peak_g, number):
    swing = half_swing(to_s, peak_g) + half_swing(fro_s, -0.5 * peak_g)
    assert throws(rest(1) + swing + rest(1)) == number


@pytest.mark.parametrize(("seconds", "number"), [(3.0, 1), (6.0, 0)])
def test_what_is_gentle_and_tireless_is_a_run(seconds, number):
    assert throws(rest(1) + swings(seconds, 2.8, 1.35) + rest(1)) == number


@pytest.mark.parametrize(("rate_hz", "number"), [(5.5, 1), (2.0, 0)])
def test_a_short_shake_throws_if_it_is_brisk(rate_hz, number):
    assert throws(rest(1) + swings(0.85, rate_hz, 1.6) + rest(1)) == number


def test_two_shakes_with_a_rest_between_are_two_throws():
    assert throws((rest(1) + swings(1, 4, 2.5)) * 2 + rest(1)) == 2


def test_a_trembling_hand_is_at_rest():
    assert throws(rest(1) + swings(1, 4, 2.5) + rest(1), noise_g=0.05) == 1


@pytest.mark.parametrize("seconds", [0.15, 0.3])
def test_too_short_a_shake_is_none(seconds):
    assert throws(rest(1) + swings(seconds, 4, 3) + rest(1)) == 0


@pytest.mark.parametrize("peak_g", [0.3, 0.6, 0.8])
def test_too_weak_a_shake_is_none(peak_g):
    assert throws(rest(1) + swings(2, 3, peak_g) + rest(1)) == 0


def test_one_way_and_back_is_no_shake():
    assert throws(rest(1) + swings(0.5, 2, 4) + rest(1)) == 0


def test_a_shake_that_does_not_come_to_rest_is_none():
    endless = swings(1.5, 4, 2.5) + swings(3, 3, 0.5)
    found = stages(rest(1) + endless + rest(1))
    assert found == [ShakeStage.BEGAN, ShakeStage.NOTHING]


def test_nobody_shakes_for_more_than_ten_seconds():
    assert throws(rest(1) + swings(9.5, 3, 2.5) + rest(1)) == 1
    assert throws(rest(1) + swings(11, 3, 2.5) + rest(1)) == 0


@pytest.mark.parametrize("peak_g", [1, 3, 8, 16])
def test_knocks_are_no_shake(peak_g):
    knocks = []
    for pause_s in (0.4, 0.2, 0.6, 0.3):
        knocks += blow(peak_g) + rest(pause_s)
    assert throws(rest(1) + knocks + rest(1)) == 0


@pytest.mark.parametrize("seed", range(4))
def test_walking_and_stopping_is_no_shake(seed):
    rng = Random(seed)
    walk: Signal = rest(1)
    for _ in range(5):
        walk += strides(rng.uniform(2, 6), rng.uniform(1.6, 2.4), rng) + rest(1)
    assert throws(walk) == 0


def test_a_push_and_a_pull_are_no_shake():
    once = half_swing(0.5, 1.8) + half_swing(0.5, -1.8)
    assert throws(rest(1) + once + rest(1)) == 0
    assert throws(rest(1) + once * 2 + rest(1)) == 1


def test_a_stroke_is_no_shake():
    """Back, hit, swing out; the hit is short and far above the rest."""
    swing_out = (half_swing(0.2, 1.4) + half_swing(0.2, -1.4)) * 2
    back = half_swing(0.2, 1.4)
    assert throws(rest(1) + back + half_swing(0.08, -14) + swing_out + rest(1)) == 0
    assert throws(rest(1) + back + half_swing(0.2, -1.4) + swing_out + rest(1)) == 1


def test_jolts_with_pauses_are_no_shake():
    jolt = half_swing(0.1, 2) + half_swing(0.1, -2)
    pause = swings(0.5, 4, 0.35)
    assert throws(rest(1) + (jolt + pause) * 8 + rest(1)) == 0
    assert throws(rest(1) + jolt * 8 + rest(1)) == 1


def test_a_shake_that_ends_with_a_thump_on_the_table_is_still_one():
    assert throws(rest(1) + swings(1.2, 4, 2.2) + blow(14) + rest(1)) == 1


def test_a_thump_alone_does_not_make_up_for_a_shake():
    assert throws(rest(1) + swings(0.3, 4, 2.2) + blow(14) + rest(1)) == 0


def test_a_slow_turn_over_is_no_shake():
    turning = [(sin(pi * i / 80), 0.0, cos(pi * i / 80) - 1) for i in range(160)]
    assert throws(rest(1) + turning + turning + rest(1)) == 0


def test_weightlessness_is_no_rest():
    flight = [(0.0, 0.0, -1.0)] * 40
    assert throws(rest(1) + swings(1, 4, 2.5) + flight + strides(3, 2, Random(0))) == 0


def test_a_spoilt_motion_is_no_throw():
    detector = ShakeDetector()
    signal = [(round(G * x), 0, G) for x, _, _ in rest(1) + swings(1, 4, 2.5) + rest(1)]
    found = []
    for index, sample in enumerate(signal):
        found += [m.stage for m in detector.feed(index * 10_000, 10_000, (sample,))]
        if index == 150:
            detector.spoil()
    assert found[-1] is ShakeStage.NOTHING
    assert ShakeStage.THROWN not in found


def test_the_vigorous_time_is_about_that_of_the_shake():
    detector = ShakeDetector()
    signal = [(round(G * x), 0, G) for x, _, _ in rest(1) + swings(1.5, 4, 2.5) + rest(1)]
    motions = detector.feed(0, 10_000, tuple(signal))
    thrown = [motion for motion in motions if motion.stage is ShakeStage.THROWN]
    assert [motion.sure for motion in thrown] == [True]
    assert thrown[0].vigorous_us == pytest.approx(1_500_000, abs=200_000)
    assert thrown[0].start_us == pytest.approx(1_050_000, abs=100_000)
    assert thrown[0].t_us == pytest.approx(2_750_000, abs=150_000)


def test_motion_is_remembered_for_the_touch():
    detector = ShakeDetector()
    signal = [(round(G * x), 0, G) for x, _, _ in rest(1) + swings(0.3, 4, 1) + rest(1)]
    detector.feed(0, 10_000, tuple(signal))
    assert detector.moved_since(1_200_000)
    assert not detector.moved_since(1_500_000)
