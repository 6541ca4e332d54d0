"""An alarm: it rings while the box is shaken, and shows a bar on its display."""

import time

import RPi.GPIO as GPIO
from smbus2 import SMBus

ALARM, ADXL345, SSD1306 = 24, 0x53, 0x3C

GPIO.setmode(GPIO.BCM)
GPIO.setup(ALARM, GPIO.OUT, initial=GPIO.LOW)
bus = SMBus(1)
bus.write_byte_data(ADXL345, 0x31, 0x0B)  # ±16 g, full resolution
bus.write_byte_data(ADXL345, 0x2D, 0x08)  # measure
for command in (0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7, 0x8D, 0x14, 0xAF):
    bus.write_byte_data(SSD1306, 0x00, command)
for _ in range(8 * 1024 // 256):
    bus.write_i2c_block_data(SSD1306, 0x40, [0] * 32)
time.sleep(0.1)


def strength():
    data = bytes(bus.read_i2c_block_data(ADXL345, 0x32, 6))
    axes = [int.from_bytes(data[at : at + 2], "little", signed=True) / 256 for at in (0, 2, 4)]
    return sum(axis * axis for axis in axes) ** 0.5


while True:
    if abs(strength() - 1) > 0.5 and not GPIO.input(ALARM):
        print("alarm at", round(time.monotonic() - 60, 2))
        GPIO.output(ALARM, True)
        bus.write_i2c_block_data(SSD1306, 0x40, [0xFF] * 32)
    time.sleep(0.02)
