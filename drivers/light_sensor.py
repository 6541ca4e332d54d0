"""The light sensors that a handheld may have, each as a record, and the interface of their drivers.

Board, settings, doctor, simulator and installer read `LIGHT_SENSORS`.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, Protocol

LightKind = Literal["veml7700", "bh1750"]
"""The VEML7700 is the first choice: a lift shows 0.1 to 0.2 s earlier."""


class Identity(NamedTuple):
    """A 16-bit register, low byte first, and its value where ``mask`` has ones."""

    register: int
    mask: int
    value: int


class LightPart(NamedTuple):
    """A light sensor that may be fitted.

    Attributes:
        name: the chip's, as on its module.
        driver: module and class of a `LightSensor`, for `make_driver`.
        address: 7-bit I2C address with ``address_pin`` open or at GND.
        address_pin: the name of the pin that chooses the address; empty if there is none.
        other_address: the address with that pin high; None if there is none.
        identity: None if the chip has none: then any part that answers is taken for it.
        registers: the data sheet's names, by number, of registers of 16 bits, low byte first; empty
            if it has opcodes instead, and results with the high byte first.
        result: the register of `LightSensor.read`.
    """

    name: str
    driver: str
    address: int
    address_pin: str = ""
    other_address: int | None = None
    identity: Identity | None = None
    registers: tuple[str, ...] = ()
    result: int = 0

    @property
    def addresses(self) -> frozenset[int]:
        """Every address at which it may answer."""
        return frozenset((self.address, self.other_address or self.address))


LIGHT_SENSORS: Final[Mapping[LightKind, LightPart]] = {
    "veml7700": LightPart(
        "VEML7700",
        "drivers.veml7700:Veml7700",
        0x10,
        identity=Identity(0x07, 0x00FF, 0x0081),
        registers=("ALS_CONF", "ALS_WH", "ALS_WL", "POWER_SAVING", "ALS", "WHITE", "ALS_INT", "ID"),
        result=4,
    ),
    "bh1750": LightPart("BH1750", "drivers.bh1750:Bh1750", 0x23, "ADDR", 0x5C),
}

LUX_PER_COUNT: Final = 0.1344
"""The unit of `LightSensor.read`, that of the VEML7700 at gain ×2 and 25 ms: 0.0042 lx × (800 ms /
25 ms) × (gain 2 / 2), application note 84323, resolution table."""


class LightSensor(Protocol):
    """A light sensor's driver. Every method is one job for the bus, of well under 1 ms.

    Times are in µs. In fast mode, two readings at least ``fresh_us`` apart are two conversions. The
    first can be read ``settle_us`` after ``fast``, or ``slow_settle_us`` after ``slow``. In slow
    mode a conversion comes every ``slow_period_us``. Dice have left the display ``hidden_after_us``
    after it got dark: conversions have to be dark for 0.1 s, and a picture has to be sent.

    Every method raises PartError when the part does not answer as it should.
    """

    fresh_us: int
    settle_us: int
    slow_period_us: int
    slow_settle_us: int
    hidden_after_us: int

    def begin(self) -> None:
        """Check that it is the part, if it can be told apart, and leave it shut down."""

    def fast(self) -> None:
        """Convert continuously; the first result is ready after ``settle_us``."""

    def slow(self) -> None:
        """Convert every ``slow_period_us`` to save power; as ``fast`` if the part cannot."""

    def read(self) -> int:
        """Return the last conversion in counts of `LUX_PER_COUNT`, 0 in the dark."""

    def shut_down(self) -> None:
        """Stop converting; the last result stays readable."""
