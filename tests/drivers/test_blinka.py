"""The Adafruit packages come in without the hardware probing of Blinka."""

import subprocess
import sys

PROGRAM = """
import os, sys
os.environ["BLINKA_FORCEBOARD"] = "RASPBERRY_PI_4B"
os.environ["BLINKA_FORCECHIP"] = "BCM2XXX"
import drivers.adxl345, drivers.ssd1306, drivers.veml7700, drivers.ttp223, drivers.gpio
names = ["adafruit_adxl34x", "adafruit_ssd1306", "board", "gpiod", "RPi", "RPi.GPIO"]
print(*[name for name in names if name in sys.modules])
"""


def test_board_gpiod_and_rpi_stay_unimported():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["adafruit_adxl34x", "adafruit_ssd1306"]
