"""A light fades in by PWM, one step in half a second."""

import time

import RPi.GPIO as GPIO

GPIO.setmode(GPIO.BCM)
GPIO.setup(18, GPIO.OUT)
light = GPIO.PWM(18, 100)
light.start(0)
for percent in (25, 50, 75, 100):
    light.ChangeDutyCycle(percent)
    high = 0
    for _ in range(500):
        high += GPIO.input(18)
        time.sleep(0.00097)
    print(percent, round(high / 5, -1))
light.stop()
GPIO.cleanup()
