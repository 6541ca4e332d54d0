"""A class that keeps a clock of the library, and an object that lives until the program's end."""

import atexit
import gc
import time


class Stamp:
    of = time.localtime
    now = time.monotonic


class Lamp:
    def __del__(self):
        print("gone")


print(Stamp().of(86_400 * 366)[0], Stamp().now() >= 60)
lamp = Lamp()
atexit.register(print, "closed")
atexit.register(gc.collect)
