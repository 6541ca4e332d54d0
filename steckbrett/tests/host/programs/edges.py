"""A program waits for edges, with a time limit and without, and asks for events that came."""

import time

import RPi.GPIO as GPIO

GPIO.setmode(GPIO.BCM)
GPIO.setup(22, GPIO.IN, pull_up_down=GPIO.PUD_UP)
print(GPIO.wait_for_edge(22, GPIO.FALLING, timeout=500))
print(GPIO.wait_for_edge(22, GPIO.FALLING))
print(GPIO.wait_for_edge(22, GPIO.RISING, timeout=5000))
GPIO.add_event_detect(22, GPIO.BOTH)
GPIO.add_event_callback(22, lambda channel: print("called for", channel))
time.sleep(1)
print(GPIO.event_detected(22), GPIO.event_detected(22))
GPIO.remove_event_detect(22)
functions = {GPIO.IN: "in", GPIO.OUT: "out", GPIO.I2C: "i2c", GPIO.SERIAL: "serial"}
print([functions[GPIO.gpio_function(pin)] for pin in (2, 14, 22, 23)])
GPIO.cleanup()
