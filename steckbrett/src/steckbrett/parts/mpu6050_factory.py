"""One MPU-6050 as it left the factory: offsets, clock, noise, and answers to a self-test."""

from collections.abc import Iterable, Mapping
from math import sqrt
from random import Random

from .noise import drawn_once

_BANDWIDTH_HZ = (260, 184, 94, 44, 21, 10, 5, 260)  # by DLPF_CFG
_PER_SQRT_HZ = (400e-6, 0.005)  # noise in g and °/s
_COUNTS = (2048.0, 32.8)  # of an offset, per g and per °/s
_OFFSETS = (0x06, 0x13)  # their registers of x


class Factory:
    """One part as it left the factory, by its ``seed``. Values are in g and °/s.

    ``slowness``: its clocks, the internal one and a gyroscope's, as shares of the right period.
    """

    def __init__(self, seed: int | str) -> None:
        chance = Random(f"mpu6050 {seed}")
        self._zeros = (
            tuple(chance.uniform(-1, 1) * most for most in (0.05, 0.05, 0.08)),
            tuple(chance.uniform(-20, 20) for _ in range(3)),
        )
        self.slowness = chance.uniform(0.985, 1.015), chance.uniform(0.999, 1.001)
        self._trim = [chance.randrange(2, 7) << 5 | chance.randrange(8, 25) for _ in range(3)]
        self._trim.append(chance.randrange(64))
        self._answers = [[chance.uniform(0.93, 1.07) for _ in range(3)] for _ in range(2)]
        self._usual = chance.randbytes(6)  # what the offset registers of the accelerometer hold
        self._noise = drawn_once(1009, lambda: chance.gauss(0, 1))

    def registers(self) -> dict[int, int]:
        """Return what the factory wrote into registers, by number."""
        found = dict(enumerate(self._trim, 0x0D)) | dict(enumerate(self._usual, 0x06))
        return found | dict.fromkeys(range(0x13, 0x19), 0)

    def felt(
        self,
        truth: Iterable[float],
        values: Mapping[int, int],
        gyro: bool,
        tested: int,
        filtered: int,
    ) -> list[float]:
        """Return what the sensors of three axes give where the world has ``truth``.

        ``values`` are the registers; ``tested`` the bits of the self-test, x first; ``filtered``
        is DLPF_CFG.
        """
        found = []
        for axis, value in enumerate(truth):
            at = _OFFSETS[gyro] + 2 * axis
            usual = 0 if gyro else int.from_bytes(self._usual[2 * axis : 2 * axis + 2])
            moved = ((values[at] << 8 | values[at + 1]) - usual + 0x8000 & 0xFFFF) - 0x8000
            noise = next(self._noise) * sqrt(_BANDWIDTH_HZ[filtered]) * _PER_SQRT_HZ[gyro]
            answer = 0.0
            if tested >> 2 - axis & 1:
                answer = self._answers[gyro][axis] * self._promised(axis, gyro=gyro)
            found.append(value + self._zeros[gyro][axis] + moved / _COUNTS[gyro] + noise + answer)
        return found

    def _promised(self, axis: int, *, gyro: bool) -> float:
        """Return the answer to a self-test that the trim registers promise (register map, 4.1)."""
        if gyro:
            return 25.0 * 1.046 ** ((self._trim[axis] & 0x1F) - 1) * (-1 if axis == 1 else 1)
        code = self._trim[axis] >> 3 & 0x1C | self._trim[3] >> 4 - 2 * axis & 3
        return float(0.34 * (0.92 / 0.34) ** ((code - 1) / 30))
