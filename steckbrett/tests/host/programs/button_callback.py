"""A button's callback takes its time, while the main thread sleeps."""

import signal
import time

from RPi import GPIO

GPIO.setmode(GPIO.BCM)
GPIO.setup(22, GPIO.IN, pull_up_down=GPIO.PUD_UP)
start = time.monotonic()


def pressed(channel):
    print(f"pressed {channel} at {time.monotonic() - start:.1f}, level {GPIO.input(channel)}")
    time.sleep(0.2)
    print(f"done at {time.monotonic() - start:.1f}")


GPIO.add_event_detect(22, GPIO.FALLING, callback=pressed, bouncetime=50)
signal.pause()
