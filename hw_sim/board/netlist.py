"""Every wire of the board, the bus addresses of its parts, and the pins they are at."""

from typing import Literal, NamedTuple

from hw_sim.parts.adxl345 import ADXL345
from hw_sim.parts.ssd1306 import SSD1306
from hw_sim.parts.veml7700 import VEML7700

Line = Literal["SDA", "SCL", "both"]


class Net(NamedTuple):
    """One wire: its signal (``INT1``, ``touch``, …), part and pin at one end, the BCM pin."""

    signal: str
    part: str
    part_pin: str
    bcm: int


NETLIST = (
    Net("SDA", "ADXL345", "SDA", 2),
    Net("SCL", "ADXL345", "SCL", 3),
    Net("INT1", "ADXL345", "INT1", 17),
    Net("SDA", "SSD1306", "SDA", 2),
    Net("SCL", "SSD1306", "SCL", 3),
    Net("SDA", "VEML7700", "SDA", 2),
    Net("SCL", "VEML7700", "SCL", 3),
    Net("touch", "TTP223", "Q", 22),
    Net("IR receive", "TSOP38238", "OUT", 23),
    Net("IR transmit", "IR LED", "driver", 18),
    Net("piezo", "piezo", "+", 13),
)
"""Every wire from a part to the Pi, power aside."""

ADDRESSES = {
    "accelerometer": ADXL345.address,
    "display": SSD1306.address,
    "light": VEML7700.address,
}
"""7-bit I2C addresses by what the part is for."""

INT1_BCM = next(net.bcm for net in NETLIST if net.signal == "INT1")
TOUCH_BCM = next(net.bcm for net in NETLIST if net.signal == "touch")

SDA_BCM = next(net.bcm for net in NETLIST if net.signal == "SDA")
SCL_BCM = next(net.bcm for net in NETLIST if net.signal == "SCL")
OTHER_ADDRESSES = {"accelerometer": 0x1D, "display": 0x3D}
"""7-bit I2C addresses of the parts whose select pin is tied the other way."""
