"""The interface of the handheld's light sensor: the VEML7700, or the BH1750 in its place."""

from typing import Final, Literal, Protocol

LightKind = Literal["veml7700", "bh1750"]
"""The VEML7700 is the first choice: a lift shows 0.1 to 0.2 s earlier."""

LUX_PER_COUNT: Final = 0.1344
"""The unit of `LightSensor.read`, that of the VEML7700 at gain ×2 and 25 ms: 0.0042 lx × (800 ms /
25 ms) × (gain 2 / 2), application note 84323, resolution table."""


class LightSensor(Protocol):
    """A light sensor's driver. Every method is one job for the bus, of well under 1 ms.

    Times are in µs. In fast mode, two readings at least ``fresh_us`` apart are two conversions. The
    first can be read ``settle_us`` after ``fast``, or ``slow_settle_us`` after ``slow``. In slow
    mode a conversion comes every ``slow_period_us``. Dice have left the display ``gone_after_us``
    after it got dark: conversions have to be dark for 0.1 s, and a picture has to be sent.

    Every method that touches the bus raises PartError when the part does not answer as it should.
    """

    fresh_us: int
    settle_us: int
    slow_period_us: int
    slow_settle_us: int
    gone_after_us: int

    def begin(self) -> None:
        """Check that it is the part, if it can be told apart, and leave it shut down."""
        ...

    def fast(self) -> None:
        """Convert continuously; the first result is ready after ``settle_us``."""
        ...

    def slow(self) -> None:
        """Convert every ``slow_period_us`` to save power; as ``fast`` if the part cannot."""
        ...

    def read(self) -> int:
        """Return the last conversion in counts of `LUX_PER_COUNT`, 0 in the dark."""
        ...

    def shut_down(self) -> None:
        """Stop converting; the last result stays readable."""
        ...

    def lux(self, counts: int, /) -> float:
        """Return counts of `read` in lux. Does not touch the bus."""
        ...
