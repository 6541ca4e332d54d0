"""Loops that wait for nothing: they ask a clock, a pin, a flag."""

import threading
import time

import RPi.GPIO as GPIO

start = time.monotonic()
GPIO.setmode(GPIO.BCM)
GPIO.setup(22, GPIO.IN, pull_up_down=GPIO.PUD_UP)
while GPIO.input(22):
    pass
print("pressed", round(time.monotonic() - start, 2))
while time.monotonic() - start < 2:
    pass
flag = []
threading.Timer(0.5, flag.append, [True]).start()
while not flag:
    pass
print("flag", round(time.monotonic() - start, 2))
while True:
    pass
