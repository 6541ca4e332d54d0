"""The senses together: throws under a closed cup, accidents, pose, drops; times of touches."""

from itertools import pairwise
from math import cos, pi, radians, sin

import pytest

from firmware.input import gestures as hand
from firmware.input.gestures.recognizer import Recognizer, TouchWatch

G = 256
FLAT = (0, 0, G)
DARK, BRIGHT = 0, 300


def shaking(seconds, rate_hz=4.0, peak_g=2.5):
    count = round(seconds * 100)
    ramps = (min(1, i / 10, (count - i) / 10) for i in range(count))
    return [
        (round(G * peak_g * ramp * sin(2 * pi * rate_hz * i / 100)), 0, G)
        for i, ramp in enumerate(ramps)
    ]


class Desk:
    """A handheld on a desk: drains ten samples each 0.1 s, sees the light each 30 ms."""

    def __init__(self):
        self.recognizer = Recognizer()
        self.t_us = 0
        self.counts = DARK
        self.said = []
        self._samples = []
        self._seen_us = -1_000_000

    def live(self, samples=None, seconds=0.0):
        for sample in samples if samples is not None else [FLAT] * round(seconds * 100):
            self.t_us += 10_000
            self._samples.append(sample)
            if self.t_us - self._seen_us >= 30_000:
                self._seen_us = self.t_us
                self.hear(hand.Light(self.t_us, self.counts))
            if len(self._samples) == 10:
                batch = hand.AccelBatch(self.t_us, tuple(self._samples))
                self._samples = []
                self.hear(batch)
        return self

    def hear(self, reading):
        self.said += self.recognizer.feed(reading, self.t_us)

    def touch(self, down):
        self.hear(hand.Touch(self.t_us, down))

    def light(self, counts):
        self.counts = counts

    def drain(self):
        """Tell, and forget, what was said so far, poses and progress left out."""
        said, self.said = self.said, []
        return [gesture for gesture in said if not isinstance(gesture, hand.Pose | hand.Shaking)]


def kinds(gestures):
    return [type(gesture) for gesture in gestures]


@pytest.fixture
def desk():
    """Lies still and closed for a second."""
    desk = Desk().live(seconds=1)
    assert kinds(desk.drain()) == [hand.Covered]
    return desk


@pytest.fixture
def open_desk():
    """Lies still and open for a second."""
    desk = Desk()
    desk.light(BRIGHT)
    return desk.live(seconds=1)


JOLT = [(round(3 * G * sin(pi * i / 12)), 0, G) for i in range(12)]


# ---- shake -----------------------------------------------------------------------------------


def test_a_shake_under_a_closed_cup_is_a_roll(desk):
    desk.live(shaking(1)).live(seconds=0.5)
    (shaken,) = desk.drain()
    assert isinstance(shaken, hand.Shaken)
    assert shaken.vigorous_us == pytest.approx(1_000_000, abs=150_000)
    assert 2_200_000 <= shaken.t_us <= 2_450_000


def test_progress_comes_each_tenth_of_a_second_and_grows(desk):
    desk.live(shaking(2)).live(seconds=0.5)
    progress = [gesture for gesture in desk.said if isinstance(gesture, hand.Shaking)]
    assert len(progress) >= 15
    gaps = {after.t_us - before.t_us for before, after in pairwise(progress)}
    assert gaps == {100_000}
    times = [gesture.vigorous_us for gesture in progress]
    assert times == sorted(times)
    assert times[0] < 400_000


def test_a_shake_with_the_cup_open_asks_for_it_to_be_closed(open_desk):
    open_desk.live(shaking(1)).live(seconds=0.5)
    assert hand.Shaking not in kinds(open_desk.said)
    (ended,) = open_desk.drain()
    assert isinstance(ended, hand.ShakeEnded)
    assert ended.uncovered


@pytest.mark.parametrize(("covered_s", "rolls"), [(0.08, 0), (0.25, 1)])
def test_the_cup_must_have_been_closed_for_a_fifth_of_a_second(open_desk, covered_s, rolls):
    open_desk.light(DARK)
    open_desk.live(seconds=covered_s).live(shaking(1)).live(seconds=0.5)
    assert kinds(open_desk.drain()).count(hand.Shaken) == rolls


def test_a_light_reading_just_after_the_start_does_not_undo_the_cover(desk):
    shake = shaking(1)
    desk.live(shake[:7])
    desk.light(BRIGHT)
    desk.live(shake[7:]).live(seconds=0.5)
    assert hand.Shaken in kinds(desk.drain())


def test_too_short_a_shake_ends_in_nothing(desk):
    desk.live(shaking(0.42, peak_g=1.8)).live(seconds=1.5)
    ends = desk.drain()
    assert kinds(ends) in ([], [hand.ShakeEnded])
    assert not any(end.uncovered for end in ends)


def test_a_shake_that_never_rests_ends_in_nothing(desk):
    desk.live(shaking(1)).live(shaking(3, 3, 0.5)).live(seconds=0.5)
    (ended,) = desk.drain()
    assert ended == hand.ShakeEnded(ended.t_us, uncovered=False)


def test_lost_samples_end_a_shake(desk):
    desk.live(shaking(1))
    assert hand.Shaking in kinds(desk.said)
    desk.t_us += 100_000
    desk.hear(hand.AccelBatch(desk.t_us, (FLAT,) * 10, overrun=True))
    desk.live(seconds=1)
    assert kinds(desk.drain()) == [hand.ShakeEnded]


@pytest.mark.parametrize(("gap_s", "rolls"), [(0.3, 1), (0.8, 0)])
def test_a_gap_of_half_a_second_begins_anew(desk, gap_s, rolls):
    desk.live(shaking(1))
    desk.t_us += round(gap_s * 1e6)
    desk.live(seconds=1)
    assert kinds(desk.drain()).count(hand.Shaken) == rolls


# ---- light during a shake --------------------------------------------------------------------


def test_a_thumb_that_slips_in_a_shake_lifts_nothing(desk):
    desk.live(shaking(0.6))
    desk.light(BRIGHT)
    desk.live(shaking(0.6)).live(seconds=2)
    assert kinds(desk.drain()) == [hand.Shaken]
    desk.light(DARK)
    desk.live(seconds=0.5)
    desk.light(BRIGHT)
    desk.live(seconds=0.5)
    assert kinds(desk.drain()) == [hand.Covered, hand.Uncovered]


@pytest.mark.parametrize(("after_s", "lifts"), [(0.05, 0), (0.4, 1)])
def test_light_is_ignored_until_a_moment_after_the_rest(desk, after_s, lifts):
    desk.live(shaking(1))
    while not desk.drain():
        desk.live(seconds=0.1)
    desk.live(seconds=after_s)
    desk.light(BRIGHT)
    desk.live(seconds=0.5)
    assert kinds(desk.drain()).count(hand.Uncovered) == lifts


def test_closing_the_cup_is_said_even_in_a_shake(open_desk):
    open_desk.live(shaking(0.8))
    open_desk.light(DARK)
    open_desk.live(shaking(0.4))
    assert hand.Covered in kinds(open_desk.drain())


def test_a_lift_with_a_jolt_waits_until_it_is_no_shake(desk):
    desk.live(seconds=0.02).live(JOLT)  # the batch ends in the jolt
    assert desk.drain() == []
    desk.light(BRIGHT)
    desk.live(seconds=0.09)
    assert desk.drain() == []
    desk.live(seconds=1)
    (lifted,) = desk.drain()
    assert isinstance(lifted, hand.Uncovered)
    assert lifted.t_us <= 1_600_000


def test_a_lift_that_waits_is_not_lost_with_lost_samples(desk):
    desk.live(seconds=0.02).live(JOLT)
    desk.light(BRIGHT)
    desk.live(seconds=0.07)
    assert desk.drain() == []
    desk.hear(hand.AccelBatch(desk.t_us, (FLAT,) * 10, overrun=True))
    assert kinds(desk.drain()) == [hand.Uncovered]


def test_lift_suspected_asks_for_the_next_reading_soon(desk):
    desk.hear(hand.Light(desk.t_us + 1, BRIGHT))
    assert desk.recognizer.light.lift_suspected
    assert desk.recognizer.light.lift_threshold_counts < BRIGHT
    desk.hear(hand.Light(desk.t_us + 2, BRIGHT, fresh=False))
    assert desk.recognizer.light.lift_suspected
    desk.hear(hand.Light(desk.t_us + 3, BRIGHT))
    assert not desk.recognizer.light.lift_suspected
    assert kinds(desk.drain()) == [hand.Uncovered]


# ---- touch -----------------------------------------------------------------------------------


def test_a_tap_at_rest(desk):
    desk.touch(True)
    desk.live(seconds=0.2)
    desk.touch(False)
    assert kinds(desk.drain()) == [hand.Pressed, hand.Tap]


def test_a_hold_comes_with_the_tick_or_with_any_later_input(desk):
    desk.touch(True)
    due_us = desk.recognizer.next_timer_us
    assert due_us == desk.t_us + 800_000
    assert desk.recognizer.tick(due_us - 1) == ()
    assert desk.recognizer.tick(due_us) == (hand.Held(due_us),)
    desk.live(seconds=1)
    desk.touch(False)
    assert kinds(desk.drain()) == [hand.Pressed, hand.Released]
    desk.touch(True)
    desk.live(seconds=1)
    assert kinds(desk.drain()) == [hand.Pressed, hand.Held]


def test_a_finger_that_comes_in_motion_is_a_grip(desk):
    desk.live(shaking(0.3, peak_g=0.8))
    desk.touch(True)
    desk.live(seconds=0.2)
    desk.touch(False)
    assert kinds(desk.drain()) == [hand.Released]


def test_a_touch_in_a_shake_is_ignored(desk):
    desk.live(shaking(0.6))
    desk.touch(True)
    desk.live(shaking(0.6))
    desk.touch(False)
    desk.live(seconds=0.5)
    assert kinds(desk.drain()) == [hand.Shaken]


def test_a_finger_that_stays_on_in_a_shake_holds_nothing(desk):
    desk.touch(True)
    desk.live(shaking(1.2)).live(seconds=0.5)
    desk.touch(False)
    assert kinds(desk.drain()) == [hand.Pressed, hand.Shaken, hand.Released]


# ---- pose and drops --------------------------------------------------------------------------


@pytest.mark.parametrize("roll_deg", [-60, -20, 0, 12, 45])
@pytest.mark.parametrize("pitch_deg", [-30, 0, 25])
def test_pose_right_edge_down_and_far_edge_down_are_positive(roll_deg, pitch_deg):
    x = -sin(radians(roll_deg))
    y = -sin(radians(pitch_deg)) * cos(radians(roll_deg))
    z = max(0.0, 1 - x * x - y * y) ** 0.5
    sample = (round(G * x), round(G * y), round(G * z))
    desk = Desk().live([sample] * 50)
    poses = [gesture for gesture in desk.said if isinstance(gesture, hand.Pose)]
    assert (len(poses), poses[-1].roll_deg) == (5, pytest.approx(roll_deg, abs=0.5))
    expected_y = -sin(radians(poses[-1].pitch_deg))
    assert expected_y == pytest.approx(y, abs=0.01)
    assert all(pose.still for pose in poses)


def test_pose_is_not_still_in_motion(desk):
    desk.live(shaking(0.5))
    still = [gesture.still for gesture in desk.said if isinstance(gesture, hand.Pose)]
    assert still == [False] * 5


def test_pose_comes_each_tenth_of_a_second_whatever_the_batches():
    recognizer = Recognizer()
    poses = []
    for index in range(100):
        t_us = (index + 1) * 30_000
        poses += recognizer.feed(hand.AccelBatch(t_us, (FLAT,) * 3), t_us)
    gaps = [after.t_us - before.t_us for before, after in pairwise(poses)]
    assert len(poses) == 25
    assert all(100_000 <= gap <= 130_000 for gap in gaps)


def falling(seconds):
    return [(0, 5, 20)] * round(seconds * 100)


IMPACT = [(0, 0, 5 * G), (300, 0, -2 * G), (0, 0, G)]


@pytest.mark.parametrize(
    ("signal", "drops"),
    [
        (falling(0.25) + IMPACT, 1),
        (falling(0.15) + IMPACT, 0),
        (falling(0.25) + [FLAT] * 60 + IMPACT, 0),
        (falling(0.25) + [FLAT] * 40 + IMPACT, 1),
        (falling(0.25) + [(0, 0, 2 * G)] * 3, 0),
        (falling(0.3) + IMPACT + falling(0.2) + IMPACT, 1),
        (IMPACT, 0),
    ],
)
def test_a_drop_is_a_fall_and_an_impact(desk, signal, drops):
    desk.live(signal).live(seconds=1)
    assert kinds(desk.drain()).count(hand.Dropped) == drops


def test_a_fall_is_no_throw_however_much_it_tumbles(desk):
    desk.live(falling(0.3)).live(shaking(0.9, 3, 3)).live(seconds=0.5)
    assert hand.Shaken not in kinds(desk.drain())


# ---- sleep -----------------------------------------------------------------------------------


def test_after_a_reset_all_begins_anew(desk):
    desk.live(shaking(0.6))
    desk.touch(True)
    desk.drain()
    desk.recognizer.reset(desk.t_us)
    assert desk.recognizer.light.covered is None
    assert desk.recognizer.next_timer_us is None
    desk.live(seconds=1)
    assert kinds(desk.drain()) == [hand.Covered]
    desk.live(shaking(1)).live(seconds=0.5)
    assert kinds(desk.drain()) == [hand.Shaken]


def test_what_was_measured_before_a_reset_is_ignored(desk):
    desk.recognizer.reset(desk.t_us)
    assert desk.recognizer.feed(hand.Light(desk.t_us - 1, BRIGHT), desk.t_us) == ()
    assert desk.recognizer.feed(hand.AccelBatch(desk.t_us - 1, (FLAT,) * 10), desk.t_us) == ()
    assert desk.recognizer.light.covered is None


def test_an_empty_batch_is_nothing(desk):
    assert desk.recognizer.feed(hand.AccelBatch(desk.t_us, ()), desk.t_us) == ()


@pytest.fixture
def touch():
    return TouchWatch()


@pytest.mark.parametrize(
    ("lasts_us", "ends"),
    [
        (60_000, [hand.Tap(60_000)]),
        (499_999, [hand.Tap(499_999)]),
        (500_000, [hand.Released(500_000)]),
        (799_999, [hand.Released(799_999)]),
        (800_000, [hand.Held(800_000), hand.Released(800_000)]),
        (5_500_000, [hand.Held(800_000), hand.Released(5_500_000)]),
    ],
)
def test_the_time_decides(touch, lasts_us, ends):
    assert touch.press(0, in_motion=False) == [hand.Pressed(0)]
    assert touch.release(lasts_us) == ends


def test_a_hold_comes_while_the_finger_is_down(touch):
    touch.press(1_000, in_motion=False)
    assert (touch.next_timer_us, touch.tick(800_999)) == (801_000, [])
    assert touch.tick(801_000) == [hand.Held(801_000)]
    assert touch.next_timer_us is None
    assert touch.tick(900_000) == []
    assert touch.release(950_000) == [hand.Released(950_000)]


def test_a_late_tick_reports_the_hold_when_it_was_due(touch):
    touch.press(0, in_motion=False)
    assert touch.tick(2_000_000) == [hand.Held(800_000)]


@pytest.mark.parametrize("lasts_us", [100_000, 600_000, 900_000, 6_000_000])
def test_a_touch_that_begins_in_motion_is_void(touch, lasts_us):
    assert touch.press(0, in_motion=True) == []
    assert touch.next_timer_us is None
    assert touch.tick(850_000) == []
    assert touch.release(lasts_us) == [hand.Released(lasts_us)]


def test_a_touch_made_void_ends_in_nothing(touch):
    touch.press(0, in_motion=False)
    touch.void()
    assert touch.next_timer_us is None
    assert touch.release(100_000) == [hand.Released(100_000)]
    assert touch.press(200_000, in_motion=False) == [hand.Pressed(200_000)]
    assert touch.release(300_000) == [hand.Tap(300_000)]


def test_an_end_without_a_beginning_is_nothing(touch):
    assert touch.release(10_000) == []
    touch.press(20_000, in_motion=False)
    touch.reset()
    assert touch.next_timer_us is None
    assert touch.release(30_000) == []


def test_a_finger_that_is_down_already_is_not_pressed_again(touch):
    touch.press(0, in_motion=False)
    assert touch.press(300_000, in_motion=False) == []
    assert touch.release(600_000) == [hand.Released(600_000)]
