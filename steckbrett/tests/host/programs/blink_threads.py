"""Two lights blink at their own pace; the program is meant to be ended by Ctrl-C."""

import threading
import time

import RPi.GPIO as GPIO

GPIO.setmode(GPIO.BOARD)
GPIO.setup([16, 18], GPIO.OUT, initial=GPIO.LOW)


def blink(channel, seconds):
    while True:
        GPIO.output(channel, not GPIO.input(channel))
        time.sleep(seconds)


for channel, seconds in ((16, 0.5), (18, 0.2)):
    threading.Thread(target=blink, args=(channel, seconds), daemon=True).start()
try:
    while True:
        time.sleep(1)
except KeyboardInterrupt:
    print("bye")
finally:
    GPIO.cleanup()
