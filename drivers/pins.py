"""The wiring: BCM pin numbers of the 40-pin header and I2C addresses.

GPIO14 and GPIO15 stay free for a serial console.

The numbers are those of wiring.md: the Pi gives SDA and SCL, and the others are chosen.
"""

from typing import Final

I2C_BUS: Final = 1
"""Number of the bus behind SDA and SCL, as the Pi's kernel has it: ``/dev/i2c-1``."""

I2C_RATE_HZ: Final = 400_000
"""Set by ``i2c_arm_baudrate`` in config.txt; the fastest all three parts allow."""

SDA: Final = 2
SCL: Final = 3
ACCELEROMETER_INT1: Final = 17
TOUCH: Final = 22
INFRARED_RECEIVE: Final = 23
INFRARED_TRANSMIT: Final = 18
INFRARED_TRANSMIT_PI5: Final = 12
"""On a Pi 5 ``pwm-ir-tx`` drives PWM channel 0, which is on this pin."""
PIEZO: Final = 13

ACCELEROMETER_ADDRESS: Final = 0x53
"""ADXL345 with ALT ADDRESS (SDO) low; high it would be 0x1D (data sheet)."""
