import time

import RPi.GPIO as GPIO
from smbus2 import SMBus

ALARM, ADXL345, SSD1306 = 24, 0x53, 0x3C
START = (0xA1, 0xC8, 0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7, 0x8D, 0x14, 0xAF)

GPIO.setmode(GPIO.BCM)
GPIO.setup(ALARM, GPIO.OUT, initial=GPIO.LOW)
bus = SMBus(1)
bus.write_byte_data(ADXL345, 0x31, 0x0B)  # ±16 g, full resolution
bus.write_byte_data(ADXL345, 0x2D, 0x08)  # measure
bus.write_i2c_block_data(SSD1306, 0x00, START)
time.sleep(0.1)


def strength():
    data = bytes(bus.read_i2c_block_data(ADXL345, 0x32, 6))
    axes = (int.from_bytes(data[i : i + 2], "little", signed=True) for i in (0, 2, 4))
    return sum((axis / 256) ** 2 for axis in axes) ** 0.5  # in g


while True:
    shaken = abs(strength() - 1) > 0.5
    GPIO.output(ALARM, shaken)
    for _ in range(1024 // 32):
        bus.write_i2c_block_data(SSD1306, 0x40, [0xFF if shaken else 0x0F] * 32)
    time.sleep(0.02)
