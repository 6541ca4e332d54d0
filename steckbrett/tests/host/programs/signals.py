"""An interval timer, ``signal.pause``, ``select`` with a pipe."""

import os
import select
import signal
import threading
import time

start = time.time()
rings = []


def ring(number, frame):
    rings.append(round(time.time() - start, 2))


signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.5, 0.25)
signal.pause()
signal.pause()
time.sleep(0.6)
signal.setitimer(signal.ITIMER_REAL, 0)
print(rings, round(time.time() - start, 2))
reader, writer = os.pipe()
threading.Timer(0.75, lambda: os.write(writer, b"!")).start()
print(select.select([reader], [], [], 0.5))
print(select.select([reader], [], [], 5)[0] == [reader], round(time.time() - start, 2))
poll = select.poll()
poll.register(reader, select.POLLIN)
print(os.read(reader, 1), poll.poll(250), round(time.time() - start, 2))
