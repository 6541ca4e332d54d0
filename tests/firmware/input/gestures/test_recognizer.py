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

    def do(self, *deeds):
        """Feel samples, let so many seconds pass without any, or do what is named."""
        for deed in deeds:
            match deed:
                case list():
                    self.live(deed)
                case float():
                    self.t_us += round(deed * 1e6)
                case str():
                    getattr(self, deed)()
        return self.drain()

    def press(self):
        self.hear(hand.Touch(self.t_us, True))

    def release(self):
        self.hear(hand.Touch(self.t_us, False))

    def open(self):
        self.counts = BRIGHT

    def close(self):
        self.counts = DARK

    def lose(self):
        self.t_us += 100_000
        self.hear(hand.AccelBatch(self.t_us, (FLAT,) * 10, overrun=True))

    def drain(self):
        """Tell, and forget, what was said so far, poses and progress left out."""
        said, self.said = self.said, []
        return [gesture for gesture in said if not isinstance(gesture, hand.Pose | hand.Shaking)]


def kinds(gestures):
    return [type(gesture) for gesture in gestures]


def names(gestures):
    return " ".join(kind.__name__ for kind in kinds(gestures))


@pytest.fixture
def desk():
    """Lies still and closed for a second."""
    desk = Desk().live(seconds=1)
    assert kinds(desk.drain()) == [hand.Covered]
    return desk


# ---- what is done, and what is said ----------------------------------------------------------


def still(seconds):
    return [FLAT] * round(seconds * 100)


def falling(seconds):
    return [(0, 5, 20)] * round(seconds * 100)


SHAKE, STILL = shaking(1), still(0.5)
IMPACT = [(0, 0, 5 * G), (300, 0, -2 * G), (0, 0, G)]
JOLT = still(0.02) + [(round(3 * G * sin(pi * i / 12)), 0, G) for i in range(12)]
"""The batch ends in the jolt."""
CLOSED = {
    "a shake": ((SHAKE, STILL), "Shaken"),
    "light just after it began": ((SHAKE[:7], "open", SHAKE[7:], STILL), "Uncovered Shaken"),
    "too short a shake": ((shaking(0.42, peak_g=1.8), still(1.5)), "ShakeEnded"),
    "a shake that never rests": ((SHAKE, shaking(3, 3, 0.5), STILL), "ShakeEnded"),
    "lost samples": ((SHAKE, "lose", still(1)), "ShakeEnded"),
    "a gap of 0.3 s": ((SHAKE, 0.3, still(1)), "Shaken"),
    "a gap of 0.8 s": ((SHAKE, 0.8, still(1)), "ShakeEnded"),
    "a thumb that slips": (
        (shaking(0.6), "open", shaking(0.6), still(2), "close", STILL, "open", STILL),
        "Shaken Covered Uncovered",
    ),
    "light 0.05 s after the rest": ((SHAKE, still(0.35), "open", STILL), "Shaken"),
    "light 0.4 s after the rest": ((SHAKE, still(0.7), "open", STILL), "Shaken Uncovered"),
    "a lift with a jolt, which may be a shake": ((JOLT, "open", still(0.09)), ""),
    "a lift with a jolt": ((JOLT, "open", still(0.5)), "Uncovered"),
    "lost samples in such a lift": ((JOLT, "open", still(0.07), "lose"), "Uncovered"),
    "a tap": (("press", still(0.2), "release"), "Pressed Tap"),
    "a hold": (("press", still(1), "release"), "Pressed Held Released"),
    "a grip": ((shaking(0.3, peak_g=0.8), "press", still(0.2), "release"), "Released"),
    "a touch in a shake": ((shaking(0.6), "press", shaking(0.6), "release", STILL), "Shaken"),
    "a finger that stays": (("press", shaking(1.2), STILL, "release"), "Pressed Shaken Released"),
    "a drop": ((falling(0.25) + IMPACT, still(1)), "Dropped"),
    "too short a fall": ((falling(0.15) + IMPACT, still(1)), ""),
    "an impact 0.6 s after the fall": ((falling(0.25) + still(0.6) + IMPACT, still(1)), ""),
    "an impact 0.4 s after the fall": ((falling(0.25) + still(0.4) + IMPACT, still(1)), "Dropped"),
    "a fall into a hand": ((falling(0.25) + [(0, 0, 2 * G)] * 3, still(1)), ""),
    "a drop that bounces": ((falling(0.3) + IMPACT + falling(0.2) + IMPACT, still(1)), "Dropped"),
    "an impact alone": ((IMPACT, still(1)), ""),
    "a fall that tumbles": ((falling(0.3), shaking(0.9, 3, 3), STILL), "Dropped ShakeEnded"),
}
OPEN = {
    "a shake": ((SHAKE, STILL), "ShakeEnded"),
    "a cup closed 0.08 s before": (("close", still(0.08), SHAKE, STILL), "Covered ShakeEnded"),
    "a cup closed 0.25 s before": (("close", still(0.25), SHAKE, STILL), "Covered Shaken"),
    "a cup closed in a shake": ((shaking(0.8), "close", shaking(0.4)), "Covered"),
}


@pytest.mark.parametrize(("deeds", "said"), CLOSED.values(), ids=CLOSED)
def test_a_cup_that_was_closed(desk, deeds, said):
    gestures = desk.do(*deeds)
    assert names(gestures) == said
    assert not any(each.uncovered for each in gestures if isinstance(each, hand.ShakeEnded))


@pytest.mark.parametrize(("deeds", "said"), OPEN.values(), ids=OPEN)
def test_a_cup_that_was_open(deeds, said):
    desk = Desk()
    desk.do("open", still(1))
    assert names(desk.do(*deeds)) == said


def test_a_shake_is_measured_and_told_at_its_rest(desk):
    (shaken,) = desk.do(SHAKE, STILL)
    assert shaken.vigorous_us == pytest.approx(1_000_000, abs=150_000)
    assert 2_200_000 <= shaken.t_us <= 2_450_000


def test_an_open_cup_shows_no_progress_and_ends_open():
    desk = Desk()
    desk.do("open", still(1))
    desk.live(SHAKE + STILL)
    assert hand.Shaking not in kinds(desk.said)
    assert [each.uncovered for each in desk.drain()] == [True]


def test_progress_comes_each_tenth_of_a_second_and_grows(desk):
    desk.live(shaking(2)).live(seconds=0.5)
    progress = [gesture for gesture in desk.said if isinstance(gesture, hand.Shaking)]
    assert len(progress) >= 15
    gaps = {after.t_us - before.t_us for before, after in pairwise(progress)}
    assert gaps == {100_000}
    times = [gesture.vigorous_us for gesture in progress]
    assert times == sorted(times)
    assert times[0] < 400_000


def test_a_hold_comes_with_the_tick_or_with_any_later_input(desk):
    desk.press()
    due_us = desk.recognizer.next_timer_us
    assert due_us == desk.t_us + 800_000
    assert desk.recognizer.tick(due_us - 1) == ()
    assert desk.recognizer.tick(due_us) == (hand.Held(due_us),)
    desk.live(seconds=1)
    desk.release()
    assert kinds(desk.drain()) == [hand.Pressed, hand.Released]
    desk.press()
    desk.live(seconds=1)
    assert kinds(desk.drain()) == [hand.Pressed, hand.Held]


# ---- pose ------------------------------------------------------------------------------------


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


# ---- sleep -----------------------------------------------------------------------------------


def test_after_a_reset_all_begins_anew(desk):
    desk.live(shaking(0.6))
    desk.press()
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


# ---- touch -----------------------------------------------------------------------------------


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
def test_the_time_decides_what_a_touch_is_and_one_in_motion_is_void(touch, lasts_us, ends):
    assert touch.press(0, in_motion=False) == [hand.Pressed(0)]
    assert touch.press(10, in_motion=False) == [], "it is down already"
    assert touch.release(lasts_us) == ends
    assert touch.press(10_000_000, in_motion=True) == []
    assert touch.next_timer_us is None
    assert touch.tick(10_850_000) == []
    assert touch.release(10_000_000 + lasts_us) == [hand.Released(10_000_000 + lasts_us)]


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
