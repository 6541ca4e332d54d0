"""The gestures of a thumb and a hand on a handheld, in virtual time."""

from firmware.input.gestures import Held, Pose, Pressed, Released, Tap
from tests.support.net import MS

POSE_US = 100 * MS
MOST_POSES = 1_000
"""Poses in which the longest dial turns from end to end."""


class Thumb:
    """Gestures at a place by its number; for what has ``now_us``, ``wait`` and ``do``."""

    def pose(self, at, roll_deg, still=True, pause_us=POSE_US):
        self.wait(pause_us)
        self.do(at, Pose(self.now_us, roll_deg, 0.0, still))

    def rest(self, at, duration_us=500 * MS):
        for _ in range(duration_us // POSE_US):
            self.pose(at, 0.0)

    def tilt_dial(self, at, dial, index):
        """Bring the highlight of the open dial at a place to an entry by tilting alone."""
        if dial.angle_deg(Pose(0, 0.0, 0.0, True)) is None:
            self.rest(at)
        for _ in range(MOST_POSES):
            if dial.index == index:
                break
            before = dial.index
            self.pose(at, 60.0 if index > before else -60.0)
            assert abs(dial.index - before) <= 1
        assert dial.index == index, "the dial does not turn"
        self.pose(at, 0.0)

    def do_entry(self, at, *, holds):
        """Tap or hold, as the highlighted entry asks."""
        (self.hold if holds else self.tap)(at)

    def press(self, at):
        self.do(at, Pressed(self.now_us))

    def release(self, at):
        self.do(at, Released(self.now_us))

    def tap(self, at):
        self.press(at)
        self.wait(200 * MS)
        self.do(at, Tap(self.now_us))

    def hold(self, at, before_release=lambda: None):
        self.press(at)
        self.wait(800 * MS)
        self.do(at, Held(self.now_us))
        before_release()
        self.wait(100 * MS)
        self.release(at)
