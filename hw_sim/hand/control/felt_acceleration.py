"""The acceleration that a steered hand causes at the simulated accelerometer."""

from collections.abc import Callable
from random import Random

from hw_sim.hand.control.drag_motion import DragMotion
from hw_sim.hand.control.phone_motion import PhoneMotion
from hw_sim.hand.recordings.recordings import Vector

_NOISE_STEPS = 509


class Feeling:
    """The acceleration at one accelerometer: hand, drag, phone and noise together.

    Args:
        hand: the acceleration by the hand that holds it: m/s² at a time in µs.
        noise: seeds the noise.

    While a phone sends samples, they replace the hand. ``noise_mps2`` is r.m.s. on each axis.
    """

    def __init__(self, hand: Callable[[int], Vector], noise: Random) -> None:
        self.drag = DragMotion()
        self.phone = PhoneMotion()
        self.noise_mps2 = 0.0
        self._hand = hand
        self._noise = [
            (noise.gauss(0, 1), noise.gauss(0, 1), noise.gauss(0, 1)) for _ in range(_NOISE_STEPS)
        ]

    def felt(self, t_us: int) -> Vector:
        """Proper acceleration in m/s² at a virtual time in µs, gravity included: x, y, z."""
        x, y, z = self.phone.at(t_us) or self._hand(t_us)
        dx, dy, dz = self.drag.at(t_us)
        noise = self.noise_mps2
        if noise:
            nx, ny, nz = self._noise[t_us // 1000 % _NOISE_STEPS]
            return (x + dx + noise * nx, y + dy + noise * ny, z + dz + noise * nz)
        return (x + dx, y + dy, z + dz)
