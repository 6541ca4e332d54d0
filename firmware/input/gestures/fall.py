"""Tell that the handheld was dropped: free fall, then an impact."""

from firmware.input.gestures.samples import Counts
from firmware.input.gestures.swings import COUNTS_PER_G

FALL_US = 180_000
"""Shortest free fall that is a drop (0.16 m)."""
FALL_LIMIT = 0.35 * COUNTS_PER_G
"""Magnitude below which the handheld falls. It finds 98 of 271 recorded drops, few of them whole
(103 at 0.45 g), and takes no shake for a fall. At 0.45 g slow shakes begin to look like falls."""
IMPACT = 3 * COUNTS_PER_G
"""Magnitude above which a sample is an impact."""
IMPACT_WITHIN_US = 500_000
"""Longest time from the end of the fall to the impact."""
BOUNCES_US = 1_000_000
"""Impacts that follow a drop within this time are its bounces."""

_FALL_SQUARE = FALL_LIMIT * FALL_LIMIT
_IMPACT_SQUARE = IMPACT * IMPACT


class FallDetector:
    """Follows the magnitude of the acceleration.

    ``fell_us`` is the time in µs at which a fall was last long enough, None before any.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.fell_us: int | None = None
        self._since_us: int | None = None
        self._dropped_us: int | None = None

    def feed(self, first_us: int, period_us: int, xyz: tuple[Counts, ...]) -> list[int]:
        """Add samples; return the times in µs of the impacts that end drops.

        Args:
            first_us: when the first sample was taken.
            period_us: time between two samples.
            xyz: at least one sample, in counts of 1/256 g.
        """
        squares = [x * x + y * y + z * z for x, y, z in xyz]
        if self._since_us is None and min(squares) >= _FALL_SQUARE and not self._awaits(first_us):
            return []
        drops: list[int] = []
        t_us = first_us - period_us
        for square in squares:
            t_us += period_us
            if square < _FALL_SQUARE:
                if self._since_us is None:
                    self._since_us = t_us
                if t_us - self._since_us + period_us >= FALL_US:
                    self.fell_us = t_us
                continue
            self._since_us = None
            if square > _IMPACT_SQUARE and self._awaits(t_us):
                self.fell_us = None
                if self._dropped_us is None or t_us - self._dropped_us > BOUNCES_US:
                    drops.append(t_us)
                self._dropped_us = t_us
        return drops

    def _awaits(self, t_us: int) -> bool:
        return self.fell_us is not None and t_us - self.fell_us <= IMPACT_WITHIN_US
