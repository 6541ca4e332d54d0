"""Mistakes with pins of which the library warns, and a callback that raises."""

import time

import RPi.GPIO as GPIO

GPIO.setmode(GPIO.BCM)
GPIO.cleanup()
GPIO.setmode(GPIO.BCM)
GPIO.setup(22, GPIO.IN, GPIO.PUD_UP)
GPIO.add_event_detect(22, GPIO.FALLING, callback=lambda channel: {}[channel])
time.sleep(2)
