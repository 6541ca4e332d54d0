"""A program of two files."""

import threading
import time

import spinner

start = time.monotonic()
threading.Timer(0.5, spinner.flag.append, [True]).start()
spinner.wait()
print("flag", round(time.monotonic() - start, 1))
