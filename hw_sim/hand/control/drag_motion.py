"""Acceleration of a handheld whose picture is dragged about.

A browser sends the positions of the pointer. Their second derivative would be noise; instead the
handheld hangs on the pointer by a spring, whose force is its acceleration. A shake of a hand, 2 to
6 Hz, comes through nearly unchanged.
"""

import math
from collections import deque

from hw_sim.hand.recordings.recordings import Vector

SPRING_HZ = 9.0
"""Natural frequency of the spring between pointer and handheld …"""
DAMPING = 0.7
"""… and its damping, as a share of the critical one."""
MOST_MPS2 = 78.0
"""Nothing stronger than 8 g is felt of a drag."""
STEP_US = 1_000
KEPT_STEPS = 1_000
"""A second of motion is kept: sensors ask for times a batch ago."""
SETTLED_US = 700_000
"""The time after the last sample until the spring has come to rest."""

_STIFFNESS = (math.tau * SPRING_HZ) ** 2
_DRAG = 2 * DAMPING * math.tau * SPRING_HZ


class DragMotion:
    """The acceleration of a handheld whose picture is dragged about, in its own plane.

    Samples are virtual µs and metres, x to the right and y to the far edge.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[int, float, float]] = deque(maxlen=512)
        self._felt: deque[tuple[float, float]] = deque(maxlen=KEPT_STEPS)
        self._until_us = 0
        self._q = self._v = (0.0, 0.0)

    def begin(self, t_us: int, x_m: float, y_m: float) -> None:
        """Take hold of it at a place in m, at rest."""
        self._felt.clear()
        self._samples.clear()
        self._until_us = t_us
        self._q, self._v = (x_m, y_m), (0.0, 0.0)
        self._samples.append((t_us, x_m, y_m))

    def follow(self, t_us: int, x_m: float, y_m: float) -> None:
        """Move the pointer to a place in m at a time, 1 µs after the last one's at least."""
        if not self.active(t_us):
            self.begin(t_us, x_m, y_m)
            return
        self._samples.append((max(t_us, self._samples[-1][0] + 1), x_m, y_m))

    def active(self, t_us: int) -> bool:
        """Whether the spring pulls at a time: not before the first sample, nor once settled."""
        return bool(self._samples) and t_us < self._samples[-1][0] + SETTLED_US

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a virtual time, gravity not included."""
        if not self._samples or t_us <= self._samples[0][0] - STEP_US:
            return (0.0, 0.0, 0.0)
        while self._until_us <= t_us and self.active(self._until_us):
            self._step()
        back = (self._until_us - t_us - 1) // STEP_US
        if back < 0 or back >= len(self._felt):
            return (0.0, 0.0, 0.0)
        x, y = self._felt[-1 - back]
        return (x, y, 0.0)

    def _step(self) -> None:
        px, py = self._pointer(self._until_us)
        (qx, qy), (vx, vy) = self._q, self._v
        ax = _bounded(_STIFFNESS * (px - qx) - _DRAG * vx)
        ay = _bounded(_STIFFNESS * (py - qy) - _DRAG * vy)
        step_s = STEP_US / 1e6
        vx, vy = vx + ax * step_s, vy + ay * step_s
        self._q, self._v = (qx + vx * step_s, qy + vy * step_s), (vx, vy)
        self._felt.append((ax, ay))
        self._until_us += STEP_US

    def _pointer(self, t_us: int) -> tuple[float, float]:
        samples = self._samples
        while len(samples) > 1 and samples[1][0] <= t_us:
            samples.popleft()
        t0_us, x, y = samples[0]
        if len(samples) == 1 or t_us <= t0_us:
            return x, y
        t1_us, x1, y1 = samples[1]
        share = (t_us - t0_us) / (t1_us - t0_us)
        return x + (x1 - x) * share, y + (y1 - y) * share


def _bounded(mps2: float) -> float:
    return max(-MOST_MPS2, min(MOST_MPS2, mps2))
