"""What the simulated accelerometer feels of a hand that is steered."""

from random import Random

from hw_sim.hand.control.pointer import DragMotion, FeltMotion
from hw_sim.hand.recordings.recordings import Vector
from hw_sim.table.handheld import SimulatedHandheld

_NOISE_STEPS = 509


class Feeling:
    """What the accelerometer of one seat feels: hand, drag, phone and noise together."""

    def __init__(self, seat: SimulatedHandheld) -> None:
        self.drag = DragMotion()
        self.phone = FeltMotion()
        self.noise_mps2 = 0.0
        self._hand = seat.hand.acceleration
        chance = Random(f"noise {seat.seat}")
        self._noise = [
            (chance.gauss(0, 1), chance.gauss(0, 1), chance.gauss(0, 1))
            for _ in range(_NOISE_STEPS)
        ]
        seat.board.acceleration = self.felt

    def felt(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a virtual time, gravity included."""
        x, y, z = self.phone.at(t_us) or self._hand(t_us)
        dx, dy, dz = self.drag.at(t_us)
        noise = self.noise_mps2
        if noise:
            nx, ny, nz = self._noise[t_us // 1000 % _NOISE_STEPS]
            return (x + dx + noise * nx, y + dy + noise * ny, z + dz + noise * nz)
        return (x + dx, y + dy, z + dz)
