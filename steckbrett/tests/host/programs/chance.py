"""Threads that race, with chance and sets: the same in every run."""

import os
import random
import secrets
import threading
import time
import uuid
from datetime import datetime

words = {f"word {number}" for number in range(20)}


def walk(name):
    for word in words:
        time.sleep(random.uniform(0.001, 0.05))
        print(name, word, round(time.monotonic(), 6), random.Random().random())


threads = [threading.Thread(target=walk, args=(name,)) for name in "abcd"]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(os.urandom(4).hex(), secrets.token_hex(4), uuid.uuid4(), datetime.now(), time.ctime())
