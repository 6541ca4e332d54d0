"""Adafruit's libraries, with the pins of Blinka: a light follows the sensor."""

import time

import adafruit_adxl34x
import board
import digitalio

light = digitalio.DigitalInOut(board.D24)
light.direction = digitalio.Direction.OUTPUT
pad = digitalio.DigitalInOut(board.D22)
pad.switch_to_input(pull=digitalio.Pull.UP)
i2c = board.I2C()
while not i2c.try_lock():
    pass
print([hex(address) for address in i2c.scan()], board.board_id)
i2c.unlock()
sensor = adafruit_adxl34x.ADXL345(i2c)
time.sleep(0.1)
for _ in range(4):
    light.value = not pad.value
    print([round(value) for value in sensor.acceleration], light.value)
    time.sleep(0.5)
