"""Samples of the board for the recognizer, with their own times, nothing interpreted."""

from typing import NamedTuple

Counts = tuple[int, int, int]
"""One acceleration sample, x y z in counts of 1/256 g (ADXL345, full resolution)."""

SAMPLE_PERIOD_US = 10_000
"""Time between two acceleration samples at the 100 Hz the handheld uses, in µs."""


class AccelBatch(NamedTuple):
    """A drained FIFO: oldest sample first, the last one taken at ``t_last_us``.

    ``overrun``: samples were lost before this batch.
    """

    t_last_us: int
    xyz: tuple[Counts, ...]
    period_us: int = SAMPLE_PERIOD_US
    overrun: bool = False


class Light(NamedTuple):
    """One reading of the light sensor, in raw counts (gain ×2, 25 ms: 0.1344 lx each).

    ``fresh`` is False when the reading may be the conversion that was already reported.
    """

    t_us: int
    counts: int
    fresh: bool = True


class Touch(NamedTuple):
    """The touch pad, debounced: finger on (``down``) or off."""

    t_us: int
    down: bool


Input = AccelBatch | Light | Touch
